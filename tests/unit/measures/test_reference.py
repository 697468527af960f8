"""The measure reference is made from the catalogues, and the committed file is current."""

from __future__ import annotations

from pathlib import Path

import irviz
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.reference import entry, reference, reference_markdown

FILE = Path(__file__).resolve().parents[3] / "docs" / "measures.md"


def test_the_committed_file_is_current():
    again = "Run `python -m irviz.measures.reference > docs/measures.md`."
    assert FILE.read_text(encoding="utf-8") == reference_markdown(), again


def test_it_has_everything_in_the_order_of_the_catalogues():
    kinds = [*MEASURES, *BROWSING_MODELS, *AGGREGATIONS]
    assert [one.symbol for one in reference()] == [kind.symbol for kind in kinds]
    assert all(one.says and one.formula and one.source and one.group for one in reference())


def test_an_entry():
    one = entry(type(irviz.measure("RBP")))
    assert (one.symbol, one.range, one.cut) == ("RBP", (0.0, 1.0), "`@k` looks at the first k ranks only.")
    assert [(p.name, p.domain, p.default) for p in one.parameters] == [
        ("p", "lie in (0, 1)", "0.8"),
        ("rel", "above 0", "None"),
        ("gains", "'linear', 'exp' or a list of numbers up to 1e+15", "'linear'"),
        ("aspect", "a name in quotes", "None"),
    ]
    assert [(grades, scale.kind) for grades, scale in one.scales] == [(2, "neither"), (3, "neither")]
