"""What people share: views and the collections behind them, in one folder on the server.

A share is found by a random 128-bit id and by nothing else: there is no way to list
shares, and no way to read one without its id.  Whoever made it also holds a key, and
only that key withdraws it.  The folder holds one SQLite file (write-ahead log, every
commit flushed to the disk) and one ``.irviz`` file for every shared collection, written
whole before any row names it: a crash at any moment loses nothing that was confirmed.

May import :mod:`irviz.errors`, :mod:`irviz.collection` and :mod:`irviz.views.view`.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from irviz.collection.bundle import open_bundle
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.views.view import View

HOME = "IRVIZ_HOME"  #: environment variable that names the folder
LIMIT = "IRVIZ_STORE_LIMIT_MB"  #: environment variable that bounds it
DEFAULT_LIMIT_MB = 4096
LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW = 200, 4000, 200_000
_ID = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits in URL-safe base 64

_SCHEMA = """
CREATE TABLE IF NOT EXISTS collections (
    fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL, systems INTEGER NOT NULL, topics INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS shares (
    id TEXT PRIMARY KEY, key_hash TEXT NOT NULL, created TEXT NOT NULL,
    title TEXT NOT NULL, note TEXT NOT NULL, view TEXT NOT NULL,
    fingerprint TEXT REFERENCES collections (fingerprint));
"""


@dataclass(frozen=True)
class Share:
    """A shared view as its reader gets it; ``fingerprint`` is None where no collection came with it."""

    id: str
    title: str
    note: str
    created: str
    view: View
    fingerprint: str | None


@dataclass(frozen=True)
class Receipt:
    """What the owner keeps: the id to hand out, and the key that withdraws it."""

    id: str
    key: str


def default_home() -> Path:
    """``IRVIZ_HOME``, or a folder of the user's own."""
    named = os.environ.get(HOME)
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "irviz"


class Store:
    """The shares of one server.

    Parameters
    ----------
    home : path, optional
        The folder; made where it is missing, readable by its user only.
    """

    def __init__(self, home: Path | None = None) -> None:
        self.home = home if home is not None else default_home()
        try:
            (self.home / "collections").mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise IrvizError(f"{self.home}: shares cannot be kept here ({error.strerror}). Set {HOME}.") from error
        with self._connection() as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript(_SCHEMA)

    # -- sharing ----------------------------------------------------------------------

    def share(self, view: View, *, title: str = "", note: str = "", collection: Collection | None = None) -> Receipt:
        """Keep a view, and the collection it is about; only this makes either visible to anyone else.

        Returns
        -------
        Receipt
            Once it is returned, the share is on the disk.
        """
        text = view.to_json()
        for what, given, most in (
            ("title", title, LONGEST_TITLE),
            ("note", note, LONGEST_NOTE),
            ("view", text, LONGEST_VIEW),
        ):
            if len(given) > most:
                raise IrvizError(f"The {what} is {len(given):,} characters long; at most {most:,} are kept.")
        receipt = Receipt(secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        created = datetime.now(UTC).isoformat(timespec="seconds")
        fingerprint = None if collection is None else collection.fingerprint
        row = (receipt.id, _hash(receipt.key), created, title, note, text, fingerprint)
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody withdraws the collection's last share meanwhile
            if collection is not None:
                self._keep(collection)
                shape = (fingerprint, collection.name, len(collection.systems), len(collection.topics))
                database.execute("INSERT OR IGNORE INTO collections VALUES (?, ?, ?, ?)", shape)
            database.execute("INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return receipt

    def _keep(self, collection: Collection) -> None:
        """Write the collection's file, whole or not at all, and flush it, before any row names it."""
        path = self._file(collection.fingerprint)
        if path.exists():
            return
        self._check_room(collection.ranking.nbytes + collection.labels.nbytes)
        collection.save(path)
        for flushed in (path, path.parent):
            handle = os.open(flushed, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def _check_room(self, size: int) -> None:
        limit = int(os.environ.get(LIMIT, DEFAULT_LIMIT_MB)) << 20
        used = sum(file.stat().st_size for file in (self.home / "collections").iterdir())
        if used + size > limit:
            raise IrvizError(
                f"The shared collections on this server take {used >> 20} MB of the {limit >> 20} MB set aside; "
                f"this one needs {(size >> 20) + 1} MB more. Download it as an .irviz file and send that, "
                "or withdraw a share."
            )

    # -- reading ----------------------------------------------------------------------

    def read(self, share_id: str) -> Share:
        """The share of this id."""
        row = None
        if _ID.fullmatch(share_id):
            with self._connection() as database:
                row = database.execute(
                    "SELECT id, title, note, created, view, fingerprint FROM shares WHERE id = ?", (share_id,)
                ).fetchone()
        if row is None:
            raise IrvizError(
                "There is no such share on this server. It may have been withdrawn, or the link is cut short."
            )
        found, title, note, created, view, fingerprint = row
        return Share(found, title, note, created, View.from_json(view), fingerprint)

    def collection(self, share: Share) -> Collection | None:
        """The collection that came with a share."""
        return None if share.fingerprint is None else open_bundle(self._file(share.fingerprint))

    # -- withdrawing ------------------------------------------------------------------

    def withdraw(self, share_id: str, key: str) -> None:
        """Delete a share, and its collection where no other share needs it."""
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")
            row = database.execute("SELECT key_hash, fingerprint FROM shares WHERE id = ?", (share_id,)).fetchone()
            if row is None or not secrets.compare_digest(row[0], _hash(key)):
                raise IrvizError("This share cannot be withdrawn: its id or its key is not right.")
            database.execute("DELETE FROM shares WHERE id = ?", (share_id,))
            needed = database.execute("SELECT 1 FROM shares WHERE fingerprint = ?", (row[1],)).fetchone()
            if row[1] is not None and needed is None:
                database.execute("DELETE FROM collections WHERE fingerprint = ?", (row[1],))
                self._file(row[1]).unlink(missing_ok=True)

    # -- the folder -------------------------------------------------------------------

    def _file(self, fingerprint: str) -> Path:
        if not re.fullmatch(r"[0-9a-f]{64}", fingerprint):
            raise IrvizError("This is not the fingerprint of a collection.")
        return self.home / "collections" / f"{fingerprint}.irviz"

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction: committed and flushed at the end, or rolled back."""
        try:
            with closing(sqlite3.connect(self.home / "shares.sqlite", timeout=30)) as database, database:
                database.execute("PRAGMA synchronous=FULL")
                yield database
        except sqlite3.Error as error:
            raise IrvizError(f"{self.home}: the store of shares cannot be used ({error}).") from error


def _hash(key: str) -> str:
    """Keys are kept as digests: whoever reads the file cannot withdraw with it."""
    return hashlib.sha256(key.encode()).hexdigest()
