"""What is copied as Python or as a command gives the numbers on the screen."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from functools import cache

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.cli.main import main
from irviz.collection.catalogue import open_collection
from irviz.menu import PAGES
from irviz.publish.code import command, file_of, python_code, render_command
from irviz.publish.draw import ViewContent, draw
from irviz.workspace.data import library, opened_collection, opened_scores
from irviz.workspace.view import View
from tests.panels import from_command, opened_once

OPENER = library()
LINKS = {
    "scores": [
        "",
        "measure=ERR@20&summary=geometric&eps=0.01",
        "depth=20&topics=401,402,405&measure=P@10",
        "ties=file",
    ],
    "similarity": ["", "coefficient=tau_ap&summary=median&measures=AP,P@10,RBP(p=0.5)&topics=401,402,403,404"],
    "consistency": [
        "trials=50&which=hardest",
        "trials=60&seed=7&alpha=0.1&coefficient=pearson&summary=geometric&measures=AP,RR",
    ],
    "discriminative": ["trials=100", "method=kruskal_tukey&measures=AP,SBTO@10", "method=anova_tukey&alpha=0.01"],
    "incomplete": [
        "repeats=1&measures=AP,Bpref&systems=best",
        "method=uniform&rates=small&repeats=2&seed=3&measures=AP&depth=50",
    ],
}
LINKS["equal_steps"] = [
    "measures=RR@10,AP,P@10",
    "measures=RR@10,AP&lists=topic&test=wilcoxon&family=holm&alpha=0.1&cutoff=5&systems=best",
]
LINKS["what_if"] = [
    "trials=50&repeats=1&measures=AP,RBP(p=0.8)&before=RBP(p=0.5)",
    "trials=50&repeats=1&measure=P@10&measures=AP,P@10&summary=median&seed=3&depth=50&systems=best",
]
LINKS["conclusion"] = [
    "measures=AP,P@10&averages=mean,median&tests=t,sign&sets=all&families=pair&trials=100",
    "claim=top&k=3&measures=AP&tests=t&unjudged=condensed&sets=all&alpha=0.1&trials=100&seed=2&systems=top10",
]
ALL = [(page, link) for page, links in LINKS.items() for link in links]
RECIPES = {page.name: page.snippet for page in PAGES if page.snippet is not None}
OTHERS = [page.name for page in PAGES if page.name not in RECIPES]


@cache
def drawn(page: str, link: str) -> ViewContent:
    shown = draw(View.from_url(f"/{page}?v=8&collection=adhoc&{link}"), OPENER)
    assert shown.complaints == ()
    return shown


def ran(code: str) -> dict:
    names: dict = {}
    exec(code, names)
    return names


def printed(line: str) -> str:
    """The output of a command."""
    words = shlex.split(line)
    assert words[:3] == ["python", "-m", "irviz"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(words[3:]) == 0
    return out.getvalue()


def same_numbers(page: str, given: pd.DataFrame | pd.Series, screen: pd.DataFrame) -> None:
    """Every number of the screen's table is in the given one, row by row."""
    given = given.rename("score").reset_index() if isinstance(given, pd.Series) else given
    given = given.rename(columns=dict(zip(["score"], screen.columns[2:], strict=False)))
    if "world" in screen:  # without the choices that all worlds share
        return pd.testing.assert_frame_equal(
            screen.drop(columns="world"), given[[*screen.columns[1:]]], check_dtype=False
        )
    keys = [name for name in ("system", "reference", "measure", "rate", "repeat") if name in screen and name in given]
    assert keys, f"no column of {list(screen)} tells rows apart; pairs of measures are `reference` and `measure`"
    found = screen.merge(given, on=keys, how="left", suffixes=("", " (code)"), validate="one_to_one")
    pairs = (screen.columns[2], "value") if page == "similarity" else None
    shared = [name for name in screen.columns if f"{name} (code)" in found]
    checks = [pairs] if pairs else [(name, f"{name} (code)") for name in shared]
    assert checks
    for screened, coded in checks:
        np.testing.assert_array_equal(found[screened], found[coded])


@pytest.mark.parametrize(("page", "link"), ALL)
def test_python_gives_the_numbers_on_the_screen(page, link):
    shown = drawn(page, link)
    table = ran(python_code(shown.view, shown.context, shown.values))["table"]
    same_numbers(page, table, shown.panel.tables[RECIPES[page].table].frame)


