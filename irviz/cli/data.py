"""The data of a command: the options that name them, and what these open.

An option that takes a list may be given more than once; its lists are then one.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, TypeAlias
from urllib.parse import unquote, urldefrag, urlsplit

import irviz
from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.collection.tables import written_grades
from irviz.errors import IrvizError, visible
from irviz.stats.scores import Scores
from irviz.workspace.control import split_expressions, split_names

# -- Files named by a URL: fetched by the command line, in memory, and never by the dashboard ------
#
# A URL may end in ``#sha256=…``; what comes is then compared with it.

LARGEST_FILE = 1 << 30  #: bytes of one file, as it comes
_PATIENCE = 30.0  #: seconds until the next bytes must have come
LONGEST_FETCH = 600.0  #: seconds one file may take
_CHUNK = 1 << 20


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


def fetch_all(texts: Sequence[str]) -> list[Any]:
    """The texts with files in place of URLs; anything else is a path, and stays."""
    return [fetch(text) if is_url(text) else text for text in texts]


def fetch(url: str) -> tuple[str, bytes]:
    """Name and content of the file at a URL; its checksum is written to standard error."""
    address, wanted = urldefrag(url)
    try:
        opener = urllib.request.build_opener(_SafeRedirects)
        with closing(opener.open(address, timeout=_PATIENCE)) as answer:
            data = _read(address, answer)
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, IrvizError):
            raise
        why = getattr(error, "reason", None) or error
        message = f"{address}: cannot be fetched ({why}). Check the address, or fetch the file yourself."
        raise IrvizError(message) from error
    checksum = hashlib.sha256(data).hexdigest()
    sys.stderr.write(visible(f"irviz: fetched {address}: {len(data):,} bytes, sha256 {checksum}\n"))
    expected = wanted.removeprefix("sha256=")
    if expected != wanted and expected.lower() != checksum:
        raise IrvizError(f"{address}: its sha256 is {checksum}, not {expected}. It is another file.")
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


Arguments: TypeAlias = argparse.Namespace

# -- options ---------------------------------------------------------------------------


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the data."""
    data = parser.add_argument_group("data")
    data.add_argument("--collection", metavar="NAME", help="a bundled or saved collection, a folder or an .irviz file")
    data.add_argument(
        "--qrels",
        metavar="FILE",
        action="append",
        help="judgments, a file or a URL; several are parts of one set, or with ASPECT=FILE for each, aspects",
    )
    data.add_argument(
        "--runs", metavar="PATH", nargs="+", action="extend", help="a folder, an archive, files or URLs of runs"
    )
    add_reading(data)


def add_reading(parser: Any) -> None:
    """How files are read: an option group's or a parser's options."""
    parser.add_argument(
        "--ties", choices=list(TIE_RULES), default=None, help="tie rule: how documents with equal scores are ordered"
    )
    parser.add_argument(
        "--judges", action="store_true", help="the qrels are by several judges, not for several aspects"
    )
    parser.add_argument(
        "--intents", action="store_true", help="the second field of the qrels names intents, each an aspect (diversity)"
    )
    parser.add_argument(
        "--grade-map", metavar="MAP", default="", help='what ratings are worth, such as "E=3,S=2,C=1,I=0"'
    )
    parser.add_argument("--texts", metavar="FILE", help="texts of the topics: TREC topics, XML, TSV or JSON lines")


def add_data(parser: argparse.ArgumentParser) -> None:
    """A collection, and how much of it."""
    add_source(parser)
    parser.add_argument(
        "--depth", type=int, default=1000, help="ranking depth: ranks kept of every list (default 1000)"
    )
    parser.add_argument("--topics", metavar="LIST", action="append", help="only these topics, such as 401,402")
    parser.add_argument("--systems", metavar="LIST", action="append", help="only these systems, such as bm25,dense")


def add_measures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--measures", metavar="LIST", action="append", help='such as "AP,nDCG@10,RBP(p=0.8)"')


def add_matrices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scores",
        metavar="FILE",
        action="append",
        help="scores instead of runs: a file or a folder of them, or with MEASURE=FILE a matrix (CSV)",
    )


# -- what they say ---------------------------------------------------------------------


def has_collection(arguments: Arguments) -> bool:
    return bool(arguments.collection or arguments.qrels or arguments.runs)


