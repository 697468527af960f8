"""Several judges of one collection; and guesses whether files of judgments are aspects, judges or parts of one set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.judgments import Judgments, to_levels
from irviz.collection.model import Collection
from irviz.collection.ragged import Padded
from irviz.errors import IrvizError, join_words


def judged_grades(c: Collection) -> NDArray[np.float64]:
    """Grades of the jury, topics × judged documents × judges (or aspects); NaN where there is none."""
    jury = c if c.jury is None else c.jury
    return np.stack([jury.document_grades(a) for a in range(len(jury.aspects))], axis=2)


def levels_of(grades: NDArray[np.float64]) -> tuple[tuple[float, ...], NDArray[np.int16]]:
    """The grade of every level, and the level of every grade; NaN is `ABSENT`."""
    levels = (0.0, *np.unique(grades[grades > 0]).tolist())
    return levels, np.where(np.isnan(grades), ABSENT, to_levels(np.nan_to_num(grades), levels)).astype(np.int16)


def with_judge(c: Collection, name: str, grades: NDArray[np.float64]) -> Collection:
    """The same with one more judge; the selected judge is as before, or else the first aspect.

    `grades` are topics × judged documents of the jury, NaN where the new judge has judged nothing.
    """
    jury = c.attached() if c.jury is None else c.jury
    if name in jury.aspects:
        raise IrvizError(f"There is a judge `{name}` already. Choose another name.")
    if np.isnan(grades).all():
        raise IrvizError(f"`{name}` has judged nothing. Give grades for some of the documents.")
    levels, labels = levels_of(grades)
    larger = replace(
        jury,
        aspects=(*jury.aspects, name),
        grades=(*jury.grades, levels),
        labels=Padded.of(np.concatenate([jury.labels[:], labels[:, :, None]], axis=2), ABSENT),
    )
    documents = None if jury.documents is None else jury.documents.with_aspect(grades, len(jury.aspects))
    collection = larger.attached(documents=documents).seen_by(c.judge or jury.aspects[0])
    return collection.attached(topic_texts=c.topic_texts, satisfaction=c.satisfaction, preferences=c.preferences)


# -- Guesses ---------------------------------------------------------------------------------------

_MAIN = ("relevance", "relevant", "rel", "topicality", "topical", "usefulness")
_ASPECTS = _MAIN + tuple(
    """
    credibility credible trust trustworthiness correctness correct understandability readability
    quality reliability freshness novelty supportiveness aspect
""".split()
)
_JUDGES = tuple(
    """
    people human humans nist assessor assessors annotator annotators expert experts crowd judge judges machine
    llm gpt chatgpt llama umbrela exam gemini claude mistral qwen synthetic gold silver
""".split()
)
SAY_NOTHING = frozenset(
    """
    qrels qrel txt tsv csv test train dev processed preprocessed postprocessed final clean cleaned fixed converted
    judgments judgements judgment judgement labels label output results result
""".split()
)  #: parts of a file name that name neither a judge nor an aspect
_PARTS = re.compile(r"[^\W_]+")  #: words of a file name
_SAME = 0.95  #: of the judged documents; aspects are judged on the same ones


@dataclass(frozen=True)
class Guess:
    """A guess whether files of judgments hold aspects, judges, parts, intents or one set, with its reason."""

    kind: str
    reason: str


def aspects_or_judges(names: Sequence[str], overlap: float | None = None, apart: bool = False) -> Guess:
    """Whether files of these names hold aspects of relevance, judgments of several judges, or parts of one set.

    `overlap` is the share of judged documents that all files judge; `apart` is true if no topic is in two files.

    >>> aspects_or_judges(["qrels.relevance.gz", "qrels.trust.gz"])
    Guess(kind='aspects', reason='file names say relevance and trust')
    >>> aspects_or_judges(["qrels.nist.txt", "umbrela-gpt4.txt"]).reason
    'file names say nist, umbrela and gpt'
    >>> aspects_or_judges(["a", "b"], overlap=0.4).reason
    'only 40% of the judged documents are in all files, and aspects are judged on the same documents'
    """
    aspects, judges = _words(names, _ASPECTS), _words(names, _JUDGES)
    if judges and not aspects:
        return Guess("judges", f"file names say {join_words(judges, joiner='and')}")
    if aspects and not judges:
        return Guess("aspects", f"file names say {join_words(aspects, joiner='and')}")
    if apart:
        return Guess("parts", "no topic is in two of them")
    if overlap is not None and overlap < _SAME:
        few = f"only {overlap:.0%} of the judged documents are in all files"
        return Guess("judges", f"{few}, and aspects are judged on the same documents")
    if overlap is not None:
        return Guess("aspects", "the files judge the same documents, as files of aspects do")
    return Guess("aspects", "nothing in the names suggests judges")


def overlap_of(judgments: Judgments) -> tuple[float, bool]:
    """Share of judged documents that every aspect or judge has; and True if no topic is in two of them."""
    judged = judgments.labels.values != ABSENT
    share = float(judged.all(axis=1).sum() / judged.any(axis=1).sum())
    by_topic = replace(judgments.labels, values=judged, nothing=False).reduce(np.logical_or)
    return share, bool((by_topic.sum(axis=1) == 1).all())


def part_names(files: Sequence[str]) -> list[str]:
    """Names of the judges or aspects of several files: of each file name what distinguishes it.

    Left out is what says nothing (qrels, processed, …) and what all share; where that leaves nothing of one, or makes
    two equal, whole file names are used.

    >>> part_names(["qrels.nist.txt", "binary-llama3.2.txt", "umbrela-gpt4.processed.txt"])
    ['nist', 'binary-llama3.2', 'umbrela-gpt4']
    >>> part_names(["dl21_trust_qrels", "dl21_relevance_qrels"]), part_names(["qrels.txt", "test.qrels"])
    (['trust', 'relevance'], ['qrels.txt', 'test.qrels'])
    """
    words = [[word.casefold() for word in _PARTS.findall(file)] for file in files]
    shared = set.intersection(*map(set, words)) if len(files) > 1 else set()
    for silent in (SAY_NOTHING | shared, SAY_NOTHING):
        names = [_without_parts(file, silent) for file in files]
        if all(names) and len(set(names)) == len(names):
            return names
    return list(files)


def _without_parts(file: str, silent: Iterable[str]) -> str:
    """A file name without its `silent` parts."""
    groups: list[list[re.Match[str]]] = [[]]
    for part in _PARTS.finditer(file):
        if part.group().casefold() in silent:
            groups.append([])
        else:
            groups[-1].append(part)
    return "-".join(file[group[0].start() : group[-1].end()] for group in groups if group)


def by_importance(names: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Aspects in order of importance, and True if the first is certain to be the main one.

    The one that is called relevance comes first.  If none or several are, the order is as given and uncertain.

    >>> by_importance(["readability", "relevance"]), by_importance(["a", "b"])
    ((('relevance', 'readability'), True), (('a', 'b'), False))
    """
    main = [name for name in names if _words([name], _MAIN)]
    if len(names) > 1 and len(main) != 1:
        return tuple(names), False
    return (*main, *(name for name in names if name not in main)), True


def _words(names: Sequence[str], known_words: Sequence[str]) -> list[str]:
    """Words of the names that are among the known ones, in their order, each once."""
    words = [word for name in names for word in re.findall(r"[a-z]+", name.casefold())]
    return list(dict.fromkeys(word for word in words if word in known_words))
