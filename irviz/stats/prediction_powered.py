"""Estimates of people's results on all topics, from few topics judged by people and many by a machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from irviz.collection.model import Collection, places_of
from irviz.errors import IrvizError, probability, whole_number
from irviz.portable import total
from irviz.stats.claims import read_claim
from irviz.stats.judges import judged_topics
from irviz.stats.resampling import generator
from irviz.stats.results import FrozenArrays, tidy
from irviz.stats.scores import Scores, check_collection, check_scores, score

Floats = NDArray[np.float64]
METHODS = ("people", "machine", "ppi", "ppi++")
_CONSTANT = 1e-12  #: numbers with a smaller spread, relative to their size, are equal up to rounding


@dataclass(frozen=True, eq=False)
class PredictionPowered(FrozenArrays):
    """Estimates of people's results on all topics: the difference of two systems, or each system's mean.

    Attributes
    ----------
    measure : str
    claim : str or None
    systems : tuple of str; the two of the claim
    topics : tuple of str
        All that the machine judged.
    judged : int, in order
        Places in `topics` of the n topics with people's judgments.
    people, machine : topics × columns
        What is averaged over topics: the difference of the pair (one column), or the score of each system; NaN where
        people did not judge.
    estimate, low, high : methods × columns
        "people" (the judged topics only), "machine" (all topics, as if the machine were right), "ppi", "ppi++".
    weight : methods × columns
        λ, 0 for people; NaN for the machine.
    """

    measure: str
    claim: str | None
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    judged: NDArray[np.intp]
    people: Floats
    machine: Floats
    estimate: Floats
    low: Floats
    high: Floats
    weight: Floats
    confidence: float
    seed: int

    def frame(self) -> pd.DataFrame:
        """A row a method, without a claim a row a system and method: estimate, low, high, weight (λ), n, N."""
        sizes = {"n": np.array(len(self.judged)), "N": np.array(len(self.topics))}
        return self._rows(estimate=self.estimate, low=self.low, high=self.high, weight=self.weight, **sizes)

    def coverage(self, draws: int = 500) -> pd.DataFrame:
        """How often each method's interval holds people's value on all topics that both judged.

        Each draw takes as many of these topics as `judged` has, which must be fewer than all.

        Returns
        -------
        DataFrame
            As in `frame`: ``coverage``, the share of `draws`, and ``width``, the median of high − low.
        """
        whole_number("draws", draws)
        both = np.flatnonzero(~np.isnan(self.people[:, 0]))
        n = len(self.judged)
        if n >= len(both):
            raise IrvizError(
                f"Coverage is estimated on draws of the topics that both judged, but all {len(both)} are used. Give "
                "`topics=` a smaller number."
            )
        held, width = coverage(self.people[both], self.machine[both], n, draws, self.confidence, self.seed)
        return self._rows(coverage=held, width=width)

    def half_widths(self) -> Floats:
        """methods × columns × (N − 1): half the width of each interval, if people judged 2, 3 … N topics.

        λ and the spread are those of the topics used, which must be fewer than N; the machine's width is constant.
        """
        n, many = len(self.judged), len(self.topics)
        if n == many:
            raise IrvizError(f"People judged all {many} topics, so their intervals have no width. Use fewer `topics`.")
        counts = np.arange(2, many + 1)
        reach = stdtrit(counts - 1, (1 + self.confidence) / 2) * np.sqrt((1 - counts / many) / counts)
        halves = ((self.high - self.low) / 2)[..., None] * (reach / reach[n - 2])
        halves[METHODS.index("machine")] = ((self.high - self.low) / 2)[METHODS.index("machine"), :, None]
        return halves

    def _rows(self, **values: Floats) -> pd.DataFrame:
        """Of values methods × columns."""
        systems = {} if self.claim else {"system": self.systems}
        by_column = {name: value.T[0] if self.claim and value.ndim else value.T for name, value in values.items()}
        return tidy({**systems, "method": METHODS}, **by_column)


def prediction_powered(
    c: Collection | Scores,
    *what: Any,
    claim: str | None = None,
    people: str = "people",
    machine: str = "machine",
    topics: int | Iterable[str | int] | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> PredictionPowered:
    r"""Correct a machine's judgments of all topics by people's judgments of some: prediction-powered inference.

    Let *x* (by people) and *y* (by the machine) be the difference of two systems, or one system's score, on a topic.
    The mean of *x* over all N topics is estimated from *n* topics that people judged (Angelopoulos et al. 2023; for
    rankings, Oosterhuis et al. 2024):

    .. math:: \hat\theta_\lambda = \bar x_n + \lambda\,(\bar y_N - \bar y_n) \;\pm\;
       t_{n-1} \sqrt{\Big(1 - \frac{n}{N}\Big) \frac{s^2_{x - \lambda y}}{n}}

    λ = 0 is people alone, λ = 1 PPI, and PPI++ (Angelopoulos et al. 2024) takes
    :math:`\lambda = \mathrm{cov}_n(x, y)/\mathrm{var}_n(y)`, within [0, 1].

    Parameters
    ----------
    c : Collection, loaded with ``judges=True``; or Scores by people, followed by Scores by the machine
    *what : (the machine's Scores), a measure, a claim
        The claim is "A > B": the result is of the mean of A minus that of B.  Without one, of every system's mean.
    claim : str, optional
        "A > B"; without it, every system's mean.
    people : str
        The judge of some topics.
    machine : str
        The judge of all topics.
    topics : int, or topics
        The number of topics judged by people, drawn with the `seed` from those that both judged, or their names.  By
        default all of these.
    confidence : float in (0, 1)

    Returns
    -------
    PredictionPowered

    Notes
    -----
    *Assumption.* The topics that people judged are a random part of those that the machine judged.  Choosing the easy
    ones, or those that seem decisive, biases every estimate.  Topics that only people judged, or on which a compared
    system has no score, are left out.

    *Intervals.* 1 − n/N is for drawing from a finite set, so people's judgments of all N topics leave no error.  The
    machine's own interval is Student's over the N topics.  PPI++ takes λ and the spread from the same topics; the
    :math:`s^2` of its interval is therefore that of :math:`x_i - \lambda_{(i)} (y_i - \bar y_N)` with λ from the other
    topics.

    *Coverage at 95%*, with 5 to 20 topics by people, over all pairs of systems of TREC DL 2021 (four machines) and of
    the bundled ad hoc collection, nDCG@10 and AP: people alone .94 to .95, PPI .93 to .96, PPI++ .93 to .95, the
    machine alone .18 to .99 (``python -m benchmarks.coverage``).  On nDCG@10 PPI++ has .94, .94 and .95 with 5, 10 and
    20 topics; with one λ for all topics the same estimate has .90, .92 and .94, with the jackknife's intervals, 1 to 5%
    wider, .94, .95 and .95.
    """
    named = what[1:] if isinstance(c, Scores) else what
    if not 1 <= len(named) <= 2 or (len(named) == 2 and claim is not None):
        raise IrvizError('Name one measure, and at most one claim, such as "nDCG@10", "A > B".')
    measure, claim = named[0], named[1] if len(named) == 2 else claim
    probability("confidence", confidence, usual=0.95)
    whole_number("seed", seed, least=0)
    if isinstance(c, Scores):
        by_people, by_machine = c, what[0]
        check_scores(by_machine)
    else:
        check_collection(c)
        by_people, by_machine = (score(c.by_judge(judge), [measure]) for judge in (people, machine))
    name, systems = by_machine.measures[by_machine.index(measure)], by_machine.systems
    if claim is not None:
        pair = read_claim(claim, systems)
        if pair.kind != "pair":
            raise IrvizError(f"`{pair}` is not about one pair of systems. Write `A > B`.")
        claim, systems = str(pair), pair.names
    x, y, all_topics = _side_by_side(by_people, by_machine, name, systems)
    if claim is not None:
        x, y = (scores[:, :1] - scores[:, 1:] for scores in (x, y))
    both = np.flatnonzero(~np.isnan(x[:, 0]))
    judged = both if topics is None else both[_chosen([all_topics[i] for i in both], topics, seed)]
    if len(judged) < 2:
        raise IrvizError(
            f"At least two topics are needed; got {len(judged)}, of {len(both)} that people and machine both judged."
        )
    estimate, half, weight = _limits(x, y, judged, _student(y, confidence), confidence)
    limits = (estimate, estimate - half, estimate + half, weight)
    return PredictionPowered(name, claim, systems, all_topics, judged, x, y, *limits, confidence, seed)


def _side_by_side(
    by_people: Scores, by_machine: Scores, name: str, systems: tuple[str, ...]
) -> tuple[Floats, Floats, tuple[str, ...]]:
    """topics × systems by people (NaN where a system has no score) and by the machine, and these topics."""
    people, machine = (cube.select([name], systems=systems) for cube in (by_people, by_machine))
    place = {topic: i for i, topic in enumerate(people.topics)}
    topics = machine.common_topics
    rows = [place.get(topic, -1) for topic in topics]
    scores = np.concatenate([people.values[0], np.full((1, len(systems)), np.nan)])[rows]
    scores[np.isnan(scores).any(axis=1)] = np.nan
    return scores, machine.select(topics=topics).values[0], topics


def _chosen(names: list[str], topics: int | Iterable[str | int], seed: int) -> NDArray[np.intp]:
    """Places among `names`, in order: of the topics named, or of a number drawn at random."""
    if isinstance(topics, Iterable):
        named = [topics] if isinstance(topics, str) else topics
        return np.unique(places_of("topic that people and machine both judged", names, named))
    if whole_number("topics", topics, least=2) > len(names):
        raise IrvizError(f"`topics` is {topics}, and people and machine both judged {len(names)}.")
    return next(_drawn(len(names), topics, 1, seed))


def people_and_machine(c: Collection) -> tuple[str, str] | None:
    """The first pair of judges in which one, the people, judged two or more, but not all, of the other's topics."""
    judged = np.empty((0, 0), dtype=bool) if c.jury is None else judged_topics(c.jury)
    for people, machine in sorted(permutations(range(len(judged)), 2), key=sorted):
        both, many = int((judged[people] & judged[machine]).sum()), int(judged[machine].sum())
        if 2 <= both < many and judged[people].sum() < many:
            return c.judges[people], c.judges[machine]
    return None


def corrected_scores(people: Floats, machine: Floats, judged: NDArray[np.intp]) -> Floats:
    r"""Topics × systems by a machine, corrected by people: their means are those of PPI (Angelopoulos et al. 2023).

    .. math:: \tilde y_i = y_i + [i \text{ is judged}]\, \frac{N}{n}\, (x_i - y_i)

    λ is 1 for all systems, so equal systems are exchangeable on every topic.  Student's interval of a mean of these
    scores is that of a mean over further topics, if people judge n of N.  Values may be negative.  On TREC DL 2021 and
    the bundled `adhoc`, with people on 10 topics, t, bootstrap and randomisation reject .03 to .06 of equal pairs at α
    = .05, and their 95% intervals cover .94 to .97 of the differences over further topics, .97 to .99 of those over the
    same topics.

    Parameters
    ----------
    people : n × systems
    machine : N × systems
    judged : n places in the topics of `machine`
    """
    corrected = machine.copy()
    corrected[judged] += len(machine) / len(people) * (people - machine[judged])
    return corrected


def _drawn(many: int, n: int, draws: int, seed: int) -> Iterator[NDArray[np.intp]]:
    """Places of n of the topics, in order; with the same seed, fewer are a part of more."""
    draw = generator(seed)
    for _ in range(draws):
        yield np.sort(draw.permutation(many)[:n])


def _student(y: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Mean and half the width of Student's interval, by column."""
    return _mean(y), stdtrit(len(y) - 1, (1 + confidence) / 2) * np.sqrt(_variance(y) / len(y))


def _mean(values: Floats) -> Floats:
    return total(values, 0) / len(values)


def _variance(values: Floats) -> Floats:
    return total(np.square(values - _mean(values)), 0) / (len(values) - 1)


def _limits(
    x: Floats, y: Floats, judged: NDArray[np.intp], machine: tuple[Floats, Floats], confidence: float
) -> tuple[Floats, Floats, Floats]:
    """Estimate, half the width of the interval, and λ, each methods × columns; `machine` is `_student` of y."""
    n, (middle, machine_half) = len(judged), machine
    x, y, many = x[judged], y[judged], len(y)
    x_mean, y_mean = _mean(x), _mean(y)
    cross, square = (x - x_mean) * (y - y_mean), np.square(y - y_mean)
    cross_sum, square_sum = total(cross, 0), total(square, 0)
    least, one_less = _CONSTANT * square_sum + _CONSTANT**2 * total(np.square(y), 0), n / (n - 1)
    weight = _slope(cross_sum, square_sum, least)
    weights_of_others = _slope(cross_sum - one_less * cross, square_sum - one_less * square, least)
    spread = [_variance(left) for left in (x, x - y, x - weights_of_others * (y - middle))]
    half = stdtrit(n - 1, (1 + confidence) / 2) * np.sqrt((1 - n / many) / n * np.stack(spread))
    shift = middle - y_mean
    return (
        np.stack([x_mean, middle, x_mean + shift, x_mean + weight * shift]),
        np.stack([half[0], machine_half, *half[1:]]),
        np.stack([np.zeros_like(weight), np.full_like(weight, np.nan), np.ones_like(weight), weight]),
    )


def _slope(cross: Floats, square: Floats, least: Floats) -> Floats:
    """λ from sums of products and squares; 0 where the machine's numbers are all equal."""
    varies = square > least
    return np.where(varies, np.clip(cross / np.where(varies, square, 1.0), 0.0, 1.0), 0.0)


def coverage(
    x: Floats, y: Floats, n: int | NDArray[np.intp], draws: int = 500, confidence: float = 0.95, seed: int = 0
) -> tuple[Floats, Floats]:
    """methods × columns: share of intervals over draws of n topics (or these) that hold the mean of x; median width."""
    truth, machine = _mean(x), _student(y, confidence)
    rounding = 1e-12 * np.abs(x).max(axis=0)
    drawn = list(_drawn(len(x), n, draws, seed)) if isinstance(n, int) else [np.sort(n)]
    held, halves = np.zeros((len(METHODS), x.shape[1])), np.empty((len(drawn), len(METHODS), x.shape[1]))
    for draw, judged in enumerate(drawn):
        estimate, halves[draw], _ = _limits(x, y, judged, machine, confidence)
        held += np.abs(estimate - truth) <= halves[draw] + rounding
    return held / len(drawn), 2 * np.median(halves, axis=0)
