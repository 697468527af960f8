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
PAGES = "explore gallery labs"
#: the names that several modules declare → the rooms where they do, and what the name is there, whatever the module
BY_DESIGN = {
    "CHALLENGES": ("labs", "the challenges of the lab (docs/adding-a-lab.md)"),
    "CONTROLS": (PAGES, "the controls of the page or lab (docs/adding-a-page.md)"),
    "PAGE": (PAGES, "the page or lab itself, which the menu lists"),
    "PAPER": ("gallery", "the paper, with its tables and figures, which the gallery lists"),
    "SOURCE": ("labs", "the paper that the lab is about, as its claims cite it"),
    "STEPS": ("labs", "the steps of the lab (docs/adding-a-lab.md)"),
    "main": ("cli ui", "where the program starts: a command, a run of the dashboard's script"),
    "on_collection": ("labs", "the part of the lab that is computed on the loaded collection (docs/adding-a-lab.md)"),
    "panel": (PAGES, "what the page or lab computes and shows (docs/adding-a-page.md)"),
    "readings": ("labs", "the quantities that the goals of the lab can be about (docs/adding-a-lab.md)"),
}


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


@cache
def _homes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for module in FILES:
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("irviz"):
                for alias in node.names:
                    if f"{node.module}.{alias.name}" not in FILES or alias.name in origins(node.module or ""):
                        found[alias.name].add(home(node.module or "", alias.name))
    return found


def test_what_modules_import_from_one_another_has_one_home():
    found = {name: sorted(homes) for name, homes in _homes().items() if len(homes) > 1}
    assert {name: homes for name, homes in found.items() if name not in BY_DESIGN} == {}


@cache
def _declarations() -> dict[str, list[str]]:
    """The public constants and functions at the top of the modules, and where each is declared."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in FILES:
        for name in _declared(tree_of(module)) - _aliases(module).keys():
            if not name.startswith("_"):
                found[name].append(module)
    return found


def _declared(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                stored = [
                    one for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                ]
                names.update(one.id for one in stored)
    return names


def test_no_public_constant_or_function_is_declared_twice():
    """Two things have two names that say what they are; what only its own module needs may be private there."""
    found = _declarations()
    assert {name: modules for name, modules in found.items() if len(modules) > 1 and name not in BY_DESIGN} == {}


@pytest.mark.parametrize("name", BY_DESIGN)
def test_a_name_that_several_modules_declare_by_design_still_is_one(name: str):
    rooms, _ = BY_DESIGN[name]
    modules = _declarations().get(name, [])
    assert len(modules) > 1, f"`{name}` is no exception any more: take it out"
    assert {module.split(".")[1] for module in modules} == set(rooms.split())


def test_declarations_of_every_kind_are_found():
    text = "A, B = 1, 2\nc: int = 3\ndef d(): e = 4\nasync def f(): pass\nclass G: h = 5\ni.j = k[0] = 6\n_l = m = 7\n"
    assert _declared(ast.parse(text)) == {*"ABcdf", "_l", "m"}
