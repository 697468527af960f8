"""What all sessions share: bundled collections and computed scores, read-only.

Everything is keyed by strings that say what it is: a bundled collection's name, a
collection's fingerprint, a measure's canonical expression.  A fingerprint is a digest
of the content, so only who has the data can ask for its scores.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock, RLock

import streamlit as st

from irviz.collection.model import Collection
from irviz.scores import Scores, score
from irviz.ui.progress import LateProgress
from irviz.workspace.context import Opened, Progress, stacked
from irviz.workspace.resolve import opened_bundled

MOST_BYTES = 512 << 20  #: of scores kept


class ScoreCache:
    """Scores by (fingerprint, measure), the least recently used thrown out past `most` bytes.

    Two sessions that ask for the same at the same time compute it once.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.bytes = most, 0
        self._kept: OrderedDict[tuple[str, str], Scores] = OrderedDict()
        self._lock = Lock()
        self._working: dict[str, RLock] = {}

    def scores(self, collection: Collection, measures: Sequence[str], progress: Progress | None = None) -> Scores:
        """As :func:`irviz.scores.score`, computing only what is not kept, and that together."""
        mark = collection.fingerprint
        with self._lock:
            working = self._working.setdefault(mark, RLock())
        with working:
            kept = {name: found for name in measures if (found := self._get(mark, name)) is not None}
            missing = [name for name in measures if name not in kept]
            if missing:
                fresh = score(collection, missing, progress)
                for name in missing:
                    kept[name] = fresh.select([name])
                    self._put(mark, name, kept[name])
        return stacked([kept[name] for name in measures])

    def _get(self, mark: str, name: str) -> Scores | None:
        with self._lock:
            found = self._kept.get((mark, name))
            if found is not None:
                self._kept.move_to_end((mark, name))
            return found

    def _put(self, mark: str, name: str, scores: Scores) -> None:
        with self._lock:
            self._kept[mark, name] = scores
            self.bytes += scores.values.nbytes
            while self.bytes > self.most and len(self._kept) > 1:
                _, old = self._kept.popitem(last=False)
                self.bytes -= old.values.nbytes


@st.cache_resource(show_spinner=False)
def score_cache() -> ScoreCache:
    """The one cache of this process."""
    return ScoreCache()


def scorer(collection: Collection, measures: tuple[str, ...], progress: Progress | None = None) -> Scores:
    """What a page's context computes scores with; a first answer would need the same scores, and waits for them."""
    if isinstance(progress, LateProgress):
        progress = progress.before_first
    return score_cache().scores(collection, measures, progress)


@st.cache_resource(max_entries=12, show_spinner="Opening the collection …")
def bundled_collection(name: str, ties: str) -> Opened:
    """A bundled collection under a tie rule."""
    opened = opened_bundled(name, ties)
    settle_memory()
    return opened


@st.cache_resource(max_entries=12, show_spinner=False)
def shortened(fingerprint: str, depth: int, _collection: Collection) -> Collection:
    """A collection cut at `depth`; kept, so that its fingerprint is computed once."""
    cut = _collection.subset(depth=depth)
    cut.fingerprint  # noqa: B018
    return cut


def settle_memory() -> None:
    """Streamlit collects garbage after every run; what stays for good need not be looked at again."""
    gc.collect()
    gc.freeze()
