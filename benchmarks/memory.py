"""Peak memory of a piece of work, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_REPORT = """
import resource
from pathlib import Path
def megabytes(key):
    status = Path("/proc/self/status")
    if not status.exists():  # not Linux: the peak is all there is, in bytes on macOS
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(key)) / 1024
"""


def peak(work: str) -> float:
    """Most megabytes in memory at once while a new Python runs `work`, Python and imports included."""
    return _run(f"{_REPORT}\n{work}\nprint(megabytes('VmHWM'))")


def last_line_and_peak(work: str) -> tuple[str, float]:
    """The last line that `work` prints, and the same peak."""
    *_, told, megabytes = _lines(f"{_REPORT}\n{work}\nprint(megabytes('VmHWM'))")
    return told, float(megabytes)


def peak_above(prepare: str, work: str) -> float:
    """Most megabytes that `work` needs on top of what is in memory after `prepare`."""
    before = "before = megabytes('VmRSS')"
    return _run(f"{_REPORT}\n{prepare}\n{before}\n{work}\nprint(megabytes('VmHWM') - before)")


def _run(code: str) -> float:
    return float(_lines(code)[-1])


def _lines(code: str) -> list[str]:
    # VmHWM, unlike ru_maxrss, does not remember the process that this one was started from
    answer = subprocess.run([sys.executable, "-c", code], cwd=_ROOT, check=True, capture_output=True, text=True)
    return answer.stdout.splitlines()
