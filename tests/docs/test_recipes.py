"""The recipes run as they stand on files of the names they use."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.cli.main import main
from irviz.measures.catalogue import MEASURES
from irviz.measures.language.base import REGISTRY

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^## ([^\n]+)\n.*?^```(python|sh)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
PYTHON = {title: code for title, language, code in BLOCKS if language == "python"}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Qrels, runs, results of other tools and tables, in the folder that the recipes run in."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    topics = [str(topic) for topic in range(1, 13)]
    Path("qrels.txt").write_text("".join(f"{t} 0 d{i} {int(i < 4)}\n" for t in topics for i in range(10)))
    for folder, names in (("", ("new.run", "old.run")), ("runs", ("bm25.run", "dense.run", "mixed.run"))):
        (tmp_path / folder).mkdir(exist_ok=True)
        for place, name in enumerate(names):
            lists = {t: np.argsort(np.arange(10) + rng.normal(0, 4 + 3 * place, 10)) for t in topics}
            lines = [f"{t} Q0 d{d} {r} {10 - r} x\n" for t, list_ in lists.items() for r, d in enumerate(list_, 1)]
            (tmp_path / folder / name).write_text("".join(lines))
    rows = [(n, t, m, rng.random()) for n in ("bm25", "dense") for t in topics for m in ("map", "ndcg_cut_10")]
    pd.DataFrame(rows, columns=["name", "qid", "measure", "value"]).to_csv("per_query.csv", index=False)
    (tmp_path / "trec_eval_output").mkdir()
    for name in ("a", "b"):
        text = "".join(f"map\t{t}\t{rng.random():.4f}\n" for t in topics)
        (tmp_path / "trec_eval_output" / name).write_text(text)
    queries = [f"q{i}" for i in range(12)]
    ratings = [f"{q},d{g},{g}\n" for q in queries for g in range(3)]
    Path("judgments.csv").write_text("query,docid,rating\n" + "".join(ratings))
    orders = {"new": (2, 1, 0), "old": (0, 1, 2)}
    found = [f"{q},d{g},{p},{s}\n" for s, order in orders.items() for q in queries for p, g in enumerate(order, 1)]
    Path("results.csv").write_text("query,docid,position,system\n" + "".join(found))
    return tmp_path


@pytest.fixture
def own_measures(monkeypatch):
    """Measures that a test registers are forgotten after it."""
    monkeypatch.setitem(REGISTRY, "measure", dict(REGISTRY["measure"]))
    known = [*MEASURES]
    yield
    MEASURES[:] = known


@pytest.mark.parametrize("title", PYTHON)
def test_a_recipe_in_python_runs_and_is_short(files, own_measures, capsys, title):
    code = PYTHON[title]
    (files / "recipe.py").write_text(code)
    runpy.run_path("recipe.py", run_name="recipe")
    printed = capsys.readouterr().out
    assert printed or (files / "table.tex").read_text().count("textbf") == 3
    if title != "A measure of your own":
        assert sum(bool(line.strip()) for line in code.splitlines()) <= 12


def test_the_gate_passes_where_the_claim_holds(files, capsys):
    ((_, _, line),) = [block for block in BLOCKS if block[1] == "sh"]
    assert main(shlex.split(line)[1:]) == 0
    assert main([*shlex.split(line.replace("new > old", "old > new"))[1:]]) == 1
    assert "old" in capsys.readouterr().out


def test_the_table_in_the_shell_is_that_of_the_library(files, capsys):
    (words,) = re.findall(r"`irviz (table [^`]*)`", DOCUMENT)
    assert main(shlex.split(words)) == 0
    s = irviz.score(irviz.load_collection("qrels.txt", "runs/"), ["AP", "nDCG@10"])
    assert capsys.readouterr().out == irviz.compare(s, "bm25.run").table().latex() + "\n"
