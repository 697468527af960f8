"""The page *Findings*: a row per finding, which unfolds to printed and recomputed numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, takewhile

import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.gallery import CLAIMS
from irviz.gallery.comparison import EVERY_COLLECTION, agreement_counts, comparison_table, digits, drawings
from irviz.gallery.differences import DOT, LINE, believable_differences, stored_swaps
from irviz.gallery.findings import (
    ALL,
    NOISE,
    REPEATS,
    RESAMPLES,
    TRIALS,
    Findings,
    Result,
    answer_claims,
    evidence_on,
    pieces,
    sizes,
    stored_findings,
)
from irviz.gallery.paper import ITEMS, Comparison, Evidence, Item
from irviz.gallery.tables import recognise_collection, table_of, view_of_item
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import SIZES, swaps
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Flag
from irviz.workspace.controls import SEED
from irviz.workspace.data import COLLECTION
from irviz.workspace.facts import Fact
from irviz.workspace.page import Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.store import fingerprint_of
from irviz.workspace.view import View

UNASKED, CANNOT, CLEARLY_NOT, NOT, SEEN, CLEARLY = range(6)
SIGNS = ("?", "·", "−", "(−)", "(+)", "+")
STATES = ("not asked", "cannot be asked", "clearly not seen", "not seen", "seen", "clearly seen")
_LEGEND = ", ".join(f"{sign} {state}" for sign, state in list(zip(SIGNS, STATES, strict=True))[::-1])
_CLAIMED = {item for claim in CLAIMS.values() for item in claim.items}
OTHERS = [name for name in ITEMS if name not in _CLAIMED]  #: tables and figures that no finding is about
CONTROLS = (
    Choice(
        name="row",
        label="Unfolded",
        options=(("", "none"), *((name, name) for name in (*map(str, ALL), *ITEMS))),
        default="",
        shown_if=lambda values: False,  # a person unfolds rows themselves
    ),
    SEED,
    Flag(
        name="asked",
        label="Ask all findings of these data",
        help="Takes minutes; answers appear as they are computed. An unfolded row is computed at once.",
        button=True,
        from_context=lambda context: {"shown_if": lambda values: _stored(context, values["seed"]) is None},
    ),
)


def state_of(one: Result | None) -> int:
    """How clearly a finding is seen, from not at all to clearly."""
    if one is None or one.seen is None:
        return UNASKED if one is None else CANNOT
    return SEEN + one.clear if one.seen else NOT - one.clear


def data_of(context: Context) -> Collection | Scores:
    """What the sidebar chose, of scores the topics on which all are known."""
    imported = context.dataset.imported_scores
    return context.collection if imported is None else imported.select(None, context.topics, context.systems).common()


def _stored(context: Context, seed: int) -> Findings | None:
    """The stored findings, where these are the data of one of their collections."""
    fingerprint = fingerprint_of(data_of(context))
    return next((one for one in stored_findings() if (one.fingerprint, one.seed) == (fingerprint, seed)), None)


def findings_of(context: Context, numbers: Iterable[int], seed: int) -> Iterator[Findings]:
    """Findings of these numbers on the chosen data, one more at a time; stored ones at once."""
    known, data = _stored(context, seed), data_of(context)
    if known is not None:
        yield replace(known, title=context.dataset.title)
        return
    found = Findings(context.dataset.key, context.dataset.title, fingerprint_of(data), sizes(data), seed, ())
    ask = partial(context.remember, answer_claims, data, trials=TRIALS, repeats=REPEATS, seed=seed, workers=-1)
    yield found
    for some in pieces(numbers):
        found = replace(found, results=tuple(sorted((*found.results, *ask(claim_numbers=some)))))
        yield found


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """A row per finding, then a row per table or figure without one."""
    seed = values["seed"]
    names = [*map(str, ALL), *OTHERS]
    unfolded = names.index(_row(values["row"])) if values["row"] else -1
    for own in findings_of(context, ALL if values["asked"] else (), seed):
        atlas = [one for one in stored_findings() if one.fingerprint != own.fingerprint]
        rows = {_heading(n, own): partial(_finding, context, n, own, atlas) for n in ALL}
        known = [*takewhile(own.get, ALL)]
        yield Panel("", folds=dict(islice(rows.items(), len(known))), unfolded=unfolded)
    others = [ITEMS[name] for name in OTHERS]
    rows |= {f"{item.cite}, {item.name}: {item.title}": partial(_item, context, item, seed) for item in others}
    rows["How large a difference between two systems to believe"] = partial(_differences, context, seed)
    states = [state_of(result) for result in own.results]
    frame = own.frame().drop(columns=["applicable", "view"]).assign(seen=[STATES[one] for one in states])
    about = "One row per finding: the answer, the numbers here and the printed ones, and the source."
    tables = {"All findings on these data": Table(frame, about)} if states else {}
    yield Panel(
        sentence=f"Published findings on {own.title}.\n{_LEGEND}.",
        facts=tuple(Fact(STATES[one], states.count(one), of=len(states)) for one in sorted({*states}, reverse=True)),
        tables=tables | {"All collections": _everywhere([own, *atlas])},
        notes=(
            "The effect is the smallest slack of a finding's condition, in τ or as a share. Clearly: its 95% interval "
            f"over topics ({RESAMPLES} bootstrap samples), not corrected for the number of findings, excludes 0.",
            f"Random draws: {TRIALS:,} splits, shuffles or resamples and {REPEATS} reductions of a pool, seed {seed}.",
        ),
        folds=rows,
        unfolded=unfolded,
    )


def _row(name: str) -> str:
    """The row with a finding's number; of a table, the first finding about it."""
    if name.isdigit() or name in OTHERS:
        return name
    return next(str(n) for n, claim in CLAIMS.items() if name in claim.items)


