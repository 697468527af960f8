"""The figure of a result: that of its page, with nothing highlighted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.display import Displayable
from irviz.errors import IrvizError
from irviz.explore import conclusion, consistency, corrected, discriminative, equal_steps, judges, users
from irviz.explore.conclusion_figures import share_square
from irviz.explore.scores import boxes
from irviz.explore.what_if_figures import sweep_curves
from irviz.figures import MOST_ROWS
from irviz.figures.pools import pool_curves
from irviz.figures.significance import asl_curves
from irviz.figures.squares import coefficients
from irviz.multiverse.equal_steps import EqualSteps
from irviz.multiverse.groups import ByGroup
from irviz.multiverse.order import UndisputedOrder
from irviz.multiverse.report import Conclusion
from irviz.notebook import NotebookFigure
from irviz.stats.consistency import Consistency
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.incompleteness import PoolReduction
from irviz.stats.judges import Judges
from irviz.stats.prediction_powered import PredictionPowered
from irviz.stats.replacing import Replacement
from irviz.stats.scores import Scores
from irviz.stats.significance import DiscriminativePower, Significance
from irviz.stats.similarity import Similarity
from irviz.stats.sweep import Sweep
from irviz.stats.users import GradePreferences, PreferenceAgreement, SatisfactionAgreement


def plot(result: Displayable) -> NotebookFigure:
    """The figure of a result; refused where no page draws one."""
    return NotebookFigure(figure_of(result))


def figure_of(result: Displayable) -> go.Figure:
    """The figure of a result, by its kind."""
    if type(result) not in FIGURES:
        raise IrvizError(f"No page draws a {type(result).__name__}. Its numbers are in its attributes and frame().")
    return FIGURES[type(result)](result)


def _consistency(r: Consistency) -> go.Figure:
    order = np.argsort(-np.nan_to_num(r.mean, nan=-np.inf), kind="stable")
    return consistency.densities(r, order, alpha=0.05).figure


def _scores(r: Scores) -> go.Figure:
    """Of the first measure."""
    order = np.argsort(-r.means().iloc[:, 0].to_numpy(), kind="stable")
    systems = [r.systems[i] for i in order]
    return boxes(systems, r.values[0][:, order], r.measures[0], every=len(systems) <= MOST_ROWS)


def _pools(r: PoolReduction) -> go.Figure:
    return pool_curves(r.measures, r.kept, r.tau, *r.band(), r.repeats.shape[-1])


def _order(r: UndisputedOrder) -> go.Figure:
    order = np.lexsort((-r.share.sum(axis=1), r.levels))
    return share_square([r.systems[i] for i in order], r.share[np.ix_(order, order)], every=len(order) <= MOST_ROWS)


def _judges(r: Judges) -> go.Figure:
    """Of the first measure, where there are more than two judges."""
    if len(r.judges) > 2:
        return coefficients(r.judges, r.tau[0], "Kendall's τ")
    return judges.tau_bars(r.measures, r.tau[:, 0, 1])


def _corrected(r: PredictionPowered) -> go.Figure:
    if r.claim is None:
        raise IrvizError('The figure is that of a difference: give a claim, such as "`A` > `B`".')
    return corrected.intervals(r, np.full(len(r.estimate), np.nan), np.nan, f"difference of mean {r.measure}")


FIGURES: dict[type, Callable[[Any], go.Figure]] = {
    Scores: _scores,
    Similarity: lambda r: coefficients(r.measures, r.values, COEFFICIENTS[r.coefficient].label, r.low, r.high),
    Consistency: _consistency,
    Significance: lambda r: discriminative.groups_drawing("the measure", r, every=len(r.systems) <= MOST_ROWS).figure,
    DiscriminativePower: lambda r: asl_curves(r.measures, r.asl, r.results[0].alpha),
    PoolReduction: _pools,
    Sweep: lambda r: sweep_curves(r, "value", 0),
    Conclusion: lambda r: conclusion.all_worlds(r, 0).figure,
    ByGroup: lambda r: conclusion.differences_by_group(r, r.measure).figure,
    UndisputedOrder: _order,
    EqualSteps: lambda r: equal_steps.decisions(r).figure,
    Judges: _judges,
    Replacement: lambda r: judges.replacement_curve(r, 0),
    PredictionPowered: _corrected,
    SatisfactionAgreement: lambda r: users.agreement_ranking(r)["measures"].figure,
    PreferenceAgreement: lambda r: users.shares_of(users.best_first(r)),
    GradePreferences: lambda r: users.graded_preferences(list(r.names), r.counts),
}  #: of the first measure, where it is of one
