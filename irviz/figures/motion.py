"""Figures that move: frames computed once, which the browser draws without asking a server.

:data:`MOTION` is the script that paints a frame, or a picture between two; ``labs/screen.js`` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.theme import Trace, with_frames
from irviz.figures.unchecked import layout_of, traces_of, unchecked

HOLDERS = "[class*=st-key-motion], .irviz-figure"  #: elements that contain a figure and the numbers that move it


def moving(fig: go.Figure, frames: Sequence[Sequence[Trace]], traces: Sequence[int]) -> go.Figure:
    """The figure with frames: for each, the changed properties of each of the moving `traces` (their positions).

    Frames change x, y and texts that are not empty, not the number of points, nor of lines of a text. A hidden marker
    has no place, or lies outside of its axis, or behind another.
    """
    layout = {**layout_of(fig), "updatemenus": [BUTTON]}
    kinds = [{"type": trace["type"]} for trace in traces_of(fig)]  # without it plotly takes a bar for a scatter
    count = len(kinds)  # plotly takes away traces that a frame does not name
    plotly_frames = [
        {
            "name": str(n),
            "traces": list(range(count)),
            "data": [kinds[i] | _as_lists(dict(zip(traces, changes, strict=True)).get(i, {})) for i in range(count)],
        }
        for n, changes in enumerate(frames)
    ]
    content = {"data": list(traces_of(fig)), "layout": layout}
    return with_frames(unchecked(content), plotly_frames)  # as it is: plotly's way encodes arrays


def _as_lists(change: Trace) -> Trace:
    """The changes of a trace, as lists, which the script reads and which are shorter than encoded arrays."""
    return {name: np.asarray(values).tolist() for name, values in change.items()}


#: plotly's own button: the only way to its `animate` and `react` from a page that bundles plotly; nobody sees it
BUTTON: dict[str, Any] = {
    "type": "buttons",
    "x": 1,
    "xanchor": "right",
    "y": 1,
    "yanchor": "top",
    "buttons": [
        {
            "label": "",
            "method": "animate",
            "args": [
                None,
                {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}},
            ],
        }
    ],
}


MOTION_STYLE = ".updatemenu-container { display: none; }"

#: Places between two frames are between theirs.  Points, lines and texts are moved in the picture itself, which costs a
#: few milliseconds; plotly, whose `animate` checks the whole figure again for each frame, is told only where it ends.
MOTION = """
if (!window.irvizMotion) {
  window.irvizMotion = true;
  const frames = (plot) => plot?._transitionData?._frames ?? [];
  const animate = (plot, names, options) => {
    const button = plot.querySelector(".updatemenu-button");
    if (!button) return;
    plot._transitionData?._frameQueue?.forEach((one) => { one.onInterrupt = null; });  // being replaced is no error
    button.__data__.args = [names, { mode: "immediate", transition: { duration: 0 }, ...options }];
    button.dispatchEvent(new MouseEvent("click"));
  };
  window.irvizAnimate = animate;
  window.irvizPaint = (...all) => paint(...all);
  window.irvizDraw = (...all) => draw(...all);
  const between = (a, b, t) => t && b?.length === a.length
    ? a.map((from, i) => typeof from === "number" && typeof b[i] === "number" ? from + (b[i] - from) * t : from) : a;
  const seen = (at) => isFinite(at) ? at : -9999;  // what has no place is outside of the picture
  const path = (x, y, hv, floor) => {  // with a floor, the area above it
    let d = "";
    const gap = (i) => !isFinite(x[i]) || !isFinite(y[i]);
    x.forEach((at, i) => {
      if (gap(i)) return;
      if (i && !gap(i - 1)) d += hv ? `H${at}V${y[i]}` : `L${at},${y[i]}`;
      else d += floor === undefined ? `M${at},${y[i]}` : `M${at},${floor}V${y[i]}`;
      if (floor !== undefined && (i + 1 === x.length || gap(i + 1))) d += `V${floor}Z`;
    });
    return d || "M0,0";
  };
  const all = (nodes, d) => nodes.forEach((one, i) => one.setAttribute("d", i ? "M0,0" : d));
  const draw = (plot, trace, change, next = {}, t = 0) => {
    const group = plot.querySelector(`.scatterlayer .trace${trace.uid}`);
    if (!group) return;
    const places = (letter) => {
      const axis = plot._fullLayout[letter + "axis" + trace[letter + "axis"].slice(1)];
      const values = between(Array.from(change[letter] ?? trace[letter]), next[letter], t);
      return values.map((one) => one === null ? NaN : Math.round(axis.d2p(one) * 100) / 100);
    };
    const x = places("x"), y = places("y"), hv = trace.line?.shape === "hv";
    group.querySelectorAll(".points path.point").forEach((one) =>
      one.setAttribute("transform", `translate(${seen(x[one.__data__.i])},${seen(y[one.__data__.i])})`));
    group.querySelectorAll(".textpoint text").forEach((one) => {
      const i = one.__data__.i;
      for (const part of [one, ...one.querySelectorAll("tspan.line")]) {
        part.setAttribute("x", seen(x[i]));
        part.setAttribute("y", seen(y[i]));
      }
      const lines = change.text?.[i].split("\\x3cbr>");  // a tag here would drop the script
      const parts = one.querySelectorAll("tspan.line");
      if (!lines || one.textContent === lines.join("")) return;
      if (parts.length === lines.length) parts.forEach((part, n) => { part.textContent = lines[n]; });
      else one.textContent = lines.join(" ");
    });
    all(group.querySelectorAll("path.js-line"), path(x, y, hv));
    if (trace.fill === "toself") all(group.querySelectorAll("path.js-fill"), path(x, y) + "Z");
    if (trace.fill === "tozeroy") {
      const floor = plot._fullLayout["yaxis" + trace.yaxis.slice(1)].d2p(0);
      all(group.querySelectorAll("path.js-fill"), path(x, y, hv, floor));
    }
  };
  const paint = (plot, place, n = Math.floor(place), m = n + 1, t = place - n) => {  // between two, a share t
    const now = frames(plot)[n], next = frames(plot)[m];  // none once the page is left
    now?.traces.forEach((trace, i) => {
      const change = now.data[i];
      const moves = change.x || change.y || change.text;
      if (moves) draw(plot, plot._fullData[trace], change, next?.data[i] ?? {}, t);
    });
  };
}
"""
