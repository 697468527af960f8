"""Limits of a server: two defaults each, and what is not a limit is refused by name."""

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
    for variable in (limits.PUBLIC, limits.HOSTS, *limits.LIMITS, *limits.SWITCHES):
        monkeypatch.delenv(variable, raising=False)


def test_a_laptop_allows_what_a_public_server_does_not(monkeypatch):
    assert limits.limit("IRVIZ_REQUEST_SECONDS") == 600
    assert limits.switch("IRVIZ_ANYWAY")
    monkeypatch.setenv("IRVIZ_PUBLIC", "1")
    assert limits.limit("IRVIZ_REQUEST_SECONDS") == 60
    assert not limits.switch("IRVIZ_ANYWAY")
    assert all(public <= laptop for _, laptop, public in limits.LIMITS.values())


def test_what_is_set_counts_on_both(monkeypatch):
    monkeypatch.setenv("IRVIZ_PUBLIC", "1")
    monkeypatch.setenv("IRVIZ_REQUEST_SECONDS", " 7 ")
    monkeypatch.setenv("IRVIZ_ANYWAY", "1")
    monkeypatch.setenv("IRVIZ_HOSTS", "irviz.example.org, *.example.com ,")
    assert limits.limit("IRVIZ_REQUEST_SECONDS") == 7
    assert limits.switch("IRVIZ_ANYWAY")
    assert limits.hosts() == ("irviz.example.org", "*.example.com")


@pytest.mark.parametrize("text", ["abc", "-1", "1.5", "1e3", "9" * 50, "٣"])
def test_what_is_no_limit(monkeypatch, text):
    monkeypatch.setenv("IRVIZ_SESSIONS", text)
    with pytest.raises(IrvizError) as refused:
        limits.check()
    assert str(refused.value) == (
        f"IRVIZ_SESSIONS must be a whole number (pages that are open at the same time); it is {text[:40]!r}. "
        "Set it to a number such as 200, or leave it out."
    )


@pytest.mark.parametrize("variable", ["IRVIZ_PUBLIC", "IRVIZ_ANYWAY", "IRVIZ_METRICS"])
def test_what_is_no_switch(monkeypatch, variable):
    monkeypatch.setenv(variable, "yes")
    with pytest.raises(IrvizError) as refused:
        limits.check()
    assert str(refused.value) == f"{variable} must be 0 or 1; it is 'yes'."


def test_the_document_has_every_limit_with_its_defaults():
    rows = dict(re.findall(r"^\| `(IRVIZ_\w+)` \| (.+) \|$", SHARING, re.MULTILINE))
    for variable, (meaning, laptop, public) in limits.LIMITS.items():
        assert rows.pop(variable) == f"{meaning} | {laptop} | {public}"
    for variable, (meaning, laptop, public) in limits.SWITCHES.items():
        assert rows.pop(variable) == f"{meaning} | {int(laptop)} | {int(public)}"
    assert set(rows) == {limits.PUBLIC, limits.HOSTS, limits.FRAMES, "IRVIZ_HOME", "IRVIZ_FOLDERS"}


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
    found = dict(security_headers())
    assert found["content-security-policy"].endswith(f"form-action 'self'; {policy}")
    assert found.get("x-frame-options") == frame


@pytest.mark.parametrize("text", ["none", "https://a; script-src *", "https://a/b", "javascript:x", "'self'", "*"])
def test_frames_are_origins(monkeypatch, text):
    monkeypatch.setenv("IRVIZ_FRAMES", text)
    with pytest.raises(IrvizError, match=r"^IRVIZ_FRAMES may hold `self` or origins such as "):
        limits.check()


def account(most: int) -> limits.Memory:
    return limits.Memory(lambda: most)


def test_everybody_together_is_counted_once():
    memory = account(10 << 20)
    memory.charge("a", 6 << 20)
    with pytest.raises(limits.OverMemory, match="need 5 MB more, 1 MB above the 10 MB"):
        memory.charge("b", 5 << 20)
    assert memory.total() == memory.bytes_of("a") == 6 << 20
    memory.release("a", 2 << 20)
    memory.charge("b", 5 << 20)
    memory.release("a")
    assert (memory.bytes_of("a"), memory.total()) == (0, 5 << 20)


def test_what_was_charged_during_a_load_is_released_when_it_fails():
    memory = account(10)

    def load():
        with memory.during("load") as charge:
            charge(4)
            charge(7)

    with pytest.raises(limits.OverMemory):
        load()
    assert memory.total() == 0


def test_an_object_is_charged_once_for_as_long_as_anybody_refers_to_it():
    class Loaded:
        pass

    memory, one = account(10), Loaded()
    memory.keep(one, 6)
    memory.keep(one, 6)
    also = one
    del one
    assert memory.total() == 6
    del also
    assert memory.total() == 0


def test_room_is_made_before_anybody_is_refused():
    memory = account(10)
    memory.charge("unused", 8)
    memory.relieve.append(lambda missing: memory.release("unused", missing))
    memory.charge("new", 5)
    assert (memory.bytes_of("unused"), memory.bytes_of("new")) == (5, 5)
