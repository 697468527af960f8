"""Names in Markdown are shown sign for sign: nothing is fetched, linked, coloured or computed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.ui.text import as_markdown, md_escape

PUNCTUATION = re.compile(r"(?<!\\)[*_`\[\]<>$#|~!:&]")


@given(st.text(max_size=60))
def test_no_sign_of_markdown_is_left_bare(text):
    escaped = md_escape(text)
    assert not PUNCTUATION.search(re.sub(r"\\\\", "", escaped))
    assert "\n" not in escaped


@pytest.mark.parametrize(
    "text", ["http://evil.example", "HTTPS://x", "www.evil.example", "a@evil.example", "mailto:a@b.c"]
)
def test_no_address_becomes_a_link(text):
    shown = md_escape(text).replace("\\", "")
    assert "\u2060" in shown and shown.replace("\u2060", "") == text


def test_measures_are_left_alone():
    assert md_escape("nDCG@10").replace("\\", "") == "nDCG@10"


def test_code_in_a_sentence_stays_code():
    assert as_markdown("`a*b` beats `![i](http://x)`.") == "`a*b` beats `![i](http://x)`\\."


def test_a_name_with_a_backtick_cannot_open_a_code_span():
    assert "`" not in as_markdown("There is no measure `a`b`.").replace("\\`", "")