def _heading(number: int, own: Findings) -> str:
    seen, asked = _counts(number)
    sign, text = SIGNS[state_of(own.get(number))], CLAIMS[number].text
    return f"{sign} {number}. {text}; seen on {seen} of {asked} collections"


def _counts(number: int) -> tuple[int, int]:
    """On how many of the stored collections a finding is seen, and of how many it could be asked."""
    seen = [result.seen for one in stored_findings() if (result := one.get(number)) and result.seen is not None]
    return sum(seen), len(seen)


def _finding(context: Context, number: int, own: Findings, atlas: Sequence[Findings]) -> Panel:
    """A finding on these data, printed and recomputed numbers, and its numbers on all collections."""
    claim = CLAIMS[number]
    if not own.get(number):
        *_, own = findings_of(context, [number], own.seed)
    result = own.get(number)
    assert result is not None  # it was asked
    noise = pd.read_csv(NOISE, index_col="number").loc[number]
    seen, asked = _counts(number)
    facts = [Fact("collections where seen", seen, of=asked)]
    if result.effect is not None:
        low, high = (float("nan") if end is None else end for end in (result.low, result.high))
        facts.insert(0, Fact("effect", result.effect, low=low, high=high))
    if noise.asked:
        facts.append(Fact("seen on noise", int(noise.seen), of=int(noise.asked)))
    parts = [_item(context, ITEMS[item], own.seed) for item in claim.items]
    view = {COLLECTION.name: context.dataset.key, **claim.view}
    ways = [("Open as a page", View.from_texts(view.pop("page"), **view))] if claim.view else []
    return Panel(
        sentence=f"{STATES[state_of(result)].capitalize()} on {own.title}. {result.numbers}",
        facts=tuple(facts),
        drawings=tuple(row for part in parts for row in part.drawings),
        tables={name: table for part in parts for name, table in part.tables.items()}
        | {f"Finding {number} everywhere": _one(number, [own, *atlas])},
        notes=(
            f"{claim.cite}, {claim.place}: “{claim.quote}”. Printed: {claim.printed}. Seen if: {claim.seen}.",
            *filter(None, [claim.remark]),
            *dict.fromkeys(
                note for part in parts for note in (*([] if part.drawings else [part.sentence]), *part.notes)
            ),
        ),
        ways=(*ways, *(way for part in parts for way in part.ways)),
    )


def compared_on(data: Collection | Scores, name: str, trials: int, repeats: int, seed: int) -> Comparison:
    """The recomputed numbers of an item on data as they are opened."""
    return table_of(evidence_on(data, trials, repeats, seed), name)


