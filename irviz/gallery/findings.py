"""Do the published findings hold on a collection?  The claims of :mod:`irviz.gallery.claims`, asked and answered."""

from __future__ import annotations

import json
from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.display import SelfShown
from irviz.errors import IrvizError
from irviz.gallery import paper
from irviz.gallery.claims import CLAIMS, Claim, Evidence
from irviz.gallery.item import RandomTrials
from irviz.places import DATA
from irviz.stats.scores import Scores
from irviz.workers import Progress, Workers, run, takes
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.data import COLLECTION, bundled_titles, opened_data
from irviz.workspace.store import scores_digest
from irviz.workspace.view import View, settle

TRIALS, REPEATS = 2000, 3  #: splits, shuffles or resamples, and reductions of a pool
STORED = DATA / "findings" / "results.json"  #: computed once; see :func:`stored`
CLEAR = 0.01  #: a margin (of τ, or of a share) from which a finding is clearly seen or not seen
NEEDS = {
    "scores": "scores by AP",
    "lists": "rankings and judgments",
    "grades": "judgments of at least three degrees",
    "aspects": "judgments of several aspects",
}


@dataclass(frozen=True)
class Found:
    """What one collection answers to one claim.

    Attributes
    ----------
    number : int
        Place of the claim in the table, from 1.
    seen : bool or None
        None where it cannot be asked.
    margin : float or None
        By how much, in τ or as a share; below 0 where it is not seen. None for an identity.
    numbers : str
        The numbers, or the reason why it cannot be asked.
    """

    number: int
    seen: bool | None
    margin: float | None
    numbers: str

    @property
    def applicable(self) -> bool:
        return self.seen is not None

    @property
    def clear(self) -> bool:
        """An identity, or a margin of at least :data:`CLEAR`."""
        return self.margin is None or abs(self.margin) >= CLEAR


@dataclass(frozen=True, eq=False)
class Findings(SelfShown):
    """The answers of one collection, in the order of the claims.

    Attributes
    ----------
    name, title : str
        Its key in a link and what a person calls it.
    fingerprint : str
        Of its content.
    about : str
        What it consists of.
    seed : int
    answers : tuple of Found
        Of the claims that were asked.
    """

    name: str
    title: str
    fingerprint: str
    about: str
    seed: int
    answers: tuple[Found, ...]

    def frame(self) -> pd.DataFrame:
        """One row per claim.

        Columns: number, paper, finding, applicable, seen (True, False, None), numbers, printed, view (a link that
        shows it), and then margin, place, quote and condition.
        """
        rows = []
        for one in self.answers:
            claim = CLAIMS[one.number - 1]
            rows.append(
                {
                    "number": one.number,
                    "paper": paper(claim.paper).cite,
                    "finding": claim.text,
                    "applicable": one.applicable,
                    "seen": one.seen,
                    "numbers": one.numbers,
                    "printed": claim.printed,
                    "view": view_of(claim, self.name, self.seed).to_url(),
                    "margin": np.nan if one.margin is None else one.margin,
                    "place": claim.place,
                    "quote": claim.quote,
                    "condition": claim.seen,
                }
            )
        frame = pd.DataFrame(rows, columns=COLUMNS)
        return frame.astype({"seen": object, "applicable": bool})

    def __getitem__(self, number: int) -> Found:
        return next(one for one in self.answers if one.number == number)


WORDS: dict[str, bool | None] = {"seen": True, "not seen": False, "cannot be asked": None}
COLUMNS = [
    "number",
    "paper",
    "finding",
    "applicable",
    "seen",
    "numbers",
    "printed",
    "view",
    "margin",
    "place",
    "quote",
    "condition",
]


