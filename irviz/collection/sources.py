"""Files, folders, archives and uploads, read without trusting them.

The kind is told from the content, not from the suffix.  Everything is unpacked in memory, with a limit on the bytes
that come out; nothing is ever written, and of a member's path only the last part is used.  An archive may hold
compressed files, and no archives.  Tables in Parquet and Excel files are read as CSV.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import IO, Any, BinaryIO, NamedTuple, Self, TypeGuard

import numpy as np
import pyarrow as pa

from irviz.collection.names import base_name, is_hidden, natural_key, natural_order, readable, system_name
from irviz.errors import FileProblem, IrvizError, TooLarge, join_words

_HEAD = 512  # a tar header; longer than every magic number
_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
_MAGIC |= {b"PAR1": "parquet", b"\xd0\xcf\x11\xe0": "excel"}
_OFFICE = re.compile(rb"(?s)PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|word/|ppt/|xl/w|xl/_rels|mimetype)")
_NOT_READ = (
    (rb"\x28\xb5\x2f\xfd", "packed with Zstandard (.zst)", "Unpack it with zstd -d, or pack it as gz."),
    (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it, or pack it as zip."),
    (rb"Rar!", "a RAR archive", "Unpack it, or pack it as zip."),
    (rb"\x1f[\x9d\xa0]", "packed with compress (.Z)", "Unpack it with uncompress, or pack it as gz."),
    (rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){4}|(?:\0[^\0]){4}", "UTF-16 text", "Save it as UTF-8."),
    (rb"(?i:\s*<(?:!doctype html|html))", "a web page, not data", "It may be an error page: fetch the file again."),
    (rb"version https://git-lfs", "a pointer of Git LFS, not the data", "Fetch the data with git lfs pull."),
)  #: beginnings of files that are not read, what they are, and what to do
_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {
    "gz": lambda raw: gzip.GzipFile(fileobj=raw, mode="rb"),
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
}
_DAMAGE: tuple[type[Exception], ...] = (OSError, EOFError, LookupError, RuntimeError, ValueError, OverflowError)
_DAMAGE += (MemoryError, struct.error, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile)
_CHUNK = 1 << 20
_ROWS = 100  # of a Parquet table at once: each may repeat what the file holds once
_LONGEST_HEADER = 1 << 14  # bytes of an entry of a tar that is no file: a name, or attributes (CVE-2024-6232)
_LINE = 200  # bytes that a line takes while its file is read
_JSON = 25  # bytes that a byte of JSON takes while it is read: an empty list of two is an object of 56


@dataclass(frozen=True)
class Limits:
    """Limits on the memory that files may take, in bytes."""

    total_bytes: int = 8 << 30  #: of all unpacked files together
    file_bytes: int = (2 << 30) - 2  #: of one; Arrow counts the bytes of a column in 31 bits
    array_bytes: int = 16 << 30  #: of the arrays that files compile to: a few short files may be wide


DEFAULT_LIMITS = Limits()


@dataclass
class ArrayQuota:
    """The arrays of one stage of a load, refused by name before they are allocated; shared by its workers."""

    limits: Limits
    bytes_taken: int = 0
    lock: Lock = field(default_factory=Lock)

    def take(self, count: int, what: str, advice: str) -> None:
        """Count bytes before they are allocated; refused, where they are too many, is `what` takes them."""
        with self.lock:
            self.bytes_taken += count
            taken = self.bytes_taken
        self.foresee(taken, what, advice)

    def foresee(self, count: int, what: str, advice: str) -> None:
        """Refuse arrays that would take too many bytes later."""
        if count > self.limits.array_bytes:
            most = size_words(self.limits.array_bytes)
            raise TooLarge(f"{what} would take {size_words(count)} of memory; at most {most} are allowed. {advice}")

    def foresee_lines(self, file: str, data: bytes) -> None:
        """Refuse a file whose lines would take too much memory while they are parsed."""
        if len(data) * _LINE < self.limits.array_bytes:  # were each byte a line
            return
        lines = max(occurrences(data, b"\n"), occurrences(data, b"\r") if b"\r" in data else 0) + 1
        as_json = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
        count = max(lines * _LINE, len(data) * _JSON if as_json else 0)
        self.foresee(count, f"{file}: its {lines:,} lines", "Split the file.")


def occurrences(data: bytes, sign: bytes) -> int:
    """``data.count(sign)`` of a byte, five times as fast where it occurs often."""
    parts = (np.frombuffer(data, np.uint8, min(_CHUNK, len(data) - at), at) for at in range(0, len(data), _CHUNK))
    return sum(int(np.count_nonzero(part == ord(sign))) for part in parts)


@dataclass
class PackedFile:
    """A file as it was given, or one in an archive, not yet read."""

    name: str
    file: str
    open: Callable[[], BinaryIO]
    size: int
    is_member: bool = False


@dataclass
class Quota:
    """The bytes unpacked from all files of a source, counted for all its workers."""

    limits: Limits
    spent: int = 0
    lock: Lock = field(default_factory=Lock)

    def spend(self, count: int, file: str) -> None:
        """Count bytes that came out of a file; too many together are refused."""
        with self.lock:
            self.spent += count
        if self.spent > self.limits.total_bytes:
            most = size_words(self.limits.total_bytes)
            raise IrvizError(f"{file}: the files unpack to more than {most}. Load fewer runs.")

    def refuse_long(self, file: str, size: int) -> None:
        """Refuse a file of more bytes than one may have."""
        if size > self.limits.file_bytes:
            most = size_words(self.limits.file_bytes)
            raise IrvizError(f"{file}: holds a file of more than {most}. Split it by system.")


class _UnpackingStream:
    """A stream that unpacks another and counts the bytes."""

    def __init__(self, inner: Any, file: str, quota: Quota) -> None:
        self._inner, self._file, self._quota = inner, file, quota

    def read(self, count: int) -> bytes:
        data = self._inner.read(count)
        self._quota.spend(len(data), self._file)
        return data

    def whole(self) -> bytes:
        """All of it, as one file."""
        parts, size = [], 0
        while part := self.read(_CHUNK):
            parts.append(part)
            size += len(part)
            self._quota.refuse_long(self._file, size)
        return b"".join(parts)


@contextmanager
def _unpacking(item: PackedFile, quota: Quota) -> Iterator[tuple[str | None, BinaryIO, _UnpackingStream]]:
    """The kind of a file, its bytes, and those inside its compression; a broken file is refused."""
    try:
        with item.open() as raw:
            kind = _kind(raw.read(_HEAD) or b"")
            raw.seek(0)
            yield kind, raw, _UnpackingStream(_OPENERS[kind](raw) if kind in _OPENERS else raw, item.file, quota)
    except IrvizError:
        raise
    except _DAMAGE as error:
        why = str(error) or type(error).__name__
        raise IrvizError(f"{item.file}: the file is cut short or damaged ({why}). Fetch it again.") from error


def _kind(head: bytes) -> str | None:
    if _OFFICE.match(head):
        return "excel"
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    return "tar" if head[257:262] == b"ustar" else None


def read_whole(item: PackedFile, quota: Quota) -> bytes:
    """The text of a file, decompressed if it is compressed; of a table in Parquet or Excel, CSV."""
    with _unpacking(item, quota) as (kind, raw, stream):
        if kind is None or kind in _TABLES:
            quota.refuse_long(item.file, item.size)
            data = raw.read()
            if not item.is_member:
                quota.spend(len(data), item.file)
        elif kind in _OPENERS:
            data = stream.whole()
            kind = _kind(data[:_HEAD])
        if kind in _TABLES:
            return _TABLES[kind](item, data, quota)
        if kind is not None:
            raise IrvizError(f"{item.file}: is packed twice. Unpack it and load what is in it.")
    for beginning, what, advice in _NOT_READ:
        if re.match(beginning, data):
            raise FileProblem(item.file, None, f"the file is {what}. {advice}")
    return data.rstrip(b"\x1a") if data.endswith(b"\x1a") else data  # Ctrl-Z ends a text of DOS


def _from_parquet(item: PackedFile, data: bytes, quota: Quota) -> bytes:
    from pyarrow.csv import CSVWriter
    from pyarrow.parquet import ParquetFile

    text = io.BytesIO()
    try:
        table = ParquetFile(pa.BufferReader(data))
        columns = [column for column in table.schema_arrow if not column.name.startswith("__index_level_")]
        nested = [f"{column.name} ({column.type})" for column in columns if pa.types.is_nested(column.type)]
        if nested:
            message = f"columns hold neither texts nor numbers: {join_words(nested, joiner='and')}. Leave them out."
            raise FileProblem(item.file, None, message)
        with CSVWriter(text, pa.schema(columns)) as out:
            for rows in table.iter_batches(_ROWS, columns=[column.name for column in columns]):
                before = text.tell()
                out.write_batch(rows.replace_schema_metadata())
                quota.spend(text.tell() - before, item.file)
    except (pa.ArrowException, OSError) as error:
        raise FileProblem(item.file, None, f"the Parquet file cannot be read ({error}). Fetch it again.") from error
    return text.getvalue()


def _from_excel(item: PackedFile, data: bytes, quota: Quota) -> bytes:
    advice = "Save its sheet as CSV in UTF-8"
    try:
        import python_calamine
    except ImportError as error:
        advice += ", or install the reader of Excel files: pip install python-calamine"
        raise FileProblem(item.file, None, f"the file is of an office program (.xlsx, .docx …). {advice}.") from error
    if data.startswith(b"PK"):
        for _ in _zip_members(item, io.BytesIO(data), quota):
            pass  # what they unpack to is counted
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {name: rows for name in book.sheet_names if (rows := book.get_sheet_by_name(name).to_python())}
    except (python_calamine.CalamineError, OSError) as error:
        raise FileProblem(item.file, None, f"the file is no table of Excel ({error}). {advice}.") from error
    if len(sheets) != 1:
        names = join_words(sheets, joiner="and") or "none"
        raise FileProblem(item.file, None, f"expected one sheet with cells, found {names}. {advice}.")
    text = io.StringIO()
    for rows in sheets.values():
        whole = [[int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in row] for row in rows]
        csv.writer(text, lineterminator="\n").writerows(whole)  # Excel keeps whole numbers as fractions
    return text.getvalue().encode()


_TABLES = {"parquet": _from_parquet, "excel": _from_excel}


def _is_archive(item: PackedFile, quota: Quota) -> bool:
    """True for zip and tar, compressed or not."""
    with _unpacking(item, quota) as (kind, _, stream):
        return kind in ("zip", "tar") or (kind in _OPENERS and _kind(stream.read(_HEAD)) == "tar")


def _members(item: PackedFile, quota: Quota) -> Iterator[tuple[PackedFile, float]]:
    """Every file in an archive, and the share of the archive then read; hidden files are passed over."""
    with _unpacking(item, quota) as (kind, raw, stream):
        count = 0
        members = _zip_members(item, raw, quota) if kind == "zip" else _tar_members(item, raw, stream, quota)
        for name, data, share in members:
            if not is_hidden(name):
                count += 1
                base = base_name(name)
                yield PackedFile(base, f"{item.file}/{base}", partial(io.BytesIO, data), len(data), True), share
        if not count:
            raise IrvizError(f"{item.file}: the archive holds no file.")


def _zip_members(item: PackedFile, raw: BinaryIO, quota: Quota) -> Iterator[tuple[str, bytes, float]]:
    with zipfile.ZipFile(raw) as archive:
        files = [info for info in archive.infolist() if not info.is_dir()]
        for i, info in enumerate(files, start=1):
            if info.flag_bits & 1:
                name = base_name(info.filename)
                raise IrvizError(f"{item.file}: {name} is encrypted. Give an archive without password.")
            with archive.open(info) as packed:
                yield info.filename, _UnpackingStream(packed, item.file, quota).whole(), i / len(files)


def _tar_members(
    item: PackedFile, raw: BinaryIO, stream: _UnpackingStream, quota: Quota
) -> Iterator[tuple[str, bytes, float]]:
    """Name and content of every regular file of a tar."""
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_TarEntry, errors="surrogateescape") as archive:  # type: ignore[call-overload]
        for info in archive:
            if info.isreg():
                quota.refuse_long(item.file, quota.limits.file_bytes + 1 if info.issparse() else info.size)
                data = archive.extractfile(info).read()
                if len(data) < info.size:
                    raise EOFError("unexpected end of data")
                yield info.name, data, min(1.0, raw.tell() / max(1, item.size))
            archive.members.clear()


class _TarEntry(tarfile.TarInfo):
    """An entry of a tar; a broken one is refused, which tarfile takes for the end, and what takes it quadratic time."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        entry = super().frombuf(buf, encoding, errors)
        if entry.type == tarfile.GNUTYPE_SPARSE or (not entry.isreg() and entry.size > _LONGEST_HEADER):
            raise tarfile.ReadError("an entry is sparse, or its attributes are too long")
        return entry

    def _proc_gnusparse_10(self, *_: object) -> None:
        raise tarfile.ReadError("an entry is sparse")

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except tarfile.HeaderError as error:
            if type(error).__name__ in ("EmptyHeaderError", "EOFHeaderError"):  # the end
                raise
            raise tarfile.ReadError(str(error)) from error


