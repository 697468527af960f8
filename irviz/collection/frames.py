"""Collections from data frames and from ir_datasets, compiled in the same way as from files.

Columns are named as in ir_measures (query_id, doc_id, relevance or score), in PyTerrier (qid, docno, label or score) or
in ranx (q_id, doc_id, score).  Rows count as lines, from 1.  Data of other tools become a frame first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from typing import Any, TypeAlias, get_type_hints

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import TIE_RULES
from irviz.collection.compile import all_judgments, assemble, compile_run
from irviz.collection.documents import DEFAULT_RANKS, ranks_kept
from irviz.collection.judgments import Judgments, check_levels
from irviz.collection.lines import Lines
from irviz.collection.load import check_depth, load_collection
from irviz.collection.model import Collection
from irviz.collection.names import readable
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Source
from irviz.collection.topics import read_topics, with_groups, with_topics
from irviz.errors import FileProblem, IrvizError, choose, cut, join_words, unknown

# -- Tables of other tools as pandas frames: polars, pyarrow, pytrec_eval's dictionaries, ranx -----

ForeignTable: TypeAlias = Any  #: whatever :func:`frame_of` takes


def frame_of(where: str, table: ForeignTable, relevant: bool = False) -> pd.DataFrame:
    """A table as a pandas frame; one without rows is refused.

    Lists of documents by topic are ranked, with scores −1, −2 …, or `relevant`, with score 1.  Topics of a mapping that
    have no document are in ``attrs["empty"]``.

    >>> frame_of("bm25", {"1": {"a": 2.5, "b": 1.0}})
      query_id doc_id  score
    0        1      a    2.5
    1        1      b    1.0
    """
    frame = _as_frame(table, relevant)
    if frame is None:
        raise IrvizError(f"{where}: expected a DataFrame, found {type(table).__name__}.")
    if not len(frame):
        raise IrvizError(f"{where}: the frame is empty.")
    return frame


def _as_frame(table: ForeignTable, relevant: bool) -> pd.DataFrame | None:
    if isinstance(table, pd.DataFrame):
        return table
    if callable(getattr(table, "collect", None)):  # a LazyFrame of polars
        table = table.collect()
    if callable(getattr(table, "to_pandas", None)):  # polars and pyarrow
        return table.to_pandas()
    if not isinstance(table, Mapping) and callable(getattr(table, "to_dict", None)):  # ranx
        table = table.to_dict()
    if isinstance(table, Mapping) and all(isinstance(documents, _BY_TOPIC) for documents in table.values()):
        rows = [
            (topic, doc, documents[doc] if isinstance(documents, Mapping) else 1 if relevant else -rank)
            for topic, documents in table.items()
            for rank, doc in enumerate(documents, start=1)
        ]
        frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
        frame.attrs["empty"] = [topic for topic, documents in table.items() if not documents]
        return frame
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes, Mapping)):  # named tuples of ir_measures
        entries = list(table)
        if entries and all(hasattr(entry, "_fields") for entry in entries):
            return pd.DataFrame(entries, columns=list(entries[0]._fields))
    return None


_BY_TOPIC = (Mapping, list, tuple)  # a topic's documents with numbers, or in a list
_TOPIC = ("query_id", "qid", "q_id")
_DOC = ("doc_id", "docno")
_GRADE = ("relevance", "label", "score")  # ranx calls grades scores too
_SCORE = ("score",)
_NO_ASPECT = ("iteration", "iter", "Q0")  #: further qrels columns that both libraries carry along
_QRELS = "qrels"  # what errors call the frame of judgments


def collection_from_frames(
    qrels: ForeignTable,
    runs: Mapping[str, ForeignTable] | ForeignTable | Sequence[ForeignTable],
    *,
    ties: str = "trec_eval",
    depth: int = 1000,
    levels: Mapping[str, Sequence[float]] | None = None,
    name: str = "frames",
    judges: bool = False,
    topics: Mapping[str, str] | None = None,
    documents: int | str = DEFAULT_RANKS,
    groups: Source | Mapping[str, str] | pd.Series | None = None,
) -> Collection:
    """A collection of judgments and runs in data frames.

    A frame may be of pandas, polars (also lazy) or pyarrow; in its place may be pytrec_eval's
    ``{topic: {document: number}}``, ranx's ``Qrels`` or ``Run``, or named tuples of ir_measures.

    Parameters
    ----------
    qrels : DataFrame
        ``query_id, doc_id, relevance`` or ``qid, docno, label``.  Every further column is an aspect, or with `judges` a
        judge, of its name; a missing grade means not judged.  ``{topic: [document, …]}`` are relevant documents.
    runs : mapping of system to DataFrame, or one DataFrame with a ``system`` column
        ``query_id, doc_id, score`` or ``qid, docno, score``, and perhaps ``rank``; also a list of ranx's ``Run``, which
        have names, and ranked lists ``{system: {topic: [document, …]}}``.
    ties, depth, levels, name, judges, topics, documents, groups
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Collection

    Raises
    ------
    IrvizError
        For a column that is missing, or a cell that is no identifier, grade or score.
    """
    choose("tie rule", ties, tuple(TIE_RULES))
    check_depth(depth)
    ranks = ranks_kept(documents, depth)
    judgments = _judgments(qrels, levels, "judges" if judges else "aspects")
    if judges and len(judgments.aspects) < 2:
        raise IrvizError("Judges are given as columns of grades beside `relevance`, two or more; there is one.")
    quota = ArrayQuota(DEFAULT_LIMITS)
    lines = ((system, _run_lines(system, frame)) for system, frame in _by_system(runs))
    compiled = [compile_run(system, run, judgments, ties, depth, ranks, quota) for system, run in lines]
    collection = assemble(readable(name), judgments, compiled, ties)
    collection = collection.seen_by(collection.aspects[0]) if judges else collection
    return with_groups(with_topics(collection, read_topics(topics)), groups)


def _judgments(frame: ForeignTable, levels: Mapping[str, Sequence[float]] | None, are: str) -> Judgments:
    frame = frame_of(_QRELS, frame, relevant=True)
    topic, doc = _column(_QRELS, frame, _TOPIC), _column(_QRELS, frame, _DOC)
    main = _column(_QRELS, frame, _GRADE)
    grades = {"relevance": _numbers(_QRELS, frame[main])}
    for column in (column for column in frame.columns if column not in (topic, doc, main, *_NO_ASPECT)):
        aspect = readable(str(column))
        if aspect in grades:
            raise IrvizError(f"{_QRELS}: two columns are the aspect {aspect}. Rename one.")
        grades[aspect] = _numbers(_QRELS, frame[column])
    table = np.column_stack(list(grades.values()))
    bad = np.isinf(table).any(axis=1) | np.isnan(table).all(axis=1)
    if bad.any():
        raise FileProblem(_QRELS, int(np.argmax(bad)) + 1, "the row holds no finite grade.")
    nothing = next((aspect for aspect, column in grades.items() if np.isnan(column).all()), None)
    if nothing is not None:
        raise IrvizError(f"{_QRELS}: the column of {nothing} holds no grade. Leave it out.")
    topics, docs = (_identifiers(_QRELS, frame[name], name) for name in (topic, doc))
    files = [_judged_lines(topics, docs, column) for column in grades.values()]
    empty = _identifiers(_QRELS, pd.Series(frame.attrs.get("empty", []), dtype=object), topic)
    files[0] = replace(files[0], topics=(*files[0].topics, *empty))
    check_levels(levels, tuple(grades))
    return all_judgments(files, tuple(grades), levels, are)


def _judged_lines(topics: list[bytes], docs: list[bytes], grades: NDArray[np.float64]) -> Lines:
    """The rows judged on one aspect."""
    rows = np.flatnonzero(~np.isnan(grades)).tolist()
    topic, doc = ([names[row] for row in rows] for names in (topics, docs))
    return Lines.of(_QRELS, topic, doc, grades[rows], lambda row: rows[row] + 1)


def _run_lines(system: str, frame: ForeignTable) -> Lines:
    frame = frame_of(system, frame)
    topic, doc, score = (_column(system, frame, names) for names in (_TOPIC, _DOC, _SCORE))
    topics, scores = _identifiers(system, frame[topic], topic), _numbers(system, frame[score])
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores)))
        raise FileProblem(system, row + 1, f"the score is not finite, so it cannot be ordered: {scores[row]}")
    docs = _identifiers(system, frame[doc], doc)
    rank = None
    unranked: tuple[int | None, str] = (None, "the frame has no column rank")
    if "rank" in frame.columns:
        rank = pd.to_numeric(frame["rank"], errors="coerce").to_numpy(np.float64, na_value=np.nan)
        bad = np.flatnonzero(~np.isfinite(rank)).tolist()
        if bad:
            rank, unranked = None, (bad[0], f'the column rank holds no finite number: "{frame["rank"].iloc[bad[0]]}"')
    return Lines.of(system, topics, docs, scores, lambda row: row + 1, rank=rank, rank_problem=unranked)


def _by_system(
    runs: Mapping[str, ForeignTable] | ForeignTable | Sequence[ForeignTable],
) -> Iterator[tuple[str, ForeignTable]]:
    """Systems and their runs, in the order given."""
    several = "{system: frame}, or one frame with a column `system`"
    pairs: Iterable[tuple[Any, ForeignTable]]
    if isinstance(runs, Mapping):
        if not runs:
            raise IrvizError(f"`runs` must be {several}.")
        inner = next(iter(runs.values()))
        by_topic = inner.values() if isinstance(inner, Mapping) else [None] if isinstance(inner, list) else []
        if not isinstance(next(iter(by_topic), {}), _BY_TOPIC):
            raise IrvizError("`runs` is one run ({topic: {document: score}}). Give its system a name: {system: run}.")
        pairs = runs.items()
    elif isinstance(runs, Sequence) and not isinstance(runs, str):
        if runs and all(hasattr(run, "_fields") for run in runs):
            raise IrvizError("`runs` is one run (named tuples). Give its system a name: {system: run}.")
        names = [getattr(run, "name", None) for run in runs]
        if not runs or not all(isinstance(name, str) and name for name in names):
            raise IrvizError(f"`runs` must be {several}, or ranx's named runs.")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise IrvizError(f"Two of `runs` are named {twice}. Rename one.")
        pairs = zip(names, runs, strict=True)
    else:
        frame = frame_of("runs", runs)
        if "system" not in frame.columns:
            raise IrvizError("`runs` is one frame, so it needs a column `system`; or give {system: frame}.")
        pairs = frame.groupby([name.decode() for name in _identifiers("runs", frame["system"], "system")], sort=False)
    for system, run in pairs:
        yield readable(str(system)), run


def _column(where: str, frame: pd.DataFrame, names: tuple[str, ...]) -> str:
    found = next((name for name in names if name in frame.columns), None)
    if found is None:
        columns = join_words(frame.columns, joiner="and")
        raise IrvizError(f"{where}: expected a column {join_words(names)}, found {columns}.")
    return found


def _numbers(where: str, column: pd.Series) -> NDArray[np.float64]:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    bad = np.isnan(numbers) & column.notna().to_numpy()
    if bad.any():
        row = int(np.argmax(bad))
        raise FileProblem(where, row + 1, f"the column {column.name} holds no number: {column.iloc[row]!r}")
    return numbers


def _identifiers(where: str, column: pd.Series, name: str) -> list[bytes]:
    """Identifiers as bytes; whole numbers that pandas turned into floats are whole again."""
    missing = column.isna().to_numpy()
    if missing.any():
        raise FileProblem(where, int(np.argmax(missing)) + 1, f"the column {name} is empty.")
    kinds = list(map(type, column))
    wrong = next((kind for kind in set(kinds) if issubclass(kind, Sized) and not issubclass(kind, str)), None)
    if wrong is not None:
        row = kinds.index(wrong)
        message = f"the {name} is no text but {wrong.__name__}: {cut(repr(column.iloc[row]))}. Give one text a row."
        raise FileProblem(where, row + 1, message)
    if pd.api.types.is_float_dtype(column) and (column == column.round()).all():
        column = column.astype(np.int64)
    identifiers = [readable(str(value)).encode() for value in column.tolist()]
    if b"" in identifiers:
        raise FileProblem(where, identifiers.index(b"") + 1, f"the column {name} is empty.")
    return identifiers


# -- Judgments and topics by their name in ir_datasets, with runs of one's own ----------------------

_KEYS = ("query_id", "doc_id")
_NO_GRADE = ("iteration", "subtopic_id", "method", "iprob", "start", "end")  #: fields of numbers that judge nothing


def from_ir_datasets(
    name: str,
    runs: Any,
    *,
    ties: str = "trec_eval",
    depth: int = 1000,
    levels: Mapping[str, Sequence[float]] | None = None,
    documents: int | str = DEFAULT_RANKS,
) -> Collection:
    """A collection with judgments, topics and their texts from ir_datasets [1]_ (``pip install ir-datasets``).

    Parameters
    ----------
    name : str
        Such as ``"msmarco-passage/trec-dl-2020/judged"``.  Every field of grades is an aspect, ``relevance`` the first.
    runs : folder, path, (name, bytes), a list of these, or frames
        As :func:`irviz.load_collection` or :func:`irviz.collection_from_frames` take them.
    ties, depth, levels, documents
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Collection

    Raises
    ------
    IrvizError
        If there is no such dataset, it has no qrels, or it cannot be downloaded.

    References
    ----------
    .. [1] S. MacAvaney et al., "Simplified Data Wrangling with ir_datasets", SIGIR 2021.
    """
    dataset = _dataset(name)
    try:
        judged = [tuple(row) for row in dataset.qrels_iter()]
        queries = dataset.queries_iter() if dataset.has_queries() else ()
        topics = {query.query_id: query.default_text() or "" for query in queries}
    except (OSError, RuntimeError) as error:  # what fetching and unpacking raise
        raise IrvizError(f"ir_datasets cannot get {name}: {' '.join(str(error).split())[:300]}") from error
    qrels = pd.DataFrame(judged, columns=list(dataset.qrels_cls()._fields))[[*_KEYS, *_grades(name, dataset)]]
    more: dict[str, Any] = {"ties": ties, "depth": depth, "levels": levels, "name": name, "documents": documents}
    first = next(iter(runs), None) if isinstance(runs, list) else None
    if isinstance(runs, Mapping) or hasattr(runs, "columns") or hasattr(first, "to_dict"):
        return collection_from_frames(qrels, runs, topics=topics or None, **more)
    aspects = {}
    for aspect in qrels.columns[len(_KEYS) :]:
        rows = qrels[[*_KEYS, aspect]].itertuples(index=False)
        lines = "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in rows)
        aspects[aspect] = f"{name}/{aspect}", lines.encode()
    return load_collection(aspects, runs, topics=topics or None, **more)


def _dataset(name: str) -> Any:
    if not isinstance(name, str):
        raise IrvizError(f"A dataset is named by text, such as 'cranfield'; got {type(name).__name__}.")
    try:
        import ir_datasets
    except ImportError as error:
        raise IrvizError("ir_datasets is not installed. Install it: pip install ir-datasets") from error
    try:
        dataset = ir_datasets.load(name)
    except KeyError as error:
        raise unknown("dataset", name, list(ir_datasets.registry)) from error
    if not dataset.has_qrels():
        raise IrvizError(f"The dataset {name} of ir_datasets has no qrels. Choose one that is judged.")
    return dataset


def _grades(name: str, dataset: Any) -> list[str]:
    """The fields of the qrels that hold grades, relevance first."""
    kind = dataset.qrels_cls()
    if "subtopic_id" in kind._fields:
        raise IrvizError(
            f"The qrels of {name} judge subtopics. Save them as a file and load that: "
            "irviz.load_collection(irviz.load_intents(file), runs)."
        )
    numbers = [field for field, of in get_type_hints(kind).items() if of in (int, float) and field not in _NO_GRADE]
    if "relevance" not in numbers:
        raise IrvizError(f"The qrels of {name} hold no relevance, only {', '.join(kind._fields)}.")
    return ["relevance", *(field for field in numbers if field != "relevance")]
