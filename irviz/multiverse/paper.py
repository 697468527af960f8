"""A conclusion for a paper: a paragraph that states worlds, tests, family and result; and a LaTeX table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from irviz.errors import listed, verb
from irviz.multiverse.decided import Decided
from irviz.multiverse.dimensions import AS_GIVEN, TESTS
from irviz.multiverse.flips import world_at
from irviz.multiverse.grids import Grid, grid, stars
from irviz.multiverse.words import choice_words, sentence

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
    return " ".join((_looked_at(r), _left_out(r), _tested(r), said)).replace("  ", " ")


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


def latex(r: Decided, current: Mapping[str, Any] | None = None) -> str:
    """A table for LaTeX's booktabs: measures × averages, everything else as in `current` or the first world."""
    found = grid(r, world_at(r.worlds, current or {}))
    rows = [_row(found, m) for m in range(len(found.measures))]
    heads = " & ".join(["Measure", *map(escaped, found.averages)])
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_caption(r)}}}",
            rf"\begin{{tabular}}{{l{'r' * len(found.averages)}}}",
            r"\toprule",
            rf"{heads} \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _row(found: Grid, m: int) -> str:
    cells = [escaped(found.measures[m])]
    for a in range(len(found.averages)):
        number = found.difference[m, a]
        mark = stars(float(found.p[m, a]), bool(found.significant[m, a]))
        cells.append("--" if number != number else f"${number:+.4f}$" + (f"$^{{{mark}}}$" if mark else ""))
    return " & ".join(cells) + r" \\"


def _caption(r: Decided) -> str:
    first, second = (escaped(name) for name in r.first.names)
    fixed = ("test", "ties", "unjudged", "missing", "judge", "topics", "depth", "family")
    options = [(name, r.worlds.options[name][r.worlds.code(name)[0]]) for name in fixed]
    others = listed([choice_words(name, option) for name, option in options if option != AS_GIVEN], 20, "and")
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
