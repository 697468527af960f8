"""The page *Findings*: published findings × collections, the papers' own column first and the reader's data last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.collection.model import Collection
from irviz.errors import counted
from irviz.figures.theme import (
    DIVERGING,
    FAINT,
    figure,
    heatmap,
    labels,
    plotly_escape,
    row_height,
    scatter,
    stepped,
)
from irviz.gallery import PAPERS, paper
from irviz.gallery.claims import CLAIMS
from irviz.gallery.findings import CLEAR, REPEATS, TRIALS, Findings, Found, about, answered, digest, stored, view_of
from irviz.gallery.item import RandomTrials
from irviz.stats.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED
from irviz.workspace.page import Page, Snippet
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.view import View

#: claims whose numbers have no random draws and are soon there
EXACT = tuple(
    number
    for number, claim in enumerate(CLAIMS, start=1)
    if claim.paper != "means" and not any(paper(claim.paper).item(item).draws for item in claim.items)
)
PARTS = {"all": tuple(range(1, len(CLAIMS) + 1)), "exact": EXACT}
CONTROLS = (
    Choice(
        name="number",
        label="Finding",
        options=tuple((str(n), f"{n}. {claim.text}") for n, claim in enumerate(CLAIMS, start=1)),
        default="1",
        help="Its numbers on every collection are in the table. Or click a square.",
    ),
    Choice(
        name="part",
        label="Ask your data",
        options=(("all", "all findings"), ("exact", "those without random draws")),
        default="all",
        few=True,
        quick="exact",
    ),
    replace(SEED, shown_if=lambda values: values["part"] == "all"),
)

# -- the figure ------------------------------------------------------------------------------------

CANNOT, CLEARLY_NOT, NOT, SEEN, CLEARLY = range(5)
SIGNS = ("", "−", "(−)", "(+)", "+")
STATES = (
    "cannot be asked",
    "not seen",
    f"not seen, by a margin below {CLEAR:g}",
    f"seen, by a margin below {CLEAR:g}",
    "seen",
)
_COLOURS = (FAINT, DIVERGING[0][1], DIVERGING[1][1], DIVERGING[3][1], DIVERGING[4][1])
_INK = ("#000000", "#FFFFFF", "#000000", "#000000", "#FFFFFF")
_WIDE = 3  #: times as wide as the others is the reader's column


def state_of(found: Found | None) -> int:
    """How clearly a finding is seen, from not at all to clearly; `CANNOT` also where it was not asked."""
    if found is None or found.seen is None:
        return CANNOT
    if found.seen:
        return CLEARLY if found.clear else SEEN
    return CLEARLY_NOT if found.clear else NOT


def squares(
    rows: Sequence[str], columns: Sequence[str], states: np.ndarray, words: Sequence[Sequence[str]]
) -> go.Figure:
    """A square per finding and collection; the last column is the widest, and a click gives the number of the row.

    Parameters
    ----------
    rows, columns : names
    states : rows × columns; 0 cannot be asked, 1 to 4 from clearly not seen to clearly seen
    words : rows × columns; hover texts
    """
    edges = np.array([*range(len(columns)), len(columns) - 1 + _WIDE]) - 0.5
    middles = ((edges[:-1] + edges[1:]) / 2).tolist()
    cells = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    trace = heatmap(
        z=states,
        x=edges,
        y=np.arange(len(rows) + 1) - 0.5,
        zmin=-0.5,
        zmax=4.5,
        colorscale=stepped(_COLOURS),
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    signs = scatter(
        x=[middles[j] for _, j in cells],
        y=[i for i, _ in cells],
        mode="markers+text",
        text=[SIGNS[states[i, j]] for i, j in cells],
        textfont={"size": 11, "color": [_INK[states[i, j]] for i, j in cells]},
        marker={"symbol": "square", "size": 18, "opacity": 0},
        customdata=[[str(i + 1), plotly_escape(columns[j]), words[i][j]] for i, j in cells],
        hovertemplate="%{customdata[0]}, %{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        showlegend=False,
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    drawn = figure([trace, signs], row_height(len(rows), each=23), hovermode="closest", dragmode=False)
    drawn.update_xaxes(
        range=[-0.5, float(edges[-1])],
        tickvals=middles,
        ticktext=labels(columns, 22),
        tickangle=-60,
        side="top",
        showgrid=False,
        zeroline=False,
    )
    drawn.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=list(range(len(rows))),
        ticktext=[plotly_escape(_start(name)) for name in rows],
        showgrid=False,
        zeroline=False,
    )
    drawn.update_layout(margin={"t": 130})
    return drawn


def _start(text: str, most: int = 48) -> str:
    """The beginning of a text, up to a word's end.

    >>> _start("one two three", 8)
    'one two …'
    """
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0]} …"


def _framed(drawn: go.Figure, row: int) -> go.Figure:
    """A line around the chosen finding."""
    drawn.add_shape(
        type="rect",
        x0=0,
        x1=1,
        xref="x domain",
        y0=row - 0.5,
        y1=row + 0.5,
        yref="y",
        line={"width": 2, "color": "#808A94"},
    )
    return drawn


# -- the page --------------------------------------------------------------------------------------


def findings_of(context: Context, numbers: tuple[int, ...], seed: int) -> Findings:
    """Findings on what the sidebar chose: stored ones where these are the data of a stored column."""
    data = _data(context)
    title, fingerprint = context.opened.title, digest(data)
    known = next((one for one in stored() if one.fingerprint == fingerprint), None)
    if known is not None and seed == known.seed:
        return replace(known, title=title, answers=tuple(one for one in known.answers if one.number in numbers))
    answers = context.remember(answered, data, numbers, RandomTrials(TRIALS, REPEATS, seed))
    return Findings(context.opened.key, title, fingerprint, about(data), seed, answers)


def _data(context: Context) -> Collection | Scores:
    imported = context.opened.imported
    if imported is None:
        return context.collection
    return imported.select(topics=context.topics, systems=context.systems)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """The squares, and the chosen finding on every collection."""
    number = int(values["number"])
    claim, asked = CLAIMS[number - 1], PARTS[values["part"]]
    own = findings_of(context, asked, values["seed"])
    atlas = [one for one in stored() if one.fingerprint != own.fingerprint]
    item = paper(claim.paper).item(claim.items[0])
    one = f"{item.name} of {paper(claim.paper).cite}"
    return Panel(
        sentence=_sentence(own),
        drawings=({"squares": _drawing(own, atlas, number)},),
        tables={
            f"Finding {number}": _one(number, [*atlas, own]),
            "All findings on these data": _all(own),
            "All collections": _everywhere([*atlas, own]),
        },
        notes=_notes(number, own),
        unfolded=True,
        ways=(
            (f"Recompute {one} on these data", view_of(claim, context.opened.key, values["seed"])),
            *((f"Tables and figures of {each.cite}", _gallery(each.key, context)) for each in PAPERS),
        ),
    )


def _gallery(key: str, context: Context) -> View:
    return View.of("gallery", paper=key, collection=context.opened.key)


def _drawing(own: Findings, atlas: Sequence[Findings], number: int) -> Drawing:
    rows = [f"{n}. {claim.text}" for n, claim in enumerate(CLAIMS, start=1)]
    columns = ["the paper", *(one.title for one in atlas), own.title]
    answers = [{one.number: one for one in part.answers} for part in (*atlas, own)]
    states = np.array([[CLEARLY, *(state_of(part.get(n)) for part in answers)] for n in range(1, len(rows) + 1)])
    words = [[_printed(n), *(_hover(part.get(n)) for part in answers)] for n in range(1, len(rows) + 1)]
    drawn = _framed(squares(rows, columns, states, words), number - 1)
    alt = f"One row per finding, one column per collection; the last is {own.title}. {_sentence(own)}"
    hint = "click a square to see its numbers"
    return Drawing(drawn, "Findings by collection", alt, picks=("number",), hint=hint)


def _printed(number: int) -> str:
    return f"printed: {CLAIMS[number - 1].printed}"


def _hover(found: Found | None) -> str:
    """What a square says: its state and the numbers, on lines of readable length."""
    if found is None:
        return "not asked"
    text = plotly_escape(_start(found.numbers, 180))
    return f"{STATES[state_of(found)]}<br>{text}"


def _sentence(own: Findings) -> str:
    seen = [one for one in own.answers if one.seen]
    unseen = [one for one in own.answers if one.seen is False]
    close = sum(not one.clear for one in (*seen, *unseen))
    cannot = sum(not one.applicable for one in own.answers)
    start = f"{len(seen)} of {counted(len(own.answers), 'published finding')} asked of {own.title} are seen there"
    margin = f"; {close} of these answers rest on a margin below {CLEAR:g}" if close else ""
    return f"{start}, {len(unseen)} are not, and {cannot} cannot be asked{margin}."


def _one(number: int, parts: Sequence[Findings]) -> Table:
    claim = CLAIMS[number - 1]
    rows = [("the paper", "claimed", np.nan, f"{claim.printed} ({claim.place})")]
    for part in parts:
        found = next((one for one in part.answers if one.number == number), None)
        if found is not None:
            margin = np.nan if found.margin is None else found.margin
            rows.append((part.title, STATES[state_of(found)], margin, found.numbers))
    frame = pd.DataFrame(rows, columns=["collection", "answer", "margin", "numbers"])
    return Table(frame, f"One row per collection: {claim.text}. Seen if: {claim.seen}.", wrapped=True)


def _all(own: Findings) -> Table:
    frame = own.frame().drop(columns=["applicable", "view"])
    frame["seen"] = [STATES[state_of(one)] for one in own.answers]
    return Table(frame, "One row per finding: the answer, the numbers here and the printed ones, and the source.")


def _everywhere(parts: Sequence[Findings]) -> Table:
    frame = pd.DataFrame({"finding": [f"{n}. {claim.text}" for n, claim in enumerate(CLAIMS, start=1)]})
    for part in parts:
        known = {one.number: one for one in part.answers}
        frame[part.title] = [STATES[state_of(known.get(n))] for n in range(1, len(CLAIMS) + 1)]
    about = "One row per finding, one column per collection; what was not asked cannot be told from what cannot be."
    return Table(frame, about, names=[part.title for part in parts])


def _notes(number: int, own: Findings) -> tuple[str, ...]:
    claim = CLAIMS[number - 1]
    signs = ", ".join(f"{sign} {state}" for sign, state in zip(SIGNS, STATES, strict=True) if sign)
    return (
        f"{paper(claim.paper).cite}, {claim.place}: “{claim.quote}”.",
        *((claim.remark,) if claim.remark else ()),
        f"{signs}; no sign: cannot be asked. A margin is the smallest slack of the condition, in τ or as a share; "
        "identities have none. It is not a test of significance.",
        f"Random draws: {TRIALS:,} splits, shuffles or resamples and {REPEATS} reductions of a pool, seed {own.seed}. "
        "Other collections than yours were computed before, with seed 0; two of them are simulated.",
    )


def _python(context: Context, values: Mapping[str, Any]) -> list[str]:
    part = "" if values["part"] == "all" else f", numbers={list(EXACT)}"
    data = "c" if context.opened.imported is None else "s"
    return [f"table = irviz.findings({data}, seed={values['seed']}{part}).frame()"]


def _command(context: Context, values: Mapping[str, Any]) -> list[str]:
    part = [] if values["part"] == "all" else ["--numbers", ",".join(map(str, EXACT))]
    return ["findings", "--seed", str(values["seed"]), *part]


SNIPPET = Snippet(table="All findings on these data", python=_python, command=_command, scored=False)
PAGE = Page(
    name="findings",
    title="Findings",
    question="Do the published findings hold on your data?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
