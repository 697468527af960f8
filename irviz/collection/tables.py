"""Judgments and results in any format, told by their content and read as lines; TREC's by :mod:`irviz.collection.trec`.

The others are tables with a header (Quepid, spreadsheets, BEIR), JSON and JSON lines of the same fields, three columns
without a header (MS MARCO), learning-to-rank lines, judgments and evaluation records of OpenSearch's Search Relevance
Workbench, requests and responses of ``_rank_eval``, ranx's ``{query: {document: number}}`` and ``{query: [document]}``.
A query without an identifier is named by its text.  One without a document is kept, and scores 0.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import reprlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.lines import Lines
from irviz.collection.lint import counts_up
from irviz.collection.names import readable
from irviz.collection.text import LONGEST_IDENTIFIER, parsed_number, quoted_line, without_marks, without_preamble
from irviz.collection.trec import parse_qrels, parse_run
from irviz.errors import FileProblem, IrvizError, is_finite, join_words

GradeMap = Mapping[Any, float]  #: rating, a text or a number → its grade

# -- Names of columns and fields, without case, blanks, lines and dashes ---------------------------

_NAMES = {
    "id": ("queryid", "qid", "topicid", "topic"),
    "query": ("query", "querytext", "searchtext", "searchterm", "searchquery"),
    "doc": (
        *("docno", "docid", "documentid", "corpusid", "productid", "itemid", "passageid", "pid"),
        *("doc", "document", "id"),
    ),
    "rating": ("rating", "grade", "relevance", "label", "judgment", "judgement", "rel", "escilabel"),
    "position": ("position", "docposition", "rank"),
    "score": ("score",),
    "judge": ("judge", "judgeid", "assessor", "annotator", "rater"),
    "system": (
        *("system", "run", "runid", "snapshot", "snapshotname", "strategy", "config", "configuration"),
        *("searchconfiguration", "searchconfigurationid", "tag", "name"),
    ),
}  #: role → names, the best first
_SAY_NOTHING = ("iteration", "iter", "q0", "average", "comments", "explanation")  # columns that are no judge's
_SEPARATORS = "\t,;|"
_HEAD = 1 << 16  # bytes that tell the form
_BEGINNING = 1 << 10  # bytes that tell JSON
_LONGEST_LINE = 1 << 20  # bytes
_MOST_MISSES = 1_000  #: failed searches for documents after which the search ends
_MOST_COLUMNS = 1_000
MOST_JUDGES = 100
_TOLD_WITHIN = 1e-6  #: a mean of scores that a file tells
_LTR = re.compile(r"(\S+)\s+qid:(\S+)(?:\s+\d+:\S+)*\s*#\s*(?i:docid\s*=\s*)?+(\S+)\s*(.*)")
_THREE = "three columns"


class Entry(NamedTuple):
    """A rating or a ranked document as written; without a document, a query that has none."""

    line: int
    query: str
    doc: str
    rating: Any = None
    score: Any = None
    position: Any = None
    who: str = ""  #: the judge, or the configuration
    text: str = ""  #: of the query


@dataclass(frozen=True)
class Form:
    """A file's form: its name, whether it holds ratings, results or both, and ``read(file, data, ratings)``.

    That gives the ratings, or else the results, with findings.
    """

    name: str
    ratings: bool
    results: bool
    read: Callable[[str, bytes, bool], Iterator[Entry | Finding]]


def form_of(data: bytes) -> Form | None:
    """The form that the beginning of a file shows; None for TREC files and everything else.

    >>> form_of(b"query,docid,rating\\nblue shoes,d1,3\\n").name
    'table'
    >>> form_of(b"301 0 FT1 2\\n") is None
    True
    """
    head = without_preamble(data[:_HEAD], _SEPARATORS).lstrip()
    if not head or b"\0" in head[:1000]:
        return None
    if head[:1] in (b"{", b"["):
        return _json_form(head)
    lines = [line for line in head.replace(b"\r", b"\n").split(b"\n")[:40] if line.strip()]
    separator, header = _header(lines[0])
    if header:
        return _table_form(separator, header, lines[1:])
    text = [line.decode("utf-8", "replace") for line in (lines[:-1] if len(data) > _HEAD else lines)[:20]]
    if all(map(_LTR.fullmatch, map(str.strip, text))):
        return Form("learning-to-rank lines", True, False, partial(_entries_of_lines, _rated_features))
    fields = [line.split() for line in text]
    if fields and all(len(cells) == 3 and _number(cells[2]) is not None for cells in fields):
        ranks = _seem_ranks(fields)
        return Form(_THREE, not ranks, ranks, partial(_entries_of_lines, _three))
    return None


def holds_both(data: bytes) -> bool:
    """True if a file holds results and their ratings."""
    form = form_of(data)
    return form is not None and form.ratings and form.results


def read_ratings(file: str, data: bytes, grades: GradeMap | None = None) -> dict[str, Lines]:
    """The judgments of a file by judge; a single one is called "".

    `grades` maps ratings to grades; by default numbers are grades, and texts are looked up in `SCALES`.
    """
    data = without_marks(data)
    form = form_of(data)
    if form is None:
        lines = _parse_trec(parse_qrels, file, data)
        return {"": lines if grades is None else _regrade(lines, check_grades(grades))}
    if not form.ratings and form.name != _THREE:
        raise FileProblem(file, None, f"this holds results ({form.name}), not judgments. Give the judgments first.")
    return _ratings(file, data, form, None if grades is None else check_grades(grades))


def read_results(name: str, file: str, data: bytes) -> dict[str, Lines]:
    """The runs of a file by system; a file that names none is called `name`."""
    data = without_marks(data)
    form = form_of(data)
    if form is None:
        return {name: _parse_trec(parse_run, file, data)}
    if not form.results and form.name not in (_THREE, "table", "ranx", _LISTS):
        raise FileProblem(file, None, f"this holds judgments ({form.name}), not results. Give the qrels first.")
    return _results(name, file, data, form)


def _parse_trec(parse: Callable[[str, bytes], Lines], file: str, data: bytes) -> Lines:
    try:
        return parse(file, data)
    except FileProblem as error:
        if not re.match(rb"(\xef\xbb\xbf)?\s*(\{\s*[\"}]|\[\s*[\[{\"])", data[:_BEGINNING]):
            raise
        known = "query, document and rating (or position, or score), or {query: {document: number}}"
        raise FileProblem(file, 1, f"this JSON holds none of what irviz knows: {known}.") from error


# -- Entries → lines of qrels ----------------------------------------------------------------------

SCALES: tuple[dict[str, float], ...] = (
    {"e": 3, "s": 2, "c": 1, "i": 0},
    {"exact": 3, "substitute": 2, "complement": 1, "irrelevant": 0},
    {"perfect": 4, "excellent": 3, "good": 2, "fair": 1, "bad": 0},
    {"highly relevant": 2, "relevant": 1, "not relevant": 0, "irrelevant": 0, "non-relevant": 0},
    {"yes": 1, "no": 0},
    {"true": 1, "false": 0},
)  #: grades of ratings that are texts, without case: ESCI's E, S, C and I, and other usual ones


class _Entries:
    """Entries as they come, as columns."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.topics: dict[str, int] = {}
        self.names: dict[str, int] = {}
        self.topic, self.who, self.line = array("i"), array("i"), array("q")
        self.docs: list[bytes] = []
        self.texts: dict[str, str] = {}

    def add(self, entry: Entry) -> None:
        topic = self.topic_of(entry)
        doc = self._identifier(entry, "document", entry.doc.strip())
        self.topic.append(topic)
        self.who.append(self.who_of(entry))
        self.line.append(entry.line)
        self.docs.append(readable(doc).encode())

    def topic_of(self, entry: Entry) -> int:
        """The number of an entry's query."""
        query = self._identifier(entry, "query", " ".join(entry.query.split()))
        if entry.text and query not in self.texts:
            self.texts[query] = " ".join(entry.text.split())
        return self.topics.setdefault(query, len(self.topics))

    def who_of(self, entry: Entry) -> int:
        """The number of an entry's judge, or configuration."""
        return self.names.setdefault(" ".join(entry.who.split()), len(self.names))

    def _identifier(self, entry: Entry, what: str, text: str) -> str:
        if not text:
            raise FileProblem(self.file, entry.line, f"the {what} is empty. Give each entry a query and a document.")
        if len(text) > LONGEST_IDENTIFIER:
            message = f"the {what} has {len(text):,} characters; at most {LONGEST_IDENTIFIER:,} are allowed"
            raise FileProblem(self.file, entry.line, f"{message}: {_quote(text)}")
        return readable(text)

    def by_name(self, values: NDArray[np.float64], rank: NDArray[np.float64] | None = None) -> dict[str, Lines]:
        """By judge or configuration, its lines."""
        by, names = np.array(self.who), [topic.encode() for topic in self.topics]
        found = {}
        for name, code in self.names.items():
            rows = np.flatnonzero(by == code).tolist()
            found[name] = Lines.of(
                self.file,
                [names[self.topic[row]] for row in rows],
                [self.docs[row] for row in rows],
                values[rows],
                np.array(self.line)[rows].item,
                rank=None if rank is None else rank[rows],
            )
        return found


