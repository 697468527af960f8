"""How every figure looks: one template for light, one for dark, readable without colour.

Colours are Okabe and Ito's, some of them darker; all reach a contrast of 3:1 on
both backgrounds.  Dashes, markers and patterns say the same as the colours do.
Streamlit sets plotly's global template when it is imported, so figures set theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache, partial
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.colors import make_colorscale, sample_colorscale

from irviz.figures.unchecked import Layout, Trace, new_figure, unchecked, with_frames
from irviz.measures.labels import measure_labels

# -- Names from files, made safe to show in a figure -----------------------------------------------
#
# Plotly reads a subset of HTML and, between dollar signs, TeX.  A name is neither: every
# sign that could mean something to plotly is written as a character reference, which
# plotly turns back into the sign.

_REFERENCES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%": "&#37;", "{": "&#123;", "}": "&#125;"}
    | {chr(code): " " for code in (*range(32), 127)}
)
STAR = "★"  #: before the aggregation that gives the measure of a browsing model's name
_FEW = 4  #: a common start of fewer letters is not mentioned


def plotly_escape(text: str) -> str:
    """`text` as plotly shows it, sign for sign.

    >>> plotly_escape('<b>x</b> & $y$')
    '&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;'
    """
    return text.translate(_REFERENCES)


def escape_names(names: Iterable[str]) -> list[str]:
    """The names as plotly shows them: the places of an axis of names, or what a pointer reads."""
    return [plotly_escape(name) for name in names]


def short(text: str, most: int = 26, share: int = 2) -> str:
    """`text`, with its middle left out where it is longer than `most`; one in `share` letters are of its start.

    >>> short("harbor-rerank-noprior", most=11)
    'harbo…prior'
    """
    if len(text) <= most:
        return text
    head = most // share
    return text[:head] + "…" + text[len(text) - (most - head - 1) :]


def labels(names: Sequence[str], most: int = 26) -> list[str]:
    """Names as tick labels: escaped, and shortened no further than leaves them different.

    >>> labels(["P@10", "nDCG(base=2,at=5)@10", "nDCG(base=3,at=5)@10"], most=9)
    ['P@10', 'nDC…2,at=5)@10', 'nDC…3,at=5)@10']
    """
    return escape_names(shorten_names(names, most))


def shorten_names(names: Sequence[str], most: int = 26) -> list[str]:
    """Names reduced to what differs: measures to labels, systems without common start and ending, long ones cut.

    >>> shorten_names(["Task1__ielab_01.txt", "Task1__ielab_02.txt", "Task1__bm25.txt"], most=14)
    ['…ielab_01', '…ielab_02', '…bm25']
    """
    names = measure_labels(names)
    endings = {re.search(r"(?<=.)\.[a-z]\w{0,5}$|$", name)[0] for name in names}  # type: ignore[index]
    start, end = common_start(names, most), endings.pop() if len(endings) == 1 < len(set(names)) else ""
    cores = [f"…{name[len(start) :]}" if start else name for name in (name.removesuffix(end) for name in names)]
    begins = Counter(name[: most // 2] for name in set(cores) if len(name) > most)
    shares = [4 if begins[name[: most // 2]] > 1 else 2 for name in cores]  # what begins alike differs later
    texts = [short(name, most, share) for name, share in zip(cores, shares, strict=True)]
    alike = Counter(texts)
    for text in [text for text, often in alike.items() if often > 1]:
        places = [i for i, other in enumerate(texts) if other == text]
        room, different = most, len({cores[i] for i in places})
        while len({short(cores[i], room, shares[i]) for i in places}) < different:
            room += 1
        for i in places:
            texts[i] = short(cores[i], room, shares[i])
    return texts


def common_start(names: Sequence[str], most: int = 26) -> str:
    """Common start of all names, up to a separator, if one is longer than `most`; "" for a few letters or measures.

    >>> common_start(["IRTask1__CUNI__en.run3", "IRTask1__baselines__indri_okapi"])
    'IRTask1__'
    """
    if len(set(names)) < 2 or max(map(len, names)) <= most:
        return ""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*(name[:-1] for name in names), strict=False))
    match = re.match(r"[^(=]*[-_./: ]", "".join(letters[0] for letters in alike))
    return match.group() if match and len(match.group()) >= _FEW else ""


# --------------------------------------------------------------------------------------------------

FEW_TOPICS = 12  #: the names of more stand upright along an axis, so that every one has room
MOST_TOPICS = 300  #: of more topics, figures show distributions, not a mark a topic
BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7A7F85"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, "#96640F", "#3F8FD0", "#7F56DC", GREY)
CHOICE_MARK = "chosen"  #: the name of a mark on what a person chose on the page; a figure for a paper leaves it out
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")
PATTERNS = ("", "/", "x", ".", "\\", "+", "-", "|")
#: from −1 to 1: vermilion is disagreement, blue agreement
DIVERGING = ((0.0, "#A33E00"), (0.2, "#F0C3A0"), (0.5, "#F5F5F5"), (0.8, "#B0D6EE"), (1.0, "#005A94"))

#: fill and ink from grade 0 to the highest: darker is better, and the number says the same
SHADES = (("#F1F3F5", "#1B1F24"), ("#BFDDEF", "#1B1F24"), ("#5FA8D3", "#1B1F24"), ("#00588A", "#FFFFFF"))
#: more is darker on a light page, in even steps of lightness: the shades of grades, up to the blue of full agreement
SEQUENTIAL = ((0.0, "#F1F3F5"), (0.16, "#BFDDEF"), (0.5, "#5FA8D3"), (1.0, "#005A94"))


def grade_ramp(count: int) -> list[str]:
    """Fills of `count` grades above 0, lowest first: one hue, darker is better.

    >>> grade_ramp(1), grade_ramp(3)
    (['#0072B2'], ['rgb(191, 221, 239)', 'rgb(95, 168, 211)', 'rgb(0, 88, 138)'])
    """
    if count < 2:
        return [BLUE] * count
    return sample_colorscale(make_colorscale([fill for fill, _ in SHADES[1:]]), np.linspace(0, 1, count).tolist())


AREA = "rgba(0,114,178,0.18)"  #: pale BLUE, of what a line in it encloses
FAINT = "rgba(128,138,148,0.16)"  #: of cells without a result: the page itself, a little greyer, in both themes

_FONT = "'Source Sans', 'Source Sans 3', 'Source Sans Pro', 'Helvetica Neue', Arial, sans-serif"


def _template(ink: str, faint: str, paper: str) -> go.layout.Template:
    axis = {
        "automargin": True,
        "ticklabeloverflow": "allow",  # looking for it takes a browser longer than all the rest, and margins fit labels
        "gridcolor": faint,
        "linecolor": faint,
        "tickcolor": faint,
        "zerolinecolor": faint,
        "ticks": "outside",
        "ticklen": 4,
        "title": {"standoff": 10, "font": {"size": 13}},
        "tickfont": {"size": 11},
        "separatethousands": True,
        "exponentformat": "power",  # never a metric prefix: 400μ, 20k
        "minexponent": 5,  # 0.0004 and 20,000 are written out
    }
    bar_fonts = {"title": {"font": {"size": 13}}, "tickfont": {"size": 11}}
    return go.layout.Template(
        data={"heatmap": [{"colorbar": bar_fonts}]},
        layout={
            "font": {"family": _FONT, "size": 13, "color": ink},
            "colorway": list(PALETTE),
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": ink},
            "xaxis": axis,
            "yaxis": axis,
            # at the top of the picture: above the plot, plotly leaves it behind when margins change
            "legend": {
                "orientation": "h",
                "yref": "container",
                "yanchor": "top",
                "y": 1,
                "x": 0,
                "font": {"size": 12},
            },
            "hoverlabel": {
                "font": {"size": 12, "color": ink},
                "bgcolor": paper,
                "bordercolor": faint,
                "namelength": -1,
            },
            "coloraxis": {"colorbar": {"thickness": 12, "outlinewidth": 0, "ticks": "outside"}},
        },
    )


LIGHT = _template("#1B1F24", "#D9DEE3", "#FFFFFF")
DARK = _template("#E8EBEE", "#3A424B", "#1F252C")


# -- what figures are made of ------------------------------------------------------------------

Floats = NDArray[np.float64]

bar = partial(dict[str, Any], type="bar")
box = partial(dict[str, Any], type="box")
heatmap = partial(dict[str, Any], type="heatmap")
scatter = partial(dict[str, Any], type="scatter")


def band(x: ArrayLike, low: ArrayLike, high: ArrayLike, digits: Any = 4, **own: Any) -> Trace:
    """The area between two curves where both are defined, pale, without an edge and a name."""
    parts = np.array([x, low, high], dtype=np.float64)
    across, below, above = parts[:, np.isfinite(parts).all(axis=0)]
    edge = {"x": np.append(across, across[::-1]), "y": np.append(above, below[::-1]).round(digits), "mode": "lines"}
    look = {"fill": "toself", "fillcolor": AREA, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    return scatter(**edge, **look | own)


def pieces(starts: ArrayLike, ends: ArrayLike) -> Any:
    """Separate pieces of a line, one behind the other, with a gap after each: their places on one axis.

    >>> pieces([1, 2], [3, 4]).tolist(), pieces(["401"], ["402"]).tolist()
    ([1.0, 3.0, nan, 2.0, 4.0, nan], ['401', '402', None])
    """
    first = np.asarray(starts)
    gaps = np.full(len(first), None if first.dtype.kind == "U" else np.nan)
    return np.column_stack([first, np.asarray(ends), gaps]).ravel()


def note(text: str, x: Any, y: Any, size: Any = 12, **place: Any) -> Layout:
    """A text in a figure, without an arrow."""
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size}, **place}


#: marks that look the same whether or not one of them was clicked
STEADY: Layout = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
ON_PAPER: Layout = {"xref": "paper", "yref": "paper"}  #: a place as a share of the width and of the height


def colour_bar(title: str) -> Layout:
    """The key of a heatmap's colours."""
    return {"title": {"text": plotly_escape(title), "side": "right"}, "thickness": 12, "outlinewidth": 0}


