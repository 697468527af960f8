"""The text of a file without byte-order marks, carriage returns and ``#`` lines, and with its line numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.names import natural_order, text_of
from irviz.collection.sources import ArrayQuota, Limits, occurrences
from irviz.errors import FileProblem, join_words, number_of

LONGEST_IDENTIFIER = 4_096  #: bytes; longer ones are signs of a broken file
_MARK = b"\xef\xbb\xbf"  # of byte order
_COMMENT = re.compile(rb"^#[^\n]*", re.MULTILINE)
_RECORD = re.compile(  # of a topic that begins with #
    rb"^#[^\s#]\S*(?:[ \t]+\S+){2}[ \t]+[-+]?\.?\d\S*(?:[ \t]+\S+){0,2}[ \t]*$", re.MULTILINE
)
_PREAMBLE = re.compile(rb"\s*+(?:(#)[^\n]*|sep=.\r?)\n", re.IGNORECASE)
_BLANKS = re.compile(rb"[ \t]+")
_AROUND_TABS = re.compile(rb"(?<! ) *\t *|(?<! ) +$|^ +", re.MULTILINE)
_ENDS = re.compile(rb"^[ \t]+|[ \t]+$", re.MULTILINE)
_FIRST = 1 << 16  # bytes looked at for the first line, and for a block of metadata
_ROW, _CELL = 450, 64  # bytes that a row of a table, and a cell of it, take while they are read
_NEWLINE = 10
_BLANK = np.isin(np.arange(256), list(b" \t\n"))  # by byte
_DEEPEST = 20  # keys above a line of metadata
LONGEST_METADATA = 1000  #: characters of it that are shown
_NO_KEY = re.compile(r"[^\w ./()-]")


@dataclass(frozen=True)
class FieldLines:
    """Lines of fields set apart by blanks, or by tabs alone; empty lines count."""

    file: str
    data: bytes
    findings: tuple[Finding, ...] = ()
    by_tabs: bool = False

    @property
    def separator(self) -> bytes | None:
        """The one blank between fields; None where there are tabs and spaces."""
        if b"\t" not in self.data:
            return b" "
        return b"\t" if self.by_tabs or b" " not in self.data else None

    def fields(self, line: bytes) -> list[bytes]:
        """The fields of a line."""
        return [field.strip() for field in line.split(b"\t")] if self.by_tabs else line.split()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not empty, with its number from 1."""
        for number, line in enumerate(io.BytesIO(self.data), start=1):
            if not line.isspace():
                yield number, line.removesuffix(b"\n")

    def first_line(self) -> bytes:
        """The first line that is not empty."""
        head = self.data[:_FIRST].lstrip()
        return (head if b"\n" in head else self.data.lstrip()).split(b"\n", 1)[0]

    def squeeze(self) -> FieldLines:
        """The same lines with single spaces between fields and none at the ends."""
        return self if self.by_tabs else FieldLines(self.file, _ENDS.sub(b"", _BLANKS.sub(b" ", self.data)))

    def line_of(self, row: int, records: int | None = None) -> int:
        """The number of the line of the `row`-th record (from 0); `records` is how many there are, if known."""
        return row + 1 if records == self._many or self._numbers is None else int(self._numbers[row])

    @cached_property
    def _many(self) -> int:
        """Lines, with empty ones."""
        return occurrences(self.data, b"\n") + (not self.data.endswith(b"\n"))

    @cached_property
    def _numbers(self) -> NDArray[np.int64] | None:
        """Line of every record; None where every line is a record."""
        characters = np.frombuffer(self.data, dtype=np.uint8)
        starts = np.append(0, np.flatnonzero(characters[:-1] == _NEWLINE) + 1)
        if not _BLANK[characters[starts]].any():
            return None
        return np.array([number for number, _ in self.lines()], dtype=np.int64)

    def refuse(self, line: int | None, message: str) -> NoReturn:
        raise FileProblem(self.file, line, message)

    def refuse_long(self, number: int, line: bytes, fields: Iterable[tuple[str, bytes]]) -> None:
        """Refuse a line with too long an identifier."""
        for what, field in fields:
            if len(field) > LONGEST_IDENTIFIER:
                long = f"{len(field):,} bytes; at most {LONGEST_IDENTIFIER:,} are allowed"
                self.refuse(number, f"the {what} has {long}: {quoted_line(line)}")


