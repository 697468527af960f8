"""A conclusion: numbers and verdict of every world, all of them in one sentence, words and a table for a paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.display import tex, tex_table
from irviz.errors import join_words, number_of, verb
from irviz.multiverse.claims import Claim
from irviz.multiverse.dimensions import AS_GIVEN, DIMENSIONS, TESTS, choice_words
from irviz.multiverse.influence import Contrast, attribution, nearest, world_at
from irviz.multiverse.worlds import Worlds
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
        :func:`~irviz.multiverse.joint.joint_test`; of a claim of several comparisons, that of the largest p.
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
    def attribution(self) -> pd.Series:
        """Share of the variance of `standardised` by choice; see :func:`~irviz.multiverse.influence.attribution`."""
        return attribution(self.worlds, self.standardised)

    def frame(self) -> pd.DataFrame:
        """One row per world: its choices, then difference, standardised, low, high, p, verdict, significant."""
        numbers = {name: getattr(self, name) for name in NUMBERS}
        verdict = np.array(VERDICTS, dtype=object)[self.verdict + 1]
        return self.worlds.frame().assign(**numbers, verdict=verdict, significant=self.significant)

    @cached_property
    def sentence(self) -> str:
        """In how many worlds the claim holds, and significantly; where it does not hold; and what decides."""
        return " ".join(self.sentences)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The parts of `sentence`."""
        holds, reverse, ties = (self.verdict == verdict for verdict in (1, -1, 0))
        claims, opposite, tie = _phrases(self)
        tested = self.joint is not None and len(self) > 1 and not ties.all()
        parts = [] if tested else [f"{claims} {_combinations_clause(holds)}{_significance_clause(self, holds)}"]
        lead = f"{_lead_clause(self, holds, claims)}; {joint_words(self)}." if tested else ""
        if tested and self.claim.kind == "pair" and reverse.sum() > holds.sum():
            other = f"{opposite} under {_count(reverse)}{_significance_clause(self, reverse)}"
            lead = f"{_lead_clause(self, holds, claims)}, {other}; {joint_words(self)}."
        elif reverse.any():
            parts.append(f"{opposite} under {_count(reverse)}{_significance_clause(self, reverse)}")
        if ties.any():
            parts.append(f"{tie} under {_count(ties)}")
        rest = "; ".join(parts)
        often = _most_often(self, reverse, opposite)
        rest = " ".join(filter(None, (f"{rest[:1].upper()}{rest[1:]}." if rest else "", often)))
        return tuple(filter(None, (lead, rest, _decides(self), unjudged_words(self))))

    @cached_property
    def paragraph(self) -> str:
        """Worlds, tests, family and result, as a paper states them."""
        result = self.sentence.replace("`", "")
        parts = (_worlds_sentence(self), _left_out_sentence(self), _tests_sentence(self), result, _joint_sentence(self))
        return " ".join(parts).replace("  ", " ").strip()

    def latex(self, current: Mapping[str, Any] | None = None) -> str:
        """Measures × averages as a table for LaTeX; all other choices as in `current`, or in the first world."""
        cells = grid(self, world_at(self.worlds, current or {}))
        heads = ["Measure", *map(tex, cells.averages)]
        rows = [_row(cells, m) for m in range(len(cells.measures))]
        return "\n".join([*tex_table(_caption(self, cells), heads, rows), *_joint_table(self)])

    @property
    def topics(self) -> pd.Series:
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
            One row per world: its choices, ``verdict``, ``significant``, ``changes`` (how many choices
            differ) and ``sentence``.  A world is left out if some of its changes alone flip the
            verdict.  The test and its family change no verdict, so they count as changes
            only if `significantly`.
        """
        here = world_at(self.worlds, current or {})
        rows, changed = nearest(self.worlds, self.verdict, self.significant if significantly else None, here)
        frame = self.frame().iloc[rows][[*DIMENSIONS, "verdict", "significant"]].reset_index(drop=True)
        sentences = [
            _flip(self, row, differs, significantly) for row, differs in zip(rows.tolist(), changed, strict=True)
        ]
        return frame.assign(changes=changed.sum(axis=1), sentence=pd.Series(sentences, dtype=object))


# -- One world in words ----------------------------------------------------------------------


def verdict_words(r: Conclusion, row: int) -> str:
    """The claim's verdict in one world, as a sentence."""
    a, b = (_code(r.systems[i]) for i in r.claim.pairs[r.decides[row]])
    verdict = int(r.verdict[row]) + 1
    if r.claim.kind in ("best", "top"):
        place = _place(r)
        return (
            f"{a} is not {place}: {b} is ahead",
            f"{a} and {b} tie for being {place}",
            f"{a} is {place}, ahead of {b}",
        )[verdict]
    order = (f"{b} is ahead of {a}", f"{a} and {b} tie", f"{a} is ahead of {b}")[verdict]
    if r.claim.kind == "pair":
        return order
    return f"the order {'holds' if verdict == 2 else 'does not hold'}: {order}"


