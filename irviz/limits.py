"""The limits of a server, each with a value for a laptop and a stricter one for a public server.

Every limit is an environment variable.  If it is not set, it has its value for a laptop
or, if ``IRVIZ_PUBLIC`` is 1, its value for a public server.  Limits are read when they
are needed; :func:`check` reads all of them when a server starts, so that a mistake is
refused there.

:data:`MEMORY` is the one count of the bytes that visitors announce, unpack and load.
"""

from __future__ import annotations

import os
import re
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import RLock

from irviz.errors import IrvizError, TooLarge

PUBLIC = "IRVIZ_PUBLIC"  #: 1 on a public server
HOSTS = "IRVIZ_HOSTS"  #: further names that the server answers to, separated by commas; ``*`` for any
FRAMES = "IRVIZ_FRAMES"  #: sites that may embed irviz in their pages: `self`, or origins separated by blanks
_ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)
_SWITCH = {"0": False, "": False, "1": True}


LIMITS = {
    "IRVIZ_STORE_LIMIT_MB": ("room on the disk for kept views and shared data", 4096, 1024),
    "IRVIZ_SESSIONS": ("pages that are open at the same time", 200, 100),
    "IRVIZ_LEAVE_SECONDS": ("how long the server keeps what a closed page held", 120, 30),
    "IRVIZ_UPLOAD_MB": ("size of the files that one page holds before they are loaded", 2048, 400),
    "IRVIZ_UPLOADS_MB": ("the same, of all pages together", 4096, 1024),
    "IRVIZ_UNFOLD_MB": ("unpacked size of the files that are loaded together", 8192, 2048),
    "IRVIZ_LOADED_MB": (
        "loaded data of all visitors together; the data unused the longest are removed first",
        4096,
        2048,
    ),
    "IRVIZ_ARRAYS_MB": ("memory of the arrays that the files of one load compile to", 4096, 512),
    "IRVIZ_MEMORY_MB": ("all that is announced, unpacked and loaded, of everybody together", 8192, 3072),
    "IRVIZ_SCORES_MB": ("computed scores that are kept for the next request", 512, 512),
    "IRVIZ_REQUEST_SECONDS": ("how long one request may compute", 600, 60),
    "IRVIZ_REQUEST_MB": ("memory that the scores of one request may take", 2048, 512),
    "IRVIZ_TURNS": ("long requests that compute at the same time; 0: one fewer than processors, but two on two", 0, 0),
}  #: variable → meaning, and its defaults on a laptop and on a public server
SWITCHES = {
    "IRVIZ_ANYWAY": ("whether a visitor may compute a request that exceeds the limit", True, False),
    "IRVIZ_METRICS": ("whether /_stcore/metrics reports the state of the server", False, False),
}  #: variable → meaning, and its two defaults


def is_public() -> bool:
    """True if the stricter defaults apply."""
    return _read_switch(PUBLIC, False)


def limit(variable: str) -> int:
    """The value of a limit.

    Raises
    ------
    IrvizError
        If the variable is not a whole number of at least 0.
    """
    meaning, laptop, public = LIMITS[variable]
    text = os.environ.get(variable, "").strip()
    if not text:
        return public if is_public() else laptop
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise IrvizError(
            f"{variable} must be a whole number ({meaning}); it is {text[:40]!r}. "
            f"Set it to a number such as {laptop}, or leave it out."
        )
    return int(text)


def switch(variable: str) -> bool:
    """Value of an on/off environment variable."""
    _, laptop, public = SWITCHES[variable]
    return _read_switch(variable, public if is_public() else laptop)


def hosts() -> tuple[str, ...]:
    """Names, in addition to its own, that a server answers to, in lower case."""
    return tuple(name.strip().lower() for name in os.environ.get(HOSTS, "").split(",") if name.strip())