def findings(
    data: Collection | Scores,
    seed: int = 0,
    *,
    trials: int = TRIALS,
    repeats: int = REPEATS,
    numbers: Some[int] | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Findings:
    """Ask every published finding of a collection.

    Parameters
    ----------
    data : Collection or Scores
        Of scores alone only claims about scores can be asked, and only if AP is among the measures. Of several aspects
        the first is used, except by the claims about several aspects.
    seed : int
        Of all random draws.
    trials, repeats : int
        Splits, shuffles or resamples; reductions of a pool.
    numbers : collection of int, optional
        Which claims; by default all.
    workers : int or str, optional
        As in :func:`irviz.workers.run`; changes no bit of any result.
    progress : callable, optional
        Told the share done and the table or figure that was recomputed.

    Returns
    -------
    Findings
        With ``frame()``. A claim that cannot be asked of these data has ``applicable`` False, ``seen`` None and the
        reason in ``numbers``.

    Raises
    ------
    IrvizError
        If `data` are neither a collection nor scores, or a number is no claim's.

    Notes
    -----
    A claim is *seen* if its inequality holds, however small the difference; ``margin`` says how large it is. Nothing
    is tested for significance. Sources and sections of the claims are in the table; see ``frame()``.
    """
    if not isinstance(data, Collection | Scores):
        raise IrvizError(f"Findings are asked of a collection or of scores; got {type(data).__name__}.")
    wanted = tuple(range(1, len(CLAIMS) + 1)) if numbers is None else tuple(sorted(set(numbers)))
    if unknown := [number for number in wanted if not (isinstance(number, int) and 1 <= number <= len(CLAIMS))]:
        raise IrvizError(f"There is no finding {unknown[0]!r}. They are numbered from 1 to {len(CLAIMS)}.")
    answers = answered(data, wanted, RandomTrials(trials, repeats, seed), workers=workers, progress=progress)
    opened = opened_data(data)
    return Findings(bundled_name(data) or opened.key, opened.title, digest(data), about(data), seed, answers)


def _seconds(data: Collection | Scores, wanted: tuple[int, ...], **_: Any) -> float:
    lists = len(data.systems) * len(data.topics)
    return (0.2 + lists * (3e-3 if isinstance(data, Collection) else 3e-4)) * len(wanted) / len(CLAIMS)


@takes(_seconds)
def answered(
    data: Collection | Scores,
    wanted: tuple[int, ...],
    draws: RandomTrials,
    workers: Workers = None,
    progress: Progress | None = None,
) -> tuple[Found, ...]:
    """Answers to the claims of these numbers; those that share a table or figure are one piece of work."""
    pieces: dict[tuple[str, ...], list[int]] = {}
    for number in wanted:
        claim = CLAIMS[number - 1]
        pieces.setdefault((claim.paper, *claim.items), []).append(number)
    parts = run(partial(_answers, data, draws), list(pieces.values()), workers, progress, _piece_words)
    return tuple(sorted((one for part in parts for one in part), key=lambda one: one.number))


def _piece_words(numbers: list[int]) -> str:
    claim = CLAIMS[numbers[0] - 1]
    return f"{paper(claim.paper).cite}, {paper(claim.paper).item(claim.items[0]).name}"


def _answers(data: Collection | Scores, draws: RandomTrials, numbers: list[int]) -> list[Found]:
    opened = opened_data(data)
    context = Context.of(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    evidence = Evidence(context, draws)
    return [_answer(number, evidence) for number in numbers]


def _answer(number: int, evidence: Evidence) -> Found:
    claim = CLAIMS[number - 1]
    try:
        check(claim, evidence.context)
        answer = claim.ask(evidence)
    except IrvizError as refusal:
        return Found(number, None, None, str(refusal))
    if not np.isfinite(answer.margin):
        return Found(number, None, None, "Its numbers are undefined here, because systems tie.")
    margin = None if claim.exact else round(float(answer.margin), 6)
    return Found(number, bool(answer.seen), margin, answer.numbers)


def check(claim: Claim, context: Context) -> None:
    """Refuse data of which the claim cannot be asked, with the reason."""
    loaded = context.opened.collection
    if loaded is None and claim.needs != "scores":
        raise IrvizError(f"It needs {NEEDS[claim.needs]}; these are scores alone.")
    alone = claim.paper == "aspects" and claim.items[0] in ("table5", "table6", "figure2")
    least = 1 if alone else 3
    if len(context.systems) < least:
        raise IrvizError(f"It compares rankings of systems, and needs at least {least}.")
    if len(context.topics) < 2:
        raise IrvizError("It compares topics, and there is only one.")


# -- where a finding is shown, and what is stored --------------------------------------------------


def view_of(claim: Claim, key: str, seed: int = 0) -> View:
    """The view that recomputes the numbers of a claim on the data with this key."""
    item = paper(claim.paper).item(claim.items[0])
    texts = {"paper": claim.paper, claim.paper: item.key, COLLECTION.name: key}
    if item.draws:
        texts |= {item.draws: str(TRIALS if item.draws == "trials" else REPEATS), "seed": str(seed)}
    return View.of("gallery", **texts)


def digest(data: Collection | Scores) -> str:
    """Digest of what the answers depend on."""
    return data.fingerprint if isinstance(data, Collection) else scores_digest(data)


def about(data: Collection | Scores) -> str:
    """Size, and grades or measures."""
    size = f"{len(data.systems)} systems, {len(data.topics)} topics"
    if isinstance(data, Scores):
        return f"{size}; score matrices: {', '.join(data.measures)}"
    grades = [f"{a} {g[0]:g}–{g[-1]:g}" for a, g in zip(data.aspects, data.grades, strict=True)]
    return f"{size}; runs and qrels: {', '.join(grades)}"


def bundled_name(data: Collection | Scores) -> str:
    """The name of the bundled collection that these data are; "" for any other."""
    known = {one.fingerprint: one.name for one in stored()}
    name = known.get(digest(data), "") if STORED.is_file() else ""
    return name if name in bundled_titles() else ""


@cache
def stored() -> tuple[Findings, ...]:
    """Findings on the collections of the atlas, computed with seed 0 by ``python -m irviz.gallery.document``."""
    if not STORED.is_file():
        return ()
    return tuple(from_plain(one) for one in json.loads(STORED.read_text(encoding="utf-8")))


def plain(found: Findings) -> dict[str, Any]:
    """Findings as what JSON holds; :func:`from_plain` reads it back."""
    return asdict(found)


def from_plain(found: Mapping[str, Any]) -> Findings:
    answers: Iterable[Mapping[str, Any]] = found["answers"]
    return Findings(**{**found, "answers": tuple(Found(**one) for one in answers)})
