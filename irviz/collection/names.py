"""Names of systems, topics and documents: how they are made, sorted and compared."""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

COMPRESSIONS = (".gz", ".bz2", ".xz")  #: suffixes that are no part of a run's name
_DIGITS = re.compile(r"(\d+)", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BYTES = range(0xDC80, 0xDD00)  # where Python keeps the bytes of a file name that is not UTF-8
_ERRORS = ("surrogatepass", "surrogateescape")


def natural_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """A sort key under which 2 comes before 10, and 01 before 1.

    >>> sorted(["t10", "t2", "10", "2", "1_10", "1_9"], key=natural_key)
    ['1_9', '1_10', '2', '10', 't2', 't10']
    """
    if name.isascii() and name.isdigit():
        return (_key(name),), name
    return tuple(_key(part) for part in _DIGITS.split(name) if part), name


def _key(part: str) -> tuple[int, int, str]:
    """Numbers before texts, and by their size: by length, then by digits."""
    if not (part.isascii() and part.isdigit()):
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), digits


def natural_order(names: Iterable[str]) -> list[str]:
    """Distinct `names` in natural order."""
    return sorted(set(names), key=natural_key)


def system_name(file: str) -> str:
    """The name of the system of a run: its file name without compression suffix.

    >>> system_name("runs/bm25.txt.gz"), system_name("run1")
    ('bm25.txt', 'run1')
    """
    base = base_name(file)
    for suffix in COMPRESSIONS:
        if base.lower().endswith(suffix) and len(base) > len(suffix):
            return base[: -len(suffix)]
    return base


def base_name(file: str) -> str:
    """The last part of a path, whichever way its slashes lean.

    >>> base_name("../../etc/x.run"), base_name("C:\\\\runs\\\\x.run")
    ('x.run', 'x.run')
    """
    return readable(file.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])


def is_hidden(path: str) -> bool:
    """True if a relative path names a file that an operating system made.

    >>> is_hidden("__MACOSX/x.run"), is_hidden("runs/.DS_Store"), is_hidden("runs/x.run")
    (True, True, False)
    """
    left_behind = ("__MACOSX", "Thumbs.db", "desktop.ini")
    parts = path.replace("\\", "/").split("/")
    return any((part.startswith(".") and part not in (".", "..")) or part in left_behind for part in parts)


def readable(name: str) -> str:
    r"""A name with halves of characters percent-encoded, as file names that are not UTF-8 and JSON may have.

    >>> readable("caf\udce9.run"), readable("\ud800"), readable("é")
    ('caf%E9.run', '%ED%A0%80', 'é')
    """
    return name if name.isascii() else _SURROGATE.sub(_percent, name)


def _percent(match: re.Match[str]) -> str:
    half = match.group()
    return "".join(f"%{byte:02X}" for byte in half.encode("utf-8", _ERRORS[ord(half) in _BYTES]))


def text_of(identifier: bytes) -> str:
    """An identifier as text; bytes that are not UTF-8 are escaped.

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


# -- Names that would be equal if they were written in another way ---------------------------------

_EXTENSION = re.compile(r"(\.[A-Za-z]\w{0,4}){1,2}$", re.ASCII)
_LEADING_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)", re.ASCII)
_EXPONENT = re.compile(r"\d(\.\d+)?[eE]\+\d+", re.ASCII)  # how spreadsheets write numbers of twelve digits and more
_ROUNDABLE = re.compile(_EXPONENT.pattern + r"|\d{12,}", re.ASCII)
_INVISIBLE = "without invisible characters"
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")  # categories of characters
_ROUNDED = "rounded as in a spreadsheet"


def invisible_characters(name: str) -> set[str]:
    r"""The characters of a name that cannot be seen, or are taken for a space.

    >>> sorted(map(ascii, invisible_characters("3\u00a0 a\u200b")))
    ["'\\u200b'", "'\\xa0'"]
    """
    return {sign for sign in name if not sign.isprintable() and unicodedata.category(sign) in _UNSEEN}


def without_invisible(name: str) -> str:
    """A name in the Unicode form NFC without these characters, or with a space for those taken for one."""
    for sign in invisible_characters(name):
        name = name.replace(sign, " " if sign.isspace() else "")
    return unicodedata.normalize("NFC", name.strip())


_SPELLINGS: dict[str, Callable[[str], str]] = {
    _INVISIBLE: without_invisible,
    "without case": str.casefold,
    "without quotes": lambda name: name.strip("'\"`\u2018\u2019\u201c\u201d\u00ab\u00bb"),
    "without folders": lambda name: name[name.replace("\\", "/").rfind("/") + 1 :],
    "without extensions": lambda name: _EXTENSION.sub("", name),
    "without .0": lambda name: name.removesuffix(".0"),
    "without leading zeros": lambda name: _LEADING_ZEROS.sub("", name),
    _ROUNDED: lambda name: f"{float(name):.5E}" if _ROUNDABLE.fullmatch(name) else name,
}  #: how names may differ that were meant to be equal, in the order in which it is undone


def almost_equal(ours: Sequence[tuple[int, str]], theirs: Iterable[tuple[int, str]]) -> str:
    """How many of `ours` would be among `theirs` under another spelling, and which; empty if none.

    Each is a name and the number of the topic within which names are compared.  Of all changes together, those are
    named that match as many.

    >>> almost_equal([(0, "001"), (0, "002"), (0, "9")], [(0, "1"), (0, "2")])
    '2 of 3 match without leading zeros'
    >>> almost_equal([(0, "A.txt")], [(0, "a")]), almost_equal([(0, "a")], [(1, "a")])
    ('1 of 1 match without case, without extensions', '')
    """
    pairs = ours, tuple(theirs)
    names = [name for side in pairs for _, name in side]
    ways = [way for way in _SPELLINGS if way != _ROUNDED or any(map(_EXPONENT.fullmatch, names))]

    def matches(ways: Sequence[str]) -> int:
        mine, known = ([(topic, _rewritten(name, ways)) for topic, name in side] for side in pairs)
        among = set(known)
        return sum(pair in among for pair in mine)

    most = matches(ways)
    if not most:
        return ""
    for way in reversed(ways):
        fewer = [other for other in ways if other != way]
        ways = fewer if matches(fewer) == most else ways
    unseen = code_points(names)
    how = ", ".join((f"without {unseen}" if unseen else "in NFC") if way == _INVISIBLE else way for way in ways)
    return f"{most:,} of {len(ours):,} match {how}"


def code_points(names: Iterable[str]) -> str:
    """The invisible characters of some names, such as ``U+00A0, U+200B``."""
    signs = sorted({sign for name in names for sign in invisible_characters(name)})
    return ", ".join(f"U+{ord(sign):04X}" for sign in signs)


def _rewritten(name: str, ways: Iterable[str]) -> str:
    if name.isascii() and name.isdigit() and name[0] != "0" and len(name) < 12:  # in any way the same
        return name
    for way in ways:
        name = _SPELLINGS[way](name)
    return name
