"""``make fuzz``, for minutes or hours: every target in turn until each has had N cases.

N and SEED come from the environment; arguments name some of the targets.  A failure is
printed with its number; ``python -m tests.fuzz TARGET NUMBER`` runs that case alone.
"""

from __future__ import annotations

import os
import sys

from tests.fuzz import targets
from tests.fuzz.engine import generator, run

ROUND = 500  #: cases of one target before the next one's turn


def main(arguments: list[str]) -> int:
    """Run targets; 1 where a case ended in anything but a named error."""
    seed = int(os.environ.get("SEED", "0"))
    if len(arguments) == 2 and arguments[1].isdigit():
        targets.TARGETS[arguments[0]](generator(seed, arguments[0], int(arguments[1])))
        return 0
    names = arguments or list(targets.TARGETS)
    cases = int(os.environ.get("N", "5000"))
    failed, total = 0, 0
    for start in range(0, cases, ROUND):
        for name in names:
            report = run(name, seed, range(start, min(cases, start + ROUND)))
            total += report.cases
            failed += len(report.failures)
            sys.stdout.write(f"{report}\n")
            for number, why in report.failures.items():
                sys.stdout.write(f"--- SEED={seed} python -m tests.fuzz {name} {number}\n{why}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{total:,} cases, {failed} failed, seed {seed}\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
