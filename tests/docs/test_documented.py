"""Documentation that cannot rot: what is public is documented, what is documented exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import irviz
from irviz.cli.parser import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", irviz.__all__)
def test_every_public_name_says_what_it_is(name: str):
    assert (getattr(irviz, name).__doc__ or "").strip()


@pytest.mark.parametrize("file", sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"]), ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text())
    assert [target for target in targets if not (file.parent / target).exists()] == []


def test_the_readme_names_every_command():
    text = (ROOT / "README.md").read_text()
    assert [name for name in COMMANDS if name not in text] == []


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
