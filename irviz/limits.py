"""What a server allows, each with a value for a laptop and a stricter one for the public.

Every limit is an environment variable.  One that is not set has its value for a laptop,
or, where ``IRVIZ_PUBLIC`` is 1, the one for a public server.  They are read when they
are needed; :func:`check` reads all of them when a server starts, so that a slip is
refused there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from irviz.errors import IrvizError

PUBLIC = "IRVIZ_PUBLIC"  #: 1 on a server that anybody reaches
HOSTS = "IRVIZ_HOSTS"  #: further names that the server answers to, with commas between them; ``*`` for any
FRAMES = "IRVIZ_FRAMES"  #: who may show irviz within a page of theirs: `self`, or origins with blanks between them
_ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)
_SWITCH = {"0": False, "": False, "1": True}


@dataclass(frozen=True)
class Limit:
    """A whole number that bounds something, and its two defaults."""

    variable: str
    meaning: str
    laptop: int
    public: int


LIMITS = (
    Limit("IRVIZ_STORE_LIMIT_MB", "room on the disk for kept views and shared data", 4096, 1024),
    Limit("IRVIZ_SESSIONS", "pages that are open at a time", 200, 100),
    Limit("IRVIZ_LEAVE_SECONDS", "how long the server keeps what a closed page held", 120, 30),
    Limit("IRVIZ_UPLOAD_MB", "files that one page holds before they are loaded", 2048, 400),
    Limit("IRVIZ_UPLOADS_MB", "the same, of all pages together", 4096, 1024),
    Limit("IRVIZ_UNFOLD_MB", "what the files of one load may unfold to", 8192, 2048),
    Limit("IRVIZ_LOADED_MB", "loaded data of all visitors together; the longest unused goes first", 4096, 2048),
    Limit("IRVIZ_SCORES_MB", "computed scores that are kept for the next request", 512, 512),
    Limit("IRVIZ_REQUEST_SECONDS", "how long one request may compute", 600, 60),
    Limit("IRVIZ_REQUEST_MB", "memory that the scores of one request may take", 2048, 512),
    Limit("IRVIZ_TURNS", "long requests that compute at a time; 0 is one fewer than there are processors", 0, 0),
)
BY_VARIABLE = {limit.variable: limit for limit in LIMITS}
SWITCHES = {
    "IRVIZ_ANYWAY": ("whether a person may compute what is over the limit nevertheless", True, False),
    "IRVIZ_METRICS": ("whether /_stcore/metrics reports the state of the server", False, False),
}  #: variable → meaning, and its two defaults


def is_public() -> bool:
    """Whether the stricter defaults hold."""
    return _switched(PUBLIC, False)


def limit(variable: str) -> int:
    """The value of a limit.

    Raises
    ------
    IrvizError
        Where the variable holds no whole number of at least 0.
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
    """Names beside its own that a server answers to, in lower case."""
    return tuple(name.strip().lower() for name in os.environ.get(HOSTS, "").split(",") if name.strip())


def frames() -> tuple[str, ...]:
    """Who may show a page of this server within one of theirs, as a policy names them; nobody by default.

    Raises
    ------
    IrvizError
        Where the variable names anything but `self` and origins.
    """
    given = os.environ.get(FRAMES, "").split()
    for one in given:
        if one != "self" and not _ORIGIN.fullmatch(one):
            raise IrvizError(f"{FRAMES} holds `self` or origins such as https://example.org; it has {one[:60]!r}.")
    return tuple("'self'" if one == "self" else one for one in given)


def check() -> None:
    """Read everything once; what cannot be read is refused."""
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
