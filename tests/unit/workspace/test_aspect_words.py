"""Where a collection has several aspects, sentences and titles say which one the numbers are of."""

from __future__ import annotations

import re

import pytest

from irviz.menu import PAGES
from irviz.publish.draw import draw
from irviz.workspace.data import library
from irviz.workspace.view import View

OPENER = library()
#: the pages whose numbers are of one aspect, among them one that chooses its measures itself
MEASURED = [page.name for page in PAGES if "measures" in page.uses and not page.lab and page.name != "conclusion"] + [
    "cwla"
]
FEW = {"trials": "100", "topics": "1,2,3,4,5,6", "measures": "AP,P@5"}


def panel(name: str, **texts: str):
    few = {key: text for key, text in FEW.items() if key != "trials" or name in ("consistency", "discriminative")}
    return draw(View.of(name, **{"collection": "multiaspect", **few, **texts}), OPENER).panel


@pytest.mark.parametrize("name", MEASURED)
def test_the_aspect_stands_in_the_sentence_and_in_every_title(name):
    found = panel(name)
    assert found.sentence.endswith(" The aspect is relevance.")
    titles = [one.title for row in found.drawings for one in row.values()]
    assert titles and all(re.search(r"\brelevance\b", title) for title in titles)
    assert not any(title.endswith(". (relevance)") or title.count("relevance") > 1 for title in titles)


def test_a_measure_of_all_aspects_and_a_named_one_have_none_to_add():
    several, named = "CAM(AP,p=[0.5,0.3,0.2])", "AP(aspect='credibility')"
    for name in (several, named):
        assert "aspect is" not in panel("scores", measures=name).sentence
    assert panel("similarity", measures=f"AP,{several}").sentence.endswith("that name no aspect look at relevance.")


@pytest.mark.parametrize(("judges", "said"), [("", ""), ("credibility", "credibility"), ("relevance,credibility", "")])
def test_worlds_of_several_aspects_are_not_said_to_be_of_one(judges, said):
    found = panel("conclusion", trials="100", tests="t", sets="all", **({"judges": judges} if judges else {}))
    assert ("The aspect is" in found.sentence) == bool(said) and found.sentence.endswith(f"is {said}." if said else ".")
    assert all(one.title.endswith(f"({said})") == bool(said) for row in found.drawings for one in row.values())


def test_one_aspect_is_not_named():
    assert "aspect" not in panel("scores", collection="adhoc", topics="401,402").sentence
