"""Tables as files: full precision where a program reads, escaped where LaTeX does."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.display import tex
from irviz.multiverse.report import grid, signed
from irviz.publish.export import to_csv, to_json, to_latex
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.scores import Scores

FRAME = pd.DataFrame({"system": ["a_b & c", "<x>"], "score": [1 / 3, float("nan")], "rank": [1, 2]})


def test_csv_keeps_every_digit():
    assert to_csv(FRAME) == b"system,score,rank\na_b & c,0.3333333333333333,1\n<x>,,2\n"


def test_json_keeps_every_digit_and_says_null():
    assert json.loads(to_json(FRAME)) == [
        {"system": "a_b & c", "score": 1 / 3, "rank": 1},
        {"system": "<x>", "score": None, "rank": 2},
    ]


def test_only_1_is_written_as_1():
    """One pair of 7,875 turns: τ is .9997, which once was printed as 1.00."""
    order = np.arange(126.0)
    turned = np.concatenate([[1.0, 0.0], order[2:]])
    names = tuple(map(str, range(126)))
    found = irviz.similarity(Scores(np.stack([order, turned])[:, None], ("A", "B"), ("1",), names))
    assert b"0.9997" in to_latex(found.matrix(), 2)


def test_latex_escapes_and_rounds():
    assert to_latex(FRAME, digits=3).decode().splitlines()[7:9] == [
        r"a\_b \& c & 0.333 & 1 \\",
        r"\textless{}x\textgreater{} & -- & 2 \\",
    ]


def test_an_absent_whole_number_is_null_or_nothing():
    frame = pd.DataFrame({"line": pd.array([3, None], dtype="Int64")})
    assert json.loads(to_json(frame)) == [{"line": 3}, {"line": None}]
    assert to_latex(frame).decode().splitlines()[7:9] == [r"3 \\", r" \\"]


def test_no_name_is_a_formula_in_a_spreadsheet():
    names = ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "x=1", "'x", ""]
    frame = pd.DataFrame({"=system": names, "score": [-1.5] * len(names)})
    read = pd.read_csv(io.BytesIO(to_csv(frame)), keep_default_na=False)
    assert list(read.columns) == ["'=system", "score"]
    assert read["'=system"].tolist() == ["'=1+1", "'+x", "'-x", "'@x", "'\tx", "' x", "x=1", "'x", ""]
    assert read["score"].tolist() == [-1.5] * len(names)
    assert [row["=system"] for row in json.loads(to_json(frame))] == names


def test_columns_of_one_name_stay_two():
    frame = pd.DataFrame([[1, "a"], [2, "=b"]], columns=["x", "x"])
    assert to_csv(frame) == b"x,x\n1,a\n2,'=b\n"


# LaTeX holds irviz's own signs as commands only, and is a document that pdflatex takes where it is installed.


ROOT = Path(irviz.__file__).parent
KNOWN = re.compile(r"\\(?:[a-zA-Z]+|[^a-zA-Z\s])")


def own_signs() -> set[str]:
    """Every sign that is not ASCII in a file of irviz's, and so in a text of it."""
    texts = (file.read_text(encoding="utf-8") for file in ROOT.rglob("*.py") if file.parent.name != "ui")
    signs = {sign for text in texts for sign in text if not sign.isascii()}
    letters = "τκεαβγρλμσφ…–−×·±→≈≥≤≠"
    return {sign for sign in signs if unicodedata.name(sign, "").startswith(("GREEK", "LATIN"))} | {*letters}


def tables() -> dict[str, str]:
    """LaTeX of every kind that irviz writes, of data whose names are as bad as they can be."""
    topics = [str(number) for number in range(6)]
    bad = {"τ_κ & ε": 0.1, "a\\b{c}$%#^~<>|": 0.2, "é–x": 0.3}
    rows = {name: [start + 0.1 * (i * 7 % 5) * start for i in range(6)] for name, start in bad.items()}
    one = pd.DataFrame(rows, index=topics)
    matrices = {"M0": one, "Mτ_1": 1 - one, "M2": one * one}
    given = {name: ("m.csv", matrix.to_csv(index_label="topic").encode()) for name, matrix in matrices.items()}
    scores = irviz.load_scores(given)
    worlds = irviz.worlds(scores, average=["mean", "geometric"], test=["t", "bootstrap"], topics=["all"])
    held = irviz.conclusion(scores, "`τ_κ & ε` > `a\\b{c}$%#^~<>|`", worlds, trials=9, exchanges=9)
    differences = signed(grid(held)).reset_index()
    found = {
        "conclusion": to_latex(differences, caption=held.headline).decode(),
        "frame": to_latex(one.reset_index()).decode(),
    }
    for name in COEFFICIENTS:
        for by in ("overall", "topic"):
            square = irviz.similarity(scores, by=by, coefficient=name).matrix().reset_index()
            found[f"{name} {by}"] = to_latex(square, 2, f"τ_{by}", f"tab:{by}").decode()
    return found


def test_every_sign_of_irviz_is_a_command():
    assert {sign for sign in own_signs() if not tex(sign).isascii()} == set()


@pytest.mark.parametrize(("kind", "text"), tables().items(), ids=lambda one: one if len(one) < 20 else "")
def test_latex_is_ascii_and_balanced(kind, text):
    assert text.isascii()
    bare = KNOWN.sub("", text)
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    assert text.count("\\begin{") == text.count("\\end{")
    if kind not in ("conclusion", "frame"):
        assert r"\caption{$\tau$" in text and r"\label{tab:" in text
        body = text.split("\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
        assert len(body) == 3 and all(line.replace("\\&", "").count("&") == 3 for line in body)


def test_pdflatex_takes_it(tmp_path):
    find = shutil.which("kpsewhich")  # beside pdflatex: whether the package of tables is there, too
    if shutil.which("pdflatex") is None or find is None or subprocess.call([find, "booktabs.sty"]):
        pytest.skip("pdflatex with booktabs is not installed: LaTeX was read, not compiled")
    whole = "\n".join(tables().values())
    page = f"\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}{whole}\\end{{document}}"
    (tmp_path / "a.tex").write_text(page)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
