"""A slice of every fuzzer: the first cases of a fixed seed.  ``make fuzz`` goes on from there."""

from __future__ import annotations

import pytest

from tests.fuzz.engine import run
from tests.fuzz.targets import TARGETS

CASES = {
    "command_lines": 20,
    "pages": 12,
    "findings_without_relevance": 12,
    "sparse_shapes": 12,
    "repeated_bytes": 40,
}  #: those that are slow get fewer
USUAL = 60


@pytest.mark.parametrize("name", TARGETS)
def test_only_named_errors_come_out(name: str) -> None:
    report = run(name, 0, range(CASES.get(name, USUAL)), most_failures=1)
    assert not report.failures, "\n".join(report.failures.values())
    assert report.refused < report.cases, "every case was refused, so nothing was tried"
