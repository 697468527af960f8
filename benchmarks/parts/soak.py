"""A crowd on one server: visitors that move controls, and one that asks for all that is legal.

Sixteen visitors, four on a page, move a control every two seconds for four minutes
(``SOAK_SECONDS``, ``SOAK_VISITORS``).  What is measured is the server's answer to its last
byte; what a browser then draws is left out.  Every visitor moves through settings of its
own, drawn at random, so that most answers have to be computed.  Attackers of each critical kind are
beside them (``SOAK_ATTACKED=0``: are not).

Then 40 visitors move controls on one process, and half of them each on two processes of one home.

Afterwards, page by page, one visitor asks for the costliest thing that is allowed, while
health and another visitor's cached page are asked for again and again.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

from benchmarks import serving
from benchmarks.attackers import attacked
from benchmarks.timing import Row, limit
from benchmarks.visitor import Answer, Visitor
from irviz.errors import IrvizError

SECONDS = float(os.environ.get("SOAK_SECONDS", "240"))
VISITORS = int(os.environ.get("SOAK_VISITORS", "16"))
ATTACKED = os.environ.get("SOAK_ATTACKED", "1") == "1"
MANY_VISITORS = 40
DATA = {"collection": "adhoc"}
EVERY = 2.0  #: seconds from one move of a visitor to the next
BARS = {"scores": 1.5, "similarity": 1.5, "aggregation": 3.0, "consistency": 3.0}  #: p95, seconds
MANY = (
    "AP,RR,Rprec,Bpref,P@5,P@10,P@20,R@100,nDCG@10,nDCG@20,nDCG,DCG@10,ERR@20,RBP(p=0.5),RBP(p=0.8),RBP(p=0.95),"
    "INST(T=2.25),SBTO@20,RBTO@20,GAP(g=[0.5,0.3,0.2])"
)
TOTAL_ORDERS = ",".join(f"RBTO@{k}" for k in range(101, 201))
#: the costliest legal request of each page
COSTLIEST = {
    "scores": {"measures": TOTAL_ORDERS, "show": "box"},
    "similarity": {"measures": TOTAL_ORDERS, "coefficient": "tau_ap"},
    "aggregation": {"measures": MANY, "trials": "5000"},
    "consistency": {"measures": MANY, "trials": "20000", "coefficient": "tau_ap"},
    "discriminative": {"measures": MANY, "trials": "20000", "method": "paired_bootstrap"},
    "incomplete": {"measures": TOTAL_ORDERS, "repeats": "100"},
    "cwla": {"show": "power", "trials": "5000", "v": "3"},
    "conclusion": {"measures": MANY, "trials": "10000"},
}


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home, _server(Path(home)) as (url, process):
        yield from _crowd(url, process)
    yield from _processes()
    with tempfile.TemporaryDirectory() as home, _server(Path(home)) as (url, _):
        for page, link in COSTLIEST.items():
            yield from _met_by_others(url, page, link)


# -- a crowd -----------------------------------------------------------------------------


def _crowd(url: str, process: subprocess.Popen[bytes]) -> Iterator[Row]:
    memory: list[float] = []
    slowest = [0.0]
    attackers: AbstractContextManager[dict[str, int]] = attacked(url) if ATTACKED else nullcontext({})
    with attackers as tries:
        taken, wrong = _visits([url], VISITORS, lambda: memory.append(_resident(process)), slowest)
    if tries:
        yield Row("attempts beside the visitors", str(tries), "", "", "each above 0", all(tries.values()))
        yield limit("health beside attackers, slowest", slowest[0], 1.0, "s")
    for page, bar in BARS.items():
        yield limit(
            f"{VISITORS} visitors, {page}: p95 of {len(taken[page])} moves", _percentile(taken[page], 95), bar, "s"
        )
    settled, last = (
        statistics.median(memory[int(len(memory) * a) : int(len(memory) * b)]) for a, b in ((0.5, 0.6), (0.9, 1))
    )
    grown = 100 * (last / settled - 1)
    yield Row(
        "memory at the end, of that at half time",
        f"{last:.0f} MB",
        f"{settled:.0f} MB",
        f"{grown:+.1f}%",
        "± 10%",
        abs(grown) <= 10,
    )
    yield Row("errors", f"{len(wrong)} {wrong[:2]}", "", "", "0", not wrong)


def _visits(
    urls: list[str], count: int, look: Callable[[], None], slowest: list[float]
) -> tuple[dict[str, list[float]], list[str]]:
    """Seconds of every move by page, and what went wrong, of so many visitors of servers by turns."""
    taken: dict[str, list[float]] = {page: [] for page in BARS}
    wrong: list[str] = []
    end = time.monotonic() + SECONDS
    visitors = [
        threading.Thread(
            target=_visit, args=(urls[i % len(urls)], list(BARS)[i // len(urls) % len(BARS)], i, end, taken, wrong)
        )
        for i in range(count)
    ]
    for one in visitors:
        one.start()
    while any(one.is_alive() for one in visitors):
        look()
        slowest[0] = max(slowest[0], _health(urls[0]))
        time.sleep(1)
    return taken, wrong


def _processes() -> Iterator[Row]:
    """What a second process brings to many visitors; a proxy's part, which is to choose, is left out."""
    found: list[dict[str, float]] = []
    for count in (1, 2):
        with tempfile.TemporaryDirectory() as home, ExitStack() as open_servers:
            urls = [open_servers.enter_context(_server(Path(home)))[0] for _ in range(count)]
            taken, wrong = _visits(urls, MANY_VISITORS, lambda: None, [0.0])
            found.append({page: _percentile(taken[page], 95) for page in BARS})
        yield Row(f"{MANY_VISITORS} visitors, {count} processes: errors", f"{len(wrong)}", "", "", "0", not wrong)
    for page in BARS:
        one, two = (times[page] for times in found)
        what = f"{MANY_VISITORS} visitors, {page}: p95 of two processes, of one"
        yield Row(what, f"{two:.2f} s", f"{one:.2f} s", f"{two / one:.2f}×", "< 1×", two < one)


