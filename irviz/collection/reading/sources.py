"""The sources of texts: paths, folders, archives and uploads, all treated alike.

A source is a path to a file, folder or archive, a pair ``(name, bytes)`` such as an
upload, or a list of these.  :func:`jobs` lists the files in it without reading them
where it can, so that they may be read by several workers.

TIRA and TIREx call every run ``run.txt`` (or ``run.txt.gz``); its folders say whose it is, such as
``touche/team/bm25/2024-05-04-12-00-00/output``, and files beside it describe it (``ir-metadata.yml``,
``queries.jsonl``, and others).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard

from irviz.collection.names import base_name, hidden, natural_key, readable, system_name
from irviz.collection.reading.unpack import DEFAULT_LIMITS, Limits, PackedFile, Quota, is_archive, members, read_whole
from irviz.errors import IrvizError

Upload = tuple[str, bytes]
OneSource = str | os.PathLike[str] | Upload
Source = OneSource | Sequence[OneSource]
_SAYS_NOTHING = re.compile(r"output|\d{4}(-\d\d){5}")  # the folder of every output, and when it was made
_DESCRIBES = "metadata.y"  # ir-metadata.yml, index-metadata.yaml


class Job(NamedTuple):
    """One file to be read: the name it gives a system, the name errors use, and how far its source is then done."""

    name: str
    file: str
    read: Callable[[], bytes]
    done: float


def jobs(source: Source, what: str, limits: Limits = DEFAULT_LIMITS) -> Iterator[Job]:
    """Every file of `source`, in natural order within a folder; hidden files are passed over.

    Parameters
    ----------
    source : path, (name, bytes), or a list of these
    what : str
        What is looked for, for errors: ``"run"`` or ``"qrels"``.
    limits : Limits
        Limits on the unpacked size of compressed files; shared by all files of the source.
    """
    budget = Quota(limits)
    items = [item for part in _parts(source, what) for item in _items(part, what)]
    for i, item in enumerate(items):
        inside = members(item, budget) if is_archive(item, budget) else iter([(item, 1.0)])
        for file, share in inside:
            yield Job(system_name(file.name), file.file, partial(read_whole, file, budget), (i + share) / len(items))


def single(source: Source, what: str, limits: Limits = DEFAULT_LIMITS) -> Job:
    """The one file of `source`; several or none are refused."""
    found = list(jobs(source, what, limits))
    if len(found) == 1:
        return found[0]
    raise IrvizError(
        f"{_label(source)}: expected one {what} file, found {len(found)} files. Name the file itself; "
        f"for several aspects give {{aspect: path}}."
    )


def _parts(source: Source, what: str) -> list[OneSource]:
    """The source as a flat list of paths and uploads."""
    if isinstance(source, (str, os.PathLike)) or _is_upload(source):
        return [source]
    if isinstance(source, Sequence) and not isinstance(source, (bytes, bytearray)):
        if not source:
            raise IrvizError(f"The list of {what} files is empty. Give at least one.")
        return list(source)  # type: ignore[arg-type]
    raise IrvizError(f"A {what} is given as a path or as (name, bytes); got {type(source).__name__}.")


def _items(part: OneSource, what: str) -> list[PackedFile]:
    if _is_upload(part):
        name, data = part
        return [PackedFile(base_name(name), base_name(name), partial(io.BytesIO, data), len(data), held=True)]
    if not isinstance(part, (str, os.PathLike)):
        raise IrvizError(f"A {what} is given as a path or as (name, bytes); got {type(part).__name__}.")
    path = Path(part).expanduser()
    if path.is_dir():
        return _folder(path, what)
    if not path.is_file():
        raise IrvizError(f"{path}: there is no such file or folder. Check the path of the {what}.")
    return [_file(path)]


def _folder(folder: Path, what: str) -> list[PackedFile]:
    """The files in a folder and its sub-folders, without hidden ones."""
    inside = [path for path in folder.rglob("*") if path.is_file()]
    seen = [path for path in inside if not hidden(path.relative_to(folder).as_posix())]
    if not seen:
        raise IrvizError(f"{folder}: the folder holds no file. Give the folder that holds the {what} files.")
    named, beside = named_by_folder(folder, seen)
    left = [path for path in seen if path.parent not in beside]
    return [
        *(_file(path) for path in sorted(left, key=lambda path: natural_key(path.as_posix()))),
        *(
            PackedFile(name, readable(path.relative_to(folder).as_posix()), partial(_open, path), path.stat().st_size)
            for name, path in sorted(named.items(), key=lambda pair: natural_key(pair[0]))
        ),
    ]


def _file(path: Path) -> PackedFile:
    name = readable(path.name)
    return PackedFile(name, name, partial(_open, path), path.stat().st_size)


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb", buffering=0)
    except OSError as error:
        raise IrvizError(f"{path}: cannot be read ({error.strerror}).") from error


def _is_upload(source: object) -> TypeGuard[Upload]:
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and isinstance(source[0], str)
        and isinstance(source[1], (bytes, bytearray, memoryview))
    )


def _label(source: Source) -> str:
    if _is_upload(source):
        return base_name(source[0])
    return str(source) if isinstance(source, (str, os.PathLike)) else "the list"


def named_by_folder(folder: Path, files: Sequence[Path]) -> tuple[dict[str, Path], set[Path]]:
    """The runs called ``run.txt``, by the name of their folders; and these folders, whose other files are not runs.

    Nothing, where only one file is called so and nothing describes it: it is then a run like others.
    """
    runs = [path for path in files if system_name(path.name) == "run.txt"]
    folders = {path.parent for path in runs}
    if len(folders) < 2 and not any(path.parent in folders and _DESCRIBES in path.name for path in files):
        return {}, set()
    return dict(zip(_names(folder, runs), runs, strict=True)), folders


def _names(folder: Path, runs: Sequence[Path]) -> list[str]:
    """Of every run, the folders that tell it from the others."""
    whole = [path.relative_to(folder).parent.parts for path in runs]
    telling = [tuple(part for part in parts if not _SAYS_NOTHING.fullmatch(part)) for parts in whole]
    paths = telling if len(set(telling)) == len(telling) else whole
    if len(paths) == 1:
        return [readable(paths[0][-1] if paths[0] else folder.resolve().name)]
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False)))
    return [readable("-".join(parts[shared:]) or folder.resolve().name) for parts in paths]
