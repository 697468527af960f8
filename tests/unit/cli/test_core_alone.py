"""irviz without its dashboard: what `pip install .` has scores and concludes, and imports nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import irviz
from irviz.cli.main import main
from irviz.measures.catalogue import MEASURES

BARE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""
APP = ("streamlit", "plotly", "tornado", "starlette")


def alone(*lines: str) -> subprocess.CompletedProcess[str]:
    """The output of a script in which the packages that it calls `absent` cannot be imported."""
    code = "\n".join((BARE, *lines))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def command(*words: str) -> str:
    """A line that runs ``irviz`` and writes its exit status where the output ends."""
    return f"print(main({json.dumps(words)}))"


def test_the_core_needs_no_dashboard_and_says_how_to_install_it():
    """One process after the other step: scores need not even scipy and joblib, what draws is refused."""
    given = ["--collection", "multiaspect", "--measures", "AP,nDCG@10"]
    few = ["--test", "t", "--family", "pair", "--average", "mean", "--trials", "20", "--part", "summary"]
    first, second, *_ = irviz.open_collection("multiaspect").systems
    dashboard = (["app"], ["render", "/scores"])
    ended = alone(
        f"absent = {(*APP, 'scipy', 'joblib')}",
        "import irviz",
        "print(*irviz.measures())",  # which pytest, collecting examples, binds to the package of that name
        "from irviz.cli.main import main",
        command("score", *given),
        f"absent = {APP}",
        command("conclusion", f"`{first}` > `{second}`", *given, *few),
        *(command(*words) for words in dashboard),
        "c = irviz.open_collection('adhoc')",
        "s = irviz.score(c.subset(c.topics[:8], c.systems[:4]), ['AP', 'nDCG@10'])",
        "print(irviz.findings(s).frame().applicable.sum() > 0, irviz.types.Findings.__name__)",
    )
    listed, _, printed = ended.stdout.partition("\n")
    assert listed.split() == [kind.symbol for kind in MEASURES], ended.stderr
    scores, _, rest = printed.partition("\n0\n")
    assert scores.startswith("measure,topic,system,score\n"), ended.stderr
    assert rest.startswith("what,value\n") and rest.endswith("\n0\n2\n2\nTrue Findings\n"), ended.stderr
    why = "is not installed. Install the dashboard and its figures: pip install '.[app]'"
    assert all(why in line for line in ended.stderr.splitlines()) and ended.stderr.count(why) == len(dashboard)


def test_importing_irviz_brings_no_page_and_the_version_needs_no_numpy():
    ended = alone(
        "absent = ('numpy', 'pandas', 'pyarrow')",
        "import irviz",
        "print({'plotly', 'streamlit', 'irviz.menu', 'numpy'} & set(sys.modules))",
        "from irviz.cli.main import main",
        command("--version"),
    )
    assert ended.stdout.startswith("set()\nirviz "), ended.stderr


# Output for other tools: trec_eval's lines, qrels, LaTeX, and an exit status for a pull request.


TREC_EVAL = Path(__file__).parents[4] / "shared" / "collections" / "trec_eval-tests"
OURS = {"map", "Rprec", "bpref", "recip_rank", "ndcg", "set_P", "set_recall", "set_F", "set_map"}
OURS |= {"num_q", "num_ret", "num_rel", "num_rel_ret"}
CUT = {"P", "recall", "ndcg_cut", "map_cut", "success"}
CLAIM = ["conclusion", "`A` > `B`", "--measures", "AP,P@5", "--average", "mean", "--test", "t"]


def shared() -> Path:
    if not TREC_EVAL.exists():
        pytest.skip("the tests of trec_eval are not at hand")
    return TREC_EVAL


def test_lines_are_those_of_trec_eval(capsys) -> None:
    folder = shared()
    wanted = []
    for line in (folder / "out.test.aq").read_text().splitlines():
        name = line.split()[0]
        kind, _, cutoff = name.rpartition("_")
        if name in OURS or (kind in CUT and cutoff.isdigit()):
            wanted.append(line)
    names = list(dict.fromkeys(line.split()[0] for line in wanted if not line.startswith("num_q")))
    assert len(names) > 30
    arguments = ["--qrels", str(folder / "qrels.test"), "--runs", str(folder / "results.test")]
    assert main(["score", *arguments, "--measures", ",".join(names), "--format", "trec_eval"]) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(wanted)


def test_order_of_the_lines_and_several_systems(tmp_path: Path, capsys) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "A").write_text("1 Q0 a 1 1 x\n")
    (tmp_path / "B").write_text("2 Q0 a 1 1 x\n")
    given = ["score", "--qrels", str(tmp_path / "q"), "--measures", "AP,nDCG@10", "--format", "trec_eval", "--runs"]
    assert main([*given, str(tmp_path / "A")]) == 0
    expected = [("map", "1", 1), ("ndcg_cut_10", "1", 1), ("map", "2", 0), ("ndcg_cut_10", "2", 0)]
    expected += [("map", "all", 0.5), ("ndcg_cut_10", "all", 0.5)]
    lines = [f"{n:<22}\t{t}\t{x:.4f}" for n, t, x in expected]
    assert capsys.readouterr().out.splitlines() == [*lines[:4], f"{'num_q':<22}\tall\t2", *lines[4:]]
    assert main([*given, str(tmp_path / "A"), str(tmp_path / "B")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines if line.startswith("runid")] == ["A", "B"]


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    topics = range(1, 13)
    (tmp_path / "q").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n" for t in topics))
    for name, docs in (("A", "ab"), ("B", "ba")):
        lines = [f"{t} Q0 {d} {r} {-r} x\n" for t in topics for r, d in enumerate(docs[:: 1 - 2 * (t == 3)], 1)]
        (tmp_path / name).write_text("".join(lines))
    return ["--qrels", str(tmp_path / "q"), "--runs", str(tmp_path / "A"), str(tmp_path / "B")]


def test_a_condition_sets_the_exit_status(two: list[str], capsys) -> None:
    assert main([*CLAIM, *two, "--part", "summary", "--fail-unless", "holds > 0"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*CLAIM, *two, "--part", "summary", "--fail-unless", "reversed >= 80%"]) == 1
    said = capsys.readouterr()
    assert "holds_significantly" in said.out
    assert "`reversed >= 80%`" in said.err and "reversed is 0." in said.err
    assert said.err.count("\n") == 1
    assert main([*CLAIM, *two, "--part", "joint", "--fail-unless", "joint <= 0.05"]) == 0
    assert main([*CLAIM[:1], "B > A", *two, "--part", "joint", "--fail-unless", "joint <= 0.05"]) == 1
    capsys.readouterr()
    for wrong in ("holds", "held >= 0.8", "holds >= 8"):
        assert main([*CLAIM, *two, "--fail-unless", wrong]) == 2
        assert capsys.readouterr().out == ""


def test_an_undecided_claim_exits_with_3_and_says_the_topics_needed(two: list[str], tmp_path: Path, capsys) -> None:
    (tmp_path / "q").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n" for t in range(1, 5)))
    c = irviz.load_collection(tmp_path / "q", [tmp_path / "A", tmp_path / "B"])
    needed = irviz.power(irviz.score(c, "AP")["AP"]).needed[0, 0, 1]
    conditions = ["--fail-unless", "holds >= 40%", "--fail-unless", "joint <= 0.05"]
    assert main([*CLAIM, *two, "--format", "markdown", *conditions]) == 3
    said = capsys.readouterr()
    assert f"topics needed: {needed:.3g}" in said.err
    lines = said.out.splitlines()
    assert lines[0].startswith("### ") and "| evidence | too few topics |" in lines
    assert len({line.count("|") for line in lines[2:]}) == 1


def test_ratings_of_a_judge_come_back(tmp_path: Path, capsys) -> None:
    book = "query,docid,Ann,Ben\nq,a,2,0\nq,b,-1,\nr,a,0,1\n"
    (tmp_path / "book.csv").write_text(book)
    (tmp_path / "x").write_text("q Q0 a 1 1 x\n")
    given = ["ratings", "--qrels", str(tmp_path / "book.csv"), "--runs", str(tmp_path / "x"), "--judges"]
    assert main(given) == 0
    assert capsys.readouterr().out == "query,docid,rating\nq,a,2\nq,b,-1\nr,a,0\n"
    assert main([*given, "--judge", "Ben", "--format", "qrels"]) == 0
    out = capsys.readouterr().out
    assert out == "q 0 a 0\nr 0 a 1\n"
    again = irviz.load_collection(("q", out.encode()), ("x", b"q Q0 a 1 1 x\n"))
    assert again.ratings()["grade"].tolist() == [0.0, 1.0]
    (tmp_path / "blank.csv").write_text("query,docid,rating\nblue shoes,a,1\n")
    given[2] = str(tmp_path / "blank.csv")
    (tmp_path / "x").write_text("query,docid,position\nblue shoes,a,1\n")
    assert main([*given[:-1], "--format", "qrels"]) == 2
    assert "no identifier with blanks" in capsys.readouterr().err