def _ratings(file: str, data: bytes, form: Form, grades: dict[Any, float] | None) -> dict[str, Lines]:
    lines = _Entries(file)
    codes, code_of, first = array("l"), dict[Any, int](), list[int]()
    unrated = list[Entry]()
    for entry in form.read(file, without_preamble(data, _SEPARATORS), True):
        if isinstance(entry, Finding):
            continue  # about the results
        rating = entry.rating.strip() if isinstance(entry.rating, str) else entry.rating
        if rating is None or rating == "":
            if entry.doc.strip():
                unrated.append(entry)
            else:
                lines.topic_of(entry)
            continue
        if isinstance(rating, bool) or not isinstance(rating, (str, int, float)):
            raise FileProblem(file, entry.line, f"the rating is no number and no text: {_quote(rating)}")
        lines.add(entry)
        if rating not in code_of:
            first.append(entry.line)
        codes.append(code_of.setdefault(rating, len(code_of)))
        if len(lines.names) > MOST_JUDGES:
            raise FileProblem(file, entry.line, f"more than {MOST_JUDGES} judges. Name the column otherwise.")
    if not lines.docs:
        raise FileProblem(file, None, "no document is rated here. Give a file with a query, a document and a rating.")
    worth, findings = _worth(file, list(code_of), first, grades)
    if unrated:
        message = f"entries without a rating, taken as not judged: {len(unrated):,}"
        findings.append(Finding("note", file, unrated[0].line, message))
    queries = dict.fromkeys(readable(" ".join(entry.query.split())) for entry in unrated)
    if left := [query for query in queries if query not in lines.topics]:
        message = f"queries without any rating, left out: {len(left):,}: {join_words(left, joiner='and')}"
        findings.append(Finding("warning", file, unrated[0].line, message))
    if form.results and form.name == "_rank_eval response":
        message = "these are the judgments of retrieved documents only, so R, AP and the ideal of nDCG miss all others"
        findings.append(Finding("warning", file, None, f"{message}. Give the request of _rank_eval as the judgments"))
    qrels = lines.by_name(worth[np.array(codes)])
    first_judge, listed = next(iter(qrels)), set(lines.topic)
    empty_queries = (query.encode() for query, topic in lines.topics.items() if topic not in listed)
    topics = (*qrels[first_judge].topics, *empty_queries)
    qrels[first_judge] = replace(qrels[first_judge], topics=topics, findings=tuple(findings), texts=lines.texts)
    return qrels


