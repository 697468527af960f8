"""Limits of a server: what is not a limit is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviz import limits
from irviz.errors import IrvizError
from irviz.server.middleware import security_headers

SHARING = (Path(__file__).resolve().parents[2] / "docs" / "deploying.md").read_text()


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    for variable in (limits.HOSTS, limits.FRAMES, *limits.LIMITS):
        monkeypatch.delenv(variable, raising=False)


def test_what_is_set_counts(monkeypatch):
    assert limits.limit(limits.SECONDS) == 0
    monkeypatch.setenv("IRVIZ_REQUEST_SECONDS", " 7 ")
    monkeypatch.setenv("IRVIZ_HOSTS", "irviz.example.org, *.example.com ,")
    assert limits.limit(limits.SECONDS) == 7
    assert limits.hosts() == ("irviz.example.org", "*.example.com")


@pytest.mark.parametrize("text", ["abc", "-1", "1.5", "1e3", "9" * 50, "٣"])
def test_what_is_no_limit(monkeypatch, text):
    monkeypatch.setenv("IRVIZ_LOAD_MB", text)
    with pytest.raises(IrvizError, match=r"^IRVIZ_LOAD_MB must be a whole number "):
        limits.check()


def test_the_document_has_every_variable_with_its_default():
    rows = dict(re.findall(r"^\| `(IRVIZ_\w+)` \| (.+) \|$", SHARING, re.MULTILINE))
    for variable, (meaning, default) in limits.LIMITS.items():
        assert rows.pop(variable) == f"{meaning} | {default}"
    assert set(rows) == {limits.HOSTS, limits.FRAMES, "IRVIZ_HOME", "IRVIZ_FOLDERS"}


@pytest.mark.parametrize(
    ("text", "policy", "frame"),
    [
        ("", "frame-ancestors 'none'", "DENY"),
        ("self", "frame-ancestors 'self'", "SAMEORIGIN"),
        ("self  https://*.example.org:8443", "frame-ancestors 'self' https://*.example.org:8443", None),
    ],
)
def test_who_may_show_irviz_within_a_page_of_theirs(monkeypatch, text, policy, frame):
    monkeypatch.setenv("IRVIZ_FRAMES", text)
    found = security_headers("")
    assert found["content-security-policy"].endswith(f"form-action 'self'; {policy}")
    assert found.get("x-frame-options") == frame


@pytest.mark.parametrize("text", ["none", "https://a; script-src *", "https://a/b", "javascript:x", "'self'", "*"])
def test_frames_are_origins(monkeypatch, text):
    monkeypatch.setenv("IRVIZ_FRAMES", text)
    with pytest.raises(IrvizError, match=r"^IRVIZ_FRAMES may hold `self` or origins such as "):
        limits.check()
