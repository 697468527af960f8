// A number in the sentence of a lab is dragged sideways or by arrow keys.  A live one has a frame of the figure for each
// of its stops, which is painted at once, with what the sentence and the goals then say; where it is let go, the text
// box of the lab, if there is a server, gets its control's name and text.  The figure glides to the frame.
if (!window.irvizScreen) {
  window.irvizScreen = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const holder = (one) => one.closest("HOLDERS");
  const plotOf = (one) => holder(one)?.querySelector(".js-plotly-plot");
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  let held = null, waits = 0, focused = "";
  const stopsOf = (one) => JSON.parse(one.dataset.stops);
  const at = (one) => Number(one.getAttribute("aria-valuenow"));
  const turn = (one, n) => {
    const words = stopsOf(one).words[n];
    one.textContent = words;
    one.setAttribute("aria-valuenow", n);
    one.setAttribute("aria-valuetext", words);
  };
  const say = window.irvizSay = (plot, said) => {
    const all = holder(plot);
    const now = { ...said, guess: plot.irvizAnswer ?? said.guess };
    all.querySelectorAll("[data-said]").forEach((one) => { one.textContent = now[one.dataset.said] ?? ""; });
    all.querySelectorAll(".irviz-goal").forEach((one, i) => { one.dataset.met = said.met[i]; });
    all.querySelectorAll(".irviz-number").forEach((one) => {  // a frame is about one of them, the others at their values
      const n = stopsOf(one).words.indexOf(said[one.dataset.name]);
      if (n >= 0) turn(one, n);
    });
  };
  const glide = (plot) => {
    const far = plot.irvizGoal - plot.irvizPlace, near = less.matches || Math.abs(far) < 0.05;
    plot.irvizPlace = near ? plot.irvizGoal : plot.irvizPlace + far * 0.4;
    window.irvizPaint(plot, plot.irvizPlace);
    if (near) plot.irvizGlides = false;
    else requestAnimationFrame(() => glide(plot));
  };
  const index = (one, n) => {  // of the frame at a stop; handles that are combined have one for all of their stops
    const { first, stride, others } = stopsOf(one);
    const rest = others.map((name) => holder(one).querySelector(`[data-name="${name}"]`));
    return rest.reduce((sum, other) => sum + at(other) * stopsOf(other).stride, first + n * stride);
  };
  const tween = (plot, from, to) => {
    const mine = plot.irvizTween = {};
    const step = (t) => {
      if (plot.irvizTween !== mine) return;
      if (less.matches || t > 0.95) window.irvizPaint(plot, to);
      else {
        window.irvizPaint(plot, 0, from, to, t);
        requestAnimationFrame(() => step(t + (1 - t) * 0.4));
      }
    };
    step(0);
  };
  const show = (one, n) => {
    const { words, first, others } = stopsOf(one), plot = plotOf(one), before = index(one, at(one));
    turn(one, n);
    if (first < 0 || !plot) return;
    if (others.length) {
      say(plot, plot.layout.meta.screen[index(one, n)]);
      return tween(plot, before, index(one, n));
    }
    const place = plot.irvizPlace ?? before;
    plot.irvizPlace = place < first || place >= first + words.length ? before : place;
    plot.irvizGoal = first + n;
    say(plot, plot.layout.meta.screen[first + n]);
    if (!plot.irvizGlides) {
      plot.irvizGlides = true;
      glide(plot);
    }
  };
  const sent = {};  // by control, texts of the last seconds: of two quick messages the server may see the second only
  const write = (one, text) => {
    const box = holder(one).querySelector('[class*="st-key-screen-box"] input');
    if (!box) return window.irvizOffline?.go({ [one.dataset.name]: text });
    const { name } = one.dataset;
    sent[name] = text;
    setTimeout(() => { if (sent[name] === text) delete sent[name]; }, 3000);
    set.call(box, JSON.stringify(sent));
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 50);
  };
  const letGo = (one, text = stopsOf(one).texts[at(one)]) => {
    const plot = plotOf(one), { first } = stopsOf(one);
    write(one, text);
    if (first < 0 || !plot) return;
    const name = plot._transitionData._frames[index(one, at(one))].name;
    window.irvizAnimate(plot, [name], { frame: { duration: 0, redraw: false } });
  };
  const numbered = (name) => document.querySelector(`.irviz-number[data-name="${name}"]`);
  let turned = null;  // by keys, and not let go of yet: a frame of another number, or the server, may put it back
  const flush = () => {
    const one = turned && numbered(turned.name);
    if (one) letGo(one, turned.text);
    turned = null;
  };
  const move = (one, n) => {
    const last = stopsOf(one).texts.length - 1, to = Math.min(last, Math.max(0, n));
    if (to !== at(one)) show(one, to);
  };
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest?.(".st-key-lab, .irviz-figure")) document.documentElement.dataset.irvizPlayed = "";
    const one = event.target.closest?.(".irviz-number");
    if (!one || !event.isPrimary || event.button) return;
    flush();
    const pixels = Math.min(24, Math.max(4, 300 / stopsOf(one).texts.length));
    held = { name: one.dataset.name, from: event.clientX, start: at(one), pixels, pointer: event.pointerId };
    event.preventDefault();
    one.focus();
  });
  document.addEventListener("pointermove", (event) => {
    const one = held && event.pointerId === held.pointer && numbered(held.name);  // it may be drawn anew meanwhile
    if (one) move(one, held.start + Math.round((event.clientX - held.from) / held.pixels));
  });
  const end = () => {
    const one = held && numbered(held.name);
    const count = one && stopsOf(one).texts.length;
    if (one && at(one) === held.start && count < 5) show(one, (at(one) + 1) % count);  // a click
    if (one && at(one) !== held.start) letGo(one);
    held = null;
  };
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => {
    const one = event.target.closest?.(".irviz-number");
    if (!one) return;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
    const to = { Home: 0, End: stopsOf(one).texts.length - 1 }[event.key] ?? (by && at(one) + by);
    if (to === undefined) return;
    event.preventDefault();
    if (turned?.name !== one.dataset.name) flush();
    move(one, to);
    turned = { name: one.dataset.name, text: stopsOf(one).texts[at(one)] };
    clearTimeout(waits);
    waits = setTimeout(flush, 400);
  });
  document.addEventListener("change", (event) => {
    const one = event.target.closest?.(".irviz-screen select");
    if (one) write(one, one.value);
  });
  addEventListener("focusin", ({ target }) => { focused = target.matches?.(".irviz-number") ? target.dataset.name : ""; });
  setInterval(() => {
    if (focused && document.activeElement === document.body) numbered(focused)?.focus({ preventScroll: true });
    const one = document.querySelector(".irviz-screen"), plot = one && plotOf(one);
    if (!plot || plot.irvizDrawn === one || plot.irvizGlides) return;
    plot.irvizDrawn = one;  // a figure that is drawn anew is at its values
    plot.irvizPlace = plot.irvizOutcome = plot.irvizGuessed = undefined;
  }, 50);
}
