// A click on a system in a figure, outside labs, selects it on every page, or lets go of it again; Esc lets go of all.
// The row, or the point, of a click says names; the text box that nobody sees takes them over, and the server keeps
// those that are systems.
if (!window.irvizPick) {
  window.irvizPick = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const read = (text) => new DOMParser().parseFromString(text, "text/html").documentElement.textContent;
  const tell = (names) => {
    const box = document.querySelector(".st-key-picked input");
    if (!box) return;
    set.call(box, JSON.stringify(names));
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 30);
  };
  const namesAt = (plot, { clientY }) => {
    const rows = plot.layout.meta?.rows, { _offset, p2d } = plot._fullLayout.yaxis ?? {};
    if (rows) return [rows[Math.round(p2d(clientY - plot.getBoundingClientRect().y - _offset))]];
    return (plot._hoverdata ?? []).flatMap(({ customdata, x, y }) => [customdata, x, y]).flat(2);
  };
  document.addEventListener("click", (event) => {
    const plot = event.target.closest?.(".js-plotly-plot");
    if (!plot || event.target.closest(".modebar, .legend")) return;
    const names = namesAt(plot, event).filter((one) => one && typeof one === "string").map(read);
    if (names.length) tell([...new Set(names)]);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.target.matches?.("input, textarea, [role=slider]")) return;
    if (document.querySelector('[data-testid="stPopoverBody"], :popover-open')) return;
    if (location.search.includes("highlight=")) tell([]);
  });
}