def clean(file: str, data: bytes) -> FieldLines:
    """`data` without byte-order mark, carriage returns and comments; binary files are refused."""
    if b"\0" in data:
        why = "the file is not text. Give a TREC file, plain or packed as gz, bz2, xz, zip or tar."
        raise FileProblem(file, None, why)
    data = without_marks(data)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n" if b"\n" not in data else b" ")
    if b"\v" in data or b"\f" in data:
        data = data.translate(bytes.maketrans(b"\v\f", b"  "))
    if not data or data.isspace():
        raise FileProblem(file, None, "the file is empty.")
    findings: tuple[Finding, ...] = ()
    if b"#" in data:
        if records := _RECORD.findall(data):
            line = data.count(b"\n", 0, data.find(records[0])) + 1
            topics = join_words(natural_order(text_of(record.split()[0]) for record in records), joiner="and")
            what = f"left out as comments, but with the fields of others: {number_of(len(records), 'line')}, topics "
            findings = (Finding("warning", file, line, what + topics),)
        data = _COMMENT.sub(b"", data)
        if not data or data.isspace():
            why = "the file holds no line of a run or of qrels, only lines that begin with #. Take it out of the data."
            raise FileProblem(file, None, why)
    if b"\t" in data and b" " in data:
        fields = (tab_fields(line) for line in io.BytesIO(data) if not line.isspace())
        if (first := next(fields)) and all(found and len(found) == len(first) for found in fields):
            return FieldLines(file, _AROUND_TABS.sub(b"\t", data), findings, by_tabs=True)
    return FieldLines(file, data, findings)


def without_marks(data: bytes) -> bytes:
    """A file without byte-order marks at the beginnings of its lines, where joined files have them."""
    return data if data.isascii() else data.removeprefix(_MARK).replace(b"\n" + _MARK, b"\n")


def tab_fields(line: bytes) -> list[bytes] | None:
    r"""The four fields of qrels, or the six of a run, if tabs set them apart; None if not, as for several grades.

    >>> tab_fields(b"blue shoes\t0\tdoc 1\t2\n"), tab_fields(b"1\t0\tdoc1\t2 1\n")
    ([b'blue shoes', b'0', b'doc 1', b'2'], None)
    """
    fields = [field.strip() for field in line.split(b"\t")]
    return fields if len(fields) == 6 or (len(fields) == 4 and len(fields[3].split()) < 2) else None


def without_preamble(data: bytes, separators: str | Sequence[str]) -> bytes:
    r"""A table without byte-order mark, ``sep=;`` and comments before its header, but with its line ends.

    A line that begins with # and has as many cells as the next is the header.

    >>> without_preamble(b"# mine\nsep=;\nquery;docid;rating\n", ";"), without_preamble(b"#query;docid\n1;a\n", ";")
    (b'\n\nquery;docid;rating\n', b'#query;docid\n1;a\n')
    """
    data, start = data.removeprefix(_MARK), 0
    while (match := _PREAMBLE.match(data, start)) is not None:
        following = data[match.end() : match.end() + _FIRST].lstrip().partition(b"\n")[0]
        counts = [(match[0].count(sign.encode()), following.count(sign.encode())) for sign in separators]
        if match[1] and any(here == there > 0 for here, there in counts):
            break
        start = match.end()
    return b"\n" * data.count(b"\n", 0, start) + data[start:] if start else data


class TableRow(NamedTuple):
    """The cells of a line of a table."""

    line: int
    cells: list[str]


