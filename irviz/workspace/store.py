"""Shared views and the data behind them, in one folder on the server.

A share is found by a random 128-bit id and by nothing else: there is no way to list
shares, and no way to read one without its id.  The person who made it also holds a key, and
only that key withdraws it.  The folder holds one SQLite file and one file for every shared collection (``.irviz``)
or set of score matrices (``.npz``), written whole before any row names it: a crash at any moment loses nothing that
was confirmed.

A file of data holds what its fingerprint covers and nothing else.  What a person calls
the data, and the tie rule they were compiled under, belong to that person's share.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import secrets
import sqlite3
import stat
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import numpy as np

from irviz.collection.bundle import open_bundle
from irviz.collection.codes import TIE_RULES
from irviz.collection.model import Collection
from irviz.collection.names import readable
from irviz.errors import FileProblem, IrvizError
from irviz.stats.scores import Scores, labels_of
from irviz.workspace.view import View

# -- irviz's folder on the server: its owner, its permissions and its content ----------------------
#
# Shares are found by their ids alone, so nobody else on the machine may read them: the
# folder is its owner's (700), and so is every file in it (600), whatever the umask.

HOME = "IRVIZ_HOME"  #: environment variable that names the folder
COLLECTIONS, DATABASE, UNNAMED = "collections", "shares.sqlite", "unnamed"
DAYS = 14  #: for which files of data that no share names are kept
_RESERVE, _RESERVED_BYTES = "reserve", 1 << 20  # given up where a full disk would keep a share from being withdrawn
_DATA = re.compile(r"(?P<fingerprint>[0-9a-f]{64})\.(irviz|npz)")


def default_home() -> Path:
    """``IRVIZ_HOME``, or a folder of the user's own."""
    named = os.environ.get(HOME)
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "irviz"


