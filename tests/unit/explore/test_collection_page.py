"""The page Collection: warnings about files by kind, whole, and every system named."""

from __future__ import annotations

import dataclasses

from irviz.collection.codes import Finding
from irviz.explore.collection import grouped_warnings
from irviz.workspace.context import Dataset
from tests.panels import context_of, opened_once, panel_of

TIED = "{} lines in {} topics have the same score as a neighbour"


def test_warnings_that_differ_in_numbers_and_names_only_are_one_row():
    found = [Finding("note", f"run{i}", 3 * i, TIED.format(f"{i},0{i}", i)) for i in range(1, 80)]
    found += [Finding("warning", "a", None, "the run's ir_metadata: x 1"), Finding("warning", "a", 7, "other: y")]
    found += [Finding("note", "run1", 9, "1 topic without judgments is ignored: 401")]
    found += [Finding("note", "run2", 9, "3 topics without judgments are ignored: 401, q2, 403")]
    table = grouped_warnings(dataclasses.replace(opened_once("adhoc"), findings=tuple(found)))
    assert table["severity"].tolist() == ["warning", "warning", "note", "note"]
    assert table["warnings"].tolist() == [1, 1, 79, 2] and table["files"].tolist() == [1, 1, 79, 2]
    assert table["the first one"][2] == f"run1:3: {TIED.format('1,01', 1)}"


def test_the_page_shows_the_kinds_whole_and_keeps_every_warning():
    collection = opened_once("adhoc")
    tables = panel_of(context_of(Dataset("adhoc", "Ad hoc", collection)), "collection").tables
    assert tables["File warnings"].wrapped
    assert tables["File warnings"].frame["warnings"].sum() == len(collection.findings)
    assert len(tables["All file warnings"].frame) == len(collection.findings)
