"""Lab: averages over queries.  Four systems, five queries, and a winner that depends on how low scores count."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.errors import join_words, number_of
from irviz.figures.axes import axis, chart
from irviz.figures.theme import MARKERS, PALETTE, Trace
from irviz.labs.charts import extend, silent
from irviz.labs.documents import VIOLET
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import NumberList
from irviz.labs.screen import Handle, Mark, Screen
from irviz.portable import exp, log, mean
from irviz.workspace.control import Choice
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import TOLERANCE
from irviz.workspace.view import View

Floats = NDArray[np.float64]
SYSTEMS = ("S1", "S2", "S3", "S4")
ROWS = tuple(name.lower() for name in SYSTEMS)  #: controls of their scores
#: Table 1 of Ravana & Moffat 2009
TABLE_1 = ((0.1, 0.1, 0.3, 0.8, 0.1), (0.0, 0.4, 0.2, 0.4, 0.3), (0.1, 0.5, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.2, 0.2))
EPS = 0.01
EXPONENTS = tuple(round(1 - n / 20, 2) for n in range(41))  #: of power means, from the arithmetic to the harmonic one
MEDIAN = "median"
STOPS = (*(f"{q:g}" for q in EXPONENTS), MEDIAN)
NAMES = {"1": "arithmetic mean", "0": "geometric mean", "-1": "harmonic mean", MEDIAN: "median"}
PLACES = (*range(len(EXPONENTS)), 49)  #: of the averages on the strip, the median apart
ASKED, SEEN = STOPS.index("-1"), STOPS.index("0")  #: that the guess is about; up to which there are winners before it
OUT = -9.0  #: where nobody sees a mark
BESIDE = 0.17  #: how far the guess is right of the middle of its column, and the star left of it, if it has one
COUNTS = {"1": "all scores count the same", "-1": "low scores count most", MEDIAN: "only the middle score counts"}
HEIGHTS = [round(n / 20, 2) for n in range(21)]  #: scores to which a dot can be dragged
COLOURS, GOLD = PALETTE[: len(SYSTEMS)], PALETTE[4]
_BELOW = {"xaxis": "x2", "yaxis": "y2"}


def words(average: str) -> str:
    """The name of an average, or how far it is from the next one with a name."""
    ahead, name = 20 - STOPS.index(average) % 20, "harmonic" if average[0] == "-" else "geometric"
    return NAMES.get(average, f"mean, {number_of(ahead, 'step')} before {name}")


@lru_cache(maxsize=4096)
def averages(row: tuple[float, ...]) -> Floats:
    """All averages of a system's scores: power means of the scores plus ε, minus ε, then the median."""
    logs, q = log(np.array(row) + EPS), np.array(EXPONENTS)
    powers = log(mean(exp(q[:, None] * logs))) / np.where(q, q, 1.0)
    found = np.append(exp(np.where(q, powers, mean(logs))) - EPS, np.median(row))
    return found.round(12) + 0.0  # no −0


@lru_cache(maxsize=1024)
def _table(*rows: tuple[float, ...]) -> tuple[Floats, list[list[int]]]:
    means = np.stack([averages(row) for row in rows], axis=1)
    return means, [np.flatnonzero(one).tolist() for one in means >= means.max(axis=1, keepdims=True) - TOLERANCE]


def table_of(values: Values) -> tuple[Floats, list[list[int]]]:
    """Averages × systems; and by average, the systems for which it is highest."""
    return _table(*(tuple(values[name]) for name in ROWS))


def names(systems: list[int]) -> str:
    """The systems, in words."""
    return join_words([SYSTEMS[i] for i in systems], joiner="and")


def readings(values: Values) -> dict[str, Reading]:
    """The winners by the averages, and what was changed of the scores."""
    won = [names(systems) for systems in table_of(values)[1]]
    changes = np.abs(np.array([values[name] for name in ROWS]) - TABLE_1).ravel().tolist()
    moved, total = sum(change > TOLERANCE for change in changes), round(sum(changes), 6)
    but = f", but {number_of(moved, 'dot')} moved"
    return {
        "winner": won[STOPS.index(values["average"])],
        "average": words(values["average"]),
        **{f"averages that {name} wins": won.count(name) for name in SYSTEMS},
        **{f"means that {name} wins": won[:-1].count(name) for name in SYSTEMS},
        "dots moved": moved,
        "moved in all": total,
        "but": but if moved else "",
        "but more": but if moved > 1 else "",
    }


def said(values: Values) -> dict[str, str]:
    """The words of the sentence."""
    won = table_of(values)[1][STOPS.index(values["average"])]
    return {"winner": names(won), "counts": COUNTS.get(values["average"], "low scores count more")}


