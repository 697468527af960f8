"""``make fuzz``, for minutes or hours: every target in turn until each has had N cases.

N and SEED come from the environment; arguments name some of the targets.  A failure is
printed with its number; ``python -m tests.fuzz TARGET NUMBER`` runs that case alone.
"""

from __future__ import annotations

import os
import sys

from tests.fuzz import targets
from tests.fuzz.engine import Report, generator, run

ROUND = 500  #: cases of one target before the next one's turn


def main(arguments: list[str]) -> int:
    """Run targets; 1 where a case ended in anything but a named error, took too much memory or let nobody else in."""
    seed = int(os.environ.get("SEED", "0"))
    if len(arguments) == 2 and arguments[1].isdigit():
        targets.TARGETS[arguments[0]](generator(seed, arguments[0], int(arguments[1])))
        return 0
    names = arguments or list(targets.TARGETS)
    cases = int(os.environ.get("N", "5000"))
    failed, paused, total = 0, 0, 0
    for start in range(0, cases, ROUND):
        for name in names:
            report = run(name, seed, range(start, min(cases, start + ROUND)))
            total += report.cases
            failed += len(report.failures)
            paused += len(report.pauses)
            _say(report)
    sys.stdout.write(f"{total:,} cases, {failed} failed, {paused} paused too long, seed {seed}\n")
    return int(failed + paused > 0)


def _say(report: Report) -> None:
    sys.stdout.write(f"{report}\n")
    too_long = {number: f"no other thread had a turn for {pause:.1f} s" for number, pause in report.pauses.items()}
    for number, why in [*report.failures.items(), *too_long.items()]:
        sys.stdout.write(f"--- SEED={report.seed} python -m tests.fuzz {report.target} {number}\n{why}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
