"""Files named by a URL: fetched by the command line, in memory, and never by the dashboard.

A URL may end in ``#sha256=…``; what comes is then compared with it.
"""

from __future__ import annotations

import hashlib
import http.client
import sys
import time
import urllib.request
from collections.abc import Sequence
from contextlib import closing
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from irviz.errors import IrvizError, visible

LARGEST_FILE = 1 << 30  #: bytes of one file, as it comes
_PATIENCE = 30.0  #: seconds until the next bytes must have come
LONGEST_FETCH = 600.0  #: seconds one file may take
_CHUNK = 1 << 20
_CHECKSUM = "sha256="


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects by http and https, and none from https to http."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        target = urlsplit(newurl).scheme.lower()
        if target not in ("http", "https") or (req.type == "https" and target == "http"):
            raise IrvizError(
                f"{req.full_url}: leads from {req.type} to {target}, where anybody may have changed the file. "
                "Check the address, or fetch the file yourself."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def fetched(texts: Sequence[str]) -> list[Any]:
    """The texts with files in place of URLs; anything else is a path, and stays."""
    return [fetch(text) if is_url(text) else text for text in texts]


def fetch(url: str) -> tuple[str, bytes]:
    """Name and content of what a URL leads to; its checksum is said on standard error."""
    address, wanted = urldefrag(url)
    try:
        opener = urllib.request.build_opener(_SafeRedirects)
        with closing(opener.open(address, timeout=_PATIENCE)) as answer:
            data = _read(address, answer)
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, IrvizError):
            raise
        why = getattr(error, "reason", None) or error
        raise IrvizError(
            f"{address}: cannot be fetched ({why}). Check the address, or fetch the file yourself."
        ) from error
    found = hashlib.sha256(data).hexdigest()
    sys.stderr.write(visible(f"irviz: fetched {address}: {len(data):,} bytes, sha256 {found}\n"))
    if wanted.startswith(_CHECKSUM) and wanted.removeprefix(_CHECKSUM).lower() != found:
        raise IrvizError(f"{address}: its sha256 is {found}, not {wanted.removeprefix(_CHECKSUM)}. It is another file.")
    return unquote(urlsplit(address).path.rstrip("/").rpartition("/")[2]) or "fetched", data


def _read(address: str, answer: Any) -> bytes:
    """All of an answer, within the limits."""
    end = time.monotonic() + LONGEST_FETCH
    parts, size = [], 0
    while part := answer.read1(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > LARGEST_FILE:
            raise IrvizError(f"{address}: {LARGEST_FILE >> 20:,} MB at most are fetched. Fetch the file yourself.")
        if time.monotonic() > end:
            raise IrvizError(f"{address}: was not complete after {LONGEST_FETCH:g} seconds. Fetch the file yourself.")
    missing = getattr(answer, "length", None)
    if missing:
        raise IrvizError(f"{address}: ended {missing:,} bytes too early. Try again.")
    return b"".join(parts)
