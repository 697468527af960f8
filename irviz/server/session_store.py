"""Data that browsers loaded, in this process's memory only."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable, Mapping
from functools import cache
from threading import Lock
from typing import TypeVar

from irviz.workspace.context import Dataset

ROOM = 2 << 30  #: bytes of loaded data, all owners together
Key = TypeVar("Key", bound=Hashable)


class OwnerStore:
    """Loaded data of every owner; the longest unused go first when space runs out."""

    def __init__(self, most: int = ROOM) -> None:
        self._most = most
        self._datasets: OrderedDict[tuple[str, str], Dataset] = OrderedDict()
        self._forgotten: Counter[str] = Counter()
        self._lock = Lock()

    def datasets_of(self, owner: str) -> dict[str, Dataset]:
        """Everything of one owner, by key."""
        with self._lock:
            keys = [key for key in self._datasets if key[0] == owner] if owner else []
            for key in keys:
                self._datasets.move_to_end(key)
            return {key[1]: self._datasets[key] for key in keys}

    def keep(self, owner: str, dataset: Dataset) -> None:
        """Keep data of an owner, who may have half of the room; all owners together have all of it."""
        if not owner:
            return
        with self._lock:
            self._datasets.pop((owner, dataset.key), None)
            self._datasets[owner, dataset.key] = dataset
            owned = {key: one for key, one in self._datasets.items() if key[0] == owner}
            self._drop(excess(owned, self._most // 2))
            self._drop(excess(self._datasets, self._most))

    def use(self, owner: str, key: str) -> None:
        """Note that an owner looks at these data now."""
        with self._lock:
            if (owner, key) in self._datasets:
                self._datasets.move_to_end((owner, key))

    def forget(self, owner: str) -> None:
        """Drop all that is kept of an owner; their open pages follow, see :meth:`times_forgotten`."""
        with self._lock:
            self._drop([key for key in self._datasets if key[0] == owner])
            self._forgotten[owner] += 1

    def times_forgotten(self, owner: str) -> int:
        """Number of times that an owner asked to be forgotten: a page that knows a smaller one drops what it has."""
        with self._lock:
            return self._forgotten[owner] if owner else 0

    def _drop(self, keys: list[tuple[str, str]]) -> None:
        for key in keys:
            del self._datasets[key]


def excess(datasets: Mapping[Key, Dataset], most: int) -> list[Key]:
    """Keys that have to go, from the first on, until the rest takes at most `most` bytes; the last one always stays."""
    total, gone = sum(dataset.nbytes for dataset in datasets.values()), []
    for key in list(datasets)[:-1]:
        if total > most:
            total -= datasets[key].nbytes
            gone.append(key)
    return gone


@cache
def owner_store() -> OwnerStore:
    """The one of this process; in no cache of Streamlit's, which a page could ask it to clear."""
    return OwnerStore()
