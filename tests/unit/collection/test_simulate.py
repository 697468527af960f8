"""The simulator's claims: equal files from equal seeds, valid TREC files, believable numbers."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from scipy.stats import kendalltau, spearmanr

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


def read(folder: Path, aspect: str = "relevance"):
    """Qrels and runs of a folder of gzipped files, as pytrec_eval parses them."""
    with gzip.open(folder / f"qrels.{aspect}.gz", "rt") as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    runs = {}
    for path in sorted((folder / "runs").iterdir()):
        with gzip.open(path, "rt") as lines:
            runs[path.stem] = pytrec_eval.parse_run(lines)
    return qrels, runs


def matrices(folder: Path, *measures: str) -> dict[str, np.ndarray]:
    """Scores, topics × systems, by trec_eval."""
    qrels, runs = read(folder)
    results = {name: pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(run) for name, run in runs.items()}
    return {
        measure: np.array([[results[s].get(t, {}).get(measure, 0.0) for s in runs] for t in qrels])
        for measure in measures
    }


class TestDeterminism:
    def test_files_are_equal_byte_for_byte(self, tmp_path):
        assert digest(TINY.write(tmp_path / "a")) == digest(TINY.write(tmp_path / "b"))

    def test_files_are_those_of_any_machine(self, tmp_path):
        # sha256 of the files of TINY; it changes only with the simulator, and then data/ must be made again
        assert (
            digest(TINY.write(tmp_path / "tiny")) == "31c0a7be9b6cff0c7c2c7e7435f446c511e0416f8a5febc880e53c9529e3fb8f"
        )

    def test_compressed_files_carry_no_time(self, tmp_path):
        a, b = (TINY.write(tmp_path / name, compress=True) for name in "ab")
        assert digest(a) == digest(b)
        assert (a / "qrels.relevance.gz").read_bytes()[3:8] == b"\0" * 5  # no name, no time

    def test_another_seed_gives_other_files(self, tmp_path):
        assert digest(TINY.write(tmp_path / "a")) != digest(replace(TINY, seed=12).write(tmp_path / "b"))

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

    def test_the_machine_judges_nearly_all_that_people_judged_and_agrees_mostly(self):
        simulation = RECIPES["adhoc"][0]
        topic = simulation.topic(1)
        people = dict(line.split()[2:] for line in simulation.qrels_lines(topic, 0))
        machine = dict(line.split()[2:] for line in simulation.machine_lines(topic, 1))
        assert set(machine) < set(people) and len(machine) > 0.8 * len(people)
        apart = [abs(int(people[document]) - int(grade)) for document, grade in machine.items()]
        assert set(apart) == {0, 1} and sum(apart) < len(apart) / 2

    def test_the_bundled_files_are_small(self):
        assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 8e6


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

    def test_the_card_says_what_is_there(self, tmp_path):
        folder = TINY.write(tmp_path / "tiny", title="Tiny")
        card = json.loads((folder / "collection.json").read_text())
        assert card["qrels"] == {"relevance": "qrels.relevance", "credibility": "qrels.credibility"}
        assert (card["title"], card["runs"], card["simulation"]["seed"]) == ("Tiny", "runs", 11)

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

    def test_names_are_unique_however_many(self):
        for systems, families in [(129, 30), (1000, 3), (300, 300)]:
            names = Simulation(systems=systems, families=families).drawn.names
            assert len(set(names)) == systems

    def test_the_smallest_simulation_has_a_relevant_document(self, tmp_path):
        folder = Simulation(systems=1, topics=1, depth=1, pool_depth=1, families=1, grades=2).write(tmp_path / "one")
        grades = [line.split()[3] for line in (folder / "qrels.relevance").read_text().splitlines()]
        assert "1" in grades


class TestGrades:
    @pytest.mark.parametrize("grades", [2, 5])
    def test_few_documents_at_the_top(self, grades):
        simulation = Simulation(systems=1, families=1, grades=grades, topics=30, depth=300, pool_depth=1)
        counts = sum(np.bincount(simulation.topic(i).grades[:, 0], minlength=grades) for i in range(30))
        assert len(counts) == grades
        assert (np.diff(counts) < 0).all()
        shares = counts[2:] / counts[1:-1]
        assert ((shares > 0.4) & (shares < 0.7)).all()

    @pytest.mark.parametrize("correlation", [0.0, 0.9])
    def test_aspects_correlate_as_asked(self, correlation):
        simulation = Simulation(
            systems=1, families=1, aspects=3, grades=5, topics=40, depth=300, correlation=correlation
        )
        grades = np.concatenate([simulation.topic(i).grades for i in range(40)])
        relevant = grades[grades[:, 0] > 0]
        seen = spearmanr(relevant).statistic
        # cutting merits into few grades loses a part of the correlation
        assert all(0.75 * correlation - 0.05 < seen[a, b] < correlation + 0.05 for a, b in [(0, 1), (0, 2), (1, 2)])

    def test_dependent_aspects_are_lowest_where_the_first_is(self):
        topic = TINY.topic(0)
        assert (topic.grades[topic.grades[:, 0] == 0] == 0).all()
        assert (topic.grades[topic.grades[:, 0] > 0, 1] == 0).any()
        free = replace(TINY, dependent=False).topic(0)
        assert (free.grades[free.grades[:, 0] == 0, 1] > 0).any()

    def test_aspects_may_have_grades_of_their_own(self):
        topic = Simulation(aspects=2, grades=(4, 2), depth=300).topic(0)
        assert topic.grades.max(axis=0).tolist() == [3, 1]


@pytest.fixture(scope="module", params=["adhoc", "multiaspect"])
def bundle(request):
    """A bundled collection: its simulation and trec_eval's scores."""
    return RECIPES[request.param][0], matrices(DATA / request.param, "map", "P_10", "ndcg_cut_10")


