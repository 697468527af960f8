"""What the page says about one topic, in sentences computed from the lists."""

from __future__ import annotations

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import listed
from irviz.explore.topics.accounts import account, because, score_words
from irviz.explore.topics.lists import RankedList
from irviz.workspace.words import TIED, counted, verb


def losses(
    label: str, topic: str, sides: tuple[RankedList, RankedList], scores: tuple[float, float], of: str = ""
) -> str:
    """Which system loses how much to the other on a topic, and by which documents; `of` names the grades' aspect."""
    (one, other), (mine, theirs) = sides, scores
    if abs(mine - theirs) <= TIED:
        return f"`{one.name}` and `{other.name}` both score {score_words(mine)} by `{label}` on topic `{topic}`."
    behind, ahead = (one, other) if mine < theirs else (other, one)
    low, high = sorted(scores)
    start = f"`{behind.name}` loses {score_words(high - low)} of `{label}` to `{ahead.name}` on topic `{topic}`"
    return f"{start} ({score_words(low)} against {score_words(high)}){because(account(behind, ahead), of)}."


def against_ideal(label: str, side: RankedList, ideal: RankedList, of: str = "") -> str:
    """What a list loses to the judged documents in the order of their grades."""
    if side.parts is None or ideal.parts is None:
        return ""
    mine, best = (float(one.parts.attrs["score"]) for one in (side, ideal) if one.parts is not None)
    what = f"The ideal list, all judged documents by grade, scores {score_words(best)} by `{label}`"
    if abs(best - mine) <= TIED:
        return f"{what}, as does `{side.name}`."
    if mine > best:
        more = f"`{side.name}` scores more, {score_words(mine)}"
        return f"{what}; {more}: the order by grade is not the best for this measure."
    why = because(account(side, ideal), of)
    return f"{what}. Compared with it, `{side.name}` loses {score_words(best - mine)}{why}."


def alone(label: str, topic: str, side: RankedList, score: float) -> str:
    """What one system scores, where there is no other to compare it with."""
    return f"`{side.name}` scores {score_words(score)} by `{label}` on topic `{topic}`."


def judged_words(topic: str, pool: np.ndarray, of: str = "") -> tuple[str, ...]:
    """What is unusual about a topic's judgments."""
    known = pool[np.isfinite(pool)]
    if not len(known):
        return (f"No document of topic `{topic}` was judged.",)
    if known.max() <= 0:
        return (f"No judged document of topic `{topic}` has a {of}grade above 0.",)
    return ()


def list_words(c: Collection, sides: tuple[RankedList, ...], ranks: int, topic: str) -> tuple[str, ...]:
    """How to read the lists, and what is not known of them."""
    missing = [f"`{side.name}`" for side in sides if not len(side.index)]
    notes = [f"{listed(missing, joiner='and')} returned nothing for topic `{topic}`."] if missing else []
    unjudged = [told for side in sides if (told := _unjudged(side, ranks))]
    if unjudged:
        notes.append(f"{listed(unjudged, joiner='and')}.")
    known = [
        "A square is a judged document with its grade, darker for a higher one; a circle with ? was not judged",
        "a line joins the same document in both lists, thick where its grade is above 0" if len(sides) > 1 else "",
        "a bracket joins documents to which the run gave the same score",
        "documents of A are named at the left of their column, those of B at the right of theirs"
        if len(sides) > 1 and c.documents
        else "",
    ]
    notes.append("; ".join(part for part in known if part) + ".")
    return (*notes, *_unknown(c, ranks))


def _unjudged(side: RankedList, ranks: int) -> str:
    """How many of the documents that are drawn are unjudged; empty if all were judged."""
    first = min(ranks, len(side.index))
    count = int(np.isnan(side.grades[:first]).sum())
    if not count:
        return ""
    where = f"the first {first} documents" if first > 1 else "the first document"
    return f"{count} of {where} of `{side.name}` {verb(count, 'is', 'are')} unjudged"


def _unknown(c: Collection, ranks: int) -> tuple[str, ...]:
    """What was not kept of the documents."""
    if c.documents is None:
        return (
            "This collection holds no identifiers of documents, so the lists show grades, and lines join judged "
            "documents. Load its files on the Collection page to see the documents themselves.",
        )
    if c.documents.ranks < min(ranks, c.depth):
        kept = f"the first {counted(c.documents.ranks, 'rank')} of every list and " if c.documents.ranks else ""
        return (
            f"Identifiers are kept of {kept}all judged documents; others have none here, "
            "and where the runs' own scores were not kept, ties are not seen.",
        )
    return ()
