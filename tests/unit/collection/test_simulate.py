"""The simulator's claims: equal files from equal seeds, valid TREC files, believable numbers."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.simulate import RECIPES, Simulation, write_simulation
from irviz.errors import IrvizError

DATA = Path(__file__).parents[3] / "data"
TINY = Simulation(systems=4, topics=3, depth=8, grades=3, aspects=2, pool_depth=4, families=2, seed=11)


def digest(folder: Path) -> str:
    """SHA-256 of the names and contents of the TREC files of a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".json":
            total.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return total.hexdigest()


class TestDeterminism:
    def test_files_are_those_of_any_machine(self, tmp_path):
        # sha256 of the files of TINY; it changes only with the simulator, and then data/ must be made again
        assert (
            digest(TINY.write(tmp_path / "tiny")) == "31c0a7be9b6cff0c7c2c7e7435f446c511e0416f8a5febc880e53c9529e3fb8f"
        )

    def test_compressed_files_carry_no_time(self, tmp_path):
        a, b = (TINY.write(tmp_path / name, compress=True) for name in "ab")
        assert digest(a) == digest(b)
        assert (a / "qrels.relevance.gz").read_bytes()[3:8] == b"\0" * 5  # no name, no time

    def test_a_topic_does_not_depend_on_those_before_it(self):
        again, first = replace(TINY), TINY.topic(0)
        assert again.topic(2).documents == TINY.topic(2).documents != first.documents

    @pytest.mark.parametrize("name", list(RECIPES))
    def test_the_bundled_files_are_what_the_recipe_makes(self, name):
        (simulation, about), folder = RECIPES[name], DATA / name
        card = json.loads((folder / "collection.json").read_text(encoding="utf-8"))
        assert (card["title"], card["description"]) == (about["title"], about["description"])
        assert {path.stem for path in (folder / "runs").iterdir()} == set(simulation.drawn.names)
        topics = [simulation.topic(index) for index in range(4)]
        for system in range(simulation.systems):
            made = "".join(line for topic in topics for line in simulation.run_lines(topic, system))
            kept = gzip.decompress((folder / "runs" / f"{simulation.drawn.names[system]}.gz").read_bytes()).decode()
            assert kept.startswith(made)
        for aspect, file in enumerate(card["qrels"].values()):
            made = "".join(line for topic in topics for line in simulation.qrels_lines(topic, aspect))
            assert gzip.decompress((folder / file).read_bytes()).decode().startswith(made)
        assert ("machine" in about) == ("judges" in card)
        if "machine" in about:
            made = "".join(line for i, topic in enumerate(topics) for line in simulation.machine_lines(topic, i))
            assert gzip.decompress((folder / card["judges"]["machine"]).read_bytes()).decode().startswith(made)


class TestFiles:
    def test_lines_are_trec_lines(self, tmp_path):
        folder = TINY.write(tmp_path / "tiny")
        for path in sorted((folder / "runs").iterdir()):
            rows = [line.split(" ") for line in path.read_text().splitlines()]
            for topic in ("401", "402", "403"):
                mine = [row for row in rows if row[0] == topic]
                assert [int(row[3]) for row in mine] == list(range(1, len(mine) + 1))
                scores = [float(row[4]) for row in mine]
                assert scores == sorted(scores, reverse=True)
                assert len({row[2] for row in mine}) == len(mine) <= TINY.depth
            assert {(len(row), row[1], row[5]) for row in rows} == {(6, "Q0", path.name)}

    def test_aspects_judge_the_same_documents(self, tmp_path):
        folder = TINY.write(tmp_path / "tiny")
        pairs = [
            [line.split()[:3] for line in (folder / f"qrels.{aspect}").read_text().splitlines()]
            for aspect in ("relevance", "credibility")
        ]
        assert pairs[0] == pairs[1]

    def test_the_pool_is_judged_and_nothing_else(self):
        simulation = replace(TINY, systems=12, families=5, depth=50, pool_depth=10)
        topic, pooled = simulation.topic(1), simulation.drawn.pooled
        pool = set(np.concatenate([topic.ranking[s][:10] for s in np.flatnonzero(pooled)]).tolist())
        assert (~pooled).sum() == 1
        judged = set(np.flatnonzero(topic.judged).tolist())
        assert pool <= judged
        assert len(judged - pool) <= 1  # the one answer that the author knows

    def test_writing_again_replaces_but_never_mixes(self, tmp_path):
        TINY.write(tmp_path)
        before = digest(tmp_path)
        TINY.write(tmp_path)
        assert digest(tmp_path) == before
        (tmp_path / "runs" / "mine").write_text("kept")
        with pytest.raises(IrvizError) as refusal:
            TINY.write(tmp_path)
        assert str(refusal.value) == (
            f"{tmp_path} already holds runs/mine, which does not belong to this simulation. Choose an empty folder."
        )

    def test_the_smallest_simulation_has_a_relevant_document(self, tmp_path):
        folder = Simulation(systems=1, topics=1, depth=1, pool_depth=1, families=1, grades=2).write(tmp_path / "one")
        grades = [line.split()[3] for line in (folder / "qrels.relevance").read_text().splitlines()]
        assert "1" in grades


