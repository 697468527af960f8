"""How far judges agree on grades: confusion matrix, Cohen's κ, Krippendorff's α.

Grades are numbers, compared unchanged; a document that a judge left out is missing, not 0.
Counts are whole numbers, exact in any order of summation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.errors import choose
from irviz.portable import total

Floats = NDArray[np.float64]
_WEIGHTS = ("none", "linear", "quadratic")  #: Cohen's weights of a difference between two grades


def grade_codes(grades: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The distinct grades, ascending, negative ones as 0; the place of each grade among them, −1 where missing."""
    known = np.where(grades < 0, 0.0, grades)
    scale = np.unique(known[~np.isnan(known)])
    places = np.searchsorted(scale, np.nan_to_num(known))
    return scale, np.where(np.isnan(known), -1, places)


def confusion(first: NDArray[np.integer], second: NDArray[np.integer], grades: int) -> NDArray[np.int64]:
    """Counts of documents by the first judge's grade and the second's; the last row and column are "unjudged".

    >>> confusion(np.array([0, 1, 1, -1]), np.array([0, 1, 0, 1]), 2)
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 1, 0]])
    """
    side = grades + 1
    pairs = (first % side) * side + second % side  # −1 becomes the last
    counts = np.bincount(pairs.ravel(), minlength=side * side).reshape(side, side)
    counts[-1, -1] = 0  # nobody judged these: padding
    return counts


def cohen_kappa(counts: NDArray[np.integer], weights: str = "none", scale: Floats | None = None) -> float:
    r"""Cohen's κ (Cohen 1960, p. 40; weighted, Cohen 1968): agreement beyond chance.

    .. math:: \kappa = 1 - \frac{\sum_{ij} w_{ij} o_{ij}}{\sum_{ij} w_{ij} e_{ij}}

    *o* is `counts`, the documents that both judged, by their two grades; *w* is 1 for every disagreement, or the
    distance of the grades ("linear") or its square ("quadratic"), on `scale`, by default 0, 1, 2, … NaN if a judge
    gave no grade, or if both gave one and the same grade throughout.

    >>> round(cohen_kappa(np.array([[20, 5], [10, 15]])), 4)
    0.4
    """
    choose("weighting", weights, _WEIGHTS)
    values = np.arange(len(counts), dtype=np.float64) if scale is None else scale
    apart = np.abs(values[:, None] - values[None, :])
    distance = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart * apart}[weights]
    documents = int(counts.sum())
    chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)).astype(np.float64)
    expected = float(total((distance * chance).ravel()))
    if not documents or expected == 0:
        return float("nan")
    return 1.0 - documents * float(total((distance * counts).ravel())) / expected


def krippendorff_alpha(codes: NDArray[np.integer], grades: int) -> float:
    r"""Krippendorff's ordinal α (Krippendorff 2011, p. 1) for any number of judges, with gaps.

    .. math:: \alpha = 1 - (n - 1)\frac{\sum_{c<k} o_{ck}\,\delta^2_{ck}}{\sum_{c<k} n_c n_k\,\delta^2_{ck}}

    `codes` is documents × judges, places among the `grades`, negative where a judge gave no grade.  δ counts the
    grades given that lie between two.  At most 1; 0 is chance.  NaN where no document has two grades, or all grades
    are equal.
    """
    votes = np.stack([(codes == grade).sum(axis=1) for grade in range(grades)], axis=1).astype(np.int64)
    judged = votes.sum(axis=1)
    votes, judged = votes[judged > 1], judged[judged > 1]
    coincidences = np.zeros((grades, grades))
    for number in np.unique(judged).tolist():  # documents with this many grades: whole counts over one divisor
        group = votes[judged == number].astype(np.float64)
        pairs = np.matmul(group.T, group) - np.diag(group.sum(axis=0))
        coincidences += pairs / (number - 1)
    marginals = votes.sum(axis=0).astype(np.float64)
    middle = np.cumsum(marginals) - marginals / 2  # mid-ranks
    distance = (middle[:, None] - middle) ** 2
    expected = float(total((np.outer(marginals, marginals) * distance).ravel()))
    if expected == 0:
        return float("nan")
    return 1.0 - (float(marginals.sum()) - 1) * float(total((coincidences * distance).ravel())) / expected
