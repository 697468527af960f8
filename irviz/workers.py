"""Work in independent pieces: in one thread, on several processors, or on a cluster.

Everything in irviz that draws or scores in pieces goes through :func:`run`.  The pieces and
their seeds depend only on the request; `workers` only determines who does them, and how many at
a time.  Therefore the results have the same bits for any number of workers.
"""

from __future__ import annotations

import importlib
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from importlib.util import find_spec
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from irviz.errors import IrvizError, is_number, unknown

Piece = TypeVar("Piece")
Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])
Workers: TypeAlias = int | str | Executor | None
Progress: TypeAlias = Callable[[float, str], object]
Listener: TypeAlias = Progress | bool | None
_IMPORTING = Lock()
AHEAD = 2  #: pieces that wait for their result while an executor is given another: others use it as well


# -- progress ----------------------------------------------------------------------------


def listener(progress: Listener) -> Progress | None:
    """The receiver of progress: for True a bar of tqdm, where that is installed, or else a line of standard error."""
    if not isinstance(progress, bool):
        return progress
    return (_bar() if find_spec("tqdm") else _line) if progress else None


def _bar() -> Progress:
    from tqdm.auto import tqdm

    bar = tqdm(total=1.0, bar_format="{percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}")

    def hear(share: float, text: str) -> None:
        bar.set_postfix_str(text, refresh=False)
        bar.update(share - bar.n)
        if share >= 1:
            bar.close()

    return hear


def _line(share: float, text: str) -> None:
    sys.stderr.write(f"\r{share:4.0%} {text:70.70}" + "\n" * (share >= 1))
    sys.stderr.flush()


# -- pieces ------------------------------------------------------------------------------


def batches(total: int, bytes_each: int, budget: int) -> Iterator[slice]:
    """Slices that cover ``range(total)``, each of at most `budget` bytes (but at least one item).

    They limit memory and may not change a number: work that draws in batches continues at its place in the stream.
    """
    step = max(1, budget // max(1, bytes_each))
    for start in range(0, total, step):
        yield slice(start, min(total, start + step))


def run(
    work: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    workers: Workers = None,
    progress: Progress | None = None,
    words: Callable[[Piece], str] = lambda piece: "",
) -> list[Result]:
    """``[work(piece) for piece in pieces]``, with as many workers as asked for.

    Parameters
    ----------
    work : callable
        Depends on its piece only.  For processes and clusters it must be picklable, such as a
        function of a module or a :func:`functools.partial` of one: the data that all pieces
        need are the partial's arguments and are sent with every batch, so that nothing is lost
        with a worker.
    pieces : iterable
    workers : int, str or executor, optional
        A number of threads (−1: one a processor), or the name of a joblib backend, with all
        of its processors: ``"threading"``, ``"loky"`` (processes), ``"dask"``; or an executor
        of :mod:`concurrent.futures`, which others may use at the same time.  By default
        the pieces are done one after the other in the calling thread, unless the call is
        inside a ``joblib.parallel_config``, which then decides; 1 is always serial.
    progress : callable, optional
        Called in the calling thread after each piece, with the share done and ``words(piece)``.
        An exception from it ends the work: pieces that have not begun are left out.
    words : callable

    Returns
    -------
    list, in the order of the pieces

    Examples
    --------
    >>> run(abs, [-3, 2], workers="threading")
    [3, 2]
    """
    todo = list(pieces)
    results: list[Result] = []
    outputs = _outputs(work, todo, check_workers(workers))
    try:
        for piece, result in zip(todo, outputs, strict=True):
            results.append(result)
            if progress is not None:
                progress(len(results) / len(todo), words(piece))
    except BaseException as stop:
        outputs.throw(stop)  # joblib then drops the pieces that wait
        raise
    return results


def check_workers(workers: Workers) -> Workers:
    """`workers` if it is a number of workers or a name, else an :class:`IrvizError`."""
    if workers is None or isinstance(workers, str | Executor):
        return workers
    is_whole = is_number(workers) and not isinstance(workers, bool) and workers == int(workers)
    if not is_whole or not (workers > 0 or workers == -1):
        raise IrvizError(
            f"`workers` must be a whole number of at least 1, −1 for all processors, or the name of a joblib backend, "
            f"such as 'loky'; got {workers!r}."
        )
    return int(workers)


def _outputs(work: Callable[[Piece], Result], todo: list[Piece], workers: Workers) -> Any:
    """A generator of results.  Without workers, nothing is imported and no thread or process starts."""
    if workers == 1 or (workers is None and "joblib" not in sys.modules):
        return (work(piece) for piece in todo)
    if isinstance(workers, Executor):
        return in_order(work, todo, workers)
    import_joblib()
    from joblib import cpu_count, delayed

    if isinstance(workers, int) and _in_threads():
        return _threads(work, todo, cpu_count() if workers == -1 else workers)
    return _parallel(workers)(delayed(work)(piece) for piece in todo)


def import_joblib() -> None:
    """Import joblib in one thread at a time: its parts import each other, and two threads would meet half of one."""
    with _IMPORTING:
        importlib.import_module("joblib.externals.loky")


def _in_threads() -> bool:
    """True if a number of workers means threads: no ``parallel_config`` around us says otherwise."""
    from joblib.parallel import ThreadingBackend, get_active_backend

    backend, _ = get_active_backend(prefer="threads")
    return isinstance(backend, ThreadingBackend)


def _threads(work: Callable[[Piece], Result], todo: list[Piece], workers: int) -> Iterator[Result]:
    """In threads of our own: joblib looks for a result every hundredth of a second, and most pieces take less."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, todo)  # what has not begun is left out if we are stopped


def in_order(
    work: Callable[[Piece], Result], todo: Iterable[Piece], pool: Executor, ahead: int = AHEAD
) -> Generator[Result, None, None]:
    """Results of an executor, in order, with `ahead` pieces waiting; a stop cancels those that have not begun."""
    waiting: deque[Future[Result]] = deque()
    try:
        for piece in todo:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor as error:
        raise IrvizError("A process that computed this has ended, perhaps for want of memory. Try again.") from error
    finally:
        for future in waiting:
            future.cancel()


def _parallel(workers: Workers) -> Any:
    """joblib's Parallel.  A ``parallel_config`` around us names the backend unless `workers` does."""
    from joblib import Parallel, parallel_config

    try:
        if not isinstance(workers, str):
            return Parallel(n_jobs=workers, prefer="threads", return_as="generator")
        with parallel_config(backend=workers, n_jobs=-1):
            return Parallel(return_as="generator", max_nbytes=None)  # no files, whose removal takes a second
    except (ValueError, ImportError) as problem:
        raise _refusal(workers, problem) from problem


def _refusal(workers: Workers, problem: Exception) -> IrvizError:
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    names = sorted({*BACKENDS, *EXTERNAL_BACKENDS})
    if isinstance(workers, str) and workers not in names:
        return unknown("joblib backend", workers, names)
    chosen = f"'{workers}'" if isinstance(workers, str) else "of the parallel_config around this call"
    return IrvizError(f"The joblib backend {chosen} cannot work here: {' '.join(str(problem).split())}")
