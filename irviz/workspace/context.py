"""The basis of every page: the opened data and the choices of the sidebar."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from irviz.collection.codes import TIE_RULES
from irviz.collection.model import NO_GROUP, Collection
from irviz.errors import IrvizError, cut
from irviz.measures import measure
from irviz.measures.labels import measure_labels
from irviz.stats.aggregate import MEANS, SUMMARIES, aggregate
from irviz.stats.nuggets import nuggets_name
from irviz.stats.scores import Scores
from irviz.stats.sweep import USUAL
from irviz.stats.topic_effects import above_first_quartile, by_hardness, few_highly_relevant, level_counts
from irviz.workspace.cache import M, compute_once, remembered_by_measure, score_once
from irviz.workspace.control import Choice, Control, Measures, Names, Number
from irviz.workspace.controls import eps_control
from irviz.workspace.job import Job, present_job
from irviz.workspace.nugget_handles import NUGGET_HANDLES, USUAL_NUGGETS, are_nuggets
from irviz.workspace.topic_groups import LOADED, TOPIC_GROUPS, groupings, topics_of

# -- Which topics and systems a page looks at: filters that the papers use, for every page ---------

ALL = "all"
QUARTERS = {"easiest": 1, "hardest": 4}
_FEW = "few"  #: followed by the level that is rare
BEST = "best"
_TOP = "top"  #: followed by how many of the best
TOPS = (2, 5, 10, 20)
_FEWEST = 2  #: topics below which a filter is not offered

LazyScores = Callable[[], Any]  # the topics × systems scores that hardness and quality go by


def _topic_options(dataset: Any) -> dict[str, Any]:
    options = [(ALL, "all topics")]
    if len(dataset.topics) >= 4 * _FEWEST:
        options += [("hardest", "the hardest quarter"), ("easiest", "the easiest quarter")]
    if dataset.collection is not None:
        options += compute_once(_few_options, dataset.collection)
    return {"options": tuple(options)}


def _few_options(collection: Collection) -> list[tuple[str, str]]:
    """One option for every level above relevant that is rare on at least a few topics."""
    grades = collection.grades[0]
    options = []
    for level in list(level_counts(collection))[1:]:
        topics = few_highly_relevant(collection, level)
        if len(topics) >= _FEWEST:
            options.append((f"{_FEW}{level}", f"few documents of grade {grades[level]:g} ({len(topics)} topics)"))
    return options


WHICH_TOPICS = Choice(
    name="which",
    label="Which topics",
    help="The hardest quarter contains the topics with the most surprising best score, by (max − mean)/sd of AP or of "
    "the first measure of imported scores (Ravana & Moffat 2009, eq. 2). Few documents of a grade: topics with at "
    "least ten times as many documents of the lowest relevant grade (Ferrante et al. 2014, section 6).",
    options=((ALL, "all topics"),),
    default=ALL,
    from_context=_topic_options,
    shown_if=lambda values: not values["topics"] and not values["group"],
)


def _system_options(dataset: Any) -> dict[str, Any]:
    count = len(dataset.systems)
    options = [(ALL, "all systems")]
    if count >= 4:
        options.append((BEST, "without the lower quarter"))
    options += [(f"{_TOP}{k}", f"the best {k}") for k in TOPS if 2 * k <= count]
    return {"options": tuple(options)}


WHICH_SYSTEMS = Choice(
    name="systems",
    label="Which systems",
    help="Best by mean AP, or by the first measure of imported scores. The lower quarter can be left out, so that poor "
    "runs do not decide a comparison (Ferrante et al. 2014, section 6).",
    options=((ALL, "all systems"),),
    default=ALL,
    from_context=_system_options,
    shown_if=lambda values: not values["only"],
)


def kept_topics(which: str, whole: Collection | Scores, matrix: LazyScores) -> tuple[str, ...]:
    """The topics that the filter keeps."""
    if which in QUARTERS:
        return by_hardness(matrix(), QUARTERS[which])
    if which.startswith(_FEW) and isinstance(whole, Collection):
        return few_highly_relevant(whole, int(which.removeprefix(_FEW)))
    return whole.topics


def kept_systems(which: str, whole: Collection | Scores, matrix: LazyScores) -> tuple[str, ...]:
    """The systems that the filter keeps."""
    if which == BEST:
        return above_first_quartile(matrix())
    return best(matrix(), int(which.removeprefix(_TOP))) if which.startswith(_TOP) else whole.systems


def best(matrix: pd.DataFrame, k: int) -> tuple[str, ...]:
    """The `k` systems of the highest mean, in the order of the collection; of ties, the first ones."""
    means = aggregate(matrix.to_numpy(), "mean")
    positions = sorted(np.argsort(-means, kind="stable")[:k].tolist())
    return tuple(matrix.columns[i] for i in positions)


# --------------------------------------------------------------------------------------------------

Result = TypeVar("Result")
MOST_HIGHLIGHTED = 8  #: systems; lines of more could not be told apart
DEFAULT_MEASURES = USUAL
TRACKS = {"dl2021": 2.0}  #: bundled collection → the smallest grade that its track's binary measures count
#: bundled collection → its default measures, where binary ones count from the track's grade
OF_TRACKS = {"dl2021": ("AP(rel=2)", "nDCG@10", "P(rel=2)@10", "RBP(p=0.8)", "ERR@20", "Bpref(rel=2)")}


@dataclass(frozen=True, eq=False)
class Dataset:
    """Data that a person opened: a collection, or score matrices without one."""

    #: its name in a link: the name of a bundled collection, or name, size and fingerprint of one that was loaded
    key: str
    title: str  #: what a person calls it
    collection: Collection | None = None
    imported_scores: Scores | None = None
    rules: tuple[str, ...] = ()  #: tie rules it can be compiled with again; none where its files are not at hand

    def __post_init__(self) -> None:
        if (self.collection is None) == (self.imported_scores is None):
            raise IrvizError("Opened data are either a collection or imported scores.")

    @property
    def topics(self) -> tuple[str, ...]:
        return self.data.topics

    @property
    def systems(self) -> tuple[str, ...]:
        return self.data.systems

    @property
    def depth(self) -> int:
        return 1 if self.collection is None else self.collection.depth

    @property
    def nbytes(self) -> int:
        return self.data.nbytes if isinstance(self.data, Collection) else self.data.values.nbytes

    @property
    def data(self) -> Collection | Scores:
        """The collection, or the imported scores."""
        data = self.imported_scores if self.collection is None else self.collection
        assert data is not None  # one of them is, see __post_init__
        return data


def data_key(collection: Collection) -> str:
    """The key of a loaded collection in a link: enough to recognise it, and to say what is missing."""
    shape = f"{len(collection.systems)}x{len(collection.topics)}"
    return f"{collection.name}~{shape}~{collection.fingerprint[:16]}"


def _tie_options(dataset: Dataset) -> dict[str, Any]:
    words = {
        "trec_eval": "as trec_eval (up to 9)",
        "trec_eval10": "as trec_eval 10",
        "trec_eval_ascending": "document id ascending",
        "file": "order of the lines",
        "rank": "rank column",
        "expected": "mean over all orders",
    }
    default_rule = dataset.collection.ties if dataset.collection else "trec_eval"
    return {
        "options": tuple((rule, words[rule]) for rule in (dataset.rules or (default_rule,))),
        "default": default_rule,
    }


TIES = Choice(
    name="ties",
    label="Tie rule",
    help="The order of documents to which a run gives the same score. "
    + "; ".join(f"{rule}: {words}" for rule, words in TIE_RULES.items())
    + ".",
    from_context=_tie_options,
)
SIDEBAR_CONTROLS = (
    Measures(
        name="measures",
        label="Measures",
        default=DEFAULT_MEASURES,
        help="Every page compares these. Type an expression such as nDCG@20 and press Enter, or add one from the list.",
        from_context=lambda opened: {
            "imported_names": opened.imported_scores.measures if opened.imported_scores else (),
            "default": USUAL_NUGGETS
            if are_nuggets(opened.imported_scores)
            else OF_TRACKS.get(opened.key, DEFAULT_MEASURES),
        },
    ),
    *NUGGET_HANDLES,
    Choice(
        name="summary",
        label="Average over topics",
        help="How the scores of a system on the topics are combined into one number. The geometric and harmonic means "
        "add ε to every score and subtract it afterwards, so that a single zero does not make the mean zero.",
        options=tuple(SUMMARIES.items()),
        default="mean",
    ),
    eps_control(
        "eps",
        "ε",
        "The number added to every score before a geometric or harmonic mean, and subtracted afterwards. With "
        "trec_eval's threshold, scores below ε are replaced by ε.",
        None,
        shown_if=lambda values: values["summary"] not in ("mean", "median"),
    ),
    Number(
        name="depth",
        label="Ranking depth",
        help="Every ranking is cut here before it is scored.",
        low=1,
        whole=True,
        slider=False,
        step=10,
        from_context=lambda opened: {"high": opened.depth, "default": opened.depth},
    ),
    Names(
        name="topics",
        label="Only these topics",
        help="Leave empty for all topics.",
        from_context=lambda opened: {"options": opened.topics},
    ),
    WHICH_TOPICS,
    *TOPIC_GROUPS,
    Names(
        name="only",
        label="Only these systems",
        from_context=lambda opened: {"options": opened.systems},
        widget=False,  # a button beside the selection sets it
    ),
    WHICH_SYSTEMS,
    Names(
        name="highlight",
        label="Selected systems",
        help="They stand out in every figure. Click a system in a figure to select it, again to deselect it; "
        "Shift and drag selects several, Esc deselects all. The first two are A and B where two systems are compared.",
        empty="Click systems in any figure, or type",
        ordered=True,
        from_context=lambda opened: {"options": opened.systems},
    ),
    TIES,
)  #: the sidebar's choices about the opened data, the same on every page


#: whether topics with missing scores are looked at → what is made of them
_HOLES = {True: "Averages use every score, tests these topics only.", False: "Others are left out."}


@dataclass(frozen=True, eq=False)
class Context:
    """The opened data as the sidebar wants them looked at."""

    dataset: Dataset
    measures: tuple[str, ...] = DEFAULT_MEASURES  #: labels; only those that can be computed here
    #: topics and systems looked at; all where none is named
    topics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    highlight: tuple[str, ...] = ()  #: selected systems, in the order of the clicks
    depth: int = 1000
    #: how topics are averaged, for :func:`irviz.stats.aggregate`
    summary: str = "mean"
    eps: float | None = None
    grouping: str = LOADED  #: how topics are grouped, a way of `groupings`; "" for not at all
    independent: str = "topics"  #: "topics" or "groups": what tests draw and exchange
    #: whether topics are looked at on which some of imported scores are missing; systems without any never are
    holes: bool = False

    @classmethod
    def from_values(cls, dataset: Dataset, values: Mapping[str, Any], holes: bool = False) -> Context:
        """The context that the values of :data:`SIDEBAR_CONTROLS` mean."""
        summary = values["summary"]
        eps = values["eps"] if summary in MEANS and MEANS[summary].eps is not None else None
        depth = values["depth"]
        handled = [nuggets_name(values["partial"], values["okay"])] if are_nuggets(dataset.imported_scores) else []
        measures = tuple(dict.fromkeys((*handled, *values["measures"])))
        plain = cls(dataset, measures, depth=depth, summary=summary, eps=eps, holes=holes)
        data = dataset.data
        topics = values["topics"] or topics_of(data, values["group"])
        topics = topics or kept_topics(values["which"], data, plain.judging)
        systems = values["only"] or kept_systems(values["systems"], data, plain.judging)
        grouped = {"grouping": values["groups"], "independent": values["independent"]}
        return replace(plain, topics=topics, systems=systems, highlight=values["highlight"], **grouped)

    def __post_init__(self) -> None:
        topics, systems = self.topics or self.dataset.topics, self.systems or self.dataset.systems
        object.__setattr__(self, "systems", self._known(topics, systems))
        object.__setattr__(self, "topics", topics if self.holes else self._common(topics, self.systems))

    def _known(self, topics: tuple[str, ...], systems: tuple[str, ...]) -> tuple[str, ...]:
        """Of some systems, those that all measures looked at score on some of the topics; all, if there are none."""
        found = self._imported(topics, systems)
        if found is None:
            return systems
        counts = np.count_nonzero(~np.isnan(found.values), axis=1)
        return tuple(name for name, some in zip(systems, counts.T, strict=True) if some.all()) or systems

    def _common(self, topics: tuple[str, ...], systems: tuple[str, ...]) -> tuple[str, ...]:
        """Of some topics, those on which all scores of the systems are there; all, if there are none."""
        found = self._imported(topics, systems)
        return topics if found is None else found.common_topics or topics

    def _imported(self, topics: tuple[str, ...], systems: tuple[str, ...]) -> Scores | None:
        """Imported scores by the measures looked at, of which some are missing; None if there are no such."""
        imported = self.dataset.imported_scores
        if imported is None or not imported.has_missing:
            return None
        return imported.select([name for name in self.measures if name in imported], topics, systems)

    def judging(self) -> pd.DataFrame:
        """The topics × systems scores that filters go by: AP, or the first of imported measures."""
        if self.dataset.imported_scores is not None:
            return self.dataset.imported_scores[self.dataset.imported_scores.measures[0]]
        return score_once(self.whole, ("AP",))["AP"]

    @property
    def missing(self) -> tuple[str, ...]:
        """Notes on topics and systems without some scores; none where all are there."""
        topics, systems = self.dataset.topics, self.dataset.systems
        common, known = self._common(topics, self.systems), self._known(topics, systems)
        gone = [name for name in systems if name not in known] if self.systems == known else []
        notes = {
            f"Topics with a score of every system: {len(common):,} of {len(topics):,}. {_HOLES[self.holes]}": common
            != topics,
            f"Systems without a score by a measure, left out: `{cut(', '.join(gone))}`.": gone,
        }
        return tuple(note for note, there in notes.items() if there)

    @cached_property
    def two_best(self) -> tuple[str, str]:
        """The best system in play by the mean of AP, or of the first imported measure, and the best one below it."""
        means = aggregate(self.judging()[list(self.systems)].to_numpy(), "mean")
        order = np.argsort(-means, kind="stable")
        below = order[means[order] < means[order[0]]]
        second = below[0] if len(below) else order[min(1, len(order) - 1)]
        return self.systems[order[0]], self.systems[second]

    def label(self, measure: str) -> str:
        """The label of a measure among the chosen ones: its expression without what these have in common."""
        return self._labels.get(measure) or measure_labels((*self.measures, measure))[-1]

    @cached_property
    def _labels(self) -> dict[str, str]:
        return dict(zip(self.measures, measure_labels(self.measures), strict=True))

    @cached_property
    def groups(self) -> dict[str, str]:
        """Topic → group, of the topics looked at that have one; none where topics are in no, or in one, group."""
        known = compute_once(groupings, self.dataset.data).get(self.grouping, {})
        own = {topic: known[topic] for topic in self.topics if known.get(topic, NO_GROUP) != NO_GROUP}
        return own if len(set(own.values())) > 1 else {}

    @property
    def units(self) -> dict[str, str] | None:
        """The groups, where they and not topics are independent."""
        return self.groups or None if self.independent == "groups" else None

    @cached_property
    def pair(self) -> tuple[str, str]:
        """A and B: the first two selected systems in play, the best ones in the place of those not selected."""
        chosen = [name for name in self.highlight if name in self.systems]
        names = list(dict.fromkeys((*chosen, *self.two_best)))[:2]
        return names[0], names[-1]

    @property
    def average(self) -> str:
        """The words for the way topics are averaged."""
        return SUMMARIES[self.summary] if self.summary != "mean" else "mean"

    def highlighted_positions(self, systems: Sequence[str] | None = None) -> list[int]:
        """Positions, among the systems looked at or those given, of the first selected ones."""
        names, chosen = self.systems if systems is None else systems, self.highlight[:MOST_HIGHLIGHTED]
        return [i for i, name in enumerate(names) if name in chosen]

    @property
    def mark(self) -> tuple[object, ...]:
        """All that what a page shows under this context depends on."""
        content = "" if self.dataset.collection is None else self.dataset.collection.identity
        chosen = (getattr(self, one.name) for one in fields(self) if one.name != "dataset")
        return (self.dataset.key, self.dataset.title, content, *chosen)

    @cached_property
    def collection(self) -> Collection:
        """The collection after the filters and at the chosen depth."""
        whole = self.whole
        if (self.topics, self.systems) == (whole.topics, whole.systems):
            return whole
        topics = None if self.topics == whole.topics else self.topics  # other judges may have judged more of them
        return whole.subset(topics=topics, systems=self.systems)

    @cached_property
    def whole(self) -> Collection:
        """The collection at the chosen depth, with all topics and systems."""
        loaded = self.dataset.collection
        if loaded is None:
            raise IrvizError(
                f"Only scores are loaded ({self.dataset.title}), and this page needs the rankings and judgments "
                "behind them. Load the qrels and runs on the Collection page."
            )
        return loaded if self.depth >= loaded.depth else loaded.subset(depth=self.depth)

    def scores(self, measures: Sequence[str] | None = None) -> Scores:
        """The scores of the measures (by default all chosen ones) on the chosen topics."""
        names = tuple(self.measures if measures is None else measures)
        if not names:
            raise IrvizError("No measure is chosen. Add one in the sidebar.")
        topics = None if self.topics == self.dataset.topics else self.topics
        systems = None if self.systems == self.dataset.systems else self.systems
        if self.dataset.imported_scores is not None:
            selected = self.dataset.imported_scores.select(names, topics, systems)
            if self.holes and np.isnan(selected.values).all(axis=1).any():
                raise IrvizError(
                    f"Some systems have no score by {' or '.join(names)} on these topics. Choose the measure in the "
                    "sidebar: such systems are then left out."
                )
            if not self.holes and (lacking := len(self.topics) - len(selected.common().topics)) > 0:
                raise IrvizError(
                    f"{lacking:,} of {len(self.topics):,} topics lack a score by {' or '.join(names)}. Choose the "
                    "measure in the sidebar: such topics are then left out."
                )
            return selected
        return score_once(self.whole, names).select(topics=topics, systems=systems)

    def remember(self, function: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """``function(*arguments, **named)``, computed where nobody has asked for just that before."""
        return compute_once(function, *arguments, **named)

    def remember_by_measure(
        self, function: Callable[..., M], data: Scores | Collection, *arguments: Any, **named: Any
    ) -> M:
        """``function`` of scores, or of a collection and the measures, for new measures only; see `ByMeasure`."""
        names = data.measures if isinstance(data, Scores) else self.measures
        return remembered_by_measure(function, data, names, *arguments, **named)

    @property
    def progress(self) -> Job | None:
        """The present job, which long work tells how far it is; None where nobody looks at it."""
        return present_job()

    @property
    def texts(self) -> dict[str, str]:
        """Texts of a link to another page that shows the same data under the same choices."""
        opened, texts = self.dataset, {"collection": self.dataset.key}
        fitted: dict[str, Control] = {control.name: control.fit(opened) for control in SIDEBAR_CONTROLS}
        common, known = self._common(opened.topics, self.systems), self._known(opened.topics, opened.systems)
        chosen: dict[str, Any] = {
            "measures": self.measures,
            "summary": self.summary,
            "eps": self.eps,
            "topics": () if self.topics in (opened.topics, common) else self.topics,
            "only": () if self.systems in (opened.systems, known) else self.systems,
            "highlight": self.highlight,
            "groups": self.grouping if self.groups else "",
            "independent": self.independent if self.groups else "topics",
        }
        if opened.collection is not None:
            texts["depth"] = str(min(self.depth, opened.depth))  # data that were cut do not say how deep they were
            texts |= {} if opened.collection.ties == "trec_eval" else {"ties": opened.collection.ties}
        return texts | {
            name: fitted[name].format(value) for name, value in chosen.items() if value != fitted[name].default
        }

    def refusals(self) -> dict[str, str]:
        """The measures that cannot be computed on this data, with the sentence that says why."""
        if self.dataset.imported_scores is not None:
            return {}
        misfits = {name: compute_once(misfit, self.whole, name) for name in self.measures}
        return {name: why for name, why in misfits.items() if why}


def misfit(collection: Collection, name: str) -> str:
    """Why a measure cannot be computed on a collection; nothing where it can."""
    try:
        return str(measure(name).misfit(collection) or "")
    except IrvizError as error:
        return str(error)
