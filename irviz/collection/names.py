"""Names of systems and topics: where they come from and how they are sorted.

Imports nothing of irviz.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence

COMPRESSIONS = (".gz", ".bz2", ".xz")  #: suffixes that are no part of a run's name
_DIGITS = re.compile(r"(\d+)", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BYTES = range(0xDC80, 0xDD00)  # where Python keeps the bytes of a file name that is not UTF-8
_ERRORS = ("surrogatepass", "surrogateescape")


def natural_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """A sort key under which 2 comes before 10; the text itself decides between 01 and 1.

    >>> sorted(["t10", "t2", "10", "2", "1_10", "1_9"], key=natural_key)
    ['1_9', '1_10', '2', '10', 't2', 't10']
    """
    if name.isascii() and name.isdigit():
        return (_key(name),), name
    return tuple(_key(part) for part in _DIGITS.split(name) if part), name


def _key(part: str) -> tuple[int, int, str]:
    """Numbers before texts, and by their size, which is the order of their lengths and then of their digits."""
    if not (part.isascii() and part.isdigit()):
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), digits


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
    return readable(file.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])


def is_hidden(path: str) -> bool:
    """True if a relative path names a file that an operating system left there, not a person.

    >>> is_hidden("__MACOSX/x.run"), is_hidden("runs/.DS_Store"), is_hidden("runs/x.run")
    (True, True, False)
    """
    left_behind = ("__MACOSX", "Thumbs.db", "desktop.ini")
    parts = path.replace("\\", "/").split("/")
    return any((part.startswith(".") and part not in (".", "..")) or part in left_behind for part in parts)


def readable(name: str) -> str:
    r"""A name as text that any file can hold: halves of characters, which are not text, are percent-encoded.

    They come from file names that are not UTF-8 and from ``\ud800`` in JSON.

    >>> readable("caf\udce9.run"), readable("\ud800"), readable("é")
    ('caf%E9.run', '%ED%A0%80', 'é')
    """
    return name if name.isascii() else _SURROGATE.sub(_percent, name)


def _percent(match: re.Match[str]) -> str:
    half = match.group()
    return "".join(f"%{byte:02X}" for byte in half.encode("utf-8", _ERRORS[ord(half) in _BYTES]))


def text_of(identifier: bytes) -> str:
    """An identifier as text; bytes that are not UTF-8 stay readable as escapes.

    >>> text_of(b"caf\\xe9"), text_of("é".encode())
    ('caf\\\\xe9', 'é')
    """
    return identifier.decode("utf-8", "backslashreplace")


def pseudonyms(names: Sequence[str], key: bytes) -> dict[str, str]:
    """Names → "System 01", "System 02", … in the order of their HMAC-SHA256 under `key`.

    >>> sorted(pseudonyms(["bm25", "dense"], b"secret").values())
    ['System 01', 'System 02']
    """
    digits = max(2, len(str(len(names))))
    order = sorted(names, key=lambda name: hmac.digest(key, name.encode("utf-8", "surrogatepass"), "sha256"))
    return {name: f"System {place:0{digits}d}" for place, name in enumerate(order, start=1)}
