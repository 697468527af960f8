"""Cards that are put in order, by dragging, by arrow keys or by the button beside each; the best is on the left.

The order is a text of keys, ``c,a,b``.  :data:`CARDS` keeps it in the text box of the same container, where there is
one, as the handles of a measure do: an inline component of Streamlit would be a script that the policy refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from irviz.labs.step import Question

BOX = "cards"  #: start of the key of a container that holds cards and their text box


def cards(question: Question, order: Sequence[str]) -> str:
    """One card per option, as HTML."""
    named = [(escape(key), escape(question.options[key])) for key in order]
    each = "".join(
        f'<li data-key="{key}"><button type="button" class="irviz-card">{words}</button>'
        f'<button type="button" class="irviz-left" aria-label="{words} to the left">←</button></li>'
        for key, words in named
    )
    return (
        '<div class="irviz-cards"><span>The best on the left: drag the cards, or press ←.</span>'
        f'<ol aria-label="{escape(question.text)}">{each}</ol><output aria-live="polite"></output></div>'
    )


CARDS_STYLE = """
.irviz-cards > span { font-size: 0.85rem; opacity: 0.82; }
.irviz-cards ol { display: flex; flex-wrap: wrap; gap: 0.4rem; list-style: none; margin: 0.3rem 0; padding: 0; }
.irviz-cards li { display: flex; flex: 1 1 auto; margin: 0; }
.irviz-cards button {
  font: inherit; color: inherit; background: light-dark(#F1F3F5, #2A2F36); border: 1px solid #7A7F85;
  border-radius: 0.4rem; padding: 0.3rem; min-height: 2.3rem;
}
.irviz-card { flex: 1 1 auto; cursor: grab; touch-action: none; }
.irviz-cards .irviz-held { background: #0072B2; color: #FFFFFF; cursor: grabbing; }
.irviz-left { order: -1; cursor: pointer; } .irviz-cards li:first-child .irviz-left { display: none; }
.irviz-cards :focus-visible { outline: 3px solid #D55E00; outline-offset: 2px; }
.irviz-cards output { position: absolute; clip-path: inset(50%); }
[class*="st-key-BOX"] .stElementContainer:has([data-testid="stTextInput"]) { display: none; }
""".replace("BOX", BOX)

CARDS = """
if (!window.irvizCards) {
  window.irvizCards = true;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const boxOf = (all) => all.closest('[class*="st-key-BOX"]')?.querySelector("input[type=text]");
  const every = (all) => [...all.querySelectorAll("li")];
  const put = (card, place, focused) => {
    const all = card.closest(".irviz-cards"), now = every(all), at = now.indexOf(card), box = boxOf(all);
    if (place < 0 || place >= now.length || place === at) return;
    now[place][place < at ? "before" : "after"](card);
    focused?.focus();
    all.querySelector("output").textContent = `${card.firstChild.textContent}: place ${place + 1} of ${now.length}`;
    if (!box) return;
    all.irvizText = every(all).map((one) => one.dataset.key).join();
    set.call(box, all.irvizText);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const follow = (all) => {
    const text = boxOf(all)?.value;
    if (!text || all.irvizText === text) return;
    all.irvizText = text;
    for (const key of text.split(",")) {
      const card = every(all).find((one) => one.dataset.key === key);
      if (card) card.parentNode.append(card);
    }
  };
  const placeOf = (card) => every(card.closest(".irviz-cards")).indexOf(card);
  let held = null;
  const drop = () => { held?.classList.remove("irviz-held"); held = null; };
  document.addEventListener("keydown", (event) => {
    const card = event.target.closest?.(".irviz-cards li");
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!card || !step) return;
    event.preventDefault();
    put(card, placeOf(card) + step, event.target);
  });
  document.addEventListener("click", (event) => {
    const left = event.target.closest?.(".irviz-left"), card = left?.closest("li");
    if (card) put(card, placeOf(card) - 1, placeOf(card) > 1 ? left : card.querySelector(".irviz-card"));
  });
  document.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button || !event.target.matches?.(".irviz-card")) return;
    held = event.target;
    held.setPointerCapture(event.pointerId);
    held.classList.add("irviz-held");
  });
  document.addEventListener("pointermove", (event) => {
    const card = held?.closest("li");
    if (!card || !event.isPrimary) return;
    const over = every(card.closest(".irviz-cards")).findIndex((one) => {
      const box = one.getBoundingClientRect(), x = event.clientX, y = event.clientY;
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    if (over >= 0 && over !== placeOf(card)) { put(card, over, held); held.setPointerCapture(event.pointerId); }
  });
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  setInterval(() => document.querySelectorAll(".irviz-cards").forEach(follow), 200);
}
""".replace("BOX", BOX)
