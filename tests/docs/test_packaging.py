"""What is declared twice is equal: versions, requirements, commands that start the dashboard."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import irviz

ROOT = Path(__file__).resolve().parents[2]
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
    assert "--require-hashes -r constraints.txt" in container and "HEALTHCHECK " in container
    assert "--require-hashes\n" in make and "$(PIP) -r constraints.txt" in make
    page = (ROOT / "docs" / "deploying.md").read_text()
    assert re.findall(r"^app_port: (\d+)$", page, re.MULTILINE) == [port]
    assert "docker run -p 127.0.0.1:8501:8501" in page
    assert f"client_max_body_size {settings()['server']['maxUploadSize']}m" in page


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


def test_the_citation_names_this_version_and_this_licence():
    said = dict(re.findall(r'^([\w-]+): "?([^"\n]+)', (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert {key: said[key] for key in ("cff-version", "version", "license")} == {
        "cff-version": "1.2.0",
        "version": irviz.__version__,
        "license": PROJECT["license"],
    }
    assert said["title"].lower() == f"irviz: {PROJECT['description'].lower()}"


def test_the_version_is_the_newest_of_the_changelog():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == irviz.__version__
