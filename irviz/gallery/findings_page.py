"""The page *Findings*: published findings × collections, the reader's data first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.figures.axes import standing_out
from irviz.figures.theme import DIVERGING, FAINT, Trace, figure, heatmap, plotly_escape, scatter, stepped_scale
from irviz.gallery import CLAIMS, PAPERS
from irviz.gallery.findings import (
    ALL,
    REPEATS,
    RESAMPLES,
    TRIALS,
    Findings,
    Result,
    about,
    answer_claims,
    stored_findings,
    view_of,
)
from irviz.stats.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED
from irviz.workspace.data import bundled_titles
from irviz.workspace.facts import Fact
from irviz.workspace.page import Page, Snippet, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.store import fingerprint_of
from irviz.workspace.view import View

#: claims whose numbers have no random draws
EXACT = tuple(
    number
    for number, (source, claim) in enumerate(CLAIMS, start=1)
    if source.key != "means" and claim.items and not any(source.item(item).draws for item in claim.items)
)
FIRST = tuple(number for number in EXACT if CLAIMS[number - 1][1].items[-1] in ("table1", "table2"))[:4]
PARTS = {"all": ALL, "exact": EXACT, "first": FIRST}
CONTROLS = (
    Choice(
        name="number",
        label="Finding",
        options=tuple((str(n), f"{n}. {claim.text}") for n, (_, claim) in enumerate(CLAIMS, start=1)),
        default="1",
        help="Its numbers on every collection are in the table.",
    ),
    Choice(
        name="part",
        label="Ask your data",
        options=(
            ("all", "all findings"),
            ("exact", "those without random draws"),
            ("first", f"those of Tables 1 and 2 of {PAPERS[0].cite}"),
        ),
        default="all",
        few=True,
    ),
    replace(SEED, shown_if=lambda values: values["part"] == "all"),
)

# -- the figure ------------------------------------------------------------------------------------

CANNOT, CLEARLY_NOT, NOT, SEEN, CLEARLY = range(5)
SIGNS = ("", "−", "(−)", "(+)", "+")
STATES = ("cannot be asked", "clearly not seen", "not seen", "seen", "clearly seen")
_LEGEND = ", ".join(f"{sign or 'no sign'} {state}" for sign, state in list(zip(SIGNS, STATES, strict=True))[::-1])
_COLOURS = (FAINT, DIVERGING[0][1], DIVERGING[1][1], DIVERGING[3][1], DIVERGING[4][1])
_INK = ("#000000", "#FFFFFF", "#000000", "#000000", "#FFFFFF")
_OWN, _OTHERS = (0, 0.045), (0.72, 1)  #: the parts of the width that the squares have, left and right of the findings
FEW = 2  #: a collection of which no more findings can be asked has no column of its own
_NAME, _EACH = 26, 5  # letters of a line of a collection's name, and pixels that each takes
_LINE, _WIDE = 58, 82  # letters of a line of a finding on a phone, and where the other collections are beside it
_ROW, _TALL = 32, 1.8  # pixels of a finding on a phone; how many times as high is one that is long
_PAGE = 864  #: pixels of the figure on a wide screen: a page of a paper is as high
_NARROW = 0.99  #: opacity of what a style leaves out on a wide screen, and a picture for a paper
Floats = NDArray[np.float64]
Square = tuple[int, str, str, str]  #: the state, the collection, the text under the pointer, the address


def state_of(one: Result | None) -> int:
    """How clearly a finding is seen, from not at all to clearly; `CANNOT` also where it was not asked."""
    if one is None or one.seen is None:
        return CANNOT
    if one.seen:
        return CLEARLY if one.clear else SEEN
    return CLEARLY_NOT if one.clear else NOT


def squares(
    numbers: Sequence[int], rows: Sequence[str], columns: Sequence[str], parts: Sequence[Sequence[Square | None]]
) -> go.Figure:
    """The squares of every finding: left of it the reader's, right of it the others'; a square of None is left out.

    A click gives the number of the row, and the address of the view that computes the square ("" for none).  A wide
    screen and a paper have a lower figure, in which few findings take two lines; a narrow screen has no room for the
    others.
    """
    widths = [_WIDE if len(text) <= _WIDE else len(text) // 2 + 8 for text in rows]  # two lines are about as long
    lines = [wrap(text, width, break_on_hyphens=False) for text, width in zip(rows, widths, strict=True)]
    edges = np.cumsum([-0.5, *(_TALL if len(wrapped) > 1 else 1 for wrapped in lines)])
    places = (edges[:-1] + edges[1:]) / 2
    own = _squares(numbers, [part[:1] for part in parts], edges, "x")
    others = _squares(numbers, [part[1:] for part in parts], edges, "x2")
    names = [plotly_escape(_start(name, _NAME)) for name in columns]  # one line each: two are as wide as two columns
    margin = {"t": 20 + _EACH * max(len(_start(name, _NAME)) for name in columns), "b": 8}
    height = round(_ROW * np.ptp(edges)) + sum(margin.values())
    fig = figure([*own, *others], height, hovermode="closest", dragmode=False, margin=margin)
    bare = {"showgrid": False, "zeroline": False, "side": "top", "ticks": ""}
    ticks = {"tickvals": list(range(len(names))), "ticktext": names, "tickangle": -90}
    fig.update_layout(
        xaxis={**bare, "domain": _OWN, "range": [-0.5, 0.5], "showticklabels": False},
        xaxis2={**bare, "domain": _OTHERS, "range": [-0.5, len(names) - 0.5], "anchor": "y", **ticks},
    )
    fig.update_yaxes(range=[edges[-1], edges[0]], visible=False)
    look = {"showarrow": False, "font": {"size": 11}, "xref": "paper", "xanchor": "left", "align": "left"}
    row_labels = [(_some_lines(text, _seen_count(part[1:])), _NARROW) for text, part in zip(rows, parts, strict=True)]
    row_labels += [("<br>".join(map(plotly_escape, wrapped)), 0) for wrapped in lines]  # a style shows them if wide
    notes = [
        {**look, "x": _OWN[1] + 0.01, "y": places[i % len(rows)], "yanchor": "middle", "text": text, "opacity": opacity}
        for i, (text, opacity) in enumerate(row_labels)
    ]
    key = [
        standing_out("your data"),
        *(f"{sign or '□'} {state}" for sign, state in zip(SIGNS, STATES, strict=True)),
    ]
    above = {**look, "x": 0, "y": 1, "yref": "paper", "yanchor": "bottom"}
    notes += [{**above, "text": text, "yshift": 17 * line} for line, text in enumerate(key)]
    notes.append(
        {**above, "text": "(n of m): other collections where seen", "yshift": 17 * len(key), "opacity": _NARROW}
    )
    return fig.update_layout(annotations=notes, meta={"wide": _PAGE})


def _squares(
    numbers: Sequence[int], parts: Sequence[Sequence[Square | None]], edges: Floats, axis: str
) -> tuple[Trace, Trace]:
    """The colours of some columns, whose rows have these edges, and their signs, which are clicked."""
    cells = [(i, j, square) for i, part in enumerate(parts) for j, square in enumerate(part) if square is not None]
    states = np.full((len(parts), len(parts[0])), np.nan)
    for i, j, square in cells:
        states[i, j] = square[0]
    colours = heatmap(
        y=edges,
        z=states,
        zmin=-0.5,
        zmax=4.5,
        colorscale=stepped_scale(_COLOURS),
        showscale=False,
        xgap=2,
        ygap=2,
        hoverongaps=False,
        hoverinfo="skip",
        xaxis=axis,
    )
    signs = scatter(
        x=[j for _, j, _ in cells],
        y=[(edges[i] + edges[i + 1]) / 2 for i, _, _ in cells],
        mode="markers+text",
        text=[SIGNS[square[0]] for *_, square in cells],
        textfont={"size": 11, "color": [_INK[square[0]] for *_, square in cells]},
        marker={"symbol": "square", "size": 18, "opacity": 0},
        customdata=[[str(numbers[i]), plotly_escape(name), *more] for i, _, (_, name, *more) in cells],
        hovertemplate="%{customdata[0]}, %{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        showlegend=False,
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        xaxis=axis,
    )
    return colours, signs


def _seen_count(part: Sequence[Square | None]) -> str:
    """In how many of the other collections that can be asked a finding is seen, in brackets."""
    states = [square[0] for square in part if square is not None and square[0] != CANNOT]
    return f"({sum(state >= SEEN for state in states)} of {len(states)})".replace(" ", "\u00a0")  # not parted


def _some_lines(text: str, count: str) -> str:
    """A text with a count on at most three lines that a phone has room for.

    >>> _some_lines("1. one < two and" + " three" * 8, "(5 of 9)")
    '1. one &lt; two and three three three three three three three<br>three (5 of 9)'
    """
    return "<br>".join(map(plotly_escape, wrap(f"{text} {count}", _LINE, max_lines=3, placeholder=f" … {count}")))


def _start(text: str, most: int) -> str:
    """The beginning of a text, up to a word's end.

    >>> _start("one two three", 8)
    'one two …'
    """
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0]} …"


def _outline(fig: go.Figure, row: int) -> go.Figure:
    """A line around the chosen finding."""
    edges, line = fig.data[0].y, {"width": 2, "color": "#808A94"}
    return fig.add_shape(type="rect", x0=0, x1=1, xref="paper", y0=edges[row], y1=edges[row + 1], yref="y", line=line)


# -- the page --------------------------------------------------------------------------------------


def findings_of(context: Context, numbers: tuple[int, ...], seed: int) -> Findings:
    """Findings on what the sidebar chose: stored ones where these are the data of a stored column."""
    imported = context.dataset.imported_scores
    data: Collection | Scores = (
        context.collection if imported is None else imported.select(None, context.topics, context.systems).common()
    )
    title, fingerprint = context.dataset.title, fingerprint_of(data)
    known = next((entry for entry in stored_findings() if entry.fingerprint == fingerprint), None)
    if known is not None and seed == known.seed:
        return replace(
            known, title=title, results=tuple(result for result in known.results if result.number in numbers)
        )
    results = context.remember(answer_claims, data, numbers, TRIALS, REPEATS, seed, workers=-1)
    return Findings(context.dataset.key, title, fingerprint, about(data), seed, results)


def _seed(values: Values) -> int:
    """Findings without random draws keep the groups of topics of seed 0: another seed asks none of them again."""
    return int(values["seed"]) if values["part"] == "all" else 0


def panel(context: Context, values: Values) -> Panel:
    """The squares, and the chosen finding on every collection."""
    number = int(values["number"])
    source, claim = CLAIMS[number - 1]
    own = findings_of(context, PARTS[values["part"]], _seed(values))
    atlas = [entry for entry in stored_findings() if entry.fingerprint != own.fingerprint]
    key = context.dataset.key
    item = f"{source.item(claim.items[0]).name} of {source.cite}" if claim.items else "its numbers"
    return Panel(
        sentence=f"Published findings on {own.title}.",
        facts=() if values["part"] == "first" else _facts(own),
        drawings=({"squares": _drawing(own, atlas, number, key)},),
        tables={
            f"Finding {number}": _one(number, [own, *atlas]),
            "All findings on these data": _all(own),
            "All collections": _everywhere([own, *atlas]),
        },
        notes=_notes(number, own),
        has_open_tables=True,
        ways=(
            (f"Recompute {item} on these data", view_of(source, claim, key, own.seed)),
            *(
                (f"Tables and figures of {paper.cite}", View.from_texts("gallery", paper=paper.key, collection=key))
                for paper in PAPERS
            ),
        ),
    )


def _drawing(own: Findings, atlas: Sequence[Findings], number: int, key: str) -> Drawing:
    names = {entry.title: entry.name if entry.name in bundled_titles() else "" for entry in atlas}
    asked_counts = {entry.title: sum(state_of(entry.get(n)) != CANNOT for n in ALL) for entry in atlas}
    others = sorted(atlas, key=lambda entry: -asked_counts[entry.title])
    many = sum(asked_counts[entry.title] > FEW for entry in others)
    numbers = sorted(ALL, key=lambda n: -state_of(own.get(n)))
    parts: list[list[Square | None]] = []
    for n in numbers:
        row = [_square(n, entry, names[entry.title]) for entry in others]
        visible = [None if square[0] == CANNOT else square for square in row]
        parts.append([_square(n, own, key), *visible[:many], next(filter(None, visible[many:]), None)])
    columns = [*(entry.title for entry in others[:many]), "others"]
    rows = [f"{n}. {CLAIMS[n - 1][1].text}" for n in numbers]
    fig = _outline(squares(numbers, rows, columns, parts), numbers.index(number))
    alt = f"{own.title} before the other collections, one row a finding, those seen there first."
    title = "Findings on your data, and in how many collections they are seen"
    hint = "click a square for the view that computes it, if its collection can be opened here"
    return Drawing(fig, title, alt, picks=("number",), leads=True, hint=hint)


def _square(n: int, part: Findings, name: str) -> Square:
    """One finding on one collection; `name` is that in addresses, "" for data that nobody can open here."""
    result = part.get(n)
    hover = "not asked" if result is None else f"{_answer(result)}<br>{plotly_escape(_start(result.numbers, 180))}"
    return state_of(result), part.title, hover, view_of(*CLAIMS[n - 1], name, part.seed).to_url() if name else ""


def _answer(one: Result) -> str:
    """The state and the effect."""
    return f"{STATES[state_of(one)]}{one.words and f': {one.words}'}"


def _facts(own: Findings) -> tuple[Fact, ...]:
    """How many of the findings that were asked have which answer."""
    states = [state_of(result) for result in own.results]
    return tuple(Fact(STATES[state], states.count(state), of=len(states)) for state in range(len(STATES))[::-1])


def _one(number: int, parts: Sequence[Findings]) -> Table:
    claim = CLAIMS[number - 1][1]
    rows = [("the source", "claimed", f"{claim.printed} ({claim.place})")]
    known = [(part.title, part.get(number)) for part in parts]
    rows += [(title, _answer(result), result.numbers) for title, result in known if result]
    frame = pd.DataFrame(rows, columns=["collection", "answer", "numbers"])
    return Table(frame, f"One row per collection: {claim.text}. Seen if: {claim.seen}.", wraps_text=True)


def _all(own: Findings) -> Table:
    frame = own.frame().drop(columns=["applicable", "view"])
    frame["seen"] = [STATES[state_of(result)] for result in own.results]
    return Table(frame, "One row per finding: the answer, the numbers here and the printed ones, and the source.")


def _everywhere(parts: Sequence[Findings]) -> Table:
    frame = pd.DataFrame({"finding": [f"{n}. {claim.text}" for n, (_, claim) in enumerate(CLAIMS, start=1)]})
    for part in parts:
        frame[part.title] = [STATES[state_of(part.get(n))] for n in ALL]
    about = "One row per finding, one column per collection; what was not asked cannot be told from what cannot be."
    return Table(frame, about, names=[part.title for part in parts])


def _notes(number: int, own: Findings) -> tuple[str, ...]:
    source, claim = CLAIMS[number - 1]
    return (
        f"{source.cite}, {claim.place}: “{claim.quote}”.",
        *((claim.remark,) if claim.remark else ()),
        f"{_LEGEND}. The effect is the smallest slack of the condition, in τ or as a share; "
        f"clearly: its 95% interval over topics ({RESAMPLES} bootstrap samples) does not contain 0. "
        "Identities have no effect. Many findings are asked at once, and nothing is corrected for that.",
        f"Random draws: {TRIALS:,} splits, shuffles or resamples and {REPEATS} reductions of a pool, seed {own.seed}. "
        "Other collections than yours were computed before, with seed 0; two of them are simulated.",
    )


def _python(context: Context, values: Values) -> list[str]:
    part = "" if values["part"] == "all" else f", numbers={list(PARTS[values['part']])}"
    data = "c" if context.dataset.imported_scores is None else "s"
    return [f"table = irviz.findings({data}, seed={_seed(values)}{part}).frame()"]


def _command(context: Context, values: Values) -> list[str]:
    part = [] if values["part"] == "all" else ["--numbers", ",".join(map(str, PARTS[values["part"]]))]
    return ["findings", "--seed", str(_seed(values)), *part]


SNIPPET = Snippet(table="All findings on these data", python=_python, command=_command, uses_scores=False)
PAGE = Page(
    name="findings",
    title="Findings",
    question="Do the published findings hold on your data?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
