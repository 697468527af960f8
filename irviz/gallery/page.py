"""Paper gallery: the printed numbers of the papers beside numbers recomputed on the loaded data."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from irviz.errors import IrvizError
from irviz.gallery import CLAIMS, PAPERS, paper
from irviz.gallery.comparison import EVERY_COLLECTION, agreement_counts, comparison_table, digits, drawings
from irviz.gallery.findings import ALL, answers_to
from irviz.gallery.paper import Comparison, Evidence, Item, Paper
from irviz.gallery.tables import PaperCollection, recognise_collection, recognised_words
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED, repeats, trials
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Panel, Table

PRINTED_TABLE = "Printed and recomputed"


def _chosen_item(values: Values) -> tuple[Paper, Item]:
    """The paper and the item that the values choose."""
    chosen_paper = paper(values["paper"])
    return chosen_paper, chosen_paper.item(values[chosen_paper.key])


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
    trials(1000, 20_000, shown_if=lambda values: _chosen_item(values)[1].draws == "trials"),
    repeats(1, shown_if=lambda values: _chosen_item(values)[1].draws == "repeats"),
    replace(SEED, shown_if=lambda values: bool(_chosen_item(values)[1].draws)),
)


def panel(context: Context, values: Values) -> Panel:
    """One table or figure: printed numbers beside recomputed ones, or why there are none."""
    chosen_paper, item = _chosen_item(values)
    on = Evidence(context, values["trials"], values["repeats"], values["seed"])
    try:
        _check(context, item)
        recomputed = on.comparison(item.recompute)
    except IrvizError as refusal:
        return _refused_item(chosen_paper, item, str(refusal))
    known = recognise_collection(context, chosen_paper.collections)
    own = EVERY_COLLECTION if not item.needs else (known[1],) if known and known[2] else ()
    sentence, answers = _verdicts(on, chosen_paper, item)
    sentence = (recomputed.sentence or sentence) + _aspect(context, chosen_paper, item)
    source = _data_words(context, item, known)
    notes = (*filter(None, (source, *answers, *_random_notes(on, item))), *item.notes, *recomputed.notes)
    if item.printed_numbers is None:
        return Panel(sentence, recomputed.drawings, recomputed.tables, notes)
    frame = comparison_table(item, item.printed_numbers(), recomputed, own)
    table = _table(item, frame, f"with the recomputed one and their difference. {_marks(item, own, recomputed)}")
    figures = (*recomputed.drawings, *drawings(item, frame))
    return Panel(sentence, figures, {PRINTED_TABLE: table, **recomputed.tables}, notes, agreement_counts(frame, own))


def _verdicts(on: Evidence, one: Paper, item: Item) -> tuple[str, tuple[str, ...]]:
    """Which claims that rest on the item are seen, and a note with the numbers for each."""
    numbers = [n for n in ALL if CLAIMS[n - 1][0] is one and CLAIMS[n - 1][1].items[:1] == (item.key,)]
    words: dict[str, list[str]] = {"seen here": [], "not seen": [], "not to be asked here": []}
    notes = []
    for number, answer in answers_to(numbers, on).items():
        claim = CLAIMS[number - 1][1]
        verdict = ("seen here" if answer[2] else "not seen") if isinstance(answer, tuple) else "not to be asked here"
        words[verdict].append(f"finding {number} ({claim.text})")
        numbers_or_why = answer[1] if isinstance(answer, tuple) else answer
        notes.append(f"Finding {number} ({claim.place}): {verdict}. {numbers_or_why}")
    text = "; ".join(f"{verdict}: {', '.join(known)}" for verdict, known in words.items() if known)
    return f"{text[:1].upper()}{text[1:]}.", tuple(notes)


def _table(item: Item, frame: pd.DataFrame, words: str) -> Table:
    about = f"One row per printed number ({item.unit}), {words}"
    places = digits(item, item.printed_numbers()) if item.printed_numbers else 0
    return Table(frame, about, digits=places, words=item.words)


def _check(context: Context, item: Item) -> None:
    """Refuse data with fewer systems or topics than the item compares."""
    if item.needs and len(context.systems) < item.systems:
        raise IrvizError("It compares systems, and there is only one. Load at least two, or remove filters.")
    if item.draws == "trials" and len(context.topics) < 2:
        raise IrvizError("It compares sets of topics, and there is only one topic. Load more, or remove filters.")


def _aspect(context: Context, one: Paper, item: Item) -> str:
    """Which of several aspects the numbers are of; nothing if they are of all, or of no collection."""
    loaded = context.dataset.collection
    if loaded is None or len(loaded.aspects) < 2 or not item.needs or one.several:
        return ""
    return f" The aspect is {loaded.aspects[0]}."


def _refused_item(one: Paper, item: Item, refusal: str) -> Panel:
    """The printed numbers, with the reason why they cannot be recomputed on the loaded data."""
    notes = (*((_needs_note(item),) if item.needs else ()), *item.notes)
    sentence = f"{item.name} of {one.cite} cannot be recomputed here. {refusal}"
    if item.printed_numbers is None:
        return Panel(sentence, notes=(_statement(item), *notes))
    frame = comparison_table(item, item.printed_numbers(), Comparison("")).drop(columns=["recomputed", "difference"])
    return Panel(sentence, tables={PRINTED_TABLE: _table(item, frame, "which cannot be recomputed here.")}, notes=notes)


def _data_words(context: Context, item: Item, match: tuple[PaperCollection, str, bool] | None) -> str:
    """Which data the numbers are of; "" for a worked example."""
    if not item.needs:
        return ""
    if match is not None:
        return recognised_words(match, context)
    return (
        f"Recomputed on {context.dataset.title_in_sentence}, whose topics, systems or judgments are not the paper's: "
        f"expect similar patterns at most, not equal numbers. {_needs_note(item)}"
    )


def _random_notes(on: Evidence, item: Item) -> tuple[str, ...]:
    """Notes: the paper's statement where it prints no numbers, and how much is drawn at random."""
    notes = {
        "": "",
        "trials": f"Drawn at random: {on.trials:,} here, in the paper {item.paper_draws}.",
        "repeats": f"Pools are reduced {'once' if on.repeats == 1 else f'{on.repeats} times'} here; the paper shows "
        f"{item.paper_draws}.",
    }
    return _statement(item) if item.said else "", notes[item.draws]


def _needs_note(item: Item) -> str:
    return f"To repeat the printed numbers, irviz needs {item.needs}."


def _statement(item: Item) -> str:
    return f"The paper prints a picture without numbers and says: {item.said}"


def _marks(item: Item, own: tuple[str, ...], comparison: Comparison) -> str:
    """A legend of the table's marks."""
    if not item.needs:
        return "A worked example: = as printed, ▲ higher, ▼ lower."
    if not own:
        return "= the same number, ▲ higher, ▼ lower: the data are not the paper's."
    if not comparison.tolerance:
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
