"""Do the published findings hold on a collection?  The claims of the table of papers, asked and answered."""

from __future__ import annotations

import json
from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from irviz import portable
from irviz.collection.model import Collection
from irviz.collection.people import Satisfaction
from irviz.display import Displayable
from irviz.errors import IrvizError
from irviz.gallery import CLAIMS
from irviz.gallery.paper import ITEMS, Answer, Evidence, PaperClaim, each
from irviz.gallery.tables import with_degrees
from irviz.places import DATA
from irviz.stats.aggregate import complete
from irviz.stats.scores import Scores
from irviz.workers import Listener, Progress, Workers, listener, run
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.data import opened_data
from irviz.workspace.phrases import TOLERANCE
from irviz.workspace.store import fingerprint_of
from irviz.workspace.view import View, settle

TRIALS, REPEATS = 2000, 3  #: splits, shuffles or resamples, and reductions of a pool
RESAMPLES = 20  #: of the topics, for the interval of an effect
LEAST_TOPICS = 6  #: an interval needs
TRIALS_LEFT, REPEATS_LEFT = 200, 1  #: draws on resampled topics
RESULTS_FILE = DATA / "findings" / "results.json"  #: computed once; see :func:`stored_findings`
NOISE = DATA / "findings" / "noise.csv"  #: how often each is seen on pure noise; `benchmarks.noise` writes it
ALL = tuple(CLAIMS)
NEEDS = {
    "scores": "scores by AP",
    "lists": "rankings and judgments",
    "grades": "judgments of at least three degrees",
    "aspects": "judgments of several aspects",
    "judges": "judgments by two judges or more",
    "satisfaction": "users' satisfaction with the lists",
}


class Result(NamedTuple):
    """The result of one claim on one collection."""

    number: int  #: place of the claim in the table, from 1
    seen: bool | None  #: None where it cannot be asked
    effect: float | None  #: by how much, in τ or as a share; below 0 where it is not seen. None for an identity
    low: float | None  #: ends of its 95% interval over topics; None if there is none
    high: float | None
    numbers: str  #: the numbers, or the reason why it cannot be asked

    @property
    def clear(self) -> bool:
        """An identity, or an effect whose interval does not contain 0."""
        return self.effect is None or (self.low is not None and self.high is not None and self.low * self.high > 0)


@dataclass(frozen=True, eq=False)
class Findings(Displayable):
    """The results of one collection, in the order of the claims.

    Attributes
    ----------
    name, title, fingerprint : str; name is its key in a link
    data : see :func:`sizes`
    results : of the claims that were asked
    """

    name: str
    title: str
    fingerprint: str
    data: Mapping[str, str]
    seed: int
    results: tuple[Result, ...]

    def frame(self) -> pd.DataFrame:
        """One row per claim.

        Columns: number, paper, finding, applicable, seen (True, False, None), numbers, printed, view (a link that
        shows it); then effect with the ends of its 95% interval, low and high; place, quote and condition.
        """
        rows = []
        for one in self.results:
            claim = CLAIMS[one.number]
            view = View.from_texts("findings", row=str(one.number), collection=self.name, seed=str(self.seed)).to_url()
            here = [one.seen is not None, one.seen, one.numbers, claim.printed, view, one.effect, one.low, one.high]
            rows.append([one.number, claim.cite, claim.text, *here, claim.place, claim.quote, claim.seen])
        types = {"seen": object, "applicable": bool} | dict.fromkeys(("effect", "low", "high"), float)
        return pd.DataFrame(rows, columns=COLUMNS).astype(types)

    def get(self, number: int) -> Result | None:
        """The result of a claim; None if it was not asked."""
        return next((result for result in self.results if result.number == number), None)


COLUMNS = ("number paper finding applicable seen numbers printed view effect low high place quote condition").split()


