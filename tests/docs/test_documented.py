"""Documentation that cannot rot: what is public is documented, what is documented exists."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import types
import typing
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import irviz
import irviz.types
from benchmarks.notebook import NOTEBOOK, executed
from irviz.cli.main import COMMANDS, main, parser
from irviz.notebook import FIGURE

ROOT = Path(__file__).resolve().parents[2]


def test_every_public_name_says_what_it_is():
    assert [name for name in irviz.__all__ if not (getattr(irviz, name).__doc__ or "").strip()] == []


@pytest.mark.parametrize("file", sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"]), ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text())
    assert [target for target in targets if not (file.parent / target).exists()] == []


# -- the command line --------------------------------------------------------------------------

FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SHELLS = ("", "sh", "bash", "console", "ini")
INVOKED = re.compile(r"^(?:\w+=\S+ )*(?:\$ |ExecStart=\S*/)?(?:python -m )?irviz\b(?!\.)(.*)$")


def invocations(file: Path) -> list[list[str]]:
    """The words to type after ``irviz``, in the blocks of a document."""
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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_means(name: str):
    (words,) = (one for one in parser("irviz")._actions if isinstance(one, argparse._SubParsersAction))
    assert [action.dest for action in words.choices[name]._actions if not action.help] == []


def test_every_requirement_has_its_reason():
    reasons = (ROOT / "docs" / "architecture.md").read_text()
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    names = [re.split(r"[~<>=! ]", line)[0] for line in lines if line.strip() and not line.startswith("#")]
    assert names
    assert [name for name in names if f"| {name} |" not in reasons] == []


def test_the_readme_example_runs():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    script = code[1].replace('irviz.load_collection("qrels.txt", "runs/")', 'irviz.open_collection("adhoc")')
    exec(script, {})  # a warning is an error


# The workflow for pull requests, run as it is written.


WORKFLOW = Path(__file__).resolve().parents[2] / "docs" / "pull-request.yml"
STEPS = [shlex.split(line) for line in re.findall(r"^ *- run: (.*)$", WORKFLOW.read_text(), re.MULTILINE)]


@pytest.mark.parametrize(("better", "topics", "status"), [("new", 8, 0), ("old", 8, 1), ("new", 3, 3)])
def test_a_pull_request_fails_unless_there_is_evidence(
    tmp_path, monkeypatch, capsys, better: str, topics: int, status: int
):
    install, (program, *words) = STEPS
    *words, sign, summary = words
    assert (sign, summary) == (">>", "$GITHUB_STEP_SUMMARY")
    assert (install, program) == (["pip", "install", "./tools/irviz"], "irviz")
    monkeypatch.chdir(tmp_path)
    queries = [f"shoes {i}" for i in range(topics)]
    rated = [f"{query},d{grade},{grade}\n" for query in queries for grade in range(3)]
    Path("judgments.csv").write_text("query,docid,rating\n" + "".join(rated))
    orders = {"new": (2, 1, 0), "old": (0, 1, 2)} if better == "new" else {"new": (0, 1, 2), "old": (2, 1, 0)}
    ranked = [
        f"{query},d{grade},{place},{system}\n"
        for system, grades in orders.items()
        for query in queries
        for place, grade in enumerate(grades, start=1)
    ]
    Path("results.csv").write_text("query,docid,position,system\n" + "".join(ranked))
    assert main(words) == status
    said = capsys.readouterr()
    assert said.out.startswith("### ")
    assert ("holds >= 0.8" in said.err, "joint <= 0.05" in said.err) == (status == 1, status == 3)


# The tutorial's cells show what is printed below them.


SAYS = "If the numbers were meant to change: python -m benchmarks.notebook"


def told(outputs: list[dict[str, Any]]) -> list[Any]:
    """Outputs by what they say; of a figure, that it is one: its data hold the version of plotly."""
    found: list[Any] = []
    for one in outputs:
        given = one.get("data", {})
        data = {} if FIGURE in given else {kind: "".join(text) for kind, text in given.items()}
        found.append("".join(one.get("text", [])) or (data, FIGURE in given))
    return found


@pytest.mark.slow
def test_every_cell_shows_what_the_tutorial_prints():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    fresh = list(executed(notebook, NOTEBOOK.parent))
    assert len(cells) == len(fresh) > 10
    for cell, outputs in zip(cells, fresh, strict=True):
        assert told(outputs) == told(cell["outputs"]), SAYS
    figures = [one["data"] for cell in cells for one in cell["outputs"] if FIGURE in one.get("data", {})]
    assert figures
    for one in figures:  # what `nbconvert --to html` takes
        assert "Plotly.newPlot" in "".join(one["text/html"])


# What is declared twice is equal: versions, requirements, commands that start the dashboard.


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def lines(file: str) -> list[str]:
    text = (ROOT / file).read_text().splitlines()
    return [line for line in text if line.strip() and not line.startswith(("#", "-r"))]


def test_requirements_txt_installs_the_dashboard_within_the_bounds_of_the_package():
    bounds = {one.name: one.specifier for one in map(Requirement, [*PROJECT["dependencies"], *EXTRAS["app"]])}
    pinned = {one.name: one for one in map(Requirement, lines("requirements.txt"))}
    assert pinned.keys() == bounds.keys()
    held = exact("constraints.txt")
    assert {name for name, allowed in bounds.items() if held[canonicalize_name(name)] not in allowed} == set()


def exact(file: str) -> dict[str, str]:
    """Versions of a file of constraints, each with the hash of at least one file."""
    found = re.findall(r"^(\S+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", (ROOT / file).read_text(), re.MULTILINE)
    assert len(found) == len(re.findall(r"^\w", (ROOT / file).read_text(), re.MULTILINE))
    return {canonicalize_name(name): version for name, version in found}


def test_every_requirement_is_held_at_a_version_that_it_allows():
    extras = [line for extra in EXTRAS.values() for line in extra]
    app, tests = exact("constraints.txt"), exact("tests/constraints.txt")
    assert app.items() < tests.items()
    for file, more, held in (("requirements.txt", [], app), ("tests/requirements.txt", extras, tests)):
        wanted = [Requirement(line) for line in (*lines(file), *more)]
        assert {one.name for one in wanted if canonicalize_name(one.name) not in held} == set()
        assert {str(one) for one in wanted if held[canonicalize_name(one.name)] not in one.specifier} == set()


def test_a_container_installs_and_starts_what_make_app_does():
    container, make = (ROOT / "Dockerfile").read_text(), (ROOT / "Makefile").read_text()
    (command,) = re.findall(r"^CMD (.*)$", container, re.MULTILINE)
    port, address = "8501", "0.0.0.0"
    assert json.loads(command) == ["python", "-m", "irviz", "app", "--port", port, "--address", address]
    assert "$(IN) -m irviz app --port $(PORT) --address $(ADDRESS)" in make
    assert re.findall(r"^EXPOSE (\d+)$", container, re.MULTILINE) == [port]
    assert re.search(r"^ARG IMAGE=python:[\w.-]+@sha256:[0-9a-f]{64}$", container, re.MULTILINE)
    assert "--require-hashes -r constraints.txt" in container and "HEALTHCHECK " in container
    assert "--require-hashes\n" in make and "$(PIP) -r constraints.txt" in make
    page = (ROOT / "docs" / "deploying.md").read_text()
    assert re.findall(r"^app_port: (\d+)$", page, re.MULTILINE) == [port]
    assert "docker run -p 127.0.0.1:8501:8501" in page
    most = settings()["server"]["maxUploadSize"]
    assert re.search(rf"client_max_body_size +{most}m;", (ROOT / "deploy" / "nginx.conf").read_text())
    assert f"An uploaded file has at most {most} MB" in page


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


def test_the_citation_names_this_version_and_this_licence():
    said = dict(re.findall(r'^([\w-]+): "?([^"\n]+)', (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert {key: said[key] for key in ("cff-version", "version", "license")} == {
        "cff-version": "1.2.0",
        "version": irviz.__version__,
        "license": PROJECT["license"].split(" AND ")[0],  # of the program; the other is of some of its data
    }
    assert said["title"].lower() == f"irviz: {PROJECT['description'].lower()}"


def test_the_version_is_the_newest_of_the_changelog():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == irviz.__version__


# The site is built without a warning, and its reference has every public name.


def _returned_classes(function: Any) -> list[type]:
    found = typing.get_type_hints(function).get("return")
    kinds = typing.get_args(found) if isinstance(found, types.UnionType) else (found,)
    return [kind for kind in kinds if inspect.isclass(kind) and kind.__module__.startswith("irviz.")]


FUNCTIONS = [getattr(irviz, name) for name in [*irviz.__all__, "open"] if inspect.isfunction(getattr(irviz, name))]
RETURNED = {kind.__name__: kind for function in FUNCTIONS for kind in _returned_classes(function)}


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_has_every_public_name(tmp_path):
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    subprocess.run(words, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    anchors = set(re.findall(r'id="irviz\.[\w.]*?(\w+)"', (tmp_path / "reference.html").read_text(encoding="utf-8")))
    assert {*irviz.__all__, "open_dashboard", *irviz.types.__all__} - anchors == set()


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


def _parameters(function: Any) -> list[str]:
    """Parameters, which the function documents, and its result repeats."""
    return [*inspect.signature(function).parameters]


@pytest.mark.parametrize("name", sorted(RETURNED))
def test_every_public_member_is_documented(name: str):
    kind = RETURNED[name]
    text = inspect.getdoc(kind) or ""
    fields = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    members = inspect.getmembers_static(
        kind, lambda m: inspect.isfunction(m) or isinstance(m, property | cached_property)
    )
    said = {own for own, member in members if inspect.getdoc(member)}
    said |= {own for function in FUNCTIONS if kind in _returned_classes(function) for own in _parameters(function)}
    wanted = {own for own in [*fields, *(own for own, _ in members)] if not own.startswith("_")}
    assert {own for own in wanted - said if not re.search(rf"\b{own}\b", text)} == set()


def test_a_misspelled_name_is_an_attribute_error_that_knows_the_name():
    with pytest.raises(AttributeError, match="no attribute 'consistancy'") as problem:
        irviz.consistancy  # noqa: B018
    assert (problem.value.name, problem.value.obj) == ("consistancy", irviz)
