"""Would the conclusion change?  A claim about systems in every world; and the tables of it for the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import ge, gt, le, lt
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose, join_words, probability, whole_number
from irviz.multiverse.compare import Procedure, evaluate, reasons
from irviz.multiverse.dimensions import average, usable
from irviz.multiverse.influence import Contrast
from irviz.multiverse.joint import Observed, joint_test
from irviz.multiverse.power import POWER, smallest_effect, topics_needed
from irviz.multiverse.report import NUMBERS, Conclusion, grid, signed, unjudged_words
from irviz.multiverse.settings import Settings
from irviz.multiverse.worlds import Worlds, without_doubles
from irviz.multiverse.worlds import worlds as usual_worlds
from irviz.stats.claims import read_claim
from irviz.stats.groups import Groups
from irviz.stats.results import part
from irviz.stats.scores import Scores
from irviz.workers import Listener, Workers, listener

_SHARE_BEFORE_JOINT = 0.5  #: share of the work that is done before the joint test, for the progress bar


def conclusion(
    c: Collection | Scores,
    claim: str,
    worlds: Worlds | None = None,
    *,
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
    workers: Workers = None,
    progress: Listener = None,
    exchanges: int | None = None,
    groups: Groups | None = None,
) -> Conclusion:
    """Test a claim about systems in every world.

    Parameters
    ----------
    c : Collection or Scores
    claim : str
        ``A > B``, ``A > B > C``, ``A is best`` or ``A in top 5``; names with spaces or signs in backticks.
    worlds : Worlds, optional
        See :func:`irviz.worlds`, which gives the default.
    alpha : float in (0, 1)
    trials : int
        Of the bootstrap, the randomisation tests and the intervals of averages other than means.
    seed : int
    workers : see :func:`irviz.workers.run`
    progress : callable, or True for a bar, optional
    exchanges : int, optional
        Of the joint test; 0 leaves it out.  Default: 1,000, but no more than `trials`; for claims of more
        than ten comparisons fewer, at least 200; and for comparisons that none of these reached as many as evidence
        needs, up to 10,000,000 exchanges times worlds.
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        Topics that are not independent, such as the turns of a conversation; a topic without a group is one by itself.

    Returns
    -------
    Conclusion

    Notes
    -----
    **The joint test** (``joint``): in how many worlds a claim holds is no evidence by itself, because
    two equal systems have a majority too.  The two systems change places on random topics in all
    worlds at once, and the counts are compared with those of such exchanges
    (:func:`~irviz.multiverse.joint.joint_test`, which says what is held fixed).  There is evidence that the claim
    holds, or that it does not (``evidence``), if three times the smallest of the three p-values is below alpha and most
    worlds point there; of a single world, if its own test is significant.  n topics that both systems answer are too
    few if 2/2ⁿ, multiplied as the p-values are, is not below alpha.

    **Tests** of a pair are all two-sided.  *t*, Wilcoxon and sign test the per-topic differences, hence means, and only
    worlds with the mean, raw or standardised, have them: paired t; Wilcoxon's signed ranks with Pratt's zeros
    (:func:`~irviz.stats.paired.wilcoxon_test`); exact binomial.  Bootstrap and randomisation test the difference of the
    world's own averages: of means, the paired, studentised bootstrap of :func:`irviz.significance`; of geometric and
    harmonic means, the same of the transformed scores; of medians, Student's t with the bootstrap's standard error.
    Randomisation exchanges the two systems on random topics.  The observed sample counts as one of the trials.  With n
    topics no p of bootstrap and randomisation is below 2/2ⁿ (:mod:`irviz.multiverse.resampling`), nor that of a *t*
    test of differences that are all equal.

    **Groups.**  The bootstrap draws whole groups, the randomisation and joint tests exchange them; *t*, Wilcoxon and
    sign test the groups' sums of differences.  Intervals are of the same sums.  Averages, differences and what topics
    add (``topics``, ``fewest_topics``) are of topics.

    **Significance.**  A world is significant if p < alpha and the test has the direction of the
    difference; a sign test and a difference of means can have opposite directions.

    **Intervals** are those of the test itself, without a correction for several tests: Student's for *t*, those of
    the bootstrap, and of the randomisation of means; they exclude 0 exactly if p < alpha.  NaN if there is none:
    Wilcoxon and sign test ranks and signs, which have no interval of the mean difference that is shown; the
    randomisation of other averages does not invert to one that holds its level; bootstrap and
    randomisation have none if 2/2ⁿ is alpha or more.

    **Several systems.**  "A is best" and a chain hold if all their comparisons do, and p is
    the largest of theirs (intersection–union); they are reversed if one fails, and p is the
    smallest times the number of comparisons.  "A in top k" lets k − 1 fail; its p is that of
    partial conjunctions (:func:`~irviz.stats.claims.claim_p`).  The difference and its
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
    progress = listener(progress)
    probability("alpha", alpha, usual=0.05)
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    c = usable(c)
    parsed = read_claim(claim, c.systems)
    w = usual_worlds(c, seed=seed) if worlds is None else worlds
    if not isinstance(w, Worlds):
        raise IrvizError(f"`worlds` must be made by irviz.worlds; got {type(w).__name__}.")
    w = without_doubles(c, w, np.unique(parsed.pairs))
    if exchanges is not None:
        whole_number("exchanges", exchanges, least=0)
    heard = progress if exchanges == 0 else part(progress, 0, _SHARE_BEFORE_JOINT)
    how = Procedure.from_worlds(w, alpha, trials, seed, workers, groups)
    s, by_world = evaluate(c, parsed, w, how, heard)
    rows = np.flatnonzero(by_world.reason == 0)
    left_out = reasons(by_world.reason)
    if not len(rows):
        raise IrvizError(
            f"The claim can be decided under no combination of choices: {'; '.join(left_out)}. Choose other options."
        )
    verdict = by_world.verdict[rows]
    points_there = (by_world.direction[rows] == verdict) & (verdict != 0)
    p = np.where(points_there, by_world.p[rows], 1.0)
    joint: dict[str, Any] = {}
    if exchanges != 0:
        heard = part(progress, _SHARE_BEFORE_JOINT, 1)
        observed = Observed.from_worlds(verdict, p, alpha, by_world.standardised[rows])
        joint = joint_test(s, by_world.reason, parsed, how, exchanges, observed, heard)
    return Conclusion(
        claim=parsed,
        systems=c.systems,
        worlds=w.keep(rows, left_out),
        **{name: getattr(by_world, name)[rows] for name in NUMBERS},
        verdict=verdict,
        significant=p < alpha,
        decides=by_world.pair[rows],
        first=_contrast(s, parsed.pairs[by_world.pair[rows[0]]], c.systems, int(rows[0]), how),
        alpha=alpha,
        trials=trials,
        seed=seed,
        in_groups=groups is not None,
        unjudged_topics=_unjudged_topics(c, {i for pair in parsed.pairs for i in pair}),
        **joint,
    )