def unjudged_words(r: Conclusion) -> str:
    """Which compared systems have no judged document on most topics; empty if none."""
    counts = [f"{_code(name)} {count:,}" for name, count in r.unjudged_topics.items()]
    return f"Topics without a judged document: {join_words(counts, joiner='and')}. Check identifiers." if counts else ""


def _place(r: Conclusion) -> str:
    return "best" if r.claim.kind == "best" else f"among the best {r.claim.spare + 1}"


def surely_words(r: Conclusion, row: int) -> str:
    """Words in parentheses: whether the verdict of one world is significant."""
    return f"({'significantly' if r.significant[row] else 'not significantly'}, p = {r.p[row]:.3g})"


def _code(name: str) -> str:
    """A name from files in backticks, so that it is never read as a part of the sentence."""
    return f"`{name.replace('`', chr(39))}`"


def _flip(r: Conclusion, row: int, change_mask: NDArray[np.bool_], significantly: bool) -> str:
    names = [name for name, differs in zip(DIMENSIONS, change_mask, strict=True) if differs]
    options = [r.worlds.options[name][r.worlds.code(name)[row]] for name in names]
    changes = join_words([choice_words(name, option) for name, option in zip(names, options, strict=True)], 10, "and")
    surely = f" {surely_words(r, row)}" if significantly else ""
    return f"With {changes}, {verdict_words(r, row)}{surely}."


# -- All worlds in one sentence ----------------------------------------------------------------------


def _lead_clause(r: Conclusion, holds: NDArray[np.bool_], claims: str) -> str:
    """The first half of the leading sentence: a count of combinations."""
    claim = claims if claims.startswith("`") else claims[:1].lower() + claims[1:]
    sure = holds & r.significant
    surely = f" (significantly under {'all' if sure.all() else _count(sure) if sure.any() else 'none'})"
    return f"Under {_many(holds)} {len(r):,} combinations of choices {claim}{surely if holds.any() else ''}"


def joint_words(r: Conclusion) -> str:
    """The joint test as a clause; evidence is three times the smallest of its three p-values below alpha."""
    assert r.joint is not None
    p = r.joint["p"]
    several = len(r.claim.pairs) > 1
    if several:
        a, b = (_code(r.systems[i]) for i in r.claim.pairs[r.joint_pair])
        most = int(r.joint.loc["direction", "observed"])
        start = (
            f"the joint test of its {len(r.claim.pairs)} comparisons has p = {p['direction']:.2g} for the majority, "
            f"decided by {a} with {b} (one is ahead under {most:,})"
        )
    else:
        start = f"two equal systems reach such a majority in {_percent(p['direction'])} of exchanges"
    if p.min() >= r.alpha:
        return f"{start}: no evidence"
    also, least = "", str(p.idxmin())
    if least != "direction":
        share = f"p = {p[least]:.2g} for {{}}" if several else f"{{}} in only {_percent(p[least])}"
        also = f", but {share.format(_EXTREMES[least])}"
    weak = "evidence of a difference" if evidence(r) else "weak evidence, being the smallest p of three"
    return f"{start}{also}: {weak}"


_EXTREMES = {"significant": "as many significant differences", "median": "as large a median difference"}


def evidence(r: Conclusion) -> bool | None:
    """True if the joint test, by its three p-values together (Bonferroni), is below alpha; None without it."""
    return None if r.joint is None else bool(len(r.joint) * r.joint["p"].min() < r.alpha)