def size_words(count: int) -> str:
    """A number of bytes, such as ``5 GB``."""
    return f"{count / 2**30:.3g} GB" if count >= 1 << 30 else f"{count / 2**20:.3g} MB"


# -- Sources: a path to a file, folder or archive, a pair (name, bytes) such as an upload, or a list of these -----
#
# TIRA and TIREx call every run ``run.txt`` (or ``run.txt.gz``); its folders say whose it is, such as
# ``touche/team/bm25/2024-05-04-12-00-00/output``, and files beside it describe it, such as ``ir-metadata.yml``.

Upload = tuple[str, bytes]
OneSource = str | os.PathLike[str] | Upload
Source = OneSource | Sequence[OneSource] | IO[Any]
_SAYS_NOTHING = re.compile(r"output|\d{4}(-\d\d){5}")  # the folder of every output, and when it was made
_DESCRIBES = "metadata.y"  # ir-metadata.yml, index-metadata.yaml


class SourceFile(NamedTuple):
    """One file to be read: the name it gives a system, the name errors use, and how far its source is then done."""

    name: str
    file: str
    read: Callable[[], bytes]
    share_done: float


def source_files(
    source: Source | Mapping[str, Source], what: str, limits: Limits = DEFAULT_LIMITS, quota: Quota | None = None
) -> Iterator[SourceFile]:
    """Every file of `source` but hidden ones, in natural order within a folder, to be read by workers.

    Refusals call it a `what`, such as "run".  Sources with the same `quota` share its limit on unpacked bytes.
    """
    if isinstance(source, Mapping):
        if not source:
            raise IrvizError(f"The mapping of {what} files is empty. Give at least one.")
        for i, (name, entry) in enumerate(source.items()):
            job = single(entry, what, limits)
            yield job._replace(name=readable(str(name)), share_done=(i + 1) / len(source))
        return
    quota = quota or Quota(limits)
    items = [item for part in _parts(source, what) for item in _items(part, what)]
    for i, item in enumerate(items):
        inside = _members(item, quota) if _is_archive(item, quota) else iter([(item, 1.0)])
        for file, share in inside:
            read = partial(read_whole, file, quota)
            yield SourceFile(system_name(file.name), file.file, read, (i + share) / len(items))