def _unjudged_topics(c: Collection | Scores, systems: set[int]) -> dict[str, int]:
    """Systems without a judged document on more than half of the topics → on how many."""
    if isinstance(c, Scores):
        return {}
    none = (c.ranking.judged.counts == 0).sum(axis=0)
    counts = {c.systems[i]: int(none[i]) for i in sorted(systems)}
    return {name: count for name, count in counts.items() if 2 * count > len(c.topics)}


def _contrast(s: Settings, pair: tuple[int, int], names: Sequence[str], world: int, how: Procedure) -> Contrast:
    """Two systems on the topics of one world."""
    k = int(s.own[world])
    column = s.column(k)
    rows = s.common(k, *np.array(pair)[:, None])[:, 0]
    average_name, test = (s.worlds.options[name][s.worlds.code(name)[world]] for name in ("average", "test"))
    values = column.scores(average(average_name).standardised)[rows]
    topics = tuple(topic for topic, there in zip(column.topics, rows, strict=True) if there)
    both, (first, second) = (names[pair[0]], names[pair[1]]), values[:, pair].T
    return Contrast(both, topics, first, second, average(average_name), test, how.alpha, how.trials, how.seed)


# -- Tables -----------------------------------------------------------------------------------------

_SHARES = ("holds", "holds_significantly", "reversed", "reversed_significantly")


POWERS = ("smallest difference shown (SD)", "difference in the first world (SD)", "topics needed")


def _power(r: Conclusion) -> tuple[float, float, float]:
    """The values of `POWERS`, in standard deviations of the per-topic differences, and topics; NaN of groups."""
    if r.in_groups:
        return np.nan, float(r.standardised[0]), np.nan
    needed = topics_needed(np.abs(r.standardised[:1]), r.alpha, POWER)
    return smallest_effect(len(r.topics), r.alpha, POWER), float(r.standardised[0]), float(needed[0])


def _summary(r: Conclusion) -> pd.DataFrame:
    rows = {
        "evidence": r.evidence,
        "worlds": len(r),
        **{share: getattr(r, share) for share in _SHARES},
        "joint": r.joint_p,
        "topics": len(r.topics),
        **dict(zip(POWERS, _power(r), strict=True)),
        **{f"left out: {reason}": count for reason, count in r.left_out.items()},
        **{f"topics without a judged document: {name}": count for name, count in r.unjudged_topics.items()},
    }
    return pd.DataFrame({"what": list(rows), "value": pd.Series(list(rows.values()), dtype=object)})


def _joint(r: Conclusion) -> pd.DataFrame:
    joint = r.joint
    return pd.DataFrame(columns=["statistic", "observed", "expected", "p"]) if joint is None else joint.reset_index()


TABLES: dict[str, Callable[[Conclusion], pd.DataFrame]] = {
    "worlds": lambda r: r.frame(),
    "summary": _summary,
    "joint": _joint,
    "attribution": lambda r: r.attribution.reset_index(),
    "flips": lambda r: r.flips(),
    "topics": lambda r: r.topics.reset_index(),
    "grid": lambda r: signed(grid(r)).reset_index(),
}  #: what can be printed of a conclusion


_SIGNS: dict[str, Callable[[float, float], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt}
_CONDITION = re.compile(r"\s*(\w+)\s*(>=|<=|>|<)\s*(\d*\.?\d+)\s*(%?)\s*")


def requirement(text: str) -> Callable[[Conclusion], str]:
    """The check of a condition such as ``holds >= 0.8`` or ``joint <= 5%``: the value if it is not met, else "".

    It is never met if a system has no judged document on most topics.
    """
    condition = _CONDITION.fullmatch(text)
    if condition is None:
        known = join_words((*_SHARES, "joint"))
        raise IrvizError(
            f"A condition is written like `holds >= 0.8` or `joint <= 0.05`, of {known}; got `{text[:200]}`."
        )
    name, sign, number, percent = condition.groups()
    bound = float(number) / (100 if percent else 1)
    if bound > 1:
        raise IrvizError(f"`{text.strip()}`: a share of worlds, and p, is at most 1, or 100%.")
    choose("share of worlds", name, (*_SHARES, "joint"))

    def unmet(r: Conclusion) -> str:
        value = r.joint_p if name == "joint" else float(getattr(r, name))
        if _SIGNS[sign](value, bound):
            return unjudged_words(r)
        return f"Not `{text.strip()}`: {name} is {value:.4g}."

    return unmet
