"""How the numbers of a page are computed without it: a few lines of Python, and one command.

Pages whose numbers one public function computes have a recipe here; :mod:`irviz.reports.code`
puts the data before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from irviz.explore.incomplete import STEPS
from irviz.summary.aggregate import MEANS
from irviz.workspace.context import Context

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Recipe:
    """How a page's numbers are computed without it.

    Attributes
    ----------
    table : str
        The table of the page that the code gives, as a frame called ``table``.
    python : callable
        The lines after the data and the scores are there.
    command : callable
        The words of the command line, without the data.
    scored : bool
        Whether the lines start from scores ``s``, or from the collection ``c``.
    """

    table: str
    python: Callable[[Context, Values], list[str]]
    command: Callable[[Context, Values], list[str]]
    scored: bool = True


def _eps(context: Context) -> str:
    return "" if context.eps is None else f", eps={context.eps!r}"


def _eps_words(context: Context) -> list[str]:
    own = context.eps is not None and MEANS[context.summary].eps is not None
    return ["--eps", repr(context.eps)] if own else []


def _scores(context: Context, values: Values) -> list[str]:
    call = f"irviz.summarise(s[{values['measure']!r}], {context.summary!r}{_eps(context)})"
    name = f"{context.average} {values['measure']}"
    return [
        f'table = {call}.sort_values(ascending=False, kind="stable")',
        f'table = table.rename({name!r}).rename_axis("system").reset_index()',
    ]


def _scores_words(context: Context, values: Values) -> list[str]:
    return ["score", "--measures", values["measure"], "--summary", context.summary, *_eps_words(context)]


def _similarity(context: Context, values: Values) -> list[str]:
    chosen = f'"overall", {values["coefficient"]!r}, {context.summary!r}{_eps(context)}'
    return [f"table = irviz.similarity(s, {chosen}).frame()"]


def _similarity_words(context: Context, values: Values) -> list[str]:
    words = ["similarity", "--measures", ",".join(context.measures), "--coefficient", values["coefficient"]]
    return [*words, "--summary", context.summary, *_eps_words(context)]


def _consistency(context: Context, values: Values) -> list[str]:
    chosen = f"trials={values['trials']}, split={values['split']!r}, summary={context.summary!r}{_eps(context)}"
    drawn = f"coefficient={values['coefficient']!r}, seed={values['seed']}"
    return [f"table = irviz.consistency(s, {chosen}, {drawn}).frame({values['alpha']!r})"]


def _consistency_words(context: Context, values: Values) -> list[str]:
    words = ["consistency", "--measures", ",".join(context.measures), "--trials", str(values["trials"])]
    words += ["--split", values["split"], "--summary", context.summary, *_eps_words(context)]
    words += ["--coefficient", values["coefficient"], "--seed", str(values["seed"]), "--alpha", repr(values["alpha"])]
    return words


def _discriminative(context: Context, values: Values) -> list[str]:
    chosen = f"{values['method']!r}, trials={values['trials']}, alpha={values['alpha']!r}, seed={values['seed']}"
    return [
        "import pandas as pd",
        "",
        "rows = []",
        "for name in s.measures:",
        f"    r = irviz.significance(s[name], {chosen}, order=s.order(name))",
        '    rows.append({"measure": name, "significant": r.significant, "pairs": r.pairs})',
        "table = pd.DataFrame(rows)",
    ]


def _discriminative_words(context: Context, values: Values) -> list[str]:
    words = ["significance", "--measures", ",".join(context.measures), "--test", values["method"]]
    return [*words, "--trials", str(values["trials"]), "--alpha", repr(values["alpha"]), "--seed", str(values["seed"])]


def _incomplete(context: Context, values: Values) -> list[str]:
    rates = tuple(STEPS[values["rates"]][1])
    chosen = f"{values['method']!r}, repeats={values['repeats']}, seed={values['seed']}"
    average = f"summary={context.summary!r}{_eps(context)}"
    measures = repr(list(context.measures))
    return [f"table = irviz.pool_reduction(c, {measures}, {rates!r}, {chosen}, {average}).frame()"]


def _incomplete_words(context: Context, values: Values) -> list[str]:
    rates = ",".join(repr(float(rate)) for rate in STEPS[values["rates"]][1])
    words = ["pool-reduction", "--measures", ",".join(context.measures), "--rates", rates]
    words += ["--method", values["method"], "--repeats", str(values["repeats"]), "--seed", str(values["seed"])]
    return [*words, "--summary", context.summary, *_eps_words(context)]


RECIPES = {
    "scores": Recipe("Systems", _scores, _scores_words),
    "similarity": Recipe("Overall", _similarity, _similarity_words),
    "consistency": Recipe("Measures", _consistency, _consistency_words),
    "discriminative": Recipe("Measures", _discriminative, _discriminative_words),
    "incomplete": Recipe("Repeats", _incomplete, _incomplete_words, scored=False),
}  #: by page