def deciding_comparison(r: Conclusion) -> str:
    """Which comparison the joint test of a claim shows, if the claim has several; a clause."""
    spare = r.claim.spare
    if len(r.claim.pairs) == 1:
        return ""
    largest = "for each statistic, the comparison with the largest p"
    return f"{largest} after the {number_of(spare, 'larger one')}, and {spare + 1} times this p" if spare else largest


def _percent(p: float) -> str:
    """A share of exchanges.

    >>> _percent(0.523), _percent(0.002)
    ('52%', '0.2%')
    """
    return f"{p:.0%}" if p >= 0.1 else f"{p:.1%}"


def _phrases(r: Conclusion) -> tuple[str, str, str]:
    names = [_code(name) for name in r.claim.names]
    if r.claim.kind == "pair":
        return f"{names[0]} is ahead of {names[1]}", f"{names[1]} is ahead", "they tie"
    if r.claim.kind == "chain":
        return f"The order {' > '.join(names)} holds", "it does not", "two of them tie"
    return f"{names[0]} is {_place(r)}", "it falls short", "it ties for that place"


def _count(some: NDArray[np.bool_]) -> str:
    return f"{int(some.sum()):,}"


def _combinations_clause(some: NDArray[np.bool_]) -> str:
    if len(some) == 1:
        return "under the only combination of choices" if some.all() else "under none: there is only one combination"
    return f"under {_many(some)} {len(some):,} combinations of choices"


def _many(some: NDArray[np.bool_]) -> str:
    return "all" if some.all() else f"{_count(some)} of" if some.any() else "none of"


def _significance_clause(r: Conclusion, some: NDArray[np.bool_]) -> str:
    if not some.any():
        return ""
    sure = some & r.significant
    if some.sum() == 1:
        return ", significantly" if sure.any() else ", not significantly"
    many = "all of them" if (sure == some).all() else _count(sure) if sure.any() else "none"
    return f", significantly under {many}"


def _most_often(r: Conclusion, some: NDArray[np.bool_], says: str) -> str:
    """The choices under which the largest share of worlds says so, where choices differ in that; a sentence."""
    shares = {
        (name, int(code)): float(some[codes == code].mean())
        for name in r.worlds.varying
        for codes in [r.worlds.code(name)]
        for code in np.unique(codes)
    }
    top = max(shares.values(), default=0.0)
    if not some.any() or top <= some.mean() + _SHARE_TOLERANCE:
        return ""
    best = [
        choice_words(name, r.worlds.options[name][code])
        for (name, code), x in shares.items()
        if x >= top - _SHARE_TOLERANCE
    ]
    how = "always" if top == 1 else "most often"
    named = join_words(best, joiner="and") if len(best) <= _MOST_NAMED else f"{len(best)} choices, such as {best[0]}"
    return f"{says[:1].upper()}{says[1:]} {how} with {'each of ' if len(best) > _MOST_NAMED else ''}{named}."


def _decides(r: Conclusion) -> str:
    shares = r.attribution
    if len(r) < 2 or not np.isfinite(shares.iloc[0]):
        return ""
    single, combined = shares.drop("interactions"), float(shares["interactions"])
    top = float(single.max())
    names = join_words([_NOUNS[str(name)] for name in single.index[single >= top - _SHARE_TOLERANCE]], joiner="and")
    if top >= combined:
        return f"The size of the difference depends most on {names} ({top:.0%} of its variance)."
    weighs = "weigh" if (single >= top - _SHARE_TOLERANCE).sum() > 1 else "weighs"
    return (
        f"No single choice decides the size of the difference: {combined:.0%} of its variance is how choices combine; "
        f"of single choices {names} {weighs} most ({top:.0%})."
    )


_SHARE_TOLERANCE = 1e-9  #: shares that differ by no more are equal
_MOST_NAMED = 3  #: choices that tie and are all named
_NOUNS = {
    "measure": "the measure",
    "average": "the average over topics",
    "ties": "the tie rule",
    "unjudged": "the treatment of unjudged documents",
    "missing": "the treatment of missing topics",
    "judge": "the choice of the judge",
    "topics": "the choice of topics",
    "depth": "the ranking depth",
    "steps": "the steps between values",
}