def single(source: Source, what: str, limits: Limits = DEFAULT_LIMITS) -> SourceFile:
    """The one file of `source`; several or none are refused."""
    files = list(source_files(source, what, limits))
    if len(files) == 1:
        return files[0]
    label: object = source if isinstance(source, (str, os.PathLike)) else "the list"
    label = base_name(source[0]) if _is_upload(source) else label
    advice = "Parts of one set are a list of files (--qrels more than once), aspects {aspect: path} (ASPECT=FILE)."
    raise IrvizError(f"{label}: expected one {what} file, found {len(files)} files. {advice}")


def _parts(source: Source, what: str) -> list[OneSource]:
    """The source as a flat list of paths and uploads."""
    is_single = isinstance(source, (str, bytes, bytearray)) or _is_upload(source)
    several = isinstance(source, Sequence) and not is_single
    if several and not source:
        raise IrvizError(f"The list of {what} files is empty. Give at least one.")
    sources: Any = source if several else [source]
    return [_read_open(each) if callable(getattr(each, "read", None)) else each for each in sources]


def _read_open(file: Any) -> tuple[str, bytes]:
    """The name of an open file, and the rest of its bytes."""
    data, name = file.read(), getattr(file, "name", None)
    encoded = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else bytes(data)
    return base_name(name) if isinstance(name, str) else "open file", encoded


