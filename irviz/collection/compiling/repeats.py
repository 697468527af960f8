"""Documents that a run lists more than once for a topic.

Most runs have none, so a cheap test comes first: equal documents have equal keys.
Only where two lines agree on these are the identifiers themselves compared.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.compiling.keys import Keyed


def repeated(
    topic: NDArray[np.integer], docs: pa.BinaryArray, order: NDArray[np.intp], keyed: Keyed | None = None
) -> tuple[NDArray[np.bool_], NDArray[np.intp]] | None:
    """Which places of `order` repeat a document that stands higher in the same topic; `keyed` are its keys, if known.

    Returns
    -------
    (mask, first) or None
        bool over places, and for every place that repeats, the place it repeats; None
        where nothing repeats.
    """
    keys = np.sort((keyed or Keyed.of(topic, docs)).key)
    if not (keys[1:] == keys[:-1]).any():
        return None
    coded = docs.dictionary_encode()
    pair = topic.astype(np.int64) * len(coded.dictionary) + coded.indices.to_numpy()
    _, first, which = np.unique(pair[order], return_index=True, return_inverse=True)
    mask = first[which] != np.arange(len(order))
    return (mask, first[which][mask]) if mask.any() else None
