// Figures are drawn into charts that stay.  The server sends them in elements beside their charts.
//
// And they move with the hand.  Once the page is at rest, the figures at other values of the handle that was pointed at
// or focused last are asked for; while it is moved, those at the nearest value are drawn, with it beside them, until the
// server's are there.
if (!window.irvizFrames) {
  window.irvizFrames = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const seen = new WeakMap();  // handles → where they are
  const queue = new Map();  // names of figures → what draws them
  const SHELL = ["template", "width", "height", "clickmode", "dragmode", "hovermode", "updatemenus"];
  let parts = [], rests = 0, held = false, using = "", hand = "";
  const find = (selector) => document.querySelector(selector);
  const pathOf = (one) => {  // of the parameter; that of a slider is in the name of the button beside it
    const button = one.closest('[class*="st-key-swept-"]')?.querySelector('[class*="st-key-sweep-"]');
    return one.closest("[data-path]")?.dataset.path ?? button?.className.match(/st-key-sweep-(\S+)/)[1];
  };
  const handles = () => [...document.querySelectorAll(".st-key-knobs input[type=range]")].filter(pathOf);
  const nameOf = (one) => {
    const all = one.closest(".irviz-handles")?.querySelectorAll("input") ?? [];
    return `${pathOf(one)}#${[...all].indexOf(one)}`;
  };
  const textAt = (one, at) => one.closest(".irviz-handles") ? window.irvizListAt(one, at) : String(at);
  const near = (one) => {  // the places beside a handle's, first that to which it moves
    const way = (one.irvizWay ?? -1) * Number(one.step), beside = (far) => Number((Number(one.value) + far).toFixed(6));
    const places = [beside(way), beside(-way)].filter((at) => at >= Number(one.min) && at <= Number(one.max));
    return places.map((at) => [at, textAt(one, at)]);
  };
  const stops = (one) => {  // places of a handle, with the text that its parameter then has; evenly some of them
    const [low, high, step] = [one.min, one.max, one.step].map(Number), count = Math.round((high - low) / step);
    const places = Array.from({ length: count + 1 }, (_, n) => Number((low + n * step).toFixed(6)));
    const all = [...new Map(places.map((at) => [textAt(one, at), at]).reverse())].map(([said, at]) => [at, said]).reverse();
    const last = Math.min(all.length, 20) - 1;
    return Array.from({ length: last + 1 }, (_, n) => all[Math.round(n * (all.length - 1) / (last || 1))]);
  };
  const box = () => find(".st-key-frames input");
  const ask = (one, all) => {  // the figures beside, or all
    Object.assign(box(), { irvizLink: location.search, irvizAll: all });
    const places = [near(one), all ? stops(one) : []];
    set.call(box(), JSON.stringify([nameOf(one), pathOf(one), Number(one.value), ...places]));
    box().dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 30);
  };
  const isPart = (one) => one && Object.getPrototypeOf(one) === Object.prototype;
  const merged = (one, change) => !isPart(one) || !isPart(change) ? change
    : Object.entries(change).reduce((all, [name, part]) => ({ ...all, [name]: merged(one[name], part) }), one);
  const chart = (name) => find(`.st-key-${name} .js-plotly-plot`);
  const react = (plot, data, layout, text) => {
    const own = Object.fromEntries(SHELL.map((key) => [key, plot.layout[key]]));
    Object.assign(plot, { irvizData: data, irvizText: text });
    const button = plot.querySelector(".updatemenu-button");
    Object.assign(button.__data__, { method: "react", args: [data, { ...layout, ...own }] });
    button.dispatchEvent(new MouseEvent("click"));
  };
  const exactly = (plot, text) => {
    if (plot.irvizText === text && plot.data === plot.irvizData) return;  // it is there
    const { data, layout, alt } = JSON.parse(text), around = plot.closest('[data-testid="stPlotlyChart"]');
    react(plot, data, layout, text);
    around.setAttribute("role", "figure");
    around.setAttribute("aria-label", alt);
  };
  const say = (one, text) => { if (one) Object.assign(one, { irvizWas: one.textContent }).dataset.at = text; };
  const quiet = (one) => { if (one) delete one.dataset.at; };
  const headline = () => find('.st-key-bench [class*="st-key-sentence"]');
  const labels = (plot) => ['[class*="-heading"] [data-testid="stMarkdownContainer"]', ".irviz-facts"]
    .map((selector) => plot.closest('[data-testid="stColumn"]')?.querySelector(selector));
  const settle = () => {  // draw what the server has sent
    document.querySelectorAll("[data-at]").forEach((one) => { if (one.textContent !== one.irvizWas) quiet(one); });
    document.querySelectorAll(".irviz-drawn").forEach((one) => {
      const plot = chart(one.dataset.of);
      if (!plot?.layout?.width || plot.irvizFrom === one || !plot.querySelector(".updatemenu-button")) return;
      if (!plot.irvizFrom) plot.on("plotly_afterplot", () => {  // somebody else draws it, as when its size changes
        if (plot.data !== plot.irvizData) restore();
      });
      plot.irvizFrom = one;
      rests = 0;
      const draw = () => { if (one.isConnected) exactly(plot, one.textContent); };
      if (!one.closest(".st-key-bench")) return put(one.dataset.of, draw);  // each is seen once it is drawn
      queue.delete(one.dataset.of);
      draw();
      labels(plot).forEach(quiet);
    });
  };
  new MutationObserver(settle).observe(document.body, { childList: true, subtree: true });
  const restore = () => {
    queue.clear();
    document.querySelectorAll(".irviz-drawn").forEach((one) => {
      const plot = chart(one.dataset.of);
      if (plot?.irvizFrom !== undefined) exactly(plot, one.textContent);
    });
    document.querySelectorAll("[data-at]").forEach(quiet);
    find(".st-key-bench")?.removeAttribute("data-moves");
  };
  const next = () => {  // as many figures at a frame of the screen as there is time for
    const end = performance.now() + 30;
    for (const [name, how] of queue) {
      queue.delete(name);
      how();
      if (performance.now() > end) break;
    }
    if (queue.size) requestAnimationFrame(next);
  };
  const put = (name, how) => {
    if (!queue.size) setTimeout(() => requestAnimationFrame(next));  // after the widget has told the server
    queue.set(name, how);
  };
  const ends = (figures, axis) => {  // of an axis in all frames, so that what moves is the figure's content
    const ranges = figures.map(({ layout }) => layout?.[axis]?.range).filter(Boolean), [from, to] = ranges[0];
    if (from > to) return ranges[0];
    return [Math.min(...ranges.map((one) => one[0])), Math.max(...ranges.map((one) => one[1]))];
  };
  const frame = (figures) => {  // axes and margins of all frames
    const margins = figures.map(({ layout }) => layout?.margin ?? {});
    const most = (side) => Math.max(...margins.map((one) => one[side] ?? 0));
    const axes = ["xaxis", "yaxis"].map((axis) => [axis, { range: ends(figures, axis) }]);
    return { ...Object.fromEntries(axes), margin: { l: most("l"), r: most("r"), t: most("t"), b: most("b") } };
  };
  // What changes from the first frame to another can be painted into it: numbers and texts of marks and axes.
  const moves = ({ data = {}, layout = {} }, first) => {
    const cells = first.data[0].type === "heatmap", own = cells ? /^([xyz]|text|textfont)$/ : /^([xy]|text)$/;
    const marks = Object.entries(data).every(([i, part]) => part && Object.keys(part).every((key) => own.test(key)) &&
      (first.data[i].mode === "lines" || ["x", "y", "z"].every((key) => part[key]?.length === undefined
        || part[key].length === first.data[i][key].length)));
    const axis = cells ? /^(range|title|tickvals|ticktext)$/ : /^(range|title)$/;
    return marks && Object.entries(layout).every(([name, part]) => name === "margin" ||
      (/^[xy]axis$/.test(name) && Object.keys(part).every((key) => axis.test(key))));
  };
  const plain = (text) => !/[&<]/.test(text) ? text
    : new DOMParser().parseFromString(text, "text/html").documentElement.textContent;
  const paper = document.createElement("canvas"), pen = paper.getContext("2d", { willReadFrequently: true });
  const shades = ({ colorscale }) => {  // 256 colours
    Object.assign(paper, { width: 256, height: 1 });
    pen.fillStyle = colorscale.reduce((all, [at, ink]) => { all.addColorStop(at, ink); return all; },
      pen.createLinearGradient(0, 0, 256, 0));
    pen.fillRect(0, 0, 256, 1);
    const { data } = pen.getImageData(0, 0, 256, 1);
    return Array.from({ length: 256 }, (_, i) => `rgb(${data.slice(4 * i, 4 * i + 3)})`);
  };
  const paintCells = (plot, { data, layout }) => {
    const image = plot.querySelector(".heatmaplayer image"), { zmin, zmax } = plot._fullData[0], { z } = data[0];
    const inks = plot.irvizShades ??= shades(plot._fullData[0]);
    const [wide, high] = ["width", "height"].map((name) => Number(image.getAttribute(name)));
    Object.assign(paper, { width: wide, height: high });
    z.forEach((row, i) => row.forEach((value, j) => {
      if (value === null) return;
      const [x, y, w, h] = [j * wide / row.length, i * high / z.length, wide / row.length, high / z.length];
      pen.fillStyle = inks[Math.round(255 * (value - zmin) / (zmax - zmin))];
      pen.fillRect(x + 0.5, y + 0.5, w - 1, h - 1);
    }));
    image.setAttributeNS("http://www.w3.org/1999/xlink", "href", paper.toDataURL());
    plot.querySelectorAll(".textpoint text").forEach((one) => {
      one.textContent = data[1].text[one.__data__.i];
      one.style.fill = data[1].textfont.color[one.__data__.i];
    });
    for (const name of ["x", "y"]) plot.querySelectorAll(`.${name}tick text`).forEach((one, i) => {
      one.textContent = plain(layout[`${name}axis`].ticktext[i]);
    });
  };
  const paint = (plot, figure) => {
    if (figure.data[0].type === "heatmap") return paintCells(plot, figure);
    plot._fullData.forEach((trace, i) => {
      const { x, y, text } = figure.data[i];
      window.irvizDraw(plot, trace, { x, y, text: text?.map(plain) });
    });
    for (const name of ["x", "y"]) {
      const title = plot.querySelector(`.${name}title`);
      if (title) title.textContent = plain(figure.layout[`${name}axis`].title?.text ?? "");
    }
  };
  const show = (name, value, { title, facts, ...figure }, how) => {
    const key = `what_if-${name}`;
    put(key, () => {
      const plot = chart(key);
      if (!plot?.irvizFrom) return;
      const [above, beside] = labels(plot);
      say(above, title);
      say(beside, `${value} · ${facts}`);
      find(".st-key-bench").dataset.moves = "";
      how(plot, figure);
    });
  };
  const motion = (first, change, figures) => (plot, figure) => {
    const all = frame(figures), around = JSON.stringify(all), is = moves(change, first);
    const { data, layout } = is ? first : figure;
    if (!is || plot.irvizText !== around) {
      react(plot, Object.values(data).filter(Boolean), merged(layout, all), is ? around : "");
    }
    if (is) paint(plot, figure);
  };
  const draw = ({ value, sentence, figures }, how) => {
    put("", () => say(headline(), sentence));
    Object.entries(figures).forEach(([name, figure]) => show(name, value, figure, how(name)));
  };
  const read = (one) => one.irvizFrames ??= JSON.parse(one.textContent);
  const move = (one) => {
    const at = Number(one.value), name = nameOf(one), known = seen.has(one);
    if (seen.get(one) === at) return;
    if (known) one.irvizWay = Math.sign(at - seen.get(one));
    seen.set(one, at);
    if (!known) return;
    const sent = [...document.querySelectorAll(".irviz-frames")].map(read).filter(({ handle }) => handle === name);
    if (using !== name || sent.length) parts = using === name || box()?.irvizLink === location.search ? sent : [];
    const all = parts.flatMap(({ frames }) => frames), beside = parts.flatMap(({ exact }) => exact);
    const exact = beside.findLast(({ place }) => place === at);
    if (!exact && !all.length) return;
    using = name;
    if (exact) return draw(exact, () => (plot, figure) => exactly(plot, figure.drawn));
    const far = ({ place }) => Math.abs(place - at);
    const { place, change } = all.reduce((best, frame) => far(frame) < far(best) ? frame : best);
    if (Math.abs(parts[0].now - at) <= Math.abs(place - at)) return restore();
    const [{ change: first }] = all, of = (one, figure) => one.figures?.[figure] ?? {};
    draw(merged(first, change), (figure) => motion(
      of(first, figure), change === first ? {} : of(change, figure), all.map((one) => of(one.change, figure))));
  };
  new MutationObserver((changes) => changes.forEach(({ target }) => {
    if (target.matches(".st-key-knobs input[type=range]") && pathOf(target)) move(target);
  })).observe(document.body, { attributes: true, attributeFilter: ["aria-valuetext"], subtree: true });
  const nameAt = ({ target }) => {  // of the handle that an event is about
    const one = target.closest?.('[data-testid="stSlider"], .irviz-bars label')?.querySelector("input") ?? target;
    return one.matches?.(".st-key-knobs input[type=range]") && pathOf(one) ? nameOf(one) : "";
  };
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => { hand = nameAt(event) || hand; }, true);
  }
  const touch = (event) => {  // anything but the handle that moves may change another part of the state
    const { type } = event;
    if (/down$/.test(type) && nameAt(event) !== using) using = "";
    held = type === "pointerdown" || (held && type === "keydown");
    rests = 0;
  };
  for (const name of ["pointerdown", "pointerup", "pointercancel", "keydown"]) {
    document.addEventListener(name, touch, true);
  }
  setInterval(() => {
    const idle = find('[data-testid="stApp"][data-test-script-state="notRunning"]'), all = handles();
    rests = box() && idle && !held && !document.hidden ? rests + 1 : 0;
    if (rests === 6 && find("[data-moves]")) restore();
    if (rests) all.filter((input) => !seen.has(input)).forEach((input) => seen.set(input, Number(input.value)));
    const one = all.find((input) => nameOf(input) === hand) ?? all[0];
    if (rests < 8 || !one) return;
    const wide = rests > 32;  // after another second
    if (!box().value.startsWith(`["${nameOf(one)}"`) || (wide && !box().irvizAll)) ask(one, wide);
  }, 50);
}