def _items(part: OneSource, what: str) -> list[PackedFile]:
    if _is_upload(part):
        name, data = part
        return [PackedFile(base_name(name), base_name(name), partial(io.BytesIO, data), len(data))]
    if not isinstance(part, (str, os.PathLike)):
        raise IrvizError(f"A {what} is given as a path or as (name, bytes); got {type(part).__name__}.")
    path = Path(part).expanduser()
    if path.is_dir():
        return _folder(path, what)
    if path.is_fifo():  # such as <(…) of a shell, which is read once
        return _items((path.name, path.read_bytes()), what)
    if not path.is_file():
        raise IrvizError(f"{path}: there is no such file or folder. Check the path of the {what}.")
    return [_file(path)]


def _folder(folder: Path, what: str) -> list[PackedFile]:
    """The files in a folder and its sub-folders, without hidden ones."""
    inside = [path for path in folder.rglob("*") if path.is_file()]
    visible = [path for path in inside if not is_hidden(path.relative_to(folder).as_posix())]
    if not visible:
        raise IrvizError(f"{folder}: the folder holds no file. Give the folder that holds the {what} files.")
    named, beside = named_by_folder(folder, visible)
    other_files = [path for path in visible if path.parent not in beside]
    return [
        *(_file(path) for path in sorted(other_files, key=lambda path: natural_key(path.as_posix()))),
        *(_file(named[name], name, named[name].relative_to(folder).as_posix()) for name in natural_order(named)),
    ]


