"""Scores with a value a line, as trec_eval -q, ir_measures and irviz write them, in long tables and in JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from irviz.collection.codes import Finding
from irviz.collection.names import natural_order
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits
from irviz.collection.text import parsed_number, quoted_line, table_rows
from irviz.errors import FileProblem, IrvizError, join_words

LARGEST = 1e100  #: sums of squares stay finite
AVERAGES = frozenset({"all", "amean", "average", "mean", "overall"})  #: names of a row that is no topic
MISSING = frozenset({"", "na", "nan", "none", "null"})  #: texts of a cell without a value
SEPARATORS = (",", "\t", ";")
_HEADINGS = {
    **dict.fromkeys(("run", "runid", "runname", "runtag", "tag", "system", "systemid", "model"), "system"),
    **dict.fromkeys(("topic", "topicid", "query", "queryid", "qid"), "topic"),
    **dict.fromkeys(("measure", "measurename", "metric", "metricname"), "measure"),
    **dict.fromkeys(("value", "score"), "value"),
}
_LAYOUTS: dict[int, tuple[dict[str, int], ...]] = {
    3: ({"measure": 0, "topic": 1, "value": 2}, {"topic": 0, "measure": 1, "value": 2}),
    4: ({"system": 0, "topic": 1, "measure": 2, "value": 3},),
}  #: roles of the fields without a header, by their number
MEASURE = re.compile(
    r"(runid|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?(map|bpref)(_cut)?|([rg]?n?dcg|rank_?eff|binG|G)(_cut|_rel)?"
    r"|ap|p|precision|r|recall|success|rr|mrr|recip_rank|r_?prec(_mult)?|bpref|infap|err|rbp|inst|insq|f1?|judged|hit_rate"
    r"|set_\w+|(11pt_avg|iprec\w*)|nerr\d*|alpha[-_]ndcg|α[-_]ndcg|strec|hole)([_@.(].*)?",
    re.IGNORECASE,
)  #: names that the measures of other tools have
_EDGE = 1 << 14  # bytes looked at, at the beginning and at the end
_NO_MEANS = ("num_", "gm_")  # of trec_eval: sums and geometric means
_HOW = "Give it a header: run, topic, measure, value."


class Line(NamedTuple):
    """A value of a file; `system` is None where the file does not name it."""

    number: int | None
    system: str | None
    topic: str
    measure: str
    value: Any


def heading(text: str) -> str:
    """A heading without case, and without blanks and signs between words."""
    return re.sub(r"[\s_.#:-]+", "", text.casefold())


def is_per_topic(data: bytes) -> bool:
    r"""True for a file of a value a line, from its beginning and end.

    >>> is_per_topic(b"map\t301\t0.25\n"), is_per_topic(b"301 0 FT1 2\n"), is_per_topic(b"bm25,rm3\n.1,.2\n")
    (True, False, False)
    """
    head, tail = data[:_EDGE].removeprefix(b"\xef\xbb\xbf").lstrip(), data[_EDGE:][-_EDGE:]
    if head[:1] in (b"{", b"["):
        keys = [key.decode("utf-8", "replace") for key in re.findall(rb'"([^"\\]{1,40})"\s*:', head.split(b"}")[0])]
        return _are_roles(_roles(keys))
    whole = [*(head.splitlines() if len(data) <= _EDGE else head.splitlines()[:-1]), *tail.splitlines()[1:]]
    lines = [line.decode("utf-8", "replace") for line in whole if line.strip()]
    if not lines:
        return False
    if _are_roles(_roles(re.split("[,;\t]", lines[0].replace('"', "")))):
        return True
    fields = [re.split(r"\s*[\t,]\s*" if "\t" in line or "," in line else r"\s+", line) for line in lines]
    return _layout(fields) is not None


def _roles(names: Sequence[str]) -> dict[str, int]:
    """Role → the first field that a header names so."""
    return {_HEADINGS[key]: i for i, key in reversed(list(enumerate(map(heading, names)))) if key in _HEADINGS}


def _are_roles(roles: Mapping[str, int]) -> bool:
    return roles.keys() >= {"topic", "measure", "value"}


def _layout(rows: Sequence[Sequence[str]]) -> dict[str, int] | None:
    """The roles of fields without a header, told by lines of averages or else by the names of measures."""
    if any(len(row) != len(rows[0]) for row in rows) or all(parsed_number(row[-1]) is None for row in rows):
        return None
    averaged, known = [], []
    for roles in _LAYOUTS.get(len(rows[0]), ()):
        measures, topics = ([row[roles[what]] for row in rows] for what in ("measure", "topic"))
        if all(parsed_number(measure) is None for measure in measures):  # no measure is called by a number
            averaged += [roles] * any(topic.casefold() in AVERAGES for topic in topics)
            known += [roles] * (2 * sum(bool(MEASURE.fullmatch(measure)) for measure in measures) >= len(rows))
    return next((found[0] for found in (averaged, known) if len(found) == 1), None)


def _lines(file: str, data: bytes, limits: Limits) -> Iterator[Line]:
    """The values of a file in its order."""
    if data[:_EDGE].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        yield from _entries(file, data)
        return
    refusal = "the file is not UTF-8 text. Save it in UTF-8."
    rows = table_rows(file, data, SEPARATORS, refusal, limits, or_blanks=True)
    roles, body, system, blocks = _roles(rows[0].cells), rows[1:], None, False
    if not _are_roles(roles):
        layout = _layout([row.cells for row in rows])
        if layout is None:
            raise FileProblem(file, None, f"it is unclear which field is the measure and which the topic. {_HOW}")
        roles, body = layout, rows
        blocks = rows[0].cells[roles["measure"]] == "runid"  # irviz writes several runs to a file
    width = len(rows[0].cells)
    for row in body:
        if len(row.cells) != width:
            raise FileProblem(file, row.line, f"expected {width} fields, found {len(row.cells)}.")
        cells = {role: row.cells[place] for role, place in roles.items()}
        if blocks and cells["measure"] == "runid":
            system = cells["value"]
        yield Line(row.line, cells.get("system", system), cells["topic"], cells["measure"], cells["value"])


def _entries(file: str, data: bytes) -> Iterator[Line]:
    """The values of JSON: a list of objects, or one a line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileProblem(file, None, "the file is not UTF-8 text. Save it in UTF-8.") from error
    lines = enumerate(text.splitlines(), 1) if text.lstrip().startswith("{") else [(None, text)]
    for number, line in lines:
        if not line.strip():
            continue
        try:
            read = json.loads(line)
        except (ValueError, RecursionError) as error:
            shown = quoted_line(line.encode() if number else b"")
            raise FileProblem(file, number, f"the line is no JSON: {shown}") from error
        for entry in [read] if number else read:
            roles = _roles(list(entry)) if isinstance(entry, dict) else {}
            if not _are_roles(roles):
                raise FileProblem(file, number, "expected an object with run_id, topic_id, measure and value.")
            found = {role: entry[list(entry)[place]] for role, place in roles.items()}
            system = None if found.get("system") is None else str(found["system"])
            yield Line(number, system, str(found["topic"]), str(found["measure"]), found["value"])


