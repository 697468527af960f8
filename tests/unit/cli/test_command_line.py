"""The command line: results on standard output, one line on standard error, exit 0 or 2."""

from __future__ import annotations

import argparse
import io
import json
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.cli.dashboard import address_of, opened_first, server_settings
from irviz.cli.data import collection
from irviz.cli.main import irviz as console
from irviz.cli.main import main, parser
from irviz.places import DATA
from irviz.publish.export import to_latex

SMALL_MEASURES = ["AP", "CWLA(C=RBP(p=0.8),A=PE(beta=0.5))@10"]
SMALL = ["--collection", "multiaspect", "--measures", ",".join(SMALL_MEASURES)]


LINT = [sys.executable, "-m", "irviz", "lint"]


def written(
    folder: Path, qrels: str = "1 0 a 1\n1 0 b 0\n", run: str = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"
) -> list[str]:
    """Options that name these judgments and this run, in files of the folder."""
    (folder / "qrels").write_text(qrels)
    (folder / "run").write_text(run)
    return ["--qrels", str(folder / "qrels"), "--runs", str(folder / "run")]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> pd.DataFrame:
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return pd.read_csv(io.StringIO(said.out), dtype={"topic": str})


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.strip()


def test_judges_and_what_people_would_find(capsys):
    c = irviz.open_collection("adhoc")
    first, second = c.systems[:2]
    table = printed(capsys, "judges", "--collection", "adhoc", "--measures", "AP", "--top", "10")
    assert table.tau.tolist() == irviz.judges(c, "AP", top=10).frame().tau.tolist()
    asked = ["prediction-powered", f"`{first}` > `{second}`", "--collection", "adhoc", "--measures", "AP,RR"]
    table = printed(capsys, *asked, "--judged", "9", "--seed", "2")
    expected = irviz.prediction_powered(c, "AP", f"`{first}` > `{second}`", topics=9, seed=2).frame()
    assert table[table.measure == "AP"].estimate.tolist() == expected.estimate.tolist()
    assert set(printed(capsys, *asked, "--judged", ",".join(c.topics[:7])).n) == {7}
    covered = printed(capsys, *asked, "--judged", "9", "--part", "coverage")
    assert covered.columns.tolist() == ["measure", "method", "coverage", "width"]
    assert "Give" in refused(capsys, *asked, "--part", "coverage")


def test_score_prints_what_the_library_computes(capsys):
    table = printed(capsys, "score", *SMALL)
    collection = irviz.open_collection("multiaspect")
    expected = irviz.score(collection, ["AP", "CWLA(C=RBP(p=0.8),A=PE(beta=0.5))@10"]).frame()
    assert list(table.columns) == ["measure", "topic", "system", "score"]
    assert table[["measure", "topic", "system"]].to_numpy().tolist() == expected.iloc[:, :3].to_numpy().tolist()
    np.testing.assert_allclose(table["score"], expected["score"], rtol=0, atol=0)


def test_score_summarised_has_a_row_a_system(capsys):
    table = printed(capsys, "score", *SMALL, "--summary", "geometric", "--eps", "0.1")
    matrix = irviz.score(irviz.open_collection("multiaspect"), "AP")["AP"]
    expected = irviz.summarise(matrix, "geometric", eps=0.1)
    shown = table[table["measure"] == "AP"].set_index("system")["score"]
    np.testing.assert_allclose(shown[expected.index], expected, rtol=0, atol=0)


