"""Answers to an opened share: read by everyone who has its link, withdrawn by their writer or by who shared."""

from __future__ import annotations

from functools import partial

import streamlit as st

from irviz.errors import IrvizError
from irviz.ui.caches import store
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import fold
from irviz.workspace.store import LONGEST_NAME, LONGEST_REPLY, MOST_REPLIES, Reply

_MINE = "irviz.replies"  #: keys of the answers of this session, by id
_TEXT, _NAME, _PLACE, _KEY = "reply.text", "reply.name", "reply.place", "reply.key"
_REFUSED, _OPEN = "reply.refused", "reply.open"


def show_replies(share_id: str) -> None:
    """The answers to a share, folded away, and the form for another."""
    with shown_errors():
        replies = store().replies(share_id)
        opened = st.session_state.get(_OPEN, False)  # with another count it is another fold
        label, show = f"Answers ({len(replies)})", partial(_show, share_id, replies)
        st.session_state[_OPEN] = fold(label, "share.replies", show, expanded=opened)


def _show(share_id: str, replies: tuple[Reply, ...]) -> None:
    own_keys: dict[str, str] = st.session_state.get(_MINE, {})
    for place, reply in enumerate(replies, start=1):
        who = md_escape(reply.name or "Without a name")
        st.markdown(f"**{place} · {who}** · {md_escape(reply.created[:10])}  \n{md_escape(reply.text)}")
        if reply.id in own_keys:
            st.caption("Key to withdraw this answer in another session; keep it, it is shown only here:")
            with st.container(horizontal=True, vertical_alignment="center"):
                st.code(own_keys[reply.id], language=None, width="content")
                what = (share_id, reply.id, own_keys[reply.id])
                st.button("Withdraw", key=f"reply.withdraw.{reply.id}", on_click=_withdraw, args=what)
    if not store().writable:
        st.caption("The folder of this server is read-only: it takes no more answers.")
        return
    if len(replies) < MOST_REPLIES:
        with st.form("reply", border=False):
            st.text_area("Your answer", key=_TEXT, max_chars=LONGEST_REPLY, height=80)
            st.text_input("Your name (optional)", key=_NAME, max_chars=LONGEST_NAME, width=320)
            st.caption("Everyone with this link can read it. You can withdraw it, and so can the person who shared.")
            st.form_submit_button("Answer", on_click=_send, args=(share_id,))
    else:
        st.caption(f"This share has {MOST_REPLIES} answers, which is the most that are kept.")
    if refused := st.session_state.pop(_REFUSED, ""):
        st.error(as_markdown(refused))
    if replies:
        fold("Withdraw an answer", "reply.old", partial(_show_withdraw, share_id, replies))


def _show_withdraw(share_id: str, replies: tuple[Reply, ...]) -> None:
    """Withdraw an answer of another session by its key, or any by the key of the share."""
    with st.form("reply.old.form", border=False):
        st.selectbox("Answer", range(1, len(replies) + 1), key=_PLACE, width=120)
        st.text_input("Its key, or the key of the share", key=_KEY, type="password", max_chars=60)
        st.form_submit_button("Withdraw it", on_click=_withdraw_chosen, args=(share_id, replies))


def _send(share_id: str) -> None:
    try:
        reply = store().reply(share_id, st.session_state[_TEXT], st.session_state[_NAME])
    except IrvizError as error:
        st.session_state[_REFUSED] = str(error)
        return
    st.session_state.setdefault(_MINE, {})[reply.id] = reply.key
    st.session_state[_TEXT] = ""


def _withdraw_chosen(share_id: str, replies: tuple[Reply, ...]) -> None:
    _withdraw(share_id, replies[st.session_state[_PLACE] - 1].id, st.session_state[_KEY].strip())


def _withdraw(share_id: str, reply_id: str, key: str) -> None:
    try:
        store().withdraw_reply(share_id, reply_id, key)
    except IrvizError as error:
        st.session_state[_REFUSED] = str(error)