def cubes(
    files: Iterable[tuple[str, str, bytes]], spelling: Callable[[str], str | None], limits: Limits = DEFAULT_LIMITS
) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Finding, ...]]:
    """Values, measures, topics, systems and findings of files, each given with the system it is of if it names none.

    `spelling` is irviz's name of a measure, or None.  Measures that irviz knows come first, topics are in natural
    order, and a cell that no file has is NaN.  A value that is given twice or is no finite number is refused.
    """
    spelt = cache(lambda name: spelling(name) or name)
    cells: dict[tuple[str, str, str], tuple[float, str]] = {}
    findings: list[Finding] = []
    for system, file, data in files:
        ArrayQuota(limits).foresee_lines(file, data)
        _add(cells, findings, system, file, data, spelt, limits)
    if not cells:
        raise IrvizError("The files hold no value of a topic, only averages. Let the tool print every topic (-q).")
    names = [dict.fromkeys(key[axis] for key in cells) for axis in range(3)]
    axes = [sorted(names[0], key=lambda name: spelling(name) is None), natural_order(names[1]), [*names[2]]]
    count = math.prod(map(len, axes))
    ArrayQuota(limits).take(8 * count, f"{count:,} scores", "Give fewer measures or systems.")
    places = [{name: i for i, name in enumerate(axis)} for axis in axes]
    values = np.full([*map(len, axes)], np.nan)
    for key, (value, _) in cells.items():
        values[tuple(place[name] for place, name in zip(places, key, strict=True))] = value
    measures, topics, systems = map(tuple, axes)
    return values, measures, topics, systems, (*findings, *missing_finding(values))


