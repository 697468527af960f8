// A finger on a figure is a click: the first tap counts, and a swipe scrolls the page.  Plotly takes a touch for the
// start of a drag and knows no point under it before the second.  Where it does not see the touch, the browser makes
// a mouse of it: moved there, pressed, released.
if (!window.irvizTouch) {
  window.irvizTouch = true;
  document.addEventListener("touchstart", (event) => {
    if (event.target.closest && event.target.closest(".js-plotly-plot")) event.stopPropagation();
  }, { capture: true, passive: true });
}
