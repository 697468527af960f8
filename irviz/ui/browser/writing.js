// What a student types to an exercise is sent when the typing pauses, as it is when they press Ctrl+Enter: then a
// reload finds it, and the file to download holds it, without a word about leaving the box first.  Numbers wait until
// they are whole.
if (!window.irvizWriting) {
  window.irvizWriting = true;
  let pause;
  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box.closest(".st-key-task") || !box.matches("textarea, input[type=text]")) return;
    clearTimeout(pause);
    pause = setTimeout(() => box.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true })), 400);
  });
}
