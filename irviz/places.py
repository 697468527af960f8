"""The version of irviz, the places of the files that come with it but are not modules, and where it can answer.

In the repository the files are at the top; an installed irviz contains them in its package.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from irviz.errors import IrvizError

VERSION = "0.1.0"

PACKAGE = Path(__file__).resolve().parent
PACKAGE_FOLDER = "files"  #: the folder of the installed package that holds them; the repository has none
TOP = PACKAGE / PACKAGE_FOLDER if (PACKAGE / PACKAGE_FOLDER).is_dir() else PACKAGE.parent

APP = TOP / "app.py"  #: the front door
SCRIPTS = TOP / "pages"  #: of the pages
DATA = TOP / "data"  #: bundled collections, the papers' published tables


_OF_THE_APP = ("streamlit", "plotly")  #: packages that only the dashboard and its figures need


@contextmanager
def needs_app() -> Iterator[None]:
    """Say how to install the packages of the dashboard where one of them is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        lacking = (error.name or "").partition(".")[0]
        if lacking not in _OF_THE_APP:
            raise
        raise IrvizError(
            f"This needs {lacking}, which is not installed. Install the dashboard and its figures: "
            "pip install '.[app]' in irviz's folder."
        ) from error


def stub_names(file: str) -> dict[str, str]:
    """Public name → its module, from the lines ``from module import name as name`` of the stub beside a file."""
    stub = Path(file).with_suffix(".pyi").read_text("utf-8")
    return {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)}


def check_port(address: str, port: int) -> int:
    """The port, or one that is free for 0; an address that cannot be answered at is refused before anything starts."""
    try:
        (family, *_, where), *_ = socket.getaddrinfo(address or None, port, type=socket.SOCK_STREAM)
        with closing(socket.socket(family)) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(where)
            return int(tried.getsockname()[1])
    except OSError as error:
        why = error.strerror or error
        raise IrvizError(
            f"Nothing can answer at {address} port {port} ({why}). Give another --port; 0 means any free port."
        ) from error
