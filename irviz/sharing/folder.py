"""irviz's folder on the server: its owner, its permissions and its content.

Shares are found by their ids alone, so nobody else on the machine may read them: the
folder is its owner's (700), and so is every file in it (600), whatever the umask.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from irviz.errors import IrvizError

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
    """The folder at `home`, which :meth:`make` makes where it is missing.

    Attributes
    ----------
    writable : bool
        Whether anything can be kept in it; what is there already is read all the same.
    """

    def __init__(self, home: Path) -> None:
        self.home, self.data, self.database = home, home / COLLECTIONS, home / DATABASE
        self.writable = True

    def exists(self) -> bool:
        return self.home.is_dir()

    def make(self) -> None:
        """Make what is missing, and close it to everybody else."""
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.writable = os.access(self.home, os.W_OK) and os.access(self.data, os.W_OK)
        except OSError as error:
            if not self.exists():
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
        """Keep some room in reserve; where there is none, nothing is lost but the reserve."""
        path = self.home / _RESERVE
        if path.is_file() and path.stat().st_size >= _RESERVED_BYTES:
            return
        try:
            self.new_file(path)
            path.write_bytes(bytes(_RESERVED_BYTES))
        except OSError:
            path.unlink(missing_ok=True)

    def give_room(self) -> None:
        """Use the reserve."""
        (self.home / _RESERVE).unlink(missing_ok=True)

    def used(self) -> int:
        """Bytes of data on the disk, those put aside included."""
        folders = (self.data, self.home / UNNAMED)
        return sum(file.stat().st_size for folder in folders if folder.is_dir() for file in folder.iterdir())

    def sweep(self, named: Iterable[str]) -> None:
        """Delete what a crash left half written, and put aside for some days the files of data that no share names.

        Files that were put aside and are named again, because a copy of the table was put back, return.  Only while
        nobody else can write: a share's file is there before its row is.
        """
        keep, aside = set(named), self.home / UNNAMED
        for file in list(self.data.iterdir()):
            found = _DATA.fullmatch(file.name)
            if found is None:
                file.unlink(missing_ok=True)
            elif found["fingerprint"] not in keep:
                aside.mkdir(mode=0o700, exist_ok=True)
                with suppress(FileNotFoundError):  # another server of this folder was first
                    os.utime(file)  # its days begin now
                    file.replace(aside / file.name)
        for file in list(aside.iterdir()) if aside.is_dir() else ():
            found = _DATA.fullmatch(file.name)
            with suppress(FileNotFoundError):
                if found is not None and found["fingerprint"] in keep:
                    file.replace(self.data / file.name)
                elif time.time() - file.stat().st_mtime > DAYS * 86_400:
                    file.unlink()

    def files(self, fingerprint: str) -> tuple[Path, Path]:
        """Where a collection and where score matrices of this fingerprint lie."""
        if not re.fullmatch(r"[0-9a-f]{64}", fingerprint):
            raise IrvizError("This is not the fingerprint of a collection.")
        whole = self.data / fingerprint
        return whole.with_suffix(".irviz"), whole.with_suffix(".npz")

    def flush(self, path: Path) -> None:
        """Wait until a file, and its name, are on the disk."""
        for flushed in (path, path.parent):
            handle = os.open(flushed, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
