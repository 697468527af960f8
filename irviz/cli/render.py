"""``python -m irviz render``: views as a report or as numbers, without a browser.

May import every floor below.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from irviz.cli.data import opened_files
from irviz.collection.bundle import bundled_views
from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.links.view import Complaint, View
from irviz.reports.draw import Shown, draw
from irviz.reports.html import report
from irviz.reports.provenance import numbers
from irviz.sharing.store import Store
from irviz.workspace.context import Opened
from irviz.workspace.resolve import library, opened_collection

LARGEST = 16 << 20  #: bytes of a file of views


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "views",
        metavar="VIEW",
        nargs="+",
        help="a link of the dashboard, a file of saved views (.json), or an .irviz file with views",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of to standard output")
    parser.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        default=[],
        help="what a view is about: an .irviz file, a folder, or the CSV file of a score matrix",
    )
    parser.add_argument("--title", default="irviz report")
    parser.add_argument("--note", default="")


def render(given: argparse.Namespace) -> None:
    """Draw the views, and write them where they are wanted."""
    views, opened, complaints = _read(given.views)
    opened += opened_files(given.data)
    opener, kept = library(opened), Path(given.output) if given.output else None
    shown = [draw(view, opener, store=Store) for view in views]
    for complaint in [*complaints, *(one for each in shown for one in each.complaints)]:
        sys.stderr.write(f"irviz: {complaint}\n")
    text = as_json(shown) if given.format == "json" else report(shown, given.title, given.note)
    if kept is None:
        sys.stdout.write(text)
        return
    try:
        kept.write_text(text, encoding="utf-8")
    except OSError as error:
        raise IrvizError(f"{kept}: cannot be written ({error.strerror}).") from error


def as_json(shown: Sequence[Shown]) -> str:
    """The numbers as one JSON text."""
    return json.dumps(numbers(shown), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def read_views(text: str) -> list[View]:
    """The views of a JSON text: one, or a list of them."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IrvizError(f"These saved views are not JSON ({error}).") from error
    return [View.from_json(json.dumps(one)) for one in (read if isinstance(read, list) else [read])]


def _read(texts: Sequence[str]) -> tuple[list[View], list[Opened], list[Complaint]]:
    """Views, the collections that came with them, and what their links do not say well."""
    views: list[View] = []
    opened: list[Opened] = []
    complaints: list[Complaint] = []
    for text in texts:
        path = Path(text)
        if "?" in text or not path.suffix:
            view, more = View.read_url(text)
            views, complaints = [*views, view], [*complaints, *more]
        elif path.suffix == ".irviz":
            views += [view for one in bundled_views(path) for view in read_views(one)]
            opened.append(opened_collection(open_collection(path)))
        else:
            views += read_views(_text(path))
    if not views:
        raise IrvizError("These files hold no views. Give a link, or save views with the collection.")
    return views, opened, complaints


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise IrvizError(f"{path}: {LARGEST >> 20} MB of views at most are read.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise IrvizError(f"{path}: cannot be read ({why}). Give a link, a .json file, or an .irviz file.") from error
