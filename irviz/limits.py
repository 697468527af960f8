"""What an operator may set for a server, in variables of the environment.

They are read when they are needed; :func:`check` reads all when a server starts, so that a mistake is refused there.
Rates, connections, memory and processors belong to the proxy and the operating system: ``deploy/``.
"""

from __future__ import annotations

import os
import re

from irviz.errors import IrvizError

LOAD = "IRVIZ_LOAD_MB"
SECONDS = "IRVIZ_REQUEST_SECONDS"
HOSTS = "IRVIZ_HOSTS"  #: further names that the server answers to, separated by commas; ``*`` for any
FRAMES = "IRVIZ_FRAMES"  #: sites that may embed irviz in their pages: `self`, or origins separated by blanks
LIMITS = {
    LOAD: ("memory of one load, in MB: for its unpacked files, and for its arrays", 8192),
    SECONDS: ("seconds that one computation of a page may take; 0: no limit", 0),
}  #: variable → meaning and default
_ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)


def limit(variable: str) -> int:
    """The value of a limit.

    Raises
    ------
    IrvizError
        If the variable is not a whole number of at least 0.
    """
    meaning, default = LIMITS[variable]
    text = os.environ.get(variable, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise IrvizError(
            f"{variable} must be a whole number ({meaning}); it is {text[:40]!r}. "
            f"Set it to a number such as {default}, or leave it out."
        )
    return int(text)


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
    """Read all variables once, so that a wrong value is refused."""
    frames()
    for variable in LIMITS:
        limit(variable)