def written_grades(text: str) -> dict[Any, float] | None:
    """A map of ratings to grades as people write it, such as ``E=3, S=2, 100 = 1``; None for nothing."""
    pairs = [part.rpartition("=") for part in re.split(r"[,;]", text) if part.strip()]
    grades: dict[str, float] = {}
    for rating, sign, grade in pairs:
        number = _number(grade.strip())
        if not sign or not rating.strip() or number is None:
            raise IrvizError(f"Grades of ratings are written as E=3, S=2, C=1, I=0; got `{text[:200]}`.")
        if grades.setdefault(rating.strip(), number) != number:
            raise IrvizError(f"`{rating.strip()}` has two grades. Keep one.")
    return check_grades(grades) if grades else None


def check_grades(grades: object) -> dict[Any, float]:
    """A map of ratings to grades with its ratings as numbers, or texts without case."""
    if not isinstance(grades, Mapping) or not grades:
        raise IrvizError("`grades` maps ratings to grades, such as {'E': 3, 'S': 2, 'C': 1, 'I': 0}.")
    by_rating: dict[Any, float] = {}
    for rating, grade in grades.items():
        if not is_finite(grade):
            raise IrvizError(f"`grades` maps each rating to a number; {rating!r} is mapped to {grade!r}.")
        key = _key(rating)
        if by_rating.setdefault(key, float(grade)) != grade:
            raise IrvizError(f"`grades` maps {rating!r} twice, to {by_rating[key]:g} and to {grade:g}. Keep one.")
    return by_rating


def _key(rating: Any) -> Any:
    number = _number(rating)
    return str(rating).strip().casefold() if number is None else number


def _number(value: Any) -> float | None:
    """A text or a number as a finite number; None for anything else."""
    if isinstance(value, str):
        value = parsed_number(value.encode("utf-8", "replace"))
    return float(value) if is_finite(value) else None


def _worth(
    file: str, ratings: list[Any], first: list[int], grades: dict[Any, float] | None
) -> tuple[NDArray[np.float64], list[Finding]]:
    """The grade of every distinct rating, and a finding about how they became grades."""
    keys, known = [_key(rating) for rating in ratings], grades
    texts = [key for key in keys if isinstance(key, str)]
    numbers = {key: key for key in keys if not isinstance(key, str)}
    if known is None and texts:
        known = next((scale for scale in SCALES if set(texts) <= set(scale)), {}) | numbers
    if known is None:
        return np.array(keys, dtype=np.float64), []
    lacking = next((i for i, key in enumerate(keys) if key not in known), None)
    if lacking is not None:
        missing = dict.fromkeys(str(rating) for rating, key in zip(ratings, keys, strict=True) if key not in known)
        example = "{'good': 2, 'fair': 1, 'bad': 0}"
        why = "is not in `grades`" if grades else "is no number and no rating that irviz knows"
        message = f"the rating {_quote(ratings[lacking])} {why}. Give a grade for each, such as grades={example}; "
        raise FileProblem(file, first[lacking], f"{message}without one: {join_words(missing, joiner='and')}.")
    worth = np.array([known[key] for key in keys], dtype=np.float64)
    if grades is None and numbers:
        message = "ratings are numbers and texts. Write them in one way, or give grades={…} with all of them."
        raise FileProblem(file, first[keys.index(texts[0])], message)
    return worth, [_map_says(file, ratings, worth, grades is not None)]


