"""Analyses as values: functions of the library with what a page, a link, a snippet and a command need of them.

The signature of the function declares what can be chosen, its default and its order; the controls say how a page
offers it.  Nothing here imports a page or plotly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import pandas as pd

from irviz.multiverse.against import compare
from irviz.multiverse.dimensions import FAMILIES, OPTION_NAMES, PAIRED_TESTS, TESTS
from irviz.multiverse.equal_steps import equal_steps
from irviz.multiverse.groups import by_group
from irviz.multiverse.power import power
from irviz.multiverse.verdicts import TABLES, conclusion
from irviz.multiverse.worlds import worlds
from irviz.stats.aggregate import summarise
from irviz.stats.consistency import SPLITS, consistency
from irviz.stats.incompleteness import REDUCTIONS, pool_reduction
from irviz.stats.judges import judges
from irviz.stats.leaderboard import leaderboard
from irviz.stats.prediction_powered import prediction_powered
from irviz.stats.scales import scale_type
from irviz.stats.significance import METHODS, discriminative_power, significance
from irviz.stats.similarity import similarity
from irviz.stats.sweep import sweep
from irviz.stats.users import preferences, satisfaction, satisfaction_by_score
from irviz.workspace.control import Choice, Control
from irviz.workspace.controls import ALPHA, COEFFICIENT, SEED, repeats, trials

if TYPE_CHECKING:
    from irviz.workspace.context import Context

Values = Mapping[str, Any]
Given = Callable[["Context", Values], dict[str, Any]]
_DATA = {"Collection", "Scores", "ScoreMatrix", "Satisfaction", "Preferences", "Worlds", "pd.DataFrame"}  #: types


def _frame(result: Any, *how: Any) -> pd.DataFrame:
    table: pd.DataFrame = result if isinstance(result, pd.DataFrame) else result.frame(*how)
    return table


@dataclass(frozen=True)
class Part:
    """A table of a result that a command prints; of another function of the same arguments where `function` is one."""

    of: Callable[..., pd.DataFrame] = _frame
    function: Callable[..., Any] | None = None


@dataclass(frozen=True)
class Analysis:
    """A public function of the library as pages and the command line offer it."""

    name: str  #: its command
    #: of a collection, of scores, or of either; one of a single measure has the rows of all in its command
    function: Callable[..., Any]
    controls: tuple[Control, ...] = ()  #: what a page offers of its arguments, in the order of the page
    frame: tuple[str, ...] = ()  #: arguments of the ``frame`` of its result, which controls offer as well
    #: by argument: options of the command, where they are not called after it
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leaves_out: tuple[str, ...] = ()  #: arguments that the command does not have
    #: by name, the usual one first: what the command can print, where that is not the ``frame`` alone
    parts: Mapping[str, Part] = field(default_factory=dict)
    #: a function whose arguments are options, too, and whose result is the argument ``worlds``
    worlds: Callable[..., Any] | None = None
    data: str = ""  #: the type of its data, where the command opens one of several

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters of the function in its order, without data and measures."""
        return parameters_of(self.function, self.leaves_out)

    @cached_property
    def choices(self) -> dict[str, Parameter]:
        """Parameters of `worlds`, without those of the function."""
        return {} if self.worlds is None else parameters_of(self.worlds, (*self.leaves_out, *self.parameters))

    @cached_property
    def needs(self) -> str:
        """The types of its data, such as ``Collection | Scores``; ``ScoreMatrix`` is the scores of one measure."""
        return self.data or str(next(iter(signature(self.function).parameters.values())).annotation)

    @property
    def has_measures(self) -> bool:
        """True if its measures are chosen; False if an expression makes them."""
        return "expression" not in self.parameters

    @property
    def positional(self) -> list[str]:
        """Texts that it takes beside its data, such as a claim."""
        texts, usual = ("str", "str | None"), (Parameter.empty, None)
        return [name for name, one in self.parameters.items() if one.annotation in texts and one.default in usual]

    def arguments(self, context: Context, values: Values) -> dict[str, Any]:
        """Arguments of the function from the controls of a page and the sidebar's average over topics."""
        known = {one.name: values[one.name] for one in self.controls} | {"summary": context.summary}
        known |= {} if context.eps is None else {"eps": context.eps}
        return {name: known[name] for name in self.parameters if name in known}

    def options(self, name: str) -> tuple[str, ...]:
        """The options of the command for an argument."""
        return self.flags.get(name, (f"--{name}",))


