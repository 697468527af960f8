"""Writing a collection as one ``.irviz`` file.

The file is a zip of ``collection.json`` (names, grades, findings, shapes) and two
raw little-endian arrays, stored without compression so that opening is a read; a
``views.json`` may lie beside them, a list of texts that mean something to the dashboard.
:mod:`irviz.collection.bundle` opens it.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError

FORMAT, VERSION = "irviz collection", 1
HEADER, RANKING, LABELS, VIEWS = "collection.json", "ranking.bin", "labels.bin", "views.json"
WIDTHS = ("<i2", "<i4")
_DATE = (1980, 1, 1, 0, 0, 0)  # the same collection gives the same bytes


class Savable(Protocol):
    """What is read off a collection when it is written."""

    @property
    def name(self) -> str: ...
    @property
    def topics(self) -> tuple[str, ...]: ...
    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def aspects(self) -> tuple[str, ...]: ...
    @property
    def grades(self) -> tuple[tuple[float, ...], ...]: ...
    @property
    def ranking(self) -> NDArray[np.int32]: ...
    @property
    def labels(self) -> NDArray[np.int16]: ...
    @property
    def ties(self) -> str: ...
    @property
    def depth(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def findings(self) -> tuple[Any, ...]: ...


def save(collection: Savable, path: str | os.PathLike[str], views: Sequence[str] = ()) -> Path:
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


def _write(collection: Savable, out: Any, views: Sequence[str]) -> None:
    width = WIDTHS[0] if collection.labels.shape[1] <= np.iinfo(np.int16).max else WIDTHS[1]
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
            (HEADER, json.dumps(header, ensure_ascii=False, allow_nan=False).encode()),
            (RANKING, collection.ranking.astype(width).tobytes()),
            (LABELS, collection.labels.astype("<i2").tobytes()),
        ):
            archive.writestr(zipfile.ZipInfo(name, _DATE), data)
        if views:
            archive.writestr(zipfile.ZipInfo(VIEWS, _DATE), json.dumps(list(views), ensure_ascii=False).encode())
