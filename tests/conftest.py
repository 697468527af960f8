"""Where tests find the data that is not part of the project.

Real collections lie beside the project, in ``../shared``, and are never copied into
it.  A test that asks for them is skipped, saying so, where they are absent.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Generator, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from irviz.collection import catalogue
from irviz.places import DATA

BROWSER = re.compile("tests/app/(browser/|test_(installed|proxy|site))")  #: tests that open one
gc.set_threshold(200_000, 50, 50)  # until all is imported and collected, of which nothing is garbage

SHARED = Path(__file__).resolve().parents[2] / "shared"

if find_spec("plotly"):  # not in an environment of the core alone: `make lowest`
    from irviz.figures import unchecked

    #: whose figures plotly checks: all there are; what `test_averaged` draws is drawn by others, too
    CHECKED = re.compile("explore/(?!test_averaged)|figures/|gallery/|test_lab_figures|test_a_page_")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(item: pytest.Item) -> None:
        """Figures are drawn as a dashboard draws them, unchecked, where a test is of something else."""
        unchecked.VALIDATES = CHECKED.search(item.nodeid) is not None


_open_folder = catalogue._open_folder
_open_bundled = cache(_open_folder)


def _opened(folder: Path, *how: Any) -> Any:
    """A bundled collection is compiled once in a process, whichever test opens it: nothing changes a collection."""
    return (_open_bundled if folder.parent == DATA else _open_folder)(folder, *how)


catalogue._open_folder = _opened

#: How long an example takes is the machine's business, not a claim; every run of the suite draws other ones.
settings.register_profile("irviz", deadline=None, max_examples=50)
settings.load_profile("irviz")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Files of tests are not looked through for examples: those are irviz's."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that open a browser come first: they wait for it most of the time."""
    items.sort(key=lambda item: BROWSER.match(item.nodeid) is None)


def pytest_collection_finish() -> None:
    """Imported modules stay: the collector of garbage leaves them out, and looks less often at what tests make."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Streamlit's AppTest leaves its script as ``__main__``; a process spawned later would run that script."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the project."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is absent: this test needs material that is not part of the project.")
    return SHARED


@pytest.fixture(scope="session")
def tables() -> Path:
    """Numbers printed in the papers; a test holds them against the shared material."""
    return Path(__file__).resolve().parents[1] / "data" / "published"


@pytest.fixture(scope="session")
def collections(shared: Path) -> Path:
    """The folder of real collections."""
    folder = shared / "collections"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: this test needs real collections.")
    return folder


def pytest_make_parametrize_id(val: object) -> str | None:
    """Bytes by their kind alone: compressed ones hold the time, so content and size differ between workers."""
    return "bytes" if isinstance(val, bytes) else None
