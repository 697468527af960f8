"""Two-way analysis of variance, topics and systems, with Tukey's HSD on the systems.

For interval scales: it averages.  The topic effect, which outweighs the systems', is
removed before systems are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from irviz.analysis.testing.methods import Comparison, Draws
from irviz.analysis.testing.studentized import pairwise_sf
from irviz.portable import exact_totals, total

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Effects:
    """Sums of squares of topics, systems and residual, and the degrees of freedom of the last two."""

    topics: float
    systems: float
    residual: float
    system_degrees: int
    residual_degrees: int

    @property
    def error(self) -> float:
        """Mean square of the residual."""
        return self.residual / self.residual_degrees

    @property
    def p_value(self) -> float:
        """Of the F test for systems; 1 where nothing varies, 0 where the residual does not."""
        if self.error == 0:
            return 1.0 if self.systems == 0 else 0.0
        return float(fdtrc(self.system_degrees, self.residual_degrees, self.systems / self.system_degrees / self.error))


def sums_of_squares(values: Floats) -> Effects:
    r"""Model :math:`x_{ts} = \mu + \alpha_t + \beta_s + \epsilon_{ts}` (no interaction: one score per cell)."""
    topics, systems = values.shape
    grand = exact_totals(values.reshape(-1, 1))[0] / values.size
    by_topic, by_system = exact_totals(values.T) / systems - grand, exact_totals(values) / topics - grand
    residual = values - grand - by_topic[:, None] - by_system[None, :]
    noise = 8 * np.finfo(np.float64).eps * np.abs(values).max()  # what rounding alone leaves in a cell
    squares = [
        float(total(np.where(np.abs(part) > noise, part, 0.0).ravel() ** 2)) for part in (by_topic, by_system, residual)
    ]
    return Effects(
        squares[0] * systems,
        squares[1] * topics,
        squares[2],
        systems - 1,
        (topics - 1) * (systems - 1),
    )


def anova_tukey(values: Floats, draws: Draws) -> list[Comparison]:
    r"""p-values of all pairs, Tukey's HSD after the two-way ANOVA; overall, the F test's for systems.

    As Carterette (2012) and Ferrante et al. 2019, section 5.3, test systems.

    .. math:: p_{ij} = P\big(Q_{k,\nu} \ge |\bar x_i - \bar x_j| / \sqrt{MSE/t}\big), \qquad \nu = (t-1)(k-1)

    Parameters
    ----------
    values : measures × topics × systems, at least 2 topics and systems
    draws : Draws
        Nothing is drawn.

    Notes
    -----
    Without residual variance every difference but 0 has p = 0.
    """
    return [_one_measure(matrix) for matrix in values]


def _one_measure(values: Floats) -> Comparison:
    effects = sums_of_squares(values)
    means = exact_totals(values) / len(values)
    difference = np.abs(means[:, None] - means[None, :])
    difference[difference <= 8 * np.finfo(np.float64).eps * np.abs(values).max()] = 0.0
    if effects.error == 0:
        p = (difference == 0).astype(np.float64)
    else:
        q = difference / np.sqrt(effects.error / len(values))
        p = pairwise_sf(q, values.shape[1], effects.residual_degrees)
    return Comparison(means, p, effects.p_value)
