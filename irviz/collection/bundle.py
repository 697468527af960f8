"""A compiled collection in one ``.irviz`` file: opened at once, trusted for nothing.

The file is a zip of ``collection.json`` (names, grades, findings, shapes) and two
raw little-endian arrays, stored without compression so that opening is a read; a
``views.json`` may lie beside them, a list of texts that mean something to the dashboard.
Everything in it is checked before it is believed: sizes, names, the range of every
index, and the fingerprint.  Nothing in it is ever executed.

May import :mod:`irviz.errors` and :mod:`irviz.collection.model`.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import ABSENT, BEYOND, TIE_RULES, Collection, Finding
from irviz.collection.names import base_name
from irviz.errors import FileProblem, IrvizError

FORMAT, VERSION = "irviz collection", 1
_HEADER, _RANKING, _LABELS = "collection.json", "ranking.bin", "labels.bin"
_VIEWS = "views.json"
_LONGEST_HEADER, _LONGEST_VIEWS = 256 << 20, 16 << 20
_WIDTHS = ("<i2", "<i4")
#: what zipfile raises on broken files: a seek before the start is a ValueError, a password a RuntimeError
_DAMAGE = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError, struct.error)
_DATE = (1980, 1, 1, 0, 0, 0)  # the same collection gives the same bytes


def save(collection: Collection, path: str | os.PathLike[str], views: Sequence[str] = ()) -> Path:
    """Write `collection`, and views of it, to one file; the file appears whole or not at all.

    Returns
    -------
    Path
        Where it was written.
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
            _write(collection, out, views)
        os.replace(temporary, target)
    except OSError as error:
        raise IrvizError(f"{target}: cannot be written ({error.strerror}).") from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def _write(collection: Collection, out: Any, views: Sequence[str]) -> None:
    width = _WIDTHS[0] if collection.labels.shape[1] <= np.iinfo(np.int16).max else _WIDTHS[1]
    header = {
        "format": FORMAT,
        "version": VERSION,
        "name": collection.name,
        "topics": collection.topics,
        "systems": collection.systems,
        "aspects": collection.aspects,
        "grades": collection.grades,
        "ties": collection.ties,
        "depth": collection.depth,
        "judged": collection.labels.shape[1],
        "width": width,
        "fingerprint": collection.fingerprint,
        "findings": [[f.severity, f.file, f.line, f.message] for f in collection.findings],
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in (
            (_HEADER, json.dumps(header, ensure_ascii=False, allow_nan=False).encode()),
            (_RANKING, collection.ranking.astype(width).tobytes()),
            (_LABELS, collection.labels.astype("<i2").tobytes()),
        ):
            archive.writestr(zipfile.ZipInfo(name, _DATE), data)
        if views:
            archive.writestr(zipfile.ZipInfo(_VIEWS, _DATE), json.dumps(list(views), ensure_ascii=False).encode())


def open_bundle(source: str | os.PathLike[str] | tuple[str, bytes]) -> Collection:
    """Open what :func:`save` wrote: a path, or ``(name, bytes)`` such as an upload.

    Raises
    ------
    IrvizError
        For anything that is no whole, consistent collection.
    """
    if isinstance(source, tuple):
        return _open(base_name(source[0]), io.BytesIO(source[1]))
    path = Path(source).expanduser()
    try:
        with path.open("rb") as stream:
            return _open(path.name, stream)
    except OSError as error:
        raise IrvizError(f"{path}: cannot be opened ({error.strerror}).") from error


def bundled_views(source: str | os.PathLike[str] | tuple[str, bytes]) -> tuple[str, ...]:
    """The texts of the views that were saved with a collection; none where it was saved without.

    What they mean is not looked at here.
    """
    name, stream = (source[0], io.BytesIO(source[1])) if isinstance(source, tuple) else (str(source), source)
    file = base_name(name)
    try:
        with zipfile.ZipFile(stream) as archive:
            if _VIEWS not in archive.namelist():
                return ()
            if archive.getinfo(_VIEWS).file_size > _LONGEST_VIEWS:
                _refuse(file, f"its {_VIEWS} is too long")
            read = json.loads(_stored(file, archive, _VIEWS))
    except IrvizError:
        raise
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error
    except (*_DAMAGE, RecursionError) as error:
        raise FileProblem(file, None, f"its views cannot be read ({error}). Save it again.") from error
    if not isinstance(read, list) or not all(isinstance(text, str) for text in read):
        _refuse(file, f"its {_VIEWS} is no list of texts")
    return tuple(read)


def _open(file: str, stream: Any) -> Collection:
    try:
        with zipfile.ZipFile(stream) as archive:
            header = _header(file, archive)
            shape = (len(header["topics"]), len(header["systems"]), header["depth"])
            ranking = _array(file, archive, _RANKING, header["width"], shape).astype(np.int32)
            shape = (len(header["topics"]), header["judged"], len(header["aspects"]))
            labels = _array(file, archive, _LABELS, "<i2", shape).astype(np.int16)
    except IrvizError:
        raise
    except _DAMAGE as error:
        raise FileProblem(file, None, f"this is no whole irviz collection ({error}). Save it again.") from error
    _check_ranges(file, header, ranking, labels)
    return _collection(file, header, ranking, labels)


def _header(file: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    names = sorted(name for name in archive.namelist() if name != _VIEWS)
    if names != sorted((_HEADER, _RANKING, _LABELS)):
        _refuse(file, f"it should hold {_HEADER}, {_LABELS} and {_RANKING}")
    if archive.getinfo(_HEADER).file_size > _LONGEST_HEADER:
        _refuse(file, f"its {_HEADER} is too long")
    text = _stored(file, archive, _HEADER)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        _refuse(file, f"its {_HEADER} is no JSON")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse(file, f"its {_HEADER} describes something else")
    version: Any = header.get("version")
    if not _whole(version, 1) or version > VERSION:
        message = f"was saved in format {version!r}; this irviz reads format {VERSION}. Update irviz, or save it again."
        raise FileProblem(file, None, message)
    _check_header(file, header)
    return header


def _check_header(file: str, header: dict[str, Any]) -> None:
    for key in ("topics", "systems", "aspects"):
        names = header.get(key)
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            _refuse(file, f"its {key} are no list of names")
        if len(set(names)) != len(names):
            _refuse(file, f"its {key} repeat")
    grades = header.get("grades")
    if not isinstance(grades, list) or len(grades) != len(header["aspects"]) or not all(map(_ascending, grades)):
        _refuse(file, "its grades are no ascending numbers from 0 for every aspect")
    if not _whole(header.get("depth"), 1) or not _whole(header.get("judged"), 1) or header.get("width") not in _WIDTHS:
        _refuse(file, "its sizes are no whole numbers")
    if header.get("ties") not in TIE_RULES or not isinstance(header.get("name"), str):
        _refuse(file, "its name or its tie rule is unknown")
    findings = header.get("findings")
    if not isinstance(findings, list) or not all(map(_is_finding, findings)):
        _refuse(file, "its findings are broken")


def _ascending(grades: object) -> bool:
    if not isinstance(grades, list) or not grades or grades[0] != 0:
        return False
    numbers = all(type(grade) in (int, float) and math.isfinite(grade) for grade in grades)
    return numbers and all(a < b for a, b in zip(grades, grades[1:], strict=False))


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) != 4:
        return False
    severity, file, line, message = item
    texts = isinstance(file, str) and isinstance(message, str)
    return severity in ("note", "warning", "error") and texts and (line is None or _whole(line, 1))


def _whole(number: object, least: int) -> bool:
    return type(number) is int and least <= number < 2**31


def _array(file: str, archive: zipfile.ZipFile, name: str, width: str, shape: tuple[int, ...]) -> NDArray[np.integer]:
    expected = math.prod(shape) * np.dtype(width).itemsize
    found = archive.getinfo(name).file_size
    if found != expected:
        _refuse(file, f"its {name} has {found:,} bytes where {expected:,} are due")
    return np.frombuffer(_stored(file, archive, name), dtype=width).reshape(shape)


def _stored(file: str, archive: zipfile.ZipFile, name: str) -> bytes:
    """A member, which is stored as it is: no compression means no bomb."""
    if archive.getinfo(name).compress_type != zipfile.ZIP_STORED:
        _refuse(file, f"its {name} is compressed")
    return archive.read(name)


def _check_ranges(file: str, header: dict[str, Any], ranking: NDArray[np.int32], labels: NDArray[np.int16]) -> None:
    """Every index must point at something: a judged document, a level of its aspect."""
    if ranking.min() < BEYOND or ranking.max() >= header["judged"]:
        _refuse(file, "a ranking points at no judged document")
    levels = np.array([len(grades) for grades in header["grades"]])
    if labels.min() < ABSENT or (labels.max(axis=(0, 1)) >= levels).any():
        _refuse(file, "a label is no level of its aspect")


def _collection(file: str, header: dict[str, Any], ranking: NDArray[np.int32], labels: NDArray[np.int16]) -> Collection:
    opened = Collection(
        name=header["name"],
        topics=tuple(header["topics"]),
        systems=tuple(header["systems"]),
        aspects=tuple(header["aspects"]),
        grades=tuple(map(tuple, header["grades"])),
        ranking=ranking,
        labels=labels,
        ties=header["ties"],
        findings=tuple(Finding(*item) for item in header["findings"]),
    )
    if opened.fingerprint != header.get("fingerprint"):
        _refuse(file, "its fingerprint does not fit its content")
    return opened


def _refuse(file: str, why: str) -> NoReturn:
    raise FileProblem(file, None, f"this is no whole irviz collection ({why}). Save it again.")