def test_json_holds_the_same_numbers_as_csv(capsys):
    table = printed(capsys, "similarity", *SMALL)
    assert main(["similarity", *SMALL, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in rows] == table["value"].tolist()
    assert main(["similarity", *SMALL, "--format", "latex"]) == 0
    assert (
        capsys.readouterr().out
        == to_latex(
            irviz.similarity(irviz.score(irviz.open_collection("multiaspect"), SMALL_MEASURES)).frame()
        ).decode()
        + "\n"
    )


def test_pool_reduction_keeps_the_ranking_at_the_full_rate(capsys):
    table = printed(capsys, "pool-reduction", *SMALL, "--rates", "1,.3")
    whole = table[table["rate"] == 1.0]
    assert whole["tau"].tolist() == [1.0] * len(whole)
    assert (table["tau"] <= 1).all()


def test_a_sweep_prints_a_row_per_value(capsys):
    table = printed(capsys, "sweep", "RBP(p={})", *SMALL[:2], "--values", ".5,.8", "--trials", "50", "--others", "AP")
    assert table["measure"].tolist() == ["RBP(p=0.5)", "RBP(p=0.8)"] and table["value"].tolist() == [0.5, 0.8]
    assert (table["tau_low"] == table["tau"]).all() and table["significant"].between(0, 1).all()
    nested = printed(capsys, "sweep", "{}", *SMALL[:2], "--values", "AP,CWLA(C=AP,A=ERG)", "--trials", "50")
    assert nested["measure"].tolist() == ["AP", "CWLA(C=AP,A=ERG)"]
    assert "RBP(p={})" in refused(capsys, "sweep", "RBP", *SMALL[:2], "--values", ".5")


def test_lint_reads_a_folder_of_runs(capsys, tmp_path):
    words = ["lint", *written(tmp_path, run="1 Q0 a 1 2.0 t\n1 Q0 b 2 2.0 t\n")]
    table = printed(capsys, *words)
    assert (table["file"] == "run").any() and (table["severity"] == "warning").sum() == 1
    assert main([*words, "--strict"]) == 1 and "Warnings about the files: 1." in capsys.readouterr().err
    written(tmp_path)
    assert "warning" not in set(printed(capsys, *words, "--strict")["severity"])


@pytest.mark.parametrize(
    "words",
    [
        "score --collection adhok --measures AP",
        "score --collection adhoc",
        "score --measures AP",
        "score --collection adhoc --measures nDGC@10",
        "pool-reduction --collection multiaspect --measures AP --rates half,.1",
        "similarity --scores AP=a.csv --scores RR=b.csv --scores AP=c.csv",
        "lint --qrels r=q1 --qrels r=q2 --runs x",
        "scale --measures AP --grades two",
        "scale --measures AP --grades 1,2",
        "score --nonsense",
    ],
)
def test_refusals_are_one_line(capsys, words):
    assert refused(capsys, *words.split()).startswith("irviz: ")


@pytest.mark.parametrize("command", ["lint", "score"])
def test_a_file_name_that_is_no_text(capsys, tmp_path, command):
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "caf\udce9.run").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 2 x\n")
    more = ["--measures", "AP"] if command == "score" else []
    table = printed(capsys, command, "--qrels", str(tmp_path / "q"), "--runs", str(tmp_path / "runs"), *more)
    assert set(table["system" if command == "score" else "file"]) == {"caf%E9.run"}


def test_an_output_that_cannot_hold_a_name(capsys, tmp_path, monkeypatch):
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "é").write_text("1 Q0 a 1 2 x\n")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert main(["score", "--qrels", str(tmp_path / "q"), "--runs", str(tmp_path / "é"), "--measures", "AP"]) == 2
    assert capsys.readouterr().err == (
        "irviz: Standard output is ascii, which has no '\\xe9'. Set PYTHONIOENCODING=utf-8.\n"
    )


def test_options_that_list_add_up(capsys):
    first, second = irviz.open_collection("adhoc").systems[:2]
    whole = ["--measures", "AP,nDCG@10,RR", "--topics", "401,403", "--systems", f"{first},{second}"]
    parts = ["--measures", "AP", "--measures", "nDCG@10,RR", "--topics", "401", "--topics", "403"]
    once = printed(capsys, "score", "--collection", "adhoc", *whole)
    each = printed(capsys, "score", "--collection", "adhoc", *parts, "--systems", first, "--systems", second)
    assert each.equals(once)
    assert once["measure"].unique().tolist() == ["AP", "nDCG@10", "RR"]
    rates = printed(capsys, "pool-reduction", *SMALL, "--rates", "1,.5", "--rates", ".3")
    assert rates.equals(printed(capsys, "pool-reduction", *SMALL, "--rates", "1,.5,.3"))


def test_conclusion_prints_every_world(capsys):
    c = irviz.open_collection("adhoc")
    claim = f"`{c.systems[0]}` > `{c.systems[1]}`"
    few = ["--measures", "AP,RBP(p=0.8)", "--average", "mean,harmonic(eps=0.1)", "--test", "t", "--test", "sign"]
    rest = ["--judge", c.judges[0] if c.judges else c.aspects[0], "--topic-sets", "all", "--family", "pair"]
    lists = [
        "--unjudged",
        "condensed",
        "--missing",
        "zero",
        "--depths",
        "100,50",
        "--tie-rules",
        "file",
        "--systems",
        ",".join(c.systems[:5]),
    ]
    table = printed(capsys, "conclusion", claim, "--collection", "adhoc", *few, *rest, *lists, "--workers", "2")
    some = c.subset(systems=c.systems[:5])
    w = irviz.worlds(
        some,
        measure=["AP", "RBP(p=0.8)"],
        average=["mean", "harmonic(eps=0.1)"],
        test=["t", "sign"],
        topics="all",
        judge=rest[1],
        family="pair",
        unjudged="condensed",
        missing="zero",
        depth=[100, 50],
        ties="file",
    )
    expected = irviz.conclusion(some, claim, w).frame()
    assert table.p.tolist() == expected.p.tolist()
    assert table.iloc[:, :10].astype(str).equals(expected.iloc[:, :10].astype(str))