# -- Measures × averages ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Grid(FrozenArrays):
    """Measures × averages, everything else being as in one world.

    Attributes
    ----------
    measures, averages : tuple of str
    difference, p : measures × averages; NaN where there is no such world
    verdict : measures × averages; 1, 0, −1
    significant : measures × averages
    holds : measures × averages
        Share of all worlds with this measure and average in which the claim holds; NaN if there is none.
    rows : measures × averages
        The row of the world in the conclusion's frame; −1 where there is no such world.
    numbers : measures × averages; the number of that world, 0 if there is none
    others : by average, the test in place of the world's own, which does not test that average
    """

    measures: tuple[str, ...]
    averages: tuple[str, ...]
    difference: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    holds: Floats
    rows: NDArray[np.intp]
    numbers: NDArray[np.intp]
    others: Mapping[str, str]

    def signs(self) -> pd.DataFrame:
        """``+``, ``=`` or ``−``, with stars for p < .05, .01 and .001; empty where there is no such world."""
        cells = pd.DataFrame("", index=list(self.measures), columns=list(self.averages), dtype=object)
        for cell in zip(*np.nonzero(self.rows >= 0), strict=True):
            cells.iloc[cell] = SIGNS[int(self.verdict[cell])] + stars(self.p[cell], self.significant[cell])
        return cells


def stars(p: float, significant: bool) -> str:
    """Stars of a significant difference by its p.

    >>> stars(0.004, True), stars(0.004, False), stars(0.2, True)
    ('**', '', '')
    """
    return next((mark for limit, mark in STARS if p < limit), "") if significant else ""


def grid(r: Conclusion, row: int = 0) -> Grid:
    """Measures × averages; all other choices are those of the world in `row`.

    An average that its test does not test is shown with the first test that does.
    """
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


# -- For a paper ----------------------------------------------------------------------

_DRAWING = ("bootstrap", "randomisation")
_PLURALS = {
    "measure": "measures",
    "average": "averages over topics",
    "ties": "tie rules",
    "unjudged": "treatments of unjudged documents",
    "missing": "treatments of topics that a run lacks",
    "judge": "sets of judgments",
    "topics": "sets of topics",
    "depth": "depths",
    "steps": "kinds of steps between values",
}


def _worlds_sentence(r: Conclusion) -> str:
    """The claim, the worlds and the choices they are made of."""
    w = r.worlds
    varying = [name for name in _PLURALS if name in w.varying]
    parts = [
        f"{len(used)} {_PLURALS[name]} ({join_words(used, 30, 'and')})"
        for name in varying
        for used in [_used_options(r, name)]
    ]
    of = f": {join_words(parts, 20, 'and')}" if parts else ""
    sampling = f", drawn at random (seed {w.seed}) from {w.sensible:,}" if w.drawn else ""
    many = f"{len(r):,} combinations of choices" if len(r) != 1 else "one combination of choices"
    what = f" (worlds of a multiverse analysis; Steegen et al. 2016){sampling}{of}"
    return f"We looked at the claim “{r.claim}” under {many}{what}."


def _used_options(r: Conclusion, name: str) -> list[str]:
    """The options of a dimension that some world takes, in words."""
    taken = set(r.worlds.code(name).tolist())
    return [choice_words(name, option) for code, option in enumerate(r.worlds.options[name]) if code in taken]


def _left_out_sentence(r: Conclusion) -> str:
    if not r.left_out:
        return ""
    reasons = join_words([f"{reason} ({count:,})" for reason, count in r.left_out.items()], 20, "and")
    many = sum(r.left_out.values())
    return f"Left out {verb(many, 'was', 'were')} {many:,} of {r.worlds.product:,} combinations: {reasons}."


def _tests_sentence(r: Conclusion) -> str:
    """Tests, alpha and families."""
    tests = [option for option in r.worlds.options["test"] if choice_words("test", option) in _used_options(r, "test")]
    trials = f"; {r.trials:,} trials, seed {r.seed}" if any(test in _DRAWING for test in tests) else ""
    families = join_words(_used_options(r, "family"), joiner="and")
    words = join_words([f"the {TESTS[test]}" for test in tests], 10, "and")
    return f"Differences were tested by {words} (α = {r.alpha:g}{trials}), with {families}."