@pytest.mark.parametrize(("page", "link"), ALL)
def test_the_command_prints_the_numbers_on_the_screen(page, link):
    shown = drawn(page, link)
    text = printed(command(shown.view, shown.context, shown.values) + " --format json")
    given = pd.DataFrame(json.loads(text))
    screen = shown.panel.tables[RECIPES[page].table].frame
    if page == "discriminative":  # a row for every pair would be 78,750 of them at 126 systems
        assert len(given) == len(screen)
    same_numbers(page, given, screen)


@pytest.mark.parametrize("page", OTHERS)
def test_a_page_without_a_recipe_is_drawn_from_its_link(page):
    shown = drawn(page, "v=8&collection=adhoc")
    tables = ran(python_code(shown.view, shown.context, shown.values))["tables"]
    assert list(tables) == list(shown.panel.tables)
    for name, table in tables.items():
        pd.testing.assert_frame_equal(table, shown.panel.tables[name].frame)


@pytest.mark.parametrize("page", OTHERS)
def test_every_page_prints_its_tables(page):
    shown = drawn(page, "v=8&collection=adhoc")
    (one,) = json.loads(printed(command(shown.view, shown.context, shown.values)))
    assert one["sentence"] == shown.panel.sentence
    for name, table in shown.panel.tables.items():
        assert len(one["tables"][name]) == len(table.frame)


@pytest.mark.parametrize(
    ("page", "link"), [*ALL, ("scores", "measures=AP,RBP(p=0.5)&topics=401&baseline=scores?show%3Dbox")]
)
def test_a_view_survives_the_command_line(page, link):
    view = View.from_url(f"/{page}?v=8&collection=adhoc&{link}")
    context = drawn(page, "").context
    assert from_command(render_command(view, context)) == view


def test_loaded_data_are_named_by_file_and_fingerprint(tmp_path, monkeypatch):
    """The code reads the file that the Collection page saves, and refuses any other."""
    opened = opened_collection(opened_once("adhoc").subset(depth=20))
    monkeypatch.chdir(tmp_path)
    opened.collection.save(file_of(opened))
    shown = draw(View.from_texts("scores", collection=opened.key), library([opened]))
    code = python_code(shown.view, shown.context, shown.values)
    assert f"assert c.fingerprint.startswith({opened.collection.fingerprint[:16]!r})" in code
    same_numbers("scores", ran(code)["table"], shown.panel.tables["Systems"].frame)
    (one,) = json.loads(printed(render_command(shown.view, shown.context)))
    assert one["collection"]["fingerprint"] == opened.collection.fingerprint
    open_collection("multiaspect").save(file_of(opened))
    with pytest.raises(AssertionError):
        ran(code)


@pytest.mark.parametrize("page", ["scores", "similarity", "consistency", "discriminative", "aggregation"])
def test_imported_scores_are_named_by_their_files(page, tmp_path, monkeypatch):
    """Python and the command read the files of the score matrices, and give the numbers of the page."""
    monkeypatch.chdir(tmp_path)
    whole = irviz.score(opened_once("adhoc"), ["AP", "nDCG@10"]).select(topics=[str(n) for n in range(401, 421)])
    for name in whole.measures:
        whole[name].to_csv(f"{name}.csv")
    opened = opened_scores(irviz.load_scores({name: f"{name}.csv" for name in whole.measures}))
    more = {"trials": "20"} if page in ("consistency", "discriminative", "aggregation") else {}
    shown = draw(View.from_texts(page, collection=opened.key, **more), library([opened]))
    line = command(shown.view, shown.context, shown.values)
    assert line.endswith("--data AP.csv --data nDCG@10.csv --format json")
    (one,) = json.loads(printed(line))
    assert one["sentence"] == shown.panel.sentence and one["collection"]["key"] == opened.key
    found = ran(python_code(shown.view, shown.context, shown.values))
    if page in RECIPES:
        same_numbers(page, found["table"], shown.panel.tables[RECIPES[page].table].frame)
    else:
        for name, table in found["tables"].items():
            pd.testing.assert_frame_equal(table, shown.panel.tables[name].frame)
