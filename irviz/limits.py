"""The limits of a server, each with a value for a laptop and a stricter one for a public server.

Every limit is an environment variable.  If it is not set, it has its value for a laptop
or, if ``IRVIZ_PUBLIC`` is 1, its value for a public server.  Limits are read when they
are needed; :func:`check` reads all of them when a server starts, so that a mistake is
refused there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from irviz.errors import IrvizError

PUBLIC = "IRVIZ_PUBLIC"  #: 1 on a public server
HOSTS = "IRVIZ_HOSTS"  #: further names that the server answers to, separated by commas; ``*`` for any
FRAMES = "IRVIZ_FRAMES"  #: sites that may embed irviz in their pages: `self`, or origins separated by blanks
_ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)
_SWITCH = {"0": False, "": False, "1": True}


@dataclass(frozen=True)
class Limit:
    """A whole number that limits a resource, and its two defaults."""

    variable: str
    meaning: str
    laptop: int
    public: int


LIMITS = (
    Limit("IRVIZ_STORE_LIMIT_MB", "room on the disk for kept views and shared data", 4096, 1024),
    Limit("IRVIZ_SESSIONS", "pages that are open at the same time", 200, 100),
    Limit("IRVIZ_LEAVE_SECONDS", "how long the server keeps what a closed page held", 120, 30),
    Limit("IRVIZ_UPLOAD_MB", "size of the files that one page holds before they are loaded", 2048, 400),
    Limit("IRVIZ_UPLOADS_MB", "the same, of all pages together", 4096, 1024),
    Limit("IRVIZ_UNFOLD_MB", "unpacked size of the files that are loaded together", 8192, 2048),
    Limit(
        "IRVIZ_LOADED_MB",
        "loaded data of all visitors together; the data unused the longest are removed first",
        4096,
        2048,
    ),
    Limit("IRVIZ_SCORES_MB", "computed scores that are kept for the next request", 512, 512),
    Limit("IRVIZ_REQUEST_SECONDS", "how long one request may compute", 600, 60),
    Limit("IRVIZ_REQUEST_MB", "memory that the scores of one request may take", 2048, 512),
    Limit(
        "IRVIZ_TURNS", "long requests that compute at the same time; 0 means one fewer than there are processors", 0, 0
    ),
)
BY_VARIABLE = {limit.variable: limit for limit in LIMITS}
SWITCHES = {
    "IRVIZ_ANYWAY": ("whether a visitor may compute a request that exceeds the limit", True, False),
    "IRVIZ_METRICS": ("whether /_stcore/metrics reports the state of the server", False, False),
}  #: variable → meaning, and its two defaults


def is_public() -> bool:
    """Whether the stricter defaults apply."""
    return _switched(PUBLIC, False)


def limit(variable: str) -> int:
    """The value of a limit.

    Raises
    ------
    IrvizError
        If the variable is not a whole number of at least 0.
    """
    declared = BY_VARIABLE[variable]
    text = os.environ.get(variable, "").strip()
    if not text:
        return declared.public if is_public() else declared.laptop
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise IrvizError(
            f"{variable} must be a whole number ({declared.meaning}); it is {text[:40]!r}. "
            f"Set it to a number such as {declared.laptop}, or leave it out."
        )
    return int(text)


def switch(variable: str) -> bool:
    """Whether something is allowed."""
    _, laptop, public = SWITCHES[variable]
    return _switched(variable, public if is_public() else laptop)


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
    for variable in BY_VARIABLE:
        limit(variable)
    for variable in SWITCHES:
        switch(variable)


def _switched(variable: str, default: bool) -> bool:
    text = os.environ.get(variable)
    if text is None:
        return default
    if text.strip() not in _SWITCH:
        raise IrvizError(f"{variable} must be 0 or 1; it is {text[:40]!r}.")
    return _SWITCH[text.strip()]