def _map_says(file: str, ratings: list[Any], worth: NDArray[np.float64], is_explicit: bool) -> Finding:
    """The map of ratings to grades, and the gains that follow."""
    order = sorted(range(len(ratings)), key=lambda i: (-worth[i], str(ratings[i])))
    best = max(float(worth.max()), 0.0)
    pairs = join_words((f"{ratings[i]} = {worth[i]:g}" for i in order), most=12, joiner="and")
    gains = join_words((f"{max(worth[i], 0) / best if best else 0:.3g}" for i in order), most=12, joiner="and")
    change = "" if is_explicit else "; grades={…} gives other grades"
    severity = "note" if is_explicit else "warning"
    return Finding(severity, file, None, f"ratings are read as the grades {pairs}; linear gains are {gains}{change}")


def _regrade(lines: Lines, grades: dict[Any, float]) -> Lines:
    """Lines of qrels with other grades."""
    distinct, inverse = np.unique(lines.values, return_inverse=True)
    inverse = inverse.reshape(lines.values.shape)
    lacking = next((i for i, grade in enumerate(distinct.tolist()) if grade not in grades), None)
    if lacking is not None:
        row = int(np.argmax((inverse == lacking).any(axis=1)))
        message = f"the grade {distinct[lacking]:g} is not in `grades`. Give a grade for each."
        raise FileProblem(lines.file, lines.line_of(row), message)
    worth = np.array([grades[grade] for grade in distinct.tolist()])
    finding = _map_says(lines.file, [f"{grade:g}" for grade in distinct.tolist()], worth, True)
    return replace(lines, values=worth[inverse], findings=(*lines.findings, finding))


# -- Entries → lines of runs -----------------------------------------------------------------------


def _results(name: str, file: str, data: bytes, form: Form) -> dict[str, Lines]:
    """Runs ordered by scores where there are some, else by positions."""
    lines, findings = _Entries(file), list[Finding]()
    score, position = array("d"), array("d")
    for entry in form.read(file, without_preamble(data, _SEPARATORS), False):
        if isinstance(entry, Finding):
            findings.append(entry)
        elif not entry.doc.strip() and entry.position in (None, ""):
            lines.topic_of(entry)
            if entry.who:
                lines.who_of(entry)
        else:
            lines.add(entry)
            score.append(_ordered_by(file, entry, "score", entry.score))
            position.append(_ordered_by(file, entry, "position", entry.position))
            if math.isnan(score[-1]) and math.isnan(position[-1]):
                raise FileProblem(file, entry.line, "the entry has neither a position nor a score, so it has no rank.")
    if not lines.topics:
        raise FileProblem(file, None, "no result is listed here.")
    lines.names = lines.names or {"": 0}
    ranks, scores = np.array(position), np.array(score)
    if form.name == _THREE:
        are_ranks, finding = _third_column(file, np.array(lines.topic), scores)
        findings.append(finding)
        if are_ranks:
            ranks, scores = scores, ranks
    unscored, unranked = bool(np.isnan(scores).any()), np.flatnonzero(np.isnan(ranks)).tolist()
    if unscored and unranked:
        message = "some entries have only a score, others only a position. Give all one of them."
        raise FileProblem(file, lines.line[unranked[0]], message)
    by_name = lines.by_name(-ranks if unscored else scores, None if unranked else ranks)
    why = (None, "the file gives scores and no positions" if unranked else "")
    runs = {who or name: replace(run, rank_problem=why) for who, run in by_name.items()}
    first = next(iter(runs))
    runs[first] = replace(runs[first], findings=tuple(findings), texts=lines.texts)
    return runs


def _third_column(file: str, topic: NDArray[np.intp], numbers: NDArray[np.float64]) -> tuple[bool, Finding]:
    """True if the third column of a run holds ranks, 1 to n or 0 to n − 1 on every topic; and a finding."""
    if not counts_up(topic, numbers):
        return False, Finding("note", file, None, "the third column is not 1 to n on every topic: it is read as scores")
    steps = np.diff(numbers)[np.diff(topic) == 0]
    counts = "0 to n − 1" if numbers.min() == 0 else "1 to n"
    message = f"the third column is {counts} on every topic: it is read as ranks"
    if len(steps) and (steps < 0).all():
        message += ", though every list falls as if by scores; write six fields if these are scores"
        return True, Finding("warning", file, None, message)
    return True, Finding("note", file, None, message)


def _ordered_by(file: str, entry: Entry, what: str, value: Any) -> float:
    """A score or a position as a number; NaN if there is none."""
    if value is None or value == "":
        return math.nan
    number = _number(value)
    if number is None:
        raise FileProblem(file, entry.line, f"the {what} is not a finite number: {_quote(value)}")
    return number


