"""The choices of the page on conclusions, and the claim, the worlds and the snippets that they make."""

from __future__ import annotations

from typing import Any

from irviz.collection.model import TIE_RULES, Collection
from irviz.conclusions import Conclusion, conclusion, worlds
from irviz.conclusions.choices.dimensions import OPTION_NAMES, OPTIONS, has_unjudged, lacks_topics
from irviz.conclusions.choices.worlds import Worlds
from irviz.conclusions.claims import name_in_claim
from irviz.links.control import Choice, Names, Number, one_system
from irviz.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.controls import ALPHA, SEED, trials
from irviz.workspace.page import Recipe, Values

CLAIMS = {"pair": "A is ahead of B", "best": "A is best", "top": "A is among the best k"}
_SETTINGS = {
    "average": ("averages", "Averages over topics"),
    "test": ("tests", "Tests"),
    "ties": ("rules", "Tie rules"),
    "unjudged": ("unjudged", "Unjudged documents"),
    "missing": ("missing", "Topics a run lacks"),
    "judge": ("judges", "Judges or aspects"),
    "topics": ("sets", "Sets of topics"),
    "family": ("families", "P-values corrected for"),
}  #: dimension → name of its control, label
USUAL_CHOICES = {"family": ("pair",)}  #: dimensions for which no choice has another meaning on this page than elsewhere
_FEWEST = 100  #: trials that a person can ask for
_PRELIMINARY = 50  #: trials of a first answer, which comes without the joint test


def _most(context: Context) -> int:
    """The largest k that can be asked about."""
    return max(2, len(context.systems) - 1)


def _several(dimension: str) -> Names:
    """All or some of the options of one dimension."""
    name, label = _SETTINGS[dimension]

    def fields(context: Context) -> dict[str, Any]:
        options = _options(context, dimension)
        words = OPTIONS.get(dimension, {})
        return {"options": options, "words": tuple((one, words.get(one, one)) for one in options)}

    return Names(
        name=name,
        label=label,
        help="Every chosen option adds worlds. If none is chosen, "
        + ("p-values are corrected for this pair alone." if dimension == "family" else "the usual options are used."),
        empty="this pair alone" if dimension == "family" else "the usual ones",
        from_context=fields,
        aside=True,
    )


def _options(context: Context, dimension: str) -> tuple[str, ...]:
    """What can be chosen on a dimension, for these data; fewer than two is not a choice."""
    data = context.opened.collection
    if dimension in ("unjudged", "missing"):
        there = data is not None and (has_unjudged(data) if dimension == "unjudged" else lacks_topics(data))
        return tuple(OPTIONS[dimension]) if there else ()
    if dimension == "ties":
        return () if data is None or data.again is None else tuple(TIE_RULES)
    if dimension == "judge":
        seen = () if data is None else data.judges or data.aspects
        return seen if len(seen) > 1 else ()
    if dimension == "topics" and len(context.topics) < 10:
        return ()
    return tuple(OPTIONS[dimension])


def looked_at(context: Context, values: Values) -> tuple[str, ...]:
    """The judges or aspects of the worlds; where none is chosen, all there are."""
    return values["judges"] or _options(context, "judge")


CONTROLS = (
    Choice(
        name="claim",
        label="Claim",
        few=True,
        default="pair",
        options=tuple(CLAIMS.items()),
        help="The claim is checked in every world, that is, under every reasonable combination of the settings below.",
    ),
    one_system(0),
    one_system(1, shown_if=lambda values: values["claim"] == "pair"),
    Number(
        name="k",
        label="k",
        low=2,
        whole=True,
        step=1,
        slider=False,
        default=5,
        from_context=lambda context: {"high": _most(context), "default": min(5, _most(context))},
        shown_if=lambda values: values["claim"] == "top",
    ),
    *(_several(dimension) for dimension in _SETTINGS),
    ALPHA,
    trials(
        1000,
        10_000,
        "Resamples of the bootstrap and shuffles of the randomisation test.",
        low=_FEWEST,
        quick=_PRELIMINARY,
    ),
    SEED,
    Number(
        name="world",
        label="World shown",
        help="Its number in the table of worlds. Or click a point of the curve, or a cell of the grid.",
        low=1,
        high=10_000,
        step=1,
        whole=True,
        default=1,
        slider=False,
        aside=True,
    ),
)


def claim_text(values: Values) -> str:
    """The claim as :func:`irviz.conclusion` reads it."""
    a = name_in_claim(values["a"])
    if values["claim"] == "pair":
        return f"{a} > {name_in_claim(values['b'])}"
    return f"{a} is best" if values["claim"] == "best" else f"{a} in top {values['k']}"


def data_of(context: Context) -> Collection | Scores:
    """What the worlds are made of: the collection after the filters, or imported scores."""
    return context.scores() if context.opened.collection is None else context.collection


def given(context: Context, values: Values) -> dict[str, tuple[Any, ...]]:
    """The options of every dimension that the page decides."""
    chosen: dict[str, tuple[Any, ...]] = {"measure": context.measures}
    for dimension, (name, _) in _SETTINGS.items():
        if picked := values[name] or USUAL_CHOICES.get(dimension):
            chosen[dimension] = tuple(picked)
    return chosen


def worlds_of(context: Context, values: Values) -> Worlds:
    """All worlds of the page."""
    options: dict[str, Any] = dict(given(context, values))
    return worlds(data_of(context), **options, seed=values["seed"], progress=context.progress)


def conclude(context: Context, values: Values) -> Conclusion:
    """The claim in all worlds of the page; remembered, so that looking at another world computes nothing."""
    how = {name: values[name] for name in ("alpha", "trials", "seed")}
    made = worlds_of(context, values)
    jointly = 0 if values["trials"] < _FEWEST else None
    return context.remember(
        conclusion, data_of(context), claim_text(values), made, **how, exchanges=jointly, workers=-1
    )


# -- the same without the page ------------------------------------------------------------


def _python(context: Context, values: Values) -> list[str]:
    data = "s" if context.opened.collection is None else "c"
    options = "".join(f",\n    {name}={list(chosen)!r}" for name, chosen in given(context, values).items())
    return [
        f"w = irviz.worlds({data}{options},\n    seed={values['seed']})",
        f"r = irviz.conclusion({data}, {claim_text(values)!r}, w, alpha={values['alpha']!r}, "
        f"trials={values['trials']}, seed={values['seed']})",
        "table = r.frame()",
    ]


def _command(context: Context, values: Values) -> list[str]:
    words = ["conclusion", claim_text(values)]
    for name, chosen in given(context, values).items():
        words += [f"--{OPTION_NAMES.get(name, name)}", ",".join(map(str, chosen))]
    return [*words, "--alpha", f"{values['alpha']:g}", "--trials", str(values["trials"]), "--seed", str(values["seed"])]


RECIPE = Recipe(table="Worlds", python=_python, command=_command, scored=False)
