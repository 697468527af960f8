"""What browsers loaded, so that they find it again after a reload; in this process's memory only."""

from __future__ import annotations

from collections import Counter, OrderedDict
from functools import cache
from threading import Lock

from irviz.limits import limit
from irviz.workspace.context import Opened

MOST_EACH = 8  #: data one browser keeps


class Belongings:
    """What every owner loaded; the longest unused goes first when space runs out."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Opened] = OrderedDict()
        self._forgotten: Counter[str] = Counter()
        self._lock = Lock()

    def of(self, owner: str) -> dict[str, Opened]:
        """Everything of one owner, by key."""
        with self._lock:
            mine = [key for key in self._kept if key[0] == owner] if owner else []
            for key in mine:
                self._kept.move_to_end(key)
            return {key[1]: self._kept[key] for key in mine}

    def keep(self, owner: str, opened: Opened) -> None:
        if not owner:
            return
        most = limit("IRVIZ_LOADED_MB") << 20 if self._most is None else self._most
        with self._lock:
            self._kept.pop((owner, opened.key), None)
            self._kept[owner, opened.key] = opened
            mine = [key for key in self._kept if key[0] == owner]
            for key in mine[:-MOST_EACH]:
                del self._kept[key]
            while len(self._kept) > 1 and sum(map(size_of, self._kept.values())) > most:
                self._kept.popitem(last=False)

    def forget(self, owner: str) -> None:
        """Let go of everything that an owner loaded; their open pages follow, see :meth:`times_forgotten`."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == owner]:
                del self._kept[key]
            self._forgotten[owner] += 1

    def times_forgotten(self, owner: str) -> int:
        """How often an owner asked to be forgotten: a page that knows a smaller number lets go of what it has."""
        with self._lock:
            return self._forgotten[owner] if owner else 0


def size_of(opened: Opened) -> int:
    """Bytes of the arrays behind opened data."""
    if opened.collection is not None:
        return opened.collection.nbytes
    return opened.imported.values.nbytes if opened.imported is not None else 0


@cache
def belongings() -> Belongings:
    """The one of this process; in no cache of Streamlit's, which a page could ask it to clear."""
    return Belongings()