def missing_finding(values: np.ndarray) -> list[Finding]:
    """How many cells of measures × topics × systems have no value; nothing where all have one."""
    missing = np.isnan(values)
    common = (~missing.any(axis=(0, 2))).sum()
    message = (
        f"cells without a value: {missing.sum():,} of {values.size:,}. They are missing, not 0. "
        f"Topics with every value: {common:,} of {values.shape[1]:,}."
    )
    return [Finding("warning", "all files", None, message)] if missing.any() else []


def _add(
    cells: dict[tuple[str, str, str], tuple[float, str]],
    findings: list[Finding],
    own: str,
    file: str,
    data: bytes,
    spelt: Callable[[str], str],
    limits: Limits,
) -> None:
    """Put the values of a file, and where they are, into the cells; its averages are compared with their mean."""
    averages: dict[tuple[str, str], str] = {}
    texts: dict[str, Line] = {}  # the first value that is no number, by measure
    by_system: dict[tuple[str, str], list[float]] = {}
    labels: list[str] = []  # of lines of averages
    for line in _lines(file, data, limits):
        system, measure = own if line.system is None else line.system, spelt(line.measure)
        for what, name in (("run", system), ("topic", line.topic), ("measure", measure)):
            if not name:
                raise FileProblem(file, line.number, f"a {what} has no name.")
        if line.topic.casefold() in AVERAGES:
            labels.append(line.topic)
            averages[system, measure] = str(line.value)
            continue
        value = _number(file, line)
        if value is None:
            texts.setdefault(line.measure, line)
            continue
        key = measure, line.topic, system
        if key in cells:
            what = f"{measure} of {system} on topic {line.topic} is given twice, first in {cells[key][1]}."
            raise FileProblem(file, line.number, what)
        cells[key] = value, file if line.number is None else f"{file}:{line.number}"
        by_system.setdefault((system, measure), []).append(value)
    for name, line in texts.items():
        if any(measure == spelt(name) for _, measure in by_system):
            text = quoted_line(str(line.value).encode())
            raise FileProblem(file, line.number, f"the value of {name} is no number: {text}")
        findings.append(Finding("note", file, None, f"left out, its values are no numbers: {name}"))
    if labels:
        names = join_words((f"`{label}`" for label in dict.fromkeys(labels)), joiner="and")
        findings.append(Finding("note", file, None, f"lines of averages left out: {len(labels):,}: {names}."))
    other = [
        f"{measure} {averages[system, measure]}"
        for (system, measure), there in by_system.items()
        if not measure.startswith(_NO_MEANS) and _differs(averages.get((system, measure)), there)
    ]
    if other:
        what = f"averages of the file that are not the mean of its topics: {join_words(other, most=4, joiner='and')}. "
        findings.append(Finding("warning", file, None, f"{what}It may count topics without a line as 0."))


def _number(file: str, line: Line) -> float | None:
    """The value of a line; NaN where it has none, None where it is a text."""
    if line.value is None or (isinstance(line.value, str) and line.value.casefold() in MISSING):
        return math.nan
    number = None if isinstance(line.value, bool) else parsed_number(str(line.value))
    if number is None or math.isnan(number):
        return number
    if abs(number) > LARGEST:
        raise FileProblem(file, line.number, f"the value is {number:g}; it must lie within ±{LARGEST:g}.")
    return number


def _differs(average: str | None, values: Sequence[float]) -> bool:
    """True if an average is not the mean of the values that are there, as printed."""
    printed = None if average is None else parsed_number(average)
    there = [value for value in values if not math.isnan(value)]
    if average is None or printed is None or not there:
        return False
    return abs(math.fsum(there) / len(there) - printed) > tolerance([average, *map(repr, there)], len(there))


def tolerance(texts: Iterable[str], rows: int) -> float:
    """The largest difference of rounding between a printed mean and the mean of `rows` printed numbers.

    Half a unit of the last decimal of any of them and, from three decimals on, 3.5 standard deviations of the rounding
    of `rows` numbers.

    >>> round(tolerance(["0.5", "0.1234"], 100), 9)
    6e-05
    """
    decimals = max(9 if "e" in text.lower() else len(text.partition(".")[2]) for text in texts)
    more = min(2 / math.sqrt(rows), 0.7) if decimals > 2 else 1e-9
    return max(0.5 * 10.0**-decimals * (1 + more), 1e-9)
