"""Lab: several aspects.  Where a highly relevant document that is not correct goes, by how aspects are combined."""

from __future__ import annotations

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
CORRECTNESS, ROWS = ("false", "partly correct", "fully correct"), ("false", "partly", "fully")
#: levels of both aspects; what is not relevant is not correct
PAIRS = ((3, 2), (3, 1), (2, 2), (2, 1), (1, 2), (3, 0), (1, 1), (2, 0), (1, 0), (0, 0))
FAKE, MANY = PAIRS.index((3, 0)), len(PAIRS)
RIVAL = PAIRS.index((1, 1))  #: by one distance it is behind fake news, by two before it
STEEPEST = 2.0  #: the largest step between two labels of correctness
STEPS = tuple(n / 4 for n in range(9))
RULES = {"manhattan": "sum of gaps", "euclidean": "straight line", "chebyshev": "larger gap"}
STEP = {"c1": "Gap from false to partly correct", "c2": "Gap from partly to fully correct"}
TOP = 4.8  #: where the best label of correctness is
ACROSS = (-1.45, -0.8)  #: where the lowest row is dragged, and the one between, also where they meet
APART = 0.25  #: at least, of names of rows
BENDS, RULES_AT = (-7.3, -0.3, 6.7), -3.2  #: places of the rules beside each other, and their height
LEFT, RIGHT = (-1.75, 3.75), (-8.6, 8.0)  #: x of the documents, and of their distances
UP, DOWN = (0.0, TOP + 1), (MANY + 0.6, -7.3)  #: y of both
PARTS = (0.0, 0.56), (0.6, 1.0)  #: of the width of the figure


def lacks(values: Values) -> Floats:
    """Documents × 2: how far each is from the best label of relevance, and of correctness."""
    below = (values["c1"] + values["c2"], values["c2"], 0.0)
    return np.array([(3.0 - relevance, below[correct]) for relevance, correct in PAIRS])


def length(lack: Floats, bend: str) -> Floats:
    """The distance of … × 2 lacks by this rule."""
    if bend == "euclidean":
        return np.sqrt(np.square(lack).sum(axis=-1))
    return lack.sum(axis=-1) if bend == "manhattan" else lack.max(axis=-1)


def order(values: Values) -> tuple[Floats, list[int]]:
    """How far every document is from the best, and the documents, the nearest first."""
    distances = length(lacks(values), values["bend"]).round(9)
    return distances, np.argsort(distances, kind="stable").tolist()


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
        "steps of correctness in all": values["c1"] + values["c2"],
    }


def answer(values: Values) -> str:
    """The ranks of fake news by all rules."""
    added, line, larger = (fake_rank({**values, "bend": bend}) for bend in RULES)
    return (
        f"There is no wrong rank: the sum of gaps gave rank {added}, the straight line {line}, the larger gap {larger}."
    )


def _worked(values: Values, lack: Floats) -> str:
    """How the distance of the document that is shown comes about."""
    across, up, far = (plain(round(float(each), 2)) for each in (*lack, length(lack, values["bend"])))
    ways = {
        "manhattan": f"{across} + {up} = {far}",
        "euclidean": f"√({across}² + {up}²) = {far}",
        "chebyshev": f"{far}, the larger gap",
    }
    return f"relevance gap {across}, correctness gap {up}:<br>distance {ways[values['bend']]}"


def _rows(values: Values) -> list[float]:
    """Y of the rows, the lowest first."""
    c1, c2 = values["c1"], values["c2"]
    return [round(TOP - (c1 + c2), 4), round(TOP - c2, 4), TOP]


def _over(x: float, y: float) -> tuple[float, float]:
    """A place among the distances as one among the documents."""
    across = PARTS[1][0] + (PARTS[1][1] - PARTS[1][0]) * (x - RIGHT[0]) / (RIGHT[1] - RIGHT[0])
    up = (DOWN[0] - y) / (DOWN[0] - DOWN[1])
    return round(LEFT[0] + (LEFT[1] - LEFT[0]) * across / PARTS[0][1], 4), round(UP[1] * up, 4)


