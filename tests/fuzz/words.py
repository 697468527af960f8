"""Measure expressions and command lines as strangers type them."""

from __future__ import annotations

import contextlib
import io
import random
from dataclasses import MISSING
from typing import Any

import irviz
from irviz.cli.main import COMMANDS, main
from irviz.errors import LONGEST_MESSAGE, IrvizError
from irviz.measures.catalogue import measures
from irviz.measures.language.base import family
from irviz.measures.language.parameters import declarations
from tests.fuzz.engine import target
from tests.fuzz.files import whole

FAMILIES = ("measure", "browsing model", "aggregation")
NUMBERS = (
    *("0", "1", "-1", "2", "0.5", "0.8", "1e-9", "1e-320", "1e9", "1e12", "1e308", "1e999", "-0.0", "0.1", "0.9"),
    *("2.25", "4", "5", "10", "100", "1000000", "99999999999999999999", "0x10", "1_0", "nan", "inf", "00", "1.", ".5"),
)
WORDS = tuple("'linear' 'exp' exp None True 'product' 'observed' 'half' 'euclidean' 'a' '\\'' ''".split())
ODD = (*"()[],=@'\"\\ \n\0ρ\ud800e", "<b>", "//", "((((", "@@", "=,")


FITTING: tuple[Any, ...] = (
    *(0, 1, 2, 3, 10, 0.1, 0.5, 0.8, 2.25, 5, 1e-9, 1e12, 1e9, 999_999, 0.999999, "relevance", "linear", "exp", True),
    *([0.5, 0.5], [1.0], [0.1, 0.9], [0, 1, 2], [0, 1, 1e12], [0.25] * 4, [0, 0], [[0, 1, 2]], [[0, 1.5], [0, 1]]),
)


def expression(r: random.Random, kind: str = "measure", depth: int = 0) -> str:
    """A name with parameters that its family declares, most of them in their domain, and some that it does not."""
    known = family(kind)
    name = r.choice(list(known))
    declared = declarations(known[name])
    needed = [key for key, field in known[name].__dataclass_fields__.items() if field.default is MISSING]
    given = [key for key in declared if key in needed or r.random() < 0.3]
    inside = [f"{key}={fitting(declared[key].kind, r, depth)}" for key in given]
    if r.random() < 0.1:
        inside.append(r.choice(("p=0.5", "nonsense=1", "rel=2", value(r, depth))))
    cutoff = f"@{r.choice((1, 3, 5, 10, r.choice(NUMBERS)))}" if r.random() < 0.4 else ""
    return (f"{name}({','.join(inside)})" if inside else name) + cutoff


def fitting(kind: Any, r: random.Random, depth: int) -> str:
    """A value that the domain takes, nine times of ten; found by asking it."""
    if r.random() < 0.1 or depth > 3:
        return value(r, depth)
    if hasattr(kind, "family"):
        return expression(r, kind.family, depth + 1)
    for candidate in r.sample((*FITTING, *getattr(kind, "options", ())), len(FITTING)):
        with contextlib.suppress(IrvizError):
            kind.check(candidate, "", "")
            return repr(candidate)
    return value(r, depth)


def value(r: random.Random, depth: int) -> str:
    kind = r.random()
    if kind < 0.4:
        return r.choice(NUMBERS)
    if kind < 0.65:
        return (
            "["
            + ",".join(value(r, depth + 1) if r.random() < 0.2 else r.choice(NUMBERS) for _ in range(r.randint(0, 5)))
            + "]"
        )
    if kind < 0.8 or depth > 3:
        return r.choice(WORDS)
    return expression(r, r.choice(FAMILIES), depth + 1)


def text_changed(text: str, r: random.Random) -> str:
    for _ in range(r.randint(1, 3)):
        place = r.randint(0, len(text))
        end = place + r.choice((0, 0, 1, 3))
        text = text[:place] + r.choice((*ODD, *NUMBERS)) * r.choice((1, 1, 1, 2, 50)) + text[end:]
    return text


@target
def expressions(r: random.Random) -> None:
    """A measure that parses is written as a text that parses to an equal one."""
    text = expression(r)
    one = irviz.measure(text_changed(text, r) if r.random() < 0.5 else text)
    assert irviz.measure(str(one)) == one and hash(irviz.measure(str(one))) == hash(one)


@target
def expressions_scored(r: random.Random) -> None:
    """Every measure scores a collection, or says why not."""
    cube = irviz.score(whole(), expression(r))
    assert cube.values.shape[1:] == (3, 3)


@target
def scale_types(r: random.Random) -> None:
    grades = r.choice((2, 3, 1, 0, [0, 1, 3], [0, 0.5], [0, 1e12], [1, 2], [], [0, -1], "x"))
    irviz.scale_type(expression(r), grades=grades, depth=r.choice((1, 2, 3, 4, 0, -1)))


OPTIONS = (
    *("--summary", "--eps", "--by", "--coefficient", "--confidence", "--trials", "--split", "--alpha", "--seed"),
    *("--rates", "--method", "--repeats", "--grades", "--depth", "--topics", "--systems", "--format", "--ties"),
)
VALUES = (*"mean geometric tau random topic csv json 0 -1 1 2 nan 1e999 .5,.1 401 \ud800".split(), "")


@target
def command_lines(r: random.Random) -> None:
    """Exit 0, or 2 with one line."""
    words = [r.choice(list(COMMANDS)), "--collection", r.choice(("multiaspect", "multiaspect", "no such", ""))]
    words += ["--measures", ",".join(r.choice(("AP", "P@5", "RR", expression(r))) for _ in range(2))]
    words += ["--trials", "2"] if words[0] in ("consistency", "significance") else []
    for _ in range(r.randint(0, 3)):
        words += [r.choice(OPTIONS), r.choice(VALUES)]
    if words[0] == "scale":
        words = ["--depth" if word == "--trials" else word for word in words]
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    assert status in (0, 2), status
    if status == 2:
        said = err.getvalue()
        assert said.count("\n") == 1 and len(said) < LONGEST_MESSAGE + 10, said[:3_000]


assert set(measures()) == set(family("measure"))
