"""``irviz render``: views as a report, as a folder of pages or as numbers, without a browser."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from irviz.cli.dashboard import opened_files
from irviz.cli.data import add_measures, add_source, asked_measures, collection, has_collection
from irviz.cli.main import Command
from irviz.collection.bundle import bundled_views
from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError, number_of, visible
from irviz.menu import LABS, PAGES, page_named
from irviz.publish.draw import draw
from irviz.publish.provenance import plain_data
from irviz.publish.report import report
from irviz.publish.site import INDEX, labs_site, site
from irviz.workspace.context import Dataset
from irviz.workspace.data import COLLECTION, Opener, library, opened_collection, view_on_data
from irviz.workspace.store import Store
from irviz.workspace.view import Complaint, View

_DEPTH = 1000  #: ranks kept of every list
_LARGEST_VIEWS = 16 << 20  #: bytes of a file of views


def add_render(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "views",
        metavar="VIEW",
        nargs="*",
        help="a link of the dashboard (of the data given here, if it names none), a file of links, one a line, or an "
        ".irviz file with views",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write; by default standard output")
    parser.add_argument(
        "--site",
        metavar="FOLDER",
        help="folder for linked pages instead of one report; without a VIEW, every page of the data except the labs",
    )
    parser.add_argument(
        "--labs",
        metavar="FOLDER",
        help="folder for the labs as pages whose figures move, which need neither server nor network; no VIEW",
    )
    parser.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        default=[],
        help="the data of the views: an .irviz file, a folder, or the CSV file of a score matrix",
    )
    add_source(parser)
    add_measures(parser)
    parser.add_argument("--title", default="irviz report", help="title of the report")
    parser.add_argument("--note", default="", help="note below the title")


def render(arguments: argparse.Namespace) -> None:
    """Draw the views, and write them where they are wanted."""
    if arguments.labs:
        if arguments.views or arguments.site or arguments.output:
            raise IrvizError("--labs writes the labs and nothing else: leave out views, --site and --output.")
        _write_folder(Path(arguments.labs), labs_site(LABS))
        sys.stderr.write(
            visible(f"irviz: {number_of(len(LABS), 'lab')} in {arguments.labs}; open {Path(arguments.labs) / INDEX}\n")
        )
        return
    datasets = opened_files(arguments.data)
    if has_collection(arguments):
        datasets.append(opened_collection(collection(arguments, _DEPTH)))
    views, bundled, complaints = _read(arguments.views, datasets)
    opened = [*bundled, *datasets]
    opener = library(opened)
    _say(complaints)
    if arguments.site:
        _site(arguments, views, opened, opener)
        return
    if not views:
        raise IrvizError("No view is given. Give a link, a file of views, or --site FOLDER for every page of the data.")
    contents = [draw(_with_measures(view, arguments), opener, store=Store) for view in views]
    _say([complaint for content in contents for complaint in content.complaints])
    if arguments.format == "json":
        text = json.dumps(plain_data(contents), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    else:
        text = report(contents, arguments.title, arguments.note)
    if arguments.output:
        _write(Path(arguments.output), text)
    else:
        sys.stdout.write(text)


def _site(arguments: argparse.Namespace, views: Sequence[View], datasets: Sequence[Dataset], opener: Opener) -> None:
    """A folder of linked pages; a page that refuses the data is named on the first one, with the reason."""
    keys = [dataset.key for dataset in datasets] or [COLLECTION.default]
    all_views = [View.from_texts(page.name, collection=key) for key in keys for page in PAGES if not page.lab]
    contents, left_out = [], {}
    for view in views or all_views:
        try:
            contents.append(draw(_with_measures(view, arguments), opener, store=Store))
        except IrvizError as error:
            if views:
                raise
            left_out[page_named(view.page).title] = str(error)
    _say([complaint for content in contents for complaint in content.complaints])
    folder = Path(arguments.site)
    _write_folder(folder, site(contents, left_out, arguments.title, arguments.note))
    sys.stderr.write(visible(f"irviz: {number_of(len(contents), 'page')} in {folder}; open {folder / INDEX}\n"))


def _write_folder(folder: Path, files: Mapping[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IrvizError(f"{folder}: cannot be written ({error.strerror}).") from error
    for name, text in files.items():
        _write(folder / name, text)


def _with_measures(view: View, arguments: argparse.Namespace) -> View:
    """The view under the measures that the command line names."""
    named = {"measures": ",".join(asked_measures(arguments))} if arguments.measures else {}
    return View.from_texts(view.page, **{**view.values, **named})


def _say(complaints: Iterable[Complaint]) -> None:
    for complaint in complaints:
        sys.stderr.write(visible(f"irviz: {complaint}\n"))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise IrvizError(f"{path}: cannot be written ({error.strerror}).") from error


def _read(texts: Sequence[str], mine: Sequence[Dataset]) -> tuple[list[View], list[Dataset], list[Complaint]]:
    """Views, the collections that came with them, and what their links do not say well.

    A link that names no data shows `mine`, the first of them, if any are given.
    """
    views: list[View] = []
    opened: list[Dataset] = []
    complaints: list[Complaint] = []
    for text in texts:
        path = Path(text)
        links, data = [text], mine
        if "?" not in text and path.suffix == ".irviz":
            links, data = list(bundled_views(path)), ()
            opened.append(opened_collection(open_collection(path)))
        elif "?" not in text and path.suffix:
            links = _text(path).split()
        for link in links:
            view, more = View.read_url(link)
            views, complaints = [*views, view_on_data(view, data)], [*complaints, *more]
    if texts and not views:
        raise IrvizError("These files contain no views. Give a link, or save views with the collection.")
    return views, opened, complaints


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_VIEWS:
            raise IrvizError(f"{path}: {_LARGEST_VIEWS >> 20} MB of views at most are read.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise IrvizError(f"{path}: cannot be read ({why}). Give a link, a file of links, or an .irviz file.") from error


COMMANDS = {"render": Command(add_render, render, ("html", "json"))}
