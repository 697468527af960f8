"""The public names of irviz: the only list of them, which the package reads to import each when it is first used."""

from irviz import types as types  # a module, not a name of it
from irviz.collection.catalogue import open_collection as open_collection
from irviz.collection.frames import collection_from_frames as collection_from_frames
from irviz.collection.frames import from_ir_datasets as from_ir_datasets
from irviz.collection.load import load_collection as load_collection
from irviz.collection.people import load_preferences as load_preferences
from irviz.collection.people import load_satisfaction as load_satisfaction
from irviz.collection.trec import load_intents as load_intents
from irviz.errors import IrvizError as IrvizError
from irviz.gallery.findings import findings as findings
from irviz.measures import measure as measure
from irviz.measures.catalogue import measures as measures
from irviz.measures.catalogue import register as register
from irviz.multiverse.against import compare as compare
from irviz.multiverse.equal_steps import attainable as attainable
from irviz.multiverse.equal_steps import equal_steps as equal_steps
from irviz.multiverse.groups import by_group as by_group
from irviz.multiverse.order import undisputed as undisputed
from irviz.multiverse.power import power as power
from irviz.multiverse.verdicts import conclusion as conclusion
from irviz.multiverse.worlds import worlds as worlds
from irviz.notebook import open_dashboard
from irviz.notebook import show as show
from irviz.stats.aggregate import summarise as summarise
from irviz.stats.consistency import consistency as consistency
from irviz.stats.incompleteness import pool_reduction as pool_reduction
from irviz.stats.incompleteness import residual as residual
from irviz.stats.judges import judges as judges
from irviz.stats.leaderboard import leaderboard as leaderboard
from irviz.stats.lists import compatibility as compatibility
from irviz.stats.lists import contributions as contributions
from irviz.stats.lists import dominance as dominance
from irviz.stats.lists import rbo as rbo
from irviz.stats.nuggets import load_nuggets as load_nuggets
from irviz.stats.prediction_powered import prediction_powered as prediction_powered
from irviz.stats.replacing import replaced as replaced
from irviz.stats.scales import scale_type as scale_type
from irviz.stats.scores import load_scores as load_scores
from irviz.stats.scores import score as score
from irviz.stats.scores import scores_from_frames as scores_from_frames
from irviz.stats.significance import discriminative_power as discriminative_power
from irviz.stats.significance import significance as significance
from irviz.stats.similarity import similarity as similarity
from irviz.stats.similarity import top_agreement as top_agreement
from irviz.stats.sweep import sweep as sweep
from irviz.stats.topic_effects import hardness as hardness
from irviz.stats.topic_effects import standardise as standardise
from irviz.stats.users import preferences as preferences
from irviz.stats.users import satisfaction as satisfaction

open = open_dashboard  # a name of this module, which an import under another name is not
__version__: str