def _quote(value: Any) -> str:
    return quoted_line((value if isinstance(value, str) else reprlib.repr(value))[:400].encode("utf-8", "replace"))


# -- Tables with a header --------------------------------------------------------------------------


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def _roles(names: Iterable[str]) -> dict[str, str]:
    """Role → the name that has it."""
    plain = {_plain(name): name for name in reversed(list(names))}
    found = ((role, next(filter(plain.__contains__, known), "")) for role, known in _NAMES.items())
    return {role: plain[spelling] for role, spelling in found if spelling}


def _header(line: bytes) -> tuple[str, list[str]]:
    """The separator and the names of columns; no names where none is a query's or a document's."""
    text = line.decode("utf-8", "replace").strip("\r\n")
    for separator in _SEPARATORS:
        names = [name.strip() for name in next(csv.reader([text], delimiter=separator), [])]
        roles = _roles(names)
        if len(names) > 2 and "doc" in roles and ("id" in roles or "query" in roles):
            return separator, names
    return "", []


def _table_form(separator: str, header: list[str], lines: list[bytes]) -> Form | None:
    roles = _roles(header)
    read = partial(_table_entries, separator)
    place = header.index(roles["score"]) if "score" in roles else 0
    rows = [line.decode("utf-8", "replace").split(separator) for line in lines[:20]]
    whole_numbers = all(len(row) > place and re.fullmatch(r'"?\s*-?\d+\s*"?\s*', row[place]) for row in rows)
    if (form := _form_of_roles("table", roles, whole_numbers, read)) is not None:
        return form
    return Form("table", True, False, read) if _judges(header, roles) else None


def _form_of_roles(
    name: str, roles: Mapping[str, str], whole: bool, read: Callable[[str, bytes, bool], Iterator[Entry | Finding]]
) -> Form | None:
    """The form of entries with these fields; scores alone are ratings where they are whole numbers."""
    if "rating" in roles:
        return Form(name, True, "position" in roles, read)
    if "position" in roles or ("score" in roles and "system" in roles):
        return Form(name, False, True, read)
    return Form(name, whole, not whole, read) if "score" in roles else None


def _judges(header: list[str], roles: Mapping[str, str]) -> list[str]:
    """The columns of judges in a book of judgments: all that mean nothing else."""
    taken = {roles[role] for role in ("id", "query", "doc") if role in roles}
    return [name for name in header if name and name not in taken and _plain(name) not in _SAY_NOTHING]


def _decode(file: str, data: bytes) -> Iterator[str]:
    """The lines as text, line ends kept."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    for number, line in enumerate(io.BytesIO(data), start=1):
        if len(line) > _LONGEST_LINE:
            raise FileProblem(file, number, f"the line has {len(line):,} bytes; at most {_LONGEST_LINE:,} are read.")
        if b"\0" in line:
            raise FileProblem(file, number, "the line is not text. Save the file as UTF-8.")
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"the line is not UTF-8: {quoted_line(line)}"
            raise FileProblem(file, number, f"{problem}. Save the file as UTF-8 (a spreadsheet: CSV UTF-8).") from error


def _quoting(separator: str) -> Callable[[str], str]:
    """A function that puts fields with doubled quotes in quotes: ``55"" tv``, as Quepid writes, is ``"55"" tv"``."""
    field = rf'(?:"(?:[^"]|"")*+"(?=[{separator}\r\n]|$)|((?:[^"{separator}\r\n]|"")*+))'
    line_pattern, field_pattern = re.compile(rf"{field}(?:[{separator}]{field})*+[\r\n]*"), re.compile(field)

    def quote_fields(line: str) -> str:
        if '""' not in line or not line_pattern.fullmatch(line):
            return line
        return field_pattern.sub(lambda match: f'"{match[0]}"' if '""' in (match[1] or "") else match[0], line)

    return quote_fields


def _table_entries(separator: str, file: str, data: bytes, ratings: bool) -> Iterator[Entry | Finding]:
    """An entry a row; of a book of judgments one a judge."""
    reader = csv.reader(map(_quoting(separator), _decode(file, data)), delimiter=separator)
    header, roles, books, end = list[str](), dict[str, str](), list[str](), 0
    try:
        for row in reader:
            start, end = end + 1, reader.line_num
            if not any(map(str.strip, row)):
                continue
            if not header:
                header = [name.strip() for name in row]
                roles = _roles_of_header(file, end, header, ratings)
                books = _judges(header, roles) if ratings and not {"rating", "score"} & roles.keys() else []
                continue
            wide = any(map(str.strip, row[len(header) :]))
            if len(row) < len(header) or wide:
                message = f"expected {len(header)} columns, found {len(row)}: {_quote(separator.join(row))}"
                advice = f". Put a text with `{separator}` in quotes." if wide else ""
                raise FileProblem(file, start, f"{message}{advice}")
            cells = dict(zip(reversed(header), reversed(row[: len(header)]), strict=True))
            entry = _entry(file, start, cells, roles, ratings)
            yield from [entry._replace(who=judge, rating=cells[judge]) for judge in books] or [entry]
    except csv.Error as error:
        problem = f"the table cannot be read ({error}). Look for a quote that is not closed."
        raise FileProblem(file, reader.line_num, problem) from error


def _roles_of_header(file: str, line: int, header: list[str], ratings: bool) -> dict[str, str]:
    if len(header) > _MOST_COLUMNS:
        raise FileProblem(file, line, f"{len(header):,} columns; at most {_MOST_COLUMNS:,} are read.")
    name, times = Counter(map(_plain, filter(None, header))).most_common(1)[0]
    if times > 1 and name:
        raise FileProblem(file, line, f"{times} columns are named {name}. Rename all but one.")
    roles = _roles(header)
    if not ratings and not {"score", "position"} & roles.keys():
        columns = join_words(header, joiner="and")
        raise FileProblem(file, 1, f"no column of positions or scores; the columns are {columns}.")
    return roles


def _entry(file: str, line: int, node: Mapping[str, Any], roles: Mapping[str, str], ratings: bool) -> Entry:
    """The entry of an object, or of a row by its columns; `roles` are the names of its fields."""
    key = _name(file, line, node[roles.get("id", roles.get("query", ""))], "query")
    words, who, score, position = (
        node.get(roles.get(role, "")) for role in ("query", "judge" if ratings else "system", "score", "position")
    )
    doc = _name(file, line, node[roles["doc"]], "document")
    text = _text_of_query(words) if isinstance(words, str) else ""
    by = "" if who is None else _name(file, line, who, "judge" if ratings else "system")
    rating = node[roles["rating"]] if "rating" in roles else score
    rank = {"rating": rating} if ratings else {"score": score, "position": position}
    return Entry(line, key, doc, who=by, text=text, **rank)


def _text_of_query(text: str) -> str:
    """A query's text; nothing for a number or another identifier without a letter."""
    return text if any(map(str.isalpha, text)) else ""


