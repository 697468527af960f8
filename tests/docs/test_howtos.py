"""The how-tos are followed step by step, on a copy: what they add is everywhere, and nothing else had to be touched.

Steps that were already followed in this checkout are undone in the copy first.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^( *)```(python|diff|sh)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
LEFT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", ".cache")
pytestmark = pytest.mark.slow
#: what reads the catalogue of measures, the browsing models, the menu or all controls, and could notice something new
READERS = (
    *(
        f"tests/unit/workspace/test_view_roundtrip.py::test_every_control_survives[{page}]"
        for page in ("cwla", "lab_browsing", "agreement", "lab_cutoff")
    ),
    "tests/unit/workspace/test_view_roundtrip.py::test_no_control_of_a_page_is_mistaken_for_the_sidebars",
    "tests/unit/test_additive.py",
    "tests/contracts/test_registries.py",
    "tests/contracts/test_scales.py::test_the_statement_and_the_enumeration_agree[3-3]",
    "tests/contracts/test_scales.py::test_where_a_statement_is_open_it_is_never_too_generous",
    "tests/contracts/test_measures.py",
    "tests/docs/test_citations.py",
    "tests/docs/test_imports.py",
    "tests/docs/test_documented.py::test_every_parameter_is_documented_and_options_have_names[agreeing]",
    "tests/docs/test_documented.py::test_every_option_says_what_it_means[agreeing]",
    "tests/unit/explore/test_averaged.py",
    "tests/unit/test_odd_data.py::test_pages_speak_of_every_collection[agreement]",
    "tests/unit/test_odd_data.py::test_labs_speak_of_every_collection[lab_cutoff]",
    "tests/app/test_pages.py",
    "tests/unit/labs/test_screens.py",
    "tests/unit/publish/test_course.py",
    "tests/unit/publish/test_code.py",
)
#: of these only what is about the new: all else is as it was
LARGE = "scales measures averaged pages screens course code additive".split()
OF_IT = (
    "AnyHit or Fatigue or agree or catalogue or its_text or range or ideal or current or enumeration "
    f"or not ({' or '.join(f'test_{name}.py' for name in LARGE)}) "
    "or (cutoff and not (test_averaged.py or test_pages.py))"
)
HOWTOS = ("adding-a-measure.md", "adding-a-page.md", "adding-a-lab.md")


def steps(name: str) -> list[tuple[str, str]]:
    """The blocks of a how-to: a file, an edit or commands."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    return [(kind, dedent(body)) for _, kind, body in BLOCK.findall(text)]


def follow(folder: Path, kind: str, body: str) -> str:
    """Do one step; the file it touches, or nothing."""
    if kind == "sh":
        for line in body.splitlines():
            run(folder, "sh", "-c", line.replace("python ", f"{sys.executable} ", 1))
        return ""
    head, _, rest = body.partition("\n")
    file = head.removeprefix("# ")
    if kind == "python":
        assert not (folder / file).exists()
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(rest, encoding="utf-8")
    else:
        edit(folder / file, rest)
    return file


def sides(hunk: str) -> tuple[str, str]:
    """Text before and after an edit: lines that begin with a space (kept), a minus (removed) or a plus (added)."""
    lines = hunk.rstrip("\n").split("\n")
    before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    return before, after


def undo(folder: Path, kind: str, body: str) -> None:
    """Take back a step that was followed before; do nothing where it was not."""
    if kind == "sh":
        return  # what the commands write is written again
    head, _, rest = body.partition("\n")
    file = folder / head.removeprefix("# ")
    if kind == "python":
        file.unlink(missing_ok=True)
        return
    before, after = sides(rest)
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text.count(after) == 1:
        file.write_text(text.replace(after, before), encoding="utf-8")


def edit(file: Path, hunk: str) -> None:
    """Apply the lines of an edit to a file that has them once."""
    before, after = sides(hunk)
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, (
        f"{file.name} has the lines of a how-to's edit {text.count(before)} times, not once:\n{before}"
    )
    file.write_text(text.replace(before, after), encoding="utf-8")


def run(folder: Path, *command: str) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(command)}\n{ended.stdout[-3000:]}{ended.stderr[-3000:]}"
    return ended.stdout