def _joint_sentence(r: Conclusion) -> str:
    """How the joint test was made, and its three results."""
    if r.joint is None:
        return ""
    results = [
        f"{name} {seen} (median of the exchanges {usual}, p = {p})" for name, seen, usual, p in _joint_rows(r.joint)
    ]
    several = f", {deciding_comparison(r)}" if len(r.claim.pairs) > 1 else ""
    return (
        f"All worlds were tested jointly (Simonsohn et al. 2020) by exchanging the two systems on random topics, in "
        f"all worlds at once ({r.exchanges:,} exchanges, seed {r.seed}){several}: {join_words(results, 3, 'and')}."
    )


JOINT = {
    "direction": "worlds in the direction of the majority",
    "significant": "worlds significant in that direction",
    "median": "size of the median standardised difference",
}  #: the statistics of the joint test, in words


def _joint_rows(joint: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    """By statistic of the joint test: its name in words, what was observed, the median of the exchanges, and p."""
    numbers = zip(joint.index, joint["observed"], joint["expected"], joint["p"], strict=True)
    return [(JOINT[name], _number(seen), _number(usual), f"{p:.3g}") for name, seen, usual, p in numbers]


def _number(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) and abs(number) >= 1 else f"{number:.3g}"


def _joint_table(r: Conclusion) -> list[str]:
    """The joint test of all worlds as a second table."""
    if r.joint is None:
        return []
    rows = [[name.capitalize(), *numbers] for name, *numbers in _joint_rows(r.joint)]
    of = f" Shown is, {deciding_comparison(r)}." if len(r.claim.pairs) > 1 else ""
    caption = (
        f"Joint test of {len(r):,} worlds against {r.exchanges:,} exchanges of the systems on random topics "
        f"(Simonsohn et al. 2020; seed {r.seed}).{of}"
    )
    return ["", *tex_table(caption, ["Statistic", "Observed", "Median of exchanges", "$p$"], rows)]


def with_digits(number: float) -> str:
    r"""A difference with the digits it needs: four decimals, or the first two digits that are not 0.

    >>> with_digits(0.1234567), with_digits(-0.0000019), with_digits(0.0), with_digits(3e-12)
    ('+0.1235', '-0.0000019', '0', '+3.0\\times10^{-12}')
    """
    if number == 0 or abs(number) >= 0.001:
        return f"{number:+.4f}" if number else "0"
    if abs(number) < 1e-9:
        digits, exponent = f"{number:+.1e}".split("e")
        return rf"{digits}\times10^{{{int(exponent)}}}"
    return f"{number:+.{1 - floor(log10(abs(number)))}f}"


def _row(table: Grid, m: int) -> list[str]:
    cells = [tex(table.measures[m])]
    for a in range(len(table.averages)):
        number = table.difference[m, a]
        mark = stars(table.p[m, a], table.significant[m, a])
        cells.append("--" if number != number else f"${with_digits(number)}$" + (f"$^{{{mark}}}$" if mark else ""))
    return cells


def _caption(r: Conclusion, table: Grid) -> str:
    first, second = (tex(name) for name in r.first.names)
    fixed = ("test", "ties", "unjudged", "missing", "judge", "topics", "depth", "family", "steps")
    options = [(name, r.worlds.options[name][r.worlds.code(name)[0]]) for name in fixed]
    options = [(name, option) for name, option in options if option not in (AS_GIVEN, "as_it_is")]
    instead = [f"the {TESTS[test]} for {choice_words('average', name)}" for name, test in table.others.items()]
    others = join_words([choice_words(name, option) for name, option in options], 20, "and")
    others += f" ({join_words(instead, 10, 'and')})" if instead else ""
    return (
        f"Average of {first} minus average of {second} on {len(r.first.topics):,} topics, with {tex(others)}. "
        r"$^{*}$~$p < .05$, $^{**}$~$p < .01$, $^{***}$~$p < .001$. "
        + "".join(rf"\texttt{{{tex(part)}}}" if i % 2 else tex(part) for i, part in enumerate(r.sentence.split("`")))
    )
