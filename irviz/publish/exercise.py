"""Exercises: what a page computes for one, the sheet to print with its link as a QR code, and the key to it.

Sheet and key are files of HTML that need neither server nor network, as reports are; a browser prints them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import segno
from plotly.offline import get_plotlyjs

from irviz.errors import IrvizError, join_words
from irviz.figures.theme import dress
from irviz.labs.goals import Goal, Readings
from irviz.labs.lab import FREE, YOURS, Lab
from irviz.publish.draw import ViewContent
from irviz.publish.provenance import in_words
from irviz.publish.report import document, embed, script_digest
from irviz.workspace.control import Control
from irviz.workspace.data import BASELINE, SHARED_NAMES, scopes
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing
from irviz.workspace.task import Exercise, without_task
from irviz.workspace.view import Complaint, View, settle

# -- An exercise on its page: what the page computes, whether it meets the condition, and the link to hand out

_STEP = "step"  #: where in a lab somebody is
NEVER = (_STEP, "guess", "seed", YOURS.name)  #: controls that no exercise locks


def readings_of(page: Page, values: Mapping[str, Any]) -> Readings:
    """Quantities of the page that a condition can be about; none unless it is a lab."""
    return page.readings(values) if isinstance(page, Lab) else {}


def check_goal(goal: str, readings: Readings) -> tuple[str, bool | None]:
    """A condition compared with readings, as ``GAP 0.91 ✓, eGAP 0.24 ✗``, and True if it is met.

    None where nothing is asked for, or it cannot be decided, which the words explain: errors in it are never raised.
    """
    if not goal.strip():
        return "", None
    if not readings:
        return "This page computes nothing that a condition can refer to; the labs do.", None
    try:
        read = Goal.read(goal)
        return read.words(readings), read.is_met(readings)
    except IrvizError as error:
        return str(error), None


def lockable(page: Page) -> tuple[Control, ...]:
    """The controls that an exercise may lock."""
    return tuple(control for control in page.controls if control.name not in NEVER)


def exercise_view(page: Page, view: View, exercise: Exercise) -> View:
    """The view to hand out: the present one as the start, without what is the teacher's own.

    A lab that looks at no collection needs none, so that nobody misses the teacher's.
    """
    _, page_texts, _ = scopes(page, view.values)
    alone = isinstance(page, Lab) and page_texts.get(YOURS.name) != YOURS.format(True)
    texts = {
        key: text
        for key, text in view.items
        if key not in (BASELINE.name, "guess") and not (alone and key in SHARED_NAMES)
    }
    if any(control.name == _STEP for control in page.controls):
        texts[_STEP] = texts.get(_STEP, FREE)  # an exercise starts with all of it
    return View(page.name, (*without_task(texts).items(), *exercise.texts().items()))


def read_exercise(page: Page, view: View) -> tuple[Exercise, dict[str, str]]:
    """The exercise of a link and what the link says to its page; a link without one is refused."""
    _, page_texts, _ = scopes(page, view.values)
    exercise, _ = Exercise.read(page_texts, [control.name for control in page.controls])
    if exercise is None:
        raise IrvizError("This link contains no exercise. Use the link that Share → Exercise shows.")
    return exercise, without_task(page_texts)


def only_here(link: str) -> str:
    """Why a link opens on no other computer, and what opens it to a room; "" for an address that others reach.

    >>> only_here("http://192.168.1.7:8501/scores"), only_here("http://127.0.0.1:8501/scores")[:40]
    ('', 'This address works on this computer only')
    """
    host = urlsplit(link).hostname or ""
    try:
        is_local = ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        is_local = host == "localhost" or host.endswith(".localhost")
    if not is_local:
        return ""
    return (
        "This address works on this computer only. To open irviz to a room, start it with "
        f"`irviz app --address 0.0.0.0`, and open it by the computer's name or number in place of `{host}` before you "
        "copy the link."
    )


def settle_page(page: Page, own: Mapping[str, str]) -> tuple[dict[str, Any], list[Complaint]]:
    """The values that the texts mean, and complaints; of a page on data only controls that need none."""
    known = [control for control in page.controls_for(own) if isinstance(page, Lab) or control.from_context is None]
    return settle(known, own, None)


# --------------------------------------------------------------------------------------------------

PAPER_SIZES = {"A4": "A4", "letter": "Letter"}  #: as @page names it, and as people do
_WIDTH, _TALLEST, _LINES = 640, 380, 9  #: pixels of the figure, and lines to write on
MOST_CODED = 2_300  #: bytes that a QR code of middle size holds
_DRAW_STILL = """
for (const place of document.querySelectorAll(".figure")) {
  const drawn = JSON.parse(document.getElementById(place.id + "-data").textContent);
  Plotly.newPlot(place, drawn.data, drawn.layout, {staticPlot: true});
}
"""
_SHEET_STYLE = """
@page { size: %s; margin: 16mm; }
body { max-width: 178mm; padding: 1rem 0; font-size: 14px; }
h1 { font-size: 1.4rem; margin: 0 0 0.6rem; } .who { display: flex; gap: 2rem; margin-bottom: 1rem; }
.who span { flex: 1; border-bottom: 1px solid #7A7F85; }
.open { display: flex; gap: 1rem; align-items: center; break-inside: avoid; }
.open svg { width: 40mm; height: 40mm; flex: none; } .open p { overflow-wrap: anywhere; font-size: 0.75rem; }
.line { height: 8.5mm; border-bottom: 1px solid #B8BEC4; break-inside: avoid; }
figure { margin: 0; break-inside: avoid; }
@media print { body { padding: 0; } .warning { display: none; } }
"""


def sheet(one: ViewContent, exercise: Exercise, link: str, paper: str = "A4") -> str:
    """The question, what the page is set to, its figure (unless it waits for a prediction), and room to write.

    Parameters
    ----------
    one : ViewContent
        The view that the exercise starts from.
    link : str
        What the QR code opens.
    paper : str
        ``A4`` or ``letter``.
    """
    waits = exercise.waits(one.page.lab)
    drawings = [] if waits else [drawing for row in one.panel.drawings for drawing in row.values()]
    warning = only_here(link).replace("`", "")
    body = "".join(
        (
            _style(paper),
            f'<p class="warning complaint">{escape(warning)}</p>' if warning else "",
            '<p class="who">Name <span></span> Date <span></span></p>',
            f"<h1>{escape(exercise.title or one.page.title)}</h1>",
            _paragraphs(exercise.text),
            f"<p>Before you change anything: {escape(exercise.ask)} ____________</p>" if exercise.ask else "",
            f"<p>Solved when: <code>{escape(exercise.goal)}</code></p>" if exercise.goal else "",
            f'<p class="note">{escape(_set_to(one))}</p>',
            *(_figure(drawing) for drawing in drawings[:1]),
            _open(one, exercise, link),
            '<div class="line"></div>' * _LINES,
            f"<script>{get_plotlyjs()}</script><script>{_DRAW_STILL}</script>",
        )
    )
    return document(exercise.title or "Exercise", body, f"{script_digest(get_plotlyjs())} {script_digest(_DRAW_STILL)}")


def answer_key(one: ViewContent, exercise: Exercise, paper: str = "A4", solution: str = "") -> str:
    """The key for a teacher: the condition, the sentence at the start, the hint, and a solution."""
    at_the_start, _ = check_goal(exercise.goal, readings_of(one.page, one.values))
    title = f"Key: {exercise.title or one.page.title}"
    parts = {
        "Solved when": exercise.goal,
        "At the start": at_the_start,
        "Hint": exercise.hint,
        "Solution": solution,
        "What the page says at the start": one.panel.sentence.replace("`", ""),
    }
    sections = "".join(f"<h3>{heading}</h3>{_paragraphs(text)}" for heading, text in parts.items() if text.strip())
    return document(title, f"{_style(paper)}<h1>{escape(title)}</h1>{sections}", "'none'")


def _style(paper: str) -> str:
    if paper not in PAPER_SIZES:
        raise IrvizError(f"There is no paper size `{paper}`. Known: {join_words(PAPER_SIZES)}.")
    return f"<style>{_SHEET_STYLE % paper}</style>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())


def _set_to(one: ViewContent) -> str:
    """The controls of the page and what they are set to, as a sentence."""
    fitted = [control.fit(one.context) for control in lockable(one.page) if control.matters(one.values)]
    settings = [f"{control.label} {in_words(control, one.values[control.name])}" for control in fitted]
    return f"Set to: {'; '.join(settings)}." if settings else ""


def code_of(link: str) -> segno.QRCode:
    """The link as a QR code that survives a stain."""
    size = len(link.encode())
    if size > MOST_CODED:
        raise IrvizError(
            f"The link has {size:,} bytes, and a printed QR code that can be scanned holds at most {MOST_CODED:,}. "
            "Shorten the text, or keep the view on the server and hand out its short link."
        )
    return segno.make(link, error="l" if size > 300 else "m", micro=False, boost_error=False)


def _open(one: ViewContent, exercise: Exercise, link: str) -> str:
    locked = [_label(one.page.controls, name) for name in exercise.lock]
    stays = f"<br>Stays as it is: {escape(join_words(locked, most=9, joiner='and'))}." if locked else ""
    code = code_of(link).svg_inline(border=2, omitsize=True, title="The link as a QR code")
    return f'<div class="open">{code}<p>{escape(one.page.title)}{stays}<br><br>{escape(link)}</p></div>'


def _label(controls: tuple[Control, ...], name: str) -> str:
    return next((control.label for control in controls if control.name == name), name)


def _figure(drawing: Drawing) -> str:
    """The figure as it stands, without what a title says to press."""
    fig_dict = dress(drawing.figure, dark=False).to_dict()
    fig_dict["layout"] = {
        **fig_dict["layout"],
        "width": _WIDTH,
        "height": min(fig_dict["layout"].get("height", 320), _TALLEST),
    }
    space, data = embed("start", replace(drawing, figure=drawing.figure.__class__(fig_dict)))
    return f"<figure><b>{escape(drawing.title.partition(';')[0])}</b>{space}{data}</figure>"
