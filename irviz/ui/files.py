"""Roles of uploaded files: aspects or judges, in which order; and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from irviz.collection.codes import TIE_RULES
from irviz.collection.documents import DEFAULT_RANKS, documents_memory, ranks_kept
from irviz.collection.judges import SAY_NOTHING, Guess, aspects_or_judges, by_importance, overlap_of, part_names
from irviz.collection.load import load_collection, load_qrels
from irviz.collection.model import Collection
from irviz.collection.recognise import FoundFile
from irviz.collection.sources import Limits
from irviz.collection.tables import MOST_JUDGES, GradeMap, form_of, holds_both, written_grades
from irviz.collection.trec import load_intents, second_fields
from irviz.errors import IrvizError, join_words
from irviz.limits import LOAD, limit
from irviz.ui.text import as_markdown, md_escape

Result = TypeVar("Result")
_DOCUMENTS: dict[int | str, str] = {
    DEFAULT_RANKS: f"of judged documents and of the first {DEFAULT_RANKS} ranks",
    "judged": "of judged documents",
    "all": "all",
    "none": "none",
}  #: whose identifiers are kept
_BESIDE = ("topics", "groups", "satisfaction", "preferences")  #: files beside judgments and runs: of these, one each
FILES = {
    "collection": ("saved collection", ""),
    "scores": ("file of scores", "files of scores"),
    "nuggets": ("file of nuggets", "files of nuggets"),
    "qrels": ("qrels file", ""),
    "run": ("run file", ""),
    "topics": ("file of topics", "files of topics"),
    "groups": ("file of groups of topics", "files of groups of topics"),
    "documents": ("file of documents, which no measure needs", "files of documents, which no measure needs"),
    "satisfaction": ("file of satisfaction", "files of satisfaction"),
    "preferences": ("file of preferences", "files of preferences"),
}  #: what a file of every kind is called, and several where that is more than an s
_LONGEST = 40  #: characters of the name of a judge or an aspect
KINDS = {
    "one": "one set of judgments",
    "parts": "parts of one set",
    "aspects": "aspects of relevance",
    "judges": "judges of the same thing",
    "intents": "intents of the topics",
}  #: what judgments can be
_INTENTS = " α-nDCG, ERR-IA, NRBP, StRecall and P-IA score them together; other measures look at one of them."
_FIRST_TOPIC = re.compile(rb'[\s{\[]*"?([^\s,;"]+)')  #: of a run


def server_limits() -> Limits:
    """Limits of this server on the files of a load."""
    most = limit(LOAD) << 20
    return Limits(total_bytes=most, array_bytes=most)


class QrelsSummary(NamedTuple):
    """Size, overlap and judges of the files of judgments together."""

    shape: tuple[int, ...]  #: topics, judged documents of the topic with most of them, and files or columns
    overlap: tuple[float, bool]  #: see `overlap_of`
    parts: tuple[str, ...]  #: the judges, aspects or intents
    remarks: tuple[str, ...]  #: what irviz noticed about the ratings of tables, without a full stop


def ask_roles(
    found_files: list[FoundFile], kinds: dict[str, list[FoundFile]]
) -> tuple[Callable[..., Collection], int] | None:
    """:func:`load_collection` of files whose roles are asked for, with further arguments, and the number of runs.

    None, after a sentence that says why, as long as they make no collection.
    """
    guessed = kinds["qrels"] or [upload for upload in found_files if holds_both(upload.data)]
    if len(guessed) > MOST_JUDGES:
        raise IrvizError(
            f"{len(guessed):,} files of judgments were given; at most {MOST_JUDGES} are read together. Leave some out."
        )
    needed = once("loading.answered", (guessed, kinds["run"]), partial(_qrels_of_runs, guessed, kinds["run"]))
    chosen = st.multiselect(
        "Judgments (qrels)",
        [upload.file for upload in found_files if upload.data],
        default=[upload.file for upload in needed],
        key="loading.qrels",
        max_selections=MOST_JUDGES,
        help="Several files are aspects of relevance, several judges, or parts of one set. All other files are runs.",
    )
    left_out = [upload for upload in guessed if upload not in needed and upload.file not in chosen]
    if left_out:
        names = join_words((f"`{upload.file}`" for upload in left_out), joiner="and")
        st.caption(as_markdown(f"Left out, because no run begins with one of their topics: {names}."))
    qrels = [next(upload for upload in found_files if upload.file == file) for file in chosen]
    if kinds["scores"]:
        names = join_words((f"`{upload.file}`" for upload in kinds["scores"]), joiner="and")
        st.caption(as_markdown(f"Left out, because scores are computed here: {names}."))
    beside = [*left_out, *(one for kind in ("scores", "nuggets", "documents", *_BESIDE) for one in kinds[kind])]
    runs = [
        upload
        for upload in found_files
        if not upload.problem and (upload.file not in chosen or holds_both(upload.data)) and upload not in beside
    ]
    grades = _grades(qrels)
    kind = _kind(qrels, grades) if qrels else "one"
    named = _ask_names(qrels, kind) if len(qrels) > 1 and kind != "parts" else {}
    options = _options(qrels, kind == "judges") | {"grades": grades}
    if not qrels or not runs:
        st.info(
            "Choose at least one file of judgments, and leave at least one run."
            if not qrels
            else "No run is left: add run files."
        )
        return None
    if named is None:
        st.info("Choose the most important aspect: pages that look at one aspect use it.")
        return None
    options |= one_of_each(kinds, *_BESIDE)
    topics, documents, aspects = _qrels_summary(qrels, grades, kind).shape
    if (ranks := ranks_kept(options["documents"], options["depth"])) is None:
        st.caption("No document identifier is kept, so *Topics* shows grades without names.")
    else:
        most = max(1, round(documents_memory(topics, len(runs), ranks, documents, aspects) / 2**20))
        st.caption(f"Document identifiers take at most {most:,} MB of memory.")
    runs.sort(key=lambda run: -len(run.data))  # the longest lists, to which all others are padded, are known first
    listed_runs = [(run.file, run.data) for run in runs]

    def load(limits: Limits, **more: Any) -> Collection:
        judged = named or _source(qrels, kind, limits)
        return load_collection(judged, listed_runs, limits=limits, **options, **more)

    return load, len(runs)


def one_of_each(kinds: dict[str, list[FoundFile]], *wanted: str) -> dict[str, tuple[str, bytes]]:
    """The file of each of some kinds; refused where there are several."""
    for what in wanted:
        if len(kinds[what]) > 1:
            several = f"{len(kinds[what])} {FILES[what][1]} were given"
            raise IrvizError(f"{several}. Keep the one that belongs to these data.")
    return {what: (kinds[what][0].file, kinds[what][0].data) for what in wanted if kinds[what]}


def _qrels_of_runs(qrels: list[FoundFile], runs: list[FoundFile]) -> list[FoundFile]:
    """Of several files of judgments, such as BEIR's train and test, those with a first topic of a run; or all."""
    first = {match[1] for run in runs if (match := _FIRST_TOPIC.match(run.data))}
    line = re.compile(rb'^"?(?:%s)[\s,;"]' % b"|".join(map(re.escape, sorted(first))), re.MULTILINE)
    names_tell = aspects_or_judges([upload.file for upload in qrels]) != aspects_or_judges([])
    return [upload for upload in qrels if first and not names_tell and line.search(upload.data)] or qrels


