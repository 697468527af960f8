"""The table of shares: its versions, and connections that commit whole or not at all.

SQLite with a rollback journal, every commit flushed to the disk; what is deleted is
overwritten.  The file says its version (``PRAGMA user_version``): an older one is brought
up to date, a newer one is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from irviz.errors import IrvizError
from irviz.sharing.folder import Folder

SCHEMA_VERSION = 2  #: 1 had no version, and kept a collection's name with its data
_COLUMNS = {
    "id": "TEXT PRIMARY KEY",
    "key_hash": "TEXT NOT NULL",
    "created": "TEXT NOT NULL DEFAULT ''",
    "title": "TEXT NOT NULL DEFAULT ''",
    "note": "TEXT NOT NULL DEFAULT ''",
    "view": "TEXT NOT NULL",
    "fingerprint": "TEXT",
    "name": "TEXT NOT NULL DEFAULT ''",
    "ties": "TEXT NOT NULL DEFAULT 'trec_eval'",
}
_NEEDED = ("id", "key_hash", "view")  #: columns that every version had
_CREATE = f"CREATE TABLE shares ({', '.join(f'{name} {kind}' for name, kind in _COLUMNS.items())})"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PATIENCE = 30.0  #: seconds that a transaction waits for another program's
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_DAMAGED = "the file {} is damaged: put back a copy of it"


class DiskFull(IrvizError):
    """Nothing more fits on the disk."""


class Database:
    """The file ``shares.sqlite`` of a folder.

    Attributes
    ----------
    new : bool
        True if there was no table of shares: files of data that lie beside it belong to a table that was lost.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder, self.path = folder, folder.database
        self.new = False
        if folder.writable:
            folder.new_file(self.path)
            with self.connection() as database:
                database.execute("PRAGMA journal_mode=DELETE")
                database.execute("BEGIN IMMEDIATE")
                self._bring_up_to_date(database)
        elif self.path.exists():
            with self.connection() as database:
                if _version(database) < SCHEMA_VERSION:
                    self._refuse("was written by an older irviz and cannot be updated in a read-only folder")
                self._refuse_newer(database)

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
                f"{_DAMAGED.format(self.path.name)}."
            ) from error

    def check(self) -> None:
        """Read the whole file, and refuse it if anything in it is damaged."""
        with self.connection() as database:
            said = str(database.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if said != "ok":
            raise IrvizError(f"{self.folder.home}: {_DAMAGED.format(self.path.name)} ({said}).")

    def _open(self) -> sqlite3.Connection:
        if self.folder.writable:
            return sqlite3.connect(self.path, timeout=_PATIENCE)
        mode = "&immutable=1" if _keeps_a_log(self.path) else ""
        return sqlite3.connect(f"file:{quote(str(self.path.absolute()))}?mode=ro{mode}", uri=True, timeout=_PATIENCE)

    def _bring_up_to_date(self, database: sqlite3.Connection) -> None:
        self._refuse_newer(database)
        found = [name for _, name, *_ in database.execute("PRAGMA table_info(shares)")]
        self.new = not found
        if self.new:
            database.execute(_CREATE)
        elif _version(database) < SCHEMA_VERSION:
            if any(name not in found for name in _NEEDED):
                self._refuse("has a table of shares that irviz did not write")
            _rebuild(database, found)
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def _refuse_newer(self, database: sqlite3.Connection) -> None:
        if (version := _version(database)) > SCHEMA_VERSION:
            self._refuse(f"was written by a newer irviz (version {version}; this one reads {SCHEMA_VERSION})")

    def _refuse(self, why: str) -> None:
        raise IrvizError(f"{self.path}: {why}. Update irviz, or set IRVIZ_HOME to another folder.")


def used_bytes(database: sqlite3.Connection) -> int:
    """Bytes of the file that hold something."""
    pages, free, size = (
        int(database.execute(f"PRAGMA {what}").fetchone()[0]) for what in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _rebuild(database: sqlite3.Connection, found: list[str]) -> None:
    """The shares of an older table in one of the present version; a collection's name goes to its shares."""
    kept = [name for name in _COLUMNS if name in found]
    database.execute("ALTER TABLE shares RENAME TO older")
    database.execute(_CREATE)
    database.execute(f"INSERT INTO shares ({', '.join(kept)}) SELECT {', '.join(kept)} FROM older")
    database.execute("DROP TABLE older")
    if list(database.execute("PRAGMA table_info(collections)")):
        names = "SELECT name FROM collections WHERE collections.fingerprint = shares.fingerprint"
        database.execute(f"UPDATE shares SET name = ({names}) WHERE EXISTS ({names})")
        database.execute("DROP TABLE collections")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _keeps_a_log(path: Path) -> bool:
    """Whether a database was left in the mode that writes beside the file even to read it."""
    with path.open("rb") as file:
        return file.read(20)[18:19] == b"\2"
