// Draws the figure after the button once more, light and in small type, and hands its SVG over.  A page that bundles
// plotly has one way to its picture of other data: the camera of a figure, and the file that this would download.
if (!window.irvizPictures) {
  window.irvizPictures = true;
  const light = LIGHT, size = POINTS * 96 / 72;
  let lit = {};  // colours of a dark page's figure → those of a light one
  const small = (part, key = "") => {
    if (typeof part === "string") return lit[part] ?? part;
    if (Array.isArray(part)) return part.map((one) => small(one, key));
    if (!part || Object.getPrototypeOf(part) !== Object.prototype) return part;
    const found = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, small(one, name)]));
    if (/font$/i.test(key) && "size" in found) found.size = size;
    if (/font$/i.test(key) && "family" in found) found.family = "Helvetica, Arial, sans-serif";  // in every program
    return found;
  };
  const br = "\x3cbr>";  // Streamlit takes out a script in which it sees a tag
  const bare = (line) => line.replace(/<[^>]*>/g, "").length;
  const words = (name) => name.replaceAll(br, " ").replace("▸ ", "▸\u00a0").split(" ");  // no line is a sign alone
  const inLines = (name, most) => words(name).reduce((lines, word) => {
    const longer = `${lines.at(-1)} ${word}`;
    return lines.length && bare(longer) <= most ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
  const wrapped = (axis, letters) => {  // names of rows that take over a third of the width take more lines instead
    const long = axis.ticktext?.some((name) => name.split(br).some((line) => bare(line) > 0.36 * letters));
    if (long) axis.ticktext = axis.ticktext.map((name) => inLines(name, 0.27 * letters).join(br));
    return long;
  };
  const higher = ({ ticktext }, { _length, range }) => {  // pixels that names of several lines lack
    const rows = Math.abs(range[1] - range[0]), lines = ticktext.map((name) => name.split(br).length);
    const needed = Math.max(...lines.map((n, i) => (n + (lines[i + 1] ?? 0)) / 2 + 0.2)) * 1.3 * size;
    return Math.max(0, needed - _length / rows) * rows;
  };
  const withRoom = ({ tickvals, ticktext }, axis, most) => {  // names that do not touch: bold ones and both ends first
    const lines = Math.max(...ticktext.map((name) => name.split(br).length)), kept = [];
    const places = [...tickvals].map((value) => axis.d2p(value) * most / axis._length);
    const bold = (i) => ticktext[i].includes("\x3cb>"), all = [...ticktext.keys()];
    for (const i of [...all.filter(bold), 0, all.length - 1, ...all]) {
      if (kept.every((one) => Math.abs(places[one] - places[i]) >= 1.2 * lines * size)) kept.push(i);
    }
    return { tickvals: kept.map((i) => tickvals[i]), ticktext: kept.map((i) => ticktext[i]) };
  };
  const svgOf = (plot, inches) => new Promise((done, failed) => {
    const meta = plot.layout.meta ?? {};
    let { height = meta.wide ?? plot._fullLayout.height, ...own } = meta.paper ?? {};
    const width = inches * 96, layout = small(plot.layout), letters = width / (0.5 * size);
    for (const name of Object.keys(plot._fullLayout)) {
      if (!/^[xy]axis\d*$/.test(name)) continue;
      layout[name] = { ...layout[name], automargin: true };
      if (name[0] === "y" && wrapped(layout[name], letters)) {
        layout.margin = { ...layout.margin, l: 8 };
        height += higher(layout[name], plot._fullLayout[name]);
      }
    }
    if (layout.legend?.yref === "paper") {  // in the plot, where it would hide points: below it instead
      const entries = plot._fullData.filter((one) => one.showlegend && one.visible === true).length;
      Object.assign(layout.legend, { orientation: "h", x: 0, xanchor: "left", yanchor: "top", y: -0.17 });
      height += 1.8 * size * Math.ceil(entries / Math.floor(width / 200));
    }
    for (const [path, value] of Object.entries(own)) {
      const [axis, name] = path.split(".");
      layout[axis] = { ...layout[axis], [name]: value };
    }
    if (meta.wide) layout.annotations = layout.annotations.filter(({ opacity }) => opacity !== 0.99);
    for (const note of meta.wide ? layout.annotations : []) note.opacity = 1;
    if (height > PAGE * 96) {
      height = PAGE * 96;
      for (const [name, axis] of Object.entries(plot._fullLayout)) {
        if (!/^yaxis\d*$/.test(name) || !layout[name]?.ticktext) continue;
        const part = axis.domain[1] - axis.domain[0], around = plot._fullLayout.height - axis._length / part;
        layout[name] = { ...layout[name], ...withRoom(layout[name], axis, (height - around) * part) };
      }
    }
    const shapes = (layout.shapes || []).filter((one) => one.name !== "CHOSEN");
    const looks = { template: small(light), paper_bgcolor: "#fff" };
    Object.assign(layout, { ...looks, height, updatemenus: [], sliders: [], shapes });
    const options = { format: "svg", width, height, filename: "figure" };
    const context = { ...plot._context, displayNotifier: false, toImageButtonOptions: options };
    const camera = plot._fullLayout._modeBar.buttons.flat().find((one) => one.name === "toImage");
    const make = URL.createObjectURL, open = HTMLAnchorElement.prototype.click;
    const restore = () => { URL.createObjectURL = make; HTMLAnchorElement.prototype.click = open; };
    const late = setTimeout(() => { restore(); failed(Error("no picture")); }, 20000);
    URL.createObjectURL = (blob) => {
      if (!blob.type?.startsWith("image/svg")) return make.call(URL, blob);
      blob.text().then((text) => {
        const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
        svg.setAttribute("width", inches + "in");
        svg.setAttribute("height", height / 96 + "in");
        svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
        done({ svg: new XMLSerializer().serializeToString(svg), inches, height: height / 96 });
      }, failed);
      return "";
    };
    HTMLAnchorElement.prototype.click = function () {
      if (this.download !== "figure.svg") return open.call(this);
      clearTimeout(late);
      restore();
    };
    lit = plot.layout.meta?.light ?? {};
    const data = small(plot.data);
    lit = {};
    camera.click({ data, layout, _context: context });
  });
  const save = (blob, file) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const drawn = ({ svg, inches, height }) => new Promise((done, failed) => {
    const image = new Image(), canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(inches * DOTS), Math.round(height * DOTS)];
    image.onload = () => {
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done, "image/png");
    };
    image.onerror = failed;
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  });
  const density = Uint8Array.from("DENSITY".match(/../g), (pair) => parseInt(pair, 16)), header = 33;
  const printed = ({ svg, inches, height }) => {
    document.getElementById("irviz-print")?.remove();
    const frame = Object.assign(document.createElement("iframe"), { id: "irviz-print", title: "Figure to print" });
    frame.style.cssText = "position:fixed;width:0;height:0;border:0";
    document.body.append(frame);
    const page = frame.contentDocument, style = page.createElement("style");
    style.textContent = `@page { size: ${inches}in ${height}in; margin: 0 } body { margin: 0 } svg { display: block }`;
    page.head.append(style);
    page.body.append(page.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
    frame.contentWindow.print();
  };
  const make = {
    SVG: (picture, file) => save(new Blob([picture.svg], { type: "image/svg+xml" }), file + ".svg"),
    PNG: async (picture, file) => {
      const png = await drawn(picture);
      save(new Blob([png.slice(0, header), density, png.slice(header)], { type: "image/png" }), file + ".png");
    },
    PDF: printed,
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.(".irviz-figure-menu button");
    if (!button || button.disabled) return;
    if ("copies" in button.dataset) {
      const text = button.closest(".irviz-figure-menu").querySelector(".irviz-caption");
      getSelection().selectAllChildren(text);  // to be copied by hand where a browser does not let a page write
      await navigator.clipboard?.writeText(text.innerText);
      return;
    }
    const plot = [...document.querySelectorAll(".js-plotly-plot")].find(
      (one) => button.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (!plot) return;
    button.disabled = true;
    const { form, inches, file } = button.dataset;
    try { await make[form](await svgOf(plot, Number(inches)), `${file}-${inches}in`); }
    finally { button.disabled = false; button.focus(); }
  });
  document.addEventListener("toggle", (event) => {
    const menu = event.target;
    if (event.newState !== "open" || !menu.matches?.(".irviz-figure-menu")) return;
    const app = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    const at = document.querySelector(`[popovertarget="${menu.id}"]`).getBoundingClientRect();
    menu.style.background = app.backgroundColor;
    menu.style.color = app.color;
    menu.style.left = Math.max(8, Math.min(at.right, innerWidth - 8) - menu.offsetWidth) + "px";
    menu.style.top = Math.max(8, Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8)) + "px";
  }, true);
}