def test_conclusion_of_score_matrices_and_in_parts(capsys, tmp_path):
    (tmp_path / "ap.csv").write_text("a,b\n0.5,0.1\n0.6,0.3\n0.2,0.1\n")
    given = ["conclusion", "a is best", "--scores", f"AP={tmp_path / 'ap.csv'}", "--trials", "9", "--family", "pair"]
    assert printed(capsys, *given, "--part", "summary").value.tolist()[1:3] == ["16", "1.0"]
    assert printed(capsys, *given, "--part", "joint").statistic.tolist() == ["direction", "significant", "median"]
    assert printed(capsys, *given, "--part", "topics").topic.tolist() == ["1", "2", "3"]
    assert refused(capsys, "conclusion", "a > x", *given[2:]) == "irviz: There is no system `x`. Known: a and b."


def test_scale_takes_a_number_of_grades_or_the_grades(capsys):
    two, same = (printed(capsys, "scale", "--measures", "RBP(p=0.5),AP", *more) for more in ([], ["--grades", "2"]))
    assert two.equals(same)
    assert two[["grades", "depth", "scale"]].to_numpy().tolist() == [[2, 5, "interval"], [2, 5, "neither"]]
    witness = irviz.scale_type("AP").witness
    assert witness is not None
    found = irviz.scale_type("AP")
    assert two.loc[1, ["any_depth", "why"]].tolist() == [found.theory.kind, found.theory.reason]
    assert two.loc[1, ["witness_a", "witness_b"]].tolist() == [" ".join(map(str, run)) for run in witness]
    for depth in ("--depth", "--at"):
        found = printed(capsys, "scale", "--measures", "RBP(p=1/3)", "--grades", "0,2,4", depth, "3")
        assert found.iloc[0][["grades", "depth", "scale"]].tolist() == ["0 2 4", 3, "interval"]
        found = printed(capsys, "scale", "--measures", "RBP(p=1/3)", "--grades", "0,1", "--grades", "4", depth, "3")
        assert found.iloc[0][["grades", "depth", "scale"]].tolist() == ["0 1 4", 3, "neither"]


def test_scale_takes_the_grades_of_a_collection(capsys, tmp_path):
    """Each measure on its own aspect's grades; TOMA's on its classes."""
    for name, grades in (("relevance", (0, 1, 4)), ("trust", (0, 1)), ("none", (0, 0))):
        (tmp_path / name).write_text("".join(f"1 0 d{i} {grade}\n" for i, grade in enumerate(grades)))
    (tmp_path / "run").write_text("1 Q0 d1 1 2.0 t\n1 Q0 d2 2 1.0 t\n")
    files = [f"--qrels={name}={tmp_path / name}" for name in ("relevance", "trust", "none")]
    source = ["scale", *files, "--runs", str(tmp_path / "run"), "--depth", "2"]
    wanted = ["RBP(p=0.3)", "RBP(p=0.3,aspect='trust')", "TOMA(RBTO,distance='manhattan')"]
    found = printed(capsys, *source, "--measures", ",".join(wanted))
    assert found["measure"].tolist() == wanted
    assert found["grades"].tolist() == ["0 1 4", "0 1", "0 1 2 3"]
    scales = [
        irviz.scale_type("RBP(p=0.3)", grades=[0, 1, 4], depth=2),
        irviz.scale_type("RBP(p=0.3)", grades=2, depth=2),
    ]
    assert found["scale"].tolist() == [*(one.kind for one in scales), "interval"]
    assert refused(capsys, *source, "--measures", "AP(aspect='none')") == (
        "irviz: There is no grade above 0, so all judged runs are alike. Give `grades` with two at least."
    )
    assert refused(capsys, *source, "--measures", "AP", "--grades", "2") == (
        "irviz: Give either --grades, or a collection that has grades; not both."
    )
    adhoc = printed(capsys, "scale", "--collection", "adhoc", "--measures", "RBP(p=0.5)", "--depth", "2")
    assert adhoc["grades"].tolist() == [" ".join(f"{grade:g}" for grade in irviz.open_collection("adhoc").grades[0])]


