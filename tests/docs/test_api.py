"""The Python reference is made from the docstrings, has every public name and member, and is current and typed."""

from __future__ import annotations

import dataclasses
import inspect
import re
import subprocess
import sys
import textwrap
from functools import cached_property
from pathlib import Path

import pytest

import irviz
import irviz.types
from benchmarks.api import FILE, GROUPS, _returned, markdown

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = [getattr(irviz, name) for name in [*irviz.__all__, "open"] if inspect.isfunction(getattr(irviz, name))]
RETURNED = {kind.__name__: kind for function in FUNCTIONS for kind in _returned(function)}
#: of the dashboard, which not every installation has
DRAWN = {"Dashboard", "ViewOutput", "Findings"}
USER = """
import irviz
from irviz.types import Consistency, Scores, Significance

c = irviz.open_collection("adhoc")
s: Scores = irviz.score(c, ["AP", "nDCG@10"])
names: tuple[str, ...] = s.measures
r: Consistency = irviz.consistency(s, trials=10, split="random", coefficient="tau")
t: Significance = irviz.significance(s["AP"], "randomised_tukey", trials=10)
low, high = irviz.similarity(s, by="topic").low, irviz.rbo("ab", "ba", p=0.8).high
print(len(s), "AP" in s, t.significant, r.mean, irviz.show("scores").sentence, irviz.open(c).url)
"""


def test_the_committed_file_is_current():
    assert FILE.read_text(encoding="utf-8") == markdown(), "Run `python -m benchmarks.api`."


def test_every_public_name_is_in_one_group():
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted([*irviz.__all__, "open"])


def test_every_class_that_is_returned_can_be_imported():
    assert set(RETURNED) - DRAWN <= set(irviz.types.__all__)


@pytest.mark.parametrize("name", sorted(RETURNED))
def test_every_public_member_is_documented(name: str):
    kind = RETURNED[name]
    text = FILE.read_text(encoding="utf-8").split(f"\n### {name}\n", 1)[1].split("\n### ")[0]
    fields = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    members = inspect.getmembers_static(
        kind, lambda m: inspect.isfunction(m) or isinstance(m, property | cached_property)
    )
    wanted = {own for own in [*fields, *(own for own, _ in members)] if not own.startswith("_")}
    assert {own for own in wanted if not re.search(rf"\b{own}\b", text)} == set()


def test_no_markup_of_docstrings_is_left():
    prose = re.sub(r"```.*?```", "", FILE.read_text(encoding="utf-8"), flags=re.DOTALL)
    left = r":\w+:`|``[^`\n]+``|\]_|^-{3,}$|\.\. \[|>>>|\$\$ *\$\$"
    assert re.findall(left, prose, re.MULTILINE) == []


def test_a_misspelled_name_is_an_attribute_error_that_knows_the_name():
    with pytest.raises(AttributeError, match="no attribute 'consistancy'") as problem:
        irviz.consistancy  # noqa: B018
    assert (problem.value.name, problem.value.obj) == ("consistancy", irviz)


@pytest.mark.slow
def test_a_users_file_passes_mypy_and_a_slip_does_not(tmp_path: Path):
    def checked(text: str, name: str) -> str:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        options = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", f"--cache-dir={tmp_path}/cache"]
        command = [sys.executable, "-m", "mypy", *options, str(tmp_path / f"{name}.py")]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout

    assert checked(USER, "right").startswith("Success")
    misspelled = checked(USER.replace("irviz.consistency(", "irviz.consistancy("), "misspelled")
    assert 'Module has no attribute "consistancy"' in misspelled
    assert "Literal['random', 'hard_easy', 'middle_rest']" in checked(USER.replace('"random"', '"randm"'), "unknown")
