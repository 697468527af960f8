"""A compiled collection of an ``.irviz`` file, as :mod:`irviz.collection.saving` describes it.

Everything is checked before it is used: sizes, names, the range of every index, and the fingerprint.
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
from irviz.collection.people import unpack_users
from irviz.collection.ragged import Lists, Padded, one_after_another
from irviz.collection.topics import LONGEST_TEXT
from irviz.errors import FileProblem, IrvizError, join_words

_READ = 1 << 23  # bytes of an array that are read together
_USERS = (["satisfaction"], ["preferences"], ["preferences", "satisfaction"])  #: what users may have said
_DAMAGE = (zipfile.BadZipFile, EOFError, RuntimeError, ValueError, OverflowError, struct.error)  # of zipfile


def read_header(file: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    """The header, checked in itself and against the names of members."""
    names = archive.namelist()
    _require(file, names.count(form.HEADER) == 1, f"it should hold one {form.HEADER}")
    arrays = sum(archive.getinfo(name).file_size for name in (form.RANKING_FILE, form.LABELS_FILE) if name in names)
    short = archive.getinfo(form.HEADER).file_size <= form.longest_header(arrays)
    _require(file, short, f"its {form.HEADER} is too long")
    text = read_member(file, archive, form.HEADER)
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        _refuse(file, f"its {form.HEADER} is not JSON")
    known = isinstance(header, dict) and header.get("format") == form.FORMAT
    _require(file, known, f"its {form.HEADER} describes something else")
    version: Any = header.get("version")
    if not _whole(version, 1) or version > form.FORMAT_VERSION:
        message = f"was saved in format {version!r}; this irviz reads format {form.FORMAT_VERSION}."
        raise FileProblem(file, None, f"{message} Update irviz, or save it again.")
    _check_header(file, header)
    expected = [form.HEADER, form.RANKING_FILE, form.LABELS_FILE] + [form.USERS] * ("users" in header)
    if "documents" in header:
        expected += [*form.DOCUMENT_FILES, *[form.BELOW] * header["documents"]["below"]]
    own = sorted(name for name in names if name != form.VIEWS)
    _require(file, own == sorted(expected), f"it should hold {join_words(sorted(expected), most=9, joiner='and')}")
    return header


def _check_header(file: str, header: dict[str, Any]) -> None:
    for key in ("topics", "systems", "aspects"):
        names = header.get(key)
        texts = isinstance(names, list) and bool(names) and all(map(_is_text, names))
        _require(file, texts, f"its {key} are not a list of names")
        _require(file, max(map(len, header[key])) <= form.LONGEST_NAME, f"its {key} have endless names")
        _require(file, len(set(header[key])) == len(header[key]), f"its {key} repeat")
    grades = header.get("grades")
    ascending = isinstance(grades, list) and len(grades) == len(header["aspects"]) and all(map(_is_ascending, grades))
    _require(file, ascending, "its grades are not ascending numbers from 0 for every aspect")
    pooled = len(header["topics"]) * sum(map(len, header["grades"]))
    _require(file, pooled <= MOST_POOLED, "it has too many different grades for so many topics")
    whole = _whole(header.get("depth"), 1) and _whole(header.get("judged"), 1)
    _require(file, whole and header.get("width") in list(form.WIDTHS), "its sizes are not whole numbers")
    named = header.get("ties") in [rule for rule in TIE_RULES if rule != "expected"] and _is_text(header.get("name"))
    _require(file, named, "its name or its tie rule is unknown")
    findings = header.get("findings")
    _require(file, isinstance(findings, list) and all(map(_is_finding, findings)), "its findings are broken")
    if "users" in header:
        _require(file, header["version"] >= 4 and header["users"] in _USERS, "what its users said is unknown")
    if "judge" in header:
        known = header["judge"] in header["aspects"] and _whole(header.get("judge_width"), 1)
        _require(file, known, "its judge is unknown")
        _require(file, header["judge_width"] <= header["judged"], "one judge judged more than all together")
    for key, longest in (("topic_texts", LONGEST_TEXT), ("groups", math.inf)):
        texts = header.get(key, {})
        short = isinstance(texts, dict) and all(_is_text(text) and len(text) <= longest for text in texts.values())
        _require(file, short, f"its {key} are broken")
    if "documents" in header:
        sizes = header["documents"]
        counts = isinstance(sizes, dict) and _whole(sizes.get("ranks"), 0) and _whole(sizes.get("identifiers"), 0)
        _require(file, counts, "its documents are not counted")
        fits = sizes["ranks"] <= header["depth"] and isinstance(sizes.get("below"), bool)
        _require(file, fits, "its documents do not fit its lists")


def _is_ascending(grades: object) -> bool:
    if not isinstance(grades, list) or not 0 < len(grades) <= MOST_LEVELS or grades[0] != 0:
        return False
    numbers = all(type(grade) in (int, float) and math.isfinite(grade) for grade in grades)
    return numbers and all(a < b for a, b in zip(grades, grades[1:], strict=False))


def _is_text(value: object) -> bool:
    """True if a value of the header is a text that UTF-8 can encode, without lone surrogates."""
    return isinstance(value, str) and readable(value) == value


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) != 4 or not (item[2] is None or _whole(item[2], 1)):
        return False
    return item[0] in ("note", "warning", "error") and _is_text(item[1]) and _is_text(item[3])


def _whole(number: object, least: int) -> bool:
    return type(number) is int and least <= number < 2**31


def read_member(file: str, archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a member, which must not be compressed, so that it is no bomb."""
    _require(file, archive.getinfo(name).compress_type == zipfile.ZIP_STORED, f"its {name} is compressed")
    return archive.read(name)


