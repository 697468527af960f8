"""One name, one thing: a class is declared once, and what modules import from one another has one home."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(ROOT.glob("irviz/**/*.py"))
}
#: what every lab has under this name, as adding-a-lab.md says: the name means its part of the lab, whichever lab
OF_EVERY_LAB = {"CONTROLS", "SOURCE", "STEPS", "on_collection", "panel"}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


@cache
def origins(module: str) -> dict[str, tuple[str, str]]:
    """Every name at the top of a module: the module and the name that it comes from."""
    found: dict[str, tuple[str, str]] = {}
    for node in tree_of(module).body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = (module, node.name)
        else:
            stored = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
            found |= {name: (module, name) for name in stored}
    return found


def home(module: str, name: str) -> str:
    """The module that declares what `module` calls `name`, however many pass it on."""
    while module in FILES and (origin := origins(module).get(name, (module, name)))[0] != module:
        module, name = origin
    return module


def test_no_class_name_is_declared_twice():
    found: dict[str, list[str]] = defaultdict(list)
    for module in FILES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ClassDef):
                found[node.name.lstrip("_")].append(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}
    aliases = {name for module in FILES for name in _aliases(module)}
    assert aliases & set(found) == set(), "a type alias is not called as a class is"


def test_an_alias_of_a_type_says_the_same_wherever_it_is_written():
    found: dict[str, set[str]] = defaultdict(set)
    for module in FILES:
        for name, said in _aliases(module).items():
            found[name].add(said)
    assert {name: said for name, said in found.items() if len(said) > 1} == {}
    assert len(found["Floats"]) == 1, "aliases are found"


def _aliases(module: str) -> dict[str, str]:
    """Names in capitals and small letters that a module gives to something: types of arrays, callables, mappings."""
    found = {}
    for node in tree_of(module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z]\w*[a-z]\w*", target.id):
                found[target.id] = ast.unparse(node.value)
    return found


def _homes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for module in FILES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("irviz"):
                for alias in node.names:
                    if f"{node.module}.{alias.name}" not in FILES or alias.name in origins(node.module or ""):
                        found[alias.name].add(home(node.module or "", alias.name))
    return found


@pytest.mark.parametrize("name", sorted(OF_EVERY_LAB))
def test_what_every_lab_has_is_imported_from_labs(name: str):
    homes = [module for module in _homes()[name] if module.startswith("irviz.labs.")]
    assert len(homes) > 1, "no exception is left that is none"


def test_what_modules_import_from_one_another_has_one_home():
    """Of pages, only the files of one page import such names from each other."""
    found = {name: sorted(homes) for name, homes in _homes().items() if len(homes) > 1}
    assert {name: homes for name, homes in found.items() if name not in OF_EVERY_LAB} == {}
    elsewhere = {module for name in OF_EVERY_LAB for module in found[name] if not module.startswith("irviz.labs.")}
    assert {module for module in elsewhere if not module.startswith("irviz.explore.")} == set()
