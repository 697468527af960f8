"""Paper gallery: the printed numbers of the papers beside numbers recomputed on the loaded data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irviz.errors import IrvizError
from irviz.gallery import PAPERS, paper
from irviz.gallery.item import (
    EVERY_COLLECTION,
    Found,
    Item,
    Paper,
    RandomTrials,
    agreement_counts,
    comparison_table,
    drawings,
)
from irviz.gallery.sources import Recognised, recognised, recognised_words
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED, repeats, trials
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel, Table

PRINTED_TABLE = "Printed and recomputed"


def _chosen(values: Mapping[str, Any]) -> tuple[Paper, Item]:
    """The paper and the item that the values choose."""
    one = paper(values["paper"])
    return one, one.item(values[one.key])


def _item_control(one: Paper) -> Choice:
    return Choice(
        name=one.key,
        label="Table or figure",
        options=tuple((item.key, f"{item.name}: {item.title}") for item in one.items),
        default=one.items[0].key,
        shown_if=lambda values: values["paper"] == one.key,
    )


CONTROLS = (
    Choice(
        name="paper",
        label="Paper",
        options=tuple((one.key, f"{one.cite}: {one.about}") for one in PAPERS),
        default=PAPERS[0].key,
    ),
    *(_item_control(one) for one in PAPERS),
    trials(
        1000,
        20_000,
        "Random splits, shuffles or bootstrap samples; the notes say how many the paper draws.",
        lambda values: _chosen(values)[1].draws == "trials",
    ),
    repeats(1, shown_if=lambda values: _chosen(values)[1].draws == "repeats"),
    replace(SEED, shown_if=lambda values: bool(_chosen(values)[1].draws)),
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """One table or figure: printed numbers beside recomputed ones, or why there are none."""
    one, item = _chosen(values)
    draws = RandomTrials(values["trials"], values["repeats"], values["seed"])
    try:
        _check(context, item)
        found = item.find(context, draws)
    except IrvizError as refusal:
        return _without(one, item, str(refusal))
    return _with(context, one, item, draws, found)


def _check(context: Context, item: Item) -> None:
    """Refuse data with fewer systems or topics than the item compares."""
    if item.needs and len(context.systems) < item.systems:
        raise IrvizError("It compares systems, and there is only one. Load at least two, or remove filters.")
    if item.draws == "trials" and len(context.topics) < 2:
        raise IrvizError("It compares sets of topics, and there is only one topic. Load more, or remove filters.")


def _with(context: Context, one: Paper, item: Item, draws: RandomTrials, found: Found) -> Panel:
    known = recognised(context, one.collections)
    notes = (*_about(context, item, draws, known), *found.notes)
    sentence = found.sentence + _aspect(context, one, item)
    if item.printed is None:
        return Panel(sentence, found.drawings, found.tables, notes)
    printed = item.printed()
    own = _own(item, known)
    frame = comparison_table(printed, found, own)
    table = Table(
        frame,
        f"One row per printed number ({printed.unit}), with the recomputed one and their difference. "
        f"{_marks(item, own, found)}",
        digits=printed.digits,
        words=printed.words,
    )
    shown = (*found.drawings, *drawings(printed, frame))
    return Panel(sentence, shown, {PRINTED_TABLE: table, **found.tables}, notes, agreement_counts(frame, own))


def _aspect(context: Context, one: Paper, item: Item) -> str:
    """Which of several aspects the numbers are of; nothing if they are of all, or of no collection."""
    loaded = context.opened.collection
    if loaded is None or len(loaded.aspects) < 2 or not item.needs or one.several:
        return ""
    return f" The aspect is {loaded.aspects[0]}."


def _own(item: Item, known: Recognised | None) -> tuple[str, ...]:
    """The paper's collections that the recomputed numbers are of; a worked example is of its own everywhere."""
    if not item.needs:
        return EVERY_COLLECTION
    return (known.name,) if known and known.whole else ()


def _without(one: Paper, item: Item, refusal: str) -> Panel:
    """What is printed, and why it cannot be recomputed on what is loaded."""
    notes = (_needed(item), *item.notes) if item.needs else item.notes
    sentence = f"{item.name} of {one.cite} cannot be recomputed here. {refusal}"
    if item.printed is None:
        return Panel(sentence, notes=(_said(item), *notes))
    printed = item.printed()
    table = Table(
        comparison_table(printed, Found("")).drop(columns=["recomputed", "difference"]),
        f"One row per printed number ({printed.unit}); it cannot be recomputed here.",
        digits=printed.digits,
        words=printed.words,
    )
    return Panel(sentence, tables={PRINTED_TABLE: table}, notes=notes)


def _about(context: Context, item: Item, draws: RandomTrials, known: Recognised | None) -> tuple[str, ...]:
    """Which data the numbers are of, what the paper says where it prints none, and how much was drawn."""
    notes = []
    if item.needs and known:
        notes.append(recognised_words(known, context))
    elif item.needs:
        notes.append(
            f"Recomputed on {context.opened.named}, whose topics, systems or judgments are not the paper's: expect "
            f"similar patterns at most, not equal numbers. {_needed(item)}"
        )
    if item.said:
        notes.append(_said(item))
    if item.draws == "trials":
        notes.append(f"Drawn at random: {draws.trials:,} here, in the paper {item.paper_draws}.")
    if item.draws == "repeats":
        notes.append(f"Pools are reduced {_times(draws.repeats)} here; the paper shows {item.paper_draws}.")
    return (*notes, *item.notes)


def _needed(item: Item) -> str:
    return f"To repeat the printed numbers, irviz needs {item.needs}."


def _said(item: Item) -> str:
    return f"The paper prints a picture without numbers and says: {item.said}"


def _times(repeats: int) -> str:
    return "once" if repeats == 1 else f"{repeats} times"


def _marks(item: Item, own: tuple[str, ...], found: Found) -> str:
    """What the marks of the table mean."""
    if not item.needs:
        return "A worked example: = as printed, ▲ higher, ▼ lower."
    if not own:
        return "= the same number, ▲ higher, ▼ lower: the data are not the paper's."
    if not found.tolerance:
        return f"{own[0]}: = as printed, ▲ higher, ▼ lower; nothing is drawn at random."
    return f"{own[0]}: = as printed, ≈ different by no more than random draws may cause (99%), ▲ higher, ▼ lower."


PAGE = Page(
    name="gallery",
    title="Paper gallery",
    question="What did the papers find, and does it hold here?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
