// A link of a term in a lab shows what the term means beside it; with Ctrl it opens the list of all terms.
if (!window.irvizTerm) {
  window.irvizTerm = true;
  const said = Object.assign(document.createElement("div"), { id: "irviz-term", popover: "auto", role: "status" });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href$="#terms"][title]');
    if (!link || event.ctrlKey || event.metaKey || !said.showPopover) return;
    event.preventDefault();
    document.body.append(said);
    said.replaceChildren(Object.assign(document.createElement("b"), { textContent: link.textContent }),
      ": " + link.title);
    said.style.colorScheme = getComputedStyle(link).colorScheme;
    said.showPopover();
    const { left, bottom, top } = link.getClientRects()[0], below = bottom + said.offsetHeight + 6 < innerHeight;
    said.style.left = Math.max(8, Math.min(left, innerWidth - said.offsetWidth - 8)) + "px";
    said.style.top = (below ? bottom + 4 : top - said.offsetHeight - 4) + "px";
  }, true);
}
