// The steps and challenges that somebody has done are kept in their browser; links to a lab say how many steps, or
// have a tick, and so has each challenge beside the name of the present one.
// Where a button goes away that had the focus, as *Predict* does, the answer or the next question has it.
// For a number that is asked for, a phone shows its digits.
if (!window.irvizDone) {
  window.irvizDone = true;
  const key = "irviz.done";
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
  let last = null;
  addEventListener("focusin", ({ target }) => {  // a figure that is drawn anew has it again
    last = target.closest(".st-key-lesson-step") && !target.matches(".js-plotly-plot") && target;
  });
  const look = () => {
    const next = document.querySelector(".st-key-lesson-verdict, .st-key-lesson-step [data-testid='stForm']");
    if (next && last && !last.isConnected && document.activeElement === document.body) {
      next.tabIndex = -1;
      next.focus({ preventScroll: true });
    }
    const done = read(), of = (name) => done[name]?.steps ?? [];
    for (const { dataset: here } of document.querySelectorAll('.irviz-done, .irviz-goal[data-met="1"]')) {
      if (of(here.lab).includes(here.step)) continue;
      done[here.lab] = { of: Number(here.of), steps: [...of(here.lab), here.step] };
      try { localStorage.setItem(key, JSON.stringify(done)); } catch { return; }
    }
    document.querySelectorAll(".irviz-goal").forEach(({ dataset }) => {
      dataset.reached = Number(of(dataset.lab).includes(dataset.step));
    });
    document.querySelectorAll('.st-key-lesson-step input[placeholder="a number"]').forEach((box) => {
      box.inputMode = "decimal";
    });
    document.querySelectorAll('a[href*="/lab_"]').forEach((link) => {
      const one = done[link.pathname.split("/").pop()];
      const steps = one?.steps.filter((step) => step[0] !== "c").length;
      link.dataset.done = !steps ? "" : steps >= one.of ? "✓" : `${steps} of ${one.of}`;
    });
    document.querySelectorAll(".irviz-solved").forEach((marks) => {
      const known = of(marks.dataset.lab), count = { length: Number(marks.dataset.of) };
      const signs = Array.from(count, (_, n) => known.includes(`c${n + 1}`) ? "✓" : "○");
      marks.dataset.done = `Solved: ${signs.join(" ")}`;
    });
  };
  setInterval(look, 500);
}