def _refuse(file: str, why: str) -> NoReturn:
    raise FileProblem(file, None, f"this is not a whole irviz collection ({why}). Save it again.")


def _require(file: str, right: object, why: str) -> None:
    """Refuse the file, and say why, unless it is right."""
    if not right:
        _refuse(file, why)


def open_bundle(source: str | os.PathLike[str] | tuple[str, bytes]) -> Collection:
    """The collection that :func:`save` wrote, of a path or ``(name, bytes)``; anything else is refused."""
    with _open_archive(source, "this is not a whole irviz collection ({}). Save it again.") as (file, archive):
        header = read_header(file, archive)
        shape = (len(header["topics"]), len(header["systems"]), header["depth"])
        ranking = _lists(file, archive, header["width"], shape, header["judged"])
        pool = (len(header["topics"]), header["judged"], len(header["aspects"]))
        labels = _padded(file, archive, form.LABELS_FILE, "<i2", pool, ABSENT)
        documents = _documents(file, archive, header, shape, pool) if "documents" in header else None
        users = _users(file, archive, header) if "users" in header else {}
    levels = np.array([len(grades) for grades in header["grades"]])
    known = labels.values.min(initial=0) >= ABSENT and (labels.values.max(axis=0, initial=0) < levels).all()
    _require(file, known, "a label is not a level of its aspect")
    return _collection(file, header, ranking, labels, documents).attached(**users)


def bundled_views(source: str | os.PathLike[str] | tuple[str, bytes]) -> tuple[str, ...]:
    """The texts of the views that were saved with a collection; their meaning is not checked."""
    with _open_archive(source, "its views cannot be read ({}). Save it again.") as (file, archive):
        if form.VIEWS not in archive.namelist():
            return ()
        read = _json_member(file, archive, form.VIEWS)
    texts = isinstance(read, list) and all(isinstance(text, str) for text in read)
    _require(file, texts, f"its {form.VIEWS} is not a list of texts")
    return tuple(read)


@contextmanager
def _open_archive(
    source: str | os.PathLike[str] | tuple[str, bytes], refusal: str
) -> Iterator[tuple[str, zipfile.ZipFile]]:
    """The file's name, and the zip; a broken one is refused with `refusal` and the reason."""
    name = source[0] if isinstance(source, tuple) else os.fspath(source)
    file = base_name(name)
    try:
        opened = io.BytesIO(source[1]) if isinstance(source, tuple) else Path(source).expanduser().open("rb")
        with opened as stream, zipfile.ZipFile(stream) as archive:
            yield file, archive
    except IrvizError:
        raise
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error
    except (*_DAMAGE, RecursionError) as error:
        raise FileProblem(file, None, refusal.format(error)) from error


def _json_member(file: str, archive: zipfile.ZipFile, name: str) -> Any:
    """The JSON of a member beside the arrays."""
    _require(file, archive.getinfo(name).file_size <= form.LONGEST_BESIDE, f"its {name} is too long")
    return json.loads(read_member(file, archive, name))


