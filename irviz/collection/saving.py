"""Writing a collection as one ``.irviz`` file, which :mod:`irviz.collection.bundle` opens.

It is a zip of ``collection.json`` (names, grades, findings, shapes) and raw little-endian arrays, stored without
compression so that opening is a read.  Format 1 has lists and labels as arrays, and may have a ``views.json``: texts
that mean something to the dashboard.  Format 2 adds identifiers of documents, if they are asked for.  Format 3 has
several judges, with the arrays of the jury and the name of the selected judge; format 2 may have them too, with the
fingerprint of that judge alone.  Format 4 adds what users said, if it is asked for, as ``users.json``.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from irviz.collection.documents import Documents
from irviz.collection.ragged import Ragged
from irviz.errors import IrvizError
from irviz.places import VERSION as IRVIZ

FORMAT, FORMAT_VERSION = "irviz collection", 4
HEADER, RANKING_FILE, LABELS_FILE, VIEWS = "collection.json", "ranking.bin", "labels.bin", "views.json"
ENDS, IDENTIFIERS = "identifier_ends.bin", "identifiers.bin"
JUDGED, LISTED, SCORES = "judged_documents.bin", "listed_documents.bin", "listed_scores.bin"
DOCUMENT_FILES = (ENDS, IDENTIFIERS, JUDGED, LISTED, SCORES)
BELOW, USERS = "grades_below.bin", "users.json"
LONGEST_NAME = 1 << 14  #: characters of the name of a topic, system or aspect
LONGEST_BESIDE = 8 << 20  #: bytes of views.json and of users.json: while one is read, nobody else has a turn
WIDTHS = ("<i2", "<i4")
_DATE = (1980, 1, 1, 0, 0, 0)  # the same collection gives the same bytes


Savable: TypeAlias = Any  #: a :class:`~irviz.collection.model.Collection`; that module imports this one


def save(
    collection: Savable,
    path: str | os.PathLike[str],
    views: Sequence[str] = (),
    *,
    documents: bool = False,
    users: bool = False,
) -> Path:
    """The path of a file of `collection`, and of views of it, which appears whole or not at all.

    `documents`: also identifiers of documents, run-file scores and texts of topics; `users`: also what users said.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise IrvizError(f"A collection is saved to a path, such as 'mine.irviz'; got {type(path).__name__}.")
    target = Path(path).expanduser()
    try:
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=".irviz", dir=target.absolute().parent)
    except OSError as error:
        raise IrvizError(f"{target}: cannot be written ({error.strerror}). Choose a folder that exists.") from error
    try:
        with os.fdopen(handle, "wb") as out:
            _write(collection, out, views, documents, users)
        os.replace(temporary, target)
    except OSError as error:
        raise IrvizError(f"{target}: cannot be written ({error.strerror}).") from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def _write(collection: Savable, out: Any, views: Sequence[str], documents: bool, users: bool) -> None:
    jury = collection if collection.jury is None else collection.jury
    compacted = jury.documents.compact() if documents and jury.documents is not None else None
    if jury.ranking.tied is not None:
        what = "A saved file holds one order of documents, and ties='expected' counts all."
        raise IrvizError(f"{what} Load the runs with another tie rule, and save that.")
    width = WIDTHS[0] if jury.labels.width <= np.iinfo(np.int16).max else WIDTHS[1]
    header = _header(collection, jury, compacted, documents) | {"width": width}
    said = {"satisfaction": collection.satisfaction, "preferences": collection.preferences} if users else {}
    answers = {name: part.packed() for name, part in said.items() if part is not None}
    if answers:
        header |= {"version": 4, "users": sorted(answers)}
    arrays: list[tuple[str, Ragged, str]] = [(RANKING_FILE, jury.ranking, width), (LABELS_FILE, jury.labels, "<i2")]
    text, most = _text(header), longest_header(sum(_size(part, kind) for _, part, kind in arrays))
    if len(text) > most or max(map(len, (*jury.topics, *jury.systems, *jury.aspects))) > LONGEST_NAME:
        what = f"The names, findings and texts of this collection take {len(text) >> 10:,} KB. At most {most >> 10:,}"
        raise IrvizError(f"{what}, and {LONGEST_NAME:,} characters a name, can be saved. Save fewer or shorter ones.")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(HEADER, _DATE), text)
        for name, part, kind in arrays:
            _write_array(archive, name, part, kind)
        if compacted is not None:
            _write_documents(archive, compacted)
        for name, beside in ((USERS, answers), (VIEWS, list(views))):
            if len(text := _text(beside)) > LONGEST_BESIDE:
                size = f"would take {len(text) >> 20:,} MB, of which {LONGEST_BESIDE >> 20} MB are read again"
                raise IrvizError(f"The file's {name} {size}. Save fewer topics, or without it.")
            if beside:
                archive.writestr(zipfile.ZipInfo(name, _DATE), text)


def longest_header(arrays: int) -> int:
    """Bytes that the header of a collection may have, given those of its two arrays."""
    return min(16 << 20, (1 << 20) + 100 * arrays)


def _header(collection: Savable, whole: Savable, kept_documents: Documents | None, documents: bool) -> dict[str, Any]:
    header = {
        "format": FORMAT,
        "version": 1,
        "irviz": IRVIZ,
        "name": collection.name,
        "topics": whole.topics,
        "systems": whole.systems,
        "aspects": whole.aspects,
        "grades": whole.grades,
        "ties": collection.ties,
        "depth": whole.depth,
        "judged": whole.labels.width,
        "fingerprint": collection.fingerprint,
        "findings": [
            [f.severity, f.file, f.line, f.message if documents or f.unnamed is None else f.unnamed]
            for f in collection.findings
        ],
    }
    if documents and collection.topic_texts:
        header["topic_texts"] = dict(collection.topic_texts)
    if collection.groups:
        header["groups"] = dict(collection.groups)
    if kept_documents is not None:
        sizes = {
            "ranks": kept_documents.ranks,
            "identifiers": len(kept_documents.identifiers),
            "below": kept_documents.negative_grades is not None,
        }
        header |= {"version": 2, "documents": sizes}
    if collection.jury is not None:
        header |= {"version": 3, "judge": collection.judge, "judge_width": collection.labels.width}
    return header


def _size(part: Ragged, kind: str) -> int:
    return math.prod(part.shape) * np.dtype(kind).itemsize


def _write_array(archive: zipfile.ZipFile, name: str, part: Ragged, kind: str) -> None:
    member = zipfile.ZipInfo(name, _DATE)
    member.file_size = _size(part, kind)
    with archive.open(member, "w") as out:
        for block in part.blocks(kind):
            out.write(block.tobytes())


def _write_documents(archive: zipfile.ZipFile, kept_documents: Documents) -> None:
    names = kept_documents.identifiers.to_pylist()
    ends = np.cumsum([len(name) for name in names], dtype="<i8").tobytes()
    for name, data in ((ENDS, ends), (IDENTIFIERS, b"".join(names))):
        archive.writestr(zipfile.ZipInfo(name, _DATE), data)
    _write_array(archive, JUDGED, kept_documents.pool, "<i4")
    _write_array(archive, LISTED, kept_documents.lists, "<i4")
    _write_array(archive, SCORES, kept_documents.scores, "<f8")
    if kept_documents.negative_grades is not None:
        _write_array(archive, BELOW, kept_documents.negative_grades, "<f8")


def _text(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start : error.end])
        raise IrvizError(f"A name contains half of a character ({half}), which cannot be saved. Rename it.") from error