def figure(traces: Sequence[Trace], height: int, **layout: object) -> go.Figure:
    """A figure of traces (dictionaries) in the light template, `height` pixels high, as wide as its place."""
    return new_figure({"data": list(traces), "layout": {"height": height, **layout}}, LIGHT)


def whiskers(value: ArrayLike, low: ArrayLike, high: ArrayLike, **look: Any) -> dict[str, Any]:
    """Error bars from the low to the high end of each value; none where one of them is undefined."""
    middle, first, last = (np.asarray(part, dtype=np.float64) for part in (value, low, high))
    ends = {"array": np.nan_to_num(last - middle).round(5), "arrayminus": np.nan_to_num(middle - first).round(5)}
    return {"type": "data", "symmetric": False, **ends, **look}


EVEN = 0.179  #: luminance of a colour on which black and white have the same contrast


def luminance(colour: str) -> float:
    """How light ``#rrggbb`` or ``rgb(r, g, b)`` is, from 0 to 1 (WCAG 2.2, relative luminance)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> list[float]:
    if colour.startswith("#"):
        return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [float(part) / 255 for part in re.findall(r"[\d.]+", colour)]


@cache
def mirror_lightness(colour: str) -> str:
    """The colour of the same hue that is as light as this one is dark: an ink's, where a ramp runs the other way.

    >>> mirror_lightness("#000000"), mirror_lightness("#00588A"), mirror_lightness("#BFDDEF")
    ('#fefefe', '#37a4e2', '#152a36')
    """
    return _as_light(colour, (EVEN + 0.05) ** 2 / (luminance(colour) + 0.05) - 0.05) if _is_solid(colour) else colour


@cache
def lighten(colour: str) -> str:
    """A dark colour a little lighter, so that the lowest of a scale is seen on a dark page; lighter ones stay.

    >>> lighten("#000000"), lighten("#00224E"), lighten("#FEE838")
    ('#383838', '#12417d', '#FEE838')
    """
    if colour == FAINT:
        return "rgba(128,138,148,0.38)"
    light = luminance(colour) if _is_solid(colour) else EVEN
    return _as_light(colour, light + _LOWEST * (1 - light / EVEN)) if light < EVEN else colour


_LOWEST = 0.04  #: luminance that black becomes in a scale on a dark page


def _is_solid(colour: str) -> bool:
    """False for colours that are see-through."""
    return re.match(r"#|rgb\(", colour) is not None


def _as_light(colour: str, target: float) -> str:
    """The colour of this hue with a given luminance."""
    hue, _, saturation = rgb_to_hls(*_parts(colour))
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        shade = "#" + "".join(f"{round(255 * part):02x}" for part in hls_to_rgb(hue, middle, 0.75 * saturation))
        low, high = (middle, high) if luminance(shade) < target else (low, middle)
    return shade


def dress(fig: go.Figure, dark: bool) -> go.Figure:
    """The figure for a dark or a light page; drawn for a light one, whose colours ``layout.meta`` keeps."""
    if not dark:
        return fig  # a copy would cost a reader 10 ms per figure
    content = fig.to_dict()
    content["layout"]["template"] = DARK
    light: dict[str, str] = {}
    meta = content["layout"].get("meta") or {}
    moved = [*content.get("frames", ()), *meta.get("outcomes", ())]
    pairs = [(trace, trace) for trace in content["data"]]  # what is turned, and the whole trace it belongs to
    pairs += [pair for frame in moved for pair in zip(frame.get("data", ()), content["data"], strict=False)]
    traces = [trace for trace, _ in pairs]
    holders = [part for trace in traces for part in (trace, trace.get("marker", {})) if "colorscale" in part]
    scaled = any(_ends_dark(part["colorscale"]) for part in holders)
    for part in holders:
        ends_dark = _ends_dark(part["colorscale"])
        part["colorscale"] = _finer(part["colorscale"]) if ends_dark else part["colorscale"]
        _turn(part, "colorscale", _ramp if ends_dark else lighten, light)
    for trace, whole in reversed(pairs):
        looks = {**whole, **trace}
        colours = {part: np.atleast_1d(looks.get(part, {}).get("color", ())) for part in _COLOURED_PARTS}
        ramps = [part for part, some in colours.items() if not _RAMP.isdisjoint(map(str, some))]
        for part in filter(trace.__contains__, ramps):
            _turn(trace, part, _ramp, light)
        for font in {"textfont", "insidetextfont"} & set(trace) if "marker" in ramps or scaled else ():
            _turn(trace, font, _ink, light)
    if light:
        content["layout"]["meta"] = {**meta, "light": light}
    return with_frames(unchecked({**content, "frames": []}), content.get("frames", ()))


def _finer(scale: Any) -> list[tuple[float, str]]:
    """The scale with colours between its own, so that all between are turned too, and ink is read as well on them."""
    steps: list[tuple[float, str]] = []
    for (start, below), (end, above) in pairwise(scale):
        shares = [0.0] if below == above or start == end else np.linspace(0, 1, 4, endpoint=False).tolist()
        colours = [below, *sample_colorscale([[0, below], [1, above]], shares[1:])]
        steps += zip((start + share * (end - start) for share in shares), colours, strict=True)
    return [*steps, tuple(scale[-1])]


def _ramp(colour: str) -> str:
    """A colour of a ramp on a dark page; of the palette, only blue is in one."""
    return colour if colour in (VERMILION, GREEN, PURPLE) else lighten(mirror_lightness(colour))


def _ink(colour: str) -> str:
    """A colour of text on a dark page; one of the palette names a line or a mark."""
    return colour if colour in PALETTE else mirror_lightness(colour)


_COLOURED_PARTS = ("marker", "line", "error_x", "error_y")
_RAMP = (
    {BLUE, FAINT, "#FFFFFF"}
    | {fill for fill, _ in SHADES}
    | {fill for count in range(2, 12) for fill in grade_ramp(count)}
)


def _ends_dark(scale: Any) -> bool:
    """True if the strongest colour of a scale recedes on a dark page."""
    return not isinstance(scale, str) and len(scale) > 0 and scale[-1][1] in (BLUE, DIVERGING[-1][1], SHADES[-1][0])


def _turn(part: Any, key: Any, change: Callable[[str], str], light: dict[str, str]) -> None:
    """Change all colours below ``part[key]``, and note what they were."""
    if isinstance(part[key], str) and (turned := change(part[key])) != part[key]:
        light[turned], part[key] = part[key], turned
    elif isinstance(part[key], dict | list | tuple):
        part[key] = dict(part[key]) if isinstance(part[key], dict) else list(part[key])
        for below in part[key] if isinstance(part[key], dict) else range(len(part[key])):
            _turn(part[key], below, change, light)


def full_height(rows: int, least: int = 320) -> int:
    """Height of a figure that names every item, in pixels: as long as it takes, the page scrolls."""
    return row_height(rows, least, each=17 if rows <= 80 else 15)


def row_height(rows: int, least: int = 320, each: int = 17, most: int = 110 + 15 * 2000) -> int:
    """Height of a figure with one row per item, in pixels."""
    return int(min(most, max(least, 110 + each * rows)))
