"""Claims: what can be written, what it amounts to, and what is said where it cannot be read."""

from __future__ import annotations

import pytest

from irviz.multiverse.claims import Claim, read_claim
from tests.refusals import refused

SYSTEMS = ("bm25", "my run", "bm25+rm3", "is", "a>b", "x`y")


def refusal(text: object, systems: tuple[str, ...] = SYSTEMS) -> str:
    return refused(lambda: read_claim(text, systems))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bm25 > is", Claim("pair", ("bm25", "is"), ((0, 3),))),
        ("bm25>`my run`", Claim("pair", ("bm25", "my run"), ((0, 1),))),
        ("  `a>b` >bm25+rm3> x`y ", Claim("chain", ("a>b", "bm25+rm3", "x`y"), ((4, 2), (2, 5)))),
        ("is is best", Claim("best", ("is",), tuple((3, i) for i in (0, 1, 2, 4, 5)))),
        ("bm25 in top 3", Claim("top", ("bm25",), tuple((0, i) for i in range(1, 6)), 2)),
        ("bm25 in top 1", Claim("best", ("bm25",), tuple((0, i) for i in range(1, 6)))),
    ],
)
def test_what_a_sentence_amounts_to(text: str, expected: Claim):
    assert read_claim(text, SYSTEMS) == expected
    assert read_claim(str(expected), SYSTEMS) == expected


EXAMPLES = "Write `A > B`, `A > B > C`, `A is best` or `A in top 5`, names with spaces or signs in backticks."


def test_refusals():
    assert refusal("bm52 > is") == "There is no system `bm52`. Did you mean bm25?"
    for text in ("", "bm25", "bm25 >", "> bm25", "my run > bm25", "bm25 > > is", "bm25 is good", "`bm25` `is` `best`"):
        assert refusal(text) == f"`{text}` is not a claim that can be read. {EXAMPLES}"
    assert refusal("bm25 > bm25") == "`bm25 > bm25` names bm25 twice. Compare different systems."
    assert refusal("bm25 > is > bm25") == "`bm25 > is > bm25` names bm25 twice. Compare different systems."
    assert refusal("> is best") == f"`> is best`: expected a system, found `>`. {EXAMPLES}"
    assert refusal("bm25 > `is") == f"`bm25 > `is`: the backtick at character 8 is not closed. {EXAMPLES}"
    for k in ("0", "6", "x", "9" * 30, "٣"):
        assert refusal(f"bm25 in top {k}") == (
            f"`bm25 in top {k}`: `top` takes a whole number from 1 to 5, with 6 systems loaded; got {k}."
        )
    assert refusal("a is best", ("a",)) == "a is the only system, so there is nothing to compare it with. Load another."
    assert refusal("a" * 2001) == "This claim is 2001 characters long; at most 2000 are read."
    assert refusal(None) == f"A claim is written as text; got NoneType. {EXAMPLES}"
