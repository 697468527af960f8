"""The dashboard on data that a notebook holds: another process, on this machine only."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import plotly.graph_objects as go

from irviz.collection.model import Collection
from irviz.display import Displayable
from irviz.errors import IrvizError, cut
from irviz.menu import page_named
from irviz.places import check_port
from irviz.portable import digest
from irviz.publish.draw import ViewContent, draw
from irviz.publish.report import to_html
from irviz.stats.scores import Scores
from irviz.workspace.data import COLLECTION, SHARE, library, opened_data, view_on_data
from irviz.workspace.facts import FACTS_CSS, Fact, facts_html
from irviz.workspace.store import Store
from irviz.workspace.view import View

THIS_MACHINE = "127.0.0.1"
FIGURE = "application/vnd.plotly.v1+json"  #: the kind of a plotly figure in a notebook
_PATIENCE = 60.0  #: seconds until the dashboard must have answered


class Dashboard:
    """A running dashboard: ``.url`` to open, ``.stop()`` to end it; it ends with this process too."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
        self.url, self._process, self._folder = url, process, folder
        atexit.register(self.stop)

    def stop(self) -> None:
        """End the dashboard, and delete the file it was given."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._folder.cleanup()
        atexit.unregister(self.stop)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def __repr__(self) -> str:
        return f"<irviz dashboard at {self.url}{'' if self.running else ', stopped'}>"

    def _repr_html_(self) -> str:
        if not self.running:
            return escape(repr(self))
        link = f'<a href="{escape(self.url)}" target="_blank" rel="noopener">irviz dashboard</a>'
        return f"{link}, until <code>.stop()</code>"


def open_dashboard(c: Collection | Scores, *, port: int = 0) -> Dashboard:
    """Start the dashboard on a collection or on scores, for this machine only.

    Parameters
    ----------
    c : Collection or Scores
    port : int
        The port of the dashboard; 0 takes any free port.

    Returns
    -------
    Dashboard
        A notebook shows its link, which is also in ``.url``.  It ends with ``.stop()``, or with this process.

    Raises
    ------
    IrvizError
        If it does not start.
    """
    if not isinstance(c, Collection | Scores):
        raise IrvizError(f"A collection or scores are opened; got {type(c).__name__}.")
    port = check_port(THIS_MACHINE, port)
    folder = tempfile.TemporaryDirectory(prefix="irviz-")
    files = _save(c, Path(folder.name))
    command = [sys.executable, "-m", "irviz", "app", *map(str, files), "--port", str(port), "--address", THIS_MACHINE]
    log = Path(folder.name) / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=_environment())
    url = f"http://{THIS_MACHINE}:{port}"
    opened = Dashboard(url, process, folder)
    try:
        _await(f"{url}/_stcore/health", process)
    except IrvizError as error:
        messages = [line for line in log.read_text(errors="replace").splitlines() if line.startswith("irviz: ")]
        opened.stop()
        raise IrvizError(messages[-1].removeprefix("irviz: ") if messages else str(error)) from error
    return opened


def _save(data: Collection | Scores, folder: Path) -> list[Path]:
    """The data in files that ``irviz`` opens."""
    if isinstance(data, Collection):
        return [data.save(folder / f"{quote(data.name, safe=' ')[:100] or 'collection'}.irviz", users=True)]
    files = []
    for name in data.measures:
        files.append(folder / f"{quote(name, safe='@(),=. ')}.csv")
        data[name].to_csv(files[-1])
    return files


def _environment() -> dict[str, str]:
    """This process's, with its own irviz first."""
    here = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))}


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise IrvizError("The dashboard did not start. Start it in a terminal to see why: irviz")