def parameters_of(function: Callable[..., Any], unseen: tuple[str, ...] = ()) -> dict[str, Parameter]:
    """Parameters of a function by name, without data, measures, private ones and those `unseen`."""
    unseen = ("measures", "measure", "progress", *unseen)
    return {
        name: one
        for name, one in signature(function).parameters.items()
        if name not in unseen
        and not name.startswith("_")
        and one.kind is not Parameter.VAR_POSITIONAL
        and _DATA.isdisjoint(str(one.annotation).split(" | "))
    }


@dataclass(frozen=True)
class Snippet:
    """How the numbers of a page are computed without it: a few lines of Python, and one command."""

    analysis: Analysis
    table: str  #: the table of the page that the lines leave as ``table``
    given: Given = lambda context, values: {}  #: arguments that are no controls: of the function, and of its ``worlds``
    part: str = ""  #: what the command prints, if not the usual part

    @property
    def uses_scores(self) -> bool:
        """True if the lines start from scores ``s``, False if from the collection ``c``."""
        return "Collection" not in self.analysis.needs

    def known(self, context: Context, values: Values) -> dict[str, Any]:
        """Arguments by name: measures, those of `worlds`, those of the function."""
        known = {"measures": list(context.measures)} | self.analysis.arguments(context, values)
        known |= self.given(context, values)
        names = ("measures", *self.analysis.choices, *self.analysis.parameters)
        return {name: known[name] for name in names if name in known}

    def python(self, context: Context, values: Values) -> list[str]:
        """The lines after the data and the scores are there."""
        known, data = self.known(context, values), "s" if self.uses_scores else "c"
        function = self.analysis.parts[self.part].function if self.part else None
        function = function or self.analysis.function
        worlds, lines = self.analysis.worlds, []
        if worlds is not None:
            lines = [f"w = {_call(worlds, data, known)}"]
            known |= {"worlds": _Name("w")}
        frame = f".frame({', '.join(repr(values[name]) for name in self.analysis.frame)})"
        returns_table = signature(function).return_annotation in ("pd.DataFrame", "FloatSeries")
        return [*lines, f"table = {_call(function, data, known)}{'' if returns_table else frame}"]

    def command(self, context: Context, values: Values) -> list[str]:
        """The words of the command line, without the data."""
        known = self.known(context, values) | {name: values[name] for name in self.analysis.frame}
        words = [self.analysis.name, *map(known.pop, self.analysis.positional)]
        if not self.analysis.has_measures:
            known.pop("measures")
        for name, value in known.items():
            text = ",".join(map(_text, value)) if isinstance(value, list | tuple) else _text(value)
            words += [self.analysis.options(name)[-1], text]
        return [*words, "--part", self.part] if self.part else words


class _Name(str):
    """The name of a variable, written without quotes."""

    __repr__ = str.__str__


def _call(function: Callable[..., Any], data: str, known: Values) -> str:
    """A call of a public function with those of the known arguments that it has."""
    words = [data]
    for name, one in signature(function).parameters.items():
        if name in known:
            value = repr(known[name])
            words.append(value if one.kind is Parameter.POSITIONAL_OR_KEYWORD else f"{name}={value}")
    return f"irviz.{function.__name__}({', '.join(words)})"


