// Figures move with the hand.  Once the page is at rest, the figures at other values of the handle that was pointed at
// or focused last are asked for; while it is moved, those at the nearest value are drawn, with it beside them, until the
// server's are there.
if (!window.irvizFrames) {
  window.irvizFrames = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const kept = new Map(), seen = new WeakMap();  // figures that move → what the server drew; handles → where they are
  const OWN = ["template", "width", "height", "clickmode", "dragmode", "hovermode", "updatemenus"];
  let parts = [], rests = 0, held = false, wanted = null, using = "", hand = "";
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
  const quiet = (one) => { if (one) delete one.dataset.at; };
  const headline = () => find('.st-key-bench [class*="st-key-sentence"]');
  const watch = new MutationObserver(() => kept.forEach(({ labels }, plot) => {  // what is said of a figure goes with it
    if (plot.isConnected) return;
    kept.delete(plot);
    [headline(), ...labels].forEach(quiet);
  }));
  const restore = () => {
    wanted = null;
    kept.forEach(({ data, layout }, plot) => { if (plot.isConnected) react(plot, data, layout); });
    kept.clear();
    watch.disconnect();
    document.querySelectorAll("[data-at]").forEach(quiet);
    find(".st-key-bench")?.removeAttribute("data-moves");
  };
  const keep = (plot) => {  // and end the motion where anybody else draws it meanwhile
    if (kept.has(plot)) return kept.get(plot);
    kept.set(plot, { data: plot.data, layout: plot.layout, labels: [] });
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
  const show = (name, value, first, change, figures) => {
    const plot = find(`.st-key-what_if-${name} .js-plotly-plot`);
    if (!plot) return;
    const own = keep(plot), all = frame(figures), around = JSON.stringify(all), figure = merged(first, change);
    const is = moves(change, first), { data, layout } = is ? first : figure;
    if (!is || own.around !== around) {
      const as = Object.fromEntries(OWN.map((key) => [key, own.layout[key]]));
      react(plot, Object.values(data).filter(Boolean), merged({ ...layout, ...as }, all));
    }
    own.around = is ? around : "";
    const column = plot.closest('[data-testid="stColumn"]');
    own.labels = ['[class*="-heading"] [data-testid="stMarkdownContainer"]', ".irviz-facts"]
      .map((selector) => column.querySelector(selector));
    say(own.labels[0], figure.title);
    say(own.labels[1], `${value} · ${figure.facts}`);
    if (is) paint(plot, figure);
  };
  const draw = () => {
    if (!wanted) return;
    const { change, all } = wanted, [{ change: first }] = all, { value, sentence } = merged(first, change);
    wanted = null;
    say(headline(), sentence);
    for (const name of Object.keys(first.figures)) {
      const own = change.figures?.[name] ?? {}, figures = all.map((one) => one.change.figures?.[name] ?? {});
      show(name, value, first.figures[name], change === first ? {} : own, figures);
    }
    watch.observe(find(".st-key-bench"), { childList: true, subtree: true });
    find(".st-key-bench").dataset.moves = "";
  };
  const read = (one) => one.irvizFrames ??= JSON.parse(one.textContent);
  const move = (one) => {
    const at = Number(one.value), name = nameOf(one), known = seen.has(one);
    if (seen.get(one) === at) return;
    seen.set(one, at);
    if (!known) return;
    const sent = [...document.querySelectorAll(".irviz-frames")].map(read).filter(({ handle }) => handle === name);
    if (using !== name || sent.length) parts = using === name || box()?.irvizLink === location.search ? sent : [];
    const all = parts.flatMap(({ frames }) => frames);
    if (!all.length) return;
    using = name;
    const far = ({ place }) => Math.abs(place - at);
    const { place, change } = all.reduce((best, frame) => far(frame) < far(best) ? frame : best);
    if (Math.abs(parts[0].now - at) <= Math.abs(place - at)) return restore();
    if (!wanted) setTimeout(() => requestAnimationFrame(draw));  // after the widget has told the server
    wanted = { change, all };
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
    const still = find('[data-testid="stApp"][data-test-script-state="notRunning"]');
    rests = box() && still && !held && !document.hidden ? rests + 1 : 0;
    if (rests === 3 && find("[data-moves]")) restore();
    const all = handles(), one = all.find((input) => nameOf(input) === hand) ?? all[0];
    if (rests) all.filter((input) => !seen.has(input)).forEach((input) => seen.set(input, Number(input.value)));
    if (rests < 4 || !one || box().value.startsWith(`["${nameOf(one)}"`)) return;
    ask(one);
  }, 200);
}
