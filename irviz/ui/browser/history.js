// One press of Back leaves a page that the menu opened.  Streamlit's menu opens a page at its bare address, and what
// the page shows is written behind it at once: two entries of the browser's history for one click.  The second takes
// the place of the first.
// Another page is opened at its top.
if (!window.irvizHistory) {
  window.irvizHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? "", location.href);
    if (next.pathname !== location.pathname) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    const completes = location.search === "" && next.search !== "" && next.pathname === location.pathname;
    return completes ? history.replaceState(state, title, url) : push(state, title, url);
  };
}
