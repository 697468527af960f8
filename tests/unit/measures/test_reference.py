"""The measure reference is made from the catalogues, and the committed file is current."""

from __future__ import annotations

import re
from pathlib import Path

import irviz
from benchmarks.measures import reference_markdown, section
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES

FILE = Path(__file__).resolve().parents[3] / "docs" / "measures.md"


def test_the_committed_file_is_current():
    again = "Run `python -m benchmarks.measures > docs/measures.md`."
    assert FILE.read_text(encoding="utf-8") == reference_markdown(), again


def test_it_has_everything_in_the_order_of_the_catalogues():
    kinds = [*MEASURES, *BROWSING_MODELS, *AGGREGATIONS]
    found = reference_markdown()
    assert re.findall(r"^### `(.+)`:", found, re.MULTILINE) == [kind.symbol for kind in kinds]
    assert "$$\n\n$$" not in found and "Source: ." not in found
    assert all(section(kind).split("\n\n")[1] for kind in kinds)


def test_a_section():
    lines = section(type(irviz.measure("RBP"))).splitlines()
    rows = [line.split(" | ")[:3] for line in lines if line.startswith("| `")]
    assert rows == [
        ["| `p`", "`0.8`", "lie in (0, 1)"],
        ["| `rel`", "`None`", "above 0"],
        ["| `gains`", "`'linear'`", "'linear', 'exp' or a list of numbers up to 1e+15"],
        ["| `aspect`", "`None`", "a name in quotes"],
    ]
    facts = [line for line in lines if line.startswith("- ")]
    assert facts[0] == "- `@k` looks at the first k ranks only." and facts[1].startswith("- Range: 0 to 1.")
    scales = [fact[:35] for fact in facts if "Scale" in fact]
    assert scales == [f"- Scale with {n} grades: **neither**." for n in (2, 3)]
