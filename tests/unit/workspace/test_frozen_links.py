"""Links that people have keep their meaning: defaults and options of every version of their words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irviz.measures import measure
from irviz.menu import PAGES
from irviz.publish.code import python_code
from irviz.publish.draw import draw
from irviz.workspace import view as links
from irviz.workspace.context import DEFAULT_MEASURES, OF_TRACKS, TRACKS
from irviz.workspace.control import Choice
from irviz.workspace.data import library
from irviz.workspace.measure_facts import relevant_from
from irviz.workspace.view import View, in_present_words
from tests.unit.workspace.frozen_links import advice, differences, frozen, path_of, present, unwritten

VERSIONS = range(1, links.SCHEMA + 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_links_keep_their_meaning(version):
    wrong = differences(version, frozen(version))
    assert not wrong, "\n".join([*wrong, advice(version)])


def test_every_control_is_written_down():
    new = unwritten(frozen(links.SCHEMA))
    assert not new, (
        f"{path_of(links.SCHEMA).name} does not hold {', '.join(new)}. Run "
        "`python -m tests.unit.workspace.frozen_links`, and commit the file: from then on these defaults and "
        "options are kept."
    )


def test_every_older_version_has_its_upgrade():
    assert sorted(links.MEANING) == list(VERSIONS)[:-1]
    assert [version for version in VERSIONS if not path_of(version).exists()] == []


# -- that these tests can fail -------------------------------------------------------------


def changed(**of_show):
    """The pages, with another `show` on Scores."""
    scores = next(page for page in PAGES if page.name == "scores")
    controls = tuple(replace(one, **of_show) if one.name == "show" else one for one in scores.controls)
    return tuple(replace(page, controls=controls) if page is scores else page for page in PAGES)


SHOW = next(one for page in PAGES if page.name == "scores" for one in page.controls if one.name == "show")


def test_another_default_is_named_with_what_to_do():
    wrong = differences(1, frozen(1), changed(default="box"))
    assert wrong == [
        f"`show` of the page scores (collection {name}): a link without it meant `ranking` and now means `box`"
        for name in ("adhoc", "multiaspect")
    ]
    assert advice(links.SCHEMA).startswith(f"Links of version {links.SCHEMA} that people have must keep their meaning.")
    assert f"raise SCHEMA to {links.SCHEMA + 1} and add MEANING[{links.SCHEMA}]" in advice(links.SCHEMA)


def test_an_option_that_goes_is_named():
    assert isinstance(SHOW, Choice)
    left = tuple(option for option in SHOW.options if option[0] != "ecdf")
    first, _ = differences(1, frozen(1), changed(options=left))
    assert first.startswith("`show` of the page scores (collection adhoc): a link with `ecdf` is no longer understood")


def test_a_control_that_goes_is_named():
    (first, *_) = differences(1, frozen(1), changed(name="figure"))
    assert first == (
        "`show` of the page scores (collection adhoc): a link with `ranking` is no longer understood: "
        "The link sets `show`, which this page does not know; it is left out."
    )


def test_a_page_that_goes_is_named():
    wrong = differences(1, frozen(1), tuple(page for page in PAGES if page.name != "cwla"))
    assert "`seed` of the page cwla (collection adhoc): there is no such page any more" in wrong


def test_a_collection_that_goes_is_named():
    written = {"gone": {"scores?show": {"default": "ranking", "options": ["ecdf"]}}, "expressions": {}}
    assert differences(1, written) == [
        "`show` of the page scores (collection gone): a link without it meant `ranking` and now means `None`",
        "`show` of the page scores (collection gone): a link with `ecdf` is no longer understood: "
        "the collection gone is not bundled any more",
    ]


def test_another_default_of_a_parameter_is_named():
    written = frozen(1)
    written["expressions"]["RBP"] = {**written["expressions"]["RBP"], "p": "0.95"}
    assert differences(1, written) == ["`p` of RBP: where a link left it out it meant `0.95`, now `0.8`"]


def test_what_is_new_must_be_written_down():
    written = {name: dict(places) for name, places in present().items()}
    del written["adhoc"]["scores?show"]
    written["multiaspect"]["cwla?show"] = {"default": "tau", "options": ["tau"]}
    assert unwritten(written) == ["scores?show (adhoc)", "cwla?show=mean", "cwla?show=consistency", "cwla?show=power"]


# -- an upgrade ------------------------------------------------------------------------------


def test_an_upgrade_keeps_what_a_changed_default_would_lose(monkeypatch):
    """Version 2 draws boxes by default and calls the ranking `order`; links of version 1 still mean a ranking."""
    assert isinstance(SHOW, Choice)
    options = tuple(("order" if value == "ranking" else value, words) for value, words in SHOW.options)
    pages = changed(default="box", options=options)
    monkeypatch.setattr(links, "SCHEMA", 2)
    monkeypatch.setitem(links.MEANING, 1, lambda page, texts: texts)
    lost = differences(1, frozen(1), pages)
    assert any("without it meant `ranking` and now means `box`" in one for one in lost)
    assert any("with `ranking` is no longer understood" in one for one in lost)

    def meant(page: str, texts: dict[str, str]) -> dict[str, str]:
        if page != "scores":
            return texts
        show = texts.get("show", "ranking")
        return {**texts, "show": "order" if show == "ranking" else show}

    monkeypatch.setitem(links.MEANING, 1, meant)
    kept = [one for one in differences(1, frozen(1), pages) if "of the page scores" in one]
    assert kept == [  # the same ranking, under its new name
        f"`show` of the page scores (collection {name}): a link without it meant `ranking` and now means `order`"
        for name in ("adhoc", "multiaspect")
    ]
    assert View.from_url("/scores?v=2") == View.from_texts("scores") and View.from_url("/cwla?v=1") == View.from_texts(
        "cwla"
    )
    assert advice(1).startswith("MEANING[1] in irviz/workspace/view.py must say what was meant")


def test_upgrades_follow_each_other(monkeypatch):
    """And a view inside a view, the baseline, is of its own version."""
    monkeypatch.setattr(links, "SCHEMA", 3)
    monkeypatch.setitem(links.MEANING, 1, lambda page, texts: {"show": "ranking", **texts})
    monkeypatch.setitem(links.MEANING, 2, lambda page, texts: {"depth": "20", **texts})
    assert View.from_url("/scores?v=1").values == {"depth": "20", "show": "ranking"}
    assert View.from_url("/scores?v=2").values == {"depth": "20"}
    assert View.from_url("/scores?v=3").values == {}
    shown = draw(View.from_url("/scores?v=3&measure=AP&baseline=scores%3Fv%3D2%26measure%3DAP"), library())
    assert shown.baseline is not None
    assert shown.baseline.notes[0] == "Since the baseline: Ranking depth `20`, now `100`."


def test_without_a_version_a_link_is_of_the_present_one(monkeypatch):
    """A link of the dashboard always says its version; one that a person wrote is in the words they see now."""
    monkeypatch.setattr(links, "SCHEMA", 2)
    monkeypatch.setitem(links.MEANING, 1, lambda page, texts: {"show": "ranking", **texts})
    assert View.read_url("/scores?depth=10") == (View.from_texts("scores", depth="10"), [])
    assert in_present_words("scores", {"depth": "10"}) == ({"depth": "10"}, [])
    assert View.from_json('{"page": "scores", "values": {"depth": "10"}}') == View.from_texts("scores", depth="10")
    assert View.from_texts("scores").to_query() == "v=2"


def test_links_of_version_1_still_open_the_page_and_the_collection_they_meant():
    assert View.from_url("http://host/?v=1&measure=AP") == View.from_texts("scores", collection="adhoc", measure="AP")
    assert View.from_url("/similarity?v=1") == View.from_texts("similarity", collection="adhoc")
    assert View.from_url("/scores?v=1&collection=multiaspect") == View.from_texts("scores", collection="multiaspect")
    assert View.from_url("/?v=2").page == ""


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_links_from_before_a_tracks_grade_was_the_default_count_from_grade_1(version):
    """TREC DL 2021 opens with `AP(rel=2)`; older links that name no measures meant `AP`, others are left alone."""
    meant = ",".join(DEFAULT_MEASURES)
    for link in ("", "&collection=dl2021"):
        assert View.from_url(f"/scores?v={version}{link}").values["measures"] == meant
    assert "measures" not in View.from_url(f"/scores?v={version}&collection=adhoc").values
    assert View.from_url(f"/scores?v={version}&measures=RR").values == {"measures": "RR"}
    assert View.from_url(f"/scores?v={version}&s=share").values == {"s": "share"}  # its view has its own version


def test_a_tracks_default_counts_from_its_grade_in_binary_measures():
    for key, defaults in OF_TRACKS.items():
        grades = [relevant_from(measure(one)) for one in defaults]
        assert [
            replace(measure(one), rel=1) if grade else measure(one) for one, grade in zip(defaults, grades, strict=True)
        ] == [measure(one) for one in DEFAULT_MEASURES]
        assert {grade for grade in grades if grade} == {TRACKS[key]}
    shown = draw(View.from_texts("scores"), library())
    assert "['AP(rel=2)']" in python_code(shown.view, shown.context, shown.values)