# -- Lines without a header ------------------------------------------------------------------------


def _seem_ranks(lines: list[list[str]]) -> bool:
    """True if the last of three columns holds ranks within each query, from 1 or 0, in any order."""
    ranks: dict[str, list[float | None]] = {}
    for query, _, number in lines:
        ranks.setdefault(query, []).append(_number(number))
    longest = max(map(len, ranks.values()))
    if all(found == list(range(1, len(found) + 1)) for found in ranks.values()):
        return longest > 1
    return longest > 2 and any(
        all(set(found) == set(range(first, first + len(found))) for found in ranks.values()) for first in (0, 1)
    )


def _entries_of_lines(
    read: Callable[[str, int, str, bool], Entry], file: str, data: bytes, ratings: bool
) -> Iterator[Entry | Finding]:
    return (read(file, i, line, ratings) for i, line in enumerate(_decode(file, data), start=1) if line.strip())


def _three(file: str, number: int, line: str, ratings: bool) -> Entry:
    """MS MARCO's query, document and rank (or grade, or score)."""
    fields = line.split()
    if len(fields) != 3:
        raise FileProblem(file, number, f"expected 3 fields, found {len(fields)}: {_quote(line)}")
    query, doc, value = fields
    if _number(value) is None:
        raise FileProblem(file, number, f"the third field is not a finite number: {_quote(line)}")
    return Entry(number, query, doc, **{"rating" if ratings else "score": value})


def _rated_features(file: str, number: int, line: str, _ratings: bool) -> Entry:
    match = _LTR.fullmatch(line.strip())
    if match is None:
        raise FileProblem(file, number, f"expected `rating qid:query # document text`: {_quote(line)}")
    rating, query, doc, text = match.groups()
    return Entry(number, query, doc, rating=rating, text="" if "=" in text else text)  # LETOR's: inc = 1 prob = .2


# -- JSON ------------------------------------------------------------------------------------------

_SIGNS = (
    ("judgments of the Search Relevance Workbench", rb'"judgmentRatings"\s*:', True, False),
    ("evaluation records of the Search Relevance Workbench", rb'"documentIds"\s*:\s*\[', False, True),
    ("_rank_eval request", rb'"requests"\s*:\s*\[', True, False),
    ("_rank_eval response", rb'"details"\s*:\s*\{', True, True),
)
_KEY = rb'"(?:[^"\\]|\\.){1,4096}"\s*:\s*'
_RANX = re.compile(
    rb"\{\s*(?:%s(?:\{\s*\}|\[\s*\])\s*,\s*)*+%s(?:(?P<list>\[)\s*[\"\d\[]|\{\s*%s(?P<system>\[)?)"
    % (_KEY, _KEY, rb"(?:%s(?:\{\s*\}|\[\s*\])\s*,\s*)*+%s(?=-?\d|NaN|-?Infinity|null|\[\s*[\"\d\]])" % (_KEY, _KEY))
)
_LISTS = "lists of documents by query"
_FLAT = re.compile(rb"\[?\s*(\{[^{}]*\})")


