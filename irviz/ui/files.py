"""Roles of uploaded files: aspects or judges, in which order; and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from irviz.collection.codes import TIE_RULES
from irviz.collection.documents import DEFAULT_RANKS, documents_memory, ranks_kept
from irviz.collection.intents import Intents, holds_intents, load_intents
from irviz.collection.judges import Guess, aspects_or_judges, by_importance, overlap_of, part_names
from irviz.collection.load import load_collection, load_qrels
from irviz.collection.model import Collection
from irviz.collection.recognise import FoundFile
from irviz.collection.sources import Limits
from irviz.collection.tables import MOST_JUDGES, GradeMap, form_of, holds_both, written_grades
from irviz.errors import IrvizError, listed
from irviz.limits import MEMORY, OverMemory, limit
from irviz.server.limits import refusable
from irviz.ui.text import as_markdown, md_escape

Result = TypeVar("Result")
_DOCUMENTS: dict[int | str, str] = {
    DEFAULT_RANKS: f"of judged documents and of the first {DEFAULT_RANKS} ranks",
    "judged": "of judged documents",
    "all": "all",
    "none": "none",
}  #: whose identifiers are kept
#: files of what users said, by the argument of `load_collection`
USERS = {"satisfaction": "files of satisfaction", "preferences": "files of preferences"}
_LONGEST = 40  #: characters of the name of a judge or an aspect


def server_limits(charge: Callable[[int], None]) -> Limits:
    """Limits of this server on files; `charge` is told what they take while it grows."""
    return Limits(total_bytes=limit("IRVIZ_UNFOLD_MB") << 20, array_bytes=limit("IRVIZ_ARRAYS_MB") << 20, charge=charge)


class QrelsSummary(NamedTuple):
    """Size, overlap and judges of the files of judgments together."""

    shape: tuple[int, ...]  #: topics, judged documents of the topic with most of them, and files or columns
    overlap: float  #: share of the judged documents that all of them judge
    judges: tuple[str, ...]  #: of a table; one name, if there are no judges
    said: tuple[str, ...]  #: what irviz noticed about the ratings of tables, without a full stop
    intents: tuple[str, ...]  #: of topics, named by the second field of the qrels; none, if it names none


def ask_roles(
    found: list[FoundFile], kinds: dict[str, list[FoundFile]]
) -> tuple[Callable[..., Collection], int] | None:
    """Ask for the roles of files.

    Returns
    -------
    :func:`load_collection` of them with further arguments, and the number of runs; None, after a sentence that says
    why, as long as they make no collection.
    """
    guessed = kinds["qrels"] or [one for one in found if holds_both(one.data)][:1]
    if len(guessed) > MOST_JUDGES:
        raise IrvizError(
            f"{len(guessed):,} files of judgments were given; at most {MOST_JUDGES} are read together. Leave some out."
        )
    chosen = st.multiselect(
        "Judgments (qrels)",
        [one.file for one in found],
        default=[one.file for one in guessed],
        key="loading.qrels",
        max_selections=MOST_JUDGES,
        help="Files that are nothing else are read as runs. Several files are aspects of relevance, or several judges.",
    )
    qrels = [next(one for one in found if one.file == file) for file in chosen]
    beside = [one for kind in ("topics", "documents", *USERS) for one in kinds[kind]]
    runs = [one for one in found if (one.file not in chosen or holds_both(one.data)) and one not in beside]
    grades = _grades(qrels)
    named, judges = _named(qrels, grades) if len(qrels) > 1 else ({}, _several(qrels, grades))
    intents = len(qrels) == 1 and _intents(qrels, grades)
    options = _options(qrels, judges) | {"grades": grades}
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
    for kind, words in {"topics": "files of topics", **USERS}.items():
        if len(kinds[kind]) > 1:
            raise IrvizError(f"{len(kinds[kind])} {words} were given. Keep the one that belongs to these judgments.")
    given = [(one.file, one.data) for one in qrels]
    st.caption(_memory_words(qrels, len(runs), options, grades))
    options |= {kind: (kinds[kind][0].file, kinds[kind][0].data) for kind in ("topics", *USERS) if kinds[kind]}
    runs.sort(key=lambda one: -len(one.data))  # the longest lists, to which all others are padded, are known first
    listed_runs = [(one.file, one.data) for one in runs]
    if not intents:
        return partial(load_collection, named or given[0], listed_runs, **options), len(runs)

    def load(limits: Limits, **more: Any) -> Collection:
        return load_collection(load_intents(given[0], limits=limits), listed_runs, limits=limits, **options, **more)

    return load, len(runs)


def _grades(qrels: list[FoundFile]) -> GradeMap | None:
    """Ask for the grades of ratings in tables; None for the usual ones."""
    if not any(form_of(one.data) for one in qrels):
        return None
    text = st.text_input(
        "Grades of ratings",
        key="loading.grades",
        placeholder="E=3, S=2, C=1, I=0",
        max_chars=2000,
        help="Every rating with its grade. Left empty, numbers are grades, and usual texts have usual grades.",
    )
    return written_grades(text)


def _several(qrels: list[FoundFile], grades: GradeMap | None) -> bool:
    """True if the one file holds ratings of several judges; draw their names and the grades of their ratings."""
    if len(qrels) != 1:
        return False
    looked = _looked_into(qrels, grades)
    for sentence in looked.said:
        st.caption(as_markdown(f"{sentence}."))
    if len(looked.judges) < 2:
        return False
    names = listed((f"`{name}`" for name in looked.judges), joiner="and")
    st.caption(as_markdown(f"Ratings of {len(looked.judges)} judges: {names}."))
    return True


def _intents(qrels: list[FoundFile], grades: GradeMap | None) -> bool:
    """True if the one file holds judgments of intents; draw their names."""
    intents = _looked_into(qrels, grades).intents
    if intents:
        names = listed((f"`{name}`" for name in intents), joiner="and")
        words = f"Recognised as judgments of {len(intents)} intents, which the second field names: {names}. α-nDCG, "
        words += "ERR-IA, NRBP, StRecall and P-IA score them together; other measures look at one of them."
        st.caption(as_markdown(words))
    return bool(intents)


def _named(qrels: list[FoundFile], grades: GradeMap | None) -> tuple[dict[str, tuple[str, bytes]] | None, bool]:
    """The files by aspect or judge, the most important first (None until that is said), and whether they are judges."""
    guess = _guess(qrels, grades)
    kind = st.segmented_control(
        "These files are",
        ["aspects", "judges"],
        default="judges" if guess.judges else "aspects",
        key=f"loading.kind.{','.join(one.file for one in qrels)}",
        required=True,
        format_func={"aspects": "aspects of relevance", "judges": "judges of the same thing"}.__getitem__,
    )
    st.caption(as_markdown(f"Recognised as {'judges' if guess.judges else 'aspects'}, because {guess.reason}."))
    what = "Judge" if kind == "judges" else "Aspect"
    names = []
    guessed = part_names([one.name for one in qrels])
    with st.container(horizontal=True):
        for i, one in enumerate(qrels):
            label = f"{what} in {md_escape(one.file)}"
            names.append(st.text_input(label, guessed[i][:_LONGEST], key=f"loading.aspect.{i}", max_chars=_LONGEST))
    if len(set(names)) != len(names):
        raise IrvizError(f"Two {what.lower()}s have the same name. Give each a name of its own.")
    order = by_importance(names)
    sure = order.certain or kind == "judges"
    first = st.selectbox(
        f"Most important {what.lower()}",
        names,
        index=names.index(order.names[0]) if sure else None,
        key=f"loading.first.{','.join(names)}",
        placeholder="Choose one",
        help="Pages that look at one of them use this one; the others follow in the order of the list.",
    )
    if first is None:
        return None, False
    files = {name: (one.file, one.data) for name, one in zip(names, qrels, strict=True)}
    return {name: files[name] for name in [first, *(name for name in order.names if name != first)]}, kind == "judges"


def _guess(qrels: list[FoundFile], grades: GradeMap | None) -> Guess:
    """Aspects or judges: by the names, or where these say nothing by the documents."""
    names = [one.file for one in qrels]
    guess = aspects_or_judges(names)
    return guess if guess != aspects_or_judges([]) else aspects_or_judges(names, _looked_into(qrels, grades).overlap)


def _looked_into(qrels: list[FoundFile], grades: GradeMap | None) -> QrelsSummary:
    """Summarise the judgments before the runs are read; the same files are parsed once."""

    def looked_into() -> QrelsSummary:
        given: Any = {one.file: (one.file, one.data) for one in qrels}
        tables = {one.file for one in qrels if form_of(one.data)}
        if len(qrels) == 1:
            given = given[qrels[0].file]
        are = "judges" if len(qrels) == 1 and tables else "aspects"
        with MEMORY.during(("looking", id(qrels))) as charge:
            if len(qrels) == 1 and not tables and holds_intents(qrels[0].data):
                given = load_intents(given, limits=server_limits(charge))
            judged = load_qrels(given, None, server_limits(charge), are, grades)
        said = [one.message for one in judged.findings if one.file in tables and one.line is None]
        several = judged.aspects if are == "judges" else ()
        intents = judged.aspects if isinstance(given, Intents) else ()
        return QrelsSummary(judged.labels.shape, overlap_of(judged), several, tuple(dict.fromkeys(said)), intents)

    return once("loading.judged", (qrels, grades), looked_into)


def once(place: str, mark: object, work: Callable[[], Result]) -> Result:
    """What work on uploads came to, or why it was refused; done once for the same `mark`, and kept by the session."""
    kept = st.session_state.get(place)
    if kept is None or kept[0] != mark:
        st.session_state.pop(place, None)
        with refusable():
            try:
                kept = (mark, work(), None)
            except OverMemory:  # which may pass
                raise
            except IrvizError as problem:
                st.session_state[place] = (mark, None, str(problem))  # without its frames, which hold the files
                raise
        st.session_state[place] = kept
    if kept[2] is not None:
        raise IrvizError(kept[2])
    return kept[1]


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


def _memory_words(qrels: list[FoundFile], runs: int, options: dict[str, Any], grades: GradeMap | None) -> str:
    """Words for the memory that identifiers take at most, before the runs are read."""
    topics, documents, aspects = _looked_into(qrels, grades).shape
    ranks = ranks_kept(options["documents"], options["depth"])
    if ranks is None:
        return "No document identifier is kept, so *Topics* shows grades without names."
    most = documents_memory(topics, runs, ranks, documents, aspects=aspects)
    return f"Document identifiers take at most {max(1, round(most / 2**20)):,} MB of memory."


def _common_name(qrels: list[FoundFile]) -> str:
    return re.sub(r"\.(txt|csv|tsv|jsonl?)$", "", qrels[0].name) if qrels else "my collection"
