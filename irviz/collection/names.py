"""Names of systems and topics: where they come from and how they are sorted.

Imports nothing of irviz.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

COMPRESSIONS = (".gz", ".bz2", ".xz")  #: suffixes that are no part of a run's name
_DIGITS = re.compile(r"(\d+)", re.ASCII)


def natural_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """A sort key under which 2 comes before 10; the text itself decides between 01 and 1.

    >>> sorted(["t10", "t2", "10", "2", "1_10", "1_9"], key=natural_key)
    ['1_9', '1_10', '2', '10', 't2', 't10']
    """
    parts = (part for part in _DIGITS.split(name) if part)
    return tuple((0, int(p), "") if p.isascii() and p.isdigit() else (1, 0, p) for p in parts), name


def natural_order(names: Iterable[str]) -> list[str]:
    """Distinct `names` in natural order.

    >>> natural_order(["10", "2", "10"])
    ['2', '10']
    """
    return sorted(set(names), key=natural_key)


def system_name(file: str) -> str:
    """The name of the system whose run is in `file`: its file name without compression suffix.

    >>> system_name("runs/bm25.txt.gz"), system_name("run1")
    ('bm25.txt', 'run1')
    """
    base = base_name(file)
    for suffix in COMPRESSIONS:
        if base.lower().endswith(suffix) and len(base) > len(suffix):
            return base[: -len(suffix)]
    return base


def base_name(file: str) -> str:
    """The last part of a path, whichever way its slashes lean; the folders before it are never used.

    >>> base_name("../../etc/x.run"), base_name("C:\\\\runs\\\\x.run")
    ('x.run', 'x.run')
    """
    return file.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def hidden(path: str) -> bool:
    """Whether a relative path names what a system left behind, not what a person put there.

    >>> hidden("__MACOSX/x.run"), hidden("runs/.DS_Store"), hidden("runs/x.run")
    (True, True, False)
    """
    left_behind = ("__MACOSX", "Thumbs.db", "desktop.ini")
    parts = path.replace("\\", "/").split("/")
    return any((part.startswith(".") and part not in (".", "..")) or part in left_behind for part in parts)


def text_of(identifier: bytes) -> str:
    """An identifier as text; bytes that are no UTF-8 stay readable as escapes.

    >>> text_of(b"caf\\xe9"), text_of("é".encode())
    ('caf\\\\xe9', 'é')
    """
    return identifier.decode("utf-8", "backslashreplace")
