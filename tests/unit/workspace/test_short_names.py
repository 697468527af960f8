"""Short names of measures in the place of their expressions, whatever the names of imported scores are."""

from __future__ import annotations

import pandas as pd

from irviz.workspace.panel import Panel, Table
from irviz.workspace.short_names import named_panel, renamer
from tests.fuzz.engine import patience


def test_names_that_begin_alike_are_looked_for_once():
    """Of a hundred, each sign of a text was compared with all, while nobody else had a turn: 10 seconds for this."""
    rename = renamer({"x": "y"} | {f"{'(' * 180}{i}": f"n{i}" for i in range(99)})
    with patience(3):
        assert rename("(" * 400_000 + "98 x").endswith("(n98 y")


def test_the_longest_expression_is_renamed_and_names_that_end_each_other_are_told_apart():
    rename = renamer({"(" * k: f"n{k}" for k in range(1, 101)} | {"a": "one", "a b": "two"})
    assert rename("a, a b, a bc, ((( or (") == "one, two, one bc, n3 or n1"


def test_a_name_that_is_a_column_already_heads_no_second_one():
    table = Table(pd.DataFrame({"system": ["s1"], "AP": [0.5], "P@10": [0.1]}), "By `AP` and `P@10`.")
    found = named_panel(lambda: Panel("", tables={"T": table}), {"AP": "system", "P@10": "deep"}).tables["T"]
    assert list(found.frame.columns) == ["system", "AP", "deep"] and found.about == "By `system` and `deep`."
