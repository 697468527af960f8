// A number in the sentence of a lab is dragged, turned by arrow keys, or by a press on its ends; of two words a press is
// the other one.  A trace with ``turns`` in its ``meta`` is dragged to the ``places`` of the stops of that number.  A
// live one has a frame of the figure for each of its stops, which is painted at once, with what the sentence and the
// goals then say; where it is let go, the text box of the lab, if there is a server, gets its control's
// name and text.  The figure glides to the frame.
if (!window.irvizScreen) {
  window.irvizScreen = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const holder = (one) => one.closest("HOLDERS");
  const plotOf = (one) => holder(one)?.querySelector(".js-plotly-plot");
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  let held = null, waits = 0, focused = "";
  window.irvizHold = (is) => {  // while something is held no goal is reached
    const holds = is || window.irvizCarries?.();
    document.documentElement.toggleAttribute("data-irviz-held", !!holds);
    if (!holds) window.irvizReach?.();
  };
  const stopsOf = (one) => JSON.parse(one.dataset.stops);
  const numbered = (name) => document.querySelector(`.irviz-number[data-name="${name}"]`);
  const at = (one) => Number(one.getAttribute("aria-valuenow"));
  const turn = (one, n) => {
    const words = stopsOf(one).words[n];
    one.textContent = words;
    one.setAttribute("aria-valuenow", n);
    one.dataset.last = Number(n + 1 === stopsOf(one).words.length);
    one.setAttribute("aria-valuetext", words);
  };
  const say = window.irvizSay = (plot, said) => {
    const all = holder(plot);
    plot.irvizSaid = said;
    const guess = plot.irvizGuess ?? (own.guess ? undefined : said.guess);  // words may be of before the guess
    const now = { ...said, guess };
    all.querySelectorAll("[data-said]").forEach((one) => { one.textContent = now[one.dataset.said] ?? one.textContent; });
    all.querySelectorAll(".irviz-goal").forEach((one, i) => { one.dataset.met = said.met[i]; });
    all.querySelectorAll(".irviz-number").forEach((one) => {  // a frame is about one of them, the others at their values
      const { words } = stopsOf(one), n = words.indexOf(said[one.dataset.name]);
      if (n < 0 || words[n] === words[at(one)]) return;  // several stops may have the same words
      turn(one, n);
      const flash = () => numbered(one.dataset.name)?.animate([{ background: "#D55E0066" }, {}], 1500);
      setTimeout(flash, 600);  // it may be drawn anew meanwhile
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
  const tween = (plot, from, to, jumps) => {
    const mine = plot.irvizTween = {};
    const step = (t) => {
      if (plot.irvizTween !== mine) return;
      if (less.matches || t > 0.95) window.irvizPaint(plot, to);
      else {
        window.irvizPaint(plot, 0, from, to, t);
        requestAnimationFrame(() => step(t + (1 - t) * 0.4));
      }
    };
    step(jumps ? 1 : 0);
  };
  const show = (one, n, jumps = false) => {
    const { words, first, others } = stopsOf(one), plot = plotOf(one), before = index(one, at(one));
    turn(one, n);
    if (first < 0 || !plot?.layout || ahead(plot, [one.dataset.name, ...others])) return;
    if (others.length) {
      say(plot, plot.layout.meta.screen[index(one, n)]);
      return tween(plot, before, index(one, n), jumps);
    }
    const place = jumps ? first + n : plot.irvizPlace ?? before;
    plot.irvizPlace = place < first || place >= first + words.length ? before : place;
    plot.irvizGoal = first + n;
    say(plot, plot.layout.meta.screen[first + n]);
    if (!plot.irvizGlides) {
      plot.irvizGlides = true;
      glide(plot);
    }
  };
  let own = {};  // by control, texts of the last seconds: the server may draw older ones, and miss a message
  const app = () => document.querySelector('[data-testid="stApp"]')?.dataset;  // not on a page without a server
  const keep = ({ name }, text) => {
    if (app()) own[name] = { text, rests: 0 };
  };
  const differ = (json) => {  // own texts that the server does not have yet
    const state = JSON.parse(json);
    return Object.keys(own).filter((name) => name in state && state[name] !== own[name].text);
  };
  const ahead = (plot, names) => !differ(plot.layout.meta.state).every((name) => names.includes(name));  // of a frame
  window.irvizAhead = (plot, given) => ahead(plot, plot.layout.meta.picks.filter((_, i) => given[i] !== null));
  const put = (name, how) => {  // its number, if there is one, at the own text
    const number = numbered(name), n = number ? stopsOf(number).texts.indexOf(own[name].text) : -1;
    if (n >= 0) how(number, n, true);
  };
  let drawn = [];  // the sentence and the figure that were caught up with
  const forget = ({ target, isTrusted }) => {  // a person did something else
    if (isTrusted && target !== document.body && (!target.closest?.(".st-key-lab") || target.closest("button"))) own = {};
  };
  addEventListener("popstate", forget);
  const catchUp = () => {  // what was drawn anew is at the server's values, then at the own ones
    const one = document.querySelector(".irviz-screen"), plot = one && plotOf(one), meta = plot?.layout?.meta;
    if (!meta?.now || drawn[0] === one && drawn[1] === meta) return;
    if (drawn[1] !== meta) {
      plot.irvizSaid = meta.now;
      plot.irvizOutcome = plot.irvizGuessed = undefined;
      if (!plot.irvizGlides) plot.irvizPlace = undefined;
    }
    drawn = [one, meta];
    say(plot, plot.irvizSaid);  // of sentence and figure one may be older: both say what the figure shows
    const same = one.dataset.state === meta.state;
    differ(meta.state).forEach((name) => put(name, same ? show : turn));
    if (same && !held && !turned) window.irvizHold(false);
  };
  window.irvizTell = (plot, given) => {  // what a drag gives; null: this control stays
    plot.layout.meta.picks.forEach((name, i) => {
      if (given[i] === null) return;
      keep({ name }, given[i]);
      put(name, turn);
    });
    send(boxOf(plot));
  };
  let sent = 0;
  const boxOf = (one) => holder(one).querySelector('[class*="st-key-screen-box"] input');
  const write = (one, text) => {
    if (!boxOf(one)) return window.irvizOffline?.go({ [one.dataset.name]: text });
    keep(one.dataset, text);
    send(boxOf(one));
  };
  const send = (box) => {
    sent = performance.now();
    set.call(box, JSON.stringify(Object.fromEntries(Object.entries(own).map(([name, { text }]) => [name, text]))));
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })), 50);
  };
  const letGo = (one, text = stopsOf(one).texts[at(one)]) => {
    const plot = plotOf(one), { first, others } = stopsOf(one);
    write(one, text);
    if (first < 0 || !plot?.layout || ahead(plot, [one.dataset.name, ...others])) return;
    const frame = plot._transitionData?._frames[index(one, at(one))];  // none while the figure is drawn anew
    if (frame) window.irvizAnimate(plot, [frame.name], { frame: { duration: 0, redraw: false } });
  };
  const sendAgain = () => {  // a message is lost if the box is drawn anew before it is read
    const one = document.querySelector(".irviz-screen"), box = one && boxOf(one);
    if (!box || held || turned || app().testScriptState !== "notRunning") return;
    Object.entries(own).forEach(([name, mine]) => { if (++mine.rests > 160) delete own[name]; });
    if (performance.now() - sent > 700 && differ(one.dataset.state).length) send(box);
  };
  let turned = null;  // by keys, and not let go of yet: a frame of another number, or the server, may put it back
  const flush = () => {
    const one = turned && numbered(turned.name);
    if (one) letGo(one, turned.text);
    turned = null;
    window.irvizHold(!!held);
  };
  const move = (one, n) => {
    const last = stopsOf(one).texts.length - 1, to = Math.min(last, Math.max(0, n));
    if (to === at(one)) return;
    show(one, to);
    keep(one.dataset, stopsOf(one).texts[to]);
  };
  const strip = window.irvizStrip = (plot, { clientX, clientY }, beside) => {  // the number that a figure turns there
    const trace = plot?._fullData?.find(({ meta }) => meta?.turns), box = plot?.getBoundingClientRect();
    if (!trace) return {};
    const [across, up] = ["x", "y"].map((one) => plot._fullLayout[`${one}axis${trace[`${one}axis`].slice(1)}`]);
    const x = clientX - box.x - across._offset, y = clientY - box.y - up._offset;
    const far = trace.meta.places.map((place) => Math.abs(across.l2p(place) - x));
    return beside || y > -12 && y < up._length + 24 ? { name: trace.meta.turns, n: far.indexOf(Math.min(...far)) } : {};
  };
  const ends = (one, across) => {  // -1 and 1 on its ends, 0 between them
    const { left, right } = one.getBoundingClientRect(), wide = parseFloat(getComputedStyle(one, "::before").width);
    return (across > right - wide) - (across < left + wide);
  };
  const repeat = (press, wait) => setTimeout(() => {  // of an end that is kept pressed
    const one = numbered(press.name);
    if (held !== press || press.moved || press.on || !one) return;
    move(one, at(one) + press.by);
    press.again = (press.again ?? 0) + 1;
    repeat(press, press.again < 5 ? 250 : 150);
  }, wait);
  const other = (one) => stopsOf(one).texts.length === 2 ? 1 - at(one) : undefined;
  for (const act of ["pointerdown", "keydown"]) document.addEventListener(act, ({ target }) => {
    if (target.closest?.(".st-key-lab, .irviz-figure")) document.documentElement.dataset.irvizPlayed = "";
  }, true);
  document.addEventListener("pointerdown", (event) => {
    document.documentElement.dataset.irvizPressed = "";  // a ring is for keys
    forget(event);
    const { name, n } = strip(event.target.closest?.(".js-plotly-plot"), event);
    const one = name ? numbered(name) : event.target.closest?.(".irviz-number");
    if (!one || !event.isPrimary || event.button) return;
    flush();
    catchUp();
    const { clientX: from, clientY: high, pointerId: pointer } = event, start = at(one);
    const step = stopsOf(one).texts.length > 12 ? 7 : 24;  // pixels a stop
    held = { name: one.dataset.name, from, high, start, step, pointer, on: !!name, n, by: ends(one, from) };
    if (held.by && other(one) === undefined) repeat(held, 500);
    window.irvizHold(true);
    document.documentElement.setPointerCapture(pointer);  // beyond the window, too, and the number may be drawn anew
    event.preventDefault();
    one.focus({ preventScroll: true });
    if (held.on && event.pointerType === "mouse") move(one, n);  // a finger may scroll
  });
  document.addEventListener("touchstart", (event) => held && !held.on && event.preventDefault(), { capture: true, passive: false });
  document.addEventListener("pointermove", (event) => {
    const one = held && event.pointerId === held.pointer && numbered(held.name);  // it may be drawn anew meanwhile
    if (!one) return;
    catchUp();
    const across = event.clientX - held.from, up = held.high - event.clientY;
    const by = Math.abs(across) < Math.abs(up) ? up : across;  // up is more, too: an edge may be near
    held.moved ||= Math.abs(held.on ? across : by) > 5;
    const there = held.on ? strip(plotOf(one), event, true).n ?? at(one) : held.start + Math.round(by / held.step);
    if (held.moved) move(one, there);
  });
  const end = ({ type }) => {
    const one = held && numbered(held.name);
    if (!one) return;
    if (type === "pointerup" && !held.moved && !held.again) move(one, held.n ?? other(one) ?? held.start + held.by);
    if (at(one) !== held.start) letGo(one);
    held = null;
    window.irvizHold(false);
  };
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => {
    if (event.isTrusted) delete document.documentElement.dataset.irvizPressed;
    forget(event);
    catchUp();
    const one = event.target === document.body && focused ? numbered(focused) : event.target.closest?.(".irviz-number");
    if (!one) return;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
    const to = { Home: 0, End: stopsOf(one).texts.length - 1, Enter: other(one), " ": other(one) }[event.key]
      ?? (by && at(one) + by);
    if (to === undefined) return;
    event.preventDefault();
    if (turned?.name !== one.dataset.name) flush();
    window.irvizHold(true);
    move(one, to);
    turned = { name: one.dataset.name, text: stopsOf(one).texts[at(one)] };
    clearTimeout(waits);
    waits = setTimeout(flush, 400);
  });
  document.addEventListener("change", (event) => {
    const one = event.target.closest?.(".irviz-screen select");
    if (one) write(one, one.value);
  });
  addEventListener("focusin", ({ target }) => {
    focused = target.matches?.(".irviz-number, .irviz-screen select") ? target.dataset.name : "";
  });
  const old = Object.assign(document.createElement("div"), { className: "irviz-old" });
  let ran = false;
  const steady = () => {  // a picture of the old figure is seen until the new one has its size
    const figure = document.querySelector(".st-key-screen-figure"), now = performance.now();
    const plot = [...(figure?.querySelectorAll(".js-plotly-plot") ?? [])].find((one) => one._fullLayout && one.clientWidth);
    const runs = app()?.testScriptState !== "notRunning", { width, height } = plot?._fullLayout ?? {};
    if (plot) plot.irvizSince ??= now;  // plotly does not know its size at first
    const far = plot && Math.hypot(plot.parentElement.clientWidth - width, plot.parentElement.clientHeight - height);
    const fits = plot && (far < 3 || now - plot.irvizSince > 2000);
    if (plot) plot.style.opacity = fits ? "" : 0;
    if (fits && runs && !ran) {
      old.replaceChildren(plot.querySelector(".svg-container").cloneNode(true));
      old.dataset.of = location.pathname;
    }
    ran = runs;
    if (fits) old.remove();
    else if (old.dataset.of === location.pathname) figure?.append(old);
    requestAnimationFrame(steady);
  };
  steady();
  setInterval(() => {
    if (focused && document.activeElement === document.body) {
      document.querySelector(`.irviz-screen [data-name="${focused}"]`)?.focus({ preventScroll: true });
    }
    catchUp();
    sendAgain();
  }, 50);
}
