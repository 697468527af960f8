"""What people share: views and the data behind them, in one folder on the server.

A share is found by a random 128-bit id and by nothing else: there is no way to list
shares, and no way to read one without its id.  Whoever made it also holds a key, and
only that key withdraws it.  The folder holds one SQLite file (write-ahead log, every
commit flushed to the disk) and one file for every shared collection (``.irviz``) or set
of score matrices (``.npz``), written whole before any row names it: a crash at any moment
loses nothing that was confirmed.
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
from irviz.links.view import View
from irviz.scores import Scores
from irviz.sharing.score_file import digest, open_scores, save_scores

HOME = "IRVIZ_HOME"  #: environment variable that names the folder
LIMIT = "IRVIZ_STORE_LIMIT_MB"  #: environment variable that bounds it
DEFAULT_LIMIT_MB = 4096
NO_SHARE = "There is no such share on this server. It may have been withdrawn, or the link is cut short."
LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW = 200, 4000, 200_000
Data = Collection | Scores
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
    """A shared view as its reader gets it; ``fingerprint`` is None where no data came with it."""

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

    def share(self, view: View, *, title: str = "", note: str = "", data: Data | None = None) -> Receipt:
        """Keep a view, and the data it is about; only this makes either visible to anyone else.

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
        fingerprint = None if data is None else fingerprint_of(data)
        row = (receipt.id, _hash(receipt.key), created, title, note, text, fingerprint)
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody withdraws the data's last share meanwhile
            if data is not None:
                self._keep(data)
                name = data.name if isinstance(data, Collection) else "scores"
                shape = (fingerprint, name, len(data.systems), len(data.topics))
                database.execute("INSERT OR IGNORE INTO collections VALUES (?, ?, ?, ?)", shape)
            database.execute("INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return receipt

    def _keep(self, data: Data) -> None:
        """Write the data's file, whole or not at all, and flush it, before any row names it."""
        path = self._files(fingerprint_of(data))[type(data)]
        if path.exists():
            return
        try:
            if isinstance(data, Collection):
                self._check_room(data.ranking.nbytes + data.labels.nbytes)
                data.save(path)
            else:
                self._check_room(data.values.nbytes)
                save_scores(data, path)
        except OSError as error:
            raise IrvizError(f"{self.home}: the data cannot be kept here ({error.strerror}).") from error
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
                f"The shared data on this server take {used >> 20} MB of the {limit >> 20} MB set aside; "
                f"these need {(size >> 20) + 1} MB more. Send the reader your files, or withdraw a share."
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
            raise IrvizError(NO_SHARE)
        found, title, note, created, view, fingerprint = row
        return Share(found, title, note, created, View.from_json(view), fingerprint)

    def has(self, share_id: str) -> bool:
        """Whether a share of this id is there."""
        with self._connection() as database:
            return database.execute("SELECT 1 FROM shares WHERE id = ?", (share_id,)).fetchone() is not None

    def data(self, share: Share) -> Data | None:
        """The collection or the score matrices that came with a share."""
        if share.fingerprint is None:
            return None
        files = self._files(share.fingerprint)
        try:
            if files[Scores].exists():
                return open_scores(files[Scores], share.fingerprint)
            if files[Collection].exists():
                return open_bundle(files[Collection])
        except OSError as error:
            raise IrvizError(f"The data of this share cannot be read ({error.strerror}).") from error
        raise IrvizError(NO_SHARE)

    # -- withdrawing ------------------------------------------------------------------

    def withdraw(self, share_id: str, key: str) -> None:
        """Delete a share, and its data where no other share needs them."""
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")
            row = database.execute("SELECT key_hash, fingerprint FROM shares WHERE id = ?", (share_id,)).fetchone()
            if row is None or not secrets.compare_digest(row[0], _hash(key)):
                raise IrvizError("This share cannot be withdrawn: its id or its key is not right.")
            database.execute("DELETE FROM shares WHERE id = ?", (share_id,))
            needed = database.execute("SELECT 1 FROM shares WHERE fingerprint = ?", (row[1],)).fetchone()
            if row[1] is not None and needed is None:
                database.execute("DELETE FROM collections WHERE fingerprint = ?", (row[1],))
                for path in self._files(row[1]).values():
                    path.unlink(missing_ok=True)

    # -- the folder -------------------------------------------------------------------

    def _files(self, fingerprint: str) -> dict[type[Data], Path]:
        """Where data of this fingerprint lie, by what they are."""
        if not re.fullmatch(r"[0-9a-f]{64}", fingerprint):
            raise IrvizError("This is not the fingerprint of a collection.")
        whole = self.home / "collections" / fingerprint
        return {Collection: whole.with_suffix(".irviz"), Scores: whole.with_suffix(".npz")}

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction: committed and flushed at the end, or rolled back."""
        try:
            with closing(sqlite3.connect(self.home / "shares.sqlite", timeout=30)) as database, database:
                database.execute("PRAGMA synchronous=FULL")
                yield database
        except sqlite3.Error as error:
            raise IrvizError(f"{self.home}: the store of shares cannot be used ({error}).") from error


def fingerprint_of(data: Data) -> str:
    """A digest of the content of a collection or of score matrices."""
    return data.fingerprint if isinstance(data, Collection) else digest(data)


def _hash(key: str) -> str:
    """Keys are kept as digests: whoever reads the file cannot withdraw with it."""
    return hashlib.sha256(key.encode()).hexdigest()