def check(folder: Path, code: str, *tests: str) -> None:
    """Run lines of Python and then tests, in one process: half of the time of either goes into its imports."""
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what the lines have imported
    words = ["-q", "-x", "-p", "no:cacheprovider", *quiet, *tests]
    run(folder, sys.executable, "-c", f"{dedent(code)}\nimport pytest\nraise SystemExit(pytest.main({words}))")


def styled(folder: Path, files: set[str]) -> None:
    """Code copied from the page is in the house's style."""
    files = {file for file in files if file.endswith((".py", ".pyi"))}
    run(folder, sys.executable, "-m", "ruff", "check", "--no-cache", *sorted(files))
    run(folder, sys.executable, "-m", "ruff", "format", "--no-cache", "--check", *sorted(files))


def contents(folder: Path) -> dict[str, bytes]:
    """Files by name, without what tests make."""
    found = {}
    for file in folder.rglob("*"):
        own = file.relative_to(folder)
        made = own.parts[0] in ("data", ".hypothesis") or "__pycache__" in own.parts
        if file.is_file() and not made:
            found[str(own)] = file.read_bytes()
    return found


def touched(folder: Path, before: dict[str, bytes]) -> set[str]:
    """Files that are new or not as they were."""
    return {name for name, content in contents(folder).items() if before.get(name) != content}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return copied(ROOT, tmp_path / "irviz")


def copied(root: Path, folder: Path) -> Path:
    """Copy a checkout without what was made in it; data are linked."""
    folder.mkdir()
    for one in root.iterdir():
        if one.name == "data":
            (folder / one.name).symlink_to(one)
        elif one.is_file():
            shutil.copy(one, folder)
        elif not LEFT(str(root), [one.name]):
            shutil.copytree(one, folder / one.name, ignore=LEFT)
    return folder


def start(folder: Path, blocks: list[tuple[str, str]]) -> dict[str, bytes]:
    """Undo the steps that this checkout has already; the files as they are then."""
    for block in reversed(blocks):
        undo(folder, *block)
    return contents(folder)


def test_a_measure_a_page_and_a_lab_are_everywhere_once_their_lines_are_written(copy):
    """One after the other in one checkout; the commands, which write documents, come last."""
    blocks = [block for name in HOWTOS for block in steps(name)]
    before = start(copy, blocks)
    files = {follow(copy, *block) for block in blocks if block[0] != "sh"}
    for line in dict.fromkeys(line for kind, body in blocks if kind == "sh" for line in body.splitlines()):
        follow(copy, "sh", line)
    styled(copy, files)
    check(
        copy,
        """
        import irviz
        from irviz.collection.catalogue import open_collection
        from irviz.explore.user_models import CONTROLS as USERS
        from irviz.explore.user_models import combinations
        from irviz.labs.screen import Screen
        from irviz.menu import LABS, PINNABLE, SECTIONS, page_named
        from irviz.publish.draw import draw
        from irviz.publish.report import report
        from irviz.ui.parameters import suggestions
        from irviz.workspace.data import library
        from irviz.workspace.view import View

        adhoc = open_collection("adhoc")
        assert "AnyHit" in irviz.measures() and "AnyHit@10" in suggestions(adhoc)
        assert 0 < irviz.score(adhoc, ["AnyHit@10"]).values.mean() < 1
        users = {one.name: one for one in USERS}
        assert "Fatigue" in users["models"].options
        chosen = {name: one.default for name, one in users.items()} | {"models": ("Fatigue",), "n": 9}
        assert combinations(chosen).models == ("Fatigue(n=9)",)

        assert page_named("agreement") in SECTIONS[""] and "agreement" in PINNABLE
        link = "/agreement?v=8&collection=adhoc&measure=P%4010"
        link += "&baseline=agreement%3Fv%3D8%26collection%3Dadhoc%26measure%3DAP"
        page = draw(View.from_url(link), library())
        assert page.panel.facts[0].label == "agrees most" and page.complaints == ()
        assert page.panel.since and page.panel.facts[0].before == page.panel.facts[0].before

        assert isinstance(page_named("lab_cutoff"), Screen) and page_named("lab_cutoff") in LABS
        shown = draw(View.from_url("/lab_cutoff?v=8&k=4"), library())
        assert shown.complaints == () and "0.750" in shown.panel.sentence
        told = report([page, shown])
        assert "How often do two measures prefer" in told and "How deep" in told
    """,
        *READERS,
        "-k",
        OF_IT,
    )
    assert touched(copy, before) == files
