"""What a page shows, in a cell of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import pandas as pd
import plotly.graph_objects as go

from irviz.collection.model import Collection
from irviz.display import SelfShown
from irviz.errors import cut
from irviz.links.view import View
from irviz.reports.draw import Shown, draw
from irviz.reports.html_parts import marked
from irviz.reports.provenance import parts_of
from irviz.scores import Scores
from irviz.sharing.store import Store
from irviz.workspace.resolve import library, on_data, opened_data


@dataclass(frozen=True, eq=False)
class Drawn(SelfShown):
    """What a view shows: a notebook displays it, and its parts can be used separately.

    Attributes
    ----------
    sentence : str
    figures : mapping of title to plotly figure
    tables : mapping of name to DataFrame
    notes : tuple of str
        What a reader should know, complaints about the link first.
    """

    sentence: str
    figures: Mapping[str, go.Figure]
    tables: Mapping[str, pd.DataFrame]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<irviz: {cut(' '.join(self.sentence.replace('`', '').split()), 140)}>"

    def _ipython_display_(self) -> None:
        """Called by a notebook: text, then every figure under its title, then what to know."""
        from IPython.display import HTML, display

        display(HTML(f"<p>{marked(self.sentence)}</p>"))
        for title, figure in self.figures.items():
            display(HTML(f"<p><strong>{escape(title)}</strong></p>"))
            display(figure)
        display(HTML("".join(f"<p><small>{marked(note)}</small></p>" for note in self.notes)))


def show(view: View | str, data: Collection | Scores | None = None) -> Drawn:
    """What a page of the dashboard shows, as plotly figures with their sentence and tables.

    Parameters
    ----------
    view : View or str
        A link of the dashboard (``"/scores?show=box"``, with or without its server), or the
        name of a page (``"similarity"``).
    data : Collection or Scores, optional
        The data of a view that names none; by default those that the dashboard opens with.

    Returns
    -------
    Drawn
        A notebook shows it; elsewhere take ``.figures``, ``.tables`` and ``.sentence``.

    Raises
    ------
    IrvizError
        Where there is no such page, its data are missing, or the page refuses them.

    Examples
    --------
    >>> show("/scores?measures=AP")
    <irviz: By AP, NLE_P_v1 is best: mean 0.383 over 53 topics...>
    """
    said = view if isinstance(view, View) else View.from_url(view)
    opened = [] if data is None else [opened_data(data)]
    return _drawn(draw(on_data(said, opened), library(opened), store=Store))


def _drawn(shown: Shown) -> Drawn:
    parts = parts_of(shown)
    drawings = [drawing for part in parts for row in part.drawings for drawing in row.values()]
    figures: dict[str, go.Figure] = {}
    for one in drawings:
        title = one.title.replace("`", "")
        figures[title if title not in figures else f"{title} ({len(figures)})"] = one.figure
    tables = {name: table.frame for part in parts for name, table in part.tables.items()}
    complaints = [str(complaint) for complaint in shown.complaints]
    return Drawn(shown.panel.sentence, figures, tables, (*complaints, *(note for part in parts for note in part.notes)))