def _grades(qrels: list[FoundFile]) -> GradeMap | None:
    """Ask for the grades of ratings in tables; None for the usual ones."""
    if not any(form_of(upload.data) for upload in qrels):
        return None
    text = st.text_input(
        "Grades of ratings",
        key="loading.grades",
        placeholder="E=3, S=2, C=1, I=0",
        max_chars=2000,
        help="The grade of every rating. If empty, numbers are grades, and common words have their usual grades.",
    )
    return written_grades(text)


def _kind(qrels: list[FoundFile], grades: GradeMap | None) -> str:
    """Ask what the judgments are, where files can be read in several ways; a key of `KINDS`."""
    guess, kinds = once("loading.guess", (qrels, grades), partial(_guess, qrels, grades))
    kind: str = guess.kind
    if len(kinds) > 1:
        kind = st.segmented_control(
            "These files are" if len(qrels) > 1 else "This file holds",
            kinds,
            default=guess.kind,
            key=f"loading.kind.{','.join(upload.file for upload in qrels)}",
            required=True,
            format_func=KINDS.__getitem__,
        )
        st.caption(as_markdown(f"Recognised as {KINDS[guess.kind]}, because {guess.reason}."))
    looked = _qrels_summary(qrels, grades, kind)
    for sentence in looked.remarks:
        st.caption(as_markdown(f"{sentence[0].upper()}{sentence[1:]}."))
    if len(qrels) == 1 and len(looked.parts) > 1:
        names = join_words((f"`{name}`" for name in looked.parts), joiner="and")
        st.caption(as_markdown(f"{len(looked.parts)} {kind}: {names}.{_INTENTS if kind == 'intents' else ''}"))
    return kind


