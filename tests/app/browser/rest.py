"""Waiting until a page rests: its script runs no more, and does not begin again at once."""

from __future__ import annotations

from itertools import count
from typing import Any
from urllib.parse import urlsplit

_CALLS = count()
#: True once the page has rested for some milliseconds of this call, and was looked at meanwhile: where the machine is
#: busy, what has arrived comes between two looks.  A press asks for a run at once, a slider after 200 milliseconds.
_RESTS = """([call, quiet]) => {
  const app = document.querySelector('[data-testid="stApp"]')?.dataset, now = performance.now();
  if (window.restCall !== call || app?.testScriptState !== 'notRunning' || app.testConnectionState !== 'CONNECTED') {
    Object.assign(window, { restCall: call, restSince: now, restLooks: 0 });
  }
  return now - window.restSince >= quiet && ++window.restLooks > 3;
}"""


def idle(page: Any, quiet: int = 60) -> None:
    """Wait until nothing is asked, computed or sent for `quiet` milliseconds; more than 200 after a slider's move."""
    page.wait_for_function(_RESTS, arg=[next(_CALLS), quiet], polling=20)


#: As Back does: the address is read as that of any link, but no script is compiled anew, most of what a visit costs.
#: It is over once the page's script has begun to run: until then the page that was left rests.
_FOLLOW = """url => new Promise((done) => {
  const app = document.querySelector('[data-testid="stApp"]');
  const seen = new MutationObserver(() => {
    if (app.dataset.testScriptState === 'notRunning') return;
    seen.disconnect();
    done();
  });
  seen.observe(app, { attributes: true, attributeFilter: ['data-test-script-state'] });
  history.pushState(null, '', url);
  dispatchEvent(new PopStateEvent('popstate'));
  setTimeout(done, 5000);
})"""


def follow(page: Any, url: str) -> None:
    """Open a link, in the dashboard that the page may show already, and wait until it rests."""
    turn_to(page, url)
    idle(page)


def turn_to(page: Any, url: str) -> None:
    """Open a link so, and wait for nothing but the beginning of its run."""
    if urlsplit(page.url).netloc == urlsplit(url).netloc:
        page.evaluate(_FOLLOW, url)
    else:
        page.goto(url)


def said_in(page: Any, text: str) -> None:
    """Wait until the address says `text`, and the page rests."""
    page.wait_for_function("text => decodeURIComponent(location.search).includes(text)", arg=text)
    idle(page)


#: where a point of a trace is on the screen, and another place of the same axes
PLACES = """([figure, trace, point, x, y]) => {
  const plot = document.querySelectorAll('.js-plotly-plot')[figure], from = plot._fullData.at(trace);
  const box = plot.getBoundingClientRect();
  const [xaxis, yaxis] = ["x", "y"].map((one) => plot._fullLayout[`${one}axis${from[`${one}axis`].slice(1)}`]);
  return [[from.x[point], from.y[point]], [x, y]].map(([a, b]) =>
    [box.x + xaxis._offset + xaxis.l2p(a), box.y + yaxis._offset + yaxis.l2p(b)]); }"""


def drag(page: Any, figure: int, trace: int, point: int, x: float, y: float) -> None:
    """Press the mouse on a point, move it, let go."""
    page.locator(".js-plotly-plot").nth(figure).scroll_into_view_if_needed()
    start, end = page.evaluate(PLACES, [figure, trace, point, x, y])
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 12)
    page.mouse.move(*end)
    page.mouse.up()
