"""The coefficients that compare two rankings, each with all that is done with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.ranking.correlation import kendall_tau, pearson, spearman, tau_ap
from irviz.analysis.ranking.row_by_row import paired_pearson, paired_spearman, paired_tau, paired_tau_ap

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Coefficient:
    """A correlation of two rankings, in [−1, 1].

    Attributes
    ----------
    label : its name in words
    all_pairs : … × rankings × systems → … × rankings × rankings
    row_by_row : two arrays … × systems → …; the first ranking is the reference
    by_order : whether only the order of the scores matters, not their distances
    fisher : (c, k), if the variance of atanh(coefficient) over n systems is c/(n − k); None where no such is published
    """

    label: str
    all_pairs: Callable[[Floats], Floats]
    row_by_row: Callable[[Floats, Floats], Floats]
    by_order: bool
    fisher: tuple[float, int] | None


COEFFICIENTS = {
    "tau": Coefficient("Kendall's τ", kendall_tau, paired_tau, True, (0.437, 4)),
    "tau_ap": Coefficient("AP correlation", tau_ap, paired_tau_ap, True, None),
    "pearson": Coefficient("Pearson's r", pearson, paired_pearson, False, (1.0, 3)),
    "spearman": Coefficient("Spearman's ρ", spearman, paired_spearman, True, (1.06, 3)),
}  #: every coefficient, in the order of a menu
