// The goals of labs that somebody has reached are kept in their browser, with what showed it; links to a lab say how many,
// or have a tick.  A goal is reached where nothing is held.
if (!window.irvizDone) {
  window.irvizDone = true;
  const key = "irviz.done";
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
  const open = new Set();  // hints
  document.addEventListener("toggle", ({ target }) => {
    const { lab, step } = target.closest(".irviz-goal")?.dataset ?? {};
    open[target.open ? "add" : "delete"](lab + step);
  }, true);
  const look = window.irvizReach = () => {
    const done = read(), of = (name) => done[name]?.steps ?? [];
    const met = document.querySelectorAll('.irviz-goal[data-met="1"]');
    for (const one of document.documentElement.hasAttribute("data-irviz-held") ? [] : met) {
      const { lab, step, of: all } = one.dataset, { steps = [], why = {} } = done[lab] ?? {};
      if (why[step] !== undefined) continue;
      why[step] = one.querySelector("output").textContent;
      done[lab] = { of: Number(all), steps: [...new Set([...steps, step])], why };
      try { localStorage.setItem(key, JSON.stringify(done)); } catch { return; }
    }
    document.querySelectorAll(".irviz-goal").forEach((one) => {
      const { lab, step, reached } = one.dataset, why = done[lab]?.why?.[step];
      if (reached === undefined) one.querySelector("details").open = open.has(lab + step);  // it is drawn anew
      one.dataset.reached = Number(of(lab).includes(step));
      one.querySelector(".irviz-why").textContent = why ? `Then: ${why}` : "";
    });
    document.querySelectorAll('a[href*="/lab_"]').forEach((link) => {
      const one = done[link.pathname.split("/").pop()];
      const steps = one?.steps.length;
      link.dataset.done = !steps ? "" : steps >= one.of ? "✓" : `${steps} of ${one.of}`;
    });
  };
  new MutationObserver(() => {  // goals drawn anew have their ticks before they are seen
    if (document.querySelector(".irviz-goal:not([data-reached])")) look();
  }).observe(document.body, { childList: true, subtree: true });
  setInterval(look, 500);
}
