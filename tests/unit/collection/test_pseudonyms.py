"""Pseudonyms: the same under the same key, and no name of a system in the bytes of the file."""

from __future__ import annotations

import pytest

import irviz
from irviz.cli.main import main
from irviz.collection.codes import Finding
from irviz.errors import IrvizError

KEY = "a key of sixteen bytes or more"
NAMES = [f"secretlab{letter}" for letter in "ABCDEFGHIJKL"]
TOPICS = ("1", "2", "3")


@pytest.fixture
def named():
    """Twelve systems by several judges, with a finding that names a file, satisfaction and preferences."""
    qrels = {
        judge: (f"{judge}.qrels", "".join(f"{t} 0 d{i} {(i + shift) % 3}\n" for t in TOPICS for i in range(9)).encode())
        for shift, judge in enumerate(("Ann", "Ben"))
    }
    runs = [
        (name, "".join(f"{t} Q0 d{(n * r + n) % 11} {r} {9 - r} {name}\n" for t in TOPICS for r in (1, 2, 3)).encode())
        for n, name in enumerate(NAMES, start=1)
    ]
    said = "topic,system,satisfaction\n" + "".join(f"1,{name},{n}\n" for n, name in enumerate(NAMES))
    liked = f"topic,a,b,winner\n1,{NAMES[0]},{NAMES[5]},{NAMES[5]}\n2,{NAMES[7]},{NAMES[2]},{NAMES[7]}\n"
    return irviz.load_collection(
        qrels,
        runs,
        judges=True,
        documents="all",
        skip_broken=True,
        satisfaction=("s.csv", said.encode()),
        preferences=("p.csv", liked.encode()),
    )


def test_no_name_is_left_in_the_file_and_no_number_changes(named, tmp_path):
    who = named.pseudonyms(KEY)
    path = named.with_pseudonyms(KEY).save(tmp_path / "c.irviz", documents=True, users=True)
    assert b"secretlab" not in path.read_bytes()
    opened = irviz.open_collection(path)
    assert opened.systems == tuple(f"System {place:02d}" for place in range(1, 13)) and opened.judges == named.judges
    for judge in named.judges:
        before, after = (irviz.score(one.by_judge(judge), ["AP", "nDCG@3"]) for one in (named, opened))
        for measure in before.measures:
            assert before[measure].rename(columns=who)[list(opened.systems)].equals(after[measure])
    for name in NAMES:
        assert named.list("2", name).equals(opened.list("2", who[name]))
    assert {who[name] for name in named.preferences.a} == set(opened.preferences.a)
    rated, told = named.satisfaction, opened.satisfaction
    assert [who[name] for name in rated.systems] == list(told.systems) and (rated.values == told.values).all()


def test_pseudonyms_depend_on_the_key_alone(named):
    assert named.pseudonyms(KEY) == named.pseudonyms(KEY.encode()) != named.pseudonyms(KEY + "!")
    assert named.with_pseudonyms(KEY).fingerprint == named.with_pseudonyms(KEY).fingerprint != named.fingerprint
    assert list(named.pseudonyms(KEY)) != NAMES
    with pytest.raises(IrvizError, match="at least 16"):
        named.with_pseudonyms("short")


def test_findings_that_name_files_are_left_out(named):
    hidden = named.renamed(findings=(Finding("note", "secretlabA.run", 1, "of secretlabA"),))
    assert "secretlab" not in " ".join(map(str, hidden.with_pseudonyms(KEY).findings))


def test_the_command_makes_a_key_once_and_prints_who_is_who(named, tmp_path, capsys):
    source, key = named.save(tmp_path / "c.irviz"), tmp_path / "key"
    tables, files = [], []
    for out in ("1.irviz", "2.irviz"):
        given = ["pseudonyms", "--collection", str(source), "--key", str(key), "-o", str(tmp_path / out)]
        assert main(given) == 0
        tables.append(capsys.readouterr().out)
        files.append((tmp_path / out).read_bytes())
    assert tables[0] == tables[1] and files[0] == files[1] and b"secretlab" not in files[0]
    assert key.stat().st_mode & 0o077 == 0
    assert tables[0].splitlines()[1].endswith(",System 01") and tables[0].count("secretlab") == len(NAMES)
