"""``irviz``: the dashboard, opened from the command line."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import runpy
import sys
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from threading import Thread
from typing import Any

import irviz
from irviz.cli.data import add_reading, is_url, key_values, load_files, names_aspect
from irviz.cli.main import Command
from irviz.errors import IrvizError, join_words, number_of, visible
from irviz.places import APP, check_port
from irviz.workspace.context import Dataset
from irviz.workspace.data import START_DATA, opened_collection, opened_scores

_ADDRESS, _PORT = "localhost", 8501
_SETTINGS = {  #: option → Streamlit's setting, and the variable of the environment that `streamlit run` reads for it
    "port": ("server.port", "STREAMLIT_SERVER_PORT"),
    "address": ("server.address", "STREAMLIT_SERVER_ADDRESS"),
    "path": ("server.baseUrlPath", "STREAMLIT_SERVER_BASE_URL_PATH"),
}


def add_app(parser: argparse.ArgumentParser) -> None:
    """Options of the dashboard: its data and its address."""
    parser.add_argument(
        "data",
        metavar="DATA",
        nargs="*",
        help="QRELS RUNS… (ASPECT=QRELS for each of several aspects; runs as files, folders or archives), "
        "or saved collections (.irviz), or score matrices (.csv), or the name of a bundled collection",
    )
    add_reading(parser)
    parser.add_argument("--depth", type=int, default=1000, help="ranks kept of every list (default 1000)")
    where = parser.add_argument_group("server")
    where.add_argument("--port", help=f"default {_PORT}, or the next free port; 0 means any free port")
    where.add_argument(
        "--address", help=f"who can reach it: {_ADDRESS}, this machine only (default); 0.0.0.0, every machine"
    )
    where.add_argument("--path", help="the path under which a proxy offers it, such as /irviz")
    where.add_argument(
        "--browser",
        action=argparse.BooleanOptionalAction,
        help="whether a browser opens it (default: if there is a terminal and a screen)",
    )
    where.add_argument(
        "--set", metavar="NAME=VALUE", action="append", default=[], help="any setting of Streamlit's config.toml"
    )


def start_dashboard(arguments: argparse.Namespace) -> None:
    """Start the dashboard; returns when it is stopped."""
    settings = server_settings(arguments)
    address, port = settings["server.address"], settings.get("server.port")
    settings["server.port"] = _first_free(address) if port is None else check_port(address, port)
    opened = opened_first(arguments)
    for dataset in opened:
        size = f"{number_of(len(dataset.systems), 'system')}, {number_of(len(dataset.topics), 'topic')}"
        sys.stderr.write(visible(f"irviz: opened {dataset.title}: {size}.\n"))
    START_DATA.update((dataset.key, dataset) for dataset in opened)
    gc.collect()
    gc.freeze()  # what is loaded stays: Streamlit collects garbage after every run of a page
    sys.argv = [str(APP)]  # Streamlit looks for its settings beside the script that was started
    settings.setdefault("logger.hideWelcomeMessage", True)
    Thread(target=_say_address, args=(address_of(settings), opens_browser(arguments.browser)), daemon=True).start()
    door = runpy.run_path(str(APP))
    try:
        door["app"].run(config=settings)
    except (door["st"].errors.StreamlitAPIException, ValueError) as error:  # of a setting, before anything is started
        raise IrvizError(f"{error} See --set.") from error


def opened_first(arguments: argparse.Namespace) -> list[Dataset]:
    """The data that the arguments name: judgments and runs, or saved files."""
    texts: list[str] = arguments.data
    qrels = list(takewhile(names_aspect, texts)) or list(texts[:1])
    runs = list(texts[len(qrels) :])
    saved = all(Path(text).suffix.lower() in (".irviz", ".csv") for text in texts)
    if texts and saved and (arguments.judges or arguments.texts):
        raise IrvizError("A saved collection already has its judges and texts; --judges and --texts need QRELS.")
    if saved or (len(texts) == 1 and not Path(texts[0]).is_file() and not is_url(texts[0])):
        return opened_files(texts)
    if not runs:
        raise IrvizError(f"`{join_words(qrels)}` is given without runs. Give both: irviz QRELS RUNS…")
    return [opened_collection(load_files(qrels, runs, "DATA", arguments, arguments.depth))]


def opened_files(texts: Sequence[str]) -> list[Dataset]:
    """Saved collections and folders; CSV files together are the score matrices of one import."""
    tables = [text for text in texts if text.lower().endswith(".csv")]
    opened = [opened_collection(irviz.open_collection(text)) for text in texts if text not in tables]
    if tables:
        opened.append(opened_scores(irviz.load_scores(tables)))
    return opened


def server_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Streamlit's settings: from the options, else from the environment, else this machine only."""
    settings: dict[str, Any] = {"server.address": _ADDRESS}
    for option, (name, variable) in _SETTINGS.items():
        setting = getattr(arguments, option)
        if setting is None and variable in os.environ:
            setting = os.environ[variable]
        if option == "port" and setting is not None:
            if not setting.isascii() or not setting.isdigit() or int(setting) > 65535:
                raise IrvizError(f"--port must be a whole number up to 65535; got `{setting}`.")
            setting = int(setting)
        settings |= {} if setting is None else {name: setting}
    return settings | {name: _literal(text) for name, text in key_values(arguments.set, "--set", "NAME=VALUE").items()}


def _literal(text: str) -> Any:
    """A value as config.toml would hold it; a word without quotes is itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def opens_browser(option: bool | None) -> bool:
    """True if a browser opens the dashboard: as asked for; by default only on a computer with a screen."""
    if option is not None:
        return option
    screen = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return screen and sys.stdout.isatty()


def address_of(settings: dict[str, Any]) -> str:
    """The dashboard's address for a browser on this machine."""
    host = settings["server.address"]
    host = "localhost" if host in ("0.0.0.0", "::", "") else host
    path = str(settings.get("server.baseUrlPath", "")).strip("/")
    return f"http://{host}:{settings['server.port']}/{path}"


def _say_address(address: str, in_browser: bool) -> None:
    """Write the address of the dashboard as soon as it answers, and open it in a browser if asked to."""
    for _ in range(600):
        with contextlib.suppress(OSError), closing(urllib.request.urlopen(address, timeout=5)):
            sys.stderr.write(f"irviz: {address} (Ctrl+C stops it)\n")
            if in_browser:
                webbrowser.open(address)
            return
        time.sleep(0.1)


def _first_free(address: str) -> int:
    """The usual port, or the next that is free."""
    for port in range(_PORT, _PORT + 100):
        with contextlib.suppress(IrvizError):
            return check_port(address, port)
    raise IrvizError(f"No port from {_PORT} to {_PORT + 99} is free. Give another --port; 0 means any free port.")


COMMANDS = {"app": Command(add_app, start_dashboard, ())}
