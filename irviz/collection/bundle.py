"""A compiled collection in one ``.irviz`` file: opened quickly, and never trusted.

:mod:`irviz.collection.saving` describes its content.  Everything is checked before it is
used: the zip's directory, sizes, names, the range of every index, and the fingerprint.  Nothing in it is
ever executed.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection import saving as form
from irviz.collection.codes import ABSENT, BEYOND, MOST_LEVELS, MOST_POOLED, TIE_RULES, Finding
from irviz.collection.documents import NO_INDEX, Documents
from irviz.collection.model import Collection
from irviz.collection.names import base_name, readable
from irviz.collection.people import unpacked
from irviz.collection.sources import opened_zip
from irviz.collection.text import read_json
from irviz.collection.topics import LONGEST_TEXT
from irviz.errors import FileProblem, IrvizError, listed

MEMBERS = 16  #: at most; a bundle has ten and its views
_USERS = (["satisfaction"], ["preferences"], ["preferences", "satisfaction"])  #: what users may have said
#: what zipfile raises on broken files: a seek before the start is a ValueError, a password a RuntimeError
_DAMAGE = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError, struct.error)


def read_header(file: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    """The header, checked in itself and against the names of the file's members."""
    names = archive.namelist()
    if names.count(form.HEADER) != 1:
        refuse_bundle(file, f"it should hold one {form.HEADER}")
    arrays = sum(archive.getinfo(name).file_size for name in (form.RANKING_FILE, form.LABELS_FILE) if name in names)
    if archive.getinfo(form.HEADER).file_size > form.longest_header(arrays):
        refuse_bundle(file, f"its {form.HEADER} is too long")
    text = stored(file, archive, form.HEADER)
    try:
        header = read_json(text.decode())
    except (ValueError, RecursionError):
        refuse_bundle(file, f"its {form.HEADER} is not JSON")
    if not isinstance(header, dict) or header.get("format") != form.FORMAT:
        refuse_bundle(file, f"its {form.HEADER} describes something else")
    version: Any = header.get("version")
    if not _whole(version, 1) or version > form.FORMAT_VERSION:
        known = f"this irviz reads format {form.FORMAT_VERSION}"
        message = f"was saved in format {version!r}; {known}. Update irviz, or save it again."
        raise FileProblem(file, None, message)
    _check_header(file, header)
    expected = promised_members(header)
    if sorted(name for name in names if name != form.VIEWS) != sorted(expected):
        refuse_bundle(file, f"it should hold {listed(sorted(expected), most=9, joiner='and')}")
    return header


def promised_members(header: dict[str, Any]) -> list[str]:
    """Names of the members that a checked header promises."""
    found = [form.HEADER, form.RANKING_FILE, form.LABELS_FILE]
    if "documents" in header:
        found += [*form.DOCUMENT_FILES, *[form.BELOW] * header["documents"]["below"]]
    return found + [form.USERS] * ("users" in header)


def _check_header(file: str, header: dict[str, Any]) -> None:
    for key in ("topics", "systems", "aspects"):
        names = header.get(key)
        if not isinstance(names, list) or not names or not all(map(_is_text, names)):
            refuse_bundle(file, f"its {key} are not a list of names")
        if max(map(len, names)) > form.LONGEST_NAME:
            refuse_bundle(file, f"its {key} have endless names")
        if len(set(names)) != len(names):
            refuse_bundle(file, f"its {key} repeat")
    grades = header.get("grades")
    if not isinstance(grades, list) or len(grades) != len(header["aspects"]) or not all(map(_ascending, grades)):
        refuse_bundle(file, "its grades are not ascending numbers from 0 for every aspect")
    if len(header["topics"]) * sum(map(len, grades)) > MOST_POOLED:
        refuse_bundle(file, "it has too many different grades for so many topics")
    if (
        not _whole(header.get("depth"), 1)
        or not _whole(header.get("judged"), 1)
        or header.get("width") not in list(form.WIDTHS)
    ):
        refuse_bundle(file, "its sizes are not whole numbers")
    if header.get("ties") not in list(TIE_RULES) or not _is_text(header.get("name")):
        refuse_bundle(file, "its name or its tie rule is unknown")
    findings = header.get("findings")
    if not isinstance(findings, list) or not all(map(_is_finding, findings)):
        refuse_bundle(file, "its findings are broken")
    if "users" in header and (header["version"] < 4 or header["users"] not in _USERS):
        refuse_bundle(file, "what its users said is unknown")
    _check_judges(file, header)
    _check_documents(file, header)