def _ask_names(qrels: list[FoundFile], kind: str) -> dict[str, tuple[str, bytes]] | None:
    """The files by aspect or judge, the most important first; None until that is said."""
    what = "Judge" if kind == "judges" else "Aspect"
    names = []
    guessed = part_names([upload.name for upload in qrels])
    with st.container(horizontal=True):
        for i, upload in enumerate(qrels):
            label = f"{what} in {md_escape(upload.file)}"
            names.append(st.text_input(label, guessed[i][:_LONGEST], key=f"loading.aspect.{i}", max_chars=_LONGEST))
    if len(set(names)) != len(names):
        raise IrvizError(f"Two {what.lower()}s have the same name. Give each a name of its own.")
    ordered, certain = by_importance(names)
    sure = certain or kind == "judges"
    first = st.selectbox(
        f"Most important {what.lower()}",
        names,
        index=names.index(ordered[0]) if sure else None,
        key=f"loading.first.{','.join(names)}",
        placeholder="Choose one",
        help="Pages that look at one of them use this one; the others follow in the order of the list.",
    )
    if first is None:
        return None
    files = {name: (upload.file, upload.data) for name, upload in zip(names, qrels, strict=True)}
    return {name: files[name] for name in [first, *(name for name in ordered if name != first)]}


def _guess(qrels: list[FoundFile], grades: GradeMap | None) -> tuple[Guess, list[str]]:
    """The guess at what the judgments are, by names and forms, else by content, and all kinds that they can be."""
    names = [upload.file for upload in qrels]
    if len(qrels) > 1:
        kinds = ["aspects", "judges", "parts"]
        if all(holds_both(upload.data) for upload in qrels):
            return Guess("parts", "each holds the ratings of its own results"), kinds
        guess = aspects_or_judges(names)
        if guess == aspects_or_judges([]):
            guess = aspects_or_judges(names, *_qrels_summary(qrels, grades, "aspects").overlap)
        return guess, kinds
    if form_of(qrels[0].data):
        several = len(_qrels_summary(qrels, grades, "one").parts) > 1
        return Guess("judges" if several else "one", ""), ["one"]
    values, repeated = second_fields(qrels[0].data)
    if values > 1:
        guess = Guess("one", f"no document is judged twice, though the second field has {values} values")
        if repeated:
            guess = Guess("intents", f"documents are judged for several of the {values} values of the second field")
        return guess, ["one", "aspects", "intents", "judges"]
    if len(_qrels_summary(qrels, grades, "one").parts) > 1:
        return Guess("aspects", "every line has several grades"), ["aspects", "judges"]
    return Guess("one", ""), ["one"]


