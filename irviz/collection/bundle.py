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
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.beside.documents import NO_INDEX, Documents
from irviz.collection.bundle_header import read_header, refuse_bundle, stored
from irviz.collection.codes import ABSENT, BEYOND, Finding
from irviz.collection.model import Collection
from irviz.collection.names import base_name
from irviz.collection.reading.unpack import opened_zip
from irviz.collection.saving import BELOW, ENDS, IDENTIFIERS, JUDGED, LABELS_FILE, LISTED, RANKING_FILE, SCORES, VIEWS
from irviz.errors import FileProblem, IrvizError

MEMBERS = 16  #: at most; a bundle has nine and its views
_LONGEST_VIEWS = 16 << 20
#: what zipfile raises on broken files: a seek before the start is a ValueError, a password a RuntimeError
_DAMAGE = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError, struct.error)


def open_bundle(source: str | os.PathLike[str] | tuple[str, bytes]) -> Collection:
    """Open what :func:`save` wrote: a path, or ``(name, bytes)`` such as an upload.

    Raises
    ------
    IrvizError
        For anything that is not a whole, consistent collection.
    """
    name = source[0] if isinstance(source, tuple) else os.fspath(source)
    try:
        with _stream(source) as stream:
            return _open(base_name(name), stream)
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error


def bundled_views(source: str | os.PathLike[str] | tuple[str, bytes]) -> tuple[str, ...]:
    """The texts of the views that were saved with a collection, if any.

    Their meaning is not checked here.
    """
    name = source[0] if isinstance(source, tuple) else str(source)
    file = base_name(name)
    try:
        with _stream(source) as stream, _opened(file, stream) as archive:
            if VIEWS not in archive.namelist():
                return ()
            if archive.getinfo(VIEWS).file_size > _LONGEST_VIEWS:
                refuse_bundle(file, f"its {VIEWS} is too long")
            read = json.loads(stored(file, archive, VIEWS))
    except IrvizError:
        raise
    except OSError as error:
        raise IrvizError(f"{name}: cannot be opened ({error.strerror}).") from error
    except (*_DAMAGE, RecursionError) as error:
        raise FileProblem(file, None, f"its views cannot be read ({error}). Save it again.") from error
    if not isinstance(read, list) or not all(isinstance(text, str) for text in read):
        refuse_bundle(file, f"its {VIEWS} is not a list of texts")
    return tuple(read)


def _stream(source: str | os.PathLike[str] | tuple[str, bytes]) -> BinaryIO:
    return io.BytesIO(source[1]) if isinstance(source, tuple) else Path(source).expanduser().open("rb")


@contextmanager
def _opened(file: str, stream: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """The zip, its directory checked as that of an archive: few entries, which do not overlap."""
    size = stream.seek(0, os.SEEK_END)
    with opened_zip(file, stream, size, MEMBERS) as archive:
        yield archive


def _open(file: str, stream: BinaryIO) -> Collection:
    try:
        with _opened(file, stream) as archive:
            header = read_header(file, archive)
            shape = (len(header["topics"]), len(header["systems"]), header["depth"])
            ranking = _array(file, archive, RANKING_FILE, header["width"], shape).astype(np.int32)
            pool = (len(header["topics"]), header["judged"], len(header["aspects"]))
            labels = _array(file, archive, LABELS_FILE, "<i2", pool).astype(np.int16)
            documents = _documents(file, archive, header, shape, pool) if "documents" in header else None
    except IrvizError:
        raise
    except _DAMAGE as error:
        raise FileProblem(file, None, f"this is not a whole irviz collection ({error}). Save it again.") from error
    _check_ranges(file, header, ranking, labels)
    return _collection(file, header, ranking, labels, documents)


def _documents(
    file: str, archive: zipfile.ZipFile, header: dict[str, Any], shape: tuple[int, int, int], pool: tuple[int, int, int]
) -> Documents:
    sizes = header["documents"]
    listed = (*shape[:2], sizes["ranks"])
    ends = _array(file, archive, ENDS, "<i8", (sizes["identifiers"],))
    data = stored(file, archive, IDENTIFIERS)
    starts = np.append(0, ends)
    if (np.diff(starts) < 0).any() or starts[-1] != len(data) or len(data) >= 2**31:
        refuse_bundle(file, f"its {IDENTIFIERS} are not as long as they should be")
    buffers = [None, pa.py_buffer(starts.astype(np.int32).tobytes()), pa.py_buffer(data)]
    found = Documents(
        pa.BinaryArray.from_buffers(pa.binary(), sizes["identifiers"], buffers),
        _array(file, archive, JUDGED, "<i4", pool[:2]).astype(np.int32),
        _array(file, archive, LISTED, "<i4", listed).astype(np.int32),
        _array(file, archive, SCORES, "<f8", listed).astype(np.float64),
        _array(file, archive, BELOW, "<f8", pool).astype(np.float64) if sizes["below"] else None,
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