def _json_form(head: bytes) -> Form | None:
    for name, sign, ratings, results in _SIGNS:
        if re.search(sign, head):
            return Form(name, ratings, results, _json_entries)
    if flat := _FLAT.match(head):
        try:
            roles = _roles(_distinct(list(json.loads(flat[1]).items())))
        except (ValueError, RecursionError):
            roles = {}
        if "doc" in roles and ("id" in roles or "query" in roles) and len(roles) > 2:
            name = "JSON lines" if head.startswith(b"{") else "JSON"
            whole_numbers = re.search(rb'"score"\s*:\s*"?-?\d+"?\s*[,}]', flat[1]) is not None
            return _form_of_roles(name, roles, whole_numbers, _json_entries)
    ranx = _RANX.match(head)
    if ranx and ranx["list"]:
        return Form(_LISTS, True, False, _json_entries)
    if ranx and ranx["system"]:
        return Form(f"{_LISTS} and system", False, True, _json_entries)
    if ranx:
        fractions = re.search(rb":\s*-?\d+(\.\d|[eE])", head) is not None
        return Form("ranx", not fractions, fractions, _json_entries)
    return None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        name = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise IrvizError(f"an object has the name {_quote(name)} twice. Keep one.")
    return members


def _refused_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number; leave such entries out")


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refused_constant)