def _check_judges(file: str, header: dict[str, Any]) -> None:
    if "judge" not in header:
        return
    if header["judge"] not in header["aspects"] or not _whole(header.get("judge_width"), 1):
        refuse_bundle(file, "its judge is unknown")
    if header["judge_width"] > header["judged"]:
        refuse_bundle(file, "one judge judged more than all together")


def _check_documents(file: str, header: dict[str, Any]) -> None:
    texts = header.get("topic_texts", {})
    if not isinstance(texts, dict) or not all(_is_text(t) and len(t) <= LONGEST_TEXT for t in texts.values()):
        refuse_bundle(file, "its texts of topics are broken")
    if "documents" not in header:
        return
    sizes = header["documents"]
    if not isinstance(sizes, dict) or not _whole(sizes.get("ranks"), 0) or not _whole(sizes.get("identifiers"), 0):
        refuse_bundle(file, "its documents are not counted")
    if sizes["ranks"] > header["depth"] or not isinstance(sizes.get("below"), bool):
        refuse_bundle(file, "its documents do not fit its lists")


def _ascending(grades: object) -> bool:
    if not isinstance(grades, list) or not 0 < len(grades) <= MOST_LEVELS or grades[0] != 0:
        return False
    numbers = all(type(grade) in (int, float) and math.isfinite(grade) for grade in grades)
    return numbers and all(a < b for a, b in zip(grades, grades[1:], strict=False))


def _is_text(value: object) -> bool:
    """True if a value of the header is a text that UTF-8 can encode, without lone surrogates."""
    return isinstance(value, str) and readable(value) == value


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) != 4:
        return False
    severity, file, line, message = item
    texts = _is_text(file) and _is_text(message)
    return severity in ("note", "warning", "error") and texts and (line is None or _whole(line, 1))


def _whole(number: object, least: int) -> bool:
    return type(number) is int and least <= number < 2**31


def stored(file: str, archive: zipfile.ZipFile, name: str) -> bytes:
    """A member, which is stored as it is: no compression means no bomb."""
    if archive.getinfo(name).compress_type != zipfile.ZIP_STORED:
        refuse_bundle(file, f"its {name} is compressed")
    return archive.read(name)


def refuse_bundle(file: str, why: str) -> NoReturn:
    raise FileProblem(file, None, f"this is not a whole irviz collection ({why}). Save it again.")


def open_bundle(source: str | os.PathLike[str] | tuple[str, bytes]) -> Collection:
    """Open what :func:`save` wrote: a path, or ``(name, bytes)`` such as an upload.

    Raises
    ------
    IrvizError
        For anything that is not a whole, consistent collection.
    """
    with _opened(source, "this is not a whole irviz collection ({}). Save it again.") as (file, archive):
        header = read_header(file, archive)
        shape = (len(header["topics"]), len(header["systems"]), header["depth"])
        ranking = _array(file, archive, form.RANKING_FILE, header["width"], shape).astype(np.int32)
        pool = (len(header["topics"]), header["judged"], len(header["aspects"]))
        labels = _array(file, archive, form.LABELS_FILE, "<i2", pool).astype(np.int16)
        documents = _documents(file, archive, header, shape, pool) if "documents" in header else None
        users = _users(file, archive, header) if "users" in header else {}
    _check_ranges(file, header, ranking, labels)
    return _collection(file, header, ranking, labels, documents).attached(**users)


def bundled_views(source: str | os.PathLike[str] | tuple[str, bytes]) -> tuple[str, ...]:
    """The texts of the views that were saved with a collection, if any.

    Their meaning is not checked here.
    """
    with _opened(source, "its views cannot be read ({}). Save it again.") as (file, archive):
        if form.VIEWS not in archive.namelist():
            return ()
        read = _beside(file, archive, form.VIEWS)
    if not isinstance(read, list) or not all(isinstance(text, str) for text in read):
        refuse_bundle(file, f"its {form.VIEWS} is not a list of texts")
    return tuple(read)


@contextmanager
def _opened(source: str | os.PathLike[str] | tuple[str, bytes], damaged: str) -> Iterator[tuple[str, zipfile.ZipFile]]:
    """The file's name, and the zip with its directory checked as an archive's: few entries, which do not overlap.

    Files that break while they are read are refused as `damaged`, with the reason.
    """
    name = source[0] if isinstance(source, tuple) else os.fspath(source)
    file = base_name(name)
    try:
        opened = io.BytesIO(source[1]) if isinstance(source, tuple) else Path(source).expanduser().open("rb")
        with opened as stream, opened_zip(file, stream, stream.seek(0, os.SEEK_END), MEMBERS) as archive:
            yield file, archive
    except IrvizError:
        raise
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error
    except (*_DAMAGE, RecursionError) as error:
        raise FileProblem(file, None, damaged.format(error)) from error