def answer(values: Values) -> str:
    """The winners by the harmonic mean, and the mean of another system that was the guess."""
    (all_means, first), guess = table_of(values), values["guess"]
    means, won = all_means[ASKED], [SYSTEMS[i] for i in first[ASKED]]
    how = "" if not guess else "Yes: " if guess in won else "No: "
    had = f", and {guess} had {means[SYSTEMS.index(guess)]:.3f}" if how == "No: " else ""
    return f"{how}{names(first[ASKED])} won with the harmonic mean of {means.max():.3f}{had}."


def traces(values: Values) -> list[Trace]:
    """A column a system: its scores as dots, its average as a bar and a number; below, who wins by every average."""
    (all_means, first), at = table_of(values), STOPS.index(values["average"])
    means = all_means[at].round(4).tolist()
    won, columns = first[at], list(range(len(SYSTEMS)))
    bar = {"symbol": "line-ew", "size": 48, "opacity": 0.5, "line": {"color": list(COLOURS), "width": 8}}
    crown = {"symbol": "star", "size": 22, "color": GOLD, "opacity": 1.0}
    stars = [n - BESIDE if at == ASKED and values["guess"] == SYSTEMS[n] else n for n in won]
    look = {"textfont": {"size": 28, "color": list(COLOURS)}}
    texts = [f"{x:.3f}" for x in all_means[at]]
    scores = [score for name in ROWS for score in values[name]]
    before = [score for row in TABLE_1 for score in row]
    x = [round(n // 5 + 0.16 * (n % 5 - 2), 2) for n in range(20)]
    moved = [a if abs(a - b) > TOLERANCE else OUT for a, b in zip(scores, before, strict=True)]
    changes = [f"{a - b:+.2f}" for a, b in zip(scores, before, strict=True)]
    below = [a >= 0.1 and 0 <= means[n // 5] - a < 0.25 for n, a in enumerate(scores)]  # not on the bar
    beside = [y - 0.1 if is_below else y + 0.1 for y, is_below in zip(moved, below, strict=True)]
    ring = {"symbol": "circle-open", "size": 21, "line": {"color": GOLD, "width": 3}}
    colours, symbols = ([of[n // 5] for n in range(20)] for of in (COLOURS, MARKERS))
    marker = {"size": 13, "color": colours, "symbol": symbols, "opacity": 1.0, "line": {"color": VIOLET, "width": 2}}
    last = ASKED if values["guess"] or at == ASKED else max(at, SEEN) if at < ASKED else SEEN
    seen = [[OUT] if last < n <= ASKED else one for n, one in enumerate(first)]
    asked = {"textfont": {"size": 28, "color": GOLD}, **_BELOW}
    cell = {"marker": {"symbol": "line-ns", "size": 9, "line": {"color": GOLD, "width": 4}}, **_BELOW}
    line = {"color": VIOLET, "width": 2, "dash": "dot"}
    grip = {"symbol": ["triangle-down", "circle"], "size": [22, 0], "color": VIOLET, "opacity": 1.0}
    turns = {"meta": {"turns": "average", "places": list(PLACES)}, "line": line, "marker": grip, **_BELOW}
    return [
        silent(columns, means, "markers", marker=bar),
        silent(columns, [1.23] * 4, "text", text=texts, **look),
        silent(x, beside, "text", text=changes),
        silent([stars[min(n, len(won) - 1)] for n in columns], [1.41] * 4, "markers", marker=crown),
        *(silent(list(PLACES), [one[of] for one in seen], "markers", **cell) for of in (0, -1)),
        silent([(last + ASKED) / 2], [1.5 if last < ASKED else OUT], "text", text=["?"], **asked),
        silent([PLACES[at]] * 2, [-1, 3.8], "lines+markers", **turns),
        silent(x, moved, "markers", marker=ring),
        silent(x, scores, "markers", marker=marker),
    ]


def figure(values: Values) -> Drawing:
    """The traces on their axes."""
    systems = {"tickvals": list(range(len(SYSTEMS))), "ticktext": list(SYSTEMS)}
    x = {**systems, "tickfont": {"size": 15}, "range": [-0.5, 3.5], "anchor": "y"}
    y = axis("score on a query", [-0.04, 1.53], domain=[0.27, 1], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    ends = [PLACES[STOPS.index(stop)] for stop in NAMES]
    marks = {"tickvals": ends, "ticktext": [name.removesuffix(" mean") for name in NAMES.values()]}
    bare = {"showgrid": False, "zeroline": False}
    grip = f'<span style="color:{VIOLET}">▼</span>'
    text = f"drag {grip} through {len(EXPONENTS)} means and the median:<br>further right, low scores count more"
    strip_x = {**axis(text, [-3, 52], anchor="y2"), **marks, **bare}
    strip_y = axis("winner", [3.8, -1.9], domain=[0, 0.2], anchor="x2", **systems, **bare)
    fig = extend(chart(traces(values), 540, {**x, **bare}, y), xaxis2=strip_x, yaxis2=strip_y)
    means = table_of(values)[0][STOPS.index(values["average"])]
    each = ", ".join(f"{name} {x:.3f}" for name, x in zip(SYSTEMS, means, strict=True))
    return Drawing(fig, "", f"{words(values['average'])}: {each}.")


def _column(values: Values) -> float:
    """Place of the guess: over its system, beside the star of a winner by the harmonic mean."""
    if not values["guess"]:
        return 1.5
    n = SYSTEMS.index(values["guess"])
    return n + BESIDE if n in table_of(values)[1][ASKED] else n


def drags(values: Values) -> list[list[dict[str, Any]]]:
    """For every dot the scores that it can have."""
    goals = []
    for n, x in enumerate(traces(values)[-1]["x"]):
        system, topic = divmod(n, 5)
        row = list(values[ROWS[system]])
        texts = [",".join(f"{score:g}" for score in (*row[:topic], at, *row[topic + 1 :])) for at in HEIGHTS]
        given = [[text if s == system else None for s in range(len(ROWS))] for text in texts]
        goals.append([{"x": x, "y": at, "given": one} for at, one in zip(HEIGHTS, given, strict=True)])
    return goals


def data(values: Values) -> tuple[str, View]:
    """The same averages on real data."""
    view = View.from_texts("aggregation", collection="dl2021", measures="AP", epsilon=f"{EPS:g}")
    return "These averages on real data", view


LAB = Screen(
    name="lab_aggregation",
    title="Who wins?",
    question="Does the choice of the average decide which system wins?",
    controls=(
        Choice(
            name="average", label="Average", default="1", options=tuple((stop, NAMES.get(stop, stop)) for stop in STOPS)
        ),
        *(
            NumberList(name=name, label=f"Scores of {name.upper()} on the five queries", default=row)
            for name, row in zip(ROWS, TABLE_1, strict=True)
        ),
        Choice(name="guess", label="Guess", default="", options=(("", "?"), *((name, name) for name in SYSTEMS))),
    ),
    text="The dots are scores on five queries: drag them. Each bar is their {average}: {=counts}. "
    "The highest bar wins: <b>{=winner}</b>.",
    guess="Drag your guess: who wins with the harmonic mean?",
    answer=answer,
    mark=Mark(
        stops=SYSTEMS,
        place=lambda values: (_column(values), 1.41),
        answers={"average": "-1"},
    ),
    handles={"average": Handle(label="Average", stops=lambda _: STOPS, words=words, live=True)},
    readings=readings,
    said=said,
    figure=figure,
    traces=traces,
    drags=drags,
    picks=ROWS,
    goals=(
        Challenge(
            title="Make S3 win without moving a dot.",
            goal=Goal.read("winner = S3; dots moved = 0"),
            now="Now {winner} wins{but}.",
            why="no dot moved.",
            hint="Press Reset figure if you have moved a dot. Then drag ▼ to the middle.",
            solution={"average": "0"},
        ),
        Challenge(
            title="Move one dot by at most 0.15 so that S2 wins with every mean and the median.",
            goal=Goal.read(f"averages that S2 wins = {len(STOPS)}; dots moved = 1; moved in all <= 0.15"),
            now=f"Now it wins with {{averages that S2 wins}} of {len(STOPS)}{{but more}}.",
            why=f"S2 won with all {len(STOPS)}.",
            hint="One dot of S2 is very low.",
            solution={"s2": "0.15,0.4,0.2,0.4,0.3"},
        ),
        Challenge(
            title="Move one dot so that S4 wins with every mean.",
            goal=Goal.read(f"dots moved > 0; dots moved < 2; means that S4 wins = {len(EXPONENTS)}"),
            now=f"Now it wins with {{means that S4 wins}} of {len(EXPONENTS)}{{but more}}.",
            settings=1,  # it would say that S4 wins with some of those that the guess is about
            why=f"S4 won with all {len(EXPONENTS)}.",
            hint="S4 has no low score. It needs one high score.",
            solution={"s4": "0.2,0.2,0.8,0.2,0.2"},
        ),
    ),
    data=data,
    source="Ravana & Moffat 2009, section 2 and Table 1. "
    f"Each mean adds {EPS:g} to the scores and takes it off at the end, because a score of 0 has no harmonic mean",
    notes=(
        "No score was changed, and three systems won; with the median the fourth wins.",
        "S1 owes its arithmetic mean to one query. A geometric or harmonic mean asks for a system that is bad nowhere.",
        "S2 has a score of 0. Without the 0.01 its geometric mean is 0, and its harmonic mean undefined.",
        "All but the median are power means with exponents 1, 0.95, … −1; the paper has the named ones.",
    ),
)
