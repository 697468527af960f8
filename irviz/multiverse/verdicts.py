"""Would the conclusion change?  A claim about systems in every world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, probability, whole_number
from irviz.multiverse.claims import Claim, read_claim
from irviz.multiverse.columns import part
from irviz.multiverse.decided import Decided
from irviz.multiverse.evaluate import evaluate, first_comparison, left_out
from irviz.multiverse.flips import flips
from irviz.multiverse.joint import exchanges_of, joint_test
from irviz.multiverse.paper import latex, paragraph
from irviz.multiverse.words import sentence
from irviz.multiverse.worlds import Worlds
from irviz.multiverse.worlds import worlds as usual_worlds
from irviz.stats.scores import Scores
from irviz.workers import Progress, Workers, takes

_EVALUATED = 0.5  #: share of the work that is done before the joint test, for the progress bar


@dataclass(frozen=True, eq=False, repr=False)
class Conclusion(Decided):
    """A claim in many worlds, one row per world.

    Attributes
    ----------
    claim : Claim
    worlds : Worlds
        Those in which the claim can be decided; the others are counted in ``left_out``.
    difference : by world, in the unit of the measure
        Average of the first system minus that of the second, in the comparison that decides.
    standardised : by world
        The difference over the sample standard deviation of the per-topic differences.
    low, high : by world; interval of the difference at 1 − alpha
    p : by world, in (0, 1]
    verdict : by world; 1 where the claim holds, 0 for a tie, −1 where it is reversed
    significant : by world
        p < alpha, and the test points where the verdict does.
    decides : by world; which of ``claim.pairs`` decides
    """

    @cached_property
    def sentence(self) -> str:
        """In how many worlds the claim holds, and significantly; where it does not hold; and what decides."""
        return sentence(self)

    @cached_property
    def paragraph(self) -> str:
        """Worlds, tests, family and result, as a paper states them."""
        return paragraph(self)

    def latex(self, current: Mapping[str, Any] | None = None) -> str:
        """Measures × averages as a table for LaTeX; all other choices as in `current`, or in the first world."""
        return latex(self, current)

    @property
    def topics(self) -> pd.Series:
        """What each topic adds to the difference in the first world, largest first."""
        return self.first.adds

    @cached_property
    def fewest_topics(self) -> dict[str, int | None]:
        """Fewest topics without which the first world's ``"significance"``, or its ``"sign"``, is lost."""
        return self.first.fewest()

    def flips(self, current: Mapping[str, Any] | None = None, significantly: bool = False) -> pd.DataFrame:
        """The worlds nearest to `current` with another verdict; see :func:`~irviz.multiverse.flips.flips`."""
        return flips(self, current or {}, significantly)


