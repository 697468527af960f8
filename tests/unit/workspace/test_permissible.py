"""The scale of a measure beside its scores: on the grades it sees, or why it is not known."""

from __future__ import annotations

import irviz
from irviz.measures import measure
from irviz.measures.judged import Topic
from irviz.stats.scales import scale_type
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.permissible import scale_found, scale_note
from irviz.workspace.view import settle
from tests.panels import opened_once


def context_of(opened: Dataset) -> Context:
    values, _ = settle(SIDEBAR_CONTROLS, {}, opened)
    return Context.of(opened, values)


def loaded(name: str) -> Context:
    return context_of(Dataset(name, name.title(), opened_once(name)))


def test_toma_is_on_the_scale_of_its_classes_not_of_the_first_aspects_grades():
    context = loaded("multiaspect")
    collection = context.opened.collection
    assert collection is not None
    label = "TOMA(RBP(p=0.2))"
    toma = measure(label)
    classes = len(toma.found(Topic(collection, 0)).distinct)  # type: ignore[attr-defined]
    assert classes > len(collection.grades[0])
    found = scale_found(context, label)[0]
    assert found is not None and found.kind == toma.scale_in(collection).kind  # type: ignore[attr-defined]
    assert found.kind == scale_type("RBP(p=0.2)", grades=classes, depth=2).kind == "neither"
    assert scale_type("RBP(p=0.2)", grades=len(collection.grades[0]), depth=2).kind == "ordinal"
    assert f"Scale, on its classes: equal steps of `{label}` need not mean" in scale_note(context, label)[0]


def test_every_aspect_has_its_own_grades():
    context = loaded("multiaspect")
    collection = context.opened.collection
    assert collection is not None
    for aspect in collection.aspects:
        label = f"RBP(p=0.2,aspect='{aspect}')"
        grades = collection.grades[collection.aspect_index(aspect)]
        found = scale_found(context, label)[0]
        assert found is not None and found.kind == measure(label).scale(grades).kind


def test_what_is_not_known_says_why():
    adhoc = loaded("adhoc")
    scale, why = scale_found(adhoc, "AP(aspect='trust')")
    assert scale is None and "trust" in why and not why.endswith(".")
    assert scale_note(adhoc, "AP(aspect='trust')") == (f"Scale: that of `AP(aspect='trust')` is not known: {why}.",)
    assert scale_found(adhoc, "AP")[1] == ""


def test_imported_scores_say_why():
    scores = irviz.score(opened_once("adhoc"), ["AP"])
    context = context_of(Dataset("scores", "Imported scores", imported=scores))
    assert scale_note(context, "AP") == (
        "Scale: that of `AP` is not known: imported scores do not say on which grades they were measured.",
    )
