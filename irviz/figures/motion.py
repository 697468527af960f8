"""Figures that move: frames computed once, which the browser draws without asking a server.

The figure itself is the last frame, so that a still picture (a report, a print, a browser that is asked for less
motion) says the same.  :data:`MOTION` is the script behind the control under a figure: a button that plays, and a
slider that reaches every frame by mouse, finger or keyboard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.theme import Trace, with_frames
from irviz.figures.unchecked import layout_of, traces_of, unchecked

HOLDERS = "[class*=st-key-motion], .irviz-figure"  #: elements that contain a figure and its control


def moving(
    fig: go.Figure, frames: Sequence[Sequence[Trace]], traces: Sequence[int], captions: Sequence[str] = ()
) -> go.Figure:
    """The figure with frames.

    Parameters
    ----------
    fig : figure, as the last frame shows it
    frames : for each frame, the changed properties of each moving trace
    traces : positions of the moving traces, of :func:`~irviz.figures.theme.scatter`
    captions : for each frame, a few words, which stand beside the slider

    Notes
    -----
    Frames change x, y and plain texts, none of them the number of points.  A marker has a place in every frame: one
    that is not there yet waits outside of its axis, or where another one is.
    """
    layout = {
        **layout_of(fig),
        "updatemenus": [_button("Play")],
        "meta": {**layout_of(fig).get("meta", {}), "said": list(captions)},
    }
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


def _button(label: str) -> dict[str, Any]:
    """Plotly's own button: the only way to its `animate` from a page that bundles plotly, where nobody sees it."""
    play = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    corner = {"x": 1, "xanchor": "right", "y": 1, "yanchor": "top"}
    return {"type": "buttons", **corner, "buttons": [{"label": label, "method": "animate", "args": [None, play]}]}


def motion_control(fig: go.Figure, plays: bool = True) -> str:
    """The control of a figure's frames as HTML; "" where it has none, or a sentence has it.

    With `plays` it starts by itself once.
    """
    last, meta = len(fig.frames) - 1, fig.layout.meta or {}
    if last < 1 or "screen" in meta:
        return ""
    captions = meta.get("said") or [""]
    return (
        f'<div class="irviz-motion" data-plays="{int(plays)}"><button type="button">▶ Play</button>'
        f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Move the picture">'
        f"<output>{escape(captions[-1])}</output></div>"
    )


def following(
    fig: go.Figure, outcomes: Mapping[Any, Sequence[Trace]], goal_outcomes: Sequence[Any], traces: Sequence[int]
) -> go.Figure:
    """The figure with what some traces become while a dot is dragged, see ``labs/drag.js``.

    Parameters
    ----------
    outcomes : by name, the changed properties of each of the `traces`
    goal_outcomes : for every goal of the drags, in their order, the name of its outcome
        A goal then holds the position of it: ``"outcome": 3``.
    """
    goals = [goal for trace in traces_of(fig) for to in (trace.get("meta") or {}).get("drag", ()) for goal in to]
    places = {name: place for place, name in enumerate(outcomes)}
    for goal, name in zip(goals, goal_outcomes, strict=True):
        goal["outcome"] = places[name]
    frames = [{"data": list(map(_as_lists, changes)), "traces": list(traces)} for changes in outcomes.values()]
    layout = {**layout_of(fig), "updatemenus": [_button("")], "meta": {"outcomes": frames}}
    return unchecked({"data": list(traces_of(fig)), "layout": layout})


MOTION_STYLE = """
.updatemenu-container { display: none; }
.irviz-motion { display: flex; align-items: center; gap: 0.75rem; font-size: 0.9rem; }
.irviz-motion input { flex: 1 1 auto; min-width: 6rem; accent-color: #0072B2; height: 1.5rem; }
.irviz-motion output { flex: 0 1 40%; min-height: 1.3em; }
.irviz-motion button {
  background: #0072B2; color: #fff; border: 0; border-radius: 0.4rem; padding: 0.3rem 0.8rem; cursor: pointer;
  font: inherit; min-width: 5.6em;
}
.irviz-motion :focus-visible { outline: 3px solid #D55E00; outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { .irviz-motion button { display: none; } }
@media print { .irviz-motion { display: none; } }
"""

