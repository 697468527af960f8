// The goals of labs that somebody has reached are kept in their browser, with what showed it; links to a lab say how many,
// or have a tick.  A goal is reached where nothing is held.
if (!window.irvizDone) {
  window.irvizDone = true;
  const key = "irviz.done";
  const read = () => { try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; } };
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
      const { lab, step } = one.dataset, why = done[lab]?.why?.[step];
      one.dataset.reached = Number(of(lab).includes(step));
      one.querySelector(".irviz-why").textContent = why ? `reached: ${why}` : "";
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
