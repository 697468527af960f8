"""What is declared twice is equal: versions, requirements, commands that start the dashboard."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import irviz

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def lines(file: str) -> list[str]:
    text = (ROOT / file).read_text().splitlines()
    return [line for line in text if line.strip() and not line.startswith(("#", "-r"))]


def test_the_package_needs_what_requirements_txt_lists():
    assert {str(Requirement(line)) for line in lines("requirements.txt")} == {
        str(Requirement(line)) for line in PROJECT["dependencies"]
    }


def test_every_requirement_is_held_at_a_version_that_it_allows():
    exact = {
        canonicalize_name(name): version for name, version in (line.split("==") for line in lines("constraints.txt"))
    }
    extras = [line for extra in PROJECT["optional-dependencies"].values() for line in extra]
    wanted = [Requirement(line) for line in (*lines("requirements.txt"), *lines("tests/requirements.txt"), *extras)]
    assert {one.name for one in wanted if canonicalize_name(one.name) not in exact} == set()
    assert {str(one) for one in wanted if exact[canonicalize_name(one.name)] not in one.specifier} == set()


def test_the_version_is_the_newest_of_the_changelog():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == irviz.__version__