def traces(values: Values) -> list[Trace]:
    """All documents by their labels, with their ranks, and the line through fake news; beside them their distances."""
    distances, nearest = order(values)
    bend, shown, rows = values["bend"], int(values["shown"]), _rows(values)
    lack, far = lacks(values), float(distances[FAKE])
    x, y = [relevance for relevance, _ in PAIRS], [rows[correct] for _, correct in PAIRS]
    places = [nearest.index(n) + 1 for n in range(MANY)]
    shared = [place_words(*ranks(distances, n)) for n in range(MANY)]
    last = {tuple(each): n for n, each in enumerate(lack.tolist())}  # of those with the same labels it is in front
    dots, presses = range(1, MANY), [VIOLET] * len(BENDS)
    small = [any(0 < abs(at - row) < 0.45 for row in rows) for at in y]  # where rows are near
    fits = [last[tuple(each)] == n and not (small[n] and "–" in shared[n]) for n, each in enumerate(lack.tolist())]
    names = [rank if is_fit else BLANK for rank, is_fit in zip(shared, fits, strict=True)]
    looks = {
        "marker": {
            "color": [VIOLET] * 2 + [VERMILION if n == FAKE else SKY for n in dots] + presses,
            "symbol": ["diamond-tall"] * 2 + ["circle"] * (len(dots) + len(BENDS)),
            "size": [16] * 2
            + [20 if small[n] else 34 if n == FAKE and y[n] < TOP else 26 for n in dots]
            + [0] * len(BENDS),
            "opacity": 1.0,
        },
        "text": [BLANK] * 2 + names[1:] + [BLANK] * len(BENDS),
        "textfont": {
            "size": [14] * 2 + [12 if small[n] or len(names[n]) > 3 else 14 for n in dots] + [14] * len(BENDS),
            "color": ["#FFFFFF" if n == FAKE + 1 else "#1B1F24" for n in range(2 + len(dots) + len(BENDS))],
        },
    }
    beside: dict[str, Any] = {"xaxis": "x2", "yaxis": "y2"}
    bars = [end for distance in distances.tolist() for end in (0, distance, None)]
    bars_at = [end for place in places for end in (place, place, None)]
    numbers = [BLANK * (2 if n else 6) + plain(round(float(distance), 2)) for n, distance in enumerate(distances)]
    by_rule = [fake_rank({**values, "bend": other}) for other in RULES]
    words = [f"<u>{'<br>'.join(rule.rsplit(' ', 1))}</u>" for rule in RULES.values()]
    is_shared, ring = "–" in shared[FAKE], 28 if small[shown] else 34
    columns = [_over(at, RULES_AT) for at in BENDS]
    rule_at = BENDS[list(RULES).index(bend)]
    middle_at = min(rows[1], TOP - APART)
    name_at = [min(rows[0], middle_at - APART), middle_at, TOP]
    start, level = float(x[shown]), y[shown]
    path = [(start, level), (start, TOP), (3, TOP)]
    if bend == "euclidean":
        path[1] = ((start + 3) / 2, (level + TOP) / 2)
    if bend == "chebyshev":  # the larger gap alone
        path[0 if lack[shown, 0] >= lack[shown, 1] else 2] = path[1]
    path_x, path_y = zip(*path, strict=True)
    return [
        *_worse(bend, far),
        _label([-0.3], [y[FAKE] - 0.25], ["farther than<br>fake news"], GREY, side="bottom right"),
        silent([LEFT[0], 3, None] * 3, [at for row in rows for at in (row, row, None)], "lines", line=_ROW_LINE),
        silent([start, start, 3], [level, TOP, TOP], "lines", line={"color": BLUE, "width": 2, "dash": "dot"}),
        silent(path_x, path_y, "lines", line={"color": BLUE, "width": 5, "simplify": False}),
        silent([start], [y[shown]], "markers", marker={"color": BLUE, "size": ring, "opacity": 1.0}),
        silent([3], [TOP], "markers", marker={**_STAR, "size": 40}, cliponaxis=False),
        _label([0.4], [TOP + 0.42], [_worked(values, lack[shown])], BLUE, side="top center"),
        _label([3], [y[FAKE] - 0.25], ["fake<br>news"], side="bottom center"),
        silent(bars, bars_at, "lines", line={**_BAR, "color": SKY}, **beside),
        silent([0, far], [places[FAKE]] * 2, "lines", line={**_BAR, "color": VERMILION}, **beside),
        silent([0], [1], "markers", marker=_STAR, **beside),
        _label(distances.tolist(), places, numbers, side="middle right", **beside),
        _label([-6.3] * MANY, places, shared, _HUES, side="middle left", **beside),
        _label([BENDS[1]], [-6.8], [f"rank {shared[FAKE]}"], VERMILION, 30, **beside),
        _label([BENDS[1]], [-5.8], ["fake news, shared" if is_shared else "fake news"], VERMILION, 14, **beside),
        _label([BENDS[1]], [-4.9], ["Press a distance:"], VIOLET, **beside),
        silent([rule_at - 1.5, rule_at + 1.5], [-1.55] * 2, "lines", line={"color": VERMILION, "width": 3}, **beside),
        _label(BENDS, [-3.6] * 3, words, VIOLET, **beside),
        _label(BENDS, [-2.1] * 3, by_rule, size=15, **beside),
        _label(LEFT[:1] * 3, name_at, [f"{word}{BLANK}" for word in ROWS], [VIOLET] * 2 + [GREY], side="middle left"),
        _label([LEFT[0] + 0.2], [0], ["correctness ↑"], side="bottom center"),
        _label([ACROSS[0] - 0.3], [name_at[0] - 0.25], ["↕ drag rows,<br>press circles"], VIOLET, side="bottom center"),
        silent(
            [*ACROSS, *x[1:], *(at for at, _ in columns)],
            [*rows[:2], *y[1:], *(at for _, at in columns)],
            "markers+text",
            cliponaxis=False,
            **looks,
        ),
    ]


