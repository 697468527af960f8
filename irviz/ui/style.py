"""The scripts of irviz's own that run in the browser; the content security policy names each by its digest."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st

from irviz.figures.motion import MOTION, MOTION_STYLE
from irviz.labs.cards import CARDS, CARDS_STYLE
from irviz.ui.handles import HANDLES, HANDLES_STYLE
from irviz.ui.picture import PICTURES, PICTURES_STYLE
from irviz.workspace.page import Page

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
#: Another page is opened at its top.
HISTORY = """
if (!window.irvizHistory) {
  window.irvizHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? "", location.href);
    if (next.pathname !== location.pathname) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
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
#: go, the figure is told of a click on that place; without a move, of one on the place under it.  While it is dragged,
#: other traces become what the place says in ``outcome``.  By keys, the arrows go through a figure that has the focus,
#: and Enter is the click; a dot that can be dragged is lifted by Enter, moved by the arrows, and put down by Enter;
#: where it was, this is the click.
DRAG = """
if (!window.irvizDrag) {
  window.irvizDrag = true;
  const near = 18, far = 5, ghost = document.createElement("div");
  ghost.style.cssText = "position:fixed;width:26px;height:26px;margin:-16px;border:3px solid #D55E00;" +
    "border-radius:50%;pointer-events:none;z-index:9999";
  let held = null;
  const clicked = (plot) => plot?._ev?.listenerCount?.("plotly_selected") > 0;
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const place = (plot, x, y, trace = { xaxis: "x", yaxis: "y" }) => {
    const box = plot.getBoundingClientRect();
    const [across, up] = ["x", "y"].map((one) => plot._fullLayout[`${one}axis${trace[`${one}axis`].slice(1)}`]);
    return [box.x + across._offset + across.l2p(x), box.y + up._offset + up.l2p(y)];
  };
  const nearest = (plot, options, at) => options.reduce((best, one) => {
    const d = distance(place(plot, one.x, one.y, one.trace), at);
    return d < best.d ? { d, one } : best;
  }, { d: Infinity, one: null });
  const points = (plot, of) => plot._fullData.flatMap((trace) => (of(trace) || []).map((given, i) =>
    ({ x: trace.x[i], y: trace.type === "bar" ? trace.y[i] / 2 : trace.y[i], given, trace, i })));
  const dots = (plot) => points(plot, (trace) => trace.meta?.drag).filter(({ given }) => given.length);
  const goals = ({ given, trace }) => given.map((goal) => ({ ...goal, trace }));
  const reached = (plot, one, at) => {  // a bar across all of its width
    const { x, y, trace } = one, [across, up] = place(plot, x, y, trace);
    const wide = trace.type === "bar" ? place(plot, x + trace.width / 2, y, trace)[0] - across : near;
    return Math.abs(at[0] - across) <= wide && Math.abs(at[1] - up) <= near;
  };
  const tell = (plot, one) => plot.emit("plotly_selected", { points: [
    { curveNumber: 0, pointIndex: 0, pointNumber: 0, x: one.x, y: one.y, customdata: one.given }] });
  const draw = (event) => {
    const { one } = nearest(held.plot, held.options, [event.clientX, event.clientY]);
    const outcome = held.plot.layout.meta?.outcomes?.[one.outcome];
    if (outcome && one.outcome !== held.outcome) {
      window.irvizAnimate(held.plot, [outcome], { frame: { duration: 0, redraw: true } });
    }
    held.outcome = one.outcome;
    mark(held.plot, one);
    return one;
  };
  const mark = (plot, one) => {
    const [x, y] = place(plot, one.x, one.y, one.trace);
    ghost.style.left = x + "px";
    ghost.style.top = y + "px";
    document.body.append(ghost);
  };
  const stop = () => { held = null; ghost.remove(); };
  document.addEventListener("pointerdown", (event) => {
    const plot = event.target.closest?.(".js-plotly-plot"), at = [event.clientX, event.clientY];
    if (!event.isPrimary || event.button || !clicked(plot)) return;
    const { one } = nearest(plot, dots(plot), at);
    if (!one || !reached(plot, one, at)) return;
    held = { plot, at, options: goals(one), moved: false };
    event.preventDefault();
  }, true);
  document.addEventListener("touchstart", (event) => held && event.preventDefault(), { capture: true, passive: false });
  for (const start of ["mousedown", "touchstart"]) document.addEventListener(start, (event) => {
    const plot = event.target.closest?.(".js-plotly-plot"), { clientX, clientY } = event.touches?.[0] ?? event;
    if (!plot || !inLab(plot)) return;
    const { d, one } = nearest(plot, points(plot, (trace) => trace.customdata), [clientX, clientY]);
    if (d < 1.4 * near && one.given[0] === null) event.stopPropagation();  // a click that means nothing
  }, true);
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
      const { one } = nearest(plot, points(plot, (trace) => trace.customdata), at);
      if (one && reached(plot, one, at)) tell(plot, one);
    }
    stop();
  }, true);
  document.addEventListener("pointercancel", stop, true);
  const inLab = (one) => one.matches?.(":is(.st-key-lab, .st-key-lesson-step) .js-plotly-plot") && clicked(one);
  const spots = (plot) => {
    const clicks = points(plot, (trace) => trace.customdata).filter(({ given }) => given[0] !== null);
    return dots(plot).length ? dots(plot) : clicks;
  };
  const shown = (plot) => mark(plot, lifted ?? spots(plot)[chosen % spots(plot).length] ?? { x: 0, y: 0 });
  const nameOf = (plot) => plot.closest('[class*="st-key-"]').className.match(/st-key-\\S+/)[0];
  let chosen = 0, lifted = null, focused = null, name = "", again = false;
  document.addEventListener("keydown", (event) => {
    const plot = event.target, arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!inLab(plot) || !(arrow[event.key] || event.key === "Enter")) return;
    event.preventDefault();
    const every = spots(plot), one = every[chosen % every.length] ?? {}, [across, down] = arrow[event.key] ?? [0, 0];
    if (lifted && event.key !== "Enter") {
      const from = place(plot, lifted.x, lifted.y, lifted.trace);
      const ahead = goals(one).filter((goal) => {
        const [x, y] = place(plot, goal.x, goal.y, goal.trace).map((to, i) => to - from[i]);
        return across * x + down * y > Math.abs(across * y + down * x) + 1;
      });
      lifted = nearest(plot, ahead, from).one ?? lifted;
    } else if (event.key !== "Enter") chosen = (chosen + across + down + every.length) % every.length;
    else if (!one.trace?.meta?.drag) tell(plot, one);
    else if (lifted) { tell(plot, lifted); lifted = null; }
    else lifted = { ...one, given: one.trace.customdata?.[one.i] };
    ghost.style.background = lifted ? "#D55E0055" : "";
    shown(plot);
  });
  addEventListener("focusin", ({ target }) => {
    const plot = inLab(target) ? target : null;
    if (!plot && focused) { lifted = null; ghost.remove(); }
    focused = plot;
    name = plot && nameOf(plot);
    if (!again) chosen = 0;
    if (plot && plot.matches(":focus-visible")) shown(plot);
  });
  setInterval(() => {
    const plots = [...document.querySelectorAll(".js-plotly-plot")].filter(inLab);
    plots.filter((plot) => spots(plot).length).forEach((plot) => {
      plot.tabIndex = 0;
      plot.role = "application";
      plot.ariaLabel = "Arrow keys go through the figure, Enter clicks, or lifts and puts down";
    });
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    again = true;  // it was drawn anew
    plots.find((plot) => nameOf(plot) === name)?.focus({ preventScroll: true });
    again = false;
  }, 300);
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

#: The steps and challenges that somebody has done are kept in their browser; links to a lab say how many steps, or
#: have a tick, and so has each challenge beside the name of the present one.
#: Where a button goes away that had the focus, as *Predict* does, the answer or the next question has it.
#: For a number that is asked for, a phone shows its digits.
DONE = """
if (!window.irvizDone) {
  window.irvizDone = true;
  const key = "irviz.done";
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
  let last = null;
  addEventListener("focusin", ({ target }) => {  // a figure that is drawn anew has it again
    last = target.closest(".st-key-lesson-step") && !target.matches(".js-plotly-plot") && target;
  });
  const look = () => {
    const next = document.querySelector(".st-key-lesson-verdict, .st-key-lesson-step [data-testid='stForm']");
    if (next && last && !last.isConnected && document.activeElement === document.body) {
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
    }
    const done = read(), here = document.querySelector(".irviz-done")?.dataset;
    const of = (name) => done[name]?.steps ?? [], steps = here ? of(here.lab) : [];
    if (here && !steps.includes(here.step)) {
      done[here.lab] = { of: Number(here.of), steps: [...steps, here.step] };
      try { localStorage.setItem(key, JSON.stringify(done)); } catch { return; }
    }
    document.querySelectorAll('.st-key-lesson-step input[placeholder="a number"]').forEach((box) => {
      box.inputMode = "decimal";
    });
    document.querySelectorAll('a[href*="/lab_"]').forEach((link) => {
      const one = done[link.pathname.split("/").pop()];
      const steps = one?.steps.filter((step) => step[0] !== "c").length;
      link.dataset.done = !steps ? "" : steps >= one.of ? "✓" : `${steps} of ${one.of}`;
    });
    document.querySelectorAll(".irviz-solved").forEach((marks) => {
      const known = of(marks.dataset.lab), count = { length: Number(marks.dataset.of) };
      const signs = Array.from(count, (_, n) => known.includes(`c${n + 1}`) ? "✓" : "○");
      marks.dataset.done = `Solved: ${signs.join(" ")}`;
    });
  };
  setInterval(look, 500);
}
"""

#: A link of a term in a lab shows what the term means beside it; with Ctrl it opens the list of all terms.
TERM = """
if (!window.irvizTerm) {
  window.irvizTerm = true;
  const said = Object.assign(document.createElement("div"), { id: "irviz-term", popover: "auto", role: "status" });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href$="#terms"][title]');
    if (!link || event.ctrlKey || event.metaKey || !said.showPopover) return;
    event.preventDefault();
    document.body.append(said);
    said.replaceChildren(Object.assign(document.createElement("b"), { textContent: link.textContent }),
      ": " + link.title);
    said.style.colorScheme = getComputedStyle(link).colorScheme;
    said.showPopover();
    const { left, bottom, top } = link.getClientRects()[0], below = bottom + said.offsetHeight + 6 < innerHeight;
    said.style.left = Math.max(8, Math.min(left, innerWidth - said.offsetWidth - 8)) + "px";
    said.style.top = (below ? bottom + 4 : top - said.offsetHeight - 4) + "px";
  }, true);
}
"""

_HEAD = 20_000  #: characters within which a script has its imports
_SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"
#: elements of every page, whose scripts are fetched while the first is read, as Streamlit asks for them one by one
_ON_EVERY_PAGE = ("PlotlyChart", "Multiselect", "Html")


def early_scripts() -> list[str]:
    """Names of the scripts of :data:`_ON_EVERY_PAGE`, and of what they import."""
    there = (_SCRIPTS.parent.parent / "index.html").read_text(encoding="utf-8")
    names, waiting = [], [path.name for name in _ON_EVERY_PAGE for path in _SCRIPTS.glob(f"{name}.*.js")]
    while waiting:
        name = waiting.pop(0)
        if name not in names and name not in there:
            names.append(name)
            head = (_SCRIPTS / name).read_text(encoding="utf-8", errors="replace")[:_HEAD]
            waiting += re.findall(r'(?:from|import) *"\./([\w.$-]+\.js)"', head)
    return names


EARLY = early_scripts()
#: The script of figures is made ready while the server computes the first one, not when it has come.
READY = "".join(f'import("./static/js/{name}");' for name in EARLY[:1])

OWN_SCRIPTS = (READY, TOUCH, HISTORY, WRITING, DRAG, THEME, MOTION, HANDLES, CARDS, DONE, TERM, PICTURES)
#: what runs them, in one element: every element of a page takes its time; a digest is that of the text between two tags
ALL_SCRIPTS = "".join(f"<script>{script}</script>" for script in OWN_SCRIPTS)


# -- How the dashboard looks beside its theme: a sheet for all pages, one of a kind of page, one while presenting ---
#
# Rules of a kind of page have a sheet that only it gets.  As descendants of what `:has` something of it they would have
# the browser look at every text and button again whenever a figure gets a mark; as descendants of `[class*=…]`,
# whenever an element is drawn again.  Such a rule sets a variable, which its descendants use, or names the page.

_PAGE_STYLE = """
[data-testid="stMainBlockContainer"] { padding-top: 3.9rem; padding-bottom: 3rem; }
[data-testid="stTopNavLink"], [data-testid="stTopNavSection"] { padding-left: 0.25rem; padding-right: 0.25rem; }
[data-testid="stTopNavLinkContainer"] { margin-left: 0; margin-right: 0; }
:has(> .st-key-scripts) { display: none; }
[data-testid="stTopNavLink"]:focus-visible, .modebar-btn:focus-visible { outline: 2px solid currentColor !important; }
[data-testid="stSidebarHeader"] { height: 2.5rem; margin-bottom: 0; }
.st-key-heading { gap: 0.5rem 1.5rem; }
.st-key-heading > [data-testid="stElementContainer"]:first-child { flex: 1 1 auto; width: auto; max-width: 100%; }
.st-key-heading > :has(.st-key-toolbar) { flex: 0 0 auto; width: auto; margin-left: auto; }
.st-key-toolbar { flex-wrap: nowrap; }
:is(.st-key-sentence-start, .st-key-sentence-answers) p { font-size: 1.1rem; line-height: 1.5; }
[data-testid="stPopoverBody"] { max-height: calc(100dvh - 11rem) !important; }
[data-testid="stMainBlockContainer"] h3 { font-size: 1.15rem; line-height: 1.4; padding: 0.3rem 0; }
[data-testid^="stBaseButton-primary"] { background: #0072B2; border-color: #0072B2; color: #fff; }
[data-testid^="stBaseButton-primary"]:is(:hover, :focus) { background: #005A94; border-color: #005A94; color: #fff; }
[data-testid="stSidebar"] [data-testid$="Active"] p { color: light-dark(#00598C, #56B4E9); }
#irviz-term {
  position: fixed; inset: auto; margin: 0; max-width: min(26rem, 92vw); padding: 0.5rem 0.8rem; font-size: 0.92rem;
  line-height: 1.4; border: 1px solid #7A7F85; border-radius: 0.4rem; font-family: "Source Sans", sans-serif;
  background: light-dark(#FFFFFF, #262730); color: light-dark(#1A1C22, #FAFAFA);
}
a[href$="#terms"][title] { text-decoration-style: dotted; cursor: help; }
[data-testid="stCaptionContainer"] { opacity: 0.82; }
[data-testid="stCaptionContainer"] code { font-size: 0.85em; }
[data-testid="stMultiSelectTagsContainer"] > span > span { background: #0072B2; color: #fff; height: auto; }
[data-testid="stMultiSelectTagsContainer"] > span > span > span:first-child {
  white-space: normal; overflow-wrap: anywhere;
}
[data-testid="stApp"]:not([data-test-connection-state="CONNECTED"])::after {
  content: "The connection to irviz is lost. What is on the screen stays; changes wait until it is back.";
  position: fixed; z-index: 999999; bottom: 1rem; left: 50%; transform: translateX(-50%); width: max-content;
  max-width: 90vw; padding: 0.6rem 1rem; border-radius: 0.4rem; background: #8A3B00; color: #fff;
  visibility: hidden; animation: irviz-lost 0s linear 2s forwards;
}
@keyframes irviz-lost { to { visibility: visible; } }
:has(> .st-key-goal) { position: sticky; bottom: 0; z-index: 5; backdrop-filter: blur(14px); }
:is(.st-key-lab, .st-key-lesson-step) .js-plotly-plot:not([role=application]) .nsewdrag { cursor: default !important; }
.js-plotly-plot { overflow: clip !important; }  /* nothing scrolls it, as the focus on a button of its menu would */
.js-plotly-plot .modebar-container { top: auto !important; bottom: 0; height: auto !important; }
.js-plotly-plot .modebar { top: auto !important; bottom: 0; }
.js-plotly-plot:not(.st-key-lab *, .st-key-lesson-step *) {  /* below the figure its menu hides none of its names */
  overflow-clip-margin: 2rem; .modebar-container { bottom: -1.3rem; }
}
[data-testid="stElementContainer"]:has(.js-plotly-plot) { overflow: visible; }
@media (hover: none) { .js-plotly-plot .modebar-container { display: none; } }
@media (min-width: 769px) {
  [data-testid="stSidebar"]:not(:has([data-testid="stElementContainer"], [data-testid="stSidebarNav"])) {
    display: none;
  }
}
@media (min-width: 641px) {
  :not(.st-key-lab *, .st-key-facts *) > [data-testid="stColumn"]:has(.js-plotly-plot) { min-width: 250px; }
}
@media (min-width: 641px) and (max-width: 1200px) {  /* beside the sidebar two figures are too narrow to be read */
  :not(.st-key-lab *, .st-key-lesson-step *, .st-key-bench *) > [data-testid="stColumn"]:has(.js-plotly-plot) {
    min-width: 100%;
  }
}
:is([data-testid="stSidebar"], .st-key-knobs, .st-key-sidebar-build) button[role="radio"][aria-checked="true"] {
  color: inherit; box-shadow: inset 0 0 0 1px #0072B2;
}
.st-key-sidebar-measures button[role="radio"] {  /* all are chosen, and look it; the one at hand is filled */
  background: light-dark(#DCEBF5, #17344A); border-color: #3F8FD0;
  &[aria-checked="true"] { background: #0072B2; border-color: #0072B2; color: #FFFFFF; font-weight: 600; }
}
[class*="-heading"] { text-wrap: balance; }  /* no word stands alone on the last line */
[class*="-heading"]:not(.st-key-heading) { flex-wrap: nowrap; > .stElementContainer { min-width: 0; } }
.st-key-facts :is(p, code, summary) { font-size: 0.8rem; line-height: 1.35; }
.st-key-facts :is(pre, summary) { padding: 0.3rem 0.5rem; min-height: 0; }
.st-key-facts [data-testid="stVerticalBlock"] { gap: 0.3rem; }
.st-key-facts .stMarkdownBadge { white-space: normal !important; }
.st-key-facts [data-testid="stColumn"][data-testid] { min-width: 9rem; }
.st-key-sidebar-name { flex: 1 1 5rem; min-width: 0; }
:has(> .st-key-build-facts) { position: sticky; top: 0; }
@media (min-width: 641px) {
  [data-testid="stPopoverBody"]:has(.st-key-build-facts) { width: 66rem; max-width: 92vw !important; }
  [data-testid="stColumn"][data-testid]:has(.st-key-build-facts) { min-width: 12rem; }
}
[data-testid="stPopoverBody"]:has(.st-key-build-facts) [role="radiogroup"] { flex-wrap: wrap; }
@media (min-width: 641px) and (max-width: 1100px) {
  [data-testid="stMainBlockContainer"] { padding-left: 2rem; padding-right: 2rem; }
  [data-testid="stTopNavLink"], [data-testid="stTopNavSection"] { padding: 0.25rem 0.1rem; }
  [data-testid="stTopNav"] { padding: 0.2rem 0.3rem; :is(span, p, a) { font-size: 0.82rem; } }
  [data-testid="stTopNav"] + * { width: 7.5rem; min-width: 0; }  /* 200 pixels, for a button and a sign of work */
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; padding-top: 4.25rem; }
  [data-testid="stPopoverBody"]:has(.st-key-build-facts) {
    inset: 4rem 0.5rem 0.5rem !important; transform: none !important;
    max-height: none !important; max-width: none !important;
  }
  .st-key-toolbar { gap: 0.35rem; }
  [data-testid="stMetric"] { padding: 0.35rem 0.6rem; }
  [data-testid="stMetricValue"] { font-size: 1.3rem; }
  .st-key-judges-grades:has(g.xtick:nth-of-type(14)),
  .st-key-scores-heatmap:has(g.xtick:nth-of-type(7)) {
    overflow-x: auto; box-sizing: content-box; padding-bottom: 1.6rem;  /* as high as the line above it */
    &::before { content: "Swipe sideways for all columns →"; position: sticky; left: 0; font-size: 0.85rem; }
    > * { min-width: 860px; }
  }
  [data-testid="stTable"] :is(td:last-child, td:last-child *) { overflow-wrap: anywhere; }
  [data-testid="stSelectbox"] input { font-size: 0.88rem; text-overflow: ellipsis; }
  .st-key-toolbar button { padding-left: 0.5rem; padding-right: 0.5rem; }
}
@media (min-width: 1000px) {  /* few findings are on two lines, none on three */
  :is(.st-key-findings-squares, [class*="st-key-findings-presented"]) .annotation {
    opacity: 1 !important; &[style*="opacity: 0.99"] { opacity: 0 !important; }
  }
}
@media (max-width: 999px) {  /* many are, without the other collections */
  :is(.st-key-findings-squares, [class*="st-key-findings-presented"]) :is(.subplot.x2y, [data-subplot="x2y"]) {
    display: none;
  }
}
@media (min-width: 641px) and (max-height: 800px) {
  [data-testid="stPopoverBody"]:has(.st-key-build-facts) {
    inset: 4rem auto 0.5rem 1.5rem !important; transform: none !important; max-height: none !important;
  }
}
[data-done]:not([data-done=""])::after { content: "\\00a0" attr(data-done); font-size: 0.85em; }
@media (max-width: 1250px) { .st-key-lesson-bar [data-testid="stCaptionContainer"] { display: none; } }
"""
#: for the parts of one page
_NAMED_STYLE = """
:is(.st-key-choices-PAGE, .st-key-choices-PAGE-sweep) [data-testid="stCheckbox"] {  /* as the one among them has */
  margin-bottom: 0.5rem;
}
.st-key-sentence-PAGE p { font-size: 1.1rem; line-height: 1.5; }
.st-key-sentence-PAGE code { font-size: 0.95em; }
:is([data-testid="stSidebar"] button[role="radio"], .st-key-PAGE-folds button) { height: auto; max-width: 100%; }
:is([data-testid="stSidebar"] button[role="radio"], .st-key-PAGE-folds button) :is(div, span, p) {
  white-space: normal; overflow-wrap: anywhere; overflow: visible; text-align: start;
}
@media (max-width: 640px) {
  :is(.st-key-choices-PAGE, .st-key-choices-PAGE-sweep) {
    gap: 0.4rem 0.6rem;
    > [data-testid="stLayoutWrapper"]:has([data-testid="stSelectbox"], [data-testid="stNumberInput"]) {
      flex: 1 1 8rem; min-width: 0; width: 8rem !important;
      > [data-testid="stVerticalBlock"] { width: 100% !important; }
    }
  }
}
"""
_LAB_STYLE = """
.st-key-lesson-verdict[tabindex]:focus, .st-key-lesson-step [data-testid="stForm"][tabindex]:focus { outline: none; }
.st-key-lab [data-testid="stCheckbox"] :is(label div, label p) { white-space: normal; overflow: visible; }
.st-key-lesson-step, .st-key-lesson-step [data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stMainBlockContainer"] .st-key-lesson-step h3 { padding-bottom: 0.7rem; }
.st-key-lesson-step > [data-testid="stElementContainer"] p { font-size: 1.05rem; }
@media (min-width: 1250px) and (min-height: 850px) {
  .st-key-lesson-try { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)) !important; }
  [data-testid="stMain"]:not(:has(.st-key-task)) .st-key-lesson-tall :has(> .st-key-filled) {
    flex-basis: calc(100vh - 392px) !important;  /* all below the text */
  }
  .st-key-lesson-rows {
    :has(> .st-key-filled) { flex-basis: 34vh !important; }
    .point { d: path("M24,24H-24V-24H24Z"); &[d*="A"] { d: path("M24,0A24,24 0 1,1 0,-24A24,24 0 0,1 24,0Z"); } }
    .textpoint text { font-size: 17px !important; }
  }
}
.st-key-lab, .st-key-lab [data-testid="stVerticalBlock"] { gap: 0.7rem; }
.st-key-lesson-challenge { padding: 0.6rem 0.8rem; p { line-height: 1.4; } }
.st-key-lesson-challenge summary { padding: 0.25rem 0.6rem; min-height: 0; }
.st-key-lesson-goal { padding: 0.3rem 0.6rem; border-left: 3px solid #0072B2; p { line-height: 1.4; } }
@media (min-width: 641px) {
  [data-testid="stMain"] :is(h1, h2) { font-size: 1.2rem; padding: 0; font-weight: 500; }
  [data-testid="stMainBlockContainer"] .st-key-lesson-step h3 { font-size: 1.5rem; padding: 0 0 0.95rem; }
  .st-key-lesson-verdict > :has(> .st-key-lesson-predicted):first-child + * p,  /* the answer, or the one now */
  .st-key-lesson-verdict > [data-testid="stElementContainer"]:first-child p { font-size: 1.1rem; }
  .st-key-lesson-predicted p { font-size: 0.92rem; }
}
.st-key-lesson-try { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0 0.8rem; }
.st-key-lesson-try [data-testid="stSelectbox"] input { font-size: 0.85rem; padding-left: 0.4rem; }
[data-testid="stSelectboxVirtualDropdown"] {
  width: max-content !important; max-width: 90vw;
}
.st-key-lesson-try > :is(
  :has(.irviz-try, [role="radio"]:nth-child(3), [data-testid="stExpander"]), :nth-child(2):last-child
) { grid-column: 1 / -1; }
.irviz-try { gap: 0.4rem; font-size: 0.92rem; line-height: 1.35; }
.irviz-try input { display: none; }
.irviz-try:has(:focus-visible) { outline: 3px solid #D55E00; }
@media (max-width: 640px) {
  .st-key-lesson-bar { gap: 0.4rem; }
  [data-testid="stMain"] {
    [data-testid="stMainBlockContainer"] { padding-top: 3.75rem; }
    :is(h1, h2) { font-size: 1.05rem !important; padding: 0; white-space: nowrap; }
    :has(> .st-key-heading), .st-key-heading { display: contents; }
    .st-key-heading > :first-child {
      position: fixed; top: 0.25rem; left: 3.4rem; z-index: 999990; pointer-events: none;
    }
    .st-key-heading > :has(.st-key-toolbar) { order: 9; }  /* below what it is about */
    [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.3rem; }
    .st-key-lesson-bar > * { flex: none; }
    .st-key-lesson-bar > :has([role="radio"]) { position: fixed; top: 1.75rem; left: 3.4rem; z-index: 999990; }
    .st-key-lesson-bar button { min-height: 2rem; padding: 0.1rem 0.5rem; }
    .st-key-lesson-bar button[role="radio"] { min-height: 1.7rem; padding: 0 0.45rem; p { font-size: 0.8rem; } }
    .st-key-lesson-step p { font-size: 0.92rem; line-height: 1.35; }
    .st-key-lesson-step, .st-key-lesson-step [data-testid="stHorizontalBlock"] { gap: 0.3rem; }
    .st-key-lesson-step :has(> .st-key-filled) { max-height: 290px; }
    .st-key-lesson-step:has(.st-key-lesson-verdict) > [data-testid="stElementContainer"]:has(p) { order: 1; }
    .st-key-lesson-step:has(.st-key-lesson-verdict) > [data-testid="stLayoutWrapper"] {  /* its source is last */
      &, > *, > * > :last-child, > * > :last-child > * { display: contents; }
      > * > :last-child > * > [data-testid="stElementContainer"]:last-child { order: 2; }
    }
    .st-key-lesson-verdict, .st-key-lesson-predicted { gap: 0.2rem !important; p { line-height: 1.3; } }
    .st-key-lesson-step:has(.irviz-try :checked) :has(> .st-key-lesson-predicted) { display: none; }
    .st-key-lesson-verdict [data-testid="stCaptionContainer"] p {
      display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden;
    }
    [data-testid="stForm"] { padding: 0.5rem; gap: 0.4rem; }
    :has(> .st-key-lesson-try):has(.irviz-try :checked) {
      position: sticky; bottom: 0; z-index: 5;
    }
    .st-key-lesson-try { padding-top: 0.2rem; background: light-dark(#FFFFFF, #0E1117); }
    .irviz-try { display: flex; padding: 0.1rem 0.4rem; border: 1px solid #7A7F85; border-radius: 0.4rem; }
    .irviz-motion { font-size: 0.8rem; gap: 0.5rem; button { padding: 0.1rem 0.5rem; } }
    .irviz-try input { display: initial; }
    .st-key-lesson-bar [data-testid="stCaptionContainer"] { display: none; }
    .st-key-lesson-try:not(:has(.irviz-try :checked)) > :not(:has(.irviz-try)) { display: none; }
  }
  .st-key-lab > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] {
    flex-direction: column; flex-wrap: nowrap;
  }
  .st-key-lab > * > * > [data-testid="stColumn"],
  .st-key-lab > * > * > [data-testid="stColumn"] > [data-testid="stVerticalBlock"] { display: contents; }
  .st-key-lab > * > [data-testid="stHorizontalBlock"] { gap: 0.5rem; }
  :has(> .st-key-lesson-goal) { position: sticky; top: 3.4rem; z-index: 5; background: light-dark(#FFFFFF, #14181D); }
  .st-key-lab > * > * > * > * > :has(> .st-key-lab-controls) { order: 1; }
  .st-key-lab > * > * > * > * > :has(> .st-key-reading) { order: 2; }
  .st-key-lesson-step [data-testid="stColumn"] { min-width: 100%; }
}
@media (min-width: 641px) and (max-height: 800px) {
  [data-testid="stMain"] {
    [data-testid="stMainBlockContainer"] { padding-bottom: 0.5rem; }
    :is(.st-key-toolbar, .st-key-lesson-bar, .st-key-lesson-step) button { min-height: 2rem; padding: 0.1rem 0.6rem; }
    .st-key-lesson-step, .st-key-lesson-step [data-testid="stVerticalBlock"] { gap: 0.25rem; }
    .st-key-lesson-step p { font-size: 0.92rem; line-height: 1.35; }
  }
}
"""
_BENCH_STYLE = """
[data-testid="stMainBlockContainer"] { padding: 3.9rem 1.5rem 0.5rem; }
.st-key-bench [class*="-heading"] { gap: 0.35rem; }
.st-key-bench button[kind="secondary"]:not(.st-key-knobs *, .st-key-facts *, .st-key-rest *) {
  min-height: 1.6rem; padding: 0 0.5rem;
}
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stMainBlockContainer"] :is(h1, h2) { font-size: 1.6rem; padding: 0; }
.st-key-bench .st-key-sentence-PAGE p { font-size: 1rem; line-height: 1.45; }
.st-key-bench :is([data-testid="stVerticalBlock"], [data-testid="stHorizontalBlock"]):has(.js-plotly-plot) {
  row-gap: 0.4rem;
}
.st-key-bench .st-key-rest { gap: 0.4rem; }
[data-testid="stMain"] { overflow-anchor: none; }
.st-key-bench [class*="-heading"] { scroll-margin-top: 15rem; }  /* the sentence stays in sight above them */
.st-key-knobs {
  &, [data-testid="stVerticalBlock"] { gap: 0.4rem; }
  :is(.st-key-choices-PAGE, .st-key-choices-PAGE-sweep) {
    gap: 0.3rem 0.6rem; align-items: center;
    > [data-testid="stLayoutWrapper"]:has([data-testid="stSelectbox"], [data-testid="stTextInput"]) {
      flex: 1 1 8rem; min-width: 0; > [data-testid="stVerticalBlock"] { width: 100%; }
    }
  }
  > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"] > * { max-width: 100%; }
  > [data-testid="stLayoutWrapper"] > [data-testid="stVerticalBlock"]:not([class*="st-key"]) { padding: 0.3rem 0.6rem; }
  [data-testid="stVerticalBlock"] [data-testid="stVerticalBlock"]:not([class*="st-key"]) { padding: 0.3rem 0.6rem; }
  [data-testid="stWidgetLabel"], [data-testid="stCaptionContainer"] p { font-size: 0.82rem; line-height: 1.3; }
  [data-testid="stWidgetLabel"] {
    min-height: 1.3rem; padding-right: var(--beside, 0); margin-bottom: var(--below, 0); p { font-size: inherit; }
  }
  :is([data-testid="stSelectbox"] > div, [data-testid="stTextInputRootElement"],
      [data-testid="stNumberInputContainer"]) {
    height: 2rem; min-height: 2rem; > * { height: 100%; }
  }
  :is([data-testid="stButton"], [data-testid="stPopover"]) button { min-height: var(--high, 2rem); padding: 0 0.5rem; }
  summary { padding: 0.25rem 0.6rem; min-height: 0; }
  [class*="st-key-swept-"] { position: relative; --beside: 4rem; --below: 0.5rem; }
  [class*="st-key-sweep-"] {
    position: absolute; right: 0; top: -0.25rem; width: auto; z-index: 1; --high: 1.3rem; --type: 0.78rem; --line: 1.2;
  }
  [class*="st-key-turns-"] .stElementContainer { position: static; }
  [data-testid="stButton"] p { font-size: var(--type, inherit); line-height: var(--line, inherit); }
  [data-testid="stSlider"] { padding-top: 0.2rem; label { margin-top: -0.2rem; } }
}
@media (min-width: 1101px) {
  .st-key-bench > * > [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
    height: calc(100vh - 9.4rem); overflow: hidden auto; padding-right: 0.4rem;
  }
}
@media (max-width: 1100px) {
  .st-key-bench > * > [data-testid="stHorizontalBlock"] {
    flex-direction: column; flex-wrap: nowrap; min-height: 1100px;  /* it stays scrolled while figures are replaced */
  }
  .st-key-bench > * > * > [data-testid="stColumn"] { width: 100%; order: 2; }
}
@media (min-width: 641px) and (max-width: 1100px) {
  .st-key-bench > * > * > [data-testid="stColumn"]:last-child { order: 1; }
  .st-key-knobs { display: block; columns: 2; > * { break-inside: avoid; margin-bottom: 0.4rem; } }
  .st-key-bench [data-testid="stColumn"]:has(.js-plotly-plot) { min-width: 200px; }
}
@media (max-width: 640px) {
  .st-key-bench > * > * > [data-testid="stColumn"]:first-child,
  .st-key-bench > * > * > [data-testid="stColumn"]:first-child > [data-testid="stVerticalBlock"] { display: contents; }
  .st-key-bench :has(> :is(.st-key-facts, .st-key-rest)) { order: 4; }
  .st-key-bench > * > * > * > * > :has(> * > [data-testid="stColumn"] .js-plotly-plot):not(:has(> .st-key-facts)) {
    &, > * { display: contents; }
    > * > [data-testid="stColumn"] { order: 3; }  /* the first figure stands above the knobs, the others below them */
    &:not(:has(.js-plotly-plot) ~ *) > * > [data-testid="stColumn"]:first-child { order: 0; }
  }
  .st-key-bench :has(> .st-key-sentence-what_if) {
    position: sticky; top: 3.5rem; z-index: 4; background: light-dark(#FFFFFF, #14181D);
  }
  .st-key-bench .st-key-sentence-PAGE p { font-size: 0.9rem; line-height: 1.35; }
  .st-key-bench [class*="-heading"] { scroll-margin-top: 21rem; }
}
"""
_START_STYLE = """
[data-testid="stMainBlockContainer"] { padding-bottom: 0.5rem; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] {
    padding-top: 3.75rem; h2 { padding: 0 0 0.4rem; font-size: 1.4rem; }
    [data-testid="stVerticalBlock"], [data-testid="stHorizontalBlock"] { gap: 0.5rem; }
    p { font-size: 0.92rem !important; line-height: 1.35; }
    .st-key-ways [data-testid="stVerticalBlock"] [data-testid="stVerticalBlock"] { padding: 0.3rem 0.7rem; }
    button { min-height: 2.1rem; padding: 0.1rem 0.7rem; }
  }
}
"""


def _sheet(*parts: str) -> str:
    """Rules as one line of markup, of which every run searches every line."""
    return f"<style>{' '.join(line.strip() for part in parts for line in part.splitlines())}</style>"


APP_STYLE = _sheet(_PAGE_STYLE, MOTION_STYLE, HANDLES_STYLE, CARDS_STYLE, PICTURES_STYLE)
_START, _NONE = map(_sheet, (_START_STYLE, ""))


def style_of(page: Page | None, start: bool) -> str:
    """The sheet of a page, by its name and its kind: a lab, one that turns a measure, another one; the start page."""
    if page is None:
        return _START if start else _NONE
    return _named(page.name, _LAB_STYLE if page.lab else _BENCH_STYLE if page.before else "")


@cache
def _named(page: str, kind: str) -> str:
    return _sheet(_NAMED_STYLE, kind).replace("PAGE", page)


PRESENTING = """<style>
html { font-size: 20px !important; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0.3rem 1.6rem; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0.35rem; }
.st-key-sentence-PAGE p { line-height: 1.35; }
.st-key-heading :is(h1, h2) { font-size: 1.3rem; padding: 0.2rem 0; }
:is(.st-key-heading, .st-key-turns, .st-key-lesson-bar) button { min-height: 2rem; padding: 0.1rem 0.7rem; }
[data-testid="stMainBlockContainer"] .st-key-lesson-step h3 { font-size: 1.2rem; padding: 0 0 0.85rem; }
.js-plotly-plot .modebar-container { display: none; }
/* a figure is as high as its type needs, and takes what is left of the screen */
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { min-height: calc(100dvh - 0.6rem); }
:has(> .st-key-filled), :has(> [class*="st-key-motion"] .st-key-filled) {
  flex-grow: 1 !important;
}
@media (max-width: 640px) {  /* cells and lines of findings are not wider */
  .textpoint text:not(.st-key-lesson-step *, .st-key-lab *), [class*="st-key-findings-presented"] .annotation text {
    font-size: 11px !important;
  }
}
@media (min-width: 1000px) {  /* findings on one line or two, not on three */
  :has(> .st-key-filled [class*="st-key-findings-presented"]) { flex-basis: 640px !important; }
}
[data-testid="stMain"]:has(.st-key-lesson-step) {
  .st-key-heading { position: absolute; right: 1.6rem; z-index: 1; width: auto; }
  .st-key-heading :is(h1, h2) { position: absolute; clip-path: inset(50%); white-space: nowrap; }
  @media (min-width: 641px) { .st-key-task { width: calc(100% - 11rem); } }  /* beside the button that stops it */
  [data-testid="stVerticalBlock"] { gap: 0.2rem; }
  .st-key-lesson-step > [data-testid="stElementContainer"] p { font-size: 0.8rem; line-height: 1.25; }
  [data-testid="stColumn"]:last-child { font-size: 0.85rem; }
}
</style>"""
