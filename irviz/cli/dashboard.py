"""``irviz``: the dashboard, opened from the command line."""

from __future__ import annotations

import argparse
import os
import runpy
import socket
import sys
from contextlib import closing
from typing import Any

from irviz.errors import IrvizError
from irviz.places import APP

ADDRESS, PORT = "localhost", 8501
_SETTINGS = {"port": "server.port", "address": "server.address", "path": "server.baseUrlPath"}


def add_server(parser: argparse.ArgumentParser) -> None:
    """Where the dashboard answers."""
    where = parser.add_argument_group("server")
    where.add_argument("--port", type=int, help=f"default {PORT}, or the next that is free; 0 is any that is free")
    where.add_argument(
        "--address", help=f"whom it answers: {ADDRESS}, this machine only (default); 0.0.0.0, all that reach it"
    )
    where.add_argument("--path", help="what its address starts with behind a proxy, such as /irviz")


def open_dashboard(given: argparse.Namespace) -> None:
    """Start the dashboard; returns when it is stopped."""
    settings = server_settings(given)
    _check_port(settings)
    sys.argv = [str(APP)]  # Streamlit looks for its settings beside the script that was started
    runpy.run_path(str(APP))["app"].run(config=settings)


def server_settings(given: argparse.Namespace) -> dict[str, Any]:
    """Streamlit's settings, from the options; what the environment says stands unless an option says otherwise."""
    settings = {key: getattr(given, name) for name, key in _SETTINGS.items() if getattr(given, name) is not None}
    if "STREAMLIT_SERVER_ADDRESS" not in os.environ:
        settings.setdefault("server.address", ADDRESS)
    return settings


def _check_port(settings: dict[str, Any]) -> None:
    """Refuse an address that cannot be answered at, before anything is started."""
    port, address = settings.get("server.port"), settings.get("server.address", "")
    if port is None:
        return
    if not 0 <= port <= 65535:
        raise IrvizError(f"--port must lie between 0 and 65535; got {port}.")
    try:
        (family, *_, where), *_ = socket.getaddrinfo(address or None, port, type=socket.SOCK_STREAM)
        with closing(socket.socket(family)) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(where)
    except OSError as error:
        why = error.strerror or error
        raise IrvizError(
            f"Nothing can answer at {address} port {port} ({why}). Give another --port; 0 is any that is free."
        ) from error