_HUES = [VERMILION if n == FAKE else GREY for n in range(MANY)]
_BAR = {"width": 14, "simplify": False}
_ROW_LINE = {"color": GREY, "width": 1, "simplify": False}
_STAR = {"symbol": "star", "size": 18, "color": GREEN, "opacity": 1.0}


def _label(
    x: Any, y: Any, text: Any, colour: Any = None, size: int = 13, side: str = "middle center", **axes: str
) -> Trace:
    """Texts at these places."""
    font = {"size": size, "color": colour}
    return silent(x, y, "text", text=text, textposition=side, textfont=font, cliponaxis=False, **axes)


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    bare: dict[str, Any] = {"showgrid": False, "zeroline": False, "tickangle": 0}
    left = axis("relevance →", LEFT, tickvals=[0, 1, 2, 3], domain=PARTS[0], **bare)
    right = axis("distance<br>to the star", RIGHT, tickvals=[], domain=PARTS[1], anchor="y2", **bare)
    below = {"visible": False, "range": DOWN, "anchor": "x2"}
    up = {"visible": False, "range": UP}
    fig = extend(chart(traces(values), 540, left, up), xaxis2=right, yaxis2=below, margin={"l": 44})
    distances = order(values)[0]
    listed = "; ".join(
        f"relevance {relevance}, {CORRECTNESS[row]}: {place_words(*ranks(distances, n))}"
        for n, (relevance, row) in enumerate(PAIRS)
    )
    return Drawing(fig, "", f"Ranks by {RULES[values['bend']]}. {listed}.")


def _worse(bend: str, far: float) -> list[Trace]:
    """The line of labels as far from the best as fake news; what is below and left of it is worse."""
    angles = np.pi / 2 * np.arange(33) / 32
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1).round(12)
    line = ways * (far / length(ways, bend))[:, None]
    x, y = 3.0 - line[:, 0], TOP - line[:, 1]
    hidden = int((x < -0.4).sum())
    x, y = (each[np.maximum(np.arange(len(each)), hidden)] for each in (x, y))
    top = y[0] if hidden else TOP + 0.3
    around = {
        "x": np.concatenate([[-0.4, x[0]], x, [3.55]]).round(4).tolist(),
        "y": np.concatenate([[top] * 2, y, y[-1:]]).round(4).tolist(),
    }
    look = {"fill": "tozeroy", "fillcolor": "rgba(122,127,133,0.22)", "line": {"width": 0, "simplify": False}}
    line_look = {"color": VERMILION, "width": 2.5, "simplify": False}
    return [
        silent(**around, mode="lines", **look),
        silent(x.round(4).tolist(), y.round(4).tolist(), "lines", line=line_look),
    ]


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """Places of both rows, first of the lower one, which takes the other up where they meet; then what is pressed."""
    c2, rows, nothing = values["c2"], _rows(values), [None] * 2
    low, middle = ACROSS
    met = [{"x": low, "y": TOP - step, "given": ["0", plain(step), *nothing]} for step in STEPS if step < c2]
    return [
        [
            *(met if rows[0] == rows[1] else []),
            *({"x": low, "y": TOP - step - c2, "given": [plain(step), None, *nothing]} for step in STEPS),
        ],
        [{"x": middle, "y": TOP - step, "given": [None, plain(step), *nothing]} for step in STEPS],
        *(
            [{"x": x, "y": rows[row], "given": [*nothing, None, str(n)], "tap": True}]
            for n, (x, row) in enumerate(PAIRS)
            if n
        ),
        *(
            [{"x": x, "y": y, "given": [*nothing, rule, None], "tap": True, "reach": 48}]
            for rule, (x, y) in zip(RULES, (_over(at, RULES_AT) for at in BENDS), strict=True)
        ),
    ]


