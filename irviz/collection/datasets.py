"""Judgments and topics by their name in ir_datasets, with the user's own runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_type_hints

import pandas as pd

from irviz.collection.documents import DEFAULT_RANKS
from irviz.collection.frames import collection_from_frames
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError, unknown

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
    """A collection with judgments and topics from ir_datasets [1]_, which downloads them if necessary.

    Needs ``pip install 'irviz[datasets]'``.

    Parameters
    ----------
    name : str
        Such as ``"msmarco-passage/trec-dl-2020/judged"``.  Every field of its qrels that contains
        grades is an aspect, ``relevance`` the first; the texts of the topics are included.
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
    if _are_frames(runs):
        return collection_from_frames(qrels, runs, topics=topics or None, **more)
    aspects = {aspect: (f"{name}/{aspect}", _lines(qrels, aspect)) for aspect in qrels.columns[len(_KEYS) :]}
    return load_collection(aspects, runs, topics=topics or None, **more)


def _dataset(name: str) -> Any:
    if not isinstance(name, str):
        raise IrvizError(f"A dataset is named by text, such as 'cranfield'; got {type(name).__name__}.")
    try:
        import ir_datasets
    except ImportError as error:
        raise IrvizError("ir_datasets is not installed. Install it: pip install 'irviz[datasets]'") from error
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


def _are_frames(runs: Any) -> bool:
    first = next(iter(runs), None) if isinstance(runs, list) else None
    return isinstance(runs, Mapping) or hasattr(runs, "columns") or hasattr(first, "to_dict")


def _lines(qrels: pd.DataFrame, aspect: str) -> bytes:
    """One aspect as a qrels file."""
    rows = zip(qrels["query_id"], qrels["doc_id"], qrels[aspect], strict=True)
    return "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in rows).encode()
