"""A conclusion: numbers and verdict of every world, the evidence of all together, and a grid of differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import number_of
from irviz.multiverse.dimensions import AS_GIVEN, DIMENSIONS
from irviz.multiverse.influence import Contrast, attribution, nearest, world_at
from irviz.multiverse.joint import Evidence
from irviz.multiverse.worlds import Worlds
from irviz.stats.claims import Claim
from irviz.stats.results import FrozenArrays

Floats = NDArray[np.float64]
NUMBERS = ("difference", "standardised", "low", "high", "p")  #: that a claim has in every world
VERDICTS = ("reversed", "tie", "holds")  #: by verdict + 1
SIGNS = {1: "+", 0: "=", -1: "−"}  #: by verdict
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))  #: by p, the smallest first


@dataclass(frozen=True, eq=False, repr=False)
class Conclusion(FrozenArrays):
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
    first : the two systems that decide in the first world, on its topics
    joint : DataFrame
        The joint test of all worlds, one row per statistic: observed, expected, p; None without exchanges.
        ``"direction"``: how many worlds agree with the majority; ``"significant"``: how many are significant
        that way; ``"median"``: size of the median standardised difference.  See
        :func:`~irviz.multiverse.joint.joint_test`; of several comparisons, of the one that decides, in the direction
        of most worlds, with p of the claim.
    evidence : {"holds", "does not hold", "neither", "too few topics", "too few exchanges"}, or None without exchanges
        What all worlds together say of the claim.
    joint_p : in (0, 1]
        p that the claim holds: three times the smallest of the joint test's, or of a single world its own; 1 where
        most worlds say otherwise, or the topics are too few.
    in_groups : whether topics were drawn and exchanged in groups
    unjudged_topics : mapping of system to int
        Of the compared systems that have no judged document on most topics, on how many; as if identifiers did not fit.
    exchanges : how many exchanges the joint test took
    joint_pair : which of ``claim.pairs`` the row ``"direction"`` of the joint test is about
    band : 2 × worlds; by place in the sorted curve, 95% of the exchanged curves' standardised differences lie between
        Empty for a claim of several comparisons, and without exchanges.
    """

    claim: Claim
    systems: tuple[str, ...]
    worlds: Worlds
    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    decides: NDArray[np.intp]
    first: Contrast
    alpha: float
    trials: int
    seed: int
    joint: pd.DataFrame | None = None
    evidence: Evidence | None = None
    joint_p: float = 1.0
    in_groups: bool = False
    unjudged_topics: Mapping[str, int] = field(default_factory=dict)
    exchanges: int = field(default=0, repr=False)
    joint_pair: int = field(default=0, repr=False)
    band: Floats = field(default_factory=lambda: np.empty((2, 0)), repr=False)

    def __len__(self) -> int:
        return len(self.worlds)

    def _summary(self) -> str:
        holds = int((self.verdict > 0).sum())
        return f"holds in {holds:,} of {number_of(len(self), 'world')}: {self.claim}"

    @property
    def left_out(self) -> Mapping[str, int]:
        """Combinations that are not among the worlds, by reason."""
        return self.worlds.left_out

    @property
    def holds(self) -> float:
        """Share of the worlds in which the claim holds."""
        return float((self.verdict > 0).mean())

    @property
    def holds_significantly(self) -> float:
        """Share of the worlds in which it holds significantly."""
        return float(((self.verdict > 0) & self.significant).mean())

    @property
    def reversed(self) -> float:
        """Share of the worlds in which the opposite holds."""
        return float((self.verdict < 0).mean())

    @property
    def reversed_significantly(self) -> float:
        """Share of the worlds in which the opposite holds significantly."""
        return float(((self.verdict < 0) & self.significant).mean())

    @cached_property
    def attribution(self) -> pd.Series[float]:
        """Share of the variance of `standardised` by choice; see :func:`~irviz.multiverse.influence.attribution`."""
        return attribution(self.worlds, self.standardised)

    def frame(self) -> pd.DataFrame:
        """One row per world: its choices, then difference, standardised, low, high, p, verdict, significant."""
        numbers = {name: getattr(self, name) for name in NUMBERS}
        verdict = np.array(VERDICTS, dtype=object)[self.verdict + 1]
        return self.worlds.frame().assign(**numbers, verdict=verdict, significant=self.significant)

    @property
    def headline(self) -> str:
        """The evidence of all worlds together, in a clause."""
        claim, denial = _claim_words(self.claim)
        return _HEADLINES[self.evidence].format(claim=claim, denial=denial)

    @cached_property
    def facts(self) -> dict[str, str]:
        """Numbers of the headline by label: counts of worlds, p-values, the choice that weighs most, topics."""
        facts = {}
        for label, way in (("holds", 1), ("reversed", -1)):
            those = self.verdict == way
            significant = int((those & self.significant).sum())
            facts[label] = f"{int(those.sum()):,} of {len(self):,}, {significant:,} significant"
        facts["tie"] = f"{int((self.verdict == 0).sum()):,}"
        if self.joint is not None and len(self) > 1:
            p = " / ".join(f"{value:.2g}" for value in self.joint["p"])
            facts["p of the majority / significant / median"] = p
        shares = self.attribution.drop("interactions")
        if len(self) > 1 and np.isfinite(shares).all():
            facts["weighs most"] = f"{DIMENSIONS[str(shares.idxmax())]} ({shares.max():.0%})"
        return facts | {"topics": f"{len(self.topics):,}"}

    def details(self) -> dict[str, str]:
        """The headline and the facts."""
        return {"evidence": self.headline} | self.facts

    @property
    def settings(self) -> dict[str, str]:
        """What a paper says of the claim, the worlds and the tests, by label."""
        used = {
            label: [self.worlds.options[name][code] for code in np.unique(self.worlds.code(name)).tolist()]
            for name, label in DIMENSIONS.items()
        }
        return {
            "claim": str(self.claim),
            "worlds (Steegen et al. 2016)": f"{len(self):,} of {self.worlds.product:,}",
            **{f"left out, {reason}": f"{count:,}" for reason, count in self.left_out.items()},
            **{label: ", ".join(map(str, options)) for label, options in used.items() if options != [AS_GIVEN]},
            "α": f"{self.alpha:g}",
            "trials": f"{self.trials:,}",
            "exchanges of the joint test (Simonsohn et al. 2020)": f"{self.exchanges:,}",
            "seed": str(self.seed),
        }

    @property
    def topics(self) -> pd.Series[float]:
        """The part of each topic in the difference in the first world, largest first."""
        return self.first.adds

    @cached_property
    def fewest_topics(self) -> dict[str, int | None]:
        """Fewest topics without which the first world's ``"significance"``, or its ``"sign"``, is lost."""
        return self.first.fewest()

    def flips(self, current: Mapping[str, Any] | None = None, significantly: bool = False) -> pd.DataFrame:
        """The worlds nearest to `current` with another verdict, fewest changes first.

        Parameters
        ----------
        current : mapping of dimension to option
            Dimensions that are not mentioned are as in the first world.
        significantly : bool, default False
            Count worlds that differ only in significance as well.

        Returns
        -------
        DataFrame
            One row per world: its choices, ``verdict``, ``significant`` and ``changes`` (how many choices differ).  A
            world is left out if some of its changes alone flip the verdict.  The test and its family change no verdict,
            so they count as changes only if `significantly`.
        """
        here = world_at(self.worlds, current or {})
        rows, changed = nearest(self.worlds, self.verdict, self.significant if significantly else None, here)
        frame = self.frame().iloc[rows][[*self.worlds.dimensions, "verdict", "significant"]].reset_index(drop=True)
        return frame.assign(changes=changed.sum(axis=1))