def data(values: Values) -> tuple[str, View]:
    """The same distance on three aspects."""
    view = View.from_texts("what_if", collection="multiaspect", measures=f"TOMA(nDCG,distance='{values['bend']}')")
    return "This distance on simulated systems", view


def _handle(name: str) -> Handle:
    """The handle of a step between two labels of correctness."""
    return Handle(label=STEP[name], stops=lambda values: sorted({*STEPS, values[name]}), words=plain, live=True)


LAB = Screen(
    name="lab_aspects",
    title="Where does fake news go?",
    question="One document is more relevant, another is more correct. Which comes first?",
    controls=(
        Choice(name="bend", label="Distance", default="manhattan", options=tuple(RULES.items())),
        *(Number(name=name, label=label, default=1.5, high=STEEPEST, step=0.25) for name, label in STEP.items()),
        Choice(
            name="shown",
            label="Document with a path",
            default=str(RIVAL),
            options=tuple((str(n), f"relevance {x}, {CORRECTNESS[row]}") for n, (x, row) in enumerate(PAIRS) if n),
        ),
        Choice(
            name="guess",
            label="Guess",
            default="",
            options=(("", "none"), *((str(n), str(n)) for n in range(1, MANY + 1))),
        ),
    ),
    text="The nearer a document is to the perfect one (the star), the better its rank. Fake news is relevant but "
    "false. The distance is the {bend}. From false to partly is {c1}, to fully {c2} more.",
    guess="Which rank should fake news get? Drag your rank.",
    answer=answer,
    mark=Mark(
        stops=tuple(str(n) for n in range(1, MANY + 1)),
        place=lambda values: (-3.2, float(values["guess"] or 0)),
        axes=("x2", "y2"),
        word="rank",
    ),
    combined=("c1", "c2"),
    handles={
        "bend": Handle(label="Distance to the star", stops=lambda _: tuple(RULES), words=RULES.__getitem__, live=True),
        **{name: _handle(name) for name in STEP},
    },
    readings=readings,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=("c1", "c2", "bend", "shown"),
    goals=(
        Challenge(
            title="Make fake news last. It may share rank 10.",
            goal=Goal.read("last rank of fake news = 10"),
            now="Now rank {rank of fake news}.",
            why="rank {rank of fake news}.",
            hint="Press the distance that counts only the larger gap.",
            solution={"bend": "chebyshev"},
        ),
        Challenge(
            title="Give rank 3 to fake news alone.",
            goal=Goal.read("first rank of fake news = 3; last rank of fake news = 3"),
            now="Now rank {rank of fake news}.",
            why="rank {rank of fake news}.",
            hint="Drag both rows near the top, but keep them apart.",
            solution={"c1": "0.25", "c2": "0.25"},
        ),
        Challenge(
            title="Make fake news as good as the star.",
            goal=Goal.read("first rank of fake news = 1"),
            now="Now its distance is {steps of correctness in all:g}.",
            why="its distance is 0.",
            hint="Correctness must not count: drag both rows to the top.",
            solution={"c1": "0", "c2": "0"},
        ),
    ),
    data=data,
    offline={"shown": tuple(str(n) for n in range(1, MANY))},
    source="Maistro et al. 2021, eq. (2) and (3), with three distances: sum of gaps (Manhattan), straight "
    "line (Euclidean) and larger gap (Chebyshev)",
    notes=(
        "No document was changed: fake news goes from rank 6 by the sum of gaps to 7 by the straight line, and shares "
        "the last rank with three others by the larger gap. The distance is a value judgement.",
        "The gaps between rows are one, too: they say how many grades of relevance correctness is worth.",
        "What is not relevant counts as not correct, so there are ten documents, not twelve.",
        "Gaps of 1.5 and 1.5 are the first of three embeddings of correctness in Table 1 of the paper.",
    ),
)
