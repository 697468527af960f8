"""Sharing: a link to copy, a share kept on the server, and what this session has shared.

Nothing is kept on the server before its owner presses a button that says so.  A share
is found by its id alone and withdrawn by its key alone; both are shown to nobody but
the session that made them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from irviz.errors import IrvizError
from irviz.menu import page_named
from irviz.ui.caches import borrow, give_back, lender, store, withdraw
from irviz.ui.exercise import show_builder
from irviz.ui.navigation import address
from irviz.ui.state import Session, state
from irviz.ui.text import as_markdown, shown_errors
from irviz.ui.widgets import fold
from irviz.workspace.baseline import bare
from irviz.workspace.context import Dataset
from irviz.workspace.control import excerpt
from irviz.workspace.data import COLLECTION, SHARE, view_of_share
from irviz.workspace.page import Page
from irviz.workspace.store import LONGEST_NOTE, LONGEST_TITLE, Share, fingerprint_of
from irviz.workspace.view import FOREIGN, LONG_LINK, VERSION_KEY, View, of_this_version

# -- coming by a link ------------------------------------------------------------------


def take_share(session: Session, page: Page, texts: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """The texts of a link with those of the share it names; the share's data are opened for this session."""
    session.came = None
    if SHARE.name not in texts:
        return texts, []
    versioned = VERSION_KEY in texts  # a link that says all that it shows, and the share in addition
    texts, complaints = of_this_version(texts)
    messages = [str(complaint) for complaint in complaints]
    items = tuple((key, text) for key, text in texts.items() if key not in FOREIGN)
    try:
        view, share = view_of_share(View(page.name, items), store)
        borrow(session, share)
    except IrvizError as error:
        rest = {key: text for key, text in items if key != SHARE.name}
        if not (rest or versioned):
            rest = {COLLECTION.name: ""}  # no data, so that none but the sender's are drawn
        return rest, [*messages, str(error)]
    view_texts = {key: text for key, text in view.items if key != SHARE.name}
    if share is not None:
        session.came = replace(share, id=texts[SHARE.name])  # not of the share that its data came by
        view_texts[SHARE.name] = share.id  # data and note survive a reload
    if view.page != page.name:
        name = excerpt(view.page, 30)
        messages.append(f"This share shows the page `{name}`; open it at /{name} to see it whole.")
    return view_texts, messages


def show_arrival(view: View) -> None:
    """Draw the note of a share to its readers, on the page that it is about."""
    share, page = state().came, state().run.page
    if share is None or page is None or share.view.page != page.name:
        return
    changed = bare(share.view).values != bare(view).values
    since = " · this page shows other settings than the share" if changed else ""
    note = f"  \n{as_markdown(share.note)}" if share.note else ""
    with st.container(key="arrival"):
        st.info(f"**{as_markdown(share.title or 'A shared view')}** · {share.created[:10]}{since}{note}")


# -- the popover -----------------------------------------------------------------------


def show_share(view: View, dataset: Dataset | None) -> None:
    """The link of what is on the screen, and the ways to keep it on the server."""
    session = state()
    if give_back(session):
        st.rerun()
    lent = None if dataset is None else lender(session, dataset.key)
    if lent is not None:  # also where the session came back to these data after others
        view = replace(view, items=(*(item for item in view.items if item[0] != SHARE.name), (SHARE.name, lent)))
    link = address() + view.to_url()
    st.markdown("**Link to this view**")
    if len(link) <= LONG_LINK:
        st.code(link, language=None, wrap_lines=True, height="content" if len(link) < 300 else 110)
        if "guess" in view.values:
            st.caption("This link shows your answers.")
        if SHARE.name in view.values:
            st.caption(
                "`s=` names the share that you opened, for its data and note. The settings are those of this page."
            )
    else:
        st.caption(
            f"The link has {len(link):,} characters, and some programs cut links of this length. "
            "Keep the view on the server to get a short link."
        )
    fold("Exercise", "share.exercise", partial(show_builder, view))
    own_shares = st.container()
    _show_data(dataset, lent is not None)
    _show_keep(view, None if lent is not None else dataset, len(link) > LONG_LINK)
    with own_shares:
        _show_mine()


def _show_data(dataset: Dataset | None, is_lent: bool) -> None:
    """Say who else can see the data."""
    if dataset is None or "~" not in dataset.key:
        st.caption("The data come with irviz: everyone who opens the link sees the same.")
    elif is_lent:
        st.caption(
            "The data were shared with you: everyone who has the link sees them until their owner withdraws them."
        )
    elif any(share.fingerprint == fingerprint_of(dataset.data) for share, _ in state().shares):
        st.caption(
            "Your share above keeps your data on this server for everyone who has its link. The link to this view "
            "gives no access to them."
        )
    else:
        st.caption("Your data stay with you. The link names the data to load: name, size and fingerprint.")


def _show_keep(view: View, dataset: Dataset | None, long: bool) -> None:
    """Keep the view, and the data where they are the owner's to share."""
    own_data = dataset if dataset is not None and "~" in dataset.key else None
    label = "Share with its data" if own_data is not None else "Keep on the server"
    with st.expander(label, expanded=long):
        if own_data is not None:
            what = "Rankings and judgments go" if own_data.collection is not None else "The score matrices go"
            st.caption(f"{what} to this server's disk. Everyone who has the link can see and save them.")
        title = st.text_input("Title", key="share.title", max_chars=LONGEST_TITLE)
        note = st.text_area("Note to the reader", key="share.note", max_chars=LONGEST_NOTE, height=80)
        if st.button(label, key="share.go", type="primary"):
            with shown_errors():
                data = None if own_data is None else own_data.data
                share = store().share(view, title=title, note=note, data=data)
                state().shares.append((share, "" if own_data is None else own_data.title))


def _show_mine() -> None:
    session = state()
    shares, refused, session.refused_share = session.shares, session.refused_share, ""
    if refused:
        st.error(as_markdown(refused))
    if not shares:
        return
    st.markdown("**My shares of this session**")
    for share, data in reversed(shares):
        with st.container(border=True):
            page, about = share.view.page, f", with the data `{data}`" if data else ""
            st.markdown(as_markdown(f"{share.title or 'Untitled'} ({page_named(page).title}{about})"))
            st.code(f"{address()}/{page}?{SHARE.name}={share.id}", language=None, wrap_lines=True)
            st.caption("With this key, the operator of the server can withdraw it after this session:")
            st.code(share.key, language=None)
            with st.expander("Withdraw"):  # its button is not where one has just pressed another
                st.caption("Afterwards the link shows nothing.")
                st.button("Withdraw this share", key=f"share.withdraw.{share.id}", on_click=_withdraw, args=(share,))


def _withdraw(share: Share) -> None:
    try:
        withdraw(share.id, share.key)
    except IrvizError as error:
        state().refused_share = str(error)
    state().shares = [entry for entry in state().shares if entry[0].id != share.id]