def _source(qrels: list[FoundFile], kind: str, limits: Limits) -> Any:
    """The judgments as `load_collection` takes them."""
    files = [(upload.file, upload.data) for upload in qrels]
    if len(files) > 1:
        return files if kind == "parts" else {upload.file: file for upload, file in zip(qrels, files, strict=True)}
    if not _is_split(qrels, kind):
        return files[0]
    intents = load_intents(files[0], limits=limits)
    return intents if kind == "intents" else dict(intents)


def _is_split(qrels: list[FoundFile], kind: str) -> bool:
    """True if one file is taken apart by its second field."""
    alone = len(qrels) == 1 and kind in ("aspects", "intents", "judges")
    return alone and not form_of(qrels[0].data) and second_fields(qrels[0].data)[0] > 1


def _qrels_summary(qrels: list[FoundFile], grades: GradeMap | None, kind: str) -> QrelsSummary:
    """Summarise the judgments before the runs are read; the same files are parsed once."""

    def summarise() -> QrelsSummary:
        tables = {upload.file for upload in qrels if form_of(upload.data)}
        limits, are = server_limits(), "judges" if len(qrels) == 1 and tables else "aspects"
        judged = load_qrels(_source(qrels, kind, limits), None, limits, are, grades)
        messages = [finding.message for finding in judged.findings if finding.file in tables and finding.line is None]
        return QrelsSummary(judged.labels.shape, overlap_of(judged), judged.aspects, tuple(dict.fromkeys(messages)))

    return once("loading.judged", (qrels, grades, kind == "parts" or _is_split(qrels, kind)), summarise)


def once(place: str, mark: object, work: Callable[[], Result]) -> Result:
    """Result of work on uploads, or its refusal; computed once for the same `mark` and kept by the session."""
    cached = st.session_state.get(place)
    if cached is None or cached[0] != mark:
        st.session_state.pop(place, None)
        try:
            cached = (mark, work(), None)
        except IrvizError as problem:
            st.session_state[place] = (mark, None, str(problem))  # without its frames, which hold the files
            raise
        st.session_state[place] = cached
    if cached[2] is not None:
        raise IrvizError(cached[2])
    return cached[1]


def _options(qrels: list[FoundFile], judges: bool) -> dict[str, Any]:
    """Name, tie rule, depth, and whose identifiers are kept."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", value=_common_name(qrels), key="loading.name", max_chars=60)
        ties = st.selectbox(
            "Tie rule",
            list(TIE_RULES),
            format_func=TIE_RULES.__getitem__,
            key="loading.ties",
            help="The order of documents to which a run gives the same score.",
        )
        depth = st.number_input(
            "Ranking depth", 1, 100_000, 1000, key="loading.depth", help="The number of ranks kept of every list."
        )
        documents = st.selectbox(
            "Document identifiers kept",
            list(_DOCUMENTS),
            format_func=_DOCUMENTS.__getitem__,
            key="loading.documents",
            help="Identifiers are only for looking at lists. No score depends on them, and they take memory.",
        )
    return {
        "name": name or "my collection",
        "ties": ties,
        "depth": int(depth),
        "documents": documents,
        "judges": judges,
    }


def _common_name(qrels: list[FoundFile]) -> str:
    if not qrels:
        return "my collection"
    names = [re.sub(r"\.(txt|csv|tsv|jsonl?)$", "", upload.name) for upload in qrels]
    name, archive = names[0], qrels[0].file.partition("/")
    if len(names) > 1:  # the beginning that they share
        parts = zip(*(re.split(r"(?<=[._-])", stem) for stem in names), strict=False)
        name = "".join(same[0] for same in takewhile(lambda part: len(set(part)) == 1, parts)).rstrip("._-")
    if name and name not in SAY_NOTHING:
        return name
    return archive[0].partition(".")[0] if archive[1] else "my collection"
