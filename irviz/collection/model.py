"""A compiled test collection: two arrays and their names.

A collection is compiled once; every what-if afterwards is a lookup.

``ranking[topic, system, rank]``
    index of the judged document at that rank within its topic;
    `UNJUDGED` for a document without a judgment, `BEYOND` past the end of the list.
``labels[topic, judged document, aspect]``
    grade level of the document: an index into ``grades[aspect]``.  `NEGATIVE` marks
    a grade below zero (worth nothing, and trec_eval's bpref does not count it as
    judged), `ABSENT` a document not judged on that aspect, or padding.

No document identifier is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irviz.collection.saving import save
from irviz.display import SelfShown
from irviz.errors import IrvizError, unknown

UNJUDGED, BEYOND = -1, -2  #: codes in ``ranking``
NEGATIVE, ABSENT = -1, -2  #: codes in ``labels``

TIE_RULES = {
    "trec_eval": "score descending, then document id descending, scores in single precision (trec_eval up to 9)",
    "trec_eval10": "score descending, then document id descending, scores in double precision (trec_eval 10)",
    "trec_eval_ascending": "score descending, then document id ascending, scores in single precision",
    "file": "the order of the lines in the file",
    "rank": "the rank column",
}


@dataclass(frozen=True)
class Finding:
    """One thing the linter saw in a file.

    ``severity`` is ``"note"`` (nothing changes), ``"warning"`` (handled, and a number
    may differ from another tool's) or ``"error"`` (refused).  ``line`` counts from 1;
    None where the finding is about the whole file.
    """

    severity: str
    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


@dataclass(frozen=True, eq=False)
class Collection(SelfShown):
    """Judged topics and ranked systems, compiled.  Build one with :func:`irviz.load_collection`.

    Attributes
    ----------
    name : str
        What a person calls it; not part of the fingerprint.
    topics, systems, aspects : tuple of str
        In natural order; aspects in order of importance.
    grades : tuple of tuple of float
        For every aspect the grade of each level, ascending; level 0 is 0.
    ranking : int32, topics × systems × depth
    labels : int16, topics × judged documents × aspects
    ties : str
        The tie rule the rankings were compiled with, a key of `TIE_RULES`.
    findings : tuple of Finding
        What lint saw; not part of the fingerprint.
    """

    name: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    aspects: tuple[str, ...]
    grades: tuple[tuple[float, ...], ...]
    ranking: NDArray[np.int32]
    labels: NDArray[np.int16]
    ties: str = "trec_eval"
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        topics, systems, _ = self.ranking.shape
        if (topics, systems) != (len(self.topics), len(self.systems)):
            raise IrvizError(
                f"ranking is {topics} topics × {systems} systems, "
                f"but {len(self.topics)} topics and {len(self.systems)} systems are named."
            )
        if self.labels.shape[0] != topics or self.labels.shape[2] != len(self.aspects):
            raise IrvizError(f"labels {self.labels.shape} do not fit {topics} topics × {len(self.aspects)} aspects.")
        self.ranking.setflags(write=False)
        self.labels.setflags(write=False)

    @property
    def depth(self) -> int:
        """The longest list kept: at most the `depth` asked for when loading."""
        return int(self.ranking.shape[2])

    @cached_property
    def fingerprint(self) -> str:
        """Hex digest of everything a score depends on: names, grades, rankings and judgments."""
        digest = hashlib.sha256()
        names = [self.topics, self.systems, self.aspects, self.grades, self.depth, self.labels.shape]
        digest.update(json.dumps(names, ensure_ascii=True).encode())
        digest.update(np.ascontiguousarray(self.ranking, dtype="<i4").data)
        digest.update(np.ascontiguousarray(self.labels, dtype="<i2").data)
        return digest.hexdigest()

    def aspect_index(self, name: str | None) -> int:
        """Position of the aspect called `name`; None is the first."""
        if name is None:
            return 0
        if name not in self.aspects:
            raise unknown("aspect", name, self.aspects)
        return self.aspects.index(name)

    def subset(
        self,
        topics: Iterable[str] | None = None,
        systems: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> Collection:
        """The same collection with fewer topics, fewer systems or shorter lists.

        Grades stay as they are, so that a normalisation by the highest grade does
        not depend on which topics are looked at.
        """
        rows = _positions("topic", self.topics, topics)
        columns = _positions("system", self.systems, systems)
        if depth is not None and depth < 1:
            raise IrvizError(f"`depth` must be at least 1; got {depth}.")
        return replace(
            self,
            topics=tuple(self.topics[i] for i in rows),
            systems=tuple(self.systems[i] for i in columns),
            ranking=np.ascontiguousarray(self.ranking[np.ix_(rows, columns)][:, :, :depth]),
            labels=np.ascontiguousarray(self.labels[rows]),
        )

    def with_labels(self, labels: NDArray[np.int16]) -> Collection:
        """The same rankings under other judgments, such as a reduced pool."""
        return replace(self, labels=labels)

    def save(self, path: str | Path) -> Path:
        """Write one ``.irviz`` file; opening it anywhere gives equal numbers and fingerprint."""
        return save(self, path)

    def details(self) -> dict[str, str]:
        return {**super().details(), "depth": str(self.depth), "fingerprint": self.fingerprint[:12]}

    def __repr__(self) -> str:
        return (
            f"<Collection {self.name!r}: {len(self.systems)} systems, {len(self.topics)} topics, "
            f"{len(self.aspects)} aspects, depth {self.depth}>"
        )


def _positions(what: str, names: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
    """Indices of `wanted` in `names`, in the order of `names`; all of them for None."""
    if wanted is None:
        return list(range(len(names)))
    asked = list(wanted)
    known = set(names)
    for name in asked:
        if name not in known:
            raise unknown(what, name, names)
    keep = set(asked)
    if not keep:
        raise IrvizError(f"No {what} is left. Choose at least one of the {len(names)}.")
    return [i for i, name in enumerate(names) if name in keep]
