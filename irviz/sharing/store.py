"""What people share: views and the data behind them, in one folder on the server.

A share is found by a random 128-bit id and by nothing else: there is no way to list
shares, and no way to read one without its id.  The person who made it also holds a key, and
only that key withdraws it.  The folder holds one SQLite file and one file for every
shared collection (``.irviz``) or set of score matrices (``.npz``), written whole before
any row names it: a crash at any moment loses nothing that was confirmed.

A file of data holds what its fingerprint covers and nothing else.  What a person calls
the data, and the tie rule they were compiled under, belong to that person's share.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from irviz.collection.bundle import open_bundle
from irviz.collection.model import TIE_RULES, Collection
from irviz.collection.names import readable
from irviz.errors import IrvizError
from irviz.limits import limit
from irviz.links.view import View
from irviz.scores import Scores
from irviz.sharing.database import Database, DiskFull, used_bytes
from irviz.sharing.folder import Folder, default_home
from irviz.sharing.score_file import open_scores, save_scores, scores_digest

LIMIT = "IRVIZ_STORE_LIMIT_MB"
NO_SHARE = "This shared link no longer exists on this server. It may have been withdrawn, or the link is cut short."
LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW = 200, 4000, 200_000
Data = Collection | Scores
_ID = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits in URL-safe base 64


@dataclass(frozen=True)
class Share:
    """A shared view as its reader gets it; ``fingerprint`` is None where no data came with it.

    ``name`` and ``ties`` are what the person who shared calls the data, and their tie rule.
    """

    id: str
    title: str
    note: str
    created: str
    view: View
    fingerprint: str | None
    name: str = ""
    ties: str = "trec_eval"


@dataclass(frozen=True)
class Receipt:
    """What the owner keeps: the id to hand out, and the key that withdraws it."""

    id: str
    key: str


class Store:
    """The shares of one server; several servers may use one folder.

    Parameters
    ----------
    home : path, optional
        The folder, readable by its user only; made with the first share.  One that cannot
        be written to is read.
    """

    def __init__(self, home: Path | None = None) -> None:
        self.home = home if home is not None else default_home()
        self._folder = Folder(self.home)
        self._found: Database | None = None
        if self._folder.exists():
            self._database()

    def _database(self) -> Database:
        """The table of shares; opened once, with what a crash left behind swept away if the table is whole."""
        if self._found is None:
            self._folder.make()
            found = Database(self._folder)
            if self._folder.writable and not found.new:
                found.check()
                with found.connection() as database:
                    database.execute("BEGIN IMMEDIATE")  # the one who shares holds this lock while the file is written
                    used = database.execute("SELECT fingerprint FROM shares WHERE fingerprint IS NOT NULL")
                    self._folder.sweep(str(row[0]) for row in used)
            self._found = found
        return self._found

    # -- sharing ----------------------------------------------------------------------

    def share(self, view: View, *, title: str = "", note: str = "", data: Data | None = None) -> Receipt:
        """Keep a view, and the data it is about; only this makes either visible to anyone else.

        Returns
        -------
        Receipt
            Once it is returned, the share is on the disk.
        """
        texts = {"title": readable(title), "note": readable(note), "view": readable(view.to_json())}
        for (what, given), most in zip(texts.items(), (LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW), strict=True):
            if len(given) > most:
                raise IrvizError(f"The {what} is {len(given):,} characters long; at most {most:,} are kept.")
        table = self._database()
        if not self._folder.writable:
            raise IrvizError(f"{self.home}: shares cannot be kept here (the folder is read-only). Set IRVIZ_HOME.")
        receipt = Receipt(secrets.token_urlsafe(16), secrets.token_urlsafe(16))
        created = datetime.now(UTC).isoformat(timespec="seconds")
        fingerprint = None if data is None else fingerprint_of(data)
        name, ties = (data.name, data.ties) if isinstance(data, Collection) else ("", "trec_eval")
        row = (receipt.id, _hash(receipt.key), created, *texts.values(), fingerprint, name, ties)
        with table.connection() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody withdraws the data's last share meanwhile
            new = sum(len(text.encode()) for text in texts.values()) + (0 if data is None else self._new_bytes(data))
            self._check_room(used_bytes(database) + self._folder.used(), new)
            if data is not None:
                self._keep(data)
            database.execute("INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return receipt

    def _new_bytes(self, data: Data) -> int:
        """What the data's file will take; nothing where it is there already."""
        path = self._file(data)
        if path.exists():
            return 0
        if not isinstance(data, Collection):
            return data.values.nbytes
        whole = data if data.jury is None else data.jury
        return whole.ranking.nbytes + whole.labels.nbytes

    def _keep(self, data: Data) -> None:
        """Write the data's file, whole or not at all, and flush it, before any row names it."""
        path = self._file(data)
        if path.exists():
            return
        try:
            if isinstance(data, Collection):
                data.anonymous().save(path)
            else:
                save_scores(data, path)
            self._folder.flush(path)
        except OSError as error:
            raise IrvizError(f"{self.home}: the data cannot be kept here ({error.strerror}).") from error

    def _check_room(self, used: int, new: int) -> None:
        most = limit(LIMIT) << 20
        if used + new > most:
            raise IrvizError(
                f"What is shared on this server takes {used >> 20} MB of the {most >> 20} MB set aside; "
                f"this needs {(new >> 20) + 1} MB more. Send the reader your files, or withdraw a share."
            )

    # -- reading ----------------------------------------------------------------------

    def read(self, share_id: str) -> Share:
        """The share of this id."""
        row = self._row("id, title, note, created, view, fingerprint, name, ties", share_id)
        if row is None:
            raise IrvizError(NO_SHARE)
        found, title, note, created, view, fingerprint, name, ties = row
        texts = all(isinstance(text, str) for text in (title, note, created, view, name))
        if not texts or ties not in TIE_RULES or not isinstance(fingerprint, (str, type(None))):
            raise IrvizError(f"{self.home}: this share is damaged. Put back a copy of the file shares.sqlite.")
        return Share(found, title, note, created, View.from_json(view), fingerprint, name, ties)

    def has(self, share_id: str) -> bool:
        """Whether a share of this id is there."""
        return self._row("1", share_id) is not None

    def _row(self, columns: str, share_id: str) -> tuple | None:
        if not _ID.fullmatch(share_id) or not self._folder.database.exists():
            return None
        with self._database().connection() as database:
            return database.execute(f"SELECT {columns} FROM shares WHERE id = ?", (share_id,)).fetchone()

    def data(self, share: Share) -> Data | None:
        """The collection or the score matrices that came with a share, as its owner calls them."""
        if share.fingerprint is None:
            return None
        collection, scores = self._folder.files(share.fingerprint)
        try:
            if scores.exists():
                return open_scores(scores, share.fingerprint)
            if collection.exists():
                return as_shared(open_bundle(collection), share)
        except OSError as error:
            raise IrvizError(f"The data of this share cannot be read ({error.strerror}).") from error
        raise IrvizError(NO_SHARE)

    # -- withdrawing ------------------------------------------------------------------

    def withdraw(self, share_id: str, key: str) -> None:
        """Delete a share, and its data where no other share needs them; on a full disk, too."""
        try:
            fingerprint = self._delete(share_id, key)
        except DiskFull:
            self._folder.give_room()
            fingerprint = self._delete(share_id, key)
        if fingerprint is not None:
            self._forget(fingerprint)
        self._folder.set_aside()

    def _delete(self, share_id: str, key: str) -> str | None:
        """Delete a row; the fingerprint of its data."""
        with self._database().connection() as database:
            database.execute("BEGIN IMMEDIATE")
            row = database.execute("SELECT key_hash, fingerprint FROM shares WHERE id = ?", (share_id,)).fetchone()
            if row is None or not secrets.compare_digest(str(row[0]), _hash(key)):
                raise IrvizError("This share cannot be withdrawn: its id or its key is not right.")
            database.execute("DELETE FROM shares WHERE id = ?", (share_id,))
            return row[1]

    def _forget(self, fingerprint: str) -> None:
        """Delete data that no share names any more; nobody shares them meanwhile."""
        with self._database().connection() as database:
            database.execute("BEGIN IMMEDIATE")
            if database.execute("SELECT 1 FROM shares WHERE fingerprint = ?", (fingerprint,)).fetchone() is None:
                for path in self._folder.files(fingerprint):
                    path.unlink(missing_ok=True)

    def _file(self, data: Data) -> Path:
        collection, scores = self._folder.files(fingerprint_of(data))
        return collection if isinstance(data, Collection) else scores


def fingerprint_of(data: Data) -> str:
    """A digest of the content of a collection or of score matrices."""
    return data.fingerprint if isinstance(data, Collection) else scores_digest(data)


def as_shared(collection: Collection, share: Share) -> Collection:
    """Shared data as the person who shared them calls them; the warnings of lint were never shared."""
    return collection.anonymous().renamed(name=share.name, ties=share.ties)


def _hash(key: str) -> str:
    """Keys are kept as digests: a reader of the file cannot withdraw with it."""
    return hashlib.sha256(key.encode()).hexdigest()