@takes(
    lambda c, claim, worlds, trials, **_: (
        len(worlds or ()) * len(read_claim(claim, c.systems).pairs) * (8e-4 + 3e-8 * trials)
    )
)
def conclusion(
    c: Collection | Scores,
    claim: str,
    worlds: Worlds | None = None,
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
    workers: Workers = None,
    progress: Progress | None = None,
    exchanges: int | None = None,
) -> Conclusion:
    """Whether a claim about systems holds, in every world.

    Parameters
    ----------
    c : Collection or Scores
    claim : str
        ``A > B``, ``A > B > C``, ``A is best`` or ``A in top 5``; names with spaces or signs
        in backticks.
    worlds : Worlds, optional
        See :func:`irviz.worlds`, which gives the default.
    alpha : float in (0, 1)
    trials : int
        Of the bootstrap, the randomisation tests and the intervals of averages other than means.
    seed : int
    workers : int or str, optional
        A number, or a joblib backend's name; see :func:`irviz.workers.run`.  Changes no number.
    progress : callable(share, text), optional
    exchanges : int, optional
        Of the joint test; 0 leaves it out.  Default: 1,000, but no more than `trials`; for claims of more
        than ten comparisons fewer, at least 200.

    Returns
    -------
    Conclusion

    Notes
    -----
    **The joint test** (``joint``): in how many worlds a claim holds is no evidence by itself, because
    two equal systems have a majority too.  The two systems change places on random topics in all
    worlds at once, and the counts are compared with those of such exchanges
    (:func:`~irviz.multiverse.joint.joint_test`, which says what is held fixed).

    **Tests** of a pair are all two-sided.  *t*, Wilcoxon and sign test the per-topic
    differences, hence means, and only worlds with the mean, raw or standardised, have them:
    paired t; Wilcoxon's signed ranks with Pratt's zeros
    (:func:`~irviz.multiverse.paired.wilcoxon_test`); exact binomial.  Bootstrap and
    randomisation test the difference of the world's own averages: of means, the paired, studentised bootstrap
    of :func:`irviz.significance`; of geometric and harmonic means, the same of the transformed scores;
    of medians, Student's t with the bootstrap's standard error.  Randomisation exchanges the two
    systems on random topics.  The observed sample counts as one of the trials, and of averages other
    than means no p is below 2/2ⁿ for n topics (:mod:`irviz.multiverse.resampling`).

    **Significance.**  A world is significant if p < alpha and the test has the direction of the
    difference; a sign test and a difference of means can have opposite directions.

    **Intervals** of bootstrap and randomisation are their own: without a correction for several
    tests, they exclude 0 exactly if p < alpha; only the randomisation of medians has none and is
    shown with the bootstrap's.  Beside *t*, Wilcoxon and sign they are Student's, which is that of
    *t*.  NaN where there is none: of other averages than means if 2/2ⁿ is alpha or more.

    **Several systems.**  "A is best" and a chain hold if all their comparisons do, and p is
    the largest of theirs (intersection–union); they are reversed if one fails, and p is the
    smallest times the number of comparisons.  "A in top k" lets k − 1 fail; its p is that of
    partial conjunctions (:func:`~irviz.multiverse.weighing.claim_p`).  The difference and its
    interval are those of the comparison that decides: with the system on the k-th place among
    the others; under Tukey's correction the p-values hold for all pairs together already.

    **Total orders.**  SBTO and RBTO are compared as doubles here: a difference that is visible
    only in their exact integers is a tie.

    **Families.**  Holm's correction is over the measures among the worlds, everything else
    being equal.  For all loaded systems it is :func:`irviz.significance` with ``"randomised_tukey"``.

    References
    ----------
    Simonsohn, Simmons & Nelson, Nature Human Behaviour 4, 2020 (the specification curve and its joint test).
    Steegen, Tuerlinckx, Gelman & Vanpaemel, Perspectives on Psychological Science 11(5), 2016.
    """
    probability("alpha", alpha, usual=0.05)
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    if not isinstance(c, (Collection, Scores)):
        raise IrvizError(f"A collection or scores are needed; got {type(c).__name__}.")
    asked = read_claim(claim, c.systems)
    w = usual_worlds(c, seed=seed) if worlds is None else worlds
    if not isinstance(w, Worlds):
        raise IrvizError(f"`worlds` must be made by irviz.worlds; got {type(w).__name__}.")
    many = exchanges_of(trials, len(asked.pairs)) if exchanges is None else exchanges
    whole_number("exchanges", many, least=0)
    return _made(c, asked, w, alpha, trials, seed, many, workers, progress)


def _made(
    c: Collection | Scores,
    asked: Claim,
    w: Worlds,
    alpha: float,
    trials: int,
    seed: int,
    exchanges: int,
    workers: Workers,
    progress: Progress | None,
) -> Conclusion:
    heard = part(progress, 0, _EVALUATED) if exchanges else progress
    known = evaluate(c, asked, w, alpha, trials, seed, workers, heard)
    rows = np.flatnonzero(known.undefined == 0)
    reasons = left_out(known.undefined)
    if not len(rows):
        raise IrvizError(f"The claim can be decided in no world: {'; '.join(reasons)}. Choose other options.")
    found = known.found
    verdict, decides, p = found.verdict[rows], found.pair[rows], found.p[rows]
    significant = (p < alpha) & found.toward[rows]
    null = None
    if exchanges:
        heard = part(progress, _EVALUATED, 1)
        null = joint_test(known, asked.pairs, asked.spare, alpha, exchanges, seed, workers, heard)
        if len(asked.pairs) == 1:
            null = null.counting(verdict, significant)
    return Conclusion(
        claim=asked,
        systems=c.systems,
        worlds=w.keep(rows, reasons),
        difference=found.difference[rows],
        standardised=found.standardised[rows],
        low=found.low[rows],
        high=found.high[rows],
        p=p,
        verdict=verdict,
        significant=significant,
        decides=decides,
        first=first_comparison(known, asked, c.systems, int(rows[0]), int(decides[0]), alpha, trials, seed),
        alpha=alpha,
        trials=trials,
        seed=seed,
        null=null,
    )