def test_what_the_machine_refuses_is_one_line_too(capsys, tmp_path):
    """A name that is not text, a device that is full: no traceback either."""
    found = refused(capsys, "lint", "--qrels", str(tmp_path / "q\udcff"), "--runs", str(tmp_path))
    assert found == f"irviz: {tmp_path}/q\\udcff: there is no such file or folder. Check the path of the qrels."
    words = [*LINT, *written(tmp_path)]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, "irviz: standard output: No space left on device.\n")


def test_judges_and_texts_of_topics_are_read(capsys, tmp_path):
    for name, grade in (("people", 1), ("machine", 0)):
        (tmp_path / name).write_text(f"1 0 a {grade}\n1 0 b 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n")
    (tmp_path / "topics.tsv").write_text("1\twhat ospreys eat\n")
    judges = [f"--qrels={name}={tmp_path / name}" for name in ("people", "machine")]
    source = [*judges, "--runs", str(tmp_path / "run"), "--judges", "--texts", str(tmp_path / "topics.tsv")]
    opened = collection(parser("irviz").parse_args(["score", *source]), 10)
    assert (opened.judges, dict(opened.topic_texts)) == (("people", "machine"), {"1": "what ospreys eat"})
    assert printed(capsys, "score", *source, "--measures", "RR")["score"].tolist() == [1.0]
    assert refused(capsys, "score", "--collection", "adhoc", "--judges", "--measures", "AP") == (
        "irviz: A saved collection already has its judges, intents, texts and grades; "
        "--judges, --intents, --texts and --grade-map need --qrels."
    )


def test_intents_are_read_and_scored_together(capsys, tmp_path):
    source = [*written(tmp_path, "1 1 a 1\n1 2 a 0\n1 2 b 1\n"), "--measures", "StRecall@1"]
    assert printed(capsys, "score", *source, "--intents")["score"].tolist() == [0.5]
    assert "--intents" in refused(capsys, "score", *source)
    assert refused(capsys, "score", *source, "--intents", "--judges") == (
        "irviz: --intents reads one file of qrels. Give it alone, without --judges."
    )