def _file(path: Path, name: str = "", file: str = "") -> PackedFile:
    """A file that is called by its own name, or by another one and in messages by its path."""
    file_name = readable(path.name)
    return PackedFile(name or file_name, readable(file) or file_name, partial(_open, path), path.stat().st_size)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb", buffering=0)
    except OSError as error:
        raise IrvizError(f"{path}: cannot be read ({error.strerror}).") from error


def _is_upload(source: object) -> TypeGuard[Upload]:
    pair = isinstance(source, tuple) and len(source) == 2
    return pair and isinstance(source[0], str) and isinstance(source[1], (bytes, bytearray, memoryview))  # type: ignore[index]


def named_by_folder(folder: Path, files: Sequence[Path]) -> tuple[dict[str, Path], set[Path]]:
    """The runs called ``run.txt`` by the name of their folders, and these folders, whose other files are not runs.

    None, where only one file is called so and no other describes it.
    """
    runs = [path for path in files if system_name(path.name) == "run.txt"]
    folders = {path.parent for path in runs}
    if len(folders) < 2 and not any(path.parent in folders and _DESCRIBES in path.name for path in files):
        return {}, set()
    return dict(zip(_names(folder, runs), runs, strict=True)), folders


def _names(folder: Path, runs: Sequence[Path]) -> list[str]:
    """By run, the folders that distinguish it from the others."""
    folders = [path.relative_to(folder).parent.parts for path in runs]
    telling = [tuple(part for part in parts if not _SAYS_NOTHING.fullmatch(part)) for parts in folders]
    paths = telling if len(set(telling)) == len(telling) else folders
    if len(paths) == 1:
        return [readable(paths[0][-1] if paths[0] else folder.resolve().name)]
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False)))
    return [readable("-".join(parts[shared:]) or folder.resolve().name) for parts in paths]
