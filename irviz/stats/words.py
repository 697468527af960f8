"""The words that irviz's functions take, as types, so that type checkers find misspellings."""

from typing import TYPE_CHECKING, Literal, TypeAlias

import pandas as pd

SimilarityLevel: TypeAlias = Literal["overall", "topic"]
Coefficient: TypeAlias = Literal["tau", "tau_ap", "pearson", "spearman"]
Hardness: TypeAlias = Literal["surprise", "mean", "max"]
OfSatisfaction: TypeAlias = Literal["spearman", "pearson", "tau"]
ReductionName: TypeAlias = Literal["stratified", "uniform"]
SplitName: TypeAlias = Literal["random", "hard_easy", "middle_rest"]
Summary: TypeAlias = Literal["mean", "median", "geometric", "harmonic", "geometric_threshold"]
Leaderboard: TypeAlias = Literal["mean", "median", "geometric", "standardised", "wins", "borda", "bradley_terry"]
Test: TypeAlias = Literal["randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"]
Paired: TypeAlias = Literal["t", "wilcoxon", "sign"]
PairedTest: TypeAlias = Literal["t", "wilcoxon", "sign", "bootstrap", "randomisation"]
Correction: TypeAlias = Literal["holm", "bonferroni", "none"]
Family: TypeAlias = Literal["pair", "holm", "all_systems"]
UnjudgedRule: TypeAlias = Literal["not_relevant", "condensed"]
MissingRule: TypeAlias = Literal["zero", "left_out"]
TopicSet: TypeAlias = Literal["all", "random_half", "without_hardest_tenth"]
Steps: TypeAlias = Literal["as_it_is", "equal"]
Lists: TypeAlias = Literal["any", "topic"]
Average: TypeAlias = tuple[Summary, float | None]  #: and its ε
Unit: TypeAlias = Literal["documents", "topics"]

if TYPE_CHECKING:
    FloatSeries: TypeAlias = pd.Series[float]
else:
    FloatSeries: TypeAlias = pd.Series  #: which takes no brackets when annotations are evaluated
