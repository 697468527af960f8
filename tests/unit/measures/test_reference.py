"""The measure reference is made from the catalogues."""

from __future__ import annotations

import re

import irviz
from docs.site_hooks import measure_reference, section
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES


def test_it_has_everything_in_the_order_of_the_catalogues():
    kinds = [*MEASURES, *BROWSING_MODELS, *AGGREGATIONS]
    found = measure_reference()
    assert re.findall(r"^### `(.+)`:", found, re.MULTILINE) == [kind.symbol for kind in kinds]
    assert "$$\n\n$$" not in found and "Source: ." not in found
    assert all(section(kind).split("\n\n")[1] for kind in kinds)


def test_a_section():
    lines = section(type(irviz.measure("RBP"))).splitlines()
    rows = [line.split(" | ")[:3] for line in lines if line.startswith("| `")]
    assert rows == [
        ["| `p`", "`0.8`", "lie in (0, 1)"],
        ["| `rel`", "`None`", "above 0"],
        [
            "| `gains`",
            "`'linear'`",
            "'linear', 'exp' or a list of numbers up to 1e+15 or of gains by grade, such as {1:1,3:4}",
        ],
        ["| `aspect`", "`None`", "a name in quotes"],
        ["| `judged_only`", "`False`", "True or False"],
    ]
    facts = [line for line in lines if line.startswith("- ")]
    assert facts[0] == "- `@k` looks at the first k ranks only." and facts[1].startswith("- Range: 0 to 1.")
    scales = [fact[:35] for fact in facts if "Scale" in fact]
    assert scales == [f"- Scale with {n} grades: **neither**." for n in (2, 3)]
