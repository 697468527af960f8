"""A conclusion for a paper: a paragraph that states worlds, tests, family and result; and a LaTeX table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import floor, log10
from typing import Any

from irviz.conclusions.choices.dimensions import AS_GIVEN, TESTS
from irviz.conclusions.decided import Decided
from irviz.conclusions.flips import world_at
from irviz.conclusions.telling.grids import Grid, grid, stars
from irviz.conclusions.telling.words import choice_words, sentence
from irviz.errors import listed, verb

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
}
_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "−": "$-$",
        "<": "$<$",
        ">": "$>$",
    }
)


def paragraph(r: Decided) -> str:
    """What was done and what came of it, for a paper."""
    said = sentence(r).replace("`", "")
    return " ".join((_looked_at(r), _left_out(r), _tested(r), said, _jointly(r))).replace("  ", " ").strip()


def _looked_at(r: Decided) -> str:
    """The claim, the worlds and the choices they are made of."""
    w = r.worlds
    varying = [name for name in _PLURALS if name in w.varying]
    parts = [
        f"{len(used)} {_PLURALS[name]} ({listed(used, 30, 'and')})" for name in varying for used in [_used(r, name)]
    ]
    of = f": the combinations of {listed(parts, 20, 'and')}" if parts else ""
    drawn = f", drawn at random (seed {w.seed}) from {w.sensible:,}" if w.drawn else ""
    many = f"{len(r):,} worlds" if len(r) != 1 else "one world"
    return f"We looked at the claim “{r.claim}” in {many}{drawn} (a multiverse analysis; Steegen et al. 2016){of}."


def _used(r: Decided, name: str) -> list[str]:
    """The options of a dimension that some world takes, in words."""
    taken = set(r.worlds.code(name).tolist())
    return [choice_words(name, option) for code, option in enumerate(r.worlds.options[name]) if code in taken]


def _left_out(r: Decided) -> str:
    if not r.left_out:
        return ""
    reasons = listed([f"{reason} ({count:,})" for reason, count in r.left_out.items()], 20, "and")
    many = sum(r.left_out.values())
    return f"Left out {verb(many, 'was', 'were')} {many:,} of {r.worlds.product:,} combinations: {reasons}."


def _tested(r: Decided) -> str:
    """Tests, alpha and families."""
    tests = [option for option in r.worlds.options["test"] if choice_words("test", option) in _used(r, "test")]
    drawn = f"; {r.trials:,} trials, seed {r.seed}" if any(test in _DRAWING for test in tests) else ""
    families = listed(_used(r, "family"), joiner="and")
    words = listed([f"the {TESTS[test]}" for test in tests], 10, "and")
    return f"Differences were tested by {words} (α = {r.alpha:g}{drawn}), with {families}."


def _jointly(r: Decided) -> str:
    """How the joint test was made, and its three results."""
    if r.joint is None or r.null is None:
        return ""
    results = [
        f"{JOINT[str(name)]} {_number(row['observed'])} (median of the exchanges {_number(row['expected'])}, "
        f"p = {row['p']:.3f})"
        for name, row in r.joint.iterrows()
    ]
    several = "" if len(r.claim.pairs) == 1 else ", for the comparison with the largest p"
    return (
        f"All worlds were tested jointly (Simonsohn et al. 2020) by exchanging the two systems on random topics, in "
        f"all worlds at once ({r.null.exchanges:,} exchanges, seed {r.seed}){several}: {listed(results, 3, 'and')}."
    )


JOINT = {
    "direction": "worlds in the direction of the majority",
    "significant": "worlds significant in that direction",
    "median": "size of the median standardised difference",
}  #: the statistics of the joint test, in words


def _number(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) and abs(number) >= 1 else f"{number:.3g}"


def latex(r: Decided, current: Mapping[str, Any] | None = None) -> str:
    """A table for LaTeX's booktabs: measures × averages, everything else as in `current` or the first world."""
    found = grid(r, world_at(r.worlds, current or {}))
    rows = [_row(found, m) for m in range(len(found.measures))]
    heads = " & ".join(["Measure", *map(escaped, found.averages)])
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_caption(r, found)}}}",
            rf"\begin{{tabular}}{{l{'r' * len(found.averages)}}}",
            r"\toprule",
            rf"{heads} \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            *_joint_table(r),
        ]
    )


def _joint_table(r: Decided) -> list[str]:
    """The joint test of all worlds as a second table."""
    if r.joint is None or r.null is None:
        return []
    rows = [
        f"{JOINT[str(name)].capitalize()} & {_number(row['observed'])} & {_number(row['expected'])} & {row['p']:.3f}"
        r" \\"
        for name, row in r.joint.iterrows()
    ]
    of = "" if len(r.claim.pairs) == 1 else " For each statistic, the comparison with the largest $p$."
    return [
        "",
        r"\begin{table}",
        rf"\caption{{Joint test of {len(r):,} worlds against {r.null.exchanges:,} exchanges of the systems on random "
        rf"topics (Simonsohn et al. 2020; seed {r.seed}).{of}}}",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"Statistic & Observed & Median of exchanges & $p$ \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


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


def _row(found: Grid, m: int) -> str:
    cells = [escaped(found.measures[m])]
    for a in range(len(found.averages)):
        number = found.difference[m, a]
        mark = stars(float(found.p[m, a]), bool(found.significant[m, a]))
        cells.append("--" if number != number else f"${with_digits(number)}$" + (f"$^{{{mark}}}$" if mark else ""))
    return " & ".join(cells) + r" \\"


def _caption(r: Decided, found: Grid) -> str:
    first, second = (escaped(name) for name in r.first.names)
    fixed = ("test", "ties", "unjudged", "missing", "judge", "topics", "depth", "family")
    options = [(name, r.worlds.options[name][r.worlds.code(name)[0]]) for name in fixed]
    instead = [f"the {TESTS[test]} for {choice_words('average', name)}" for name, test in found.others.items()]
    others = listed([choice_words(name, option) for name, option in options if option != AS_GIVEN], 20, "and")
    others += f" ({listed(instead, 10, 'and')})" if instead else ""
    return (
        f"Average of {first} minus average of {second} on {len(r.first.topics)} topics, with {escaped(others)}. "
        r"$^{*}$~$p < .05$, $^{**}$~$p < .01$, $^{***}$~$p < .001$. "
        + re.sub("`([^`]*)`", r"\\texttt{\1}", escaped(sentence(r)))
    )


def escaped(text: str) -> str:
    r"""Text as LaTeX prints it.

    >>> print(escaped("a_b & 5%"))
    a\_b \& 5\%
    """
    return text.translate(_SPECIAL)