def _parse(file: str, line: int | None, text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except IrvizError as error:
        raise FileProblem(file, line, str(error)) from error
    except RecursionError as error:
        raise FileProblem(file, line, "the JSON is nested too deeply, as no judgments are.") from error
    except ValueError as error:
        at = line if line is not None else getattr(error, "lineno", None)
        raise FileProblem(file, at, f"this is not JSON ({getattr(error, 'msg', error)}).") from error


def _json_entries(file: str, data: bytes, ratings: bool) -> Iterator[Entry | Finding]:
    """Entries of JSON lines, or of one document, where each has the line that names it."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if _is_lines(data):
        for number, line in enumerate(_decode(file, data), start=1):
            if line.strip():
                yield from _of_object(file, number, _parse(file, number, line), ratings)
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise FileProblem(file, where, "the line is not UTF-8. Save the file as UTF-8.") from error
    place = _Places(text)
    for entry in _of_object(file, 1, _parse(file, None, text), ratings):
        if isinstance(entry, Entry) and entry.doc:
            entry = entry._replace(line=place.line_of(entry.doc))
        yield entry


def _is_lines(data: bytes) -> bool:
    """True if the first line is a complete object and another line follows."""
    first, end, rest = data[:_LONGEST_LINE].lstrip().partition(b"\n")
    if not end or not first.rstrip().endswith(b"}") or not rest.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


class _Places:
    """The lines of documents in a text of JSON; each is named soon after the one before."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.line, self.counted_to = text, 0, 1, 0
        self.misses_left = _MOST_MISSES if "\n" in text else 0

    def line_of(self, doc: str) -> int:
        if not self.misses_left:
            return self.line
        position = self.text.find(json.dumps(doc, ensure_ascii=False), self.position, self.position + _LONGEST_LINE)
        if position >= 0:
            self.position = position + 1
            self.line += self.text.count("\n", self.counted_to, position)
            self.counted_to = position
        else:
            self.misses_left -= 1
        return self.line


def _of_object(file: str, line: int, node: Any, ratings: bool, depth: int = 0) -> Iterator[Entry | Finding]:
    """The entries of one object, whichever of the known ones it is."""
    if depth > 4:
        raise FileProblem(file, line, "the JSON is nested too deeply, as no judgments are.")
    if isinstance(node, list):
        for element in node:
            yield from _of_object(file, line, element, ratings, depth + 1)
        return
    if not isinstance(node, dict):
        raise FileProblem(file, line, f"expected an object with a query and a document, found {_quote(node)}.")
    source, hits = node.get("_source"), node.get("hits")
    if isinstance(source, dict):
        yield from _of_object(file, line, source, ratings, depth + 1)
    elif isinstance(hits, dict) and isinstance(hits.get("hits"), list):
        yield from _of_object(file, line, hits["hits"], ratings, depth + 1)
    elif "judgmentRatings" in node:
        yield from _rated_entries(file, line, node, "judgmentRatings", "query", "docId")
    elif "documentIds" in node:
        yield from _workbench_results(file, line, node)
    elif isinstance(node.get("requests"), list):
        yield from _rated_entries(file, line, node, "requests", "id", "_id")
    elif isinstance(node.get("details"), dict):
        yield from _response_entries(file, line, node["details"], ratings)
        yield from _told_scores(file, node)
    else:
        yield from _flat(file, line, node, ratings)


def _items(file: str, line: int, node: Any, what: str) -> list[dict[str, Any]]:
    if not isinstance(node, list) or not all(isinstance(element, dict) for element in node):
        raise FileProblem(file, line, f"`{what}` is no list of objects: {_quote(node)}")
    return node


def _name(file: str, line: int, node: Any, what: str) -> str:
    """An identifier: a text or a whole number."""
    if isinstance(node, bool) or not isinstance(node, (str, int)):
        raise FileProblem(file, line, f"the {what} is no text: {_quote(node)}")
    return str(node)


def _query(line: int, query: str, who: str = "") -> Entry:
    """The entry of a query that may have no document."""
    return Entry(line, query, "", who=who, text=_text_of_query(query))


def _rated_entries(
    file: str, line: int, node: dict[str, Any], many: str, key: str, doc: str
) -> Iterator[Entry | Finding]:
    """Queries with their ratings, as the Workbench's judgments and the requests of ``_rank_eval`` have them."""
    for record in _items(file, line, node[many], many):
        entry = _query(line, _name(file, line, record.get(key), key))
        yield entry
        for rated in _items(file, line, record.get("ratings"), "ratings"):
            yield entry._replace(doc=_name(file, line, rated.get(doc), doc), rating=rated.get("rating"))


def _workbench_results(file: str, line: int, node: dict[str, Any]) -> Iterator[Entry | Finding]:
    query = _name(file, line, node.get("searchText"), "searchText")
    config = _name(file, line, node.get("searchConfigurationId", ""), "searchConfigurationId")
    if not isinstance(node["documentIds"], list):
        raise FileProblem(file, line, f"`documentIds` is no list: {_quote(node['documentIds'])}")
    entry = _query(line, query, config)
    yield entry
    for position, doc in enumerate(node["documentIds"], start=1):
        yield entry._replace(doc=_name(file, line, doc, "document"), position=position)


def _response_entries(file: str, line: int, details: dict[str, Any], ratings: bool) -> Iterator[Entry | Finding]:
    for query, detail in details.items():
        hits = _items(file, line, detail.get("hits") if isinstance(detail, dict) else None, "hits")
        entry = _query(line, query)
        yield entry
        for position, rated in enumerate(hits, start=1):
            hit = rated.get("hit")
            doc = _name(file, line, hit.get("_id") if isinstance(hit, dict) else None, "_id")
            rank = {"rating": rated.get("rating")} if ratings else {"position": position}
            yield entry._replace(doc=doc, **rank)


def _told_scores(file: str, node: dict[str, Any]) -> Iterator[Finding]:
    """A warning if the score of a ``_rank_eval`` response is not the mean of its queries', or queries failed."""
    told = _number(node.get("metric_score"))
    scores = [_number(detail.get("metric_score")) for detail in node["details"].values()]
    known = [score for score in scores if score is not None]
    if told is not None and known and abs(mean := sum(known) / len(scores) - told) > _TOLD_WITHIN:
        message = f"its metric_score is not the mean of its queries: {told:g}, mean {told + mean:g}"
        yield Finding("warning", file, None, message)
    failed = node.get("failures")
    if isinstance(failed, dict) and failed:
        message = f"queries that failed, without results and left out of its metric_score: {len(failed):,}: "
        yield Finding("warning", file, None, message + join_words(failed, joiner="and"))


def _flat(file: str, line: int, node: dict[str, Any], ratings: bool) -> Iterator[Entry | Finding]:
    """An object with a query and a document, or ranx's objects by query."""
    roles = _roles(node)
    if "doc" in roles and ("id" in roles or "query" in roles):
        yield _entry(file, line, node, roles, ratings)
    elif node and all(isinstance(value, (dict, list)) for value in node.values()):
        yield from _by_query(file, line, node, ratings)
    else:
        names = join_words(map(str, node), joiner="and") or "nothing"
        raise FileProblem(file, line, f"expected an object with a query and a document, found {names}.")


def _by_query(file: str, line: int, node: dict[str, Any], ratings: bool, system: str = "") -> Iterator[Entry]:
    """Documents with numbers by query; or lists of relevant, or ranked, documents by query, also by system."""
    for query, documents in node.items():
        by_query = list(documents.values()) if isinstance(documents, dict) and not (ratings or system) else []
        if by_query and all(isinstance(listed, list) for listed in by_query):
            yield from _by_query(file, line, documents, ratings, query)
            continue
        entry = Entry(line, query, "", who=system, text=query if " " in query else "")  # else an identifier
        yield entry
        if isinstance(documents, list):
            for position, doc in enumerate(documents, start=1):
                listed = entry._replace(doc=_name(file, line, doc, "document"))
                yield listed._replace(rating=1) if ratings else listed._replace(position=position)
            continue
        for doc, number in documents.items():
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                message = f"document {_quote(doc)} of query {_quote(query)} has no number: {_quote(number)}"
                raise FileProblem(file, line, message)
            yield entry._replace(doc=doc, rating=number) if ratings else entry._replace(doc=doc, score=number)
