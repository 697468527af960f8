"""Figures read and written as plain dictionaries: the only module that uses plotly's private attributes.

Plotly's public ways check every property and encode every array anew.  Measured on a figure of 60 lines of 100 points
with 20 annotations: made 35 ms checked, 2 ms unchecked; its layout changed ten times 14 ms checked,
0 ms here; its traces read 20 ms by ``to_plotly_json``, 0 ms here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

Trace = dict[str, Any]  #: a plotly trace: its "type" and its properties
Layout = dict[str, Any]  #: properties of a figure's layout, or of a part of it
VALIDATES = False  #: whether plotly checks what figures are made of, as in tests


def traces_of(fig: go.Figure) -> list[Trace]:
    """The traces of a figure, its own dictionaries."""
    return fig._data


def layout_of(fig: go.Figure) -> Layout:
    """The layout of a figure, its own dictionary."""
    return fig._layout


def parts_of(fig: go.Figure) -> dict[str, Any]:
    """The traces, the layout and the frames of a figure, its own dictionaries."""
    return {"data": fig._data, "layout": fig._layout, "frames": [frame._props for frame in fig._frame_objs]}


def unchecked(content: dict[str, Any]) -> go.Figure:
    """A figure of traces and a layout that are not checked."""
    return go.Figure(content, _validate=False)


def new_figure(content: dict[str, Any], template: go.layout.Template) -> go.Figure:
    """A figure in a template; checked in tests, by ``VALIDATES``."""
    layout = content["layout"]
    if not VALIDATES:
        return UncheckedFigure({**content, "layout": {"template": template, **layout}}, _validate=False)
    drawn = go.Figure({**content, "layout": {"template": {}, **layout}}, _validate=True)
    drawn._layout["template"] = template._props  # checked when it was made, not for every figure again
    return drawn


def with_frames(fig: go.Figure, frames: Sequence[Trace]) -> go.Figure:
    if VALIDATES:
        go.Figure(frames=list(frames))
    fig._frame_objs = tuple(go.Frame(frame, _validate=False) for frame in frames)
    return fig


class UncheckedFigure(go.Figure):
    """A figure without plotly's checks on changes of its layout, which take more than half of the time."""

    _data_objs: tuple[Any, ...]

    def add_scatter(self, **trace: Any) -> UncheckedFigure:
        """One more trace of lines, points or texts."""
        new = go.Scatter(trace, _validate=False)
        self._data.append(dict(new._props))
        new._orphan_props.clear()
        new._parent, new._trace_ind = self, len(self._data_objs)
        self._data_defaults.append({})
        self._data_objs = (*self._data_objs, new)
        return self

    def update_layout(self, **changes: Any) -> UncheckedFigure:
        """Change the layout; ``margin_r`` is ``margin={"r": …}``, as everywhere in plotly."""
        return self._apply_changes([self._layout], changes)

    def update_xaxes(self, **changes: Any) -> UncheckedFigure:
        """Change every x axis."""
        return self._apply_changes(self._axes("xaxis"), changes)

    def update_yaxes(self, **changes: Any) -> UncheckedFigure:
        """Change every y axis."""
        return self._apply_changes(self._axes("yaxis"), changes)

    def add_annotation(self, **note: Any) -> UncheckedFigure:
        """One more text."""
        return self._with("annotations", note)

    def add_shape(self, **shape: Any) -> UncheckedFigure:
        """One more line or rectangle."""
        return self._with("shapes", shape)

    def add_hline(self, y: float, line: Layout) -> UncheckedFigure:
        """A line from left to right."""
        return self.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, yref="y", line=line)

    def add_vline(self, x: float, line: Layout) -> UncheckedFigure:
        """A line from bottom to top."""
        return self.add_shape(type="line", x0=x, x1=x, xref="x", y0=0, y1=1, yref="y domain", line=line)

    def add_vrect(self, x0: float, x1: float, **look: Any) -> UncheckedFigure:
        """A band from bottom to top."""
        return self.add_shape(type="rect", x0=x0, x1=x1, xref="x", y0=0, y1=1, yref="y domain", **look)

    def _axes(self, kind: str) -> list[Layout]:
        layout: Layout = self._layout
        layout.setdefault(kind, {})
        return [axis for name, axis in layout.items() if name.startswith(kind)]

    def _with(self, name: str, part: Layout) -> UncheckedFigure:
        layout: Layout = self._layout
        layout[name] = [*layout.get(name, ()), part]
        return self

    def _apply_changes(self, parts: Sequence[Layout], changes: Layout) -> UncheckedFigure:
        for part in parts:
            for path, value in changes.items():
                *names, last = path.split("_")  # no property that irviz changes has an underscore in its name
                into = part
                for name in names:
                    into = into.setdefault(name, {})
                into[last] = _merge(into.get(last, {}), value) if isinstance(value, dict) else value
        return self


def _merge(old: Layout, new: Layout) -> Layout:
    """`old` with all that is in `new`, part by part."""
    return old | {
        name: _merge(old.get(name, {}), value) if isinstance(value, dict) else value for name, value in new.items()
    }
