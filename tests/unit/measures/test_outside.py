"""A measure of another package: the two blocks of the how-to, in a package that is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import irviz
from irviz.errors import IrvizError

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = (ROOT / "docs" / "adding-a-measure.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```(py|toml)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL))
SCORED = """
import irviz
c = irviz.open_collection("adhoc")
c = c.subset(c.topics[:5], c.systems[:3])
assert (irviz.score(c, ["FirstTwo"]).values == irviz.score(c, ["P@2"]).values).all()
assert list(irviz.measures())[-1] == "FirstTwo" and str(irviz.measure("FirstTwo")) == "FirstTwo"
from irviz.workspace.measure_facts import MEASURES
assert MEASURES[-1].symbol == "FirstTwo"
"""


@pytest.fixture
def installed(tmp_path) -> dict[str, str]:
    """The environment of a process in which the package of the how-to is installed."""
    (tmp_path / "my_measures.py").write_text(BLOCKS["py"])
    info = tmp_path / "my_measures-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-measures\nVersion: 1.0\n")
    name, module = re.findall(r'^(\w+) = "(\w+)"$', BLOCKS["toml"], re.MULTILINE)[0]
    (info / "entry_points.txt").write_text(f"[irviz.measures]\n{name} = {module}\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}


def run(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_it_is_scored_and_listed_by_the_library_and_the_command(installed):
    scored = run(["-c", SCORED], installed)
    assert scored.returncode == 0, scored.stderr
    words = ["-m", "irviz", "score", "--collection", "adhoc", "--summary", "mean", "--measures"]
    printed = [run([*words, name], installed).stdout.splitlines()[1:] for name in ("FirstTwo", "P@2")]
    assert printed[0] and [line.split(",")[1:] for line in printed[0]] == [line.split(",")[1:] for line in printed[1]]


def test_a_package_that_cannot_be_imported_is_named(installed, tmp_path):
    (tmp_path / "my_measures.py").write_text("import nowhere_to_be_found\n")
    refused = run(["-m", "irviz", "score", "--collection", "adhoc", "--measures", "AP"], installed)
    assert refused.returncode == 2 and "my_measures" in refused.stderr and "nowhere_to_be_found" in refused.stderr


@pytest.mark.parametrize("kind", [int, "AP", irviz.measures])
def test_what_is_no_measure_is_refused(kind):
    with pytest.raises(IrvizError, match="subclass"):
        irviz.register(kind)