def _item(context: Context, item: Item, seed: int) -> Panel:
    """A table or figure: printed and recomputed numbers, or why there are none."""
    if item.refusal:
        raise IrvizError(item.refusal)
    view, same = view_of_item(Evidence(context, TRIALS, REPEATS, seed), item) or (None, True)
    ways = ((f"Open {item.name} as a page{'' if same else ', with all grades'}", view),) if view else ()
    name = f"{item.name} of {item.cite}"
    if not item.csv:
        return Panel(f"{name} is a picture. The paper says: {item.said}", notes=item.notes, ways=ways)
    recognised = recognise_collection(context, item.collections)
    own = EVERY_COLLECTION if not item.needs else (recognised,) if recognised else ()
    sentence = f"{name}: {item.title}."
    try:
        found = context.remember(compared_on, data_of(context), item.key, TRIALS, REPEATS, seed)
    except IrvizError as refusal:
        found, ways, sentence = Comparison({}), (), f"{name} cannot be recomputed here. {refusal}"
    frame = comparison_table(item, found, own)
    counts = "; ".join(fact.text for fact in agreement_counts(frame, own))
    about = f"One row per printed number ({item.unit}); {counts}."
    needs = [f"To repeat the printed numbers, irviz needs {item.needs}."] if item.needs and not own else []
    chance = ["Within chance: by no more than random draws may cause (99%)."] if found.tolerance and own else []
    known = frame.dropna(axis="columns", how="all")
    return Panel(
        sentence=sentence,
        drawings=drawings(item, frame),
        tables={name: Table(known, about, digits=digits(item), words=item.words)},
        notes=(*item.notes, *found.notes, *needs, *chance),
        ways=ways,
    )


def _differences(context: Context, seed: int) -> Panel:
    """From which difference of means on few are reversed on other topics: here, and on the bundled collections."""
    imported = context.dataset.imported_scores
    name = "AP" if imported is None or "AP" in imported.measures else imported.measures[0]
    matrix, half = context.scores([name])[name], len(context.topics) // 2
    size = max((size for size in SIZES if size <= half), default=half)
    found = {**stored_swaps(name, size), context.dataset.title: context.remember(swaps, matrix, size, seed=seed)}
    best, second = context.two_best
    lead = abs(float(matrix[best].mean() - matrix[second].mean()))
    fig = believable_differences(found, context.dataset.title, lead, f"difference of mean {name} on {size} topics")
    title = f"Least difference of {name} with at most {DOT:.0%} reversed (line: {LINE[0]:.0%} to {LINE[1]:.0%})"
    frame = pd.concat([one.frame().assign(collection=title, topics=one.topics) for title, one in found.items()])
    frame = frame[frame["pairs"] > 0][["collection", "topics", "low", "high", "pairs", "turned", "share"]]
    return Panel(
        facts=(Fact(f"difference of mean {name}", lead, (best, second)),),
        sentence=f"Differences of mean {name} on {size} topics that are reversed on {size} other topics.",
        drawings=({"swaps": Drawing(fig, title)},),
        tables={"Differences": Table(frame.reset_index(drop=True), "One row per collection and bin of differences.")},
        notes=(
            "Pairs of disjoint sets of topics, all pairs of systems (Voorhees & Buckley 2002). Few: below 50 pairs.",
        ),
    )


def _one(number: int, parts: Sequence[Findings]) -> Table:
    rows = [
        (part.title, STATES[state_of(result)], result.effect, result.low, result.high, result.numbers)
        for part in parts
        if (result := part.get(number))
    ]
    frame = pd.DataFrame(rows, columns=["collection", "answer", "effect", "low", "high", "numbers"])
    return Table(frame, f"One row per collection: {CLAIMS[number].text}.", wraps_text=True)


def _everywhere(parts: Sequence[Findings]) -> Table:
    frame = pd.DataFrame({"finding": [f"{n}. {claim.text}" for n, claim in CLAIMS.items()]})
    for part in parts:
        frame[part.title] = [STATES[state_of(part.get(n))] for n in ALL]
    return Table(frame, "One row per finding, one column per collection.", names=[part.title for part in parts])


PAGE = Page(
    name="findings",
    title="Findings",
    question="Do the published findings hold on your data?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
