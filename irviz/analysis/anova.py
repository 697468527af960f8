"""Two-way analysis of variance, topics and systems, with Tukey's HSD on the systems.

For interval scales: it averages.  The topic effect, which outweighs the systems', is
taken out before systems are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import fdtrc

from irviz.analysis.studentized import studentized_range_sf
from irviz.summary.matrix import matrix_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Effects:
    """Sums of squares and degrees of freedom of topics, systems and residual."""

    topics: float
    systems: float
    residual: float
    topic_degrees: int
    system_degrees: int
    residual_degrees: int

    @property
    def error(self) -> float:
        """Mean square of the residual."""
        return self.residual / self.residual_degrees

    def p_value(self, effect: str) -> float:
        """Of the F test of ``"topics"`` or ``"systems"``; 1 where nothing varies, 0 where the residual does not."""
        squares, degrees = (
            (self.topics, self.topic_degrees) if effect == "topics" else (self.systems, self.system_degrees)
        )
        if self.error == 0:
            return 1.0 if squares == 0 else 0.0
        return float(fdtrc(degrees, self.residual_degrees, squares / degrees / self.error))


def two_way_anova(matrix: pd.DataFrame) -> pd.DataFrame:
    """The classical table, a row an effect: sum_of_squares, degrees, mean_square, F, p.

    Needs two topics and two systems.  F is infinite where the residual does not vary,
    and 0 where nothing does.
    """
    effects = sums_of_squares(matrix_of(matrix).values)
    table = pd.DataFrame(
        {
            "sum_of_squares": [effects.topics, effects.systems, effects.residual],
            "degrees": [effects.topic_degrees, effects.system_degrees, effects.residual_degrees],
        },
        index=pd.Index(["topics", "systems", "residual"], name="effect"),
    )
    table["mean_square"] = table.sum_of_squares / table.degrees
    means = table.mean_square.iloc[:2]
    ratio = means / effects.error if effects.error > 0 else means.where(means == 0, np.inf)
    table["F"] = ratio.reindex(table.index)
    table["p"] = pd.Series({e: effects.p_value(e) for e in ("topics", "systems")}).reindex(table.index)
    return table


def sums_of_squares(values: Floats) -> Effects:
    r"""Model :math:`x_{ts} = \mu + \alpha_t + \beta_s + \epsilon_{ts}` (no interaction: one score a cell)."""
    topics, systems = values.shape
    grand = values.mean()
    by_topic, by_system = values.mean(axis=1) - grand, values.mean(axis=0) - grand
    residual = values - grand - by_topic[:, None] - by_system[None, :]
    noise = 8 * np.finfo(np.float64).eps * np.abs(values).max()  # what rounding alone leaves in a cell
    squares = [
        float((np.where(np.abs(part) > noise, part, 0.0) ** 2).sum()) for part in (by_topic, by_system, residual)
    ]
    return Effects(
        squares[0] * systems,
        squares[1] * topics,
        squares[2],
        topics - 1,
        systems - 1,
        (topics - 1) * (systems - 1),
    )


def anova_tukey(values: Floats) -> tuple[Floats, float]:
    r"""p-values of all pairs, Tukey's HSD after the two-way ANOVA (Carterette 2012), and the F test's p for systems.

    .. math:: p_{ij} = P\big(Q_{k,\nu} \ge |\bar x_i - \bar x_j| / \sqrt{MSE/t}\big), \qquad \nu = (t-1)(k-1)

    Parameters
    ----------
    values : topics × systems, at least 2 × 2

    Notes
    -----
    Without residual variance every difference but 0 has p = 0.
    """
    effects = sums_of_squares(values)
    means = values.mean(axis=0)
    difference = np.abs(means[:, None] - means[None, :])
    difference[difference <= 8 * np.finfo(np.float64).eps * np.abs(values).max()] = 0.0
    if effects.error == 0:
        p = (difference == 0).astype(np.float64)
    else:
        q = difference / np.sqrt(effects.error / len(values))
        p = studentized_range_sf(q, values.shape[1], effects.residual_degrees)
    np.fill_diagonal(p, 1.0)
    return p, effects.p_value("systems")
