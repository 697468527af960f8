"""``python -m benchmarks [PART …]``, all parts by default: a table of measurements and their bars.

``python -m benchmarks quick`` prints ratios of the commonest work, in less than 90 seconds; all parts together leave it
out.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import traceback
from collections.abc import Sequence

import numpy as np

from benchmarks.timing import Row, table, verdict
from irviz.errors import IrvizError, choose

QUICK = "quick"
PARTS = ("loading", "measures", "topics", "analyses", "conclusions", "browser", "pages")


def main(arguments: Sequence[str]) -> int:
    try:
        parts = [choose("part of the benchmark", part, (*PARTS, QUICK)) for part in arguments] or list(PARTS)
    except IrvizError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    before = os.getloadavg()[0]
    for part in parts:
        try:
            for row in importlib.import_module(f"benchmarks.parts.{part}").rows():
                ratio = f", {row.ratio} ({row.bar})" if row.ratio else ""
                print(f"{part}: {row.what} … {row.measured}{ratio}", file=sys.stderr, flush=True)
                rows.append(row)
        except IrvizError as problem:
            print(f"{part}: left out: {problem}", file=sys.stderr)
        except Exception as problem:  # noqa: BLE001  a page that never came, say: what was measured is kept
            traceback.print_exc()
            rows.append(Row(f"{part}: what remains of it", type(problem).__name__, "", "", "", met=False))
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, {os.cpu_count()} cores")
    print(
        f"Load average before {before:.2f}: ratios to single-threaded yardsticks suffer when other work takes a core."
    )
    print(table(rows))
    print(verdict(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