def findings(
    c: Collection | Scores,
    *,
    seed: int = 0,
    trials: int = TRIALS,
    repeats: int = REPEATS,
    numbers: Some[int] | None = None,
    workers: Workers = None,
    progress: Listener = None,
) -> Findings:
    """Ask every published finding of a collection.

    Parameters
    ----------
    c : Collection or Scores
        Of scores alone only claims about scores can be asked, and only if AP is among the measures. Of several aspects
        the first is used, except by the claims about several aspects.
    seed : int
    trials, repeats : int
        Splits, shuffles or resamples; reductions of a pool.
    numbers : collection of int, optional
        Which findings, such as 1, 5 and 27; by default all.
    workers : see :func:`irviz.workers.run`
    progress : callable, or True for a bar, optional
        Told the share done and the table or figure that was recomputed.

    Returns
    -------
    Findings
        With ``frame()``. A claim that cannot be asked of these data has ``applicable`` False, ``seen`` None and the
        reason in ``numbers``.

    Raises
    ------
    IrvizError
        If `c` is neither a collection nor scores, or a number is no claim's.

    Notes
    -----
    A claim is *seen* if its condition is true, however small the effect; where the condition has no case, as where no
    pair is separated, it is not applicable. The effect is the smallest slack of the condition's inequalities; a
    tolerance counts only where it is exceeded. The interval is the effect ± the standard deviation over 20 bootstrap
    samples of topics, times the 97.5% point of Student's t with 19 degrees of freedom. On simulated collections of 24
    systems and 40 topics it was between 0.8 and 1.6 times as wide as the spread of the effect over new topics asks for
    (median over claims 1.2). It is no test of a family of claims. Sources are in the table; see ``frame()``.
    """
    if not isinstance(c, Collection | Scores):
        raise IrvizError(f"Findings are asked of a collection or of scores; got {type(c).__name__}.")
    wanted = ALL if numbers is None else tuple(sorted(set(numbers)))
    if unknown := [number for number in wanted if number not in CLAIMS]:
        raise IrvizError(f"There is no finding {unknown[0]!r}. They are numbered from 1 to {len(CLAIMS)}.")
    c = complete(c) if isinstance(c, Scores) else c
    results = answer_claims(c, wanted, trials, repeats, seed, workers=workers, progress=listener(progress))
    opened, known = opened_data(c), fingerprint_of(c)
    name = next((one.name for one in stored_findings() if one.fingerprint == known), "") or opened.key
    return Findings(name, opened.title, known, sizes(c), seed, results)


def pieces(claim_numbers: Iterable[int]) -> list[tuple[int, ...]]:
    """The numbers of claims, those together that share a table or figure."""
    found: dict[str, list[int]] = {}
    for number in claim_numbers:
        items = CLAIMS[number].items or (CLAIMS[number].text,)
        piece = next((found[item] for item in items if item in found), [])
        piece.append(number)
        found |= dict.fromkeys(items, piece)
    return list(dict.fromkeys(map(tuple, found.values())))


def answer_claims(
    data: Collection | Scores,
    claim_numbers: tuple[int, ...],
    trials: int = TRIALS,
    repeats: int = REPEATS,
    seed: int = 0,
    workers: Workers = None,
    progress: Progress | None = None,
) -> tuple[Result, ...]:
    """Results of the claims of these numbers, asked of the data, and of bootstrap samples of the topics."""
    results: list[Result] = []
    parts = pieces(claim_numbers)
    for done, numbers in enumerate(parts):
        claim = CLAIMS[numbers[0]]
        words = ", ".join([claim.cite, *(ITEMS[item].name for item in claim.items[:1])])
        if progress is not None:
            progress(done / len(parts), words)
        answers = answers_on(data, numbers, trials, repeats, seed)
        asked = [n for n, a in answers.items() if isinstance(a, tuple) and not CLAIMS[n].exact]
        again = run(
            partial(answers_on, data, asked, min(trials, TRIALS_LEFT), REPEATS_LEFT, seed),
            _samples(len(data.topics), seed) if asked else [],
            workers,
            None if progress is None else partial(_tell, progress, done, len(parts), words),
        )
        results += [_result(n, a, [part.get(n, "") for part in again]) for n, a in answers.items()]
    return tuple(sorted(results))


def _tell(progress: Progress, done: int, count: int, words: str, share: float, _: str) -> object:
    return progress((done + share) / count, words)


def answers_on(
    data: Collection | Scores,
    numbers: Iterable[int],
    trials: int = TRIALS,
    repeats: int = REPEATS,
    seed: int = 0,
    rows: NDArray[np.int64] | None = None,
) -> dict[int, Answer | str]:
    """By number, the answer to a claim, or why it cannot be asked; of the topics at some places, or of all."""
    on = evidence_on(data if rows is None else with_topics(data, rows), trials, repeats, seed)
    answers: dict[int, Answer | str] = {}
    for number in numbers:
        claim = CLAIMS[number]
        try:
            check(claim, on.context)
            answers[number] = answer = claim.ask(on)
            if not np.isfinite(answer[0]):
                raise IrvizError("Its numbers are undefined here, because systems tie.")
        except IrvizError as refusal:
            answers[number] = str(refusal)
    return answers


def evidence_on(data: Collection | Scores, trials: int, repeats: int, seed: int) -> Evidence:
    """All of some data."""
    opened = opened_data(data)
    return Evidence(Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0]), trials, repeats, seed)