# -- What a page shows, in a cell of a notebook ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class ViewOutput(Displayable):
    """The content of a view: a notebook displays it, and its parts can be used separately.

    Attributes
    ----------
    sentence : str
    facts : tuple of Fact
        Labelled numbers.
    figures : mapping of title to plotly figure
    tables : mapping of name to DataFrame
    notes : tuple of str
        What a reader should know, complaints about the link first.
    """

    sentence: str
    facts: tuple[Fact, ...]
    figures: Mapping[str, NotebookFigure]
    tables: Mapping[str, pd.DataFrame]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<irviz: {cut(' '.join(self.sentence.replace('`', '').split()), 140)}>"

    def _ipython_display_(self) -> None:
        """Called by a notebook: text, then every figure under its title, then what to know."""
        from IPython.display import HTML, display

        display(HTML(f"<style>{FACTS_CSS}</style><p>{to_html(self.sentence)}</p>{facts_html(self.facts)}"))
        for title, figure in self.figures.items():
            display(HTML(f"<p><strong>{escape(title)}</strong></p>"))
            figure._ipython_display_()
        display(HTML("".join(f"<p><small>{to_html(note)}</small></p>" for note in self.notes)))


class NotebookFigure(go.Figure):
    """A figure that a notebook shows by itself, and that is still there after ``nbconvert --to html``."""

    def _ipython_display_(self) -> None:
        """Called by a notebook in which it is the last value of a cell."""
        from IPython.display import display

        display(mime_bundle(self), raw=True)


def mime_bundle(figure: go.Figure) -> dict[str, Any]:
    """A figure for a notebook, and as HTML for what knows no plotly, such as ``nbconvert --to html``.

    The HTML takes plotly.js from plotly's server when it is opened; a notebook does not.
    """
    data = json.loads(figure.to_json())
    place = f"irviz-{digest([data])[:16]}"
    html = figure.to_html(include_plotlyjs="cdn", full_html=False, div_id=place)
    return {FIGURE: data, "text/html": html, "text/plain": "Figure"}


def show(
    c: Collection | Scores | View | str,
    view: View | str | Collection | Scores | None = None,
    *,
    strict: bool = True,
    **settings: object,
) -> ViewOutput:
    """Draw a page of the dashboard as plotly figures with its headline, facts and tables.

    Parameters
    ----------
    c : Collection or Scores
        The data.  May be left out where the link names bundled data, and may stand second.
    view : View or str
        The name of a page (``"similarity"``), or a link of the dashboard (``"/scores?show=box"``, with or without
        its server).
    strict : bool
        Refuse a view with a setting that is unknown or has no such value; otherwise it becomes a note.
    settings
        Settings of the page beside those of the link, by their names in links: ``coefficient="tau_ap"``.

    Returns
    -------
    ViewOutput
        A notebook shows it; elsewhere take ``.figures``, ``.tables``, ``.facts`` and ``.sentence``.

    Raises
    ------
    IrvizError
        Where there is no such page, no data are named, or the page refuses them or a setting.

    Examples
    --------
    >>> show("/scores?collection=dl2021&measures=AP")
    <irviz: Highest mean AP: 0.383, NLE_P_v1.>
    """
    data, link = (view, c) if isinstance(c, View | str) else (c, view)
    if not isinstance(link, View | str) or isinstance(data, View | str):
        raise IrvizError('A page or a link is needed, such as irviz.show(c, "similarity").')
    parsed = link if isinstance(link, View) else View.from_url(link)
    parsed = View.from_texts(parsed.page, **parsed.values, **{name: str(value) for name, value in settings.items()})
    names_data = {COLLECTION.name, SHARE.name} & parsed.values.keys()
    if data is None and not names_data and not page_named(parsed.page).lab:
        raise IrvizError('No data are named. Give them, irviz.show(c, "similarity"), or add collection=… to the link.')
    opened = [] if data is None else [opened_data(data)]
    content = draw(view_on_data(parsed, opened), library(opened), store=Store)
    if strict and content.complaints:
        first = content.complaints[0]
        raise IrvizError(f"The view is refused because of its `{first.key}`. With strict=False: {first}")
    return _view_output(content)


def _view_output(content: ViewContent) -> ViewOutput:
    panel = content.panel
    drawings = [drawing for row in panel.drawings for drawing in row.values()]
    figures: dict[str, NotebookFigure] = {}
    for drawing in drawings:
        title = drawing.title.replace("`", "")
        figures[title if title not in figures else f"{title} ({len(figures)})"] = NotebookFigure(drawing.figure)
    tables = {name: table.frame for name, table in panel.tables.items()}
    complaints = [str(complaint) for complaint in content.complaints]
    return ViewOutput(panel.sentence, panel.all_facts, figures, tables, (*complaints, *panel.notes))
