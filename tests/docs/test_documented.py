"""Documentation that cannot rot: what is public is documented, what is documented exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import irviz
from benchmarks.parts import browser
from irviz.cli.parser import COMMANDS, parser
from irviz.cli.reference import command_markdown, command_options, commands
from irviz.menu import page_named

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", irviz.__all__)
def test_every_public_name_says_what_it_is(name: str):
    assert (getattr(irviz, name).__doc__ or "").strip()


@pytest.mark.parametrize("file", sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"]), ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text())
    assert [target for target in targets if not (file.parent / target).exists()] == []


# -- the command line --------------------------------------------------------------------------

FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SHELLS = ("", "sh", "bash", "console", "ini")
INVOKED = re.compile(r"^(?:\w+=\S+ )*(?:\$ |ExecStart=\S*/)?(?:python -m )?irviz\b(?!\.)(.*)$")


def invocations(file: Path) -> list[list[str]]:
    """What a person is told to type after ``irviz``, in the blocks of a document."""
    blocks = [block for language, block in FENCE.findall(file.read_text(encoding="utf-8")) if language in SHELLS]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    said = [found[1] for line in lines if (found := INVOKED.match(line.strip()))]
    return [shlex.split(line, comments=True) for line in said]


DOCUMENTS = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
SAID = [(file.name, words) for file in DOCUMENTS for words in invocations(file)]


@pytest.mark.parametrize(("file", "words"), SAID, ids=[f"{file}: {shlex.join(words)}" for file, words in SAID])
def test_what_a_document_says_can_be_typed(file: str, words: list[str]):
    word = words[0] if words and words[0] in COMMANDS else "app"
    given = parser("irviz").parse_args(words if words and words[0] == word else ["app", *words])
    assert given.command == word


def test_the_readme_shows_the_commands_and_lists_the_rest():
    shown = {words[0] for file, words in SAID if file == "README.md" and words}
    assert {"lint", "score", "similarity", "render"} <= shown
    listed = set(re.findall(r"`([a-z-]+)`", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert set(COMMANDS) - shown - listed == set()


def test_the_list_of_options_is_current():
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert text == command_markdown(), "Run `python -m irviz.cli.reference > docs/command-line.md`."


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_means(name: str):
    assert [action.dest for action in command_options(commands()[name]) if not action.help] == []


def test_every_requirement_has_its_reason():
    reasons = (ROOT / "docs" / "architecture.md").read_text()
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    names = [re.split(r"[~<>=! ]", line)[0] for line in lines if line.strip() and not line.startswith("#")]
    assert names
    assert [name for name in names if f"| {name} |" not in reasons] == []


def test_the_readme_example_runs(tmp_path: Path):
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    script = code[1].replace('irviz.load_collection("qrels.txt", "runs/")', 'irviz.open_collection("adhoc")')
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert ended.returncode == 0


def test_the_browser_benchmark_moves_controls_that_there_are():
    moved = [*browser.LABS.items(), *((lab, label) for lab, (*_, label) in browser.STEPS.items())]
    for lab, label in moved:
        assert label in {control.label for control in page_named(lab).controls}, (lab, label)
    label, *words = browser.CHOICE
    (choice,) = (control for control in page_named("lab_conventions").controls if control.label == label)
    assert set(words) <= {said for _, said in choice.options}
