"""Lab: graded average precision.  Three ways to let users disagree about what is relevant."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irviz.errors import join_words, verb
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.graded_ap import model
from irviz.labs.graded_ap.figures import FIGURES, growing, over_users, user_aps
from irviz.labs.graded_ap.steps import SOURCE, STEPS
from irviz.labs.lab import Grades, Lab, whole
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Number
from irviz.workspace.page import Values
from irviz.workspace.panel import Formula, Panel, Table
from irviz.workspace.phrases import change_words, number
from irviz.workspace.view import View


def _share(k: int, default: float, who: str) -> Number:
    return Number(
        name=f"g{k}",
        label=f"g{'₁₂₃'[k - 1]}: share {who}",
        default=default,
        low=0,
        high=1,
        step=0.05,
        help="With two grades, all others want grade 2. Three shares that do not sum to 1 are scaled so that they do.",
        shown_if=(lambda values: values["c"] == "3") if k > 1 else None,
    )


CONTROLS = (
    Choice(
        name="c",
        label="Grades above zero",
        default="2",
        few=True,
        aside=True,
        options=(("2", "two"), ("3", "three")),
        help="How many degrees of relevance there are above not relevant.",
    ),
    _share(1, 0.1, "content with grade 1"),
    _share(2, 0.9, "who want grade 2 or better"),
    _share(3, 0.0, "who want grade 3"),
    Grades(
        name="grades",
        label="Grades of the ranking",
        default=(1, 1, 0, 1, 0, 2, 1, 0, 2, 0),
        top=3,
        keeps_grades=True,
        help="One grade per document, first rank first. Or drag and click the documents.",
    ),
    whole(
        "top",
        "Documents of grade 1 on top",
        0,
        (0, 1000),
        "They come before the ranking: add one after the other and see which scores change.",
        slider=False,
    ),
    Choice(
        name="show",
        label="Triangle shows",
        default="GAP",
        options=tuple((name, name) for name in model.GRADED_APS),
        shown_if=lambda values: values["c"] == "3",
        aside=True,
        help="The score that colours the triangle of all g.",
    ),
)


def explore(context: Context | None, values: Values) -> Panel:
    """The three measures on an editable ranking, along g, and on the growing list."""
    g, grades, full_list = model.shares(values), model.listed_grades(values), model.whole_list(values)
    scores = model.graded_scores(full_list, g)
    return Panel(
        sentence=_sentence(g, scores),
        drawings=({"users": user_aps(values)}, {"g": over_users(values), "growing": growing(values)}),
        tables={
            "By document": Table(
                _table(full_list, g),
                "One row per document: the share of users who find it relevant, and the probability that GAP and "
                "xGAP pick it.",
            ),
            "Growing list": Table(
                _growing_table(g, grades), "One row per length of the growing list.", names=model.GRADED_APS
            ),
        },
        notes=(
            *_notes(values, grades),
            f"{growing_words(g, grades, int(values['top']))} ({SOURCE}, sections 3, 4 and 5.)",
        ),
        ways=(("GAP, xGAP and eGAP on your collection", View.from_texts("similarity", measures="AP,GAP,xGAP,eGAP")),),
        formulas=_formulas(g),
    )


def _sentence(g: tuple[float, ...], scores: Mapping[str, float]) -> str:
    values = [scores[name] for name in model.GRADED_APS]
    text = f"GAP {number(scores['GAP'])}, xGAP {number(scores['xGAP'])} and eGAP {number(scores['eGAP'])}"
    if max(values) - min(values) < 5e-4:
        return f"{_users(g)} the three measures agree on this ranking: {text}."
    first, last = max(model.GRADED_APS, key=scores.__getitem__), min(model.GRADED_APS, key=scores.__getitem__)
    return (
        f"{_users(g)} this ranking scores {text}: {first} is higher than {last} by {number(max(values) - min(values))}."
    )


def _users(g: tuple[float, ...]) -> str:
    """The users, by what they want."""
    wants = ["are content with grade 1", *["want grade 2 or better"][: len(g) - 2], f"want grade {len(g)}"]
    shares = join_words([f"{share:.0%} {want}" for share, want in zip(g, wants, strict=True)], joiner="and")
    return f"For users of whom {shares},"


def growing_words(g: tuple[float, ...], grades: tuple[int, ...], n: int) -> str:
    """The effect of documents of grade 1 on top of the ranking on each measure, and the limit."""
    now, goal = model.growing_scores(n, g, grades), model.limits(g, grades)
    if g[0] <= 1e-9:
        return (
            "Grade 1 is enough for nobody, so documents of grade 1 on top only push down the documents that users want."
        )
    more = model.growing_scores(n + 1, g, grades)
    whom = "all users" if g[0] > 1 - 1e-9 else f"{g[0]:.0%} of the users"
    parts = [
        f"{name} {change_words(now[name], more[name])} (with ever more: {number(goal[name])})"
        for name in model.GRADED_APS
    ]
    return f"One more document of grade 1 on top, relevant for {whom}: {'; '.join(parts)}."


def _notes(values: Values, grades: tuple[int, ...]) -> tuple[str, ...]:
    high = sum(before != after for before, after in zip(values["grades"], grades, strict=True))
    are, count = verb(high, "is", "are"), verb(high, "counts", "count")
    notes = [f"{high} of the grades {are} above 2 and {count} as 2, the highest of two grades."] if high else []
    return (*notes, *model.scaled_words(values))


def _formulas(g: tuple[float, ...]) -> tuple[Formula, ...]:
    formulas = [Formula(kind.formula, str(kind(g=g)), kind.source) for kind in model.GRADED_APS.values()]
    delta = r"\Delta_{m,n} = \sum_{h=1}^{\min\{r[m],\,r[n]\}} g_h, \quad \mathrm{RB}(k) = R(k) + \dots + R(c)"
    formulas.append(Formula(delta, "GradedAP", f"{SOURCE}, section 2 and eq. (4)"))
    return tuple(formulas)


def _table(grades: tuple[int, ...], g: tuple[float, ...]) -> pd.DataFrame:
    users = np.concatenate([[0.0], np.cumsum(g)])
    bases = [sum(grade >= k for grade in grades) for k in range(len(g) + 1)]
    xgap = [sum(g[k - 1] / bases[k] for k in range(1, grade + 1)) for grade in grades]
    expected = sum(users[grade] for grade in grades)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(grades) + 1),
            "grade": list(grades),
            "users who find it relevant": [users[grade] for grade in grades],
            "picked by GAP": [users[grade] / expected if expected else 0.0 for grade in grades],
            "picked by xGAP": xgap,
        }
    )


def _growing_table(g: tuple[float, ...], grades: tuple[int, ...]) -> pd.DataFrame:
    scores = [model.growing_scores(n, g, grades) for n in model.LENGTHS]
    return pd.DataFrame(
        {
            "documents of grade 1 on top": model.LENGTHS,
            **{name: [row[name] for row in scores] for name in model.GRADED_APS},
        }
    )


def readings(values: Values) -> dict[str, Reading]:
    """The scores of the whole list, for whom, and what it holds."""
    g, grades = model.shares(values), model.whole_list(values)
    scores = model.graded_scores(grades, g)
    return {
        **scores,
        "GAP minus eGAP": scores["GAP"] - scores["eGAP"],
        **{f"g{k}": share for k, share in enumerate(g, start=1)},
        "documents": len(grades),
        "relevant documents": sum(grade > 0 for grade in grades),
        "highest grade at rank": grades.index(max(grades)) + 1,
    }


CHALLENGES = (
    Challenge(
        title="Find users and a list on which GAP and eGAP differ: GAP above 0.9 while eGAP is below 0.2.",
        goal=Goal.read("GAP > 0.9; eGAP < 0.2"),
        hint="Let only a few users be content with grade 1, and put many documents of grade 1 on top.",
        start={"grades": "1,1,1,2"},
        solution={"top": "150"},
    ),
    Challenge(
        title="Nine of ten users want grade 2. Move the documents of the list until eGAP is above 0.9.",
        goal=Goal.read("g2 = 0.9; relevant documents = 5; eGAP > 0.9"),
        hint="What do the nine find at the first ranks? Drag it there; the list can also be typed, under More choices.",
        start={"grades": "1,1,0,2,1,1"},
        solution={"grades": "2,1,1,0,1,1"},
    ),
    Challenge(
        title="Make GAP lower than eGAP, the mean of the users' AP, by more than 0.05.",
        goal=Goal.read("g1 > 0; g2 > 0; GAP minus eGAP < -0.05"),
        hint="GAP follows the documents that many users want. Let most users be content with grade 1, and look at "
        "the ranks of the documents of grade 2.",
        start={"grades": "1,0,1,0,2"},
        solution={"grades": "2,0,0,1,1", "g1": "0.3"},
    ),
)
LAB = Lab(
    name="lab_graded_ap",
    title="Lab: graded AP",
    question="If users disagree about what is relevant, how should average precision count grades?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        "g1": "The share of users content with grade 1",
        "g2": "The share of users who want grade 2",
        "relevant documents": "The number of relevant documents",
        "GAP minus eGAP < -0.05": "GAP is below eGAP by more than 0.05",
    },
)
