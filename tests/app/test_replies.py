"""Answers to a share on the page of its readers: text only, withdrawn by their writer, in no report."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.ui import caches
from irviz.ui.text import md_escape
from irviz.workspace import store as folder
from irviz.workspace.data import library
from irviz.workspace.store import MOST_REPLIES, Store
from irviz.workspace.view import View
from tests.app.driving import assert_sound, errors, open_page, said

HOSTILE = "<b>x</b> ![i](http://x.y/z) :red[no] $a$ `c`"


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The store of a server of its own."""
    monkeypatch.setenv("IRVIZ_HOME", str(tmp_path))
    caches.store.clear()
    yield Store(tmp_path)
    caches.store.clear()


def reader_of(share) -> AppTest:
    """A reader who came by a share's link and opened its answers."""
    at = open_page("scores", s=share.id)
    at.session_state["share.replies"] = True
    return at.run()


def press(at: AppTest, label: str) -> AppTest:
    (button,) = (one for one in at.button if one.label == label)
    button.click().run()
    assert_sound(at)
    return at


def answer(at: AppTest, text: str, name: str = "") -> AppTest:
    at.text_area(key="reply.text").set_value(text)
    at.text_input(key="reply.name").set_value(name)
    return press(at, "Answer")


def test_a_reader_answers_and_withdraws(store):
    share = store.share(View.from_texts("scores", collection="adhoc"))
    reader = answer(reader_of(share), HOSTILE, "*Ann*")
    (kept,) = store.replies(share.id)
    assert (kept.text, kept.name) == (HOSTILE, "*Ann*")
    assert [one.label for one in reader.expander if one.label.startswith("Answers")] == ["Answers (1)"]
    shown = next(one.value for one in reader.markdown if "Ann" in one.value)
    assert shown.endswith(md_escape(HOSTILE)) and md_escape("*Ann*") in shown
    assert "Everyone with this link can read it." in said(reader)
    other = reader_of(share)
    assert "Ann" in said(other) and not [one for one in other.button if one.label == "Withdraw"]
    press(reader, "Withdraw")
    assert store.replies(share.id) == () and "Ann" not in said(reader)


def test_any_answer_is_withdrawn_by_the_key_of_the_share_and_by_no_other(store):
    share = store.share(View.from_texts("scores", collection="adhoc"))
    first, _ = (store.reply(share.id, text) for text in ("first", "second"))
    at = reader_of(share)
    at.session_state["reply.old"] = True
    at.run()
    for key, left in ((first.key, 2), (share.key, 1)):
        at.selectbox(key="reply.place").set_value(2)
        at.text_input(key="reply.key").set_value(key)
        press(at, "Withdraw it")
        assert len(store.replies(share.id)) == left
        assert bool(errors(at)) == (left == 2)
    assert [one.id for one in store.replies(share.id)] == [first.id]


def test_no_form_where_no_more_answers_are_kept(store, monkeypatch):
    share = store.share(View.from_texts("scores", collection="adhoc"))
    for n in range(MOST_REPLIES):
        store.reply(share.id, f"{n}")
    at = reader_of(share)
    assert "This share has 50 answers, which is the most that are kept." in said(at) and not at.text_area
    monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != folder.os.W_OK)
    caches.store.clear()
    at = reader_of(share)
    assert "it takes no more answers" in said(at) and "50 · Without a name" in said(at)


def test_no_report_and_no_link_has_answers(store):
    share = store.share(View.from_texts("scores", collection="adhoc"), title="Titled")
    store.reply(share.id, "never in a report", "Nobody")
    shown = draw(View.from_texts("scores", s=share.id), library(), store=lambda: store)
    assert "never in a report" not in report([shown])
    assert "never" not in str(reader_of(share).query_params)
    assert "never" not in store.read(share.id).view.to_url()


def test_the_banner_says_that_other_settings_are_shown(store):
    share = store.share(View.from_texts("scores", collection="adhoc", measure="P@10"), title="Look")
    at = open_page("scores", s=share.id)
    assert not [one for one in at.info if "other settings" in one.value]
    at.selectbox(key="scores.measure").set_value("AP").run()
    assert [one for one in at.info if "Look" in one.value and "other settings" in one.value]
    at.selectbox(key="scores.measure").set_value("P@10").run()
    assert not [one for one in at.info if "other settings" in one.value]
