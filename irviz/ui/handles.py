"""Lists of numbers as handles: a bar for each, or one bar divided by handles, whose parts always sum to 1.

A handle is a range input of the browser, which fingers, arrow keys and screen readers reach.  The numbers are those of
the text box in the same container: :data:`HANDLES` sets the handles from it, and writes it when one is let go.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape

BOX = "handles"  #: start of the key of a container that holds handles and their text box


def bars(names: Sequence[str], words: Mapping[str, Sequence[float]], now: Sequence[float], rising: bool) -> str:
    """One upright bar per number, as HTML.

    Parameters
    ----------
    names : of the numbers
    words : texts of the box that stand for numbers, and these numbers
    now : the present numbers
    rising : whether no number may be below the one before
    """
    top = 2.0 ** math.floor(1 + math.log2(max([1.0, *now])))
    step = 10.0 ** math.floor(math.log10(top)) / 20
    given = f'min="0" max="{top:g}" step="{step:g}"'
    each = [
        f'<label><output></output><input type="range" {given} aria-label="{escape(name)}"><span>{escape(name)}</span>'
        "</label>"
        for name in names
    ]
    return _whole("bars", words, "".join(each), rising)


def shares(names: Sequence[str], words: Mapping[str, Sequence[float]]) -> str:
    """One bar divided into a part per name, as HTML; a handle stands between two parts."""
    parts = "".join(f"<span>{escape(name)} <output></output></span>" for name in names)
    inputs = "".join(
        f'<input type="range" min="0" max="1" step="0.01" aria-label="{escape(one)} against {escape(after)}">'
        for one, after in zip(names, names[1:], strict=False)
    )
    return _whole("shares", words, f'<div class="irviz-parts">{parts}</div>{inputs}', False)


def _whole(kind: str, words: Mapping[str, Sequence[float]], content: str, rising: bool) -> str:
    known = escape(json.dumps({word: list(numbers) for word, numbers in words.items()}))
    return (
        f'<div class="irviz-handles irviz-{kind}" data-kind="{kind}" data-rising="{int(rising)}" '
        f'data-words="{known}">{content}</div>'
    )


HANDLES_STYLE = """
.irviz-handles { position: relative; font-size: 0.8rem; }
.irviz-handles output { font-variant-numeric: tabular-nums; }
.irviz-handles :focus-visible { outline: 3px solid #D55E00; outline-offset: 2px; }
.irviz-bars { display: flex; gap: 0.4rem; align-items: flex-end; }
.irviz-bars label { display: flex; flex: 1 1 0; min-width: 0; flex-direction: column; align-items: center; }
.irviz-bars input {
  writing-mode: vertical-lr; direction: rtl; width: 1.6rem; height: 5rem; margin: 0; accent-color: #0072B2;
}
.irviz-shares { height: 2.6rem; margin: 0 0.7rem; }
.irviz-parts { display: flex; height: 100%; border-radius: 0.3rem; overflow: hidden; }
.irviz-parts span {
  flex: 0 0 auto; min-width: 0; overflow: hidden; text-align: center; line-height: 1.25rem; white-space: normal;
  background: rgba(0, 114, 178, 0.14);
}
.irviz-parts span:nth-child(even) { background: rgba(0, 114, 178, 0.34); }
.irviz-shares input {
  position: absolute; inset: 0 -0.5rem; width: calc(100% + 1rem); height: 100%; margin: 0; appearance: none;
  background: none; pointer-events: none;
}
.irviz-shares input::-webkit-slider-thumb {
  appearance: none; pointer-events: auto; width: 1rem; height: 2.9rem; border: 0; border-radius: 0.3rem;
  background: linear-gradient(90deg, transparent 38%, #0072B2 38% 62%, transparent 62%); cursor: ew-resize;
}
.irviz-shares input::-moz-range-thumb {
  pointer-events: auto; width: 1rem; height: 2.9rem; border: 0; border-radius: 0.3rem;
  background: linear-gradient(90deg, transparent 38%, #0072B2 38% 62%, transparent 62%); cursor: ew-resize;
}
"""

#: Handles follow their text box, and the box follows the handles a moment after the last move: a press of an arrow key
#: moves at once, several are one change.  Streamlit takes a text over where Enter is pressed.  A sweep brings its
#: figures into sight, where the buttons are below them or far above.
HANDLES = """
if (!window.irvizHandles) {
  window.irvizHandles = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const boxOf = (all) => all.closest('[class*="st-key-BOX"]')?.querySelector("input[type=text]");
  const inputs = (all) => [...all.querySelectorAll("input")];
  const neat = (x) => Math.round(x * 1e4) / 1e4;
  const sums = (numbers) => numbers.map((_, i) => neat(numbers.slice(0, i + 1).reduce((a, b) => a + b, 0)));
  const numbersOf = (all) => {
    const at = inputs(all).map((one) => Number(one.value));
    return all.dataset.kind === "bars" ? at : [...at, 1].map((x, i) => neat(x - (i ? at[i - 1] : 0)));
  };
  const say = (all) => {
    const numbers = numbersOf(all), shares = all.dataset.kind === "shares";
    all.querySelectorAll("output").forEach((one, i) => { one.textContent = numbers[i]; });
    all.querySelectorAll(".irviz-parts span").forEach((one, i) => { one.style.width = 100 * numbers[i] + "%"; });
    inputs(all).forEach((one, i) => one.setAttribute("aria-valuetext",
      shares ? `${numbers[i]} against ${numbers[i + 1]}` : String(numbers[i])));
  };
  const follow = (all) => {
    const box = boxOf(all);
    if (!box || all.irvizWaits || all.irvizText === box.value) return;
    const typed = (box.value.match(/[\\d.]+(e-?\\d+)?/g) ?? []).map(Number);
    const read = JSON.parse(all.dataset.words)[box.value.trim()] ?? typed;
    const shares = all.dataset.kind === "shares", count = inputs(all).length + (shares ? 1 : 0);
    all.irvizText = box.value;
    all.style.display = read.length === count ? "" : "none";
    if (read.length !== count) return;
    (shares ? sums(read) : read).slice(0, inputs(all).length).forEach((x, i) => { inputs(all)[i].value = x; });
    say(all);
  };
  const keepOrder = (all, moved) => {
    const every = inputs(all), at = every.indexOf(moved), x = Number(moved.value);
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
    all.irvizText = `[${numbersOf(all).join(",")}]`;
    set.call(box, all.irvizText);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    setTimeout(() => {
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      all.irvizWaits = 0;
    }, 50);
  };
  document.addEventListener("input", (event) => {
    const all = event.target.closest?.(".irviz-handles");
    if (!all) return;
    keepOrder(all, event.target);
    say(all);
    clearTimeout(all.irvizWaits);
    all.irvizWaits = setTimeout(() => write(all), 300);
  });
  setInterval(() => document.querySelectorAll(".irviz-handles").forEach(follow), 200);
  document.addEventListener("click", (event) => {
    const heading = document.querySelector('.st-key-bench [class*="-heading"]');
    if (!heading || !event.target.closest?.('[class*="st-key-sweep-"]')) return;
    const { top } = heading.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) heading.scrollIntoView();
  });
}
""".replace("BOX", BOX)
