"""The command ``conclusion``: a claim about systems, in every world."""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from irviz.cli.data import Arguments, add_scores, asked_numbers, chosen_collection, entries, scores
from irviz.collection.model import TIE_RULES, Collection
from irviz.conclusions.choices.dimensions import (
    AVERAGES,
    DIMENSIONS,
    FAMILIES,
    MISSING_RULES,
    OPTION_NAMES,
    TESTS,
    TOPIC_SETS,
    UNJUDGED_RULES,
)
from irviz.conclusions.telling.tables import TABLES, conclusion_table
from irviz.errors import listed as in_words
from irviz.links.text import split_expressions
from irviz.scores import Scores

_KNOWN = {
    "average": tuple(AVERAGES),
    "test": tuple(TESTS),
    "ties": tuple(TIE_RULES),
    "unjudged": tuple(UNJUDGED_RULES),
    "missing": tuple(MISSING_RULES),
    "judge": ("names of judges or aspects",),
    "topics": tuple(TOPIC_SETS),
    "depth": ("1000", "100"),
    "family": tuple(FAMILIES),
}  #: dimension → what can be chosen


def add_conclusion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claim", help="'A > B', 'A > B > C', 'A is best' or 'A in top 5'; unusual names in `backticks`")
    add_scores(parser)
    worlds = parser.add_argument_group("worlds (by default, all that the collection supports)")
    for dimension, known in _KNOWN.items():
        option = f"--{OPTION_NAMES.get(dimension, dimension)}"
        worlds.add_argument(
            option, metavar="LIST", action="append", help=f"{DIMENSIONS[dimension]}: {in_words(known, 9)}"
        )
    parser.add_argument(
        "--part", choices=list(TABLES), default="worlds", help="what to print (default: a row per world)"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="significance level: p-values below it are significant"
    )
    parser.add_argument("--trials", type=int, default=10_000, help="resamples and shuffles (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same numbers")
    parser.add_argument("--workers", default=None, help="number of workers, or the name of a joblib backend")


def run_conclusion(given: Arguments) -> pd.DataFrame:
    return conclusion_table(
        _data(given),
        given.claim,
        given.part,
        choices=_choices(given),
        alpha=given.alpha,
        trials=given.trials,
        seed=given.seed,
        workers=int(given.workers) if _is_whole(given.workers) else given.workers,
    )


def _data(given: Arguments) -> Collection | Scores:
    return scores(given) if given.scores else chosen_collection(given)


def _choices(given: Arguments) -> dict[str, Any]:
    """What was chosen on each dimension; nothing where the usual options are."""
    found: dict[str, Any] = {}
    if given.measures and not given.scores:
        found["measure"] = entries(given.measures, split_expressions)
    for dimension in _KNOWN:
        texts = getattr(given, OPTION_NAMES.get(dimension, dimension).replace("-", "_"))
        if texts and dimension == "depth":
            found[dimension] = [
                int(number) for number in asked_numbers(texts, "--depths", "numbers of ranks, such as 1000,100")
            ]
        elif texts:
            found[dimension] = entries(texts, split_expressions)
    return found


def _is_whole(text: str | None) -> bool:
    return text is not None and text.lstrip("-").isdigit()
