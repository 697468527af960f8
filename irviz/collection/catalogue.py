"""Collections by name, and how any collection is opened.

A folder is a collection if it has a ``collection.json``; the bundled ones are in ``data/``::

    {"title": "…", "description": "…", "qrels": {"relevance": "qrels.relevance.gz"}, "runs": "runs"}

``qrels`` maps aspects, in order of importance, to files of the folder, or names one file; ``runs`` names the folder or
a list of the files of the runs; ``levels`` are as for :func:`irviz.load_collection`.  ``judges`` may name further
judgments, {judge: file}, the first of them the qrels; ``topics``, ``satisfaction`` and ``preferences`` a file.  A
collection that is bundled compiled has ``"bundle": "name.irviz"`` instead.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irviz.collection.bundle import open_bundle
from irviz.collection.codes import TIE_RULES
from irviz.collection.documents import DEFAULT_RANKS
from irviz.collection.load import check_depth, load_collection
from irviz.collection.model import Collection
from irviz.collection.recognise import kind_of
from irviz.errors import FileProblem, IrvizError, choose, join_words, unknown
from irviz.places import DATA

CARD = "collection.json"


@dataclass(frozen=True)
class CatalogueEntry:
    """A collection that can be opened by name, with the tie rules that its files allow."""

    name: str
    title: str
    description: str
    folder: Path
    rules: tuple[str, ...] = tuple(TIE_RULES)


@cache
def bundled_collections() -> tuple[CatalogueEntry, ...]:
    """The collections that come with irviz.

    >>> [entry.name for entry in bundled_collections()]
    ['adhoc', 'dl2021', 'multiaspect', 'tiangong']
    """
    return tuple(_entry(card.parent) for card in sorted(DATA.glob(f"*/{CARD}")))


def known_folders() -> dict[str, Path]:
    """Name → folder of every collection that :func:`open_collection` knows."""
    return {entry.name: entry.folder for entry in bundled_collections()}


def _entry(folder: Path) -> CatalogueEntry:
    card = _read_card(folder)
    rules = tuple(TIE_RULES) if "bundle" not in card else (open_bundle(_inside(folder, card["bundle"])).ties,)
    title, description = str(card.get("title", folder.name)), str(card.get("description", ""))
    return CatalogueEntry(folder.name, title, description, folder, rules)


def open_collection(
    name_or_path: str | Path, *, ties: str | None = None, depth: int = 1000, documents: int | str = DEFAULT_RANKS
) -> Collection:
    """A bundled collection, a folder with a ``collection.json``, or an ``.irviz`` file.

    Parameters
    ----------
    name_or_path : str or path
        For a file that is called as a bundled collection, write ``./name``.
    ties : str, optional
        A key of `TIE_RULES`; by default ``"trec_eval"``, or that of an ``.irviz`` file, which allows no other.
    depth : int
        Ranks kept, at most.
    documents : int or str
        Which identifiers are kept, as in :func:`irviz.load_collection`; of no effect for an ``.irviz`` file.

    Returns
    -------
    Collection

    Raises
    ------
    IrvizError
        If there is no such collection (with the nearest names), or its files are refused.
    """
    if ties is not None:
        choose("tie rule", ties, list(TIE_RULES))
    check_depth(depth)
    if not isinstance(name_or_path, (str, os.PathLike)):
        raise IrvizError(f"A collection is opened by its name or its path; got {type(name_or_path).__name__}.")
    path = Path(name_or_path)
    if isinstance(name_or_path, str):
        path = known_folders().get(name_or_path, path)
    if path.is_dir():
        return _open_folder(path, ties, depth, documents)
    if path.is_file():
        return _open_file(path, ties, depth)
    if {"/", "\\", "."}.isdisjoint(name := str(name_or_path)):
        raise unknown("collection", name, list(known_folders()))
    advice = f"Give an .irviz file, a folder with a {CARD}, or one of {join_words(known_folders(), most=40)}."
    raise IrvizError(f"There is no file or folder `{name}`. {advice}")


def _open_file(path: Path, ties: str | None, depth: int) -> Collection:
    with path.open("rb") as file:
        kind = kind_of(path.name, file.read(1 << 16))
    if kind in ("qrels", "run"):
        what = f"{path.name} holds {'judgments' if kind == 'qrels' else 'a run'}, not a saved collection."
        raise IrvizError(f"{what} Use irviz.load_collection(qrels, runs), or in a shell --qrels and --runs.")
    collection = open_bundle(path)
    if ties not in (None, collection.ties):
        what = f"{path.name} was compiled with the tie rule `{collection.ties}`, and holds no scores to break ties by"
        raise IrvizError(f"{what} `{ties}`. Load its qrels and runs again with ties='{ties}'.")
    return collection if depth >= collection.depth else collection.subset(depth=depth)


def files_of(folder: Path) -> dict[str, Any]:
    """The files that the ``collection.json`` of a folder names, as arguments of :func:`irviz.load_collection`.

    ``judges`` is the further judgments, {judge: file}, or None.
    """
    card = _read_card(folder)
    qrels, runs = card.get("qrels"), card.get("runs")
    if not isinstance(qrels, str | dict) or not qrels or not isinstance(runs, str | list) or not runs:
        what = "it must name `qrels`, a file or {aspect: file}, and `runs`, a folder or a list of files"
        raise _bad_card(folder, what)
    named = _file_paths(folder, qrels) if isinstance(qrels, dict) else _inside(folder, qrels)
    judges = card.get("judges")
    single = {name: card.get(name) for name in ("topics", "satisfaction", "preferences")}
    if not isinstance(judges, dict | None) or not all(isinstance(file, str | None) for file in single.values()):
        raise _bad_card(folder, "`judges` must be {judge: file}; `topics`, `satisfaction` and `preferences` a file")
    files = _inside(folder, runs) if isinstance(runs, str) else [_inside(folder, file) for file in runs]
    others = {name: None if file is None else _inside(folder, file) for name, file in single.items()}
    second = None if judges is None else _file_paths(folder, judges)
    return {"qrels": named, "runs": files, "levels": card.get("levels"), "judges": second, **others}


def _file_paths(folder: Path, files: dict[str, object]) -> dict[str, Path]:
    return {str(name): _inside(folder, file) for name, file in files.items()}


def _open_folder(folder: Path, ties: str | None, depth: int, documents: int | str) -> Collection:
    card = _read_card(folder)
    if "bundle" in card:
        return _open_file(_inside(folder, card["bundle"]), ties, depth)
    files = files_of(folder)
    judges = files.pop("judges")
    files |= {"judges": judges is not None, "qrels": judges or files["qrels"]}
    return load_collection(**files, ties=ties or "trec_eval", depth=depth, name=folder.name, documents=documents)


def _read_card(folder: Path) -> dict[str, Any]:
    path = folder / CARD
    if not path.is_file():
        what = f"{folder} holds no {CARD}, so it does not say which files are qrels and which are runs."
        raise IrvizError(f"{what} Use irviz.load_collection(qrels, runs).")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise _bad_card(folder, f"it is not JSON ({problem})") from problem
    if not isinstance(card, dict):
        raise _bad_card(folder, "it is not a JSON object")
    return card


def _inside(folder: Path, file: object) -> Path:
    """A path that the card names, which must not lead out of the folder."""
    path = folder / str(file)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise _bad_card(folder, f"it names `{file}`, which is outside the folder")
    return path


def _bad_card(folder: Path, why: str) -> FileProblem:
    return FileProblem(f"{folder.name}/{CARD}", None, f"{why}. See data/adhoc/{CARD} for one that works.")
