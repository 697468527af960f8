"""Analyses as values: functions of the library with what a page, a link, a snippet and a command need of them.

The signature of the function declares what can be chosen, its default and its order; the controls say how a page
offers it.  Nothing here imports a page or plotly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from irviz.multiverse.dimensions import FAMILIES, PAIRED_TESTS, TESTS
from irviz.multiverse.equal_steps import equal_steps
from irviz.multiverse.groups import by_group
from irviz.stats.consistency import SPLITS, consistency
from irviz.stats.incompleteness import REDUCTIONS, pool_reduction
from irviz.stats.judges import judges
from irviz.stats.leaderboard import leaderboard
from irviz.stats.significance import METHODS, significance
from irviz.stats.similarity import similarity
from irviz.stats.sweep import sweep
from irviz.workspace.control import Choice, Control
from irviz.workspace.controls import ALPHA, COEFFICIENT, SEED, repeats, trials

if TYPE_CHECKING:
    from irviz.workspace.context import Context

Values = Mapping[str, Any]
Given = Callable[["Context", Values], dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """How the numbers of a page are computed without it: a few lines of Python, and one command.

    Attributes
    ----------
    table : str
        The table of the page that the code gives, as a frame called ``table``.
    python : callable
        The lines after the data and the scores are there.
    command : callable
        The words of the command line, without the data.
    uses_scores : bool
        True if the lines start from scores ``s``, False if from the collection ``c``.
    """

    table: str
    python: Callable[[Context, Values], list[str]]
    command: Callable[[Context, Values], list[str]]
    uses_scores: bool = True


@dataclass(frozen=True)
class Analysis:
    """A public function of the library as pages and the command line offer it.

    Attributes
    ----------
    name : str
        Its command.
    function : callable
        Of a collection, of scores, or of either; one of a single measure has the rows of all in its command.
    controls : tuple of Control
        What a page offers of its arguments, in the order of the page.
    frame : tuple of str
        Arguments of the ``frame`` of its result, which controls offer as well.
    flags : by argument
        Options of the command, where they are not called after it.
    leaves_out : tuple of str
        Arguments that change nothing in the table.
    """

    name: str
    function: Callable[..., Any]
    controls: tuple[Control, ...] = ()
    frame: tuple[str, ...] = ()
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leaves_out: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters of the function in its order, without data and measures."""
        unseen = ("s", "matrix", "c", "measures", "measure", "progress", *self.leaves_out)
        known = signature(self.function).parameters.items()
        return {name: one for name, one in known if name not in unseen and not name.startswith("_")}

    @cached_property
    def needs(self) -> str:
        """The type of its data: ``Collection``, ``Scores``, either, or ``ScoreMatrix``, the scores of one measure."""
        return str(next(iter(signature(self.function).parameters.values())).annotation)

    @property
    def has_measures(self) -> bool:
        """True if its measures are chosen; False if an expression makes them."""
        return self.needs != "Collection" or "measures" in signature(self.function).parameters

    @property
    def positional(self) -> list[str]:
        """Texts that it needs beside its data, such as a claim."""
        return [name for name, one in self.parameters.items() if (one.annotation, one.default) == ("str", one.empty)]

    def arguments(self, context: Context, values: Values) -> dict[str, Any]:
        """Arguments of the function from the controls of a page and the sidebar's average over topics."""
        known = {one.name: values[one.name] for one in self.controls} | {"summary": context.summary}
        known |= {} if context.eps is None else {"eps": context.eps}
        return {name: known[name] for name in self.parameters if name in known}

    def snippet(self, table: str, given: Given = lambda context, values: {}) -> Snippet:
        """Code that gives a table of a page; `given` are arguments that are no controls."""
        return Snippet(
            table=table,
            python=partial(self._python, given),
            command=partial(self.command, given=given),
            uses_scores=self.needs != "Collection",
        )

    def _all(self, context: Context, values: Values, given: Given) -> dict[str, Any]:
        """The arguments of the function in their order."""
        known = {"measures": list(context.measures)} | self.arguments(context, values) | given(context, values)
        return {name: known[name] for name in ("measures", *self.parameters) if name in known}

    def _python(self, given: Given, context: Context, values: Values) -> list[str]:
        declared = signature(self.function).parameters
        said = [
            repr(value) if declared[name].kind is Parameter.POSITIONAL_OR_KEYWORD else f"{name}={value!r}"
            for name, value in self._all(context, values, given).items()
            if name in declared
        ]
        call = f"irviz.{self.function.__name__}({', '.join(['c' if self.needs == 'Collection' else 's', *said])})"
        frame = f".frame({', '.join(repr(values[name]) for name in self.frame)})"
        return [f"table = {call}{'' if signature(self.function).return_annotation == 'pd.DataFrame' else frame}"]

    def command(self, context: Context, values: Values, given: Given = lambda context, values: {}) -> list[str]:
        """The words of the command, without the data."""
        words, known = [self.name], self._all(context, values, given) | {name: values[name] for name in self.frame}
        words += map(known.pop, self.positional)
        if not self.has_measures:
            known.pop("measures")
        for name, value in known.items():
            words += [self.options(name)[-1], ",".join(map(_text, value)) if _is_list(value) else _text(value)]
        return words

    def options(self, name: str) -> tuple[str, ...]:
        """The options of the command for an argument."""
        return self.flags.get(name, (f"--{name}",))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _text(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


# -- Declarations ----------------------------------------------------------------------------------

_METHOD = ("--method", "--test")
SIMILARITY = Analysis("similarity", similarity, (COEFFICIENT,))
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
