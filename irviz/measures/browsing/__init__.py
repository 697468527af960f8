"""The catalogue of browsing models, in the order they are offered.  One line a model."""

from irviz.measures.browsing.precision import PrecisionModel  # isort: skip
from irviz.measures.browsing.dcg import DCGModel  # isort: skip
from irviz.measures.browsing.rbp import RBPModel  # isort: skip
from irviz.measures.browsing.inst import INSTModel  # isort: skip
from irviz.measures.browsing.ap import APModel  # isort: skip
from irviz.measures.browsing.err import ERRModel  # isort: skip
from irviz.measures.browsing.rr import RRModel  # isort: skip
from irviz.measures.browsing.insq import INSQModel  # isort: skip
from irviz.measures.browsing.bpm import BPMModel  # isort: skip

MODELS = (PrecisionModel, DCGModel, RBPModel, INSTModel, APModel, ERRModel, RRModel, INSQModel, BPMModel)