def _beside(file: str, archive: zipfile.ZipFile, name: str) -> Any:
    """The JSON of a member beside the arrays."""
    if archive.getinfo(name).file_size > form.LONGEST_BESIDE:
        refuse_bundle(file, f"its {name} is too long")
    return json.loads(stored(file, archive, name))


def _users(file: str, archive: zipfile.ZipFile, header: dict[str, Any]) -> dict[str, Any]:
    """Answers of users, as arguments of :meth:`Collection.attached`."""
    read = _beside(file, archive, form.USERS)
    if not isinstance(read, dict) or sorted(read) != header["users"]:
        refuse_bundle(file, f"its {form.USERS} holds something else")
    try:
        found = unpacked(read)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        refuse_bundle(file, f"its {form.USERS} is broken ({type(error).__name__})")
    texts = {text for part in read.values() for names in part.values() if names for text in names if type(text) is str}
    if not all(map(_is_text, texts)) or max(map(len, texts)) > form.LONGEST_NAME:
        refuse_bundle(file, f"its {form.USERS} has endless names")
    return found


def _documents(
    file: str, archive: zipfile.ZipFile, header: dict[str, Any], shape: tuple[int, int, int], pool: tuple[int, int, int]
) -> Documents:
    sizes = header["documents"]
    listed = (*shape[:2], sizes["ranks"])
    ends = _array(file, archive, form.ENDS, "<i8", (sizes["identifiers"],))
    data = stored(file, archive, form.IDENTIFIERS)
    starts = np.append(0, ends)
    if (np.diff(starts) < 0).any() or starts[-1] != len(data) or len(data) >= 2**31:
        refuse_bundle(file, f"its {form.IDENTIFIERS} are not as long as they should be")
    buffers = [None, pa.py_buffer(starts.astype(np.int32).tobytes()), pa.py_buffer(data)]
    found = Documents(
        pa.BinaryArray.from_buffers(pa.binary(), sizes["identifiers"], buffers),
        _array(file, archive, form.JUDGED, "<i4", pool[:2]).astype(np.int32),
        _array(file, archive, form.LISTED, "<i4", listed).astype(np.int32),
        _array(file, archive, form.SCORES, "<f8", listed).astype(np.float64),
        _array(file, archive, form.BELOW, "<f8", pool).astype(np.float64) if sizes["below"] else None,
    )
    for array in (found.judged, found.listed):
        if array.size and (array.min() < NO_INDEX or array.max() >= sizes["identifiers"]):
            refuse_bundle(file, "a document has no identifier")
    return found


def _array(file: str, archive: zipfile.ZipFile, name: str, width: str, shape: tuple[int, ...]) -> NDArray:
    expected = math.prod(shape) * np.dtype(width).itemsize
    found = archive.getinfo(name).file_size
    if found != expected:
        refuse_bundle(file, f"its {name} has {found:,} bytes instead of {expected:,}")
    return np.frombuffer(stored(file, archive, name), dtype=width).reshape(shape)


def _check_ranges(file: str, header: dict[str, Any], ranking: NDArray[np.int32], labels: NDArray[np.int16]) -> None:
    """Every index must point at something: a judged document, a level of its aspect."""
    if ranking.min() < BEYOND or ranking.max() >= header["judged"]:
        refuse_bundle(file, "a ranking refers to a document that is not judged")
    levels = np.array([len(grades) for grades in header["grades"]])
    if labels.min() < ABSENT or (labels.max(axis=(0, 1)) >= levels).any():
        refuse_bundle(file, "a label is not a level of its aspect")


def _collection(
    file: str,
    header: dict[str, Any],
    ranking: NDArray[np.int32],
    labels: NDArray[np.int16],
    documents: Documents | None,
) -> Collection:
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
    opened = opened.attached(documents=documents)
    if "judge" in header:
        if (labels[:, :, opened.aspects.index(header["judge"])] == ABSENT).all():
            refuse_bundle(file, "its judge judged nothing")
        opened = opened.seen_by(header["judge"], header["judge_width"])
    opened = opened.attached(topic_texts=header.get("topic_texts"))
    fingerprint = opened.judge_fingerprint if header["version"] < 3 else opened.fingerprint
    if fingerprint != header.get("fingerprint"):
        refuse_bundle(file, "its fingerprint does not match its content")
    return opened
