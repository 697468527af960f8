// A click on a system in a figure, outside labs, selects it on every page, or lets go of it again; a box drawn
// with Shift around several takes all of them; Esc lets go of all.  What is pointed at gets a ring in the other figures, too.
// The rows, or the points, say names; the text box that nobody sees takes them over, and the server keeps those that
// are systems.
if (!window.irvizPick) {
  window.irvizPick = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const read = (text) => /[&<]/.test(text) ? new DOMParser().parseFromString(text, "text/html").documentElement.textContent : text;
  const tell = (names) => {
    const box = document.querySelector(".st-key-picked input");
    if (!box) return;
    set.call(box, JSON.stringify(names));
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 30);
  };
  const texts = (parts) => [...new Set(parts.flat(2).filter((one) => one && typeof one === "string").map(read))];
  const namesOf = (plot, { customdata, x, y }) => texts([customdata, x, y, plot.layout.meta?.rows?.[Math.round(y)]]);
  const namesAt = (plot, { clientY }) => {
    const rows = plot.layout.meta?.rows, { _offset, p2d } = plot._fullLayout.yaxis ?? {};
    if (rows) return texts([rows[Math.round(p2d(clientY - plot.getBoundingClientRect().y - _offset))]]);
    if (plot.layout.clickmode?.includes("select")) return [];  // the server hears of it by itself
    return (plot._hoverdata ?? []).flatMap((point) => namesOf(plot, point));
  };
  document.addEventListener("click", (event) => {
    const plot = event.target.closest?.(".js-plotly-plot");
    if (!plot || event.target.closest(".modebar, .legend") || event.shiftKey) return;
    const names = namesAt(plot, event);
    if (names.length) tell(names);
  }, true);
  const places = (plot) => {  // name → where its points are, in pixels; of one drawing
    if (plot.irvizPlaces?.of === plot.calcdata) return plot.irvizPlaces;
    const at = new Map();
    for (const points of plot.calcdata ?? []) {
      const { trace } = points[0] ?? {}, { _fullLayout: all } = plot;
      const [across, up] = ["x", "y"].map((way) => all[(trace?.[`${way}axis`] ?? way).replace(way, `${way}axis`)]);
      if (trace?.type !== "scatter" || trace.hoverinfo === "skip" || !across) continue;
      points.forEach(({ x, y, i }) => {
        if (!(x > -Infinity && y > -Infinity)) return;
        const spot = [across._offset + across.c2p(x), up._offset + up.c2p(y)];
        const one = { customdata: trace.customdata?.[i], x: trace.x[i], y: trace.y[i] };
        namesOf(plot, one).forEach((name) => at.set(name, [...at.get(name) ?? [], spot]));
      });
    }
    return plot.irvizPlaces = { of: plot.calcdata, at };
  };
  const clear = () => document.querySelectorAll(".irviz-ring").forEach((ring) => ring.remove());
  const point = (plot, names) => {
    clear();
    for (const other of document.querySelectorAll(".js-plotly-plot")) {
      const spots = other === plot ? [] : names.flatMap((name) => places(other).at.get(name) ?? []);
      const rings = spots.slice(0, 60).map(([left, top]) => {
        const ring = document.createElement("div");
        Object.assign(ring.style, { left: `${left}px`, top: `${top}px` });
        ring.className = "irviz-ring";
        return ring;
      });
      other.querySelector(".svg-container")?.append(...rings);
    }
  };
  document.addEventListener("pointerover", ({ target }) => {
    const plot = target.closest?.(".js-plotly-plot");
    if (!plot?.on || plot.irvizPoints || !document.querySelector(".st-key-picked")) return;
    plot.irvizPoints = true;
    plot.on("plotly_hover", ({ points }) => point(plot, points.flatMap((one) => namesOf(plot, one)).filter((name) => /\p{L}/u.test(name))));
    plot.on("plotly_unhover", clear);
  });
  let box = null;  // drawn with Shift: its figure, its first corner, and what is seen of it
  const inside = ({ plot, ring }) => {
    const { left, top, right, bottom } = ring.getBoundingClientRect(), { x, y } = plot.getBoundingClientRect();
    const { at } = places(plot), within = ([across, up]) => across > left - x && across < right - x && up > top - y && up < bottom - y;
    return [...at.keys()].filter((name) => at.get(name).some(within));
  };
  document.addEventListener("mousedown", (event) => {
    const plot = event.target.closest?.(".js-plotly-plot");
    if (!event.shiftKey || !plot || !document.querySelector(".st-key-picked")) return;
    event.preventDefault();
    event.stopPropagation();
    box = { plot, x: event.clientX, y: event.clientY, ring: document.body.appendChild(document.createElement("div")) };
    box.ring.className = "irviz-box";
  }, true);
  document.addEventListener("mousemove", ({ clientX, clientY }) => {
    if (!box) return;
    const [left, top] = [Math.min(box.x, clientX), Math.min(box.y, clientY)].map((at) => `${at}px`);
    const [width, height] = [Math.abs(clientX - box.x), Math.abs(clientY - box.y)].map((far) => `${far}px`);
    Object.assign(box.ring.style, { left, top, width, height });
  });
  document.addEventListener("mouseup", () => {
    if (!box) return;
    const names = inside(box), { ring } = box;
    ring.remove();
    box = null;
    if (names.length) tell(names);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.target.matches?.("input, textarea, [role=slider]")) return;
    if (document.querySelector('[data-testid="stPopoverBody"], :popover-open')) return;
    if (location.search.includes("highlight=")) tell([]);
  });
}