def table_rows(
    file: str, data: bytes, separators: Sequence[str], refusal: str, limits: Limits, or_blanks: bool = False
) -> list[TableRow]:
    """The rows of a CSV file but empty ones, with stripped cells.

    Cells are set apart by the one of `separators` that is the most frequent in the first line, or if none is, for
    `or_blanks`, by blanks.  A file that is not UTF-8 is refused with `refusal`.
    """
    data = without_preamble(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), separators)
    rows = data.count(b"\n") + 1
    count = rows + sum(data.count(sign.encode()) for sign in (*separators, *[" "] * or_blanks))
    what = f"{file}: {count:,} cells in {rows:,} lines"
    ArrayQuota(limits).take(rows * _ROW + count * _CELL, what, "Split it by system or topic.")
    try:
        lines = data.decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise FileProblem(file, None, refusal) from error
    first = next((line for line in lines if line.strip()), "")
    separator = max(separators, key=first.count)
    if or_blanks and separator not in first:
        parts = enumerate((line.replace("\t", " ").split(" ") for line in lines), start=1)
        return [TableRow(i, full) for i, cells in parts if (full := [cell for cell in cells if cell])]
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        read = [TableRow(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        raise FileProblem(file, reader.line_num, f"the line is not CSV ({error}).") from error
    return [row for row in read if any(row.cells)]


def quoted_line(line: bytes) -> str:
    """A line as it is shown in an error: in quotes, on one line, cut after 100 signs.

    >>> quoted_line(b"301 Q0\\tFBIS3-1 1 9.2 ")
    '"301 Q0 FBIS3-1 1 9.2"'
    """
    text = "".join(c if c.isprintable() else " " for c in text_of(line[:400].strip()))
    return f'"{text}"' if len(text) <= 100 else f'"{text[:100]}…"'


def parsed_number(field: bytes | str) -> float | None:
    """The number a field holds; None where it holds none.  NaN and infinity are numbers here.

    >>> parsed_number(b"1e-3"), parsed_number(b"+2."), parsed_number(b"1_000"), parsed_number(b"Q0")
    (0.001, 2.0, None, None)
    """
    try:
        return None if ("_" if isinstance(field, str) else b"_") in field else float(field)  # type: ignore[operator]
    except ValueError:
        return None


def run_metadata(data: bytes) -> str:
    r"""The ir_metadata of a run (Breuer et al. 2022), comments in YAML at its beginning, as a line of keys and texts.

    >>> run_metadata(b"# ir_metadata.start\n# actor:\n#   team: 'Kestrel'\n# ir_metadata.end\n1 Q0 a 1 2 x\n")
    'actor.team Kestrel'
    """
    head = data[:_FIRST]
    if b"ir_metadata.start" not in head:
        return ""
    lines = [line.removeprefix("#") for line in text_of(head).splitlines() if line.startswith("#")]
    marks = [line.strip() for line in lines]
    start = marks.index("ir_metadata.start") + 1 if "ir_metadata.start" in marks else len(marks)
    if "ir_metadata.end" not in marks[start:]:
        return ""
    said = "; ".join(_pairs(iter(lines[start : marks.index("ir_metadata.end", start)])))
    return said if len(said) <= LONGEST_METADATA else f"{said[: LONGEST_METADATA - 1]}…"


def _pairs(lines: Iterator[str]) -> Iterator[str]:
    above: list[tuple[int, str]] = []  # the keys that a line stands under, each with its indentation
    for line in lines:
        entry = line.strip()
        if entry.startswith("- "):
            entry = entry[1:].lstrip()
        indent = len(line.rstrip()) - len(entry)
        key, colon, text = entry.partition(":")
        if colon and key and (not text or text[0].isspace()) and not _NO_KEY.search(key):
            above = [(depth, upper) for depth, upper in above if depth < indent][:_DEEPEST] + [(indent, key.strip())]
        else:
            text = entry
        text = "".join(sign for sign in text.strip().strip("'\"") if sign.isprintable())
        if text and text not in ("|", ">"):
            yield f"{'.'.join(key for _, key in above)} {text}".strip()
