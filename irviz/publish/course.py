"""The course: 90 minutes with the labs, with prerequisites and further links; a page, and ``docs/teaching.md``.

``python -m irviz.publish.course > docs/teaching.md`` writes the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from irviz.collection.catalogue import bundled_collections
from irviz.errors import join_words
from irviz.gallery import PAPERS
from irviz.labs.screen import Screen
from irviz.menu import LABS, page_named
from irviz.workspace.data import view_of_texts
from irviz.workspace.glossary import TERMS, Term, measure_terms
from irviz.workspace.task import Exercise
from irviz.workspace.view import View

MakeLink = Callable[[str, View], str]  #: words and the view they lead to, as Markdown


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One part of the plan.

    Attributes
    ----------
    minutes : int
    page : str
        The page or lab that it uses.
    aim : str
        What students learn.
    case : str
        The bundled collection on which the lab's case occurs; "" if it is not a lab.
    works : tuple of str
        Works to read, as the bibliography names them.
    items : tuple of pairs
        A paper and one of its tables or figures.
    then : str
        The page that asks the same question of a collection; "" if there is none.
    discuss : str
        A question to discuss after it.
    exercise : Exercise, optional
        What the page's link asks.
    """

    minutes: int
    page: str
    aim: str
    case: str = ""
    works: tuple[str, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    then: str = ""
    discuss: str = ""
    exercise: Exercise | None = None

    @property
    def view(self) -> View:
        """The page with its exercise."""
        return View(self.page, tuple(self.exercise.texts().items()) if self.exercise else ())


VOTE = Exercise(
    title="Vote first",
    text="Two systems, and many reasonable combinations of measure, average, test and other choices to compare them.",
    ask="Under what share of the combinations is A ahead of B, from 0 to 1?",
)
PLAN: tuple[Unit, ...] = (
    Unit(
        minutes=8,
        page="conclusion",
        exercise=VOTE,
        aim="Vote first: is system A better than B? Then count the choices under which it is ahead.",
        works=("Steegen et al. 2016", "Simonsohn, Simmons & Nelson 2020"),
    ),
    Unit(
        minutes=11,
        page="lab_conventions",
        case="adhoc",
        then="conclusion",
        discuss="Which conventions must a paper name, so that somebody else gets its numbers?",
        aim="One run has two values of AP, because tools differ in what they divide by, leave out and count.",
        works=("Buckley & Voorhees 2005", "Cabanac et al. 2010", "McSherry & Najork 2008"),
    ),
    Unit(
        minutes=13,
        page="lab_browsing",
        case="dl2021",
        then="cwla",
        discuss="Which of these readers is most like you when you look for a recipe, or for a patent?",
        aim="A measure models a user: where the user stops reading, and what the user has gained by then.",
        works=("Chen & Sakai 2023", "Moffat & Zobel 2008", "Chapelle et al. 2009"),
        items=(("users", "figure1"), ("users", "table3")),
    ),
    Unit(
        minutes=14,
        page="lab_scales",
        case="dl2021",
        then="scores",
        discuss="May one average RR? What would each of the two camps answer?",
        aim="Whether two steps of a score are equal depends on an order that somebody chose.",
        works=("Ferrante et al. 2019", "Stevens 1946"),
        items=(("scales", "table2"), ("scales", "table4")),
    ),
    Unit(
        minutes=12,
        page="lab_graded_ap",
        case="dl2021",
        then="similarity",
        discuss="Who are the users of your system, and would they agree about what is relevant?",
        aim="Users who disagree about relevance each have their own AP: average scores, not parts of a fraction.",
        works=("Ferrante et al. 2014", "Robertson, Kanoulas & Yilmaz 2010"),
        items=(("graded", "table2"), ("graded", "figure1")),
    ),
    Unit(
        minutes=12,
        page="lab_aspects",
        case="multiaspect",
        then="collection",
        discuss="How many marginally relevant, correct documents outweigh one highly relevant, false one?",
        aim="With several aspects some pairs of documents have no natural order; a distance is a value judgement.",
        works=("Maistro et al. 2021", "Palotti et al. 2018", "Lioma et al. 2017"),
        items=(("aspects", "table3"), ("aspects", "figure2")),
    ),
    Unit(
        minutes=12,
        page="lab_aggregation",
        case="dl2021",
        then="aggregation",
        discuss="Which topics should count most: those on which systems differ, or all alike?",
        aim="The choice of mean can decide which system wins.",
        works=("Ravana & Moffat 2009", "Webber, Moffat & Zobel 2008"),
        items=(("means", "table1"), ("means", "table3")),
    ),
    Unit(
        minutes=8,
        page="conclusion",
        aim="Back to the vote: which choice decided, and what would you write in a paper?",
    ),
)
DOIS = {
    "Steegen et al. 2016": "10.1177/1745691616658637",
    "Simonsohn, Simmons & Nelson 2020": "10.1038/s41562-020-0912-z",
    "Buckley & Voorhees 2005": "C. Buckley and E. M. Voorhees, Retrieval System Evaluation. In: TREC: Experiment and "
    "Evaluation in Information Retrieval, chapter 3.",
    "Cabanac et al. 2010": "10.1007/978-3-642-15998-5_13",
    "McSherry & Najork 2008": "10.1007/978-3-540-78646-7_38",
    "Chen & Sakai 2023": "10.48550/arXiv.2307.02936",
    "Moffat & Zobel 2008": "10.1145/1416950.1416952",
    "Chapelle et al. 2009": "10.1145/1645953.1646033",
    "Ferrante et al. 2019": "10.1007/s10791-019-09362-z",
    "Stevens 1946": "10.1126/science.103.2684.677",
    "Ferrante et al. 2014": "10.1007/978-3-319-11382-1_3",
    "Robertson, Kanoulas & Yilmaz 2010": "10.1145/1835449.1835550",
    "Maistro et al. 2021": "10.1145/3459637.3482287",
    "Palotti et al. 2018": "10.1145/3269206.3269261",
    "Lioma et al. 2017": "10.1145/3121050.3121072",
    "Ravana & Moffat 2009": "S. D. Ravana and A. Moffat, Score Aggregation Techniques in Retrieval Experimentation. "
    "Twentieth Australasian Database Conference (CRPIT volume 92), 2009.",
    "Webber, Moffat & Zobel 2008": "10.1145/1390334.1390346",
}  #: of the works of the plan, as docs/bibliography.md has them; all that it says of one without a DOI
FURTHER = {
    "Ferrante, Ferro & Fuhr 2021": "10.48550/arXiv.2101.02668",
    "Ferrante, Ferro & Maistro 2015": "10.1145/2808194.2809452",
    "Fuhr 2017": "10.1145/3190580.3190586",
    "Harman 1992": "10.1016/0306-4573(92)90001-G",
    "Moffat 2022": "10.48550/arXiv.2207.03103",
    "Sakai 2007": "10.1145/1277741.1277756",
    "Sakai 2020": "10.1145/3451964.3451976",
    "Zhang et al. 2020": "F. Zhang, J. Mao, Y. Liu, X. Xie, W. Ma, M. Zhang and S. Ma, Models Versus Satisfaction: "
    "Towards a Better Understanding of Evaluation Metrics. SIGIR 2020, 379–388.",
}  #: of the other works that labs name as their sources
PREREQUISITES = (
    "What a test collection is: topics, judgments, runs of systems.",
    "Precision and recall at a rank.",
    "The mean, and the question that a significance test answers.",
)
HANDING_OUT = (
    "Set the controls of a page to the start of the exercise, then choose **Share → Exercise**: title, text, a number "
    "to predict before the results are shown, locked controls, and in a lab a goal. The link contains all of it; the "
    "server keeps nothing. An address such as `localhost` opens on your computer only: for a room, start irviz with "
    "`irviz app --address 0.0.0.0`, and put the computer's name in its place."
)


FOR_THE_TEACHER = (
    "The minutes are for the guess, the number that is dragged and the three goals; about four minutes of each part, "
    "the first and the last one too, are left for what there is to discuss. A class votes on the guess by hands, and "
    "you drag. The notes of a lab have what there is to say, what pupils say instead, and for each goal a way to "
    "reach it."
)


def course_markdown(make_link: MakeLink, heading_sign: str = "##") -> str:
    """The course; `make_link` makes a link from words and a view, `heading_sign` begins its highest headings."""
    minutes, last = sum(unit.minutes for unit in PLAN), sum(unit.minutes for unit in PLAN[-3:-1])
    parts = [
        f"{heading_sign} Course plan for teachers\n\nThe plan takes {minutes} minutes, and {minutes - last} without "
        "its last two labs. Every lab is a link; nobody needs an account.",
        f"{heading_sign}# Prerequisites\n\n" + "\n".join(f"- {prerequisite}" for prerequisite in PREREQUISITES),
        f"{heading_sign}# The plan\n\n{_plan(make_link)}",
        f"{heading_sign}# Minutes and notes\n\n{FOR_THE_TEACHER}",
        f"{heading_sign}# Exercises\n\n{HANDING_OUT}",
        f"{heading_sign} Reading\n\n" + "\n".join(f"- {_work(name)}" for name in works()),
        f"{heading_sign} Terms\n\n"
        + "\n".join(f"- **{term.word}**: {term.meaning}" for term in (*TERMS, *_measures())),
    ]
    return "\n\n".join(parts) + "\n"


def _measures() -> list[Term]:
    """The measures that the labs are about."""
    texts = " ".join(f"{lab.text} {' '.join(lab.notes)}" for lab in LABS)
    return [term for term in measure_terms() if re.search(term.pattern, texts)]


def works() -> list[str]:
    """Every work of the plan, once."""
    return list(dict.fromkeys(name for unit in PLAN for name in unit.works))


def _work(name: str) -> str:
    doi = DOIS[name]
    return f"{name}: [doi:{doi}](https://doi.org/{doi})" if is_doi(doi) else f"{name}: {doi} It has no DOI."


def is_doi(text: str) -> bool:
    """True for a DOI, not the words for a work without one."""
    return text.startswith("10.")


def _plan(make_link: MakeLink) -> str:
    rows, start = [], 0
    for unit in PLAN:
        when, title = f"**{start}–{start + unit.minutes} min**", page_named(unit.page).title
        rows.append(f"- {when} {make_link(title, unit.view)}: {unit.aim}{_more(unit, make_link)}")
        start += unit.minutes
    return "\n".join(rows)


def _more(unit: Unit, make_link: MakeLink) -> str:
    """Further links of a lab: the collection with its case, the tables of the papers, the page of the analysis."""
    ways = []
    title = next((entry.title for entry in bundled_collections() if entry.name == unit.case), "")
    for paper_key, item in unit.items:
        paper = next(paper for paper in PAPERS if paper.key == paper_key)
        name = next(it.name for it in paper.items if it.key == item)
        ways.append(make_link(f"{name} of {paper.cite}", View("findings", (("row", f"{paper_key}.{item}"),))))
    if unit.then and unit.case:
        where = f"page *{page_named(unit.then).title}* on {title}"
        ways.append(make_link(where, View.from_texts(unit.then, collection=unit.case)))
    elif unit.then:
        ways.append(make_link(f"page *{page_named(unit.then).title}*", View(unit.then)))
    further = f"  \n  Further: {join_words(ways, most=9, joiner='and')}." if ways else ""
    return f"{further}  \n  To discuss: {unit.discuss}" if unit.discuss else further


def teacher_notes(lab: Screen, make_link: MakeLink, safe: Callable[[str], str] = str) -> str:
    """What a teacher can say about a lab, and its goals with a view that reaches each; `safe` escapes for Markdown."""
    notes = [f"- {safe(note)}" for note in lab.notes]
    for goal in lab.goals:
        answer = make_link("An answer", view_of_texts(lab, {}, goal.solution))
        notes.append(f"- Goal: {safe(goal.title)} {safe(goal.hint)} {answer}.")
    return "\n".join(notes)


def _in_code(words: str, view: View) -> str:
    return f"{words} (`{view.to_url()}`)"


def course_document() -> str:
    """The text of ``docs/teaching.md``; its addresses are relative to the dashboard's own."""
    body = course_markdown(_in_code)
    notes = "\n\n".join(f"## Notes on {lab.title}\n\n{teacher_notes(lab, _in_code)}" for lab in LABS)
    return (
        f"# Teaching with irviz\n\n{body}\n{notes}\n\n"
        "The [bibliography](bibliography.md) lists the works in full. "
        "This document is generated from `irviz/publish/course.py`; the dashboard shows it as *Course for teachers*.\n"
    )


if __name__ == "__main__":
    import sys

    sys.stdout.write(course_document())