def _users(file: str, archive: zipfile.ZipFile, header: dict[str, Any]) -> dict[str, Any]:
    """Answers of users, as arguments of :meth:`Collection.attached`."""
    read = _json_member(file, archive, form.USERS)
    expected = isinstance(read, dict) and sorted(read) == header["users"]
    _require(file, expected, f"its {form.USERS} holds something else")
    try:
        answers = unpack_users(read)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        _refuse(file, f"its {form.USERS} is broken ({type(error).__name__})")
    texts = {text for part in read.values() for names in part.values() if names for text in names if type(text) is str}
    short = all(map(_is_text, texts)) and max(map(len, texts)) <= form.LONGEST_NAME
    _require(file, short, f"its {form.USERS} has endless names")
    return answers


def _documents(
    file: str, archive: zipfile.ZipFile, header: dict[str, Any], shape: tuple[int, int, int], pool: tuple[int, int, int]
) -> Documents:
    sizes = header["documents"]
    listed = (*shape[:2], sizes["ranks"])
    ends = np.concatenate(list(_blocks(file, archive, form.ENDS, "<i8", (sizes["identifiers"],))))
    data = read_member(file, archive, form.IDENTIFIERS)
    starts = np.append(0, ends)
    fits = (np.diff(starts) >= 0).all() and starts[-1] == len(data) < 2**31
    _require(file, fits, f"its {form.IDENTIFIERS} are not as long as they should be")
    buffers = [None, pa.py_buffer(starts.astype(np.int32).tobytes()), pa.py_buffer(data)]
    documents = Documents(
        pa.BinaryArray.from_buffers(pa.binary(), sizes["identifiers"], buffers),
        _padded(file, archive, form.JUDGED, "<i4", pool[:2], NO_INDEX),
        _padded(file, archive, form.LISTED, "<i4", listed, NO_INDEX, axis=2),
        _padded(file, archive, form.SCORES, "<f8", listed, np.nan, axis=2),
        _padded(file, archive, form.BELOW, "<f8", pool, 0.0) if sizes["below"] else None,
    )
    for array in (documents.pool.values, documents.lists.values):
        known = array.min(initial=NO_INDEX) >= NO_INDEX and array.max(initial=NO_INDEX) < sizes["identifiers"]
        _require(file, known, "a document has no identifier")
    return documents


def _blocks(
    file: str, archive: zipfile.ZipFile, name: str, kind: str, shape: tuple[int, ...]
) -> Iterator[NDArray[Any]]:
    """The array in a member, in blocks of rows; of no row, one empty block."""
    row = math.prod(shape[1:]) * np.dtype(kind).itemsize
    member = archive.getinfo(name)
    expected = shape[0] * row
    _require(file, member.file_size == expected, f"its {name} has {member.file_size:,} bytes instead of {expected:,}")
    _require(file, member.compress_type == zipfile.ZIP_STORED, f"its {name} is compressed")
    step = max(1, _READ // max(1, row))
    with archive.open(name) as stream:
        for at in range(0, max(1, shape[0]), step):
            count = min(step, shape[0] - at)
            block = np.frombuffer(stream.read(count * row), dtype=kind).reshape(count, *shape[1:])
            yield block.astype(block.dtype.newbyteorder("="))


def _padded(
    file: str, archive: zipfile.ZipFile, name: str, kind: str, shape: tuple[int, ...], nothing: float, axis: int = 1
) -> Padded:
    return one_after_another([Padded.of(block, nothing, axis) for block in _blocks(file, archive, name, kind, shape)])


def _lists(file: str, archive: zipfile.ZipFile, kind: str, shape: tuple[int, int, int], judged_documents: int) -> Lists:
    parts = []
    for block in _blocks(file, archive, form.RANKING_FILE, kind, shape):
        known = block.min() >= BEYOND and block.max() < judged_documents
        _require(file, known, "a ranking refers to a document that is not judged")
        parts.append(Lists.of(block))
    judged = one_after_another([part.judged for part in parts])
    return Lists(np.concatenate([part.lengths for part in parts]), judged, shape[2])


def _collection(
    file: str, header: dict[str, Any], ranking: Lists, labels: Padded, documents: Documents | None
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
        judged = (labels.values[:, opened.aspects.index(header["judge"])] != ABSENT).any()
        _require(file, judged, "its judge judged nothing")
        opened = opened.seen_by(header["judge"], header["judge_width"])
    opened = opened.attached(topic_texts=header.get("topic_texts"), groups=header.get("groups"))
    fingerprint = opened.judge_fingerprint if header["version"] < 3 else opened.fingerprint
    _require(file, fingerprint == header.get("fingerprint"), "its fingerprint does not match its content")
    return opened
