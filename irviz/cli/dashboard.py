"""``irviz``: the dashboard, opened from the command line."""

from __future__ import annotations

import argparse
import gc
import os
import runpy
import socket
import sys
import tomllib
from collections.abc import Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any

from irviz.cli.data import loaded, names_aspect, opened_files, pairs
from irviz.cli.fetching import is_url
from irviz.collection.model import TIE_RULES
from irviz.errors import IrvizError, listed
from irviz.places import APP
from irviz.workspace.context import Opened
from irviz.workspace.resolve import opened_collection
from irviz.workspace.started import start_with
from irviz.workspace.words import counted

ADDRESS, PORT = "localhost", 8501
_SETTINGS = {  #: option → Streamlit's setting, and the variable of the environment that `streamlit run` reads for it
    "port": ("server.port", "STREAMLIT_SERVER_PORT"),
    "address": ("server.address", "STREAMLIT_SERVER_ADDRESS"),
    "path": ("server.baseUrlPath", "STREAMLIT_SERVER_BASE_URL_PATH"),
}


def add_app(parser: argparse.ArgumentParser) -> None:
    """What the dashboard opens with, and where it answers."""
    parser.add_argument(
        "data",
        metavar="DATA",
        nargs="*",
        help="QRELS RUNS… (ASPECT=QRELS for each of several aspects; runs as files, folders or archives), "
        "or saved collections (.irviz), or score matrices (.csv), or the name of a bundled collection",
    )
    parser.add_argument("--ties", choices=list(TIE_RULES), default="trec_eval", help="how equal scores are ordered")
    parser.add_argument("--depth", type=int, default=1000, help="ranks kept of every list (default 1000)")
    where = parser.add_argument_group("server")
    where.add_argument("--port", help=f"default {PORT}, or the next that is free; 0 is any that is free")
    where.add_argument(
        "--address", help=f"whom it answers: {ADDRESS}, this machine only (default); 0.0.0.0, all that reach it"
    )
    where.add_argument("--path", help="what its address starts with behind a proxy, such as /irviz")
    where.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="any setting of Streamlit's config.toml"
    )


def open_dashboard(given: argparse.Namespace) -> None:
    """Start the dashboard; returns when it is stopped."""
    settings = server_settings(given)
    check_port(settings.get("server.address", ""), settings.get("server.port"))
    opened = opened_first(given.data, given.ties, given.depth)
    for one in opened:
        size = f"{counted(len(one.systems), 'system')}, {counted(len(one.topics), 'topic')}"
        sys.stderr.write(f"irviz: opened {one.title}: {size}.\n")
    start_with(opened)
    gc.collect()
    gc.freeze()  # what is loaded stays: Streamlit collects garbage after every run of a page
    sys.argv = [str(APP)]  # Streamlit looks for its settings beside the script that was started
    door = runpy.run_path(str(APP))
    try:
        door["app"].run(config=settings)
    except (door["st"].errors.StreamlitAPIException, ValueError) as error:  # of a setting, before anything is started
        raise IrvizError(f"{error} See --set.") from error


def opened_first(texts: Sequence[str], ties: str, depth: int) -> list[Opened]:
    """The data that the arguments name: judgments and runs, or what was saved."""
    qrels = list(takewhile(names_aspect, texts)) or list(texts[:1])
    runs = list(texts[len(qrels) :])
    saved = all(Path(text).suffix.lower() in (".irviz", ".csv") for text in texts)
    if saved or (len(texts) == 1 and not Path(texts[0]).is_file() and not is_url(texts[0])):
        return opened_files(texts)
    if not runs:
        raise IrvizError(f"`{listed(qrels)}` is here without runs. Give both: irviz QRELS RUNS…")
    return [opened_collection(loaded(qrels, runs, "DATA", ties, depth))]


def server_settings(given: argparse.Namespace) -> dict[str, Any]:
    """Streamlit's settings: what the options say, else the environment, else this machine only."""
    settings: dict[str, Any] = {"server.address": ADDRESS}
    for option, (name, variable) in _SETTINGS.items():
        said = getattr(given, option)
        if said is None and variable in os.environ:
            said = os.environ[variable]
        if said is not None:
            settings[name] = _port(said) if option == "port" else said
    return settings | {name: _literal(text) for name, text in pairs(given.set, "--set", "NAME=VALUE").items()}


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= 65535:
        return int(text)
    raise IrvizError(f"--port is a whole number up to 65535; got `{text}`.")


def _literal(text: str) -> Any:
    """A value as config.toml would hold it; a word without quotes is itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def check_port(address: str, port: int | None) -> None:
    """Refuse an address that cannot be answered at, before anything is started."""
    if port is None:
        return
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