#: Plays the frames of a figure, and moves it to the frame of the slider.  Places between two frames are between theirs.
#: Points, lines and texts are moved in the picture itself, which costs a few milliseconds; plotly, whose `animate`
#: checks the whole figure again for each frame, is told only where it ends, for what a pointer reads.
MOTION = """
if (!window.irvizMotion) {
  window.irvizMotion = true;
  const less = matchMedia("(prefers-reduced-motion: reduce)"), least = 2400;
  const plotOf = (box) => box.closest("HOLDERS")?.querySelector(".js-plotly-plot");
  const frames = (plot) => plot?._transitionData?._frames ?? [];
  const animate = (plot, names, options) => {
    const button = plot.querySelector(".updatemenu-button");
    if (!button) return;
    button.__data__.args = [names, { mode: "immediate", transition: { duration: 0 }, ...options }];
    button.dispatchEvent(new MouseEvent("click"));
  };
  window.irvizAnimate = animate;
  window.irvizPaint = (...all) => paint(...all);
  const between = (a, b, t) => t && b?.length === a.length
    ? a.map((from, i) => typeof from === "number" && typeof b[i] === "number" ? from + (b[i] - from) * t : from) : a;
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
  const draw = (plot, trace, change, next, t) => {
    const group = plot.querySelector(`.scatterlayer .trace${trace.uid}`);
    if (!group) return;
    const places = (letter) => {
      const axis = plot._fullLayout[letter + "axis" + trace[letter + "axis"].slice(1)];
      const values = between(Array.from(change[letter] ?? trace[letter]), next[letter], t);
      return values.map((one) => one === null ? NaN : Math.round(axis.d2p(one) * 100) / 100);
    };
    const x = places("x"), y = places("y"), hv = trace.line?.shape === "hv";
    group.querySelectorAll(".points path.point").forEach((one) =>
      one.setAttribute("transform", `translate(${x[one.__data__.i]},${y[one.__data__.i]})`));
    group.querySelectorAll(".textpoint text").forEach((one) => {
      const i = one.__data__.i;
      for (const part of [one, ...one.querySelectorAll("tspan.line")]) {
        part.setAttribute("x", x[i]);
        part.setAttribute("y", y[i]);
      }
      if (change.text && one.textContent !== change.text[i]) one.textContent = change.text[i];
    });
    all(group.querySelectorAll("path.js-line"), path(x, y, hv));
    if (trace.fill === "tozeroy") {
      const floor = plot._fullLayout["yaxis" + trace.yaxis.slice(1)].d2p(0);
      all(group.querySelectorAll("path.js-fill"), path(x, y, hv, floor));
    }
  };
  const paint = (plot, place, n = Math.floor(place), m = n + 1, t = place - n) => {  // between two, a share t
    const now = frames(plot)[n], next = frames(plot)[m];
    now.traces.forEach((trace, i) => {
      const change = now.data[i];
      const moves = change.x || change.y || change.text;
      if (moves) draw(plot, plot._fullData[trace], change, next?.data[i] ?? {}, t);
    });
  };
  const settle = (plot, n) => {
    const redraw = plot._fullData.some(({ type }) => type === "heatmap");  // which is gone without
    if (plot.irvizTold !== n) animate(plot, [frames(plot)[n].name], { frame: { duration: 0, redraw } });
    plot.irvizTold = n;
  };
  const say = (box, plot, n) => {
    const words = plot.layout.meta?.said?.[n] ?? "", slider = box.querySelector("input");
    const output = box.querySelector("output");
    if (Number(slider.value) !== n) slider.value = n;
    slider.setAttribute("aria-valuetext", words || `${n + 1} of ${frames(plot).length}`);
    if (output.textContent !== words) output.textContent = words;
  };
  const runs = (box, plot, tick) => {
    plot.irvizPlays = tick;
    box.querySelector("button").textContent = tick ? "❚❚ Pause" : "▶ Play";
  };
  const play = (box, plot, from) => {
    const last = frames(plot).length - 1, time = Math.max(least, last * 16);
    let began = null;
    const tick = (now) => {
      if (plot.irvizPlays !== tick || !plot.isConnected) return;
      began ??= now - time * from / last;
      const place = Math.min(last, last * (now - began) / time);
      paint(plot, place);
      say(box, plot, Math.floor(place));
      if (place < last) requestAnimationFrame(tick);
      else { runs(box, plot, null); settle(plot, last); }
    };
    runs(box, plot, tick);
    requestAnimationFrame(tick);
  };
  const show = (box, plot, n) => {
    runs(box, plot, null);
    paint(plot, n);
    say(box, plot, n);
  };
  const stop = (plot, n, by) => {  // the last frame with the next words: a rank, not a part of the way to it
    const said = plot.layout.meta?.said ?? [], last = frames(plot).length - 1;
    let at = n;
    while (at + by >= 0 && at + by <= last && said.length && said[at + by] === said[n]) at += by;
    at = Math.min(last, Math.max(0, at + by));
    while (said.length && at < last && said[at + 1] === said[at]) at += 1;
    return at;
  };
  const look = () => document.querySelectorAll(".irviz-motion").forEach((box) => {
    const plot = plotOf(box), count = frames(plot).length;
    if (!count || plot.irvizMoves) return;
    plot.irvizMoves = true;
    plot.irvizTold = count - 1;
    box.querySelector("input").max = count - 1;
    say(box, plot, count - 1);
    if (box.dataset.plays === "1" && !less.matches) play(box, plot, 0);
  });
  setInterval(look, 200);
  document.addEventListener("input", (event) => {
    const box = event.target.closest?.(".irviz-motion"), plot = box && plotOf(box), n = Number(event.target.value);
    if (plot) show(box, plot, n);
  });
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.(".irviz-motion input")?.parentNode, plot = box && plotOf(box);
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!plot || !by) return;
    event.preventDefault();
    const n = stop(plot, Number(event.target.value), by);
    show(box, plot, n);
    settle(plot, n);
  });
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.(".irviz-motion"), plot = box && plotOf(box);
    if (plot) settle(plot, Number(event.target.value));
  });
  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("button")?.closest(".irviz-motion"), plot = box && plotOf(box);
    if (!plot) return;
    const at = Number(box.querySelector("input").value);
    if (plot.irvizPlays) { show(box, plot, at); settle(plot, at); }
    else play(box, plot, at < frames(plot).length - 1 ? at : 0);
  }, true);
}
""".replace("HOLDERS", HOLDERS)