def frames() -> tuple[str, ...]:
    """Sites that may embed a page of this server, in the words of a content security policy; none by default.

    Raises
    ------
    IrvizError
        If the variable names anything but `self` and origins.
    """
    given = os.environ.get(FRAMES, "").split()
    for one in given:
        if one != "self" and not _ORIGIN.fullmatch(one):
            raise IrvizError(f"{FRAMES} may hold `self` or origins such as https://example.org; it has {one[:60]!r}.")
    return tuple("'self'" if one == "self" else one for one in given)


def check() -> None:
    """Read all limits once, so that a wrong value is refused."""
    frames()
    for variable in LIMITS:
        limit(variable)
    for variable in SWITCHES:
        switch(variable)


class OverMemory(TooLarge):
    """A refusal because everybody together already uses the memory set aside."""


class Memory:
    """One count of bytes for everybody, charged before or while they are taken.

    Parameters
    ----------
    most : callable
        Bytes that all holders may have together; asked at every charge.

    Attributes
    ----------
    relieve : list of callable
        Called with the number of missing bytes before a charge is refused; each may release memory.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        self.relieve: list[Callable[[int], None]] = []
        self._most = most
        self._counts_by_holder: Counter[Hashable] = Counter()
        self._alive: dict[int, weakref.ref] = {}
        self._lock = RLock()  # a charged object may be collected, and released, while its thread charges another

    def charge(self, holder: Hashable, count: int) -> None:
        """Add bytes to a holder; a negative number gives them back.

        Raises
        ------
        OverMemory
            If all holders together would exceed the limit; nothing is then added.
        """
        if count < 0:
            self.release(holder, -count)
            return
        missing = self._charge(holder, count)
        if missing > 0:
            for relieve in self.relieve:
                relieve(missing)
            missing = self._charge(holder, count)
        if missing > 0:
            raise OverMemory(
                f"The memory of this server is taken: these data need {_megabytes(count)} more, {_megabytes(missing)} "
                f"above the {_megabytes(self._most())} set aside for everybody. Try again later, or load fewer files."
            )

    def release(self, holder: Hashable, count: int | None = None) -> None:
        """Give back some or all bytes of a holder."""
        with self._lock:
            self._counts_by_holder[holder] -= self._counts_by_holder[holder] if count is None else count
            if self._counts_by_holder[holder] <= 0:
                del self._counts_by_holder[holder]

    def keep(self, thing: object, count: int) -> None:
        """Charge an object for as long as it exists; once, however often it is kept."""
        place = id(thing)
        with self._lock:
            if place in self._alive:
                return
        self.charge(("object", place), count)
        with self._lock:
            self._alive[place] = weakref.ref(thing, lambda _: self._gone(place))

    @contextmanager
    def during(self, holder: Hashable) -> Iterator[Callable[[int], None]]:
        """A function that charges a holder; all of it is released at the end of the block."""
        try:
            yield lambda count: self.charge(holder, count)
        finally:
            self.release(holder)

    def bytes_of(self, holder: Hashable) -> int:
        """Bytes of one holder."""
        return self._counts_by_holder[holder]

    def total(self, kind: str = "") -> int:
        """Bytes of all holders, or of those that are pairs of this kind and a name."""
        with self._lock:
            held = self._counts_by_holder.items()
            return sum(count for who, count in held if not kind or (isinstance(who, tuple) and who[0] == kind))

    def _charge(self, holder: Hashable, count: int) -> int:
        """Add the bytes, or return how many are missing."""
        with self._lock:
            missing = self._counts_by_holder.total() + count - self._most()
            if missing <= 0:
                self._counts_by_holder[holder] += count
            return missing

    def _gone(self, place: int) -> None:
        with self._lock:
            self._alive.pop(place, None)
            self.release(("object", place))


MEMORY = Memory(lambda: limit("IRVIZ_MEMORY_MB") << 20)  #: of this process


def _megabytes(count: int) -> str:
    return f"{-(-count >> 20):,} MB"


def _read_switch(variable: str, default: bool) -> bool:
    text = os.environ.get(variable)
    if text is None:
        return default
    if text.strip() not in _SWITCH:
        raise IrvizError(f"{variable} must be 0 or 1; it is {text[:40]!r}.")
    return _SWITCH[text.strip()]
