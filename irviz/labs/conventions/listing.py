"""A list with ties and unjudged documents, as a text: ``1,0,(u,2,0),1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists, Padded
from irviz.errors import IrvizError, number_of
from irviz.labs.lab import HIGHEST, DocumentList
from irviz.workspace.control import excerpt

UNKNOWN = -1  #: the grade of an unjudged document
TieGroups = tuple[tuple[int, ...], ...]
_SHAPE = re.compile(r"\((?:[0-9u](?:[ ,]+)?)+\)|[0-9u]")


@dataclass(frozen=True, kw_only=True)
class Listing(DocumentList):
    """The documents of one topic, best score first; those in brackets have the same score, ``u`` is unjudged."""

    default: TieGroups = ()
    top: int = 3
    longest: int = 12  #: documents
    keeps_grades: bool = True

    def read(self, text: str) -> TieGroups:
        parts = _SHAPE.findall(text)
        if not parts or re.sub(r"[ ,]", "", _SHAPE.sub("", text)):
            raise IrvizError(f"`{excerpt(text)}` is not a list such as 1,0,(u,2,0),1")
        return tuple(
            tuple(UNKNOWN if sign == "u" else int(sign) for sign in re.findall("[0-9u]", part)) for part in parts
        )

    def check(self, value: Sequence[Sequence[int]]) -> TieGroups:
        grades = [grade for group in value for grade in group]
        if not 1 <= len(grades) <= self.longest:
            raise IrvizError(f"it lists {number_of(len(grades), 'document')}; a list here has 1 to {self.longest}")
        if max(grades) > self.top:
            raise IrvizError(f"the grade {max(grades)} does not lie between 0 and {self.top}")
        return self.check_kept(tuple(tuple(group) for group in value))

    def format(self, value: TieGroups | str) -> str:
        """The list as a text; a text, as a click on a figure carries it, as it is."""
        return value if isinstance(value, str) else groups_text(value)


def groups_text(groups: TieGroups) -> str:
    """
    >>> groups_text(((1,), (0,), (-1, 2, 0), (1,)))
    '1,0,(u,2,0),1'
    """
    texts = [",".join("u" if grade == UNKNOWN else str(grade) for grade in group) for group in groups]
    return ",".join(f"({text})" if len(group) > 1 else text for text, group in zip(texts, groups, strict=True))


def names(groups: TieGroups) -> list[str]:
    """Names in the order of the file: a is the last of trec_eval's order, so that no click on a sign renames one."""
    order = order_by_rule(groups, "trec_eval")
    return [ascii_lowercase[len(order) - 1 - order.index(place)] for place in range(len(order))]


def regrade_texts(groups: TieGroups, top: int) -> list[str]:
    """For every document, the text of the list after a click: one grade higher, after the highest unjudged, then 0.

    >>> regrade_texts(((2,), (-1, 0)), top=2)
    ['u,(u,0)', '2,(0,0)', '2,(u,1)']
    """
    texts = []
    for g, group in enumerate(groups):
        for place, grade in enumerate(group):
            after = UNKNOWN if grade == top else grade + 1
            changed = (*group[:place], after, *group[place + 1 :])
            texts.append(groups_text((*groups[:g], changed, *groups[g + 1 :])))
    return texts


def clicks(groups: TieGroups) -> dict[str, str]:
    """By document, the text of the list after a click on it; where no grade is above 1, none gets there."""
    top = max(1, *(grade for group in groups for grade in group))
    return dict(zip(names(groups), regrade_texts(groups, HIGHEST if top > 1 else 1), strict=True))


def retie_texts(groups: TieGroups) -> list[str]:
    """For every gap of trec_eval's order, which stays, the list after a click: tied there, or no longer tied.

    >>> retie_texts(((1,), (0, 2)))
    ['(0,2,1)', '1,2,0']
    """
    texts = []
    for g, group in enumerate(groups):
        before, after = groups[:g], groups[g + 1 :]
        cuts = range(len(group) - 1, 0, -1)  # trec_eval goes from the last name to the first
        texts += [groups_text((*before, group[cut:], group[:cut], *after)) for cut in cuts]
        texts += [groups_text((*before, after[0] + group, *after[1:]))] if after else []
    return texts


def order_by_rule(groups: TieGroups, rule: str) -> list[int]:
    """Positions of the documents in the order of a tie rule; ascending identifiers are the order of the file."""
    start, order = 0, []
    for group in groups:
        places = list(range(start, start + len(group)))
        order += places if rule in ("file", "trec_eval_ascending") else places[::-1]
        start += len(group)
    return order


def in_printed_order(groups: TieGroups, shuffle: int = 0) -> list[tuple[str, int]]:
    """Names and grades of the documents as trec_eval orders them, or with tied ones shuffled by this seed.

    >>> in_printed_order(((1,), (0, 2)))
    [('c', 1), ('b', 2), ('a', 0)]
    """
    order = order_by_rule(groups, "trec_eval")
    if shuffle:
        draw, order = np.random.default_rng(shuffle), []
        for group in groups:
            order += [len(order) + int(i) for i in draw.permutation(len(group))]
    grades = [grade for group in groups for grade in group]
    named = names(groups)
    return [(named[i], grades[i]) for i in order]


def missing(groups: TieGroups, missed_grades: Sequence[int]) -> list[tuple[str, int]]:
    """The relevant documents that a list lacks, named by the letters after those of the list.

    >>> missing(((1,), (0, 2)), (1, 0, 2))
    [('d', 1), ('f', 2)]
    """
    used = sum(map(len, groups))
    return [(ascii_lowercase[(used + n) % 26], grade) for n, grade in enumerate(missed_grades) if grade > 0]


def listed_collection(
    groups: TieGroups, missed_grades: Sequence[int], unanswered_topics: int, order: Sequence[int]
) -> Collection:
    """A collection of one topic with this list and some topics without a list.

    Parameters
    ----------
    missed_grades : grades of judged documents that the list lacks
    unanswered_topics : number of further topics, with the same judgments and no list
    order : positions of the documents, best first
    """
    grades = [grade for group in groups for grade in group]
    judged = [i for i, grade in enumerate(grades) if grade != UNKNOWN]
    code = {position: n for n, position in enumerate(judged)}
    labels = np.array(
        [*(grades[i] for i in judged), *missed_grades] or [ABSENT], dtype=np.int16
    )  # an empty pool has a blank
    topics = 1 + unanswered_topics
    ranking = np.full((topics, 1, len(grades)), BEYOND, dtype=np.int32)
    ranking[0, 0] = [code.get(i, UNJUDGED) for i in order]
    return Collection(
        name="lab",
        topics=tuple(str(t + 1) for t in range(topics)),
        systems=("run",),
        aspects=("relevance",),
        grades=((0.0, 1.0, 2.0, 3.0),),
        ranking=Lists.of(ranking),
        labels=Padded.of(np.tile(labels, (topics, 1))[:, :, None], ABSENT),
    )


def group_numbers(groups: TieGroups, order: Sequence[int]) -> np.ndarray:
    """1 × 1 × ranks: which documents tie, as :func:`irviz.labs.conventions.tied.tie_bounds` takes it."""
    of_position = [g for g, group in enumerate(groups) for _ in group]
    return np.array([[[of_position[i] for i in order]]], dtype=np.int32)
