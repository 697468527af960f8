"""The page *Findings*: published findings × collections, the papers' own first, then the reader's data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.collection.model import Collection
from irviz.errors import counted, verb
from irviz.figures.axes import standing_out
from irviz.figures.theme import (
    DIVERGING,
    FAINT,
    figure,
    heatmap,
    labels,
    plotly_escape,
    scatter,
    stepped,
)
from irviz.gallery import CLAIMS, PAPERS
from irviz.gallery.findings import (
    ALL,
    GROUPS,
    REPEATS,
    TRIALS,
    Findings,
    Result,
    about,
    answered,
    stored,
    view_of,
)
from irviz.stats.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED
from irviz.workspace.data import bundled_titles
from irviz.workspace.page import Page, Snippet
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
        quick="first",
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
_SMALL = {"showarrow": False, "font": {"size": 11}}
_SAID = 0.1  #: where the words of a row end and its squares begin, from -0.5 to 0.5
_SCREEN = 9  #: findings that a phone shows at once


def state_of(one: Result | None) -> int:
    """How clearly a finding is seen, from not at all to clearly; `CANNOT` also where it was not asked."""
    if one is None or one.seen is None:
        return CANNOT
    if one.seen:
        return CLEARLY if one.clear else SEEN
    return CLEARLY_NOT if one.clear else NOT


def squares(
    rows: Sequence[str],
    columns: Sequence[str],
    states: np.ndarray,
    words: Sequence[Sequence[str]],
    addresses: Sequence[Sequence[str]],
) -> go.Figure:
    """A square per finding and collection, below the finding; the second column, the reader's, stands out.

    A click gives the number of the row, and the address of the view that computes the square ("" for none).

    Parameters
    ----------
    rows, columns : names
    states : rows × columns; 0 cannot be asked, 1 to 4 from clearly not seen to clearly seen
    words, addresses : rows × columns; hover texts, and views
    """
    names, again = (_named(labels(columns, most)) for most in (42, 20))
    cells = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    above = np.full(states.shape, np.nan)  # where the finding is said: at the left there is no room on a phone
    at = [_place(i) for i in range(len(rows))]
    starts = [-0.5, *(row + 0.5 for row in at)]  # where a row begins, or the names of the columns above it
    trace = heatmap(
        z=np.stack([above, states], axis=1).reshape(-1, len(columns)),
        x=np.arange(len(columns)),
        y=[*np.column_stack([starts[:-1], np.add(at, _SAID)]).ravel().tolist(), starts[-1]],
        zmin=-0.5,
        zmax=4.5,
        colorscale=stepped(_COLOURS),
        showscale=False,
        xgap=2,
        hoverongaps=False,
        hoverinfo="skip",
    )
    signs = scatter(
        x=[j for _, j in cells],
        y=[at[i] + (_SAID + 0.5) / 2 for i, _ in cells],
        mode="markers+text",
        text=[SIGNS[states[i, j]] for i, j in cells],
        textfont={"size": 11, "color": [_INK[states[i, j]] for i, j in cells]},
        marker={"symbol": "square", "size": 18, "opacity": 0},
        customdata=[[str(i + 1), plotly_escape(columns[j]), words[i][j], addresses[i][j]] for i, j in cells],
        hovertemplate="%{customdata[0]}, %{customdata[1]}<br>%{customdata[2]}<extra></extra>",
        showlegend=False,
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    drawn = figure([trace, signs], 150 + 56 * (at[-1] + 1), hovermode="closest", dragmode=False)
    drawn.update_xaxes(
        range=[-0.5, len(columns) - 0.5],
        tickvals=list(range(len(columns))),
        ticktext=names,
        tickangle=-60,
        side="top",
        showgrid=False,
        zeroline=False,
    )
    drawn.update_yaxes(range=[starts[-1], -0.5], visible=False)
    corner = {"xref": "paper", "x": 0, "xanchor": "left", "yanchor": "bottom", "align": "left"}
    drawn.update_layout(
        margin={"t": 210, "r": 110},
        annotations=[
            *({**corner, **_SMALL, "y": y + _SAID, "text": text} for y, text in zip(at, _two_lines(rows), strict=True)),
            *(
                {**_SMALL, "textangle": -60, "xanchor": "left", "yanchor": "bottom", "x": j, "y": y - 0.5, "text": text}
                | {"xshift": -9}  # of slanted text, the left end is that of its first letter's top
                for y in at[_SCREEN::_SCREEN]
                for j, text in enumerate(again)
            ),
        ],
    )
    return drawn


def _named(names: list[str]) -> list[str]:
    """The names with the reader's, the second, standing out."""
    return [names[0], standing_out(names[1]), *names[2:]]


def _place(row: int) -> int:
    """Where a finding stands: the names of the columns, as high as two findings, are repeated above every ninth."""
    return row + 2 * (row // _SCREEN)


def _two_lines(texts: Sequence[str], least: int = 54) -> list[str]:
    """Texts on one line or two, no wider than the longest of them needs.

    >>> _two_lines(["1. one < two and three", "2. four"], 12)
    ['1. one &lt; two<br>and three', '2. four']
    """
    width = next(width for width in count(least) if all(len(wrap(text, width)) <= 2 for text in texts))
    return ["<br>".join(map(plotly_escape, wrap(text, width))) for text in texts]


def _start(text: str, most: int) -> str:
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
        y0=_place(row) - 0.5,
        y1=_place(row) + 0.5,
        yref="y",
        line={"width": 2, "color": "#808A94"},
    )
    return drawn


# -- the page --------------------------------------------------------------------------------------