class Folder:
    """The folder at `home`, which :meth:`make` makes where it is missing."""

    def __init__(self, home: Path) -> None:
        self.home, self.data, self.database, self.reserve = home, home / COLLECTIONS, home / DATABASE, home / _RESERVE
        self.writable = True  #: something can be kept in it; what is there already is read all the same

    def make(self) -> None:
        """Make what is missing, and close it to everybody else."""
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.writable = os.access(self.home, os.W_OK) and os.access(self.data, os.W_OK)
        except OSError as error:
            if not self.home.is_dir():
                raise IrvizError(f"{self.home}: shares cannot be kept here ({error.strerror}). Set {HOME}.") from error
            self.writable = False
        if self.writable:
            self.close_to_others()
            self.set_aside()

    def close_to_others(self) -> None:
        """Take from everybody else what they may do here."""
        folders = [folder for folder in (self.home, self.data, self.home / UNNAMED) if folder.is_dir()]
        owner_only = [(folder, 0o700) for folder in folders]
        owner_only += [(file, 0o600) for folder in folders for file in folder.iterdir() if file.is_file()]
        for path, mode in owner_only:
            try:
                if stat.S_IMODE(path.stat().st_mode) & 0o077:
                    path.chmod(mode)
            except FileNotFoundError:
                continue  # another server of this folder has just taken it away
            except OSError as error:
                raise IrvizError(
                    f"{path}: others on this machine may read it, and this cannot be changed ({error.strerror}). "
                    f"Run `chmod {mode:o} {path}`, or set {HOME}."
                ) from error

    def new_file(self, path: Path) -> None:
        """Make an empty file that is its owner's from the start."""
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))

    def set_aside(self) -> None:
        """Keep some room in reserve; if there is none, nothing is lost but the reserve."""
        if self.reserve.is_file() and self.reserve.stat().st_size >= _RESERVED_BYTES:
            return
        try:
            self.new_file(self.reserve)
            self.reserve.write_bytes(bytes(_RESERVED_BYTES))
        except OSError:
            self.reserve.unlink(missing_ok=True)

    def sweep(self, fingerprints: Iterable[str]) -> None:
        """Delete what a crash left half written, and put aside for some days the files of data that no share names.

        Files that were put aside and are named again, because a copy of the table was put back, return.  Only while
        nobody else can write: a share's file is there before its row is.
        """
        keep, aside = set(fingerprints), self.home / UNNAMED
        for file in list(self.data.iterdir()):
            match = _DATA.fullmatch(file.name)
            if match is None:
                file.unlink(missing_ok=True)
            elif match["fingerprint"] not in keep:
                aside.mkdir(mode=0o700, exist_ok=True)
                with suppress(FileNotFoundError):  # another server of this folder was first
                    os.utime(file)  # its days begin now
                    file.replace(aside / file.name)
        for file in list(aside.iterdir()) if aside.is_dir() else ():
            match = _DATA.fullmatch(file.name)
            with suppress(FileNotFoundError):
                if match is not None and match["fingerprint"] in keep:
                    file.replace(self.data / file.name)
                elif time.time() - file.stat().st_mtime > DAYS * 86_400:
                    file.unlink()

    def files(self, fingerprint: str) -> tuple[Path, Path]:
        """Paths of a collection and of score matrices with this fingerprint."""
        if not re.fullmatch(r"[0-9a-f]{64}", fingerprint):
            raise IrvizError("This is not the fingerprint of a collection.")
        path = self.data / fingerprint
        return path.with_suffix(".irviz"), path.with_suffix(".npz")

    def flush(self, path: Path) -> None:
        """Wait until a file, and its name, are on the disk."""
        for flushed in (path, path.parent):
            handle = os.open(flushed, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


# -- The table of shares: its version, and connections that commit whole or not at all ------------
#
# SQLite with a rollback journal, every commit flushed to the disk; what is deleted is
# overwritten.  The file says its version (``PRAGMA user_version``); of another version it is refused.

SCHEMA_VERSION = 5
_CREATE = (
    "CREATE TABLE shares (id TEXT PRIMARY KEY, key_hash TEXT NOT NULL, created TEXT NOT NULL, title TEXT NOT NULL, "
    "note TEXT NOT NULL, view TEXT NOT NULL, fingerprint TEXT, name TEXT NOT NULL, ties TEXT NOT NULL)"
)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PATIENCE = 30.0  #: seconds that a transaction waits for another program's
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_DAMAGE = "the file {} is damaged: put back a copy of it"


class DiskFull(IrvizError):
    """Nothing more fits on the disk."""


class Database:
    """The file ``shares.sqlite`` of a folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.path = folder, folder.database
        self.new = False  #: there was no table of shares: data that lie beside it belong to one that was lost
        if folder.writable:
            folder.new_file(self.path)
            with self.connection() as database:
                database.execute("PRAGMA journal_mode=DELETE")
                database.execute("BEGIN IMMEDIATE")
                self.new = not list(database.execute("PRAGMA table_info(shares)"))
                if self.new:
                    database.execute(_CREATE)
                    database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
                self._check_version(database)
        elif self.path.exists():
            with self.connection() as database:
                self._check_version(database)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction: committed and flushed at the end, or rolled back."""
        try:
            with closing(self._open()) as database, database:
                if self.folder.writable:
                    database.execute("PRAGMA synchronous=EXTRA")
                    database.execute("PRAGMA secure_delete=ON")
                yield database
        except (sqlite3.Error, UnicodeDecodeError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _BUSY:
                raise IrvizError(
                    f"{self.folder.home}: the store of shares is used by another program for more than "
                    f"{_PATIENCE:g} seconds ({error}). Nothing is lost; try again."
                ) from error
            kind = DiskFull if code in _FULL else IrvizError
            raise kind(
                f"{self.folder.home}: the store of shares cannot be used ({error}). If the disk has room, "
                f"{_DAMAGE.format(self.path.name)}."
            ) from error

    def check(self) -> None:
        """Read the whole file, and refuse it if anything in it is damaged."""
        with self.connection() as database:
            verdict = str(database.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if verdict != "ok":
            raise IrvizError(f"{self.folder.home}: {_DAMAGE.format(self.path.name)} ({verdict}).")

    def _open(self) -> sqlite3.Connection:
        if self.folder.writable:
            return sqlite3.connect(self.path, timeout=_PATIENCE)
        with self.path.open("rb") as file:  # in the mode with a log SQLite writes beside the file even to read it
            mode = "&immutable=1" if file.read(20)[18:19] == b"\2" else ""
        return sqlite3.connect(f"file:{quote(str(self.path.absolute()))}?mode=ro{mode}", uri=True, timeout=_PATIENCE)

    def _check_version(self, database: sqlite3.Connection) -> None:
        version = int(database.execute("PRAGMA user_version").fetchone()[0])
        if version != SCHEMA_VERSION:
            raise IrvizError(
                f"{self.path}: this store of shares is of version {version}; this irviz reads version "
                f"{SCHEMA_VERSION}. Set {HOME} to another folder."
            )


# -- Score matrices in one file, for the store of shares: written whole, believed only where its digest fits
#
# An ``.npz`` of the scores (float64, measures × topics × systems) and their labels; nothing
# in it is ever executed.


def scores_digest(scores: Scores) -> str:
    """Digest of score matrices: SHA-256 of the numbers, their labels and groups of topics, in hexadecimal."""
    digest = hashlib.sha256(np.ascontiguousarray(scores.values, dtype="<f8").tobytes())
    digest.update(labels_of(scores).encode())
    return digest.hexdigest()


def save_scores(scores: Scores, path: Path) -> None:
    """Write `scores`; the file appears whole or not at all."""
    labels = labels_of(scores).encode()
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            np.savez(out, values=scores.values.astype("<f8"), labels=np.frombuffer(labels, dtype=np.uint8))
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def open_scores(path: Path, digest: str) -> Scores:
    """The scores that :func:`save_scores` wrote, if they have this digest."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as read:
            measures, topics, systems, groups = [*json.loads(read["labels"].tobytes()), {}][:4]
            values = np.ascontiguousarray(read["values"], dtype=np.float64)
            scores = Scores(values, tuple(measures), tuple(topics), tuple(systems), groups=groups)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FileProblem(path.name, None, f"these are not complete score matrices ({error}).") from error
    if scores_digest(scores) != digest:
        raise FileProblem(path.name, None, "these score matrices are not those that were shared.")
    return scores


# --------------------------------------------------------------------------------------------------

MOST_BYTES = 4 << 30  #: of all shares of a server
NO_SHARE = "This shared link no longer exists on this server. It may have been withdrawn, or the link is cut short."
LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW = 200, 4000, 200_000
Data = Collection | Scores
_ID = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits in URL-safe base 64


@dataclass(frozen=True)
class Share:
    """A shared view as its reader gets it; ``fingerprint`` is None where no data came with it.

    ``name`` and ``ties`` are what the person who shared calls the data, and their tie rule.  Only that person is given
    the ``key``, which withdraws the share.
    """

    id: str
    title: str
    note: str
    created: str
    view: View
    fingerprint: str | None
    name: str = ""
    ties: str = "trec_eval"
    key: str = field(default="", repr=False)


class Store:
    """The shares of one server; several servers may use one folder, readable by its user only.

    It is made with the first share; one that cannot be written to is read.
    """

    def __init__(self, home: Path | None = None) -> None:
        self.home = home if home is not None else default_home()
        self._folder = Folder(self.home)
        self._open_database: Database | None = None
        if self.home.is_dir():
            self._database()

    def _database(self) -> Database:
        """The table of shares; opened once, with what a crash left behind swept away if the table is whole."""
        if self._open_database is None:
            self._folder.make()
            table = Database(self._folder)
            if self._folder.writable and not table.new:
                table.check()
                with table.connection() as database:
                    database.execute("BEGIN IMMEDIATE")  # the one who shares holds this lock while the file is written
                    used = database.execute("SELECT fingerprint FROM shares WHERE fingerprint IS NOT NULL")
                    self._folder.sweep(str(row[0]) for row in used)
            self._open_database = table
        return self._open_database

    # -- sharing ----------------------------------------------------------------------

    def share(self, view: View, *, title: str = "", note: str = "", data: Data | None = None) -> Share:
        """The share, with its key, of a view and the data it is about; only this makes either visible to anyone else.

        Once it is returned, it is on the disk.
        """
        texts = {"title": readable(title), "note": readable(note), "view": readable(view.to_url())}
        for (what, text), most in zip(texts.items(), (LONGEST_TITLE, LONGEST_NOTE, LONGEST_VIEW), strict=True):
            if len(text) > most:
                raise IrvizError(f"The {what} is {len(text):,} characters long; at most {most:,} are kept.")
        table = self._database()
        if not self._folder.writable:
            raise IrvizError(f"{self.home}: shares cannot be kept here (the folder is read-only). Set IRVIZ_HOME.")
        share_id, key = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        fingerprint = None if data is None else fingerprint_of(data)
        name, ties = (data.name, data.ties) if isinstance(data, Collection) else ("", "trec_eval")
        row = (share_id, _hash(key), created, *texts.values(), fingerprint, name, ties)
        with table.connection() as database:
            database.execute("BEGIN IMMEDIATE")  # nobody withdraws the data's last share meanwhile
            unkept = None if data is None or self._file(data).exists() else data
            new = sum(len(text.encode()) for text in texts.values()) + (0 if unkept is None else _bytes_of(unkept))
            self._check_room(database, new)
            if unkept is not None:
                self._write(unkept)
            database.execute("INSERT INTO shares VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return Share(share_id, texts["title"], texts["note"], created, view, fingerprint, name, ties, key)

    def _write(self, data: Data) -> None:
        """Write the data's file, whole or not at all, and flush it, before any row names it."""
        path = self._file(data)
        try:
            if isinstance(data, Collection):
                data.anonymous().save(path)
            else:
                save_scores(data, path)
            self._folder.flush(path)
        except OSError as error:
            raise IrvizError(f"{self.home}: the data cannot be kept here ({error.strerror}).") from error

    def _check_room(self, database: sqlite3.Connection, new: int) -> None:
        """Refuse `new` bytes beside what the file holds and the data on the disk, those put aside included."""
        sizes = ("page_count", "freelist_count", "page_size")
        pages, free, size = (int(database.execute(f"PRAGMA {what}").fetchone()[0]) for what in sizes)
        folders = (folder for folder in (self._folder.data, self.home / UNNAMED) if folder.is_dir())
        used = (pages - free) * size + sum(file.stat().st_size for folder in folders for file in folder.iterdir())
        if used + new > MOST_BYTES:
            raise IrvizError(
                f"What is shared on this server takes {used >> 20} MB of the {MOST_BYTES >> 20} MB set aside; "
                f"this needs {(new >> 20) + 1} MB more. Send the reader your files, or withdraw a share."
            )

    # -- reading ----------------------------------------------------------------------

    def read(self, share_id: str) -> Share:
        """The share of this id."""
        row = self._row("id, title, note, created, view, fingerprint, name, ties", share_id)
        if row is None:
            raise IrvizError(NO_SHARE)
        stored_id, title, note, created, view, fingerprint, name, ties = row
        texts = all(isinstance(text, str) for text in (title, note, created, view, name))
        if not texts or ties not in TIE_RULES or not isinstance(fingerprint, (str, type(None))):
            raise IrvizError(f"{self.home}: this share is damaged. Put back a copy of the file shares.sqlite.")
        return Share(stored_id, title, note, created, View.from_url(view), fingerprint, name, ties)

    def has(self, share_id: str) -> bool:
        """True if there is a share of this id."""
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
            self._folder.reserve.unlink(missing_ok=True)
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


def _bytes_of(data: Data) -> int:
    """Bytes that the file of the data will take, without names."""
    if not isinstance(data, Collection):
        return data.values.nbytes
    whole = data if data.jury is None else data.jury
    return 4 * math.prod(whole.ranking.shape) + 2 * math.prod(whole.labels.shape)


def as_shared(collection: Collection, share: Share) -> Collection:
    """Shared data as the person who shared them calls them; the warnings of lint were never shared."""
    return collection.anonymous().renamed(name=share.name, ties=share.ties)


def _hash(key: str) -> str:
    """Keys are kept as digests: a reader of the file cannot withdraw with it."""
    return hashlib.sha256(key.encode()).hexdigest()