class TestGrades:
    def test_aspects_may_have_grades_of_their_own(self):
        topic = Simulation(aspects=2, grades=(4, 2), depth=300).topic(0)
        assert topic.grades.max(axis=0).tolist() == [3, 1]


class TestRefusals:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"systems": 0}, "`systems` of a simulation must be a whole number from 1 to 1000; got 0."),
            ({"topics": 2.5}, "`topics` of a simulation must be a whole number from 1 to 1000; got 2.5."),
            ({"depth": True}, "`depth` of a simulation must be a whole number from 1 to 10000; got True."),
            ({"seed": -1}, f"`seed` of a simulation must be a whole number from 0 to {2**63}; got -1."),
            ({"correlation": 1.5}, "`correlation` of a simulation must lie in [0, 1]; got 1.5."),
            ({"correlation": float("nan")}, "`correlation` of a simulation must lie in [0, 1]; got nan."),
            ({"families": 21}, "`families` of a simulation must be at most `systems`, 20; got 21."),
            ({"pool_depth": 101}, "`pool_depth` of a simulation must be at most `depth`, 100; got 101."),
            (
                {"grades": 6},
                "`grades` of a simulation must be a number from 2 to 5, or one for each of the 1 aspects; got 6.",
            ),
            (
                {"grades": (3, 2), "aspects": 3},
                "`grades` of a simulation must be a number from 2 to 5, or one for each of the 3 aspects; got (3, 2).",
            ),
            ({"aspects": 5}, "`aspects` of a simulation must be a whole number from 1 to 4; got 5."),
        ],
    )
    def test_parameters(self, parameters, message):
        with pytest.raises(IrvizError) as refusal:
            Simulation(**parameters)
        assert str(refusal.value) == message

    def test_a_file_is_no_folder(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(IrvizError) as refusal:
            TINY.write(tmp_path / "file")
        assert str(refusal.value) == (
            f"{tmp_path / 'file'} is a file. Name a folder to write the simulated collection into."
        )


class TestCommand:
    def test_writes_what_the_options_say(self, tmp_path, capsys):
        options = "--systems 4 --topics 3 --depth 8 --aspects 2 --grades [3,3] --pool-depth 4 --families 2 --seed 11"
        assert write_simulation([str(tmp_path / "made"), *options.split()]) == 0
        assert capsys.readouterr().out == f"{tmp_path / 'made'}\n"
        assert digest(tmp_path / "made") == digest(TINY.write(tmp_path / "tiny"))

    def test_an_unknown_recipe_is_one_line(self, tmp_path, capsys):
        assert write_simulation([str(tmp_path / "made"), "--recipe", "ad-hoc"]) == 2
        assert capsys.readouterr().err == "error: There is no recipe `ad-hoc`. Did you mean adhoc?\n"
        assert not (tmp_path / "made").exists()

    def test_dependent_is_switched_off_by_false(self, tmp_path):
        assert write_simulation([str(tmp_path), "--dependent", "false", "--aspects", "2", "--topics", "1"]) == 0
        assert json.loads((tmp_path / "collection.json").read_text())["simulation"]["dependent"] is False
