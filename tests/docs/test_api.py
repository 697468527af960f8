"""The Python reference is made from the docstrings, has every public name, and is current."""

from __future__ import annotations

import re

import irviz
from benchmarks.api import FILE, GROUPS, markdown


def test_the_committed_file_is_current():
    assert FILE.read_text(encoding="utf-8") == markdown(), "Run `python -m benchmarks.api`."


def test_every_public_name_is_in_one_group():
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted([*irviz.__all__, "open"])


def test_no_markup_of_docstrings_is_left():
    prose = re.sub(r"```.*?```", "", FILE.read_text(encoding="utf-8"), flags=re.DOTALL)
    left = r":\w+:`|``[^`\n]+``|\]_|^-{3,}$|\.\. \[|>>>|\$\$ *\$\$"
    assert re.findall(left, prose, re.MULTILINE) == []
