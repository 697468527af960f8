"""A compiled test collection: lists, labels and their names.

``ranking[topic, system, rank]``
    index of the judged document at that rank within its topic; `UNJUDGED` for a document without a judgment, `BEYOND`
    past the end of the list.
``labels[topic, judged document, aspect]``
    grade level of the document: an index into ``grades[aspect]``.  `NEGATIVE` marks a grade below zero (worth nothing,
    and not judged for trec_eval's bpref), `ABSENT` a document not judged on that aspect, or padding.

Both read like arrays, and hold only the judged documents of each list and topic (`irviz.collection.ragged`).  No score
depends on what a collection may have beside them: identifiers, texts, what users said, judgments of further judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, TIE_RULES, UNJUDGED, Finding
from irviz.collection.documents import NO_INDEX, Documents
from irviz.collection.names import pseudonyms, text_of
from irviz.collection.people import Preferences, Satisfaction
from irviz.collection.ragged import Lists, Padded
from irviz.collection.saving import save
from irviz.display import Displayable
from irviz.errors import IrvizError, choose, join_words, number_of, unknown
from irviz.portable import digest
from irviz.workers import Progress

NO_GROUP = "(none)"  #: the group of a topic without one
SHORTEST_KEY = 16  #: bytes of a key of pseudonyms

#: attributes that no number depends on, but for the judges
_BESIDE = ("documents", "topic_texts", "groups", "satisfaction", "preferences", "jury", "judge", "again")
#: the files read under other tie rules, as long as somebody may ask for it
_READ_AGAIN: WeakKeyDictionary[Callable[..., Collection], dict[str, Collection]] = WeakKeyDictionary()
#: a collection's own topics, systems and ranks of these, as long as it is there
_BY_TIE_RULE: WeakKeyDictionary[Collection, dict[str, Collection]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Collection(Displayable):
    """Judged topics and ranked systems, compiled; :func:`irviz.load_collection` makes one.

    Attributes
    ----------
    name : str
        For people; not part of the fingerprint.
    topics, systems, aspects : tuple of str
        In natural order; aspects in order of importance.
    grades : tuple of tuple of float
        For every aspect the grade of each level, ascending from 0.
    ranking : Lists, topics × systems × depth
    labels : Padded, int16, topics × judged documents × aspects
        Arrays may be given for both.
    ties : str
        The tie rule of the rankings, a key of `TIE_RULES`.
    findings : tuple of Finding
        What is odd about the files; not part of the fingerprint.
    documents : Documents or None
        Identifiers and run-file scores, if they were kept.
    topic_texts : mapping of topic to text
    groups : mapping of topic to group
        Of every topic, ``"(none)"`` for one without a group; empty if no groups were given.
    satisfaction : Satisfaction or None
        How satisfied users were with the lists.
    preferences : Preferences or None
        Which of two systems or documents users preferred.
    jury : Collection or None
        With several judges, the same lists with all judgments: its aspects are the judges.
    judge : str or None
        With several judges, the one whose judgments these are.
    again : callable or None
        Reads the files again, given ``ties=``; None if they are not on disk.

    Notes
    -----
    Of the last eight only `jury` and `judge` are part of the fingerprint.  :func:`dataclasses.replace` drops all eight,
    which would not fit other rankings or labels; `attached` sets them.
    """

    name: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    aspects: tuple[str, ...]
    grades: tuple[tuple[float, ...], ...]
    ranking: Lists
    labels: Padded
    ties: str = "trec_eval"
    findings: tuple[Finding, ...] = ()
    documents: Documents | None = field(default=None, init=False, repr=False)
    topic_texts: Mapping[str, str] = field(default_factory=dict, init=False, repr=False)
    groups: Mapping[str, str] = field(default_factory=dict, init=False, repr=False)
    satisfaction: Satisfaction | None = field(default=None, init=False, repr=False)
    preferences: Preferences | None = field(default=None, init=False, repr=False)
    jury: Collection | None = field(default=None, init=False, repr=False)
    judge: str | None = field(default=None, init=False, repr=False)
    again: Callable[..., Collection] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranking", Lists.of(self.ranking))
        object.__setattr__(self, "labels", Padded.of(self.labels, ABSENT))
        topics, systems, _ = self.ranking.shape
        if (topics, systems) != (len(self.topics), len(self.systems)):
            named = f"{len(self.topics)} topics and {len(self.systems)} systems are named"
            raise IrvizError(f"ranking is {topics} topics × {systems} systems, but {named}.")
        if self.labels.shape[0] != topics or self.labels.shape[2] != len(self.aspects):
            raise IrvizError(f"labels {self.labels.shape} do not fit {topics} topics × {len(self.aspects)} aspects.")

    @property
    def depth(self) -> int:
        """The length of the longest list that is kept."""
        return int(self.ranking.shape[2])

    @property
    def nbytes(self) -> int:
        """Bytes in memory, with identifiers and all judges; arrays that are shared count once."""
        parts = (self,) if self.jury is None else (self, self.jury)
        arrays = {id(array): array.nbytes for part in parts for array in (part.ranking, part.labels)}
        document_bytes = sum(part.documents.nbytes for part in parts if part.documents is not None)
        answer_bytes = sum(answers.nbytes for answers in (self.satisfaction, self.preferences) if answers is not None)
        return sum(arrays.values()) + document_bytes + answer_bytes

    @cached_property
    def fingerprint(self) -> str:
        """Hex digest of all that numbers depend on: names, grades, rankings, judgments of all judges in any order."""
        if self.jury is None:
            return self.judge_fingerprint
        ordered = replace(self.jury).with_aspects(sorted(self.jury.aspects))
        return digest([self.judge_fingerprint, ordered.judge_fingerprint, self.judge])

    @cached_property
    def judge_fingerprint(self) -> str:
        """The fingerprint with the judgments of `judge` alone, on which scores depend; links, and files of format 2,
        name a collection of several judges by it."""
        names = [self.topics, self.systems, self.aspects, self.grades, self.depth, self.labels.shape]
        ties = () if self.ranking.tied is None else self.ranking.tied.blocks("<i4")
        return digest(names, self.ranking.blocks("<i4"), self.labels.blocks("<i2"), ties)

    @cached_property
    def identity(self) -> str:
        """Hex digest of all that a person sees: also name, findings, tie rule, identifiers, texts, what users said.

        Numbers may be shared by `fingerprint`; what shows names only by identity.
        """
        findings = [[f.severity, f.file, f.line, f.message] for f in self.findings]
        jury = None if self.jury is None else self.jury.identity
        documents = None if self.documents is None else self.documents.digest()
        texts = sorted(self.topic_texts.items())
        parts = [self.fingerprint, self.name, self.ties, findings, texts, jury, self.judge, documents]
        users = [None if answers is None else answers.packed() for answers in (self.satisfaction, self.preferences)]
        beside = [sorted(self.groups.items())] * bool(self.groups) + [users] * any(users)
        return digest([*parts, *beside])

    @property
    def has_users(self) -> bool:
        """True if users said how satisfied they were, or what they preferred."""
        return self.satisfaction is not None or self.preferences is not None

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges of the same lists; () where there is one set of judgments."""
        return () if self.jury is None else self.jury.aspects

    def by_judge(self, name: str) -> Collection:
        """The collection of the same runs and the qrels of the judge called `name` alone."""
        if self.jury is None:
            load = "load_collection({'people': file, 'machine': file}, runs, judges=True)"
            raise IrvizError(f"There is one set of judgments, so none is of `{name}`. Load several with {load}.")
        choose("judge", name, self.judges)
        return self.jury.seen_by(name).attached(**self._texts_and_users())

    def seen_by(self, judge: str, least: int = 0) -> Collection:
        """The collection of one judge of this jury alone, with labels of a width of at `least` that."""
        aspect = self.aspects.index(judge)
        whole, judged = self.labels, self.labels.values != ABSENT
        own, row = judged[:, aspect], whole.row
        counts = np.bincount(row[own], minlength=len(self.topics)).astype(np.int32)
        topics = np.flatnonzero(counts)
        alone = Padded(whole.values[own, aspect, None], counts[topics], ABSENT, max(int(counts.max(initial=0)), least))
        before = np.where(own, np.cumsum(own) - 1 - (np.cumsum(counts) - counts)[row], UNJUDGED)  # places of the judge
        column = np.arange(len(row)) - whole.starts[row]
        stays = bool((before[own] == column[own]).all() and (own == judged.any(axis=1)).all())
        lists = self.ranking.subset(topics)
        depth = max(1, int(lists.lengths.max(initial=0)))
        if not stays or (len(topics), depth) != (len(self.topics), self.depth):
            own_places, systems = replace(whole, values=before, nothing=UNJUDGED), len(self.systems)
            lists = lists.renumber(lambda at, document: own_places.take(topics[at // systems], document), depth)
        else:
            lists = self.ranking
        collection = replace(
            self,
            topics=tuple(self.topics[i] for i in topics),
            aspects=("relevance",),
            grades=(self.grades[aspect],),
            ranking=lists,
            labels=alone,
        )
        documents = None
        if self.documents is not None:
            kept_documents = self.documents.subset(topics.tolist(), list(range(len(self.systems))), collection.depth)
            here = row[own], column[own]
            pool = replace(alone, values=self.documents.pool.take(*here), nothing=NO_INDEX)
            below = self.documents.negative_grades
            if below is not None:
                below = replace(alone, values=below.take(*here)[:, [aspect]], nothing=0.0)
            documents = replace(kept_documents, pool=pool, negative_grades=below)
        return collection.attached(documents=documents, jury=self, judge=judge)

    def attached(self, **given: Any) -> Collection:
        """The same with new values of the given ones of its last eight attributes; None leaves one as it is."""
        assert given.keys() <= set(_BESIDE), given.keys()
        given = {name: value for name, value in given.items() if value is not None}
        beside = {name: given.get(name, getattr(self, name)) for name in _BESIDE}
        texts, group_of = beside["topic_texts"], beside["groups"]
        beside["topic_texts"] = {topic: texts[topic] for topic in self.topics if topic in texts}
        beside["groups"] = {topic: group_of.get(topic, NO_GROUP) for topic in self.topics} if group_of else {}
        collection = replace(self)
        for name, value in beside.items():
            object.__setattr__(collection, name, value)
        collection._keep_digests(self, given.keys().isdisjoint(("jury", "judge")))
        return collection

    def _texts_and_users(self) -> dict[str, Any]:
        """Texts, groups and what users said, as arguments of `attached`."""
        return {name: getattr(self, name) for name in _BESIDE[1:5]}

    def anonymous(self) -> Collection:
        """The same numbers and judges without name, findings, tie rule, identifiers, texts and users."""
        bare = replace(self, name="", findings=(), ties="trec_eval")
        if self.jury is not None:
            bare = bare.attached(jury=self.jury.anonymous(), judge=self.judge)
        bare._keep_digests(self)
        return bare

    def renamed(self, name: str | None = None, **given: Any) -> Collection:
        """The same with another name, other `findings`, or another name of its tie rule, `ties`."""
        given |= {} if name is None else {"name": name}
        collection = replace(self, **given)
        jury = None if self.jury is None else self.jury.renamed(**given)
        beside = {name: getattr(self, name) for name in _BESIDE}
        collection = collection.attached(**(beside | {"jury": jury}))
        collection._keep_digests(self)
        return collection

    def _keep_digests(self, other: Collection, same_judges: bool = True) -> None:
        """Take over the digests that were computed for `other`, which has the same arrays."""
        for name in ("judge_fingerprint", "fingerprint") if same_judges else ("judge_fingerprint",):
            if name in other.__dict__:
                self.__dict__[name] = other.__dict__[name]

    def list(self, topic: str | int, system: str | int) -> pd.DataFrame:
        """The list that `system` retrieved for `topic`, one row per rank.

        Returns
        -------
        DataFrame
            ``rank`` from 1; ``document`` and ``score``, None and NaN where they were not kept; a column of grades for
            every judge, or else for every aspect, NaN where the document was not judged.
        """
        jury, topic, system = self if self.jury is None else self.jury, str(topic), str(system)
        for what, name, names in (("topic", topic, jury.topics), ("system", system, jury.systems)):
            choose(what, name, names)
        at, documents = jury.topics.index(topic), jury.documents
        listed = jury.ranking[at, jury.systems.index(system)]
        listed = listed[listed != BEYOND]
        identifiers: Sequence[str | None] = [None] * len(listed)
        scores = np.full(len(listed), np.nan)
        if documents is not None:
            places = np.full(len(listed), NO_INDEX, dtype=np.int32)
            places[listed >= 0] = documents.pool[at][listed[listed >= 0]]
            first = min(documents.ranks, len(listed))
            places[:first] = documents.lists[at, jury.systems.index(system), :first]
            scores[:first] = documents.scores[at, jury.systems.index(system), :first]
            identifiers = documents.names(places)
        given = np.where(listed < 0, UNJUDGED, listed)  # the last, NaN, where a document was not judged
        tables = [np.append(jury.document_grades(a, at), np.nan)[given] for a in range(len(jury.aspects))]
        known = {"rank": np.arange(1, len(listed) + 1), "document": identifiers, "score": scores}
        grades = pd.DataFrame(dict(zip(jury.aspects, tables, strict=True)))
        return pd.concat([pd.DataFrame(known), grades], axis=1)

    def document_grades(self, aspect: int, topic: int | slice = slice(None)) -> NDArray[np.float64]:
        """Grades of judged documents on an aspect, of all topics or one, each given by its place; NaN where not judged.

        A grade below zero is −1 if the identifiers of documents were not kept.
        """
        labels = self.labels[topic, :, aspect]
        found = np.array(self.grades[aspect], dtype=np.float64)[np.maximum(labels, 0)]
        below = None if self.documents is None else self.documents.negative_grades
        found[labels == NEGATIVE] = -1.0 if below is None else below[topic, :, aspect][labels == NEGATIVE]
        found[labels == ABSENT] = np.nan
        return found

    def ratings(self, judge: str | None = None) -> pd.DataFrame:
        """The judgments of one of ``judges``, or if there are none of ``aspects``; by default the first.

        Returns
        -------
        DataFrame
            ``topic``, ``document`` and ``grade``, a row per judged document.

        Raises
        ------
        IrvizError
            If the identifiers of judged documents were not kept.
        """
        jury = self if self.jury is None else self.jury
        place = jury.aspect_index(judge)
        if jury.documents is None:
            why = "identifiers of documents were not kept. Load the files with documents='judged'."
            raise IrvizError(f"{self.name}: {why}")
        grades = jury.document_grades(place)
        topic, index = np.nonzero(~np.isnan(grades))
        identifiers = jury.documents.identifiers.take(pa.array(jury.documents.pool.take(topic, index)))
        names = [text_of(identifier) for identifier in identifiers.to_pylist()]
        topics = [jury.topics[i] for i in topic.tolist()]
        return pd.DataFrame({"topic": topics, "document": names, "grade": grades[topic, index]})

    def aspect_index(self, name: str | None) -> int:
        """Position of the aspect called `name`; None is the first."""
        if name is None:
            return 0
        return self.aspects.index(choose("aspect", name, self.aspects))

    def subset(
        self,
        topics: Iterable[str | int] | None = None,
        systems: Iterable[str | int] | None = None,
        depth: int | None = None,
    ) -> Collection:
        """The collection with fewer topics, fewer systems or shorter lists.

        All its levels of grades are kept, so that normalising by the highest does not depend on the choice of topics.
        """
        rows = _positions("topic", self.topics, topics)
        columns = _positions("system", self.systems, systems)
        if depth is not None and depth < 1:
            raise IrvizError(f"`depth` must be at least 1; got {depth}.")
        part = replace(
            self,
            topics=tuple(self.topics[i] for i in rows),
            systems=tuple(self.systems[i] for i in columns),
            ranking=self.ranking.subset(rows, columns, depth),
            labels=self.labels.subset(rows),
        )
        beside = self._texts_and_users()
        rated, chosen = self.satisfaction, self.preferences
        if rated is not None and (part.topics, part.systems) != (self.topics, self.systems):
            beside["satisfaction"] = rated.about(part.topics, part.systems)
        if chosen is not None and part.systems != self.systems and chosen.are_of(self.systems):
            chosen = chosen.between(part.systems)
        if chosen is not None and part.topics != self.topics:
            chosen = chosen.about(part.topics)
        beside["preferences"] = chosen
        chosen_names = (None if topics is None else part.topics, None if systems is None else part.systems)
        return part.attached(
            documents=None if self.documents is None else self.documents.subset(rows, columns, depth),
            **beside,
            jury=None if self.jury is None else self.jury.subset(*chosen_names, depth),
            judge=self.judge,
            again=self.again,
        )

    def under(self, ties: str, progress: Progress | None = None) -> Collection:
        """The same runs, topics and ranks under another tie rule; the first time, the files are read again."""
        if choose("tie rule", ties, tuple(TIE_RULES)) == self.ties:
            return self
        if self.again is None:
            what = f"{self.name or 'This collection'} was not read from files that can be read again"
            raise IrvizError(f"{what}: equal scores cannot be ordered by `{ties}`. Load the files with ties='{ties}'.")
        cached = _BY_TIE_RULE.setdefault(self, {})
        if ties in cached:  # the same object, so that what is known of its scores is found again
            return cached[ties]
        read = _READ_AGAIN.setdefault(self.again, {})
        if ties not in read:
            read[ties] = self.again(ties=ties, progress=progress)
        other = read[ties]
        if (other.topics, other.systems, other.depth) != (self.topics, self.systems, self.depth):
            other = other.subset(self.topics, self.systems, self.depth)
        if not np.array_equal(other.labels, self.labels):
            raise IrvizError(f"The judgments of {self.name} have changed since they were read. Load the files again.")
        cached[ties] = other.attached(satisfaction=self.satisfaction, preferences=self.preferences, groups=self.groups)
        return cached[ties]

    def in_one_order(self) -> Collection:
        """The collection with ties in trec_eval's order alone, in place of all orders."""
        return replace(self, ranking=replace(self.ranking, tied=None))

    def with_labels(self, labels: Padded | NDArray[np.int16]) -> Collection:
        """The same rankings under other judgments, such as a reduced pool."""
        relabelled = replace(self, labels=Padded.of(labels, ABSENT))
        return relabelled.attached(documents=self.documents, **self._texts_and_users())

    def with_aspects(self, order: Sequence[str]) -> Collection:
        """The same judgments with the aspects in another order of importance."""
        if sorted(order) != sorted(self.aspects):
            each, got = (join_words(names, joiner="and") for names in (self.aspects, order))
            raise IrvizError(f"The order must name each of the aspects {each} once; got {got}.")
        places = [self.aspects.index(name) for name in order]
        moved = replace(
            self,
            aspects=tuple(order),
            grades=tuple(self.grades[i] for i in places),
            labels=replace(self.labels, values=self.labels.values[:, places]),
        )
        documents = None if self.documents is None else self.documents.with_aspects(places)
        return moved.attached(documents=documents, **self._texts_and_users())

    def with_pseudonyms(self, key: str | bytes) -> Collection:
        """The same lists of systems called "System 01", "System 02", …, without findings, which name files.

        Keep the key, or the table of `pseudonyms`.  Who has the run files can still recognise a list by its ranks.

        Parameters
        ----------
        key : str or bytes, 16 bytes at least
            The same key gives the same systems the same pseudonyms; of other systems they are counted anew.
        """
        return self._rename_systems(self.pseudonyms(key))

    def pseudonyms(self, key: str | bytes) -> dict[str, str]:
        """System → its pseudonym under `key`; one of fewer than 16 bytes, which can be found by trying, is refused."""
        secret = key.encode() if isinstance(key, str) else key
        if len(secret) < SHORTEST_KEY:
            what = f"The key of pseudonyms has {len(secret)} bytes, which can be found by trying. Give at least"
            raise IrvizError(f"{what} {SHORTEST_KEY} random ones, such as secrets.token_hex().")
        return pseudonyms(self.systems, secret)

    def _rename_systems(self, names: Mapping[str, str]) -> Collection:
        """The same with its systems renamed, in the order of the new names."""
        order = sorted(range(len(self.systems)), key=lambda i: names[self.systems[i]])
        message = "systems have pseudonyms; findings about files are left out, as they name them"
        collection = replace(
            self,
            systems=tuple(names[self.systems[i]] for i in order),
            ranking=self.ranking.subset(slice(None), order),
            findings=(Finding("note", "pseudonyms", None, message),) if self.findings else (),
        )
        beside, all_topics = self._texts_and_users(), list(range(len(self.topics)))
        rated = None if self.satisfaction is None else self.satisfaction.about(self.topics, self.systems)
        if rated is not None and rated.systems is not None:
            rated = replace(rated, systems=tuple(names[system] for system in rated.systems))
        chosen = self.preferences
        if chosen is not None and chosen.are_of(self.systems):
            chosen = chosen.between(self.systems)
            if chosen is not None:
                a, b = (tuple(names[system] for system in side) for side in (chosen.a, chosen.b))
                chosen = replace(chosen, a=a, b=b)
        return collection.attached(
            documents=None if self.documents is None else self.documents.subset(all_topics, order, None),
            **(beside | {"satisfaction": rated, "preferences": chosen}),
            jury=None if self.jury is None else self.jury._rename_systems(names),
            judge=self.judge,
        )

    def save(self, path: str | Path, *, documents: bool = False, users: bool = False) -> Path:
        """The path of an ``.irviz`` file that is written; opened anywhere, it has equal numbers and fingerprint.

        Parameters
        ----------
        documents : bool
            Write identifiers, run-file scores and texts of topics; without, findings have no identifiers either.
        users : bool
            Write what users said: `satisfaction` and `preferences`.
        """
        return save(self, path, documents=documents, users=users)

    def details(self) -> dict[str, str]:
        return {**super().details(), "depth": str(self.depth), "fingerprint": self.fingerprint[:12]}

    def __repr__(self) -> str:
        size = f"{len(self.systems)} systems, {len(self.topics)} topics, {number_of(len(self.aspects), 'aspect')}"
        return f"<Collection {self.name!r}: {size}, depth {self.depth}>"


def places_of(what: str, names: Sequence[str], selection: Iterable[str | int]) -> list[int]:
    """Indices of `selection` in `names`, in its order; an unknown name, or none at all, is refused."""
    place, chosen = {name: i for i, name in enumerate(names)}, []
    for name in map(str, selection):
        if name not in place:
            raise unknown(what, name, names)
        chosen.append(place[name])
    if not chosen:
        raise IrvizError(f"No {what} is left. Choose at least one of the {len(names)}.")
    return chosen


def _positions(what: str, names: Sequence[str], selection: Iterable[str | int] | None) -> list[int]:
    """Indices of `selection` in `names`, in the order of `names`; all of them for None."""
    if selection is None:
        return list(range(len(names)))
    return sorted(set(places_of(what, names, [selection] if isinstance(selection, str) else selection)))


def condense_lists(lists: Lists, labels: NDArray[np.int16], aspect: int | None = None) -> Lists:
    """Condensed lists (Sakai 2007), topics × systems: without unjudged documents, as by ``trec_eval -J``.

    A document judged below zero is unjudged here; it must be judged on the aspect, or for None on any.

    >>> lists = Lists.of(np.array([[[-1, 3, -1, 1, 0, -2]]], dtype=np.int32))
    >>> condense_lists(lists, np.array([[[-1], [0], [0], [2]]], np.int16))[:].tolist()
    [[[3, 1, -2, -2, -2, -2]]]
    """
    graded: NDArray[np.bool_] = np.any(labels >= 0, axis=-1) if aspect is None else labels[..., aspect] >= 0
    row, _, document = lists.places
    return lists.condense(graded[row // max(lists.shape[1], 1), document])
