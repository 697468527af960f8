"""The lab's figures: readers who walk and stop, what they carry away, the score as an area, a swap, many splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import axis, chart, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, GREY, PALETTE, VERMILION, Trace, bar, plotly_escape
from irviz.figures.unchecked import layout_of
from irviz.labs.browsing import model
from irviz.labs.charts import as_far, bars_beside, below_lists, blend, curve, extend, silent
from irviz.labs.documents import document_cells, document_row, hatch, lists_drawing, moves
from irviz.labs.lab import HIGHEST, edits
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
_NARROW = 205  # pixels that the ranks have where two figures stand side by side
_ROW = {"visible": False, "range": [-0.7, 0.7]}  # of documents


def cwl_curves(
    grades: Sequence[int], top: int, paths: Sequence[model.ReaderPath], after_click: Sequence[str | None]
) -> go.Figure:
    """The documents on top, then C, W and L of one or two readers, over one axis of ranks."""
    longest = max(len(grades), *(len(reader.last) for reader in paths))
    parts = {
        "C: reads on": [reader.continuation for reader in paths],
        "W: attention": [reader.weight for reader in paths],
        "L: stops here": [reader.last for reader in paths],
    }
    hover = "rank %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"
    curves = [
        [
            curve(reader.name, _ranks(y), y, n, legendgroup=str(n), showlegend=row == 0, hovertemplate=hover)
            for n, (reader, y) in enumerate(zip(paths, part, strict=True))
        ]
        for row, part in enumerate(parts.values())
    ]
    return rows(
        [[_make_draggable(document_row(grades, top, after_click, _NARROW), grades)], *curves],
        (0.13, 0.29, 0.29, 0.29),
        470,
        axis("rank", [0.4, longest + 0.6], dtick=1 if longest <= 15 else 5),
        [_ROW, *(axis(words, [-0.04, 1.06], tickvals=[0, 0.5, 1]) for words in parts)],
    )


def _ranks(values: Floats) -> NDArray[np.int_]:
    return np.arange(1, len(values) + 1)


def score_area(paths: Sequence[model.ReaderPath], height: int = 470) -> go.Figure:
    """One bar per rank, L(i) wide and A(i) high: their areas together are the score."""
    tallest = max(float(max(reader.amount.max(), reader.amount_beyond)) for reader in paths)
    ends = [0, 1.12 * (tallest if tallest > 1e-9 else 1.0)]
    titles = [{"text": plotly_escape(reader.name), "font": {"size": 12}} for reader in paths]
    return rows(
        [_bars(reader, n) for n, reader in enumerate(paths)],
        (1,) * len(paths),
        height,
        axis("readers, by the rank they stop at", [0, 1], tickformat=".0%"),
        [{"title": title, "range": ends} for title in titles],
        bargap=0,
        barmode="overlay",
        margin={"r": 20},  # room for half of "100%", which is left out otherwise
        showlegend=False,
    )


def _bars(one: model.ReaderPath, n: int) -> list[Trace]:
    """One bar per rank; those who would have read on come last, hatched."""
    stops = one.last.copy()
    stops[-1] -= one.share_beyond
    ends, wide = np.cumsum(stops), stops > 1e-9
    ranks = np.flatnonzero(wide) + 1
    look = {"color": PALETTE[n], "opacity": 0.75, "line": {"color": "white", "width": 1}}
    above = {"textposition": "outside", "cliponaxis": False}
    bars = [
        bar(
            x=(ends - stops / 2)[wide],
            y=one.amount[wide],
            width=stops[wide],
            marker=look,
            text=[str(rank) if share > 0.035 else "" for rank, share in zip(ranks, stops[wide], strict=True)],
            textangle=0,
            customdata=np.stack([ranks, stops[wide], (stops * one.amount)[wide]], axis=1),
            hovertemplate="stop at rank %{customdata[0]}: %{customdata[1]:.1%} of the readers<br>each takes away "
            "%{y:.3f}<br>area %{customdata[2]:.4f}<extra></extra>",
            **above,
        )
    ]
    if one.share_beyond > 1e-9:
        hover = f"{one.share_beyond:.1%} of the readers would read on<br>each takes away %{{y:.3f}}<extra></extra>"
        bars.append(
            bar(
                x=[ends[-1] + one.share_beyond / 2],
                y=[one.amount_beyond],
                width=[one.share_beyond],
                marker={**look, "pattern": hatch("/")},
                text=["would read on"] if one.share_beyond > 0.12 else [""],
                hovertemplate=hover,
                **above,
            )
        )
    return bars


# -- figures of the steps -------------------------------------------------------------------------------


def the_list(values: Values) -> Drawing:
    """The list with its grades."""
    return lists_drawing({"grades": values["grades"]}, HIGHEST, f"The list; {HIGHEST} is the best grade of a document")


def _padded_list(values: Values, length: int, cells: bool = False) -> Trace:
    """The documents of a list, as far as its readers walk, each changed by a click; as cells or apart."""
    grades = values["grades"]
    padded = (*grades, *[0] * (length - len(grades)))
    meant, _ = edits(values, padded, HIGHEST)
    clicks = [text and ",".join(text.split(",")[: max(len(grades), n + 1)]) for n, text in enumerate(meant[:length])]
    return _make_draggable((document_cells if cells else document_row)(padded[:length], HIGHEST, clicks), grades)


def _make_draggable(row: Trace, grades: Sequence[int]) -> Trace:
    """The row, or the cells, with the documents of the list to be dragged."""
    return {**row, "meta": {"drag": moves(grades, row["x"], 0.5 if row["type"] == "bar" else 0)[: len(row["x"])]}}


def readers(values: Values) -> Drawing:
    """A hundred readers walk down the list and stop; those who would read on come after the list."""
    measure = model.made_measure(values)
    counts = model.stopping(model.walk(measure, values["grades"]))
    stops = f"Of {model.READERS} readers, by the rank where they stop: {', '.join(map(str, counts[:-1]))}; "
    fig = walking(values, counts)
    alt = f"{stops}{counts[-1]} read on."
    title = f"{model.READERS} readers walk down the list"
    return Drawing(fig, title, alt, ("grades",), edits(values, (), HIGHEST)[1])


def walking(values: Values, counts: Sequence[int]) -> go.Figure:
    """One dot per reader, in the column of the rank where they stop; frames walk them there from rank 1."""
    wide, last = 5, len(counts)  # dots side by side: as many as a column of a phone has room for
    stops = np.repeat(np.arange(1, last + 1), counts)
    place = np.concatenate([np.arange(count) for count in counts])
    across, height = (place % wide - (wide - 1) / 2) * 0.17, place // wide + 0.5
    tallest = max(-(-max(counts) // wide), 4)
    order = np.random.default_rng(1).permutation(model.READERS)  # who stops first is anywhere in the crowd
    crowd_x, crowd_y = (order % 10 - 4.5) * 0.085, tallest * (0.25 + 0.65 * (order // 10) / 9)
    moments = np.concatenate([np.arange(1, last, 1 / 6), np.full(8, last)])
    walked = np.minimum(moments[:, None], stops)
    settled = np.clip((np.arange(len(moments))[:, None] - 6 * (stops - 1)) / 6, 0, 1)
    x = walked + (1 - settled) * crowd_x + settled * across
    y = (1 - settled) * crowd_y + settled * height
    tops = [-(-count // wide) + 0.5 for count in counts]
    there = [
        [str(int((settled[n][stops == at] > 0.9).sum())) for at in range(1, last + 1)] for n in range(len(moments))
    ]
    frames = [
        [{"x": np.round(x[n], 2), "y": np.round(y[n], 2)}, {"y": tops, "text": there[n]}] for n in range(len(moments))
    ]
    passed = np.cumsum(counts[:-1])
    ranks = np.minimum(moments.astype(int), last - 1)
    captions = [f"rank {rank}: {passed[rank - 1]} have stopped" for rank in ranks]
    captions[-1] = f"{passed[-1]} have stopped, {counts[-1]} would read on"
    colours = np.where(stops == last, VERMILION, BLUE)
    dots = silent(frames[-1][0]["x"], frames[-1][0]["y"], "markers", marker={"size": 5, "color": colours})
    columns = list(range(1, last + 1))
    numbers = silent(columns, tops, "text", text=there[-1], textfont={"size": 12})
    names = [*map(str, range(1, last)), "read on"]
    fig = rows(
        [[_padded_list(values, last - 1)], [dots, numbers]],
        (0.16, 0.84),
        320,
        axis("rank at which they stop", [0.4, last + 0.7], showgrid=False, tickvals=columns, ticktext=names),
        [_ROW, {"visible": False, "range": [0, tallest + 1.2]}],
    )
    return moving(fig, frames, [1, 2], captions)


def carried_gain(values: Values) -> Drawing:
    """The gain of a reader who stops at a rank, by ERG and by max, below the list."""
    rate = model.made_measure(values)
    both = [rate, replace(rate, A=model.reader(model.EXAMPLES[2]).A)]
    amounts = {str(measure.A): model.walk(measure, values["grades"]).amount for measure in both}
    lines = [
        curve(model.NAMES["ab"[n]], _ranks(y), y, n, hovertemplate="rank %{x}: %{y:.4f}")
        for n, y in enumerate(amounts.values())
    ]
    depth = len(amounts[str(rate.A)])
    x = axis("rank at which they stop", [0.4, depth + 0.6], dtick=1)
    ys = [_ROW, axis("carried away", [0, 1.08 * max(1.0, *map(max, amounts.values()))])]
    fig = rows([[_padded_list(values, depth)], lines], (0.18, 0.82), 340, x, ys)
    at = np.linspace(1, depth, 60)
    frames = [[as_far(_ranks(y), y, rank) for y in amounts.values()] for rank in at]
    captions = [
        f"rank {int(rank)}: {', '.join(f'{name} {number(float(y[int(rank) - 1]))}' for name, y in amounts.items())}"
        for rank in at + 1e-9
    ]
    amounts_text = "; ".join(f"{name} {', '.join(map(number, amount))}" for name, amount in amounts.items())
    alt, animated = f"By the rank where they stop: {amounts_text}.", moving(fig, frames, [1, 2], captions)
    return Drawing(animated, "What they carry away", alt, ("grades",), edits(values, (), HIGHEST)[1])


def area(values: Values) -> Drawing:
    """Readers walk down the list, line up by the rank where they stopped, and rise to what they carry away."""
    fig = rising(values, model.walk(model.made_measure(values), values["grades"]))
    alt = f"The widths times the heights are {model.of_area(values)['sum']}."
    title = "The score is the area: how many stop × what they carry"
    return Drawing(fig, title, alt, ("grades",), edits(values, (), HIGHEST)[1])


def rising(values: Values, w: model.ReaderPath) -> go.Figure:
    """The area of :func:`score_area` for one reader, and a hundred readers as dots who make it."""
    counts = model.stopping(w)
    last = len(counts) - 1
    stops = np.repeat(np.arange(last + 1), counts)
    high = np.append(w.amount, w.amount_beyond)[stops]
    tallest = float(high.max()) if high.max() > 1e-9 else 1.0
    top = max(2.0, tallest) if "predicted" in values else tallest  # in a step readers are compared
    share = (np.arange(model.READERS) + 0.5) / model.READERS
    column = (np.minimum(stops, last - 1) + 0.5) / last
    walks = np.concatenate([np.arange(0, last, 1 / 10), np.full(6, last)])
    lane = np.minimum(high, 0.1 * top * (np.arange(model.READERS) % 10) / 10)  # so that nobody sinks
    apart = ((np.arange(model.READERS) * 7) % 10 - 4.5) / 10 / last * 0.8
    outline = np.concatenate([[0.0], np.repeat(high, 2), [0.0]])
    edges = np.concatenate([[0.0], np.repeat(np.arange(model.READERS + 1) / model.READERS, 2)[1:-1], [1.0]])
    frames = [
        [
            {"x": np.round(np.minimum((moment + 0.5) / last, column) + apart, 4), "y": np.round(lane, 4)},
            {"x": [0, 1], "y": [0, 0]},
        ]
        for moment in walks
    ]
    frames += [
        [
            {"x": blend(column + apart, share, t), "y": blend(lane, high, t)},
            {"x": np.round(edges, 4), "y": np.round(t * outline, 4)},
        ]
        for t in np.linspace(0, 1, 30) ** 1.5
    ]
    captions = [f"they walk: rank {min(int(moment) + 1, last)}" for moment in walks]
    captions += ["each rises to what they carry away"] * 29 + [f"the area is the score, {number(w.score)}"]
    (end, under), ends = frames[-1], np.cumsum(w.last)
    high_up = top if "predicted" in values else w.score  # above the line of the prediction
    numbers = {"x": np.round([*(ends - w.last / 2), 0.01], 4), "y": np.round([*(w.amount + 0.02 * top), high_up], 4)}
    words = [number(x, 2) if share > 0.05 else "" for x, share in zip(w.amount, w.last, strict=True)]
    places, sizes = [*["top center"] * len(words), "top right"], [*[12] * len(words), 20]
    words = [*words, f"<b>score {number(w.score)}</b>"]
    labels = silent(**numbers, mode="text", text=words, textposition=places, textfont={"size": sizes})
    unseen = {"y": np.full(len(words), -9.0)}  # the numbers come with the last frame
    frames = [[*moved, unseen] for moved in frames[:-1]] + [[*frames[-1], {"y": numbers["y"]}]]
    dots = silent(end["x"], end["y"], "markers", marker={"size": 5, "color": BLUE})
    fill = silent(under["x"], under["y"], "lines", fill="tozeroy", fillcolor=AREA, line={"color": BLUE, "width": 1})
    x = axis("readers, by the rank they stop at", [0, 1], tickformat=".0%", showgrid=False)
    ys = [{"visible": False, "range": [0, 1]}, axis("carried away", [-0.03 * top, 1.1 * top])]
    documents = _padded_list(values, last, cells=True)
    fig = rows([[documents], [dots, fill, labels]], (0.14, 0.86), 340, x, ys, gap=0.1, margin={"r": 20}, bargap=0)
    (below, _), (_, above) = (layout_of(fig)[name]["domain"] for name in ("yaxis", "yaxis2"))
    look = {"type": "path", "yref": "paper", "line": {"color": GREY, "width": 1, "dash": "dot"}}
    bounds = enumerate([0.0, *ends.round(4).tolist()])  # from every document to its bar
    paths = [{**look, "path": f"M{n / last:.4f},{below:.4f}L{end},{above:.4f}L{end},0"} for n, end in bounds]
    return moving(extend(fig, shapes=paths), frames, [1, 2, 3], captions)


def swap(values: Values) -> Drawing:
    """The list before and after two documents change places."""
    return lists_drawing(model.swap_lists(values), HIGHEST, "The list before and after")


def swap_scores(values: Values) -> Drawing:
    """Two bars per reader: the score before and after the swap; a document is dragged onto the one it swaps with."""
    readings = model.of_swap(values)
    clauses = "; ".join(
        f"{readings[f'reader {key}']} {number(readings[f'before {key}'])}, then {number(readings[f'after {key}'])}"
        for key in "abcd"
    )
    names = [plotly_escape(readings[f"reader {key}"]).replace(" · ", "<br>") for key in "abc"] + ["ERR"]
    groups = {when: [readings[f"{when} {key}"] for key in "abcd"] for when in ("before", "after")}
    ranks = range(1, len(values["grades"]) + 1)
    goals = [[{"x": to, "y": 0, "given": [rank, to]} for to in ranks if to != rank] for rank in ranks]
    fig = below_lists(
        bars_beside(names, groups, "score", 1.35), model.swap_lists(values), HIGHEST, meta={"drag": goals}
    )
    fig = extend(fig, xaxis2={**layout_of(fig)["xaxis2"], "showticklabels": True})
    hint = "drag a document of the first row onto another"
    return Drawing(fig, "Before and after", f"{clauses}.", ("one", "other"), hint)


def user_ratings(values: Values) -> Drawing:
    """How satisfied users said they were."""
    ratings, _ = model.asked_users()
    bars = [bar(x=list(ratings), y=list(ratings.values()), marker={"color": BLUE}, text=list(ratings.values()))]
    x, y = axis("satisfaction", [-0.6, 4.6], dtick=1), axis("lists", [0, 1.15 * max(ratings.values())])
    counts_text = ", ".join(f"{rating}: {count:,}" for rating, count in ratings.items())
    return Drawing(
        chart(bars, 300, x, y, showlegend=False), "How satisfied users were", f"Lists by rating: {counts_text}."
    )


def agreement(values: Values) -> Drawing:
    """How well both scores agree with users."""
    readings = model.of_users(values)
    fig = bars_beside(["ERG", "max"], {"ρ": [readings["rate"], readings["best"]]}, "Spearman's ρ with satisfaction", 1)
    alt = f"Spearman's ρ with satisfaction: {number(readings['rate'])} with ERG, {number(readings['best'])} with max."
    return Drawing(fig, f"Readers of {values['c']}: which score agrees with users?", alt)


FIGURES = {
    "list": the_list,
    "readers": readers,
    "carried": carried_gain,
    "area": area,
    "swap": swap,
    "swapped": swap_scores,
    "asked": user_ratings,
    "agreement": agreement,
}
