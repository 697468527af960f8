// Handles follow their text box, and the box follows the handles a moment after the last move: a press of an arrow key
// moves at once, several are one change.  Streamlit takes a text over where Enter is pressed.  A sweep brings its
// figures into sight, where the buttons are below them or far above.
if (!window.irvizHandles) {
  window.irvizHandles = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const boxOf = (all) => all.closest('[class*="st-key-BOX"]')?.querySelector("input[type=text]");
  const inputs = (all) => [...all.querySelectorAll("input")];
  const neat = (x) => Math.round(x * 1e4) / 1e4;
  const sums = (numbers) => numbers.map((_, i) => neat(numbers.slice(0, i + 1).reduce((a, b) => a + b, 0)));
  const numbersOf = (all) => {
    const at = inputs(all).map((one) => Number(one.value));
    return all.dataset.kind !== "shares" ? at : [...at, 1].map((x, i) => neat(x - (i ? at[i - 1] : 0)));
  };
  const tracks = (all) => [...all.querySelectorAll("[data-track]")].map(inputs);
  const textOf = (all) => all.dataset.kind === "plane"
    ? `[${tracks(all).map((track) => `[${track.map(({ value }) => Number(value))}]`)}]` : `[${numbersOf(all)}]`;
  const ofDot = (dot) => {  // the handles of a point of the plane: across, and up
    const all = dot.closest(".irviz-handles"), levels = dot.dataset.levels.split(",");
    return levels.map((level, i) => tracks(all)[i][level]);
  };
  const say = (all) => {
    const numbers = numbersOf(all), shares = all.dataset.kind === "shares";
    all.querySelectorAll("output").forEach((one, i) => { one.textContent = numbers[i]; });
    all.querySelectorAll(".irviz-parts span").forEach((one, i) => { one.style.width = 100 * numbers[i] + "%"; });
    all.querySelectorAll("[data-levels]").forEach((dot) => {
      [dot.style.left, dot.style.bottom] = ofDot(dot).map(({ value, max }) => `${100 * value / max}%`);
    });
    inputs(all).forEach((one, i) => one.setAttribute("aria-valuetext",
      shares ? `${numbers[i]} against ${numbers[i + 1]}` : String(numbers[i])));
  };
  const follow = (all) => {
    const box = boxOf(all);
    if (!box || all.irvizWaits || all.irvizText === box.value) return;
    const typed = (box.value.match(/[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    const read = JSON.parse(all.dataset.words)[box.value.trim()] ?? typed;
    const shares = all.dataset.kind === "shares", count = inputs(all).length + (shares ? 1 : 0);
    all.irvizText = box.value;
    all.style.display = read.length === count ? "" : "none";
    if (read.length !== count) return;
    (shares ? sums(read) : read).slice(0, inputs(all).length).forEach((x, i) => { inputs(all)[i].value = x; });
    say(all);
  };
  const keepOrder = (all, moved) => {
    const every = inputs(moved.closest("[data-track]") ?? all), at = every.indexOf(moved), x = Number(moved.value);
    if (all.dataset.kind === "shares") {
      const low = at ? Number(every[at - 1].value) : 0, high = at + 1 < every.length ? Number(every[at + 1].value) : 1;
      moved.value = Math.min(high, Math.max(low, x));
    } else if (all.dataset.rising === "1") {
      every.forEach((one, i) => {
        if ((i < at && Number(one.value) > x) || (i > at && Number(one.value) < x)) one.value = x;
      });
    }
  };
  const write = (all) => {
    const box = boxOf(all);
    if (!box) return;
    all.irvizText = textOf(all);
    set.call(box, all.irvizText);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => {
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      all.irvizWaits = 0;
    }, 50);
  };
  window.irvizListAt = (one, x) => {  // the text where a handle is at another place
    const all = one.closest(".irviz-handles"), before = inputs(all).map(({ value }) => value);
    one.value = x;
    keepOrder(all, one);
    const text = textOf(all);
    inputs(all).forEach((input, i) => { input.value = before[i]; });
    return text;
  };
  document.addEventListener("input", (event) => {
    const all = event.target.closest?.(".irviz-handles");
    if (!all) return;
    keepOrder(all, event.target);
    say(all);
  });
  document.addEventListener("change", (event) => {
    const all = event.target.closest?.(".irviz-handles");
    if (!all) return;
    clearTimeout(all.irvizWaits);
    all.irvizWaits = setTimeout(() => write(all), 300);
  });
  let dot = null;
  document.addEventListener("pointerdown", ({ target }) => { dot = target.closest?.("[data-levels]"); });
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    const box = dot?.parentElement.getBoundingClientRect();
    if (dot) ofDot(dot).forEach((one, i) => {
      one.value = one.max * (i ? 1 - (clientY - box.y) / box.height : (clientX - box.x) / box.width);
      one.dispatchEvent(new Event("input", { bubbles: true }));
    });
  });
  document.addEventListener("pointerup", () => {
    if (dot) ofDot(dot)[0].dispatchEvent(new Event("change", { bubbles: true }));
    dot = null;
  });
  setInterval(() => document.querySelectorAll(".irviz-handles").forEach(follow), 200);
  document.addEventListener("click", (event) => {
    const heading = document.querySelector('.st-key-bench [class*="-heading"]');
    if (!heading || !event.target.closest?.('[class*="st-key-sweep-"]')) return;
    const { top } = heading.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) heading.scrollIntoView();
  });
}
