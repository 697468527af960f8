"""The wheel, in an environment of its own and away from the repository: the command, and the dashboard in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import irviz
from benchmarks.visitor import Visitor
from irviz.cli.main import main

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory) -> Path:
    """``irviz`` of an environment that holds the wheel, and what irviz needs from the one that tests run in."""
    place = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(place, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "--quiet"]
    installed = subprocess.run([*pip, str(wheel)], capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    return place / "bin" / "irviz"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A folder of a person's own files."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 c 2\n")
    (folder / "runs").mkdir()
    for name, score in (("Kestrel", 2), ("Osprey", 0)):
        (folder / "runs" / name).write_text(f"1 Q0 a 1 {score} x\n1 Q0 b 2 1 x\n2 Q0 c 1 1 x\n")
    return folder


def run(command: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    alone = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run([str(command), *words], cwd=folder, env=alone, capture_output=True, text=True, check=False)


def test_the_wheel_holds_what_stands_at_the_top_and_nothing_that_was_made(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.removeprefix("irviz/files/") for name in names if name.startswith("irviz/files/")}
    tracked = subprocess.run(
        ["git", "ls-files", "app.py", "pages", "data", ".streamlit/config.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert inside == set(tracked)
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests/", "benchmarks/"))]


def test_the_command_prints_what_the_function_prints(command: Path, files: Path, monkeypatch, capsys):
    version = run(command, files, "--version")
    assert (version.stdout, version.stderr) == (f"irviz {irviz.__version__}\n", "")
    words = ["score", "--qrels", "qrels", "--runs", "runs", "--measures", "AP"]
    printed = run(command, files, *words)
    monkeypatch.chdir(files)
    assert main(words) == 0
    assert (printed.stdout, printed.stderr) == capsys.readouterr()
    assert printed.stdout.splitlines()[1:] == [
        "AP,1,Kestrel,1.0",
        "AP,1,Osprey,0.5",
        "AP,2,Kestrel,1.0",
        "AP,2,Osprey,1.0",
    ]
    assert run(command, files, "score", "--collection", "adhoc", "--measures", "P@10").returncode == 0
    wrong = run(command, files, "absent.qrels", "runs")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "irviz: absent.qrels: there is no such file or folder. Check the path of the qrels.\n"


@pytest.mark.browser
def test_it_opens_on_a_persons_own_files(command: Path, files: Path, start_server, person):
    server = start_server(command=(str(command), "qrels", "runs"), folder=files)
    with person() as page:
        answer = page.goto(server.url)
        assert answer.headers["x-frame-options"] == "DENY"
        page.get_by_text("Kestrel").first.wait_for(timeout=60_000)
    with Visitor(server.url) as visitor:
        for name in ("similarity", "lab_scales", "findings"):  # pages, published tables and settings came along
            shown = visitor.open(name)
            assert shown.texts and shown.errors == [], name
