"""Lab: several aspects.  Where a highly relevant document that is not correct goes, by how aspects are combined."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, GREEN, GREY, VERMILION, Trace
from irviz.labs.charts import BLANK, SKY, extend, silent
from irviz.labs.documents import VIOLET
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.screen import Handle, Mark, Screen
from irviz.workspace.control import Choice, Number, plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View

Floats = NDArray[np.float64]
CORRECTNESS = ("false", "partly correct", "fully correct")
#: levels of both aspects; what is not relevant is not correct
PAIRS = ((3, 2), (3, 1), (2, 2), (2, 1), (1, 2), (3, 0), (1, 1), (2, 0), (1, 0), (0, 0))
FAKE, MANY = PAIRS.index((3, 0)), len(PAIRS)
RIVAL = PAIRS.index((1, 1))  #: whose two gaps are drawn: by one distance it is behind fake news, by two before it
STEEPEST = 2.0  #: the largest step between two labels of correctness
STEPS = tuple(n / 4 for n in range(9))
RULES = {
    "manhattan": "both gaps added",
    "euclidean": "straight line",
    "chebyshev": "larger gap",
}
TOP = 4.8  #: where the best label of correctness is
ACROSS = -0.75  #: where rows are dragged
BENDS = -6.5, 0.0, 6.5  #: places of the rules beside each other
PILED = 0.14  #: between documents with the same labels


def lacks(values: Values) -> Floats:
    """Documents × 2: how far each is from the best label of relevance, and of correctness."""
    below = (values["c1"] + values["c2"], values["c2"], 0.0)
    return np.array([(3.0 - relevance, below[correct]) for relevance, correct in PAIRS])


def length(lack: Floats, bend: str) -> Floats:
    """The distance of … × 2 lacks by this rule."""
    larger, smaller = lack.max(axis=-1), lack.min(axis=-1)
    if bend == "chebyshev":
        return larger
    if bend == "manhattan":
        return larger + smaller
    return np.sqrt(np.square(lack).sum(axis=-1))


@lru_cache(maxsize=2048)
def _order(bend: str, c1: float, c2: float) -> tuple[Floats, list[int]]:
    distances = length(lacks({"c1": c1, "c2": c2}), bend).round(9)
    return distances, np.argsort(distances, kind="stable").tolist()


def order(values: Values) -> tuple[Floats, list[int]]:
    """How far every document is from the best, and the documents, the nearest first."""
    return _order(values["bend"], values["c1"], values["c2"])


def ranks(distances: Floats, document: int) -> tuple[int, int]:
    """The first and the last rank that a document shares with those as far from the best."""
    nearer, there = (int((mask).sum()) for mask in (distances < distances[document], distances == distances[document]))
    return nearer + 1, nearer + there


def place_words(first: int, last: int) -> str:
    """A rank, or the ranks that are shared."""
    return f"{first}" if first == last else f"{first}–{last}"


def fake_rank(values: Values) -> str:
    """The rank of fake news, or the ranks that it shares."""
    return place_words(*ranks(order(values)[0], FAKE))


def readings(values: Values) -> dict[str, Reading]:
    """The ranks of fake news, and the settings."""
    first, last = ranks(order(values)[0], FAKE)
    return {
        "first rank of fake news": first,
        "last rank of fake news": last,
        "rank of fake news": fake_rank(values),
        "as good as fake news": last - first,
        "alone or shared": "alone" if first == last else "shared",
        "steps of correctness in all": values["c1"] + values["c2"],
    }


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    return {"rank": f"{fake_rank(values)} of {MANY}"}


def answer(values: Values) -> str:
    """The ranks of fake news by two rules at the first steps, so that it stays true."""
    ranked = (fake_rank({"bend": bend, "c1": 1.5, "c2": 1.5}) for bend in ("manhattan", "chebyshev"))
    return "Every rank can be right: at 1.5 and 1.5, both gaps added give {}, the larger gap {}.".format(*ranked)


def traces(values: Values) -> list[Trace]:
    """All documents by their labels, with their ranks, and the line through fake news; beside them their distances."""
    distances, nearest = order(values)
    bend, c1, c2 = values["bend"], values["c1"], values["c2"]
    lack, far = lacks(values), float(distances[FAKE])
    heights = [TOP - c1 - c2, TOP - c2, TOP]  # of the rows
    piles = [[n for n in range(3) if heights[n] == height] for height in heights]
    aside = [n - (pile[0] + pile[-1]) / 2 for n, pile in enumerate(piles)]  # where labels are the same
    x = [round(relevance + (relevance > 0) * PILED * aside[correct], 4) for relevance, correct in PAIRS]
    y = (TOP - lack[:, 1]).round(4).tolist()
    places = [nearest.index(n) + 1 for n in range(MANY)]
    colours = [VERMILION if n == FAKE else GREEN if n == 0 else SKY for n in range(MANY)]
    symbols = ["star" if n == 0 else "circle" for n in range(MANY)]
    sizes = [36 if n == 0 else 26 for n in range(MANY)]
    shared = [place_words(*ranks(distances, n)) for n in range(MANY)]
    names = [shared[n] if n and piles[correct][0] == correct else BLANK for n, (_, correct) in enumerate(PAIRS)]
    looks = {"marker": {"color": colours, "symbol": symbols, "size": sizes, "opacity": 1.0}}
    sizes_of_names = [{3: 13, 4: 11}.get(len(name), 14) for name in names]
    inks = {"size": sizes_of_names, "color": ["#FFFFFF" if n == FAKE else "#1B1F24" for n in range(MANY)]}
    beside = {"xaxis": "x2", "yaxis": "y2"}
    bars = [
        silent(
            [end for n in which for end in (0, float(distances[n]), None)],
            [end for n in which for end in (places[n], places[n], None)],
            "lines",
            line={"color": colour, "width": 14, "simplify": False},
            **beside,
        )
        for which, colour in (([n for n in range(1, MANY) if n != FAKE], SKY), ([FAKE], VERMILION))
    ]
    numbers = [
        ("\u00a0" * 2 if n else "\u00a0" * 6) + plain(round(float(distance), 2)) for n, distance in enumerate(distances)
    ]
    low, middle, high = (height + 0.26 * aside[n] for n, height in enumerate(heights))
    labels = [round(at, 4) for at in (min(low, middle - 0.24), middle, max(high, middle + 0.24))]  # below each other
    by_rule = [fake_rank({**values, "bend": other}) for other in RULES]
    rule_at = BENDS[list(RULES).index(bend)]
    gap, between, both = plain(c2), (TOP + heights[1]) / 2, plain(round(float(distances[RIVAL]), 2))
    total = f"added: 2 + {gap} = {both}" if bend == "manhattan" else f"{RULES[bend]}: {both}"
    larger = ([1, 2, 3], [TOP] * 3) if c2 < 2 else ([1] * 3, [heights[1], between, TOP])
    counted: dict[str, tuple[list[int], list[float]]] = {
        "manhattan": ([1, 1, 3], [heights[1], TOP, TOP]),
        "euclidean": ([1, 2, 3], [heights[1], between, TOP]),
        "chebyshev": larger,
    }
    path_x, path_y = counted[bend]
    return [
        silent(
            [ACROSS, 3.2, None] * 2, [heights[0]] * 3 + [heights[1]] * 3, "lines", line={"color": VIOLET, "width": 1}
        ),
        *_worse(bend, far),
        silent([0.2], [0.3], "text", text=["worse than<br>fake news"], textfont={"color": GREY}, **_RIGHT),
        silent([ACROSS] * 2, [TOP, heights[1] - STEEPEST], "lines+markers", **_TRACK),
        silent([3, 3], [heights[0], TOP], "lines", line={"color": VERMILION, "width": 4, "simplify": False}),
        silent([1, 1, 3], [heights[1], TOP, TOP], "lines", line={"color": BLUE, "width": 2, "dash": "dot"}),
        silent(path_x, path_y, "lines", line={"color": BLUE, "width": 5, "simplify": False}),
        silent([x[RIVAL]], [y[RIVAL]], "markers", marker={"color": BLUE, "size": 34, "opacity": 1.0}),
        silent(x, y, "markers+text", text=names, textfont=inks, **looks),
        silent(
            [1.75, 0.88, 3.12],
            [TOP + 0.36, between, between if c2 > c1 else heights[1] - c1 / 2],
            "text",
            text=[
                f"<b>{total}</b><br>gap in relevance 2",
                f"gap in<br>correctness<br>{gap}" if c2 >= 1 else BLANK,
                plain(far) if max(c1, c2) >= 1 else BLANK,
            ],
            textposition=["top center", "middle left", "middle right"],
            textfont={"color": [BLUE, BLUE, VERMILION], "size": 13},
            **_FREE,
        ),
        silent([x[FAKE]], [y[FAKE] - 0.15], "text", text=["fake<br>news"], textposition="bottom center", **_FREE),
        *bars,
        silent([0], [1], "markers", marker={"symbol": "star", "size": 18, "color": GREEN}, **beside),
        silent(distances.tolist(), places, "text", text=numbers, **_RIGHT, **beside),
        silent(
            [-4.8] * MANY, places, "text", text=shared, textfont=_HUES, textposition="middle left", **_FREE, **beside
        ),
        silent([0], [-4.6], "text", text=[f"rank {shared[FAKE]}"], textfont=_LARGE, **_FREE, **beside),
        silent(
            [ACROSS - 0.2] * 3, labels, "text", text=CORRECTNESS, textposition="middle left", textfont=_ROWS, **_FREE
        ),
        silent([ACROSS], [heights[1] - STEEPEST - 0.3], "text", text=["↕ drag"], textfont=_ROWS, **_FREE),
        silent(
            BENDS, [-2.5] * 3, "text", text=[rule.replace(" ", "<br>") for rule in RULES.values()], **_FREE, **beside
        ),
        silent(BENDS, [-1] * 3, "text", text=by_rule, **_FREE, **beside),
        silent([rule_at - 2, rule_at + 2], [-0.4] * 2, "lines", line={"color": VERMILION, "width": 3}, **beside),
        silent([ACROSS] * 2, [labels[1], labels[0]], "markers", marker=_HANDLE, **_FREE),
    ]


_FREE = {"cliponaxis": False}
_RIGHT = {"textposition": "middle right", **_FREE}
_ROWS = {"size": 12, "color": [VIOLET, VIOLET, GREY]}
_HUES = {"color": [VERMILION if n == FAKE else GREY for n in range(MANY)]}
_TRACK = {"line": {"color": VIOLET, "width": 2}, "marker": {"symbol": "line-ew-open", "size": 14, "color": VIOLET}}
_LARGE = {"size": 30, "color": VERMILION}
_HANDLE = {"symbol": "triangle-right", "size": 18, "color": VIOLET, "opacity": 1.0}


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    bare: dict[str, Any] = {"showgrid": False, "zeroline": False}
    across: dict[str, Any] = {"tickvals": [0, 1, 2, 3], "tickangle": 0, "domain": [0, 0.56], **bare}
    up = {"visible": False, "range": [0, TOP + 1]}
    left = axis("relevance →", [ACROSS - 0.2, 3.75], **across)
    beside: dict[str, Any] = {
        "anchor": "y2",
        "range": [-8, 8],
        "domain": [0.6, 1],
        "showticklabels": False,
        "ticks": "",
        **bare,
    }
    layout: dict[str, Any] = {
        "xaxis2": axis("distance<br>to the star", **beside),
        "yaxis2": {"visible": False, "range": [MANY + 0.6, -5.4], "anchor": "x2"},
        "margin": {"l": 84},
    }
    fig = extend(chart(traces(values), 540, left, up), **layout)
    distances, nearest = order(values)
    listed = "; ".join(
        f"{place_words(*ranks(distances, n))}: relevance {PAIRS[n][0]}, {CORRECTNESS[PAIRS[n][1]]} correct"
        for n in nearest
    )
    return Drawing(fig, "", f"{RULES[values['bend']]}: {listed}.")


def _worse(bend: str, far: float) -> list[Trace]:
    """The line of labels as far from the best as fake news; what is below and left of it is worse."""
    angles = np.pi / 2 * np.arange(33) / 32
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1).round(12)
    line = ways * (far / length(ways, bend))[:, None]
    x, y = 3.0 - line[:, 0], TOP - line[:, 1]
    hidden = int((x < -0.4).sum())
    within = np.maximum(np.arange(len(x)), hidden)
    x, y = x[within], y[within]
    top = y[0] if hidden else TOP + 0.3
    around = {
        "x": np.concatenate([[-0.4, x[0]], x, [3.2]]).round(4).tolist(),
        "y": np.concatenate([[top] * 2, y, y[-1:]]).round(4).tolist(),
    }
    look = {"fill": "tozeroy", "fillcolor": "rgba(122,127,133,0.22)", "line": {"width": 0, "simplify": False}}
    line_look = {"color": VERMILION, "width": 2.5, "simplify": False}
    return [
        silent(**around, mode="lines", **look),
        silent(x.round(4).tolist(), y.round(4).tolist(), "lines", line=line_look),
    ]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """Places of the middle label of correctness, with which the lowest moves, and of the lowest."""
    c2 = values["c2"]
    middle = [{"x": ACROSS, "y": TOP - step, "given": [None, plain(step)]} for step in STEPS]
    lowest = [{"x": ACROSS, "y": TOP - c2 - step, "given": [plain(step), plain(c2)]} for step in STEPS]
    return [middle, lowest]


def data(values: Values) -> tuple[str, View]:
    """The same distance, with the same steps of correctness unless one is 0, on three aspects."""
    both = ",".join(map(plain, (0, values["c1"], values["c1"] + values["c2"])))
    space = f"embedding=[[0,1,2,3],[0,1,2],[{both}]]" if values["c1"] and values["c2"] else ""
    setting = f"distance='{values['bend']}'" + (f",{space}" if space else "")
    view = View.from_texts("what_if", collection="multiaspect", measures=f"TOMA(nDCG,{setting})")
    return "This distance on simulated systems", view


def _steps(values: Values, name: str) -> list[float]:
    return sorted({*STEPS, values[name]})


LAB = Screen(
    name="lab_aspects",
    title="Where does fake news go?",
    question="One document is more relevant, another is more correct. Which comes first?",
    controls=(
        Choice(name="bend", label="Distance", default="manhattan", options=tuple(RULES.items())),
        Number(name="c1", label="Step from false to partly correct", default=1.5, high=STEEPEST, step=0.25),
        Number(name="c2", label="Step from partly to fully correct", default=1.5, high=STEEPEST, step=0.25),
        Choice(
            name="guess",
            label="Guess",
            default="",
            options=(("", "none"), *((str(n), str(n)) for n in range(1, MANY + 1))),
        ),
    ),
    text="Each circle is a document; the star is a perfect one. The nearest to the star comes first. Distance: {bend}. "
    "Fake news (relevant, but false) has rank <b style='white-space: nowrap'>{=rank}</b>. Partly correct is {c1} "
    "better than false, fully correct {c2} better than partly correct.",
    guess="Where should fake news be? Drag your guess to a rank.",
    answer=answer,
    mark=Mark(
        stops=tuple(str(n) for n in range(1, MANY + 1)),
        place=lambda values: (-2.65, float(values["guess"])) if values["guess"] else (5.5, 1.1),
        axes=("x2", "y2"),
    ),
    combined=("c1", "c2"),
    handles={
        "bend": Handle(
            label="Distance to the star",
            stops=lambda _: tuple(RULES),
            words=RULES.__getitem__,
            live=True,
        ),
        "c1": Handle(
            label="Step from false to partly correct", stops=lambda values: _steps(values, "c1"), words=plain, live=True
        ),
        "c2": Handle(
            label="Step from partly to fully correct",
            stops=lambda values: _steps(values, "c2"),
            words=plain,
            live=True,
        ),
    },
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("c1", "c2"),
    goals=(
        Challenge(
            title="Put fake news on the last rank (a tie counts).",
            goal=Goal.read("last rank of fake news = 10"),
            now="Now rank {rank of fake news} of 10.",
            why="It shares rank {rank of fake news}.",
            hint="Choose another distance.",
            solution={"bend": "chebyshev"},
        ),
        Challenge(
            title="Put fake news alone on rank 3.",
            goal=Goal.read("first rank of fake news = 3; last rank of fake news = 3"),
            now="Now rank {rank of fake news}, {alone or shared}.",
            why="Its distance is below 1.",
            hint="Drag both rows near the top, but keep them apart.",
            solution={"c1": "0.25", "c2": "0.25"},
        ),
        Challenge(
            title="Make fake news as good as the star.",
            goal=Goal.read("first rank of fake news = 1"),
            now="Now rank {rank of fake news} of 10.",
            why="All rows are at one height.",
            hint="Correctness must not count: drag both rows to the top.",
            solution={"c1": "0", "c2": "0"},
        ),
    ),
    data=data,
    source="Maistro et al. 2021, eq. (2) and (3), with three distances: both gaps added (Manhattan), straight "
    "line (Euclidean) and larger gap (Chebyshev)",
    notes=(
        "No document was changed: fake news goes from rank 6 by both gaps added to 7 by the straight line, and shares "
        "the last rank with three others by the larger gap. The distance is a value judgement.",
        "The heights of the rows are one, too: they say how many grades of relevance correctness is worth.",
        "What is not relevant counts as not correct, so there are ten documents, not twelve.",
        "Steps of 1.5 and 1.5 are the first of three embeddings of correctness in Table 1 of the paper.",
    ),
)