def findings_of(context: Context, numbers: tuple[int, ...], seed: int) -> Findings:
    """Findings on what the sidebar chose: stored ones where these are the data of a stored column."""
    imported = context.opened.imported
    data: Collection | Scores = (
        context.collection if imported is None else imported.select(topics=context.topics, systems=context.systems)
    )
    title, fingerprint = context.opened.title, fingerprint_of(data)
    known = next((one for one in stored() if one.fingerprint == fingerprint), None)
    if known is not None and seed == known.seed:
        return replace(known, title=title, results=tuple(one for one in known.results if one.number in numbers))
    results = context.remember(answered, data, numbers, TRIALS, REPEATS, seed, workers=-1)
    return Findings(context.opened.key, title, fingerprint, about(data), seed, results)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """The squares, and the chosen finding on every collection."""
    number = int(values["number"])
    source, claim = CLAIMS[number - 1]
    own = findings_of(context, PARTS[values["part"]], values["seed"])
    atlas = [one for one in stored() if one.fingerprint != own.fingerprint]
    key = context.opened.key
    item = f"{source.item(claim.items[0]).name} of {source.cite}" if claim.items else "its numbers"
    return Panel(
        sentence=_sentence(own),
        drawings=({"squares": _drawing(own, atlas, number, key)},),
        tables={
            f"Finding {number}": _one(number, [own, *atlas]),
            "All findings on these data": _all(own),
            "All collections": _everywhere([own, *atlas]),
        },
        notes=_notes(number, own),
        unfolded=True,
        ways=(
            (f"Recompute {item} on these data", view_of(source, claim, key, values["seed"])),
            *(
                (f"Tables and figures of {one.cite}", View.of("gallery", paper=one.key, collection=key))
                for one in PAPERS
            ),
        ),
    )


def _drawing(own: Findings, atlas: Sequence[Findings], number: int, key: str) -> Drawing:
    rows = [f"{n}. {claim.text}" for n, (_, claim) in enumerate(CLAIMS, start=1)]
    columns = ["the source", own.title, *(one.title for one in atlas)]
    parts = [(key, own), *((one.name if one.name in bundled_titles() else "", one) for one in atlas)]
    states = np.array([[CLEARLY, *(state_of(part.get(n)) for _, part in parts)] for n in ALL])
    words = [[f"printed: {CLAIMS[n - 1][1].printed}", *(_hover(part.get(n)) for _, part in parts)] for n in ALL]
    addresses = [
        ["", *(view_of(*CLAIMS[n - 1], name, part.seed).to_url() if name else "" for name, part in parts)] for n in ALL
    ]
    drawn = _framed(squares(rows, columns, states, words, addresses), number - 1)
    alt = (
        f"One row per finding, one column per collection; the first after the source's is {own.title}. {_sentence(own)}"
    )
    hint = "click a square of your data or of a bundled collection for the view that computes it"
    title = f"Findings by collection ({_LEGEND})"
    return Drawing(drawn, title, alt, picks=("number",), leads=True, hint=hint)


def _hover(one: Result | None) -> str:
    """The text of a square: its state, the effect and the numbers, on lines of readable length."""
    if one is None:
        return "not asked"
    effect = f": {one.words}" if one.words else ""
    return f"{STATES[state_of(one)]}{effect}<br>{plotly_escape(_start(one.numbers, 180))}"


def _sentence(own: Findings) -> str:
    seen = [one for one in own.results if one.seen]
    unseen = [one for one in own.results if one.seen is False]
    close = sum(not one.clear for one in (*seen, *unseen))
    cannot = sum(one.seen is None for one in own.results)
    asked = f"{counted(len(own.results), 'published finding')} asked of {own.title}"
    start = f"{len(seen)} of {asked} {verb(len(seen), 'is', 'are')} seen there"
    unclear = f"; {close} of these answers {verb(close, 'is', 'are')} not clear" if close else ""
    return f"{start}, {len(unseen)} {verb(len(unseen), 'is', 'are')} not, and {cannot} cannot be asked{unclear}."


def _one(number: int, parts: Sequence[Findings]) -> Table:
    claim = CLAIMS[number - 1][1]
    rows = [("the source", "claimed", "", f"{claim.printed} ({claim.place})")]
    known = [(part.title, part.get(number)) for part in parts]
    rows += [(title, STATES[state_of(one)], one.words, one.numbers) for title, one in known if one]
    frame = pd.DataFrame(rows, columns=["collection", "answer", "effect", "numbers"])
    return Table(frame, f"One row per collection: {claim.text}. Seen if: {claim.seen}.", wrapped=True)


def _all(own: Findings) -> Table:
    frame = own.frame().drop(columns=["applicable", "view"])
    frame["seen"] = [STATES[state_of(one)] for one in own.results]
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
        f"clearly: its 95% interval over topics (jackknife over {GROUPS} groups of topics) does not contain 0. "
        "Identities have no effect. Many findings are asked at once, and nothing is corrected for that.",
        f"Random draws: {TRIALS:,} splits, shuffles or resamples and {REPEATS} reductions of a pool, seed {own.seed}. "
        "Other collections than yours were computed before, with seed 0; two of them are simulated.",
    )


def _python(context: Context, values: Mapping[str, Any]) -> list[str]:
    part = "" if values["part"] == "all" else f", numbers={list(PARTS[values['part']])}"
    data = "c" if context.opened.imported is None else "s"
    return [f"table = irviz.findings({data}, seed={values['seed']}{part}).frame()"]


def _command(context: Context, values: Mapping[str, Any]) -> list[str]:
    part = [] if values["part"] == "all" else ["--numbers", ",".join(map(str, PARTS[values["part"]]))]
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
