"""Anything odd about runs and judgments, as findings with file and line; no number changes here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.judgments import Judgments, odd_rows
from irviz.collection.lines import Lines
from irviz.collection.names import almost_equal, code_points, natural_order, text_of
from irviz.collection.order import RunOrder, by_score
from irviz.errors import FileProblem, join_words

TIES_MATTER = "scores depend on the tie rule"  #: in a finding about ties of documents of different grades
#: of findings on scores: they may be wrong; tools differ about such files; none
EFFECTS = ("check the file", "a convention decides", "none")
_KEPT = "the better-ranked line"
_NO_MATTER = "their grades are the same, so no score depends on the tie rule"
_COMPARED = 5_000  # names of run and judgments that are written in other ways
_ONE_BY_ONE = 20  #: repeated documents a run may have before they are summed up in one finding


def run_findings(
    name: str, run: Lines, lines: Lines, judgments: Judgments, ties: str, in_single: RunOrder, codes: NDArray[np.int32]
) -> list[Finding]:
    """Everything about the run of a system but documents that are listed twice."""
    findings = list(run.findings)
    if len(run.tags) > 1:
        tags = join_words([text_of(tag) for tag, _ in run.tags], joiner="and")
        message = f"several tags in one run, which counts as one system, named by its file: {tags}"
        findings.append(Finding("note", run.file, run.line_of(run.tags[1][1]), message))
    names = topics_apart(run, judgments), documents_apart(name, lines, judgments, codes)
    scores = ranks_disagree(lines, ties), swapped_columns(lines), tied_scores(lines, judgments, in_single, codes)
    return [*findings, *chain(*names, *scores)]


def effect(finding: Finding) -> str:
    """The effect of a finding on scores, one of `EFFECTS`."""
    if finding.severity == "note":
        return EFFECTS[2]
    return EFFECTS[1 if TIES_MATTER in finding.message or _KEPT in finding.message else 0]


def topics_apart(run: Lines, judgments: Judgments) -> Iterator[Finding]:
    """Topics that only the run has, and topics that it lacks."""
    extra = [i for i, key in enumerate(run.topics) if key not in judgments.places]
    if extra:
        line = run.line_of(int(np.isin(run.topic, extra).argmax()))
        names = natural_order(text_of(run.topics[i]) for i in extra)
        alike = _almost_equal_topics(names, judgments.topics)
        what = f"topics without judgments, which are ignored: {len(extra):,}: {join_words(names, joiner='and')}{alike}"
        yield Finding("warning" if alike else "note", run.file, line, what)
    run_topics = set(run.topics)
    missing = [topic for topic, key in zip(judgments.topics, judgments.keys, strict=True) if key not in run_topics]
    if missing:
        alike = _almost_equal_topics(missing, map(text_of, run.topics))
        what = f"topics without a line, which score 0: {len(missing):,} of {len(judgments.topics):,}: "
        yield Finding("warning", run.file, None, f"{what}{join_words(missing, joiner='and')}{alike}")


def _almost_equal_topics(names: Sequence[str], others: Iterable[str]) -> str:
    alike = almost_equal([(0, name) for name in names[:_COMPARED]], ((0, name) for name in others))
    return f"; {alike}" if alike else ""


def documents_apart(name: str, lines: Lines, judgments: Judgments, codes: NDArray[np.int32]) -> Iterator[Finding]:
    """Lists without a judged document, and documents that differ from judged ones in characters one cannot see.

    Where most lists have judged documents, the others are a finding only if theirs are judged under other spellings.
    """
    topics = len(judgments.topics)
    listed, judged = np.zeros((2, topics), dtype=bool)
    listed[lines.topic] = True
    judged[lines.topic[codes >= 0]] = True
    alone = listed & ~judged
    if alone.any():
        rows = np.flatnonzero(alone[lines.topic])
        mostly = 2 * int(judged.sum()) < topics
        alike = _almost_equal_documents(rows, lines, judgments, _COMPARED if mostly else _COMPARED // 10)
        if mostly or alike:
            here, doc = int(lines.topic[rows[0]]), text_of(lines.docs[int(rows[0])].as_py())
            judged_here = judgments.docs.slice(int(judgments.counts[:here].sum()), min(1, int(judgments.counts[here])))
            what = f"topics without a judged document in the list: {int(alone.sum()):,} of {topics:,}, system {name}"
            such = f", the first document {doc}, judged {join_words(map(text_of, judged_here.to_pylist())) or 'none'}"
            yield Finding("warning", lines.file, lines.line(rows[0]), f"{what}{such}{alike}", f"{what}{alike}")
    unclear = odd_rows(lines.docs)
    if not len(unclear) and not len(judgments.odd):
        return
    odd = pc.is_in(lines.docs, value_set=judgments.odd).to_numpy(zero_copy_only=False).copy()
    odd[unclear] = True
    rows = np.flatnonzero(odd & (codes < 0) & ~alone[lines.topic])
    if len(rows) and (alike := _almost_equal_documents(rows, lines, judgments, _COMPARED)):
        what = f"documents without judgments that may look like others: {len(rows):,}{alike}"
        yield Finding("warning", lines.file, lines.line(rows[0]), what)


def _almost_equal_documents(rows: NDArray[np.intp], lines: Lines, judgments: Judgments, most: int) -> str:
    """How many names of some lines are judged under other spellings; of the first topics, up to `most` names."""
    lengths = np.bincount(lines.topic[rows], minlength=len(judgments.topics))
    sizes = np.where(lengths > 0, lengths + judgments.counts, 0)
    used = lines.topic[rows[:most]]
    used = used[(np.cumsum(sizes)[used] <= most) | (used == used[0])]
    names = map(text_of, lines.docs.take(pa.array(rows[: len(used)])).to_pylist())
    first = np.cumsum(judgments.counts) - judgments.counts
    pools = ((t, judgments.docs.slice(int(first[t]), int(judgments.counts[t]))) for t in np.unique(used).tolist())
    known = ((topic, text_of(doc)) for topic, pool in pools for doc in pool.to_pylist())
    alike = almost_equal(list(zip(used.tolist(), names, strict=True)), known)
    return f"; {alike}" if alike else ""


def ranks_disagree(lines: Lines, ties: str) -> Iterator[Finding]:
    """A document with a better rank but a lower score than another."""
    if lines.rank is None:
        return
    rows = np.arange(len(lines.topic))
    same = lines.topic[1:] == lines.topic[:-1]
    if (same & (lines.rank[1:] < lines.rank[:-1])).any():
        rows = np.lexsort((-lines.score, lines.rank, lines.topic))
    rank, score = lines.rank[rows], lines.score[rows]
    wrong = np.flatnonzero(same & (score[1:] > score[:-1]) & (rank[1:] > rank[:-1]))
    if not len(wrong):
        return
    topics = len(np.unique(lines.topic[wrong]))
    here, other = (f"rank {rank[i]:g} scores {score[i]:.9g}" for i in (wrong[0] + 1, wrong[0]))
    used = "the rank column decides" if ties == "rank" else "the rank column is ignored"
    message = f"topics where ranks and scores disagree: {topics:,}: here {here}, {other}; {used}"
    yield Finding("warning", lines.file, lines.line(rows[wrong[0] + 1]), message)


def swapped_columns(lines: Lines) -> Iterator[Finding]:
    """Scores that are ranks, beside ranks that fall as scores do."""
    if lines.rank is None or not len(lines.rank):
        return
    first = slice(int(np.searchsorted(lines.topic, lines.topic[0], side="right")))
    for part in (first, slice(None)):
        topic = lines.topic[part]
        if counts_up(topic, lines.rank[part]) or not counts_up(topic, lines.score[part]):
            return
    rows = np.lexsort((lines.score, lines.topic))
    steps = np.diff(lines.rank[rows])[np.diff(lines.topic[rows]) == 0]
    if len(steps) and steps.max() <= 0 and steps.min() < 0:
        what = "in every topic scores count up and ranks fall: rank and score may be swapped, which turns every list"
        yield Finding("warning", lines.file, lines.line(0), what)


def counts_up(topic: NDArray[np.integer], numbers: NDArray[np.float64]) -> bool:
    """True if the numbers of every topic are 1, 2, 3 …, or of every topic 0, 1, 2 …, in any order.

    >>> [counts_up(np.array([7, 5, 7]), np.array(numbers)) for numbers in ([2, 1, 1], [1, 1, 0])]
    [True, False]
    """
    rows = np.lexsort((numbers, topic))
    starts = np.flatnonzero(np.diff(topic[rows], prepend=-1))
    first = numbers[rows] - np.arange(len(rows)) + np.repeat(starts, np.diff(starts, append=len(rows)))
    return bool(first[0] in (0, 1) and (first == first[0]).all())


def tied_scores(lines: Lines, judgments: Judgments, in_single: RunOrder, codes: NDArray[np.int32]) -> Iterator[Finding]:
    """Scores that are equal, and scores that are equal only as C floats."""
    if not len(in_single.tied_places):
        return
    rows = in_single.rows[in_single.tied_places]
    group, score = in_single.group, lines.score[rows]
    exact = by_score(group, score)
    real = np.zeros(len(rows), dtype=bool)
    real[exact.rows[exact.tied_places]] = True
    level = np.maximum(judgments.labels.take(lines.topic[rows], codes[rows]), 0)
    differ = _different(level, group)
    alike = "the same score as a neighbour"
    close = "a score that differs from a neighbour's only beyond the 7th digit"
    for what, chosen in ((alike, real), (close, _different(score[:, None], group))):
        if chosen.any():
            matters = chosen & differ
            topics, graded = (len(np.unique(lines.topic[rows[mask]])) for mask in (chosen, matters))
            tied = rows[chosen]
            first = tied.min() if lines.rows is None else tied[lines.rows[tied].argmin()]
            matter = f"topics where their grades differ: {graded:,}, so {TIES_MATTER}" if graded else _NO_MATTER
            message = f"lines with {what}: {chosen.sum():,} (topics: {topics:,}); {matter}"
            yield Finding("warning" if graded else "note", lines.file, lines.line(first), message)


def repeated_documents(lines: Lines, repeats: NDArray[np.intp], originals: NDArray[np.intp]) -> Iterator[Finding]:
    """Lines dropped because the document stands higher in the same topic already."""
    order = np.argsort(repeats if lines.rows is None else lines.rows[repeats], kind="stable")
    repeats, originals, rest = repeats[order], originals[order], ""
    if len(repeats) > _ONE_BY_ONE:
        topics = len(np.unique(lines.topic[repeats]))
        rest = f"; such lines: {len(repeats):,} (topics: {topics:,})"
        repeats, originals = repeats[:1], originals[:1]
    for row, other in zip(repeats.tolist(), originals.tolist(), strict=True):
        topic, doc = text_of(lines.topics[lines.topic[row]]), text_of(lines.docs[row].as_py())
        again, what = "a document is listed again", f"topic {topic}; {_KEPT} {lines.line(other)} is kept{rest}"
        yield Finding("warning", lines.file, lines.line(row), f"{again}: {doc}, {what}", f"{again}: {what}")


def _different(values: NDArray, group: NDArray[np.intp]) -> NDArray[np.bool_]:
    """By member of a tie, whether members of it have different `values` (members × columns)."""
    starts = np.flatnonzero(np.append(True, np.diff(group) != 0))
    differ = np.minimum.reduceat(values, starts) < np.maximum.reduceat(values, starts)
    return np.any(differ, axis=1)[group]


# -- Judgments -------------------------------------------------------------------------------------


def odd_lines(lines: Lines, place: NDArray[np.intp]) -> Iterator[Finding]:
    """A warning where fields seem swapped, a note where a document has a grade twice; two grades are refused."""
    if _is_swapped(lines):
        same = f"every line judges the document {_doc(lines, 0)}, and the second fields differ"
        yield Finding("warning", lines.file, None, f"{same}: is that the document? {_SWAPPED}")
    order = np.argsort(place, kind="stable")
    again = np.flatnonzero(place[order][1:] == place[order][:-1])
    if not len(again):
        return
    first, second = order[again], order[again + 1]
    differ = (lines.values[first] != lines.values[second]).any(axis=1)
    if differ.any():
        earlier, later = (int(rows[differ][np.argmin(second[differ])]) for rows in (first, second))
        once = lines.line_of(earlier)
        what = f"document {_doc(lines, later)} of topic {_topic(lines, later)} is judged twice with different grades: "
        here, there = (" ".join(f"{grade:g}" for grade in lines.values[row]) for row in (later, earlier))
        advice = _SWAPPED if _is_swapped(lines) else "Keep one."
        if advice != _SWAPPED and lines.second(earlier) != lines.second(later):
            advice = "Keep one, or load intents, if the second field names them, by irviz.load_intents (--intents)."
        raise FileProblem(lines.file, lines.line_of(later), f"{what}{here} here, {there} on line {once}. {advice}")
    row, once = int(second.min()), lines.line_of(int(first[np.argmin(second)]))
    same, what = "a document is judged twice with the same grade", f"topic {_topic(lines, row)}, first on line {once}"
    what += f"; such lines: {len(again):,}"
    known = f"{same}: {_doc(lines, row)}, {what}", f"{same}: {what}"
    yield Finding("note", lines.file, lines.line_of(row), *known)


_SWAPPED = "Write topic, 0, document and grade."
_LOOKED_AT = 20  # lines that show whether all have one document


def _is_swapped(lines: Lines) -> bool:
    """True if all lines have one document, but different second fields."""
    docs = lines.docs.slice(0, _LOOKED_AT)
    second = {lines.second(i) for i in range(len(docs))}
    return len(second) > 1 and all(pc.count_distinct(some).as_py() == 1 for some in (docs, lines.docs))


def invisible(file: str, topics: tuple[str, ...], docs: pa.BinaryArray) -> Iterator[Finding]:
    """A warning about identifiers with characters that cannot be seen."""
    names = (*topics, *map(text_of, docs.take(pa.array(odd_rows(docs))).to_pylist()))
    odd = [name for name in names if code_points([name])]
    if odd:
        what = f"identifiers with characters that cannot be seen: {len(odd):,}: {code_points(odd)}"
        yield Finding("warning", file, None, what)


_WIDE_SCALE = 10  # from here on, 2^grade counts little but the best


def unusual_grades(aspect: str, lines: Lines, column: NDArray[np.float64]) -> Iterator[Finding]:
    """Warnings about scales of 0 to 100, and of fractions, which binary measures read otherwise."""
    best, least = column.max(), column.min(initial=1.0, where=column > 0)
    maps = "grades={…} maps them to others"
    if best >= _WIDE_SCALE:
        what = f"grades ({aspect}) reach {best:g}: binary measures take 1 for relevant (rel=…), and gains of 2^x make"
        where = lines.line_of(int(column.argmax()))
        yield Finding("warning", lines.file, where, f"{what} all but the best nearly 0; {maps}")
    if least < 1:
        what = f"the grade {least:g} ({aspect}) is below 1, which binary measures (rel=1) do not take for relevant"
        where = lines.line_of(int(np.argmax(column == least)))
        yield Finding("warning", lines.file, where, f"{what}; choose another rel, or {maps}")


def grades_apart(files: Sequence[Lines], names: Sequence[str], keys: tuple[bytes, ...], are: str) -> Iterator[Finding]:
    """A warning for every file that lacks topics; an error for judges who cannot be compared with the first one."""
    first = set(files[0].topics)
    shared = len(files) > 1 and len({lines.file for lines in files}) == 1
    for lines, name in zip(files, names, strict=False):
        topics = set(lines.topics)
        missing = [text_of(key) for key in keys if key not in topics]
        if missing:
            message = f"topics of the other {are} without a line: {len(missing):,} of {len(keys):,}"
            alike = almost_equal([(0, topic) for topic in missing], [(0, text_of(key)) for key in lines.topics])
            message += f"{f', {name}' * shared}: {join_words(missing, joiner='and')}{'; ' * bool(alike)}{alike}"
            yield Finding("warning", lines.file, None, message)
        if are == "judges" and not first & topics:
            message = f"no topic in common with {names[0]}, so these two judges cannot be compared: {name}"
            yield Finding("error", lines.file, None, message)


_COMPARED_JUDGED = 2_000  # documents that are written in other ways


def pools_apart(
    files: Sequence[Lines], names: Sequence[str], place: Sequence[NDArray[np.intp]], topic: NDArray[np.intp]
) -> Iterator[Finding]:
    """A warning for every file that has topics, but no judged document, in common with the first."""
    for lines, name, rows in zip(files[1:], names[1:], place[1:], strict=False):
        if np.isin(rows, place[0]).any() or not np.isin(topic[rows], topic[place[0]]).any():
            continue
        ours = [(int(topic[row]), _doc(lines, i)) for i, row in enumerate(rows[:_COMPARED_JUDGED].tolist())]
        theirs = np.flatnonzero(np.isin(topic[place[0]], [t for t, _ in ours])).tolist()
        alike = almost_equal(ours, ((int(topic[place[0][i]]), _doc(files[0], i)) for i in theirs))
        message = f"no judged document in common with {names[0]}: {name}{'; ' * bool(alike)}{alike}"
        yield Finding("warning", lines.file, None, message)


def without_relevant(
    file: str, topics: tuple[str, ...], best: NDArray[np.int16], aspects: Sequence[str]
) -> Iterator[Finding]:
    for aspect, levels in zip(aspects, best.T, strict=True):
        none = [topic for topic, level in zip(topics, levels, strict=True) if level <= 0]
        if none:
            message = f"topics without a document above grade 0 ({aspect}): {len(none):,} of {len(topics):,}: "
            yield Finding("note", file, None, message + join_words(none, joiner="and"))


def _doc(lines: Lines, row: int) -> str:
    return text_of(lines.docs[row].as_py())


def _topic(lines: Lines, row: int) -> str:
    return text_of(lines.topics[lines.topic[row]])
