"""The tutorial's cells show what is printed below them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.notebook import NOTEBOOK, executed
from irviz.notebook import FIGURE

SAYS = "If the numbers were meant to change: python -m benchmarks.notebook"


def told(outputs: list[dict[str, Any]]) -> list[Any]:
    """Outputs by what they say; of a figure, that it is one: its data hold the version of plotly."""
    found: list[Any] = []
    for one in outputs:
        given = one.get("data", {})
        data = {} if FIGURE in given else {kind: "".join(text) for kind, text in given.items()}
        found.append("".join(one.get("text", [])) or (data, FIGURE in given))
    return found


@pytest.mark.slow
def test_every_cell_shows_what_the_tutorial_prints():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    fresh = list(executed(notebook, NOTEBOOK.parent))
    assert len(cells) == len(fresh) > 10
    for cell, outputs in zip(cells, fresh, strict=True):
        assert told(outputs) == told(cell["outputs"]), SAYS
    figures = [one["data"] for cell in cells for one in cell["outputs"] if FIGURE in one.get("data", {})]
    assert figures
    for one in figures:  # what `nbconvert --to html` takes
        assert "Plotly.newPlot" in "".join(one["text/html"])