def collection(arguments: Arguments, depth: int) -> Collection:
    """The collection that is named, with `depth` ranks of every list."""
    if arguments.collection and (arguments.qrels or arguments.runs):
        raise IrvizError("Give either --collection, or --qrels and --runs; not both.")
    if arguments.collection and (arguments.judges or arguments.intents or arguments.texts or arguments.grade_map):
        raise IrvizError(
            "A saved collection already has its judges, intents, texts and grades; --judges, --intents, --texts and "
            "--grade-map need --qrels."
        )
    if arguments.collection:
        return irviz.open_collection(arguments.collection, ties=arguments.ties, depth=depth)
    if not arguments.qrels or not arguments.runs:
        raise IrvizError("No data were given. Use --collection NAME, or --qrels FILE --runs PATH.")
    return load_files(arguments.qrels, arguments.runs, "--qrels", arguments, depth)


def load_files(qrels: Sequence[str], runs: Sequence[str], option: str, arguments: Arguments, depth: int) -> Collection:
    """The collection of files at these paths or URLs, read as the arguments say; `option` named the qrels."""
    judged: Any
    if any(map(names_aspect, qrels)):
        named = key_values(qrels, option, "ASPECT=FILE")
        judged = dict(zip(named, fetch_all(list(named.values())), strict=True))
    else:
        judged = fetch_all(qrels)
    if arguments.intents and (arguments.judges or len(judged) > 1 or isinstance(judged, dict)):
        raise IrvizError("--intents reads one file of qrels. Give it alone, without --judges.")
    judged = irviz.load_intents(judged) if arguments.intents else judged
    files = fetch_all(runs)
    texts = fetch_all([arguments.texts])[0] if arguments.texts else None
    return irviz.load_collection(
        judged,
        files[0] if len(files) == 1 else files,
        ties=arguments.ties or "trec_eval",
        depth=depth,
        judges=arguments.judges,
        topics=texts,
        grades=written_grades(arguments.grade_map),
    )


def names_aspect(text: str) -> bool:
    """True if a text is ASPECT=FILE and not the name of a file."""
    return "=" in text and not is_url(text) and not os.path.exists(text)


def chosen_collection(arguments: Arguments) -> Collection:
    """The collection with the topics and systems asked for."""
    return collection(arguments, arguments.depth).subset(*_some(arguments))


def scores(arguments: Arguments) -> Scores:
    """The scores of a collection, or those of the files."""
    if not arguments.scores:
        whole = irviz.score(collection(arguments, arguments.depth), asked_measures(arguments))
        return whole.select(None, *_some(arguments))
    if has_collection(arguments):
        raise IrvizError("Give either --scores, or a collection; not both.")
    named = any(map(names_aspect, arguments.scores))
    loaded = irviz.load_scores(
        key_values(arguments.scores, "--scores", "NAME=FILE") if named else fetch_all(arguments.scores)
    )
    for finding in loaded.findings:
        sys.stderr.write(f"irviz: {finding}\n")
    return loaded.select(asked_measures(arguments) if arguments.measures else None, *_some(arguments))


def either(arguments: Arguments) -> Collection | Scores:
    """The scores of the files where these are given, else the collection."""
    return scores(arguments) if getattr(arguments, "scores", None) else chosen_collection(arguments)


def asked_measures(arguments: Arguments) -> list[str]:
    measures = entries(arguments.measures, split_expressions)
    if not measures:
        raise IrvizError('No measure is given. Use --measures "AP,nDCG@10".')
    return measures


def entries(texts: Sequence[str] | None, split: Callable[[str], list[str]]) -> list[str]:
    """The entries of an option that was given any number of times."""
    return [entry for text in texts or () for entry in split(text)]


def asked_numbers(texts: Sequence[str], option: str, form: str, kind: type[float] = float) -> list[float]:
    try:
        return [kind(float(part)) for part in entries(texts, lambda text: text.split(","))]
    except ValueError as error:
        raise IrvizError(f"{option} takes {form}; got `{','.join(texts)}`.") from error


def key_values(texts: Sequence[str], option: str, form: str) -> dict[str, str]:
    """Texts of the form KEY=VALUE as a mapping."""
    by_key: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not (key and sign and value):
            raise IrvizError(f"{option} takes {form}; got `{text}`.")
        if key in by_key:
            raise IrvizError(f"{option} names {key} twice, as {by_key[key]} and as {value}. Give it once.")
        by_key[key] = value
    return by_key


def _some(arguments: Arguments) -> tuple[list[str] | None, list[str] | None]:
    """The topics and the systems asked for; None for all."""
    topics, systems = (entries(texts, split_names) or None for texts in (arguments.topics, arguments.systems))
    return topics, systems