def _samples(count: int, seed: int) -> list[NDArray[np.int64]]:
    """Places of the topics in bootstrap samples; none where there are too few."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return [np.sort(generator.integers(0, count, count)) for _ in range(RESAMPLES if count >= LEAST_TOPICS else 0)]


def with_topics(data: Collection | Scores, rows: NDArray[np.int64]) -> Collection | Scores:
    """The data with the topics at these places, some several times, each with its own name."""
    names = tuple(f"{data.topics[row]}~{place}" for place, row in enumerate(rows.tolist()))
    if isinstance(data, Scores):
        exact = {name: integers.take(rows, axis=0) for name, integers in data.exact.items()}
        return Scores(data.values.take(rows, axis=1), data.measures, names, data.systems, exact)
    return _collection_with(data, rows, names)


def _collection_with(c: Collection, rows: NDArray[np.int64], names: tuple[str, ...]) -> Collection:
    part = replace(c, topics=names, ranking=c.ranking.subset(rows), labels=c.labels.subset(rows))
    of_topic = [c.topics[row] for row in rows.tolist()]
    rated, jury = c.satisfaction, c.jury
    if rated is not None:
        by_topic = pd.Series(range(len(rated))).groupby(np.array(rated.topics)).indices
        pairs = [(name, i) for name, topic in zip(names, of_topic, strict=True) for i in by_topic.get(topic, ())]
        places = [i for _, i in pairs]
        systems = None if rated.systems is None else tuple(rated.systems[i] for i in places)
        rated = Satisfaction(tuple(name for name, _ in pairs), systems, rated.values[places])
    if jury is not None:
        place = {topic: i for i, topic in enumerate(jury.topics)}
        jury = _collection_with(jury, np.array([place[topic] for topic in of_topic]), names)
    return part.attached(satisfaction=rated, jury=jury, judge=c.judge)


def _result(number: int, answer: Answer | str, again: list[Answer | str]) -> Result:
    if isinstance(answer, str):
        return Result(number, None, None, None, None, answer)
    effect, numbers, seen = answer
    claim = CLAIMS[number]
    words = f"{claim.unit}: {each(numbers, claim.digits)}."
    if claim.exact:
        return Result(number, bool(seen), None, None, None, words)
    low, high = _interval(float(effect), [part[0] if isinstance(part, tuple) else np.nan for part in again])
    return Result(number, bool(seen), round(float(effect), 6) + 0.0, low, high, words)


def _interval(effect: float, resampled: list[float]) -> tuple[float | None, float | None]:
    """95% around the effect; nothing where one of the effects on resampled topics is missing, or all are the same."""
    if not resampled or not np.isfinite(resampled).all() or max(resampled) - min(resampled) <= TOLERANCE:
        return None, None
    off, degrees = np.array(resampled) - portable.mean(np.array(resampled)), len(resampled) - 1
    half = float(stdtrit(degrees, 0.975) * np.sqrt(portable.total(off**2) / degrees))
    return round(effect - half, 6), round(effect + half, 6)


def check(claim: PaperClaim, context: Context) -> None:
    """Refuse data that the claim cannot be asked of."""
    loaded, imported = context.dataset.collection, context.dataset.imported_scores
    if loaded is None and claim.needs != "scores":
        raise IrvizError(f"It needs {NEEDS[claim.needs]}; these are scores alone.")
    if len(context.systems) < claim.least:
        raise IrvizError(f"It compares rankings of systems, and needs at least {claim.least}.")
    if len(context.topics) < 2:
        raise IrvizError("It compares topics, and there is only one.")
    if claim.needs == "grades":
        with_degrees(context.collection, 3)
    had = {
        "scores": imported is None or "AP" in imported.measures,
        "judges": loaded is None or len(loaded.judges) > 1,
        "satisfaction": loaded is None or loaded.satisfaction,
    }
    if not had.get(claim.needs, True):
        raise IrvizError(f"It needs {NEEDS[claim.needs]}.")


def sizes(data: Collection | Scores) -> dict[str, str]:
    """By aspect its lowest and highest grade, or the measures of score matrices; numbers of systems and topics."""
    known = {"score matrices": ", ".join(data.measures)} if isinstance(data, Scores) else {}
    if isinstance(data, Collection):
        known = {name: f"{of[0]:g}–{of[-1]:g}" for name, of in zip(data.aspects, data.grades, strict=True)}
    return known | {"systems": f"{len(data.systems):,}", "topics": f"{len(data.topics):,}"}


@cache
def stored_findings() -> tuple[Findings, ...]:
    """Findings on the collections of the atlas, computed with seed 0 by ``python -m benchmarks.findings``."""
    if not RESULTS_FILE.is_file():
        return ()
    known = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    return tuple(Findings(**{**entry, "results": tuple(Result(*row) for row in entry["results"])}) for entry in known)