def _visit(url: str, page: str, number: int, end: float, taken: dict[str, list[float]], wrong: list[str]) -> None:
    """One visitor's four minutes."""
    r = random.Random(number)
    try:
        with Visitor(url) as visitor:
            _note(visitor.open(page, **DATA), wrong)
            time.sleep(r.random() * EVERY)
            while time.monotonic() < end:
                began = time.monotonic()
                answer = visitor.open(page, **_moved_control(page, r))
                taken[page].append(answer.seconds)
                _note(answer, wrong)
                time.sleep(max(0.0, EVERY - (time.monotonic() - began)))
    except Exception as error:  # noqa: BLE001  whatever ends a visit is a finding
        wrong.append(f"{page}: {type(error).__name__}: {error}")


def _moved_control(page: str, r: random.Random) -> dict[str, str]:
    """A setting as somebody comes by it who moves the slider of RBP, or one of the page's controls."""
    measures = f"AP,nDCG@10,P@10,RBP(p={r.randint(1, 99) / 100:g}),ERR@20,RR"
    own: dict[str, dict[str, tuple[str, ...]]] = {
        "scores": {"show": ("ranking", "box"), "summary": ("mean", "median", "geometric")},
        "similarity": {"coefficient": ("tau", "tau_ap", "spearman"), "summary": ("mean", "median", "geometric")},
        "aggregation": {"sweep": ("geometric", "harmonic"), "seed": tuple(map(str, range(50)))},
        "consistency": {"coefficient": ("tau", "tau_ap"), "seed": tuple(map(str, range(50)))},
    }
    name = r.choice(list(own[page]))
    return {**DATA, "measures": measures, name: r.choice(own[page][name])}


def _note(answer: Answer, wrong: list[str]) -> None:
    wrong += answer.errors
    if not answer.figures:
        wrong.append(f"no figure: {answer.texts[-2:]}")


# -- the costliest request ------------------------------------------------------------------


def _met_by_others(url: str, page: str, link: dict[str, str]) -> Iterator[Row]:
    """What others meet while one visitor asks for all that is legal."""
    over = threading.Event()
    health, cached = _repeat(over, lambda: _health(url)), _repeat(over, *_cached(url))
    time.sleep(2)
    with Visitor(url, patience=900) as visitor:
        answer = visitor.open(page, **DATA, **link)
    over.set()
    said = next((text for text in answer.texts if "one request may" in text), "")
    how = "refused" if said else f"{answer.seconds:.0f} s"
    yield limit(f"the costliest {page} ({how}): health, slowest", 1000 * max(health()), 500, "ms")
    yield limit(f"the costliest {page} ({how}): a cached page, slowest", max(cached()), 1.0, "s")


def _repeat(
    over: threading.Event, ask: Callable[[], float], close: Callable[[], None] = lambda: None
) -> Callable[[], list[float]]:
    """Ask again and again in a thread; what is returned gives the seconds once that has ended."""
    taken: list[float] = []

    def work() -> None:
        while not over.is_set():
            taken.append(ask())
            time.sleep(0.2)
        close()

    thread = threading.Thread(target=work)
    thread.start()

    def result() -> list[float]:
        thread.join()
        return taken

    return result


def _health(url: str) -> float:
    start = time.perf_counter()
    with urllib.request.urlopen(f"{url}/_stcore/health", timeout=60):
        return time.perf_counter() - start


def _cached(url: str) -> tuple[Callable[[], float], Callable[[], None]]:
    """Going to and fro between two views that were computed before."""
    visitor = Visitor(url, patience=120).__enter__()
    shown = ["ranking", "box"]
    for show in shown:
        visitor.open("scores", **DATA, show=show)

    def ask() -> float:
        shown.reverse()
        return visitor.open("scores", **DATA, show=shown[0]).seconds

    return ask, visitor.__exit__


# -- the server ----------------------------------------------------------------------------


@contextmanager
def _server(home: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with serving.started([sys.executable, "-m", "irviz", "app"], home, STREAMLIT_SERVER_ADDRESS="127.0.0.1") as found:
        yield found


def _resident(process: subprocess.Popen[bytes]) -> float:
    """Megabytes of the memory of the server and of the processes that compute for it."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    sizes = [size for pid, parent, size in map(str.split, listed.splitlines()) if str(process.pid) in (pid, parent)]
    if process.poll() is not None:
        raise IrvizError(f"The server has ended ({process.returncode}).")
    return sum(map(int, sizes)) / 1024


def _percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100)[share - 1] if len(values) > 1 else float("inf")
