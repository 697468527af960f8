// A lab on a page without a server has a figure for every choice, packed in the page.  What is dragged leads to one of
// them, at the frame of its live numbers; a drag that leads to none is shown by its outcome, until the next one.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("screens").textContent), (one) => one.charCodeAt(0));
  const opened = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { names, first, places, screens } = await new Response(opened).json();
  const plot = document.querySelector(".figure"), [above, below] = document.querySelectorAll(".irviz-words");
  let texts = first, drawn = null, mark = null, asked = {};  // asked: what the figure shows where the mark is seen
  const turned = () => Object.fromEntries([...document.querySelectorAll(".irviz-number")].map((one) =>
    [one.dataset.name, JSON.parse(one.dataset.stops).texts[one.getAttribute("aria-valuenow")]]));
  const find = (given) => {
    const all = { ...texts, ...turned(), ...given }, screen = screens[places[names.map((name) => all[name]).join(";")]];
    if (!screen || Object.keys(all).length > Object.keys(first).length) return null;
    const frame = screen.live.reduce((sum, [name, stops, stride]) => sum + Math.max(0, stops.indexOf(all[name])) * stride, 0);
    const { data, frames, layout } = screen.figure;
    const traces = data.map((trace, i) => ({ ...trace, ...frames[frame].data[i] }));
    const shows = Object.entries(asked).every(([name, text]) => all[name] === text);
    if (mark && layout.meta.asks) traces.push({ ...traces.pop(), ...mark, ...(shows ? {} : { x: [null], y: [null] }) });
    return { all, screen, traces, said: layout.meta.screen[frame] };
  };
  const draw = ({ all, screen, traces, said }) => {
    const { layout, frames } = screen.figure, name = document.activeElement?.dataset?.name;
    const config = { responsive: true, displaylogo: false, displayModeBar: false };
    texts = all;
    if (screen !== drawn) [above.innerHTML, below.innerHTML] = screen.words;
    if (name) document.querySelector(`[data-name="${name}"]`)?.focus({ preventScroll: true });
    drawn = screen;
    Plotly.newPlot(plot, { data: traces, layout: { ...layout, meta: { ...layout.meta, now: said } }, frames, config });
    plot.irvizOutcome = undefined;
    window.irvizSay?.(plot, said);
  };
  const told = ({ given }) => Object.fromEntries(plot.layout.meta.picks.map((name, i) => [name, given[i]]).filter(([, text]) => text !== null));
  window.irvizOffline = {
    go: (given) => {  // a number, or a choice, was let go
      const found = find(given);
      if (found?.screen === drawn && !mark) texts = found.all;
      else if (found) draw(found);
    },
    shown: (plot, one) => {  // what the figure becomes while a point of it is dragged
      const found = find(told(one)), guess = told(one).guess !== undefined;
      if (!found) return null;
      const data = found.traces.map(({ x, y, text, marker, textfont }, i) =>
        guess && i + 1 < found.traces.length ? {} : { x, y, text, marker, textfont });
      if (guess) Object.assign(data.at(-1), { x: [one.x], y: [one.y], text: plot.layout.meta.outcomes[one.outcome].data.at(-1).text });
      return { data, traces: data.map((_, i) => i), said: guess ? null : found.said };
    },
    tell: (one) => {  // it was let go
      const given = told(one), found = find(given);
      if (!found) return;
      if (given.guess !== undefined) {
        const { yours, outcomes } = plot.layout.meta, { answer } = found.said, line = outcomes[one.then].said.guess;
        plot.irvizGuess = line.endsWith(answer) ? line : `${yours}: ${given.guess}. ${answer}`;  // of the turned numbers
        mark = { x: [one.x], y: [one.y], text: ["you"], meta: {} };
        asked = given;
        found.traces.push({ ...found.traces.pop(), ...mark });
      }
      draw(found);
    },
  };
  document.querySelector(".irviz-again").addEventListener("click", () => {
    texts = first;
    mark = drawn = plot.irvizGuess = plot.irvizGuessed = null;
    draw(find(first));
  });
  draw(find({}));
})();
