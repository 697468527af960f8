"""The scripts of irviz's own that run in the browser; the content security policy names each by its digest."""

from __future__ import annotations

from irviz.figures.motion import MOTION

#: A finger on a figure is a click: the first tap counts, and a swipe scrolls the page.  Plotly takes a touch for the
#: start of a drag and knows no point under it before the second.  Where it does not see the touch, the browser makes
#: a mouse of it: moved there, pressed, released.
TOUCH = """
if (!window.irvizTouch) {
  window.irvizTouch = true;
  document.addEventListener("touchstart", (event) => {
    if (event.target.closest && event.target.closest(".js-plotly-plot")) event.stopPropagation();
  }, { capture: true, passive: true });
}
"""

#: One press of Back leaves a page that the menu opened.  Streamlit's menu opens a page at its bare address, and what
#: the page shows is written behind it at once: two entries of the browser's history for one click.  The second takes
#: the place of the first.
HISTORY = """
if (!window.irvizHistory) {
  window.irvizHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? "", location.href);
    const completes = location.search === "" && next.search !== "" && next.pathname === location.pathname;
    return completes ? history.replaceState(state, title, url) : push(state, title, url);
  };
}
"""

#: What a student types to an exercise is sent when the typing pauses, as it is when they press Ctrl+Enter: then a
#: reload finds it, and the file to download holds it, without a word about leaving the box first.  Numbers wait until
#: they are whole.
WRITING = """
if (!window.irvizWriting) {
  window.irvizWriting = true;
  let pause;
  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box.closest(".st-key-task") || !box.matches("textarea, input[type=text]")) return;
    clearTimeout(pause);
    pause = setTimeout(() => box.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true })), 400);
  });
}
"""

#: A dot is dragged, by mouse or finger, to one of the places that its figure allows: a trace says in ``meta.drag``
#: for each of its points to which x and y it can go, and what that means to the figure's controls.  Where it is let
#: go, the figure is told of a click on that place; without a move, of one on the place under it.
DRAG = """
if (!window.irvizDrag) {
  window.irvizDrag = true;
  const near = 18, far = 5, ghost = document.createElement("div");
  ghost.style.cssText = "position:fixed;width:26px;height:26px;margin:-16px;border:3px solid #D55E00;" +
    "border-radius:50%;pointer-events:none;z-index:9999";
  let held = null;
  const clicked = (plot) => plot?._ev?.listenerCount?.("plotly_selected") > 0;
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const place = (plot, x, y) => {
    const box = plot.getBoundingClientRect(), { xaxis, yaxis } = plot._fullLayout;
    return [box.x + xaxis._offset + xaxis.l2p(x), box.y + yaxis._offset + yaxis.l2p(y)];
  };
  const nearest = (plot, options, at) => options.reduce((best, one) => {
    const d = distance(place(plot, one.x, one.y), at);
    return d < best.d ? { d, one } : best;
  }, { d: Infinity, one: null });
  const points = (plot, of) => plot._fullData.flatMap((trace) =>
    (of(trace) || []).map((given, i) => ({ x: trace.x[i], y: trace.y[i], given })));
  const tell = (plot, one) => plot.emit("plotly_selected", { points: [
    { curveNumber: 0, pointIndex: 0, pointNumber: 0, x: one.x, y: one.y, customdata: one.given }] });
  const draw = (event) => {
    const { one } = nearest(held.plot, held.options, [event.clientX, event.clientY]);
    const [x, y] = place(held.plot, one.x, one.y);
    ghost.style.left = x + "px";
    ghost.style.top = y + "px";
    document.body.append(ghost);
    return one;
  };
  const stop = () => { held = null; ghost.remove(); };
  document.addEventListener("pointerdown", (event) => {
    const plot = event.target.closest?.(".js-plotly-plot"), at = [event.clientX, event.clientY];
    if (!event.isPrimary || event.button || !clicked(plot)) return;
    const { d, one } = nearest(plot, points(plot, (trace) => trace.meta?.drag), at);
    if (d > near) return;
    held = { plot, at, options: one.given, moved: false };
    event.preventDefault();
  }, true);
  document.addEventListener("touchstart", (event) => held && event.preventDefault(), { capture: true, passive: false });
  document.addEventListener("pointermove", (event) => {
    if (!held || !event.isPrimary) return;
    held.moved ||= distance(held.at, [event.clientX, event.clientY]) > far;
    if (held.moved) draw(event);
  }, true);
  document.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    const { plot, at, moved } = held;
    if (moved) tell(plot, draw(event));
    else {
      const { d, one } = nearest(plot, points(plot, (trace) => trace.customdata), at);
      if (d <= near) tell(plot, one);
    }
    stop();
  }, true);
  document.addEventListener("pointercancel", stop, true);
}
"""

#: Figures follow the theme.  Their colours are the server's, which is told of another theme only when something else
#: asks it for a run: the button that nobody sees asks for one.
THEME = """
if (!window.irvizTheme) {
  window.irvizTheme = true;
  const theme = () => getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
  let seen = theme(), wait;
  const look = () => {
    if (theme() === seen) return;
    seen = theme();
    document.querySelector(".st-key-redraw button")?.click();
  };
  new MutationObserver(() => { clearTimeout(wait); wait = setTimeout(look, 150); }).observe(
    document.querySelector('[data-testid="stApp"]'), { attributes: true, attributeFilter: ["class"] });
}
"""

OWN_SCRIPTS = (TOUCH, HISTORY, WRITING, DRAG, THEME, MOTION)
#: the elements that run them; a digest is that of the text between the tags
SCRIPT_ELEMENTS = tuple(f"<script>{script}</script>" for script in OWN_SCRIPTS)
