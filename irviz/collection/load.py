"""From qrels and runs to a collection: the entry point for files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd

from irviz.collection.codes import TIE_RULES, Finding
from irviz.collection.compile import CompiledRun, assemble, compile_run
from irviz.collection.documents import DEFAULT_RANKS, ranks_kept
from irviz.collection.judgments import Judgments, all_judgments, aspect_names, check_levels, check_one_column
from irviz.collection.model import Collection
from irviz.collection.names import base_name, readable, system_name
from irviz.collection.people import Preferences, Satisfaction, as_preferences, as_satisfaction
from irviz.collection.qrels import QrelsLines, parse_qrels
from irviz.collection.runs import parse_run
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Job, Limits, Source, jobs, single
from irviz.collection.topics import read_topics, with_topics, with_users
from irviz.errors import FileProblem, IrvizError, TooLarge, choose
from irviz.workers import Progress


def load_collection(
    qrels: Source | Mapping[str, Source],
    runs: Source,
    *,
    ties: str = "trec_eval",
    depth: int = 1000,
    levels: Mapping[str, Sequence[float]] | None = None,
    name: str | None = None,
    progress: Progress | None = None,
    limits: Limits = DEFAULT_LIMITS,
    judges: bool = False,
    topics: Source | Mapping[str, str] | None = None,
    documents: int | str = DEFAULT_RANKS,
    skip_broken: bool = False,
    satisfaction: Source | pd.DataFrame | Satisfaction | None = None,
    preferences: Source | pd.DataFrame | Preferences | None = None,
) -> Collection:
    """Read TREC qrels and runs and compile them.

    Parameters
    ----------
    qrels : path, (name, bytes), or mapping of aspect to these in order of importance
        A file with several columns of grades has that many aspects: ``relevance``,
        ``aspect2``, …
    runs : folder, path, (name, bytes), or a list of these
        gz, bz2, xz, zip and tar files are read directly.  A system's name is its run's
        file name without the compression suffix.
    ties : str
        A key of :data:`~irviz.collection.model.TIE_RULES`.
    depth : int
        Ranks kept of every list.
    levels : mapping of aspect to list of grades, optional
        Declares more grades than were used.
    name : str, optional
        The name of the collection; by default that of the qrels' folder or file.
    progress : callable, optional
        Called with the share done and a sentence between runs.  An exception from it ends
        the load and is passed on.
    limits : Limits
        Limits on the memory that files may take, unpacked and compiled.
    judges : bool
        Whether the qrels are judgments of one thing by several judges, not aspects.  The
        collection is then judged by the first; ``c.judges`` and ``c.by_judge`` give the others.
    topics : path, (name, bytes), or mapping of topic to text, optional
        The texts of the topics: TREC topics, XML, TSV or JSON lines.
    documents : int or str
        Which identifiers are kept for display: those of all judged documents and of this many
        first ranks of every list; or ``"judged"``, ``"all"``, ``"none"``.  No score depends on it.
    skip_broken : bool
        Whether runs that cannot be read are left out, each with a finding, instead of refused.
    satisfaction : path, (name, bytes), DataFrame or Satisfaction, optional
        How satisfied users were with the lists, as :func:`irviz.load_satisfaction` reads it.
    preferences : path, (name, bytes), DataFrame or Preferences, optional
        Which of two systems or documents users preferred, as :func:`irviz.load_preferences` reads it.

    Returns
    -------
    Collection

    Raises
    ------
    IrvizError
        With file and line; `BrokenRun` if a run cannot be read, `TooLarge` if the files exceed the limits.
        Nothing is partly loaded.
    """
    choose("tie rule", ties, tuple(TIE_RULES))
    check_depth(depth)
    kept = ranks_kept(documents, depth)
    if judges and (not isinstance(qrels, Mapping) or len(qrels) < 2):
        raise IrvizError("Judges are given as {'people': file, 'machine': file}, two or more.")
    texts = read_topics(topics, limits)
    rated = None if satisfaction is None else as_satisfaction(satisfaction, limits)
    chosen = None if preferences is None else as_preferences(preferences, limits)
    judgments = load_qrels(qrels, levels, limits, "judges" if judges else "aspects")
    quota = ArrayQuota(limits)

    def compile_one(job: Job) -> CompiledRun:
        data = job.read()
        with quota.parsing(job.file, data):
            return compile_run(job.name, parse_run(job.file, data), judgments, ties, depth, kept, quota)

    broken: list[BrokenRun] | None = [] if skip_broken else None
    compiled = list(_compile_all(jobs(runs, "run", limits), compile_one, progress, broken))
    if not compiled:
        raise broken[0] if broken else IrvizError("No run was given. Give a folder, a file or a list of files.")
    made = assemble(readable(name or _default_name(qrels)), judgments, compiled, ties, limits)
    made = made.renamed(findings=(*made.findings, *map(_left_out, broken or ())))
    made = with_topics(made.seen_by(made.aspects[0]) if judges else made, texts)
    made = with_users(made, rated, chosen)
    if not _on_disk(qrels) or not _on_disk(runs):
        return made
    again = partial(
        load_collection,
        qrels,
        runs,
        depth=depth,
        levels=levels,
        name=name,
        limits=limits,
        judges=judges,
        documents="none",
        skip_broken=skip_broken,
    )
    return made.attached(again=again)


def _on_disk(source: Source | Mapping[str, Source]) -> bool:
    """Whether all of it can be read again by its path."""
    if isinstance(source, Mapping):
        return all(map(_on_disk, source.values()))
    if isinstance(source, list):
        return all(map(_on_disk, source))
    return isinstance(source, (str, os.PathLike))


class BrokenRun(FileProblem):
    """A run that cannot be read: ``file``, ``line`` and ``message`` say where and why, ``system`` whose it is.

    ``load_collection(…, skip_broken=True)`` continues without it.
    """

    def __init__(self, system: str, problem: IrvizError, file: str) -> None:
        self.system = system
        if isinstance(problem, FileProblem):
            super().__init__(problem.file, problem.line, problem.message)
            return
        super().__init__(file, None, str(problem))
        self.args = (str(problem),)


def _left_out(problem: BrokenRun) -> Finding:
    unnamed = "the run cannot be read, so it is left out"
    return Finding("error", problem.file, problem.line, f"{unnamed}: {problem.message}", unnamed)


def check_depth(depth: int) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise IrvizError(f"`depth` must be a whole number of at least 1; got {depth!r}.")


def load_qrels(
    qrels: Source | Mapping[str, Source],
    levels: Mapping[str, Sequence[float]] | None,
    limits: Limits,
    are: str = "aspects",
) -> Judgments:
    if not isinstance(qrels, Mapping):
        lines = _read_qrels(qrels, limits)
        files, aspects = [lines], aspect_names(lines)
    else:
        if not qrels:
            raise IrvizError("`qrels` names no aspect. Give a path, or {aspect: path}.")
        files, aspects = [_read_qrels(source, limits) for source in qrels.values()], _names(qrels)
        for aspect, lines in zip(aspects, files, strict=True):
            check_one_column(aspect, lines)
    check_levels(levels, aspects)
    return all_judgments(files, aspects, levels, are, limits)


def _names(qrels: Mapping[str, Source]) -> tuple[str, ...]:
    """The aspects, which were named when the files were."""
    return tuple(readable(str(aspect)) for aspect in qrels)


def _read_qrels(source: Source, limits: Limits) -> QrelsLines:
    job = single(source, "qrels", limits)
    data = job.read()
    with ArrayQuota(limits).parsing(job.file, data):
        return parse_qrels(job.file, data)


def _compile_all(
    found: Iterator[Job],
    compile_one: Callable[[Job], CompiledRun],
    progress: Progress | None,
    broken: list[BrokenRun] | None,
) -> Iterator[CompiledRun]:
    """Compile runs on all cores, in the order they are found; only a few are in memory at a time.

    Broken ones are added to `broken`, or raised where that is None.
    """
    workers = min(4, os.cpu_count() or 1)
    waiting: deque[tuple[Job, Future[CompiledRun]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for job in _distinct(found):
                waiting.append((job, pool.submit(compile_one, job)))
                if len(waiting) > workers + 1:
                    yield from _finished(*waiting.popleft(), progress, broken)
            while waiting:
                yield from _finished(*waiting.popleft(), progress, broken)
        finally:
            for _, future in waiting:
                future.cancel()


def _finished(
    job: Job, future: Future[CompiledRun], progress: Progress | None, broken: list[BrokenRun] | None
) -> Iterator[CompiledRun]:
    try:
        run = future.result()
    except TooLarge:
        raise
    except IrvizError as problem:
        refused = BrokenRun(job.name, problem, job.file)
        if broken is None:
            raise refused from problem
        broken.append(refused)
        return
    if progress is not None:
        progress(job.done, f"Read {job.name}")
    yield run


def _distinct(found: Iterator[Job]) -> Iterator[Job]:
    """The jobs; two of one name are refused."""
    seen: dict[str, str] = {}
    for job in found:
        if job.name in seen:
            raise IrvizError(
                f"Two runs are named {job.name}: {seen[job.name]} and {job.file}. Rename one of the files."
            )
        seen[job.name] = job.file
        yield job


def _default_name(qrels: Source | Mapping[str, Source]) -> str:
    """The folder the qrels lie in; the file's own name where that says nothing."""
    source = next(iter(qrels.values())) if isinstance(qrels, Mapping) else qrels
    if isinstance(source, (list, tuple)):
        source = source[0]
    if isinstance(source, (str, os.PathLike)) and not isinstance(source, bytes):
        path = Path(source).expanduser()
        folder = path.absolute().parent.name
        return folder if path.exists() and folder else system_name(path.name)
    return base_name(str(source))
