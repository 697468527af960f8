"""From a link to its data: its texts taken apart, the data behind its key, the context they make.

The dashboard, a report, a snippet and the command line all come by here, so that a link
shows the same numbers wherever it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from irviz.collection.catalogue import bundled_collections, open_collection
from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.errors import IrvizError, join_words
from irviz.places import DATA
from irviz.stats.scores import Scores, load_scores
from irviz.workspace.context import DEFAULT_MEASURES, SIDEBAR_CONTROLS, Context, Dataset, data_key
from irviz.workspace.control import LONGEST_VALUE, Choice, Control, Text
from irviz.workspace.control import excerpt as quoted
from irviz.workspace.nugget_handles import all_nuggets
from irviz.workspace.page import Page
from irviz.workspace.store import Share, Store, scores_digest
from irviz.workspace.task import PARTS, PREDICTION
from irviz.workspace.view import Complaint, View, known_keys, settle

COLLECTION = Choice(
    name="collection",
    label="Collection",
    default="dl2021",
    help="Bundled collections come with irviz; load your own on the Collection page.",
)
BASELINE = Text(name="baseline", label="Baseline", most=LONGEST_VALUE)  #: a pinned view, drawn in grey
SHARE = Text(name="s", label="Share", most=22)  #: id of a share of this server
LINK_CONTROLS: tuple[Control, ...] = (COLLECTION, BASELINE, SHARE)  #: what any page's link may say beside its controls

SHARED_NAMES = frozenset(
    control.name for control in (*LINK_CONTROLS, *SIDEBAR_CONTROLS)
)  #: names that mean the same on every page

SCORES = "scores"  #: the name of score matrices in the key of their data
_MARK = 16  #: digits of a fingerprint in a key

#: ``opener(key, tie rule)`` gives the data behind a key, or says what is missing
Opener = Callable[[str, str], Dataset]


# -- links -----------------------------------------------------------------------------


def link_key(page: Page, name: str) -> str:
    """The key of a page's control in a link: its name, after the page's where the sidebar has one of that name."""
    return f"{page.name}.{name}" if name in SHARED_NAMES else name


def scopes(page: Page, texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str], list[Complaint]]:
    """The link's texts for every page, those for `page`, and a complaint for each unknown key."""
    names_by_key = {link_key(page, control.name): control.name for control in page.controls}
    names_by_key |= {part.name: part.name for part in (*PARTS, PREDICTION)}
    controls = [Control(name=key, label="") for key in (*SHARED_NAMES, *names_by_key)]
    known, complaints = known_keys(texts, controls)
    shared = {key: text for key, text in known.items() if key in SHARED_NAMES}
    return shared, {names_by_key[key]: text for key, text in known.items() if key in names_by_key}, complaints


def view_of_texts(page: Page, shared_texts: Mapping[str, str], own: Mapping[str, str]) -> View:
    """The view of these texts; :func:`scopes` takes them apart again."""
    return View(page.name, (*shared_texts.items(), *((link_key(page, name), text) for name, text in own.items())))


# -- data ------------------------------------------------------------------------------


def opened_collection(collection: Collection) -> Dataset:
    """A loaded collection as pages look at it."""
    return Dataset(data_key(collection), collection.name, collection)


def opened_scores(scores: Scores) -> Dataset:
    """Imported scores as pages look at them; their key holds a digest, so that a link knows them again."""
    shape = f"{len(scores.systems)}x{len(scores.topics)}"
    title = f"Scores of {join_words(scores.measures, most=3, joiner='and')}"
    return Dataset(f"{SCORES}~{shape}~{scores_digest(scores)[:_MARK]}", title, imported_scores=scores)


def opened_data(data: Collection | Scores) -> Dataset:
    """Either of them."""
    return opened_collection(data) if isinstance(data, Collection) else opened_scores(data)


#: folders of the bundled score matrices, by key; TREC DL 2021 is there as runs and judgments
_MATRICES = {f"dl{year}": f"trec-dl/{year}" for year in (2019, 2020, 2022, 2023)} | {
    name: f"trec-urbano/{name}" for name in ("trec7", "web2013")
}
MATRICES = {f"dl{year}": f"TREC DL {year}, scores" for year in (2019, 2020, 2022, 2023)} | {
    "trec7": "TREC-7 ad hoc, scores",
    "web2013": "TREC Web 2013, scores",
}
NUGGETS = {"nuggets": "Nuggets, simulated"}
SIMULATED_COLLECTIONS = ("adhoc", "multiaspect")
SEVERAL_SYSTEMS = ("dl2021", *MATRICES, *SIMULATED_COLLECTIONS)  #: bundled data that rank systems: real ones first


def bundled_titles() -> dict[str, str]:
    """Names and titles of all data that come with irviz: collections, then score matrices."""
    return {entry.name: entry.title for entry in bundled_collections()} | MATRICES | NUGGETS


@lru_cache(maxsize=8)
def bundled_scores(folder: str) -> Scores:
    """Score matrices of a folder in ``data``, such as ``trec-dl/2021``; the README there says where they are from."""
    files = sorted((DATA / folder).glob("*.csv.gz"))
    return load_scores({file.name.removesuffix(".csv.gz"): file for file in files})


