"""Data where they are: frames and dictionaries of other tools, and datasets by name; always the same collection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import polars
import pyarrow as pa
import pytest

import irviz

QRELS = pd.DataFrame(
    [("1", "a", 1), ("1", "b", 0), ("2", "a", 2), ("2", "c", 0)], columns=["query_id", "doc_id", "relevance"]
)
ROWS = [("1", "a", 2.0), ("1", "b", 3.0), ("2", "c", 1.0), ("2", "a", 0.5)]
RUN = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])


def nested(rows) -> dict[str, dict[str, float]]:
    """As pytrec_eval holds qrels and runs."""
    found: dict[str, dict[str, float]] = {}
    for topic, doc, number in rows:
        found.setdefault(topic, {})[doc] = number
    return found


class Ranx:
    """As ranx's ``Qrels`` and ``Run`` hand out what they hold."""

    def __init__(self, held: dict[str, dict[str, float]], name: str | None = None) -> None:
        self.held, self.name = held, name

    def to_dict(self) -> dict[str, dict[str, float]]:
        return self.held


DICT_QRELS, DICT_RUN = nested(QRELS.itertuples(index=False)), nested(ROWS)
RANX = {"query_id": "q_id"}
TERRIER = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
WAYS = {
    "pytrec_eval": (DICT_QRELS, {"osprey": DICT_RUN}),
    "polars": (polars.from_pandas(QRELS), {"osprey": polars.from_pandas(RUN)}),
    "polars, one frame": (polars.from_pandas(QRELS), polars.from_pandas(RUN.assign(system="osprey"))),
    "pyarrow": (pa.Table.from_pandas(QRELS), {"osprey": pa.Table.from_pandas(RUN)}),
    "PyTerrier": (
        QRELS.rename(columns=TERRIER).assign(iteration="0"),
        {"osprey": RUN.rename(columns=TERRIER).assign(docid=range(4), rank=[1, 0, 0, 1], query="what", name="BR(DPH)")},
    ),
    "ranx frames": (QRELS.rename(columns=RANX | {"relevance": "score"}), {"osprey": RUN.rename(columns=RANX)}),
    "ranx": (Ranx(DICT_QRELS), [Ranx(DICT_RUN, "osprey")]),
}


def frames() -> irviz.collection.model.Collection:
    return irviz.collection_from_frames(QRELS, {"osprey": RUN})


@pytest.mark.parametrize("way", WAYS)
def test_every_tools_tables_give_the_same_collection(way: str):
    made = irviz.collection_from_frames(*WAYS[way])
    assert made.fingerprint == frames().fingerprint


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        (DICT_RUN, "`runs` is one run ({topic: {document: score}}). Give its system a name: {system: run}."),
        ([Ranx(DICT_RUN, "x")] * 2, "Two of `runs` are named x. Rename one."),
        ({"x": {}}, "x: the frame is empty."),
        ({"x": {"1": {}}}, "x: the frame is empty."),
        ({"x": {"1": {"a": 1}}, "y": {"1": 3}}, "y: expected a DataFrame, found dict."),
        ("runs/", "runs: expected a DataFrame, found str."),
    ],
)
def test_dictionaries_that_are_no_runs(runs, message):
    with pytest.raises(irviz.IrvizError) as refused:
        irviz.collection_from_frames(QRELS, runs)
    assert str(refused.value) == message


# -- ir_datasets ---------------------------------------------------------------------------


class Judged(NamedTuple):
    """Qrels of two aspects, as those of the Misinformation and eHealth tracks."""

    query_id: str
    doc_id: str
    relevance: int
    credibility: int
    iteration: str


class Subtopics(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


@pytest.fixture(scope="module")
def datasets() -> Iterator[str]:
    """Datasets that were registered here; nothing is fetched."""
    ir_datasets = pytest.importorskip("ir_datasets")
    from ir_datasets.formats import BaseQrels, BaseQueries, GenericQuery

    class Qrels(BaseQrels):
        def __init__(self, kind: type, rows: list[tuple]) -> None:
            self.kind, self.rows = kind, rows

        def qrels_iter(self):
            return map(self.kind._make, self.rows)

        def qrels_cls(self):
            return self.kind

    class Broken(Qrels):
        def qrels_iter(self):
            raise RuntimeError("All download sources failed")

    class Queries(BaseQueries):
        def queries_iter(self):
            return iter([GenericQuery("1", "nesting places"), GenericQuery("2", "diet")])

    rows = [(topic, doc, grade, 1 - grade % 2, "0") for topic, doc, grade in QRELS.itertuples(index=False)]
    made = {
        "irviz-test": ir_datasets.Dataset(Qrels(Judged, rows), Queries()),
        "irviz-test-sub": ir_datasets.Dataset(Qrels(Subtopics, [("1", "a", 1, "1")])),
        "irviz-test-bare": ir_datasets.Dataset(Queries()),
        "irviz-test-broken": ir_datasets.Dataset(Broken(Judged, rows)),
    }
    for name, dataset in made.items():
        ir_datasets.registry.register(name, dataset)
    yield "irviz-test"
    for name in made:
        del ir_datasets.registry._registered[name]


def test_a_dataset_brings_its_aspects_and_the_texts_of_its_topics(datasets, tmp_path: Path):
    lines = [f"{topic} Q0 {doc} 0 {score} x\n" for topic, doc, score in ROWS]
    (tmp_path / "osprey").write_text("".join(lines))
    by_files = irviz.from_ir_datasets(datasets, tmp_path)
    by_frames = irviz.from_ir_datasets(datasets, {"osprey": RUN})
    assert by_files.fingerprint == by_frames.fingerprint
    assert by_files.aspects == ("relevance", "credibility")
    assert dict(by_files.topic_texts) == dict(by_frames.topic_texts) == {"1": "nesting places", "2": "diet"}
    expected = irviz.score(frames(), "AP").values
    assert irviz.score(by_files, "AP").values.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("irviz-tset", "There is no dataset `irviz-tset`. Did you mean "),
        ("irviz-test-bare", "The dataset irviz-test-bare of ir_datasets has no qrels. Choose one that is judged."),
        ("irviz-test-sub", "The qrels of irviz-test-sub judge subtopics. "),
        ("irviz-test-broken", "ir_datasets cannot get irviz-test-broken: All download sources failed"),
    ],
)
def test_datasets_that_give_nothing(datasets, name, message):
    with pytest.raises(irviz.IrvizError) as refused:
        irviz.from_ir_datasets(name, {"osprey": RUN})
    assert str(refused.value).startswith(message)


def test_without_ir_datasets_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ir_datasets", None)
    with pytest.raises(irviz.IrvizError, match=r"^ir_datasets is not installed. Install it: pip install"):
        irviz.from_ir_datasets("cranfield", {"osprey": RUN})
