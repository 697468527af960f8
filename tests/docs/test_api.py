"""The Python reference is made from the docstrings, has every public name and member, and is current and typed."""

from __future__ import annotations

import dataclasses
import inspect
import re
from functools import cached_property
from pathlib import Path

import pytest

import irviz
import irviz.types
from benchmarks.api import FILE, GROUPS, _returned, markdown

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = [getattr(irviz, name) for name in [*irviz.__all__, "open"] if inspect.isfunction(getattr(irviz, name))]
RETURNED = {kind.__name__: kind for function in FUNCTIONS for kind in _returned(function)}


def test_the_committed_file_is_current():
    assert FILE.read_text(encoding="utf-8") == markdown(), "Run `python -m benchmarks.api`."


def test_every_public_name_is_in_one_group():
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted([*irviz.__all__, "open"])


def test_every_class_that_is_returned_can_be_imported():
    assert set(RETURNED) <= set(irviz.types.__all__)
    assert {kind for name, kind in RETURNED.items() if getattr(irviz.types, name) is not kind} == set()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_every_parameter_is_documented_and_options_have_names(function):
    options = inspect.signature(function).parameters.values()
    text = inspect.getdoc(function).partition("Parameters\n")[2]
    shown = re.split(r"\n(?:Returns|Raises|Notes)\n-", text)[0] if text else ""
    assert [one.name for one in options if one.name[0] != "_" and not re.search(rf"\b{one.name}\b", shown)] == []
    plain = [one for one in options if one.kind is one.POSITIONAL_OR_KEYWORD and one.default is not one.empty]
    assert len(plain) <= 1, "what has a default is given by its name, but for one choice that is the point of the call"


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
