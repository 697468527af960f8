"""How long work reports to whoever waits for it, and how it is cut into pieces.

A `progress` argument is called between batches with the fraction done and a few words;
it stops the work by raising.  Batches are sized from the shapes, so that memory is
bounded whatever the collection, and never change a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irviz.errors import IrvizError

Progress = Callable[[float, str], object]


def batches(total: int, bytes_each: int, budget: int) -> Iterator[slice]:
    """Slices that cover ``range(total)``, each of at most `budget` bytes (but at least one item)."""
    step = max(1, budget // max(1, bytes_each))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))


def report(progress: Progress | None, done: int, total: int, text: str) -> None:
    """Tell `progress`, if anyone listens, that `done` of `total` is finished."""
    if progress is not None:
        progress(done / total, text)


def whole_number(name: str, value: object, least: int = 1) -> int:
    """`value` if it is an integer of at least `least`, else an :class:`IrvizError`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < least:  # type: ignore[call-overload]
        raise IrvizError(f"`{name}` must be a whole number of at least {least}; got {value!r}.")
    return int(value)  # type: ignore[call-overload]
