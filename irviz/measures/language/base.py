"""What a measure is: a value that scores all runs of one topic.

A new measure is one dataclass in one file with a ``symbol``, its parameters and
``evaluate``; naming it in :mod:`irviz.measures.catalogue` is the second and last step.
Averaging over topics is not part of a measure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.judged import Judged, Topic
from irviz.measures.language.expression import Expression
from irviz.measures.language.parameters import MOST_GAIN, Numbers, Real, Text, parameter

#: what a grade is worth: a word, or one number per grade level
GAINS = Numbers(words=("linear", "exp"), ascending=True, nonnegative=True, most=MOST_GAIN)
OWN_GAINS = replace(GAINS, optional=True)  #: the same, or nothing where the measure has gains of its own


@dataclass(frozen=True)
class Scale:
    """The scale type of a measure: "interval", "ordinal" or "neither", why, and who says so.

    `proved_from` is the smallest depth of judged runs that the statement covers; None
    where nothing is proved and the cautious answer is given.
    """

    kind: str
    reason: str
    source: str = "Ferrante et al. 2019, section 4.3.1"
    proved_from: int | None = 1


@dataclass(frozen=True, kw_only=True)
class Measure(Expression):
    """An evaluation measure.

    ``evaluate`` is given a :class:`Judged` topic and returns one number per run.
    """

    family: ClassVar[str] = "measure"
    group: ClassVar[str] = ""  #: the heading it stands under in pickers and the reference page
    formula: ClassVar[str] = ""  #: LaTeX
    source: ClassVar[str] = ""  #: paper and equation
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)  #: range of the scores
    range_note: ClassVar[str] = ""  #: what parameters do to the range
    additive: ClassVar[bool] = False  #: Σ over ranks of a weight, not rising, × the document's worth
    ideal_is_one: ClassVar[bool] = True  #: the ideal ranking of a topic with relevant documents scores exactly 1
    set_based: ClassVar[bool] = False  #: the order of the retrieved documents does not matter
    orders: ClassVar[str] = "rank"  #: the total order its scale type refers to: "rank" or "set"
    aspect: str | None = parameter(None, Text(optional=True), "The aspect to score; by default the first.")

    def score(self, topic: Topic) -> NDArray[Any]:
        """One number per run of this topic."""
        return self.evaluate(topic.aspect(self.aspect))

    def evaluate(self, judged: Judged) -> NDArray[Any]:
        """One number per run, from the runs judged on this measure's aspect."""
        raise TypeError(f"{type(self).__name__} scores whole topics; call score().")

    def exact(self, topic: Topic) -> NDArray[np.object_] | None:
        """The scores as integers over a denominator common to all topics, where a double is too small."""
        return None

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        """The scale type on judged runs of this depth (None: however deep) with these grades (grades[0] is 0).

        The total order is Ferrante et al. 2019, eq. (1) for measures of sets and eq. (4)
        for measures of rankings.
        """
        return Scale(
            "neither", "There is no proof that equal steps of this measure are equal steps of the total order."
        )

    def scale_in(self, collection: Collection) -> Scale:
        """The scale type with the grades of a collection, however deep its runs are."""
        return self.scale(collection.grades[collection.aspect_index(self.aspect)])

    def depth_seen(self, depth: int | None) -> int | None:
        """How many ranks matter to it among this many (None: however many)."""
        known = [k for k in (self.cutoff, depth) if k is not None]
        return min(known, default=None)

    def at_depth(self, depth: int) -> Measure:
        """This measure on runs that end at `depth`, with nothing after them."""
        return self if self.cutoff is None else replace(self, cutoff=min(self.cutoff, depth))

    def misfit(self, collection: Collection) -> IrvizError | None:
        """Why it cannot score this collection; None where it can.

        A measure that lists numbers by grade, class or aspect, names an aspect, or takes 2^x
        of grades may not fit every collection; ask before it is used with others.
        """
        try:
            self.score(Topic(collection, 0, runs=0))
        except IrvizError as error:
            return error
        return None

    def seconds(self, depth: int) -> float:
        """About what one list of this depth takes; see :func:`irviz.workers.takes`."""
        return 3e-6 + 4e-9 * depth

    def score_range(self, grades: tuple[float, ...]) -> tuple[float, float]:
        """Lowest and highest possible score."""
        return self.bounds


def rel_parameter() -> Any:
    """`rel`: the smallest grade that counts as relevant."""
    return parameter(1.0, Real(low=0, open_low=True, step=1), "The smallest grade that counts as relevant.")


def gains_parameter(default: str = "linear", shares: bool = False) -> Any:
    """`gains`: how a grade becomes a gain; with `shares` the measure divides it by the maximum gain."""
    words = "'linear' is x/x_max, 'exp' is (2^x − 1)/2^x_max, a list gives one number per grade level, lowest first."
    divided = " The measure divides it by the maximum gain." if shares else ""
    return parameter(default, GAINS, f"The gain of a grade x: {words}{divided}")