# -- In words ----------------------------------------------------------------------------------


def unjudged_words(r: Conclusion) -> str:
    """Compared systems without a judged document on most topics, with the number of these topics; "" if none."""
    counts = "; ".join(f"{_code(name)} {count:,}" for name, count in r.unjudged_topics.items())
    return f"Topics without a judged document: {counts}. Check identifiers." if counts else ""


def _code(name: str) -> str:
    """A name from files in backticks, so that it is never read as a part of the sentence."""
    return f"`{name.replace('`', chr(39))}`"


_HEADLINES = {
    "holds": "Evidence that {claim}",
    "does not hold": "Evidence that {denial}",
    "neither": "No evidence either way on whether {claim}",
    "too few topics": "Too few topics to tell whether {claim}",
    "too few exchanges": "Too few exchanges to tell whether {claim}",
    None: "Without the joint test it is open whether {claim}",
}  #: by the evidence of a conclusion
_CLAIMS = {
    "pair": ("{} is ahead of {}", "{} is not ahead of {}"),
    "chain": ("the order {} holds", "the order {} does not hold"),
    "best": ("{} is best", "{} is not best"),
    "top": ("{} is among the best {}", "{} is not among the best {}"),
}  #: a claim and its denial, by its kind


def _claim_words(claim: Claim) -> tuple[str, str]:
    """A claim, and its denial."""
    names = [_code(name) for name in claim.names]
    words = {"chain": [" > ".join(names)], "top": [*names, str(claim.spare + 1)]}.get(claim.kind, names)
    says, denies = _CLAIMS[claim.kind]
    return says.format(*words), denies.format(*words)