class TestBelievable:
    def test_systems_are_of_graded_quality(self, bundle):
        means = np.sort(bundle[1]["map"].mean(axis=0))
        assert 0.05 < means[0] < 0.15
        assert 0.35 < means[-1] < 0.5
        assert np.diff(means).max() < 0.1

    def test_topics_differ_more_than_systems(self, bundle):
        ap = bundle[1]["map"]
        assert ap.mean(axis=1).var() > 2 * ap.mean(axis=0).var()

    def test_some_topics_are_hard_for_everyone(self, bundle):
        assert bundle[1]["map"].mean(axis=1).min() < 0.02

    def test_measures_disagree_but_not_wildly(self, bundle):
        means = {name: scores.mean(axis=0) for name, scores in bundle[1].items()}
        assert 0.7 < kendalltau(means["map"], means["P_10"]).statistic < 0.9
        assert 0.6 < kendalltau(means["map"], means["ndcg_cut_10"]).statistic < 0.85

    def test_families_are_near_duplicates(self, bundle):
        simulation, _ = bundle
        family = simulation.drawn.family
        same, other = [], []
        for topic in (simulation.topic(i) for i in range(6)):
            tops = [set(row[:50].tolist()) for row in topic.ranking]
            for a in range(simulation.systems):
                for b in range(a):
                    if len(tops[a]) == len(tops[b]) == 50:
                        (same if family[a] == family[b] else other).append(len(tops[a] & tops[b]) / 50)
        assert np.median(same) > 0.6
        assert np.median(other) < 0.35

    def test_a_family_orders_documents_alike(self):
        simulation = RECIPES["adhoc"][0]
        topic, family = simulation.topic(3), simulation.drawn.family
        place = np.full((simulation.systems, len(topic.documents)), simulation.depth)
        for system, row in enumerate(topic.ranking):
            place[system, row] = np.arange(len(row))
        full = np.array([len(row) == simulation.depth for row in topic.ranking])
        base = [kendalltau(place[0], place[s]).statistic for s in np.flatnonzero(full & (family == 0))[1:]]
        rest = [kendalltau(place[0], place[s]).statistic for s in np.flatnonzero(full & (family != 0))]
        assert min(base) > np.median(rest) + 0.2

    def test_runs_have_the_flaws_of_real_ones(self):
        """Missing topics, short lists, scores of different precision of which some tie."""
        decimals, ties, lines, lengths = set(), 0, 0, []
        for path in (DATA / "adhoc" / "runs").iterdir():
            rows = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
            decimals.add(len(rows[0][4].partition(".")[2]))
            ties += len(rows) - len({(row[0], row[4]) for row in rows})
            lines += len(rows)
            counts = Counter(row[0] for row in rows)
            lengths.append([counts[str(topic)] for topic in range(401, 451)])
        lengths = np.array(lengths)
        assert ((lengths == 0).sum(axis=1) == 1).sum() == 3  # three systems miss a topic
        assert (((lengths > 0) & (lengths < 200)).any(axis=1)).sum() == 4  # four have short lists
        assert (lengths == 200).mean() > 0.9
        assert decimals == {2, 3, 4, 5, 6}
        assert 0.001 < ties / lines < 0.05


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
