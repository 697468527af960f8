"""One list in readable form: rank, document, score of the run, grades."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.documents import NO_INDEX
from irviz.errors import IrvizError


def list_frame(c: Any, topic: int, system: int) -> pd.DataFrame:
    """One row per rank of the list of a system for a topic, both by index; see :meth:`Collection.list`."""
    documents = c.documents
    listed = c.ranking[topic, system]
    listed = listed[listed != BEYOND]
    names: list[str | None] = [None] * len(listed)
    places, scores, below = np.full(len(listed), NO_INDEX, dtype=np.int32), np.full(len(listed), np.nan), None
    if documents is not None:
        first = min(documents.ranks, len(listed))
        places[listed >= 0] = documents.judged[topic][listed[listed >= 0]]
        places[:first] = documents.listed[topic, system, :first]
        scores[:first] = documents.scores[topic, system, :first]
        names, below = documents.names(places), None if documents.below is None else documents.below[topic]
    given = np.where(listed < 0, UNJUDGED, listed)  # the last, NaN, where a document was not judged
    belows = [None if below is None else below[:, a] for a in range(len(c.aspects))]
    tables = [all_grades(c.labels[topic, :, a], c.grades[a], own) for a, own in enumerate(belows)]
    columns = {aspect: np.append(table, np.nan)[given] for aspect, table in zip(c.aspects, tables, strict=True)}
    known = {"rank": np.arange(1, len(listed) + 1), "document": names, "score": scores}
    return pd.concat([pd.DataFrame(known), pd.DataFrame(columns)], axis=1)


def all_grades(
    labels: NDArray[np.int16], grades: tuple[float, ...], below: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """The grade of every label, in the shape of `labels`; NaN where a document was not judged.

    `grades` has that of every level, `below` those below zero as they were written; without it such a grade reads −1.
    """
    table = np.array(grades, dtype=np.float64)[np.maximum(labels, 0)]
    table[labels == NEGATIVE] = -1.0 if below is None else below[labels == NEGATIVE]
    table[labels == ABSENT] = np.nan
    return table


# -- Links from a document's identifier to its text, which irviz itself never fetches or keeps -----

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
