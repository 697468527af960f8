"""Who may import whom: the floors of docs/architecture.md, read from the imports themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLOORS = [
    {"irviz.errors", "irviz.places", "irviz.portable", "irviz.workers", "irviz.collection"},
    {"irviz.measures"},
    {"irviz.scores", "irviz.residuals"},
    {"irviz.summary"},
    {"irviz.analysis"},
    {"irviz.conclusions"},
    {"irviz.figures"},
    {"irviz.views"},
    {"irviz.ui", "irviz.cli", "irviz.__main__", "pages", "app"},
]
STREAMLIT = ("app.py", "pages/", "irviz/ui/")
PLOTLY = ("irviz/figures/", "irviz/views/", "irviz/ui/", "pages/")
FILES = sorted([ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("irviz/**/*.py")])


def imported(file: Path) -> set[str]:
    """Every module that `file` imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively at line {node.lineno}"
            assert node.module is not None
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return names


def floor(module: str) -> int | None:
    for number, rooms in enumerate(FLOORS):
        if any(module == room or module.startswith(f"{room}.") for room in rooms):
            return number
    return None


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_go_downwards_only(file: Path):
    mine = floor(name_of(file))
    if name_of(file) == "irviz":
        return  # the front of the library shows every floor's public names
    assert mine is not None, f"{file} stands on no floor of docs/architecture.md"
    above = {module for module in imported(file) if (floor(module) or 0) > mine}
    assert not above


@pytest.mark.parametrize(("package", "allowed"), [("streamlit", STREAMLIT), ("plotly", PLOTLY)])
def test_packages_stay_on_their_floors(package: str, allowed: tuple[str, ...]):
    users = {
        str(file.relative_to(ROOT))
        for file in FILES
        if any(name == package or name.startswith(f"{package}.") for name in imported(file))
    }
    assert users, f"nothing imports {package}; drop it"
    assert {file for file in users if not file.startswith(allowed)} == set()