def _text(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


# -- Declarations ----------------------------------------------------------------------------------

_METHOD = ("--method", "--test")
SIMILARITY = Analysis(
    "similarity",
    similarity,
    (COEFFICIENT,),
    parts={"pairs": Part(), "matrix": Part(lambda r: r.matrix().rename_axis("measure").reset_index())},
)
CONSISTENCY = Analysis(
    "consistency",
    consistency,
    (
        Choice(
            name="split",
            label="Split of the topics",
            default="random",
            options=tuple((name, split.label) for name, split in SPLITS.items()),
            help="The two parts share no topic. Every trial draws new random halves, the same for all measures. The "
            "other splits are fixed: a topic is hard if its best score is many standard deviations above its mean "
            "score.",
        ),
        COEFFICIENT,
        trials(1000, 20_000, shown_if=lambda values: values["split"] == "random"),
        ALPHA,
        SEED,
    ),
    frame=("alpha",),
)
SIGNIFICANCE = Analysis(
    "significance",
    significance,
    (
        Choice(
            name="method",
            label="Test",
            default="randomised_tukey",
            options=tuple((name, method.label) for name, method in METHODS.items()),
            help="The test of every pair of systems. All tests except the bootstrap control the family-wise error rate "
            "over all pairs. The bootstrap tests each pair by itself, so it finds more pairs significant. "
            "Kruskal-Wallis uses only ranks and does not block by topic, so it finds fewer.",
        ),
        ALPHA,
        trials(2000, 20_000, shown_if=lambda values: METHODS[values["method"]].draws),
        SEED,
    ),
    flags={"method": _METHOD},
    parts={"pairs": Part(), "counts": Part(function=discriminative_power)},
)
LEADERBOARD = Analysis("leaderboard", leaderboard)
POOL_REDUCTION = Analysis(
    "pool-reduction",
    pool_reduction,
    (
        Choice(
            name="method",
            label="Sampling of judgments",
            default="stratified",
            options=tuple((name, words) for name, (words, _) in REDUCTIONS.items()),
            help="By grade level: each topic keeps at least one document of every grade and ten that are not relevant. "
            "Of all judged documents: a simple random sample, drawn again if it contains no relevant document.",
        ),
        repeats(5),
        SEED,
    ),
)
SWEEP = Analysis("sweep", sweep, (trials(2000, 20_000), repeats(5), ALPHA, SEED), flags={"method": _METHOD})
BY_GROUP = Analysis("by-group", by_group)
JUDGES = Analysis("judges", judges, leaves_out=("seed", "method", "alpha", "trials"))
POWER = Analysis("power", power)
SCORES = Analysis("score", summarise)
TABLE = Analysis("table", compare)
SCALE = Analysis("scale", scale_type, flags={"depth": ("--depth", "--at")}, leaves_out=("expression",), data="grades")
PREDICTION_POWERED = Analysis(
    "prediction-powered",
    prediction_powered,
    flags={"topics": ("--judged",)},
    data="Collection",
    parts={"estimates": Part(), "coverage": Part(lambda r: r.coverage())},
)
OF_SATISFACTION = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "tau": "Kendall's τ_b"}
USERS = Analysis(
    "users",
    satisfaction,
    (
        Choice(
            name="coefficient",
            label="Coefficient",
            default="spearman",
            options=tuple(OF_SATISFACTION.items()),
            help="Satisfaction is given in a few steps, so rank correlations are usual. All have an interval by the "
            "same bootstrap.",
        ),
        trials(2000, 10_000),
        SEED,
    ),
    parts={
        "satisfaction": Part(),
        "differences": Part(lambda r: r.p_values.rename_axis("measure").reset_index()),
        "by-score": Part(function=satisfaction_by_score),
        "preferences": Part(function=preferences),
    },
)
CONCLUSION = Analysis(
    "conclusion",
    conclusion,
    (ALPHA, trials(1000, 10_000, low=100), SEED),
    flags={name: (f"--{option}",) for name, option in OPTION_NAMES.items()},
    leaves_out=("exchanges", "most"),
    parts={name: Part(of) for name, of in TABLES.items()},
    worlds=worlds,
)
EQUAL_STEPS = Analysis(
    "equal-steps",
    equal_steps,
    (
        Choice(
            name="test",
            label="Test",
            default="t",
            options=tuple((name, TESTS[name]) for name in PAIRED_TESTS),
            help="The paired test of every pair of systems, before and after. The sign test uses only the order "
            "of lists, which equal steps keep.",
            shown_if=lambda values: values["family"] != "all_systems",
        ),
        Choice(
            name="family",
            label="P-values corrected for",
            default="pair",
            options=tuple(FAMILIES.items()),
            help="Nothing, the number of measures, or all pairs of systems.",
        ),
        ALPHA,
        trials(2000, 20_000, shown_if=lambda values: values["family"] == "all_systems"),
        SEED,
    ),
    flags={"attainable": ("--lists",)},
)
ANALYSES = [one for one in list(globals().values()) if isinstance(one, Analysis)]
