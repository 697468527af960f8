"""A compiled collection in one ``.irviz`` file: opened at once, trusted for nothing.

:mod:`irviz.collection.saving` says what is in it.  Everything is checked before it is
believed: sizes, names, the range of every index, and the fingerprint.  Nothing in it is
ever executed.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import ABSENT, BEYOND, TIE_RULES, Collection, Finding
from irviz.collection.names import base_name, readable
from irviz.collection.saving import FORMAT, HEADER, LABELS, RANKING, VERSION, VIEWS, WIDTHS
from irviz.errors import FileProblem, IrvizError

_LONGEST_HEADER, _LONGEST_VIEWS = 256 << 20, 16 << 20
#: what zipfile raises on broken files: a seek before the start is a ValueError, a password a RuntimeError
_DAMAGE = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError, struct.error)


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
            if VIEWS not in archive.namelist():
                return ()
            if archive.getinfo(VIEWS).file_size > _LONGEST_VIEWS:
                _refuse(file, f"its {VIEWS} is too long")
            read = json.loads(_stored(file, archive, VIEWS))
    except IrvizError:
        raise
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error
    except (*_DAMAGE, RecursionError) as error:
        raise FileProblem(file, None, f"its views cannot be read ({error}). Save it again.") from error
    if not isinstance(read, list) or not all(isinstance(text, str) for text in read):
        _refuse(file, f"its {VIEWS} is no list of texts")
    return tuple(read)


def _open(file: str, stream: Any) -> Collection:
    try:
        with zipfile.ZipFile(stream) as archive:
            header = _header(file, archive)
            shape = (len(header["topics"]), len(header["systems"]), header["depth"])
            ranking = _array(file, archive, RANKING, header["width"], shape).astype(np.int32)
            shape = (len(header["topics"]), header["judged"], len(header["aspects"]))
            labels = _array(file, archive, LABELS, "<i2", shape).astype(np.int16)
    except IrvizError:
        raise
    except _DAMAGE as error:
        raise FileProblem(file, None, f"this is no whole irviz collection ({error}). Save it again.") from error
    _check_ranges(file, header, ranking, labels)
    return _collection(file, header, ranking, labels)


def _header(file: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    names = sorted(name for name in archive.namelist() if name != VIEWS)
    if names != sorted((HEADER, RANKING, LABELS)):
        _refuse(file, f"it should hold {HEADER}, {LABELS} and {RANKING}")
    if archive.getinfo(HEADER).file_size > _LONGEST_HEADER:
        _refuse(file, f"its {HEADER} is too long")
    text = _stored(file, archive, HEADER)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        _refuse(file, f"its {HEADER} is no JSON")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse(file, f"its {HEADER} describes something else")
    version: Any = header.get("version")
    if not _whole(version, 1) or version > VERSION:
        message = f"was saved in format {version!r}; this irviz reads format {VERSION}. Update irviz, or save it again."
        raise FileProblem(file, None, message)
    _check_header(file, header)
    return header


def _check_header(file: str, header: dict[str, Any]) -> None:
    for key in ("topics", "systems", "aspects"):
        names = header.get(key)
        if not isinstance(names, list) or not names or not all(map(_is_text, names)):
            _refuse(file, f"its {key} are no list of names")
        if len(set(names)) != len(names):
            _refuse(file, f"its {key} repeat")
    grades = header.get("grades")
    if not isinstance(grades, list) or len(grades) != len(header["aspects"]) or not all(map(_ascending, grades)):
        _refuse(file, "its grades are no ascending numbers from 0 for every aspect")
    if not _whole(header.get("depth"), 1) or not _whole(header.get("judged"), 1) or header.get("width") not in WIDTHS:
        _refuse(file, "its sizes are no whole numbers")
    if not _is_text(header.get("ties")) or header["ties"] not in TIE_RULES or not _is_text(header.get("name")):
        _refuse(file, "its name or its tie rule is unknown")
    findings = header.get("findings")
    if not isinstance(findings, list) or not all(map(_is_finding, findings)):
        _refuse(file, "its findings are broken")


def _ascending(grades: object) -> bool:
    if not isinstance(grades, list) or not grades or grades[0] != 0:
        return False
    numbers = all(type(grade) in (int, float) and math.isfinite(grade) for grade in grades)
    return numbers and all(a < b for a, b in zip(grades, grades[1:], strict=False))


def _is_text(value: object) -> bool:
    """Whether a value of the header is a text that a file can hold: no half of a character."""
    return isinstance(value, str) and readable(value) == value


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) != 4:
        return False
    severity, file, line, message = item
    texts = _is_text(file) and _is_text(message)
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