@lru_cache(maxsize=12)
def opened_bundled(name: str, ties: str = "trec_eval") -> Dataset:
    """Bundled data as pages look at them, a collection under a tie rule; opened once for all sessions, read-only."""
    if name in MATRICES:
        return Dataset(name, MATRICES[name], imported_scores=bundled_scores(_MATRICES[name]))
    if name in NUGGETS:
        return Dataset(name, NUGGETS[name], imported_scores=all_nuggets(DATA / name / f"{name}.tsv"))
    entry = next(entry for entry in bundled_collections() if entry.name == name)
    rule = ties if ties in entry.rules else entry.rules[0]
    return Dataset(name, entry.title, open_collection(name, ties=rule), rules=entry.rules)


def in_place_of(context: Context, name: str) -> Context:
    """The context of a bundled collection in the place of the open one: with those of its measures that fit."""
    opened = opened_bundled(name)
    measures = DEFAULT_MEASURES if context.dataset.collection is None else context.measures
    substitute = replace(
        context, dataset=opened, measures=measures, topics=(), systems=(), highlight=(), depth=opened.depth
    )
    refused = substitute.refusals()
    return replace(substitute, measures=tuple(label for label in measures if label not in refused) or DEFAULT_MEASURES)


def find_data(key: str, datasets: Iterable[Dataset]) -> Dataset | None:
    """The data of a link's key among those given: with the key, or else its fingerprint; None if they are not there."""
    same = [dataset for dataset in datasets if dataset.key == key or ("~" in key and _mark(dataset.key) == _mark(key))]
    return min(same, key=lambda dataset: dataset.key != key, default=None)


def _mark(key: str) -> str:
    """The fingerprint in a key."""
    return key.rpartition("~")[2]


def library(datasets: Iterable[Dataset] = ()) -> Opener:
    """An opener of the bundled collections and of these data, by key, or by fingerprint under another name."""
    by_key = {dataset.key: dataset for dataset in datasets}

    def opener(key: str, ties: str) -> Dataset:
        if (dataset := find_data(key, by_key.values())) is not None:
            return dataset
        if key not in bundled_titles():
            raise IrvizError(missing_words(key))
        return opened_bundled(key, ties)

    return opener


def view_on_data(view: View, datasets: Sequence[Dataset]) -> View:
    """The view on the first of the data that are given, unless the view itself names data."""
    if not datasets or {COLLECTION.name, SHARE.name} & set(view.values):
        return view
    return View(view.page, ((COLLECTION.name, datasets[0].key), *view.items))


def missing_words(key: str) -> str:
    """The message for a link whose data are not here."""
    return (
        f"The link shows data that are not loaded here: `{quoted(key, 80)}` (name, systems x topics, fingerprint). "
        "Load their qrels (of all judges) and runs, or their scores, on the Collection page; the link then opens."
    )


def view_of_share(view: View, store: Callable[[], Store]) -> tuple[View, Share | None]:
    """The view with the share it names, if any; a link with more than a share's id takes only the data from it."""
    named = view.values.get(SHARE.name)
    if named is None:
        return view, None
    share = store().read(named)
    if len(view.items) > 1:
        return view, share
    if share.fingerprint is None and SHARE.name in share.view.values:
        lent = store().read(share.view.values[SHARE.name])
        share = replace(share, id=lent.id, fingerprint=lent.fingerprint, name=lent.name, ties=lent.ties)
    items = tuple((key, text) for key, text in share.view.items if key != SHARE.name)
    if share.fingerprint is not None:
        items += ((SHARE.name, share.id),)
    return View(share.view.page, items), share


# -- how it is looked at -----------------------------------------------------------------


def context_of(texts: Mapping[str, str], opener: Opener, page: Page) -> tuple[Context, list[Complaint]]:
    """The context that a link's texts mean for a page, without the measures that cannot be computed on its data."""
    ties = texts.get("ties", "trec_eval")
    opened = opener(texts.get(COLLECTION.name, COLLECTION.default), ties if ties in TIE_RULES else "trec_eval")
    values, complaints = settle(SIDEBAR_CONTROLS, texts, opened)
    context = Context.from_values(opened, values, "holes" in page.uses)
    refused = context.refusals()
    complaints += [Complaint("measures", f"`{name}` is left out: {why}") for name, why in refused.items()]
    return computable(context, refused), complaints


def computable(context: Context, refusals: Mapping[str, str]) -> Context:
    """The context with the measures that were not refused."""
    measures = tuple(name for name in context.measures if name not in refusals)
    if not measures:
        raise IrvizError(
            "None of the chosen measures can be computed on this collection. Choose others in the sidebar."
        )
    return context if measures == context.measures else replace(context, measures=measures)


# -- What this server was started with: data that everybody who reaches it sees first, kept in memory only

START_DATA: dict[str, Dataset] = {}  #: key → data; filled before the server answers, and never changed after


def first_look(texts: Mapping[str, str]) -> dict[str, str]:
    """The view of an address; an empty one means the data that the server was started with."""
    if texts or not START_DATA:
        return dict(texts)
    return {COLLECTION.name: next(iter(START_DATA))}
