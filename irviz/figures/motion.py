"""Figures that move: frames computed once, which the browser draws without asking a server.

The figure itself is the last frame, so that a still picture (a report, a print, a browser that is asked for less
motion) says the same.  :data:`MOTION` is the script behind the control under a figure: a button that plays, and a
slider that reaches every frame by mouse, finger or keyboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from irviz.figures.theme import Trace

HOLDERS = "[class*=st-key-motion], .irviz-figure"  #: elements that contain a figure and its control
_FRAME = 16  #: milliseconds of a frame


def moving(
    drawn: go.Figure, frames: Sequence[Sequence[Trace]], traces: Sequence[int], said: Sequence[str] = ()
) -> go.Figure:
    """The figure with frames.

    Parameters
    ----------
    drawn : figure, as the last frame shows it
    frames : for each frame, the changed properties of each moving trace
    traces : positions of the moving traces
    said : for each frame, a few words, which stand beside the slider
    """
    content: dict[str, Any] = {
        "data": list(drawn._data),
        "layout": dict(drawn._layout),
    }  # as it is: plotly's way encodes arrays
    content["layout"]["updatemenus"] = [_button("Play")]
    content["layout"]["meta"] = {"said": list(said)}
    count = len(content["data"])  # plotly takes away traces that a frame does not name
    content["frames"] = [
        {
            "name": str(n),
            "traces": list(range(count)),
            "data": [dict(zip(traces, changes, strict=True)).get(i, {}) for i in range(count)],
        }
        for n, changes in enumerate(frames)
    ]
    return go.Figure(content, _validate=False)


def _button(label: str) -> dict[str, Any]:
    """Plotly's own button: the only way to its `animate` from a page that bundles plotly, where nobody sees it."""
    play = {"mode": "immediate", "frame": {"duration": _FRAME, "redraw": False}, "transition": {"duration": 0}}
    corner = {"x": 1, "xanchor": "right", "y": 1, "yanchor": "top"}
    return {"type": "buttons", **corner, "buttons": [{"label": label, "method": "animate", "args": [None, play]}]}


def motion_control(drawn: go.Figure, plays: bool = True) -> str:
    """The control of a figure's frames as HTML; "" where it has none.  With `plays` it starts by itself once."""
    last = len(drawn.frames) - 1
    if last < 1:
        return ""
    said = (drawn.layout.meta or {}).get("said") or [""]
    return (
        f'<div class="irviz-motion" data-plays="{int(plays)}"><button type="button">▶ Play</button>'
        f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Move the picture">'
        f"<output>{escape(said[-1])}</output></div>"
    )


def following(drawn: go.Figure, outcomes: Sequence[Sequence[Trace]], traces: Sequence[int]) -> go.Figure:
    """The figure with what some traces become while a dot is dragged, see :data:`~irviz.ui.style.DRAG`.

    Parameters
    ----------
    outcomes : for each outcome, the changed properties of each of the `traces`
        A goal of the drag names its own by its position: ``"outcome": 3``.
    """
    frames = [{"data": list(changes), "traces": list(traces)} for changes in outcomes]
    layout = {**drawn._layout, "updatemenus": [_button("")], "meta": {"outcomes": frames}}
    return go.Figure({"data": list(drawn._data), "layout": layout}, _validate=False)


MOTION_STYLE = """
.updatemenu-container { display: none; }
.irviz-motion { display: flex; align-items: center; gap: 0.75rem; font-size: 0.9rem; }
.irviz-motion input { flex: 1 1 auto; min-width: 6rem; accent-color: #0072B2; height: 1.5rem; }
.irviz-motion output { flex: 0 1 40%; min-height: 1.3em; }
.irviz-motion button {
  background: #0072B2; color: #fff; border: 0; border-radius: 0.4rem; padding: 0.3rem 0.8rem; cursor: pointer;
  font: inherit;
}
.irviz-motion :focus-visible { outline: 3px solid #D55E00; outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { .irviz-motion button { display: none; } }
@media print { .irviz-motion { display: none; } }
"""

#: Plays the frames of a figure, and moves it to the frame of the slider.
MOTION = """
if (!window.irvizMotion) {
  window.irvizMotion = true;
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  const plotOf = (box) => box.closest("HOLDERS")?.querySelector(".js-plotly-plot");
  const frames = (plot) => plot?._transitionData?._frames ?? [];
  const animate = (plot, names, options) => {
    const button = plot.querySelector(".updatemenu-button");
    if (!button) return;
    button.__data__.args = [names, { mode: "immediate", transition: { duration: 0 }, ...options }];
    button.dispatchEvent(new MouseEvent("click"));
  };
  window.irvizAnimate = animate;
  const show = (plot, n) => animate(plot, [frames(plot)[n].name], { frame: { duration: 0, redraw: false } });
  const play = (plot) => animate(plot, null, { frame: { duration: 16, redraw: false } });
  const say = (box, plot, n) => {
    const words = plot.layout.meta?.said?.[n] ?? "", slider = box.querySelector("input");
    slider.setAttribute("aria-valuetext", words || `${n + 1} of ${frames(plot).length}`);
    box.querySelector("output").textContent = words;
  };
  const look = () => document.querySelectorAll(".irviz-motion").forEach((box) => {
    const plot = plotOf(box), count = frames(plot).length;
    if (!count || plot.irvizMoves) return;
    plot.irvizMoves = true;
    const slider = box.querySelector("input");
    slider.max = slider.value = count - 1;
    say(box, plot, count - 1);
    plot.on("plotly_animatingframe", (event) => {
      slider.value = frames(plot).findIndex((frame) => frame.name === event.name);
      say(box, plot, Number(slider.value));
    });
    if (box.dataset.plays === "1" && !less.matches) play(plot);
  });
  setInterval(look, 200);
  document.addEventListener("input", (event) => {
    const box = event.target.closest?.(".irviz-motion"), plot = box && plotOf(box);
    if (plot) { show(plot, Number(event.target.value)); say(box, plot, Number(event.target.value)); }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("button")) return;
    const box = event.target.closest(".irviz-motion"), plot = box && plotOf(box);
    if (plot) play(plot);
    else document.querySelectorAll(".irviz-motion").forEach((one) => {  // a figure that goes away must not play on
      if (frames(plotOf(one)).length) animate(plotOf(one), [null], {});
    });
  }, true);
}
""".replace("HOLDERS", HOLDERS)
