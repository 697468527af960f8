// A dot is dragged, by mouse or finger, to one of the places that its figure allows: a trace says in ``meta.drag``
// for each of its points to which x and y it can go, and what it gives the lab's controls there.  Where it is let
// go, the lab is told; without a move, of its ``tap``.  Meanwhile other traces become what the place says in
// ``outcome``.  By keys, the arrows go through a figure that has the focus, and Enter presses; a dot with several
// places is lifted by Enter, moved by the arrows, and put down by Enter; where it was, this is its ``tap``; Escape puts it
// back.  A click of the mouse on one without a ``tap`` lifts it, too.
if (!window.irvizDrag) {
  window.irvizDrag = true;
  const near = 22, far = 5, ghost = document.createElement("div");
  ghost.style.cssText = "position:fixed;box-sizing:border-box;width:30px;height:30px;margin:-15px;" +
    "border:3px solid #D55E00;border-radius:50%;pointer-events:none;z-index:9999";
  const word = ghost.appendChild(document.createElement("span"));  // in the corner, beside all numbers
  word.style.cssText = "position:fixed;transform:translate(-100%,-100%);padding:0 4px;white-space:nowrap;" +
    "border-radius:4px;background:#D55E00;color:#FFFFFF;font:13px/18px sans-serif";
  let held = null;
  const alone = (plot) => plot?.closest(".irviz-figure");  // on a page without a server
  const inLab = (one) => !!one?._fullLayout && one.offsetParent && one.matches(":is(.st-key-lab, .irviz-figure) .js-plotly-plot");
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
    ({ x: trace.x[i], y: trace.y[i], given, trace, i })));
  const dots = (plot) => points(plot, (trace) => trace.meta?.drag).filter(({ given }) => given.length &&
    !(plot.irvizGuessed && given[0].then !== given[0].outcome));
  const goals = ({ given, trace }) => given.map((goal) => ({ ...goal, trace }));
  const reached = (plot, one, at) => {  // a high one within its ``reach``
    const [across, up] = place(plot, one.x, one.y, one.trace);
    return Math.abs(at[0] - across) <= near && Math.abs(at[1] - up) <= (one.given[0]?.reach ?? near);
  };
  const paint = (plot, outcome) => {
    window.irvizAnimate(plot, [outcome], { frame: { duration: 0, redraw: true } });
    if (outcome.said) window.irvizSay(plot, outcome.said);
  };
  const become = (plot, one) => {
    const outcome = window.irvizOffline?.shown(plot, one) ?? plot.layout.meta?.outcomes?.[one.outcome];
    if (!outcome || plot.irvizOutcome === outcome) return;
    if (window.irvizAhead(plot, one.given)) return mark(plot, one);  // the server draws it
    if (!plot.irvizOutcome) {
      const data = structuredClone(plot.data.map(({ x, y, text, marker, textfont }) => ({ x, y, text, marker, textfont })));
      plot.irvizBefore = { data, traces: [...data.keys()], said: plot.irvizSaid };
    }
    paint(plot, outcome);
    plot.irvizOutcome = outcome;
  };
  const back = (plot) => {  // figure and words are those of before a drag
    if (!plot?.irvizOutcome) return;
    paint(plot, plot.irvizBefore);
    plot.irvizOutcome = undefined;
  };
  const tell = (plot, one) => {  // where it is let go, a guess is answered, and cannot be made again
    plot.irvizGuessed ||= one.then !== one.outcome;
    become(plot, { ...one, outcome: one.then });
    if (alone(plot)) return window.irvizOffline.tell(one);
    plot.irvizOutcome = undefined;
    window.irvizTell(plot, one.given);
  };
  const draw = (event) => {
    const { one } = nearest(held.plot, held.options.filter(({ tap }) => !tap), [event.clientX, event.clientY]);
    become(held.plot, one);
    return one;
  };
  const mark = (plot, one) => {
    const [x, y] = place(plot, one.x, one.y, one.trace);
    ghost.style.left = x + "px";
    ghost.style.top = y + "px";
    const { right, bottom } = plot.getBoundingClientRect();
    word.style.left = right + "px";
    word.style.top = bottom + "px";
    document.body.append(ghost);
  };
  const stop = () => {
    held = null;
    word.textContent = "";
    ghost.remove();
    window.irvizHold(false);
  };
  const take = () => {  // what is held, also where its figure is drawn anew meanwhile; false until it is there
    if (held.plot?.isConnected && held.plot._fullLayout) return true;
    const plot = [...document.querySelectorAll(".js-plotly-plot")].find(inLab), was = held.one;
    if (!plot) return false;
    const same = ({ trace, i }) => trace.index === was.trace.index && i === was.i;
    const one = was ? dots(plot).find(same) : nearest(plot, dots(plot), held.at).one;
    if (!one || !was && !reached(plot, one, held.at)) stop();
    else Object.assign(held, { plot, one, options: goals(one) });
    return !!held;
  };
  document.addEventListener("pointerdown", (event) => {
    const figure = event.target.closest?.(".irviz-figure .js-plotly-plot, .st-key-screen-figure");
    if (!event.isPrimary || event.button || !figure) return;
    if (alone(figure)) back(figure);  // without a server every drag is the first one
    held = { at: [event.clientX, event.clientY], moved: false };
    take();
    if (held) event.preventDefault();
  }, true);
  const pressed = () => held.options?.every(({ tap }) => tap);  // not dragged: a finger may scroll there
  document.addEventListener("touchstart", (event) => held && !pressed() && event.preventDefault(), { capture: true, passive: false });
  const grip = (event) => {
    const { target, clientX, clientY } = event;
    const layer = target.closest?.(".nsewdrag"), plot = layer?.closest(".js-plotly-plot");
    if (!plot || !inLab(plot)) return;
    const { one } = nearest(plot, dots(plot), [clientX, clientY]);
    const is = one && reached(plot, one, [clientX, clientY]);
    layer.style.cursor = is ? one.given[1] ? "grab" : "pointer" : window.irvizStrip(plot, event).name ? "ew-resize" : "default";
  };
  const letGo = (event) => {
    const mine = held;
    if (!take()) return held && setTimeout(() => held === mine && letGo(event), 50);  // its figure is being drawn
    const { plot, one: { trace, i }, options } = held;
    if (held.moved && pressed() && event.pointerType !== "mouse") return stop();
    const moved = held.moved && !pressed();
    const one = moved ? draw(event) : options.find(({ tap }) => tap);
    if (moved) lifted = null;
    stop();
    if (one) {
      tell(plot, one);
      return ghost.remove();
    }
    if (event.pointerType !== "mouse" || options.length === 1) return;
    plot.focus({ preventScroll: true });
    chosen = spots(plot).findIndex((spot) => spot.trace.index === trace.index && spot.i === i);
    plot.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  };
  document.addEventListener("pointermove", (event) => {
    if (!held) grip(event);
    if (!held || !event.isPrimary || !take()) return;
    held.moved ||= distance(held.at, [event.clientX, event.clientY]) > far;
    if (!held.moved || pressed()) return;
    window.irvizHold(true);
    draw(event);
  }, true);
  document.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    held.moved ||= distance(held.at, [event.clientX, event.clientY]) > far;
    letGo(event);
  }, true);
  document.addEventListener("pointercancel", () => {
    back(held?.plot);
    stop();
  }, true);
  const spots = (plot) => {
    const turned = points(plot, ({ meta }) => meta?.turns && [meta]);
    return [...dots(plot).sort((a, b) => b.trace.index - a.trace.index), ...turned];  // the guess first
  };
  const shown = (plot) => {
    const presses = lifted?.i !== undefined && goals(lifted).some(({ tap }) => tap);
    const one = lifted ?? down ?? spots(plot)[chosen % spots(plot).length], { turns, length } = one?.given ?? {};
    const twice = !turns && one?.given?.some((goal) => goal?.tap) ? ", twice: press" : "";
    word.textContent = lifted ? `arrows: move; Enter: ${presses ? "press" : "put down"}; Esc: back`
      : `arrows: choose; Enter: ${turns ? "go to its number" : length === 1 ? "press" : `pick up${twice}`}`;
    ghost.style.background = lifted ? "#D55E0055" : "";
    if (one) mark(plot, one);
    else ghost.remove();
  };
  const nameOf = (plot) => plot.closest('[class*="st-key-"]')?.className.match(/st-key-\S+/)[0];
  let chosen = 0, lifted = null, down = null, focused = null, name = "", again = false;  // down: where one was put
  window.irvizCarries = () => !!(lifted || held?.moved);
  const drop = (plot) => {  // what was lifted is put back
    lifted = null;
    back(plot);
    window.irvizHold(false);
  };
  const leave = () => {
    if (lifted) drop(focused);
    focused = null;
    ghost.remove();
  };
  document.addEventListener("keydown", (event) => {
    const plot = event.target, arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const page = lifted && { PageUp: [1, -1], PageDown: [-1, 1] }[event.key];  // five places to the right or up, or back
    if (!inLab(plot) || !(arrow[event.key] || page || event.key === "Enter" || event.key === "Escape" && lifted)) return;
    event.preventDefault();
    if (event.key === "Escape") {
      drop(plot);
      return shown(plot);
    }
    const every = spots(plot), [across, below] = arrow[event.key] ?? page ?? [0, 0];
    if (!every.length) return;
    if (down) chosen = Math.max(0, every.indexOf(nearest(plot, every, place(plot, down.x, down.y, down.trace)).one));
    const one = every[chosen % every.length] ?? {};
    down = null;
    if (!lifted && alone(plot)) back(plot);
    const ahead = (options, { x, y, trace }) => {  // the nearest that way
      const from = place(plot, x, y, trace);
      return options.map((to) => {
        const [right, lower] = place(plot, to.x, to.y, to.trace).map((at, i) => at - from[i]);
        const far = across * right + below * lower;
        return { to, far: far > 1 ? far + Math.abs(across * lower + below * right) / 3 : Infinity };
      }).reduce((best, one) => one.far < best.far ? one : best, { far: Infinity }).to;
    };
    if (lifted && event.key !== "Enter") {
      const places = goals(one).filter(({ tap }) => !tap);
      for (let n = 0; n < (page ? 5 : 1); n++) lifted = ahead(places, lifted) ?? lifted;
      become(plot, lifted);
    } else if (event.key !== "Enter") {
      const next = every.indexOf(ahead(every, one));
      chosen = next < 0 ? (chosen + across + below + every.length) % every.length : next;
    }
    else if (one.given?.turns) document.querySelector(`.irviz-number[data-name="${one.given.turns}"]`)?.focus();
    else if (one.given.length === 1) tell(plot, goals(one)[0]);
    else if (lifted) {
      const to = lifted.i === undefined ? lifted : goals(one).find(({ tap }) => tap);  // not moved: a tap
      if (to) tell(plot, to);
      down = lifted;
      lifted = null;
    }
    else lifted = one;
    if (event.key === "Enter") window.irvizHold(!!lifted);
    shown(plot);
  });
  addEventListener("focusin", ({ target }) => {
    const plot = inLab(target) ? target : null;
    if (!plot && focused) leave();
    focused = plot;
    name = plot && nameOf(plot);
    if (!again) { chosen = 0; down = null; }
    if (plot && plot.matches(":focus-visible")) shown(plot);
  });
  const around = () => {  // the ring stays on what moves
    if (ghost.isConnected && !held && focused?.isConnected && focused._fullLayout) shown(focused);
    requestAnimationFrame(around);
  };
  around();
  setInterval(() => {
    const plots = [...document.querySelectorAll(".js-plotly-plot")].filter(inLab);
    plots.filter((plot) => spots(plot).length).forEach((plot) => {
      plot.tabIndex = 0;
      plot.role = "application";
      plot.ariaLabel = "Arrow keys choose in the figure, Enter presses, or picks up and puts down, Escape puts back";
    });
    if (!focused || document.activeElement !== document.body) return;
    if (focused.isConnected && "irvizPressed" in document.documentElement.dataset) return leave();
    const back = focused.isConnected ? focused : plots.find((plot) => nameOf(plot) === name);
    if (back && !spots(back).length) [back.tabIndex, down] = [-1, null];  // what was dragged last was all there was
    again = true;  // it was drawn anew
    back?.focus({ preventScroll: true });
    again = false;
  }, 300);
}
