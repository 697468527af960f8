"""Timing, and the table in which measurements meet their bars."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

HEADS = ("what", "measured", "yardstick", "ratio", "bar", "met")


@dataclass(frozen=True)
class Row:
    """One measurement: all text, ready to print, but for whether the bar is met."""

    what: str
    measured: str
    yardstick: str
    ratio: str
    bar: str
    met: bool

    def cells(self) -> tuple[str, ...]:
        return (self.what, self.measured, self.yardstick, self.ratio, self.bar, "yes" if self.met else "NO")

    def beside(self, taken: float, yardstick: str, other: float) -> Row:
        """The same, with how long a yardstick took in the same run; both in seconds."""
        return replace(self, yardstick=f"{yardstick}: {other:.3f} s", ratio=f"{taken / other:.2f}")


def seconds(work: Callable[[], object], repeats: int = 3, warm: bool = True) -> float:
    """Median wall-clock time of `work` over `repeats` calls, after one that does not count."""
    if warm:
        work()
    return statistics.median(once(work) for _ in range(repeats))


def alternately(*works: Callable[[], object], repeats: int = 9) -> tuple[float, ...]:
    """Median wall-clock times of several works, called in turn so that a busy moment meets them all.

    Each is called once before the clock runs.
    """
    for work in works:
        work()
    rounds = [[once(work) for work in works] for _ in range(repeats)]
    return tuple(statistics.median(times) for times in zip(*rounds, strict=True))


def once(work: Callable[[], object]) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of one call, on all processors together: other work on a busy machine does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def at_most(what: str, taken: float, yardstick: str, other: float, share: float) -> Row:
    """`what` may take at most `share` of the yardstick's time."""
    ratio = taken / other
    return Row(what, f"{taken:.3f} s", f"{yardstick}: {other:.3f} s", f"{ratio:.3f}", f"≤ {share:g}", ratio <= share)


def times_as_fast(what: str, taken: float, yardstick: str, other: float, least: float) -> Row:
    """`what` must be at least `least` times as fast as the yardstick."""
    ratio = other / taken
    return Row(
        what, f"{taken:.3f} s", f"{yardstick}: {other:.3f} s", f"{ratio:.1f} ×", f"≥ {least:g} ×", ratio >= least
    )


def limit(what: str, value: float, most: float, unit: str) -> Row:
    """`what` may be at most `most`, in itself."""
    shown = f"{value:.0f}" if value >= 100 else f"{value:.3f}"
    return Row(what, f"{shown} {unit}", "", "", f"< {most:g} {unit}", value < most)


def table(rows: Sequence[Row]) -> str:
    """The rows under their heads, in columns."""
    cells = [HEADS, *(row.cells() for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def verdict(rows: Iterable[Row]) -> str:
    """How many bars are met, in a sentence."""
    met = [row.met for row in rows]
    return f"{sum(met)} of {len(met)} bars met."
