"""Texts that people read are plain scientific English: some turns of phrase are in none of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: what is not written, and what is written instead
INSTEAD = {
    r"\bwhoever\b": "the person who …, everyone who …",
    r"(?<!how )\bso many\b": "this many, the number of",
    r"\bgravest\b": "most serious",
    r"\bmiddling\b|\bmiddle topic\b": "median, medium",
    r"\bis to be seen\b|\bare to be seen\b": "What to notice",
    r"\blint saw\b": "the warnings of lint",
    r"\btakes? .{1,30} for granted\b": "assumes",
    r"\btells? (?:most |the systems |systems )?apart\b|\btold apart by\b": "separates",
    r"\bcomes? back (?:better|on (?:the )?other)\b": "is reproduced",
    r"\bheld against the (?:first|second)\b": "compared with",
    r"\bwho (?:moved since|gives which|beats whom|notices)\b": "which systems, which measures",
    r"(?<!there )\bis no (?:finite number|number|list|condition|claim that|answer of|JSON|UTF-8|CSV|text)\b": "is not",
    r"\bever more\b": "more and more",
    r"\bkinder than\b": "higher than",
    r"\bturn(?:s|ed)? round from\b": "change their order",
    r"\bworld says otherwise\b": "has another verdict",
    r"\bimported scores\)? holds imported\b": "only scores are loaded",
    r"\bequal patterns\b": "similar patterns",
    r"\bhad to go\b": "was removed",
    r"\btaken? off again\b": "subtracted afterwards",
    r"\bGo on\b": "Resume, Continue",
    r"\bDepth of the lists\b": "Ranking depth",
    r"\b(?:stands?|stood) in full\b": "lists … in full",
    r"\bwhere it stands\b|\bas they stand\b": "where it is, as they are",
    r"\bnext to no\b": "almost no",
    r"\bcomes? out to the printed\b": "is reproduced to the printed",
    r"\bfrom −1 .{1,20} over 0\b": "from −1 … through 0",
    r"\bin (?:its|their) place stands\b": "is used instead",
    r"\bhow sure is that\b": "how certain is that",
    r"\babove all because\b": "mainly because",
    r"\bof every two\b": "of all pairs, of each pair",
    r"\bbytes where .{1,20} are due\b": "bytes instead of",
    r"\bNot a bit of (?:the|any) result\b": "the result does not depend on it",
    r"\bthe one world looked at\b": "the only world",
    r"\b(?:is|are) none of irviz's\b": "irviz did not write",
    r"\bpasses over unjudged\b": "ignores unjudged",
    r"\bcounts as significant where\b": "is significant if",
    r"\b[Aa] row a\b|\b[Oo]ne (?:number|score|row) an? (?:system|run|topic|measure|rank|world|aspect)\b": "one … per …",
    r"\bSystems to pick out\b": "Highlight systems",
    r"(?<![-.,])\b1 (?:topics|systems|pairs|runs|numbers|measures|documents)\b": "the singular",
    r"\bhighest mean τ has\b": "X has the highest mean τ",
    r"\b[Oo]ne (?:column|line|dot|marker|box|figure|bar|file|density|trace|square|number) an? \w": "one … per …",
    r"\bone an? (?:row|level|trial|measure|pair|system|topic|run|rank|world|group|document|judge|order)\b": "one per …",
    r"\b[Aa] (?:column|line|dot|marker|box|bar) an? (?!world)\w": "one … per …",
    r"\bworked out\b": "computed",
    r"\bstands? for it\b": "is used instead",
    r"\bmust come out\b|\bcomes? out again\b": "must be reproduced",
    r"\bbrought about\b": "the task",
    r"\bheld against\b": "compared with",
    r"\bon its way to\b": "with limit …",
    r"\bsomebody (?:looks|else wins)\b": "once it is opened, another system wins",
    r"\d\s%(?![\d{])": "the percent sign at its number, as on the axes of figures: 95%",
}
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("data/*.md")])
SOURCES = sorted(ROOT.glob("irviz/**/*.py"))


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module, docstrings among them, with their lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def wrong(text: str) -> list[str]:
    return [
        f"“{found.group()}”: write {better}"
        for pattern, better in INSTEAD.items()
        for found in re.finditer(pattern, text, 0 if pattern == r"\bGo on\b" else re.IGNORECASE)
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_are_in_plain_english(path):
    assert wrong(path.read_text()) == []


def test_texts_and_docstrings_are_in_plain_english():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {one}"
        for path in SOURCES
        for line, text in strings(path)
        for one in wrong(text)
    ]
    assert not found, "\n".join(found)


def test_a_turn_of_phrase_of_the_list_is_found():
    assert wrong("Whether whoever asks for so many takes a scale for granted") and not wrong("How many ask for it")
    assert wrong("Whoever runs it") and wrong("the grade is no number") and not wrong("where there is no number")
