"""A collection of files of qrels and runs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.codes import TIE_RULES, Finding
from irviz.collection.compile import CompiledRun, all_judgments, assemble, compile_run
from irviz.collection.documents import DEFAULT_RANKS, ranks_kept
from irviz.collection.judgments import Judgments, check_levels
from irviz.collection.lines import Lines, join_parts
from irviz.collection.model import Collection
from irviz.collection.names import base_name, readable, system_name
from irviz.collection.people import Preferences, Satisfaction, load_preferences, load_satisfaction
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits, Source, SourceFile, single, source_files
from irviz.collection.tables import GradeMap, read_ratings, read_results
from irviz.collection.topics import read_topics, with_groups, with_topics, with_users
from irviz.collection.trec import Intents
from irviz.errors import FileProblem, IrvizError, TooLarge, choose, join_words
from irviz.workers import Listener, Progress, in_order, listener


def load_collection(
    qrels: Source | Mapping[str, Source],
    runs: Source | Mapping[str, Source],
    *,
    ties: str = "trec_eval",
    depth: int = 1000,
    levels: Mapping[str, Sequence[float]] | None = None,
    name: str | None = None,
    progress: Listener = None,
    limits: Limits = DEFAULT_LIMITS,
    judges: bool = False,
    topics: Source | Mapping[str, str] | None = None,
    documents: int | str = DEFAULT_RANKS,
    skip_broken: bool = False,
    satisfaction: Source | pd.DataFrame | Satisfaction | None = None,
    preferences: Source | pd.DataFrame | Preferences | None = None,
    grades: GradeMap | None = None,
    groups: Source | Mapping[str, str] | pd.Series | None = None,
) -> Collection:
    """The collection of judgments and results in files of TREC or of other tools, told by their content.

    Parameters
    ----------
    qrels : path, (name, bytes), open file, or mapping of aspect to these in order of importance
        A file with several columns of grades has that many aspects: ``relevance``, ``aspect2``, …  A list of files is
        one set of judgments in parts.
    runs : folder, path, (name, bytes), open file, or a list of these; or a mapping of system to file
        gz, bz2, xz, zip and tar files are read directly.  A system is called by its file, without the compression
        suffix; a table of several configurations has a system for each.
    ties : str
        A key of :data:`~irviz.collection.codes.TIE_RULES`.
    depth : int
        Ranks kept of every list.
    levels : mapping of aspect to list of grades, optional
        Grades that could have been given, used or not.
    name : str, optional
        Of the collection; by default that of the qrels' folder or file.
    progress : callable, or True for a bar, optional
        Called with the share done and a sentence between runs.  An exception from it ends the load.
    limits : Limits
        On the memory that files may take, unpacked and compiled.
    judges : bool
        The qrels are of several judges, not aspects: a mapping of judge to file, or one file with the ratings of
        several.  The collection is judged by the first; ``c.judges`` and ``c.by_judge`` give the others.
    topics : path, (name, bytes), or mapping of topic to text, optional
        Texts of the topics: TREC topics, XML, TSV or JSON lines; by default those that tables have.
    documents : int or str
        The identifiers kept for display: those of all judged documents and of this many first ranks of every list; or
        ``"judged"``, ``"all"``, ``"none"``.  No score depends on it.
    skip_broken : bool
        Leave out runs that cannot be read, each with a finding.
    satisfaction : path, (name, bytes), DataFrame or Satisfaction, optional
        How satisfied users were with the lists, as for :func:`irviz.load_satisfaction`.
    preferences : path, (name, bytes), DataFrame or Preferences, optional
        Which of two systems or documents users preferred, as for :func:`irviz.load_preferences`.
    grades : mapping of rating to grade, optional
        Of all ratings, such as ``{"E": 3, "S": 2, "C": 1, "I": 0}`` or ``{100: 3, 10: 2, 1: 1, 0: 0}``.  By default
        numbers are grades, and usual texts have usual grades, which a finding names.
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        A file has a topic, a tab and its group a line, or the columns ``topic`` and ``group``.  A topic without one is
        in the group ``"(none)"``.

    Returns
    -------
    Collection

    Raises
    ------
    IrvizError
        With file and line; `BrokenRun` if a run cannot be read, `TooLarge` if the files exceed the limits.
    """
    progress = listener(progress)
    choose("tie rule", ties, tuple(TIE_RULES))
    check_depth(depth)
    ranks = ranks_kept(documents, depth)
    texts = read_topics(topics, limits)
    rated = None if satisfaction is None else load_satisfaction(satisfaction, limits=limits)
    chosen = None if preferences is None else load_preferences(preferences, limits=limits)
    judgments = load_qrels(qrels, levels, limits, "judges" if judges else "aspects", grades)
    if judges and len(judgments.aspects) < 2:
        raise IrvizError("Judges are given as {'people': file, 'machine': file}, or as one file of several judges.")
    quota = ArrayQuota(limits)
    systems = len(runs) if isinstance(runs, (list, Mapping)) and not skip_broken else 1  # at least
    queries = dict(judgments.texts)

    def compile_one(job: SourceFile) -> list[CompiledRun]:
        data = job.read()
        quota.foresee_lines(job.file, data)
        results = read_results(job.name, job.file, data)
        for lines in results.values():
            queries.update({query: text for query, text in lines.texts.items() if query not in queries})
        return [compile_run(name, run, judgments, ties, depth, ranks, quota, systems) for name, run in results.items()]

    broken: list[BrokenRun] | None = [] if skip_broken else None
    compiled = list(_compile_all(source_files(runs, "run", limits), compile_one, progress, broken))
    twice = next((name for name, times in Counter(run.name for run in compiled).items() if times > 1), None)
    if twice is not None:
        raise IrvizError(f"Two runs are named {twice}: a table names its systems itself. Rename one of them.")
    if not compiled:
        raise broken[0] if broken else IrvizError("No run was given. Give a folder, a file or a list of files.")
    collection = assemble(readable(name or _default_name(qrels)), judgments, compiled, ties, limits)
    why = "the run cannot be read, so it is left out"
    left_out = (Finding("error", one.file, one.line, f"{why}: {one.message}", why) for one in broken or ())
    collection = collection.renamed(findings=(*collection.findings, *left_out))
    query_texts = {topic: queries[topic] for topic in collection.topics if topic in queries}
    collection = with_topics(collection.seen_by(collection.aspects[0]) if judges else collection, texts or query_texts)
    collection = with_groups(with_users(collection, rated, chosen), groups)
    if not _is_on_disk(qrels) or not _is_on_disk(runs):
        return collection
    same: dict[str, Any] = {"levels": levels, "name": name, "limits": limits, "judges": judges, "grades": grades}
    again = partial(load_collection, qrels, runs, depth=depth, documents="none", skip_broken=skip_broken, **same)
    return collection.attached(again=again)


def _is_on_disk(source: Source | Mapping[str, Source]) -> bool:
    """True if all of it can be read again by its path."""
    if isinstance(source, (Mapping, list)):
        return all(map(_is_on_disk, source.values() if isinstance(source, Mapping) else source))
    return isinstance(source, (str, os.PathLike)) and not Path(source).is_fifo()


class BrokenRun(FileProblem):
    """A run that cannot be read, of ``system``; ``load_collection(…, skip_broken=True)`` continues without it."""

    def __init__(self, system: str, problem: IrvizError, file: str) -> None:
        self.system = system
        if isinstance(problem, FileProblem):
            super().__init__(problem.file, problem.line, problem.message)
            return
        super().__init__(file, None, str(problem))
        self.args = (str(problem),)


def check_depth(depth: int) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise IrvizError(f"`depth` must be a whole number of at least 1; got {depth!r}.")


def load_qrels(
    qrels: Source | Mapping[str, Source],
    levels: Mapping[str, Sequence[float]] | None,
    limits: Limits,
    are: str = "aspects",
    grades: GradeMap | None = None,
) -> Judgments:
    """The judgments of a file, or of several by aspect or judge."""
    if isinstance(qrels, Mapping):
        if not qrels:
            raise IrvizError("`qrels` names no aspect. Give a path, or {aspect: path}.")
        are = "intents" if isinstance(qrels, Intents) else are
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            read = list(pool.map(lambda source: _read_qrels(source, limits, grades), qrels.values()))
        files, aspects = list(map(_only_part, read)), tuple(readable(str(aspect)) for aspect in qrels)
        for aspect, lines in zip(aspects, files, strict=True):
            if (many := lines.values.shape[1]) > 1:
                what = f"{lines.file}: expected one column of grades for the aspect {aspect}, found {many}."
                raise IrvizError(f"{what} Give the file by itself to load them all as aspects.")
    else:
        found = _read_qrels(qrels, limits, grades)
        names, files = tuple(found), list(found.values())
        if len(files) > 1 and are != "judges":
            raise _several_judges(files[0].file, names)
        columns = range(2, files[0].values.shape[1] + 1)
        aspects = names if len(files) > 1 else ("relevance", *(f"aspect{i}" for i in columns))
        if are == "judges" and len(files) < len(aspects):
            files = [replace(files[0], values=values) for values in np.split(files[0].values, len(aspects), axis=1)]
            files[1:] = [replace(lines, findings=()) for lines in files[1:]]
        if len(set(map(str.casefold, aspects))) < len(aspects) or not all(aspects):
            raise IrvizError(f"{files[0].file}: some ratings name no judge, or two judges differ only in case.")
    check_levels(levels, aspects)
    judgments = all_judgments(files, aspects, levels, are, limits)
    return replace(judgments, texts={query: text for lines in files for query, text in lines.texts.items()})


def _only_part(read: dict[str, Lines]) -> Lines:
    """The lines of a file that is one aspect, or one judge."""
    first, *others = read.values()
    if others:
        raise _several_judges(first.file, tuple(read))
    return first


def _several_judges(file: str, names: Sequence[str]) -> IrvizError:
    return IrvizError(
        f"{file}: ratings of {len(names)} judges ({join_words(names, joiner='and')}). Give the file by itself with "
        "judges=True (--judges) to compare them, or a file for each aspect."
    )


def _read_qrels(source: Source, limits: Limits, grades: GradeMap | None) -> dict[str, Lines]:
    """The judgments of a file, or of a list of files that are parts of one set."""
    jobs = [single(part, "qrels", limits) for part in (source if isinstance(source, list) and source else [source])]
    read = []
    for job in jobs:
        data = job.read()
        ArrayQuota(limits).foresee_lines(job.file, data)
        read.append(read_ratings(job.file, data, grades))
    return read[0] if len(read) == 1 else {"": join_parts(list(map(_only_part, read)))}


def _compile_all(
    run_files: Iterator[SourceFile],
    compile_one: Callable[[SourceFile], list[CompiledRun]],
    progress: Progress | None,
    broken: list[BrokenRun] | None,
) -> Iterator[CompiledRun]:
    """Runs, compiled on all cores, in the order of files; a broken one goes to `broken`, or is raised if it is None."""

    def compile_file(job: SourceFile) -> tuple[SourceFile, list[CompiledRun] | BrokenRun]:
        try:
            return job, compile_one(job)
        except TooLarge:
            raise
        except IrvizError as problem:
            run = BrokenRun(job.name, problem, job.file)
            if broken is None:
                raise run from problem
            return job, run  # without its cause, which would hold the bytes of the file

    workers = min(4, os.cpu_count() or 1)
    with (
        ThreadPoolExecutor(workers) as pool,
        closing(in_order(compile_file, _distinct(run_files), pool, ahead=workers + 1)) as outcomes,
    ):
        for job, runs in outcomes:
            if isinstance(runs, BrokenRun):
                assert broken is not None
                broken.append(runs)
                continue
            if progress is not None:
                progress(job.share_done, f"Read {job.name}")
            yield from runs


def _distinct(run_files: Iterator[SourceFile]) -> Iterator[SourceFile]:
    """The files; two of one name are refused."""
    files: dict[str, str] = {}
    for job in run_files:
        if job.name in files:
            raise IrvizError(f"Two runs are named {job.name}: {files[job.name]} and {job.file}. Rename one.")
        files[job.name] = job.file
        yield job


def _default_name(qrels: Source | Mapping[str, Source]) -> str:
    """The folder the qrels lie in; the file's own name where that says nothing."""
    source = next(iter(qrels.values())) if isinstance(qrels, Mapping) else qrels
    source = source[0] if isinstance(source, (list, tuple)) else source
    if callable(getattr(source, "read", None)):
        source = str(getattr(source, "name", "collection"))
    if isinstance(source, (str, os.PathLike)):
        path = Path(source).expanduser()
        folder = path.absolute().parent.name
        return folder if path.exists() and folder else system_name(path.name)
    return base_name(str(source))
