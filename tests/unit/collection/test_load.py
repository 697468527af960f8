"""What loading makes of well-formed and of odd files."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.lint import EFFECTS, effect
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.collection.trec import load_intents
from irviz.errors import IrvizError

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -1\n10 0 e 1\n"
RUN = "1 Q0 a 1 3.0 x\n1 Q0 z 2 2.5 x\n1 Q0 b 3 1.0 x\n2 Q0 d 1 9 x\n2 Q0 a 2 8 x\n10 Q0 q 1 1e-3 x\n10 Q0 e 2 -1 x\n"


def load(qrels: str | bytes = QRELS, run: str | bytes = RUN, **options: object) -> Collection:
    as_bytes = [text.encode() if isinstance(text, str) else text for text in (qrels, run)]
    return load_collection(("test.qrels", as_bytes[0]), ("x.run", as_bytes[1]), **options)


def refusal(qrels: str | bytes = QRELS, run: str | bytes = RUN, **options: object) -> str:
    with pytest.raises(IrvizError) as caught:
        load(qrels, run, **options)
    return str(caught.value)


def ranking(collection: Collection, topic: str = "1", system: int = 0) -> list[int]:
    return collection.ranking[collection.topics.index(topic), system].tolist()


def messages(collection: Collection) -> list[str]:
    return [f"{finding.severity}: {finding}" for finding in collection.findings]


def test_a_worked_example() -> None:
    c = load()
    assert (c.topics, c.systems, c.aspects, c.depth) == (("1", "2", "10"), ("x.run",), ("relevance",), 3)
    assert c.grades == ((0.0, 1.0, 2.0),)
    assert c.ranking[:, 0].tolist() == [[0, UNJUDGED, 1], [1, 0, BEYOND], [UNJUDGED, 0, BEYOND]]
    assert c.labels[:, :, 0].tolist() == [[2, 0, 1], [1, NEGATIVE, ABSENT], [1, ABSENT, ABSENT]]
    assert c.findings == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.replace(" ", " \t"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("\n", " \t \r\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\ufeff" + text,
        lambda text: "# made by hand\n" + text.replace("\n", "\n#x y\n"),
        lambda text: "  " + text.replace("\n", "\n  "),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" 0 ", " 0.5 ").replace(" Q0 ", " any "),
        lambda text: "".join(f"{line} 7th\n" if line.count(" ") == 5 else f"{line}\n" for line in text.splitlines()),
        lambda text: text.replace("1 Q0 a 1 3.0 x", "1 Q0 a 1 3.0 x and more junk"),
    ],
)
def test_the_same_lines_however_they_are_set(change) -> None:
    assert load(change(QRELS), change(RUN)).fingerprint == load().fingerprint


def test_hash_signs_inside_identifiers_are_kept() -> None:
    c = load("1 0 doc#1 1\n1 0 #doc 0\n", "1 Q0 doc#1 1 2 x\n1 Q0 #doc 2 1 x\n")
    assert ranking(c) == [1, 0]


def test_bytes_that_are_no_utf_8_are_identifiers_like_others() -> None:
    c = load(b"caf\xe9 0 d\xe9 1\n", b"caf\xe9 Q0 d\xe9 1 1 x\n")
    assert (c.topics, ranking(c, "caf\\xe9")) == (("caf\\xe9",), [0])


@pytest.mark.parametrize(
    "ranks", [("0", "1", "2"), ("-", "-", "-"), ("AF", "NF", "NF"), ("1", "5", "9"), ("1.0", "2.0", "3.5")]
)
def test_ranks_need_not_be_ranks(ranks: tuple[str, ...]) -> None:
    run = "".join(f"1 Q0 {doc} {rank} {9 - i} x\n" for i, (doc, rank) in enumerate(zip("abc", ranks, strict=True)))
    c = load("1 0 a 1\n1 0 b 0\n1 0 c 0\n", run)
    assert (ranking(c), c.findings) == ([0, 1, 2], ())


def test_a_rank_may_be_left_empty_between_tabs() -> None:
    c = load("1 0 a 1\n1 0 b 0\n", "1\tQ0\ta\t\t2\tx\n1\tQ0\tb\t\t1\tx\n")
    assert ranking(c) == [0, 1]


class TestTies:
    """Five documents, two scores; d and e tie only in single precision."""

    qrels = "".join(f"1 0 {doc} {i}\n" for i, doc in enumerate("abcde"))
    run = "1 Q0 b 5 2 x\n1 Q0 a 4 2 x\n1 Q0 c 3 2 x\n1 Q0 e 2 1.00000001 x\n1 Q0 d 1 1.00000002 x\n"

    @pytest.mark.parametrize(
        ("ties", "expected"),
        [
            ("trec_eval", "cbaed"),
            ("trec_eval10", "cbade"),
            ("trec_eval_ascending", "abcde"),
            ("file", "baced"),
            ("rank", "decab"),
        ],
    )
    def test_rule(self, ties: str, expected: str) -> None:
        c = load(self.qrels, self.run, ties=ties)
        assert "".join("abcde"[i] for i in ranking(c)) == expected
        assert c.ties == ties

    def test_identifiers_compare_byte_by_byte(self) -> None:
        docs = ["B", "a", "é", "aa", "Z", "b"]
        run = "".join(f"1 Q0 {doc} 1 1 x\n" for doc in docs)
        order = sorted((doc.encode() for doc in docs), reverse=True)
        c = load("".join(f"1 0 {doc} 1\n" for doc in docs), run)
        assert [sorted(order)[i] for i in ranking(c)] == order

    def test_lint_says_where_the_choice_matters(self) -> None:
        found = load(self.qrels, self.run, ties="trec_eval10").findings
        assert [(one.severity, one.line, one.message.partition(": ")[2][:2]) for one in found] == [
            ("warning", 3, "1:"),
            ("warning", 1, "3 "),
            ("warning", 4, "2 "),
        ]
        assert [effect(one) for one in found] == [EFFECTS[0], EFFECTS[1], EFFECTS[1]]

    def test_scores_beyond_single_precision_tie(self) -> None:
        assert ranking(load("1 0 a 1\n1 0 b 1\n", "1 Q0 a 1 1e300 x\n1 Q0 b 2 1e299 x\n")) == [1, 0]

    def test_rank_needs_numbers(self) -> None:
        assert refusal(run="1 Q0 a AF 2 x\n", ties="rank") == (
            "x.run:1: the rank (field 4) is not a finite number: \"1 Q0 a AF 2 x\"; ties='rank' cannot order by it. "
            "Choose ties='trec_eval', or ties='file' for the order of lines."
        )
        assert refusal(run=RUN + "\n10 Q0 y inf -2 x\n", ties="rank").startswith("x.run:9: the rank (field 4)")


class TestFindings:
    def test_a_repeated_document_is_dropped_where_it_stands_lower(self) -> None:
        run = "1 Q0 a 1 1 x\n1 Q0 b 2 5 x\n1 Q0 a 3 9 x\n1 Q0 c 4 0.5 x\n"
        c = load(run=run)
        assert ranking(c) == [0, 1, 2]
        (found,) = (one for one in c.findings if one.line == 1 and effect(one) == EFFECTS[1])
        assert "a, topic 1; the better-ranked line 3" in found.message

    def test_many_repeats_are_one_finding(self) -> None:
        run = "".join(f"1 Q0 d{i % 50} {i} {1000 - i} x\n" for i in range(1000))
        found = [text for text in messages(load(run=run)) if "again" in text]
        assert len(found) == 1 and found[0].startswith("warning: x.run:51: ") and "950" in found[0]

    def test_depth_is_cut_after_repeats_are_dropped(self) -> None:
        c = load(run="1 Q0 z 1 9 x\n1 Q0 z 2 8 x\n1 Q0 a 3 7 x\n1 Q0 b 4 6 x\n", depth=2)
        assert (ranking(c), c.depth) == ([UNJUDGED, 0], 2)
        assert messages(c)[-1].startswith("note: x.run: ") and "(depth=2): longest list 3" in messages(c)[-1]

    def test_topics_apart(self) -> None:
        c = load(run="1 Q0 a 1 1 x\n7 Q0 a 1 1 x\n8 Q0 a 1 1 x\n")
        assert messages(c) == [
            "note: x.run:2: topics without judgments, which are ignored: 2: 7 and 8",
            "warning: x.run: topics without a line, which score 0: 2 of 3: 2 and 10",
        ]
        assert ranking(c, "10") == [BEYOND]

    def test_line_numbers_count_every_line_of_the_file(self) -> None:
        c = load(run="# head\n\n1 Q0 a 1 1 x\n#\n9 Q0 a 1 1 x\n2 Q0 a 1 1 x\n10 Q0 e 1 1 x\n")
        assert messages(c) == ["note: x.run:5: topics without judgments, which are ignored: 1: 9"]

    def test_several_tags(self) -> None:
        (found,) = messages(load(run=RUN.replace("8 x", "8 y")))
        assert found.startswith("note: x.run:5: ") and found.endswith(": x and y")

    def test_ranks_against_scores(self) -> None:
        c = load(run=RUN.replace("a 1 3.0", "a 1 0.5"))
        assert ranking(c) == [UNJUDGED, 1, 0]
        (found,) = messages(c)
        assert found.startswith("warning: x.run:2: ") and "rank 2 scores 2.5, rank 1 scores 0.5" in found

    def test_no_relevant_document(self) -> None:
        assert messages(load(qrels=QRELS.replace("e 1", "e 0"))) == [
            "note: test.qrels: topics without a document above grade 0 (relevance): 1 of 3: 10"
        ]

    def test_judged_twice_alike(self) -> None:
        c = load(qrels=QRELS + "1 0 a 2\n")
        assert c.fingerprint == load().fingerprint
        (found,) = messages(c)
        assert found.startswith("note: test.qrels:7: ") and "a, topic 1, first on line 1" in found


class TestRefusals:
    @pytest.mark.parametrize(
        ("run", "line", "said"),
        [
            (RUN + "301 Q0 FBIS3-1 1 9.2\n", ":8", "found 5"),
            (RUN + "\n# c\nhalf a line", ":10", "found 3"),
            ("1 Q0 a 1 nan x\n", ":1", "not a finite number"),
            (RUN + "1 Q0 y 1 -inf x\n", ":8", "not a finite number"),
            (RUN + "1 Q0 y 1 1e999 x\n", ":8", "not a finite number"),
            ("1 Q0 a 1 high x\n", ":1", "not a finite number"),
            ("1 Q0 a 1 1_0 x\n", ":1", "not a finite number"),
            ("", "", "empty"),
            ("# nothing\n\n", "", "only lines that begin with #"),
            (QRELS, "", "looks like qrels"),
            ("".join(f"1 0 d{i} {i % 3} {i % 2} {i % 4}\n" for i in range(40)), "", "looks like qrels"),
            ("151 Q0 a 1 1 x\n152 Q0 a 1 1 x\n", "", "151 and 152; of the qrels: 1, 2 and 10"),
            (b"\xff\xfe1\x00 \x00", "", "UTF-16"),
            (b"\x00\x01", "", "not text"),
            ("1 Q0 " + "d" * 5000 + " 1 1 x\n", ":1", "5,000 bytes"),
        ],
    )
    def test_run(self, run: str | bytes, line: str, said: str) -> None:
        message = refusal(run=run)
        assert message.startswith(f"x.run{line}: ") and said in message

    @pytest.mark.parametrize(
        ("qrels", "line", "said"),
        [
            ("", "", "empty"),
            (QRELS + "1 0 f\n", ":7", "found 3"),
            (QRELS + "1 0 f high\n", ":7", "finite number"),
            (QRELS + "1 0 f nan\n", ":7", "finite number"),
            (QRELS + "1 0 f inf\n", ":7", "finite number"),
            (RUN, "", "looks like a run"),
            (RUN.replace(" x\n", " 1\n"), "", "looks like a run"),
            (QRELS + "1 0 a 0\n", ":7", "0 here, 2 on line 1"),
            (QRELS + "1 5 a 0\n", ":7", "--intents"),
        ],
    )
    def test_qrels(self, qrels: str, line: str, said: str) -> None:
        message = refusal(qrels=qrels)
        assert message.startswith(f"test.qrels{line}: ") and said in message

    @pytest.mark.parametrize("depth", [0, -1, 2.5, True, "10"])
    def test_depth(self, depth: object) -> None:
        assert refusal(depth=depth) == f"`depth` must be a whole number of at least 1; got {depth!r}."


class TestGrades:
    def test_fractions_and_hundreds(self) -> None:
        c = load("1 0 a 0.5\n1 0 b 100\n1 0 c -2\n2 0 a 33.25\n10 0 e 0.0\n")
        assert c.grades == ((0.0, 0.5, 33.25, 100.0),)
        assert c.labels[0, :, 0].tolist() == [1, 3, NEGATIVE]

    def test_declared_levels(self) -> None:
        c = load(levels={"relevance": [-1, 0, 1, 2, 3]})
        assert c.grades == ((0.0, 1.0, 2.0, 3.0),)
        assert c.labels[:].tolist() == load().labels[:].tolist()

    def test_a_used_grade_must_be_declared(self) -> None:
        assert refusal(levels={"relevance": [0, 1]}) == (
            "test.qrels:1: the grade 2 (relevance) is not among the declared levels 0 and 1. "
            "Declare it, or leave `levels` out."
        )

    @pytest.mark.parametrize("declared", [3, "012", [0, "1"], [float("nan")], [True]])
    def test_levels_that_are_no_grades(self, declared: object) -> None:
        assert refusal(levels={"relevance": declared}) == (
            f"`levels['relevance']` must be a list of numbers such as [0, 1, 2, 3]; got {declared!r}."
        )


class TestAspects:
    def test_several_columns_are_several_aspects(self) -> None:
        c = load("1 0 a 2 0 7\n1 0 b 0 1 5.5\n")
        assert c.aspects == ("relevance", "aspect2", "aspect3")
        assert c.grades == ((0.0, 2.0), (0.0, 1.0), (0.0, 5.5, 7.0))
        assert c.labels[:].tolist() == [[[1, 0, 2], [0, 1, 1]]]

    def test_padding_is_no_column(self) -> None:
        assert load("1     0  a      2  \n1     0  b      0  \n").aspects == ("relevance",)

    def test_a_column_with_a_gap_is_left_out_and_said(self) -> None:
        c = load("1 0 a 2 1\n1 0 b 1\n2 0 a 1 0\n10 0 e 1 0\n")
        assert c.aspects == ("relevance",)
        assert messages(c) == [
            "warning: test.qrels:2: field 5 holds no grade here, so the column is left out "
            '(3 lines have a number there): "1 0 b 1"'
        ]

    def test_one_file_an_aspect(self) -> None:
        qrels = {"trust": ("t.qrels", b"1 0 b 3\n1 0 a 1\n"), "relevance": ("r.qrels", b"1 0 c 1\n1 0 a 0\n2 0 a 1\n")}
        c = load_collection(qrels, ("x.run", RUN.encode()))
        assert (c.aspects, c.grades) == (("trust", "relevance"), ((0.0, 1.0, 3.0), (0.0, 1.0)))
        assert c.labels[0].tolist() == [[1, 0], [2, ABSENT], [ABSENT, 1]]
        assert messages(c)[:2] == [
            "warning: t.qrels: topics of the other aspects without a line: 1 of 2: 2",
            "note: t.qrels: topics without a document above grade 0 (trust): 1 of 2: 2",
        ]

    def test_one_column_an_aspect(self) -> None:
        with pytest.raises(IrvizError) as caught:
            load_collection({"trust": ("t.qrels", b"1 0 b 3 1\n")}, ("x.run", RUN.encode()))
        assert str(caught.value) == (
            "t.qrels: expected one column of grades for the aspect trust, found 2. "
            "Give the file by itself to load them all as aspects."
        )

    def test_topics_may_have_different_intents(self) -> None:
        lines = load_intents(("test.qrels", b"1 1 a 1\n1 2 a 0\n1 2 b 1\n2 3 a 1\n10 1 e 0\n"))
        c = load_collection(lines, [("x.run", RUN.encode())])
        assert c.aspects == ("1", "2", "3")
        assert [f.message for f in c.findings if f.file == "test.qrels"] == [
            "topics without a document above grade 0 (any intent): 1 of 3: 10"
        ]
        with pytest.raises(IrvizError, match="101 different values in the second column"):
            load_intents(("test.qrels", b"".join(b"1 %d a 1\n" % i for i in range(101))))


def test_systems_stand_in_natural_order_whatever_order_they_come_in() -> None:
    runs = [(f"run{i}.gz", RUN.encode()) for i in (10, 9, 1)]
    assert load_collection(("q", QRELS.encode()), runs).systems == ("run1", "run9", "run10")


def test_two_runs_of_one_name() -> None:
    with pytest.raises(IrvizError) as caught:
        load_collection(("q", QRELS.encode()), [("a.run", RUN.encode()), ("a.run", RUN.encode())])
    assert str(caught.value) == "Two runs are named a.run: a.run and a.run. Rename one."


def test_progress_is_told_and_may_stop_the_load() -> None:
    told: list[tuple[float, str]] = []
    runs = [(f"r{i}", RUN.encode()) for i in range(5)]
    load_collection(("q", QRELS.encode()), runs, progress=lambda share, what: told.append((share, what)))
    assert told == [((i + 1) / 5, f"Read r{i}") for i in range(5)]

    def stop(share: float, what: str) -> None:
        raise KeyboardInterrupt(what)

    with pytest.raises(KeyboardInterrupt, match="Read r0"):
        load_collection(("q", QRELS.encode()), runs, progress=stop)


def test_the_collection_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "robust04"
    folder.mkdir()
    (folder / "qrels.txt").write_text(QRELS)
    (folder / "x.run").write_text(RUN)
    assert load_collection(folder / "qrels.txt", folder / "x.run").name == "robust04"
    assert load_collection(folder / "qrels.txt", folder / "x.run", name="mine").name == "mine"
    assert load().name == "test.qrels"


def test_a_collection_without_anything_relevant_scores_zero(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 0\n1 0 b -1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n")
    collection = load_collection(tmp_path / "qrels", tmp_path / "run")
    assert collection.grades == ((0.0,),)
    declared = load_collection(tmp_path / "qrels", tmp_path / "run", levels={"relevance": [0, 1, 2]})
    assert declared.grades == ((0.0, 1.0, 2.0),)
    assert not (collection.labels > 0).any()