def deciding_pair(r: Conclusion) -> str:
    """The two systems of the comparison that the joint test is about."""
    return " and ".join(_code(r.systems[i]) for i in r.claim.pairs[r.joint_pair])


# -- Measures × averages ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Grid(FrozenArrays):
    """Measures × averages, everything else being as in one world."""

    measures: tuple[str, ...]
    averages: tuple[str, ...]
    #: measures × averages; NaN where there is no such world
    difference: Floats
    p: Floats
    verdict: NDArray[np.int8]  #: measures × averages; 1, 0, −1
    significant: NDArray[np.bool_]  #: measures × averages
    #: measures × averages: share of all worlds with this measure and average in which the claim holds; NaN if there is
    #: none
    holds: Floats
    #: measures × averages: the row of the world in the conclusion's frame; −1 where there is no such world
    rows: NDArray[np.intp]
    numbers: NDArray[np.intp]  #: measures × averages; the number of that world, 0 if there is none
    others: Mapping[str, str]  #: by average, the test in place of the world's own, which does not test that average


def signed(table: Grid) -> pd.DataFrame:
    """Differences by measure and average as texts, with stars for p < .05, .01 and .001; "" without a world."""
    cells = [
        [
            f"{number:+.3g}{next((mark for limit, mark in STARS if sure and p < limit), '')}" if row >= 0 else ""
            for number, p, sure, row in zip(*line, strict=True)
        ]
        for line in zip(table.difference, table.p, table.significant, table.rows, strict=True)
    ]
    return pd.DataFrame(cells, index=pd.Index(table.measures, name="measure"), columns=list(table.averages))


def grid(r: Conclusion, row: int = 0) -> Grid:
    """Measures × averages, other choices as in `row`; averages that its test does not test have the first that does."""
    codes = r.worlds.codes
    m, a, test = (r.worlds.code(name) for name in ("measure", "average", "test"))
    rest = [i for i, name in enumerate(DIMENSIONS) if name not in ("measure", "average", "test")]
    same = np.flatnonzero((codes[:, rest] == codes[row, rest]).all(axis=1))
    tests = {
        code: min(test[same[a[same] == code]], key=lambda t: (t != test[row], t)) for code in set(a[same].tolist())
    }
    same = same[test[same] == np.array([tests[code] for code in a[same].tolist()], dtype=test.dtype)]
    measures, averages = (tuple(map(str, r.worlds.options[name])) for name in ("measure", "average"))
    rows = np.full((len(measures), len(averages)), -1, dtype=np.intp)
    rows[m[same], a[same]] = same
    there = rows >= 0
    counted, holding = np.zeros((2, *rows.shape))
    np.add.at(counted, (m, a), 1)
    np.add.at(holding, (m, a), r.verdict > 0)
    return Grid(
        measures,
        averages,
        difference=np.where(there, r.difference[rows], np.nan),
        p=np.where(there, r.p[rows], np.nan),
        verdict=np.where(there, r.verdict[rows], np.int8(0)),
        significant=there & r.significant[rows],
        holds=np.divide(holding, counted, out=np.full(rows.shape, np.nan), where=counted > 0),
        rows=rows,
        numbers=np.where(there, r.worlds.numbers[rows], 0),
        others={averages[code]: r.worlds.options["test"][t] for code, t in sorted(tests.items()) if t != test[row]},
    )


JOINT = {
    "direction": "worlds in the direction of the majority",
    "significant": "worlds significant in that direction",
    "median": "size of the median standardised difference",
}  #: the statistics of the joint test, in words