@pytest.mark.parametrize("form", ["csv", "json", "trec_eval"])
def test_what_score_prints_is_read_again(form, capsys, tmp_path):
    whole = irviz.score(irviz.open_collection("multiaspect"), ["AP", "nDCG@10"])
    assert main(["score", "--collection", "multiaspect", "--measures", "AP,nDCG@10", "--format", form]) == 0
    (tmp_path / "printed").write_text(capsys.readouterr().out)
    again = irviz.load_scores(tmp_path / "printed")
    assert (again.measures, again.topics, again.systems) == (whole.measures, whole.topics, whole.systems)
    np.testing.assert_allclose(again.values, whole.values, rtol=0, atol=5.1e-5 if form == "trec_eval" else 0)
    assert main(["score", "--scores", str(tmp_path / "printed")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + whole.values.size


def app(*words: str) -> argparse.Namespace:
    return parser("irviz").parse_args(["app", *words])


def test_the_dashboard_opens_with_what_is_named(tmp_path):
    """Files, a name, a saved collection, score matrices."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n")
    (tmp_path / "AP.csv").write_text("x,y\n0.5,1\n0.25,0\n")
    qrels, run = str(tmp_path / "qrels"), str(tmp_path / "run")
    saved = irviz.load_collection(qrels, run).save(tmp_path / "mine.irviz")
    assert opened_first(app()) == []
    assert [one.systems for one in opened_first(app(qrels, run))] == [("run",)]
    assert [one.data.aspects for one in opened_first(app(f"a={qrels}", f"b={qrels}", run))] == [("a", "b")]
    both = opened_first(app(str(saved), str(tmp_path / "AP.csv")))
    assert [one.systems for one in both] == [("run",), ("x", "y")]
    assert opened_first(app("adhoc"))[0].data.fingerprint == irviz.open_collection("adhoc").fingerprint
    had = "A saved collection already has its judges and texts"
    for words, why in (
        ([qrels], f"`{qrels}` is given without runs. Give both: irviz QRELS RUNS…"),
        (["adhok"], "There is no collection `adhok`. Did you mean adhoc?"),
        ([str(saved), "--judges"], f"{had}; --judges and --texts need QRELS."),
    ):
        with pytest.raises(irviz.IrvizError) as found:
            opened_first(app(*words))
        assert str(found.value) == why


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["scor", "--qrels", "q.txt"], "There is no command `scor`. Did you mean score?"),
        (["Pool_Reduction"], "There is no command `Pool_Reduction`. Did you mean pool-reduction?"),
        (["adhok"], "There is no collection `adhok`. Did you mean adhoc?"),
        (["score.txt", "runs"], "score.txt: there is no such file or folder."),
        (["http://127.0.0.1:9/score", "runs"], "http://127.0.0.1:9/score"),
    ],
)
def test_a_mistyped_command_is_no_file_that_is_missing(words, why, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["irviz", *words])
    assert console() == 2
    assert why in capsys.readouterr().err


def test_where_the_dashboard_answers(monkeypatch):
    for name in ("PORT", "ADDRESS", "BASE_URL_PATH"):
        monkeypatch.delenv(f"STREAMLIT_SERVER_{name}", raising=False)
    assert server_settings(app()) == {"server.address": "localhost"}
    words = ["--port", "8600", "--path", "/irviz", "--set", "server.maxUploadSize=50", "--set", "a.b=x"]
    given = server_settings(app(*words))
    assert given == {
        "server.address": "localhost",
        "server.port": 8600,
        "server.baseUrlPath": "/irviz",
        "server.maxUploadSize": 50,
        "a.b": "x",
    }
    assert address_of(given) == "http://localhost:8600/irviz"
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "8700")
    monkeypatch.setenv("STREAMLIT_SERVER_ADDRESS", "0.0.0.0")
    assert server_settings(app()) == {"server.address": "0.0.0.0", "server.port": 8700}
    assert address_of(server_settings(app("--port", "8601"))) == "http://localhost:8601/"


def test_an_address_that_is_taken_is_refused_before_anything_starts(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = refused(capsys, "app", "--address", "127.0.0.1", "--port", str(port))
    assert found == (
        f"irviz: Nothing can answer at 127.0.0.1 port {port} (Address already in use). "
        "Give another --port; 0 means any free port."
    )
    assert refused(capsys, "app", "--port", "70000") == "irviz: --port must be a whole number up to 65535; got `70000`."


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    words = [*LINT, *written(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_groups_are_read_by_the_commands_that_take_them(capsys, tmp_path):
    (tmp_path / "ap.csv").write_text("topic,a,b\n" + "".join(f"{t},{t % 3 / 4},{t % 2 / 8}\n" for t in range(1, 11)))
    (tmp_path / "groups.tsv").write_text("".join(f"{t}\tg{t // 4}\n" for t in range(1, 11)))
    given = ["--scores", f"AP={tmp_path / 'ap.csv'}", "--groups", str(tmp_path / "groups.tsv")]
    table = printed(capsys, "by-group", "a > b", *given)
    assert table.group.tolist() == ["g0", "g1", "g2", "all"]
    assert table.topics.tolist() == [3, 4, 3, 10]
    assert printed(capsys, "significance", *given, "--trials", "99").p.tolist() != (
        printed(capsys, "significance", *given[:2], "--trials", "99").p.tolist()
    )
    least = printed(capsys, "conclusion", "a > b", *given, "--trials", "99", "--test", "bootstrap").p.min()
    assert least >= 2 / 2**3
    board = printed(capsys, "leaderboard", *given[:2], "--method", "wins", "--trials", "9")
    assert list(board.columns) == ["measure", "system", "score", "rank", "low", "high", "present"]


def test_nuggets_are_printed_as_scores_that_are_read_again(capsys, tmp_path):
    file = DATA / "nuggets" / "nuggets.tsv"
    main(["nuggets", str(file), "--partial", "0,.5", "--okay", "0"])
    (tmp_path / "scores.csv").write_text(capsys.readouterr().out)
    again = irviz.load_scores(tmp_path / "scores.csv")
    expected = irviz.load_nuggets(file, partial=[0, 0.5], okay=0)
    assert again.measures == expected.measures
    assert (again.select(systems=expected.systems).values == expected.values).all()


def test_a_file_of_links_is_drawn(capsys, tmp_path):
    link = "/scores?collection=multiaspect&measures=AP"
    (tmp_path / "links.txt").write_text(f"http://localhost:8501{link}\n{link}\n")
    main(["render", str(tmp_path / "links.txt"), "--format", "json"])
    twice = json.loads(capsys.readouterr().out)
    main(["render", link, "--format", "json"])
    (once,) = json.loads(capsys.readouterr().out)
    assert twice == [once, once]
