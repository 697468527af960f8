"""The dashboard on data that a notebook holds: another process, on this machine only."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from html import escape
from pathlib import Path
from urllib.parse import quote

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.places import check_port
from irviz.scores import Scores

THIS_MACHINE = "127.0.0.1"
_PATIENCE = 60.0  #: seconds until the dashboard must have answered


class Dashboard:
    """A running dashboard: ``.url`` to open, ``.stop()`` to end it; it ends with this process too."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
        self.url, self._process, self._folder = url, process, folder
        atexit.register(self.stop)

    def stop(self) -> None:
        """End the dashboard, and delete the file it was given."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._folder.cleanup()
        atexit.unregister(self.stop)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def __repr__(self) -> str:
        return f"<irviz dashboard at {self.url}{'' if self.running else ', stopped'}>"

    def _repr_html_(self) -> str:
        if not self.running:
            return escape(repr(self))
        link = f'<a href="{escape(self.url)}" target="_blank" rel="noopener">irviz dashboard</a>'
        return f"{link}, until <code>.stop()</code>"


def open_dashboard(data: Collection | Scores, port: int = 0) -> Dashboard:
    """Start the dashboard on a collection or on scores, for this machine only.

    Parameters
    ----------
    data : Collection or Scores
    port : int
        The port of the dashboard; 0 takes any free port.

    Returns
    -------
    Dashboard
        A notebook shows its link, which is also in ``.url``.  It ends with ``.stop()``, or with this process.

    Raises
    ------
    IrvizError
        If it does not start.
    """
    if not isinstance(data, Collection | Scores):
        raise IrvizError(f"A collection or scores are opened; got {type(data).__name__}.")
    port = check_port(THIS_MACHINE, port)
    folder = tempfile.TemporaryDirectory(prefix="irviz-")
    files = _saved(data, Path(folder.name))
    command = [sys.executable, "-m", "irviz", "app", *map(str, files), "--port", str(port), "--address", THIS_MACHINE]
    log = Path(folder.name) / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=_environment())
    url = f"http://{THIS_MACHINE}:{port}"
    opened = Dashboard(url, process, folder)
    try:
        _await(f"{url}/_stcore/health", process)
    except IrvizError as error:
        said = [line for line in log.read_text(errors="replace").splitlines() if line.startswith("irviz: ")]
        opened.stop()
        raise IrvizError(said[-1].removeprefix("irviz: ") if said else str(error)) from error
    return opened


def _saved(data: Collection | Scores, folder: Path) -> list[Path]:
    """The data in files that ``irviz`` opens."""
    if isinstance(data, Collection):
        return [data.save(folder / f"{quote(data.name, safe=' ')[:100] or 'collection'}.irviz")]
    files = []
    for name in data.measures:
        files.append(folder / f"{quote(name, safe='@(),=. ')}.csv")
        data[name].to_csv(files[-1])
    return files


def _environment() -> dict[str, str]:
    """This process's, with its own irviz first."""
    here = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))}


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise IrvizError("The dashboard did not start. Start it in a terminal to see why: irviz")
