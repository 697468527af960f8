"""Who may import whom: the table in docs/architecture.md, held against the imports themselves."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(
    r"^\| `(\w+)` \| [^|]+ \| ([^|]*) ?\|$", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE
)
TABLE = {room: set(re.findall(r"`(\w+)`", allowed)) for room, allowed in ROWS}  #: room → rooms it may import
GROUND = set(list(TABLE)[:5])  #: which every room may import
STREAMLIT = ("app.py", "pages/", "irviz/ui/", "irviz/server/")
BELOW_FIGURES = list(TABLE)[: list(TABLE).index("figures")]
FILES = sorted([ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("irviz/**/*.py")])
FRONT = ROOT / "irviz" / "__init__.py"  #: shows the public names of every room
#: an import, which begins its line (ruff's E701 and E702): to parse whole files would take ten times as long
STATEMENT = re.compile(r"^[ \t]*((?:from[ \t]+\S+[ \t]+)?import[ \t](?:[^(\n]+|\([^)]*\)))", re.MULTILINE)


@cache
def imported(file: Path) -> frozenset[str]:
    """Every module that `file` imports, wherever in it: within functions and for the type checker alone, too."""
    names: set[str] = set()
    for node in ast.parse("\n".join(STATEMENT.findall(file.read_text()))).body:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively: {ast.unparse(node)}"
            assert node.module is not None
            names.update(_meant(node))
    return frozenset(names)


def _meant(node: ast.ImportFrom) -> set[str]:
    """The modules behind ``from package import names``: a submodule where a name is one, else the package."""
    module = node.module or ""
    folder = ROOT / module.replace(".", "/")
    return {
        f"{module}.{alias.name}" if (folder / f"{alias.name}.py").exists() or (folder / alias.name).is_dir() else module
        for alias in node.names
    }


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(module: str) -> str | None:
    """The room of a module of this project.

    >>> room_of("irviz.labs.lab"), room_of("pages.scores"), room_of("numpy")
    ('labs', 'pages', None)
    """
    first, _, rest = module.partition(".")
    if first == "irviz":
        return rest.partition(".")[0] or "irviz"
    return first if first in ("pages", "app") else None


def test_imports_are_in_the_table():
    wrong: dict[str, set[str]] = {}
    for file in FILES:
        mine = room_of(name_of(file))
        if file != FRONT:
            assert mine in TABLE, f"`{mine}` is no room of docs/architecture.md"
            others = {module for module in imported(file) if room_of(module) not in (None, mine)}
            wrong[str(file)] = {one for one in others if room_of(one) not in TABLE[str(mine)] | GROUND}
    assert {file: modules for file, modules in wrong.items() if modules} == {}


def test_no_arrow_points_upwards():
    order = list(TABLE)
    above = [
        (room, other) for room in order for other in TABLE[room] & set(order) if order.index(other) >= order.index(room)
    ]
    assert above == []


def test_no_circle_of_modules():
    needs = {name_of(file): set(imported(file)) for file in FILES}
    while True:  # whatever needs no other, or is needed by no other, is in no circle
        needed = {other for name, others in needs.items() for other in others if other != name}
        left = {name: others & needs.keys() for name, others in needs.items() if name in needed}
        left = {name: others for name, others in left.items() if others & left.keys() - {name}}
        if left.keys() == needs.keys():
            break
        needs = left
    assert needs == {}


def test_streamlit_stays_in_the_dashboard():
    users = {
        str(file.relative_to(ROOT)) for file in FILES if any(name.startswith("streamlit") for name in imported(file))
    }
    assert {file for file in users if not file.startswith(STREAMLIT)} == set()


def test_plotly_stays_above_the_numbers():
    users = {room_of(name_of(file)) for file in FILES if any(name.startswith("plotly") for name in imported(file))}
    assert users & set(BELOW_FIGURES) == set()
    assert "figures" in users
