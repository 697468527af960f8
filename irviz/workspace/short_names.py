"""Short names that a person gives to measures, put in the place of their expressions wherever a panel shows them.

Panels compute with expressions and know of no other names.  Labels that a figure may shorten are renamed before it does
(:data:`irviz.figures.theme.RENAME`); everything else is renamed in the finished panel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from os.path import commonprefix
from typing import Any

import pandas as pd

from irviz.figures.theme import RENAME, common_ending, plotly_escape
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.workspace.panel import Drawing, Panel, Table

Rename = Callable[[str], str]


def renamer(names: Mapping[str, str]) -> Rename:
    """A function that puts names in the place of expressions in a text; parts of other expressions stay.

    >>> renamer({"RBP(p=0.8)": "patient"})("RBP(p=0.8) and CWLA(C=RBP(p=0.8),A=ERG)")
    'patient and CWLA(C=RBP(p=0.8),A=ERG)'
    """
    replacements = {**names} | {plotly_escape(label): name for label, name in names.items()}
    pattern = re.compile(rf"(?<![\w.=])(?<!\w\()(?<!\w,)({_any_of(list(replacements))})(?![\w(@=]| correlation)")
    return lambda text: pattern.sub(lambda match: replacements[match[1]], text)


def _any_of(texts: Sequence[str]) -> str:
    r"""A pattern for any of these texts, the longest that fits; what several begin with is read once.

    >>> _any_of(["AP", "AP(rel=2)", "RR"])
    '(?:AP(?:\\(rel=2\\))?|RR)'
    """
    groups = [list(group) for _, group in groupby(sorted(filter(None, texts)), key=lambda text: text[0])]
    starts = [commonprefix(group) for group in groups]  # noqa: RUF071 - no paths
    parts = [
        re.escape(start) + _any_of([text.removeprefix(start) for text in group])
        for start, group in zip(starts, groups, strict=True)
    ]
    return f"(?:{'|'.join(parts)}){'?' * ('' in texts)}" if parts else ""


def named_panel(make: Callable[[], Panel], names: Mapping[str, str]) -> Panel:
    """The panel that `make` returns, under short names.

    Parameters
    ----------
    names : expression → name
    """
    if not names:
        return make()
    rename = renamer(names)
    token = RENAME.set(rename)
    try:
        panel = make()
    finally:
        RENAME.reset(token)
    key = ", ".join(f"{name} is `{label}`" for label, name in names.items())
    return replace(
        panel,
        sentence=rename(panel.sentence),
        drawings=tuple({key: _drawing(drawing, rename) for key, drawing in row.items()} for row in panel.drawings),
        tables={title: _table(table, rename) for title, table in panel.tables.items()},
        notes=(*map(rename, panel.notes), f"Short names: {key}."),
        facts=tuple(fact.renamed(rename) for fact in panel.facts),
        folds={rename(title): partial(named_panel, fold, names) for title, fold in panel.folds.items()},
        texts={title: rename(text) for title, text in panel.texts.items()},
        ways=tuple((rename(words), view) for words, view in panel.ways),
    )


def short_systems(panel: Panel, systems: Sequence[str]) -> Panel:
    """The panel with systems named in its words as they are in its figures: without the ending that all files have."""
    ending, known = common_ending(systems), set(systems)
    if not ending:
        return panel

    def plain(match: re.Match[str]) -> str:
        return f"`{match[1].removesuffix(ending)}`" if match[1] in known else match[0]

    def rename(text: str) -> str:
        return re.sub("`([^`]+)`", plain, text)

    return replace(
        panel,
        sentence=rename(panel.sentence),
        drawings=tuple({key: _in_words(drawing, rename) for key, drawing in row.items()} for row in panel.drawings),
        notes=tuple(map(rename, panel.notes)),
        facts=tuple(fact.renamed(rename) for fact in panel.facts),
        folds={title: partial(_made_short, fold, systems) for title, fold in panel.folds.items()},
    )


def _made_short(make: Callable[[], Panel], systems: Sequence[str]) -> Panel:
    return short_systems(make(), systems)


def _drawing(drawing: Drawing, rename: Rename) -> Drawing:
    """The figure with other words."""
    fig = drawing.figure
    content = {  # as it is: plotly's own way encodes arrays
        "data": _rename_texts(traces_of(fig), rename),
        "layout": {
            key: part if key == "template" else _rename_texts(part, rename) for key, part in layout_of(fig).items()
        },
    }
    renamed = unchecked(content)
    return _in_words(replace(drawing, figure=renamed), rename)


def _in_words(drawing: Drawing, rename: Rename) -> Drawing:
    """The drawing with other words about its figure."""
    facts = tuple(fact.renamed(rename) for fact in drawing.facts)
    title, alt, caption = map(rename, (drawing.title, drawing.alt, drawing.caption))
    return replace(drawing, title=title, alt=alt, caption=caption, facts=facts)


def _rename_texts(part: Any, rename: Rename) -> Any:
    """A part of a figure with all its texts renamed; numbers are not looked at one by one."""
    if isinstance(part, str):
        return rename(part)
    if isinstance(part, dict):
        return {key: _rename_texts(value, rename) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return part if part and isinstance(part[0], int | float) else [_rename_texts(child, rename) for child in part]
    return part


def _table(table: Table, rename: Rename) -> Table:
    new_names = {name: rename(name) for name in table.frame.columns if isinstance(name, str)}
    taken = table.frame.columns  # by a column about something else, such as the systems
    frame = table.frame.rename(columns={name: new for name, new in new_names.items() if new not in taken})
    for place, name in enumerate(frame.columns):
        if not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[place]):
            frame[name] = frame[name].map(lambda cell: rename(cell) if isinstance(cell, str) else cell)
    paper = None if table.paper is None else (table.paper[0], rename(table.paper[1]))
    heads = {name: rename(words) for name, words in table.heads.items()}
    names = [rename(name) for name in table.names]
    return replace(table, frame=frame, about=rename(table.about), names=names, heads=heads, paper=paper)
