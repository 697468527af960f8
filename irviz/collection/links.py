"""Links from a document's identifier to its text, which irviz itself never fetches or keeps."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from irviz.errors import IrvizError

DOCID = "{docid}"
_LONGEST = 500
_EXAMPLE = f"Write one such as https://example.org/documents/{DOCID}."


def checked_pattern(pattern: str) -> str:
    """`pattern` if it is an address that holds ``{docid}`` once, behind the name of the server.

    Raises
    ------
    IrvizError
        For anything but http and https, for a server that depends on the document, for a user
        name in the address, and for blanks, quotes or brackets, which no address needs.

    Examples
    --------
    >>> checked_pattern("https://example.org/show?id={docid}")
    'https://example.org/show?id={docid}'
    """
    if not isinstance(pattern, str) or len(pattern) > _LONGEST:
        raise IrvizError(f"A link pattern is a text of at most {_LONGEST} characters. {_EXAMPLE}")
    rest = pattern.replace(DOCID, "")
    if pattern.count(DOCID) != 1 or "{" in rest or "}" in rest:
        raise IrvizError(f"A link pattern holds {DOCID} once, and no other braces; got `{pattern}`. {_EXAMPLE}")
    if not rest.isascii() or not rest.isprintable() or any(c in rest for c in " \"'<>\\^`|"):
        raise IrvizError(f"A link pattern is an address without blanks, quotes and brackets. {_EXAMPLE}")
    try:
        parts = urlsplit(pattern)
        parts.port  # noqa: B018 - a port that is not a number raises
    except ValueError as error:
        raise IrvizError(f"`{pattern}` is not an address ({error}). {_EXAMPLE}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise IrvizError(f"A link pattern begins with http:// or https:// and a server; got `{pattern}`. {_EXAMPLE}")
    if DOCID in parts.netloc or "@" in parts.netloc:
        raise IrvizError(f"The server of a link pattern is fixed and needs no user name; got `{pattern}`. {_EXAMPLE}")
    return pattern


def document_link(pattern: str, document: str) -> str:
    """The address of a document's text.

    >>> document_link("https://example.org/{docid}", "a/b 1?x")
    'https://example.org/a%2Fb%201%3Fx'
    """
    return checked_pattern(pattern).replace(DOCID, quote(document, safe=""))


def identifier_in(pattern: str) -> str:
    """A regular expression whose group is the document in an address that `pattern` made.

    >>> re.match(identifier_in("https://example.org/a.b?id={docid}&x"), "https://example.org/a.b?id=d7&x").group(1)
    'd7'
    """
    before, _, after = checked_pattern(pattern).partition(DOCID)
    return f"^{re.escape(before)}(.*){re.escape(after)}$"
