// Figures move with the hand.  Once the page is at rest, the figures at other values of the handle at hand are asked for;
// while it is moved, those at the nearest value are drawn with this value beside them, until the server's are there.
if (!window.irvizFrames) {
  window.irvizFrames = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const kept = new Map(), seen = new WeakMap();  // figures that move → what the server drew; handles → where they are
  const OWN = ["template", "width", "height", "clickmode", "dragmode", "hovermode", "updatemenus"];
  let rests = 0, held = false, wanted = null, using = "", asked = "";
  const find = (selector) => document.querySelector(selector);
  const pathOf = (one) => {  // of the parameter; that of a slider is in the name of the button beside it
    const button = one.closest('[class*="st-key-swept-"]')?.querySelector('[class*="st-key-sweep-"]');
    return one.closest("[data-path]")?.dataset.path ?? button?.className.match(/st-key-sweep-(\S+)/)[1];
  };
  const handles = () => [...document.querySelectorAll(".st-key-knobs input[type=range]")].filter(pathOf);
  const nameOf = (one) => `${pathOf(one)}#${[...(one.closest(".irviz-handles")?.querySelectorAll("input") ?? [])].indexOf(one)}`;
  const stops = (one) => {  // places of a handle, with the text that its parameter then has; evenly some of them
    const [low, high, step] = [one.min, one.max, one.step].map(Number), count = Math.round((high - low) / step);
    const places = Array.from({ length: count + 1 }, (_, n) => Number((low + n * step).toFixed(6)));
    const text = (at) => one.closest(".irviz-handles") ? window.irvizListAt(one, at) : String(at);
    const all = [...new Map(places.map((at) => [text(at), at]).reverse())].map(([said, at]) => [at, said]).reverse();
    const last = Math.min(all.length, 20) - 1;
    return Array.from({ length: last + 1 }, (_, n) => all[Math.round(n * (all.length - 1) / (last || 1))]);
  };
  const box = () => find(".st-key-frames input");
  const ask = (one) => {
    box().irvizLink = location.search;
    set.call(box(), JSON.stringify([nameOf(one), pathOf(one), Number(one.value), stops(one)]));
    box().dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 30);
  };
  const isPart = (one) => one && Object.getPrototypeOf(one) === Object.prototype;
  const merged = (one, change) => !isPart(one) || !isPart(change) ? change
    : Object.entries(change).reduce((all, [name, part]) => ({ ...all, [name]: merged(one[name], part) }), one);
  const react = (plot, data, layout) => {
    const button = plot.querySelector(".updatemenu-button");
    Object.assign(button.__data__, { method: "react", args: [data, layout] });
    plot.irvizReacts = (plot.irvizReacts ?? 0) + 1;
    button.dispatchEvent(new MouseEvent("click"));
  };
  const say = (one, text) => { if (one) one.dataset.at = text; };
  const restore = () => {
    wanted = null;
    kept.forEach(({ data, layout }, plot) => { if (plot.isConnected) react(plot, data, layout); });
    kept.clear();
    document.querySelectorAll("[data-at]").forEach((one) => { delete one.dataset.at; });
    find(".st-key-bench")?.removeAttribute("data-moves");
  };
  const keep = (plot) => {  // and end the motion where anybody else draws it meanwhile
    if (kept.has(plot)) return kept.get(plot);
    kept.set(plot, { data: plot.data, layout: plot.layout });
    if (!plot.irvizHears) plot.on("plotly_afterplot", () => {
      plot.irvizReacts -= 1;
      if (plot.irvizReacts < 0 && kept.delete(plot)) restore();
      plot.irvizReacts = Math.max(0, plot.irvizReacts);
    });
    plot.irvizHears = true;
    return kept.get(plot);
  };
  const ends = (figures, axis) => {  // of an axis in all frames, so that what moves is the figure's content
    const ranges = figures.map(({ layout }) => layout?.[axis]?.range).filter(Boolean), [from, to] = ranges[0];
    if (from > to) return ranges[0];
    return [Math.min(...ranges.map((one) => one[0])), Math.max(...ranges.map((one) => one[1]))];
  };
  const moves = ({ data = {}, layout = {} }, first) => Object.entries(data).every(([i, part]) => part &&
    Object.keys(part).every((key) => ["x", "y", "text"].includes(key)) &&
    (first.data[i].mode === "lines" || ["x", "y"].every((key) => !part[key] || part[key].length === first.data[i][key].length)))
    && Object.entries(layout).every(([name, part]) => /^[xy]axis$/.test(name) && Object.keys(part).every((key) => /^range|^title/.test(key)));
  const plain = (text) => /[&<]/.test(text) ? new DOMParser().parseFromString(text, "text/html").documentElement.textContent : text;
  const paint = (plot, { data = {}, layout = {} }, first) => {
    plot._fullData.forEach((trace, i) => {
      const { x, y, text = first.data[i].text } = data[i] ?? {};
      window.irvizDraw(plot, trace, { x, y, text: text?.map(plain) });
    });
    for (const name of ["x", "y"]) {
      const title = plot.querySelector(`.${name}title`);
      if (title) title.textContent = plain(merged(first.layout, layout)[`${name}axis`].title?.text ?? "");
    }
  };
  const show = (name, first, change, figures) => {
    const plot = find(`.st-key-what_if-${name} .js-plotly-plot`);
    if (!plot) return;
    const own = keep(plot), axes = ["xaxis", "yaxis"].map((axis) => [axis, { range: ends(figures, axis) }]);
    const ranges = JSON.stringify(axes), is = moves(change, first), { data, layout } = merged(first, is ? {} : change);
    if (!is || own.ranges !== ranges) {
      const as = Object.fromEntries(OWN.map((key) => [key, own.layout[key]]));
      react(plot, Object.values(data).filter(Boolean), merged({ ...layout, ...as }, Object.fromEntries(axes)));
    }
    own.ranges = is ? ranges : "";
    if (is) paint(plot, change, first);
  };
  const draw = () => {
    if (!wanted) return;
    const { change, all } = wanted, [{ change: first }] = all, { value, sentence } = merged(first, change);
    wanted = null;
    say(find('.st-key-bench [class*="st-key-sentence"]'), sentence);
    for (const name of Object.keys(first.figures)) {
      const own = change.figures?.[name] ?? {}, figures = all.map((one) => one.change.figures?.[name] ?? {});
      show(name, first.figures[name], change === first ? {} : own, figures);
      const { facts, title } = { ...first.figures[name], ...own };
      say(find(`.st-key-what_if-${name}-heading [data-testid="stMarkdownContainer"]`), title);
      say(find(`.st-key-what_if-${name}`)?.closest('[data-testid="stColumn"]').querySelector(".irviz-facts"), `${value} · ${facts}`);
    }
    find(".st-key-bench").dataset.moves = "";
  };
  const read = (one) => one.irvizFrames ??= JSON.parse(one.textContent);
  const move = (one) => {
    const at = Number(one.value), name = nameOf(one), known = seen.has(one);
    if (seen.get(one) === at) return;
    seen.set(one, at);
    if (!known) return;
    const parts = [...document.querySelectorAll(".irviz-frames")].map(read).filter(({ handle }) => handle === name);
    const all = parts.flatMap(({ frames }) => frames);
    if (!all.length || (using !== name && box().irvizLink !== location.search)) return;
    using = name;
    const far = ({ place }) => Math.abs(place - at);
    const { place, change } = all.reduce((best, frame) => far(frame) < far(best) ? frame : best);
    if (Math.abs(parts[0].now - at) <= Math.abs(place - at)) return restore();
    if (!wanted) requestAnimationFrame(draw);
    wanted = { change, all };
  };
  new MutationObserver((changes) => changes.forEach(({ target }) => {
    if (target.matches(".st-key-knobs input[type=range]") && pathOf(target)) move(target);
  })).observe(document.body, { attributes: true, attributeFilter: ["aria-valuetext"], subtree: true });
  const touch = ({ type, target }) => {  // anything but the handle that moves may change another part of the state
    if (/down$/.test(type) && !(target.closest?.("input[type=range], [data-testid=stSlider]"))) using = "";
    held = type === "pointerdown" || (held && type === "keydown");
    rests = 0;
  };
  ["pointerdown", "pointerup", "pointercancel", "keydown"].forEach((name) => document.addEventListener(name, touch, true));
  setInterval(() => {
    const still = find('[data-testid="stApp"][data-test-script-state="notRunning"]');
    rests = box() && still && !held && !document.hidden ? rests + 1 : 0;
    if (rests === 3 && kept.size) restore();
    const all = handles(), one = all.find((input) => input.matches(":focus")) ?? all.find((input) => asked === nameOf(input)) ?? all[0];
    if (rests < 4 || !one || box().value.startsWith(`["${nameOf(one)}"`)) return;
    asked = nameOf(one);
    ask(one);
  }, 200);
}
