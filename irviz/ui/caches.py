"""Data that came by a share: opened once for all sessions, and lent to a session until the share is withdrawn.

Every run of a session asks the store whether the shares it came by are still there.  Data
that a person loaded themselves are theirs, whatever happens to a share of the same.
"""

from __future__ import annotations

import gc
from functools import cache

import streamlit as st

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.ui.state import SIDEBAR, Session
from irviz.workspace.context import Dataset
from irviz.workspace.control import excerpt
from irviz.workspace.data import SHARE, opened_data
from irviz.workspace.store import Data, Share, Store, as_shared


@st.cache_resource(max_entries=12, show_spinner=False)
def cut_collection(identity: str, depth: int, _collection: Collection) -> Collection:
    """Cut a collection at `depth`; the result is kept, so that its fingerprint is computed once."""
    cut = _collection.subset(depth=depth)
    cut.fingerprint  # noqa: B018
    return cut


@cache
def settle_memory() -> None:
    """Streamlit collects garbage after every run; what is imported stays for good, and need not be looked at again."""
    gc.collect()
    gc.freeze()


# --------------------------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """The store of this server."""
    return Store()


@st.cache_resource(max_entries=8, show_spinner="Opening the shared data …")
def _shared_data(fingerprint: str, _share: Share) -> Data:
    """Shared data, opened once for all who hold one of their ids; the caller has just read the share."""
    data = store().data(_share)
    assert data is not None
    return data


def borrow(session: Session, share: Share | None) -> None:
    """Lend this session the data of a share that was just read."""
    if share is None or share.fingerprint is None:
        return
    data = _shared_data(share.fingerprint, share)
    opened = opened_data(as_shared(data, share) if isinstance(data, Collection) else data)
    lent = _borrowed_data(session)
    if opened.key not in session.datasets:
        session.datasets[opened.key] = opened
        lent[opened.key] = (opened, [])
    if opened.key in lent and share.id not in lent[opened.key][1]:
        lent[opened.key][1].append(share.id)


def lender(session: Session, key: str) -> str | None:
    """The id of the share by which this session has the data behind a key; None where they are its own."""
    lent = _borrowed_data(session).get(key)
    return None if lent is None else lent[1][-1]


def give_back(session: Session) -> bool:
    """Drop data whose shares were all withdrawn, with a message that names them; True if there were any."""
    gone = {}
    for key, (_, ids) in _borrowed_data(session).items():
        try:
            remaining = [share_id for share_id in ids if store().has(share_id)]
        except IrvizError as error:
            session.complaints = list(dict.fromkeys([*session.complaints, str(error)]))
            continue
        if remaining:
            ids[:] = remaining
        else:
            gone[key] = ids
    for key, ids in gone.items():
        opened = session.datasets.pop(key)
        if session.scope(SIDEBAR).get(SHARE.name) in ids:
            session.put(SIDEBAR, SHARE.name, None)
        session.came = None
        size = f"{len(opened.systems)} systems, {len(opened.topics):,} topics"
        session.complaints.append(
            f"`{excerpt(opened.title)}` ({size}) was shared with you, and its owner has withdrawn it."
        )
    return bool(gone)


def withdraw(share_id: str, key: str) -> None:
    """Withdraw a share; nothing of its data stays opened for those to come."""
    store().withdraw(share_id, key)
    _shared_data.clear()


def _borrowed_data(session: Session) -> dict[str, tuple[Dataset, list[str]]]:
    """Data of this session that are another's, by key, with the ids of the shares they came by.

    Those that it loaded itself since are its own.
    """
    for key in [key for key, (opened, _) in session.lent.items() if session.datasets.get(key) is not opened]:
        del session.lent[key]
    return session.lent
