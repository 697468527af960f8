"""Browsing models × aggregations, as expressions; what the User models page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.similarity import Similarity
from irviz.links.control import Control
from irviz.links.parameters import Taker, built, control_of, label_for, takers
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.cwla import CWLA

Floats = NDArray[np.float64]
USUAL_MODELS = ("P", "DCG", "RBP", "INST", "AP", "ERR")  #: browsing models of Chen & Sakai 2023


@dataclass(frozen=True, eq=False)
class Combinations:
    """Browsing models × aggregations.

    Attributes
    ----------
    models, aggregations : names of rows and columns
    labels : expressions of the combinations
    canonical : the combination is the measure of the browsing model's name
    constant : every list scores the same
    """

    models: tuple[str, ...]
    aggregations: tuple[str, ...]
    labels: NDArray[np.object_]
    canonical: NDArray[np.bool_]
    constant: NDArray[np.bool_]

    def varying(self, row: int | None = None) -> list[str]:
        """Expressions of the combinations that are not constant: of one model, or of all."""
        chosen = slice(None) if row is None else row
        return [str(name) for name in self.labels[chosen][~self.constant[chosen]]]

    def place(self, numbers: Mapping[str, float]) -> Floats:
        """Numbers by expression as models × aggregations; NaN where there is none."""
        return np.array([[numbers.get(str(name), np.nan) for name in row] for row in self.labels])

    def own(self, row: int) -> str:
        """The canonical aggregation of a model; none for a model that names no measure."""
        names = [kind for kind, own in zip(self.aggregations, self.canonical[row], strict=True) if own]
        return names[0] if names else ""

    def frame(self, cells: Floats, unit: str) -> pd.DataFrame:
        """One row per combination, its number under the heading `unit`."""
        rows, columns = (axis.ravel() for axis in np.indices(cells.shape))
        return pd.DataFrame(
            {
                "browsing model": [self.models[i] for i in rows],
                "aggregation": [self.aggregations[j] for j in columns],
                "measure": self.labels.ravel(),
                "canonical": self.canonical.ravel(),
                "constant": self.constant.ravel(),
                unit: cells.ravel(),
            }
        )


def parameter_key(name: str) -> str:
    """The name of a parameter in links; the cutoff of P and DCG and BPM's K are one choice."""
    return {"cutoff": "k", "K": "k"}.get(name, name)


def parameter_controls() -> tuple[Control, ...]:
    """A control for every parameter of a browsing model or an aggregation."""
    models, sums = takers(BROWSING_MODELS, parameter_key), takers(AGGREGATIONS, parameter_key)
    special = {"k": {"high": 1000, "step": 5, "default": 10}}
    said = {key: {"name": key, "label": label_for(who), "aside": True} for key, who in (models | sums).items()}
    return (
        *(control_of(who, **said[key], shown_if=_matters(who), **special.get(key, {})) for key, who in models.items()),
        *(control_of(who, **said[key]) for key, who in sums.items()),
    )


def _matters(who: Sequence[Taker]) -> Callable[[dict[str, Any]], bool]:
    symbols = {cls.symbol for cls, _, _ in who}
    return lambda values: not symbols.isdisjoint(values["models"] or USUAL_MODELS)


def combinations(values: Mapping[str, Any]) -> Combinations:
    """All combinations of the chosen browsing models (the paper's, if none) with every aggregation.

    Parameters
    ----------
    values : models (symbols), cutoff, and the parameters by :func:`parameter_key`
    """
    kinds = [kind.symbol for kind in AGGREGATIONS]
    known = {model.symbol: model for model in BROWSING_MODELS}
    models = [built(known[symbol], values, parameter_key) for symbol in values["models"] or USUAL_MODELS]
    sums = [built(kind, values, parameter_key) for kind in AGGREGATIONS]
    made = [[CWLA(C=model, A=kind, cutoff=values["cutoff"]) for kind in sums] for model in models]
    return Combinations(
        tuple(str(row[0].C) for row in made),
        tuple(kinds),
        np.array([[str(one) for one in row] for row in made], dtype=object),
        np.array([[one.C.canonical == kind for one, kind in zip(row, kinds, strict=True)] for row in made]),
        np.array([[one.constant for one in row] for row in made]),
    )


def pairs_of(grid: Combinations, row: int, found: Similarity | None) -> list[tuple[float, str, str]]:
    """Pairs of one model's aggregations with their τ, least alike first; only those where it is defined."""
    if found is None:
        return []
    names = [kind for kind, flat in zip(grid.aggregations, grid.constant[row], strict=True) if not flat]
    rows, columns = np.triu_indices(len(names), 1)
    pairs = [(float(found.values[i, j]), names[i], names[j]) for i, j in zip(rows, columns, strict=True)]
    return sorted((pair for pair in pairs if np.isfinite(pair[0])), key=lambda pair: pair[0])


def pair_frame(grid: Combinations, found: list[Similarity | None]) -> pd.DataFrame:
    """One row per pair of aggregations within a model: browsing model, aggregation, and, Kendall's τ, low, high."""
    rows = []
    for row, result in enumerate(found):
        if result is None:
            continue
        names = [kind for kind, flat in zip(grid.aggregations, grid.constant[row], strict=True) if not flat]
        for i, j in zip(*np.triu_indices(len(names), 1), strict=True):
            numbers = (float(field[i, j]) for field in (result.values, result.low, result.high))
            rows.append((grid.models[row], names[i], names[j], *numbers))
    return pd.DataFrame(rows, columns=["browsing model", "aggregation", "compared with", "Kendall's τ", "low", "high"])
