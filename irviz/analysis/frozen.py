"""Results that stay as they are: neither their fields nor their arrays can be written to.

Results are kept in caches that sessions share, and are compared with later ones; a
number that somebody writes into one must not turn up elsewhere.
"""

from __future__ import annotations

import numpy as np

from irviz.display import SelfShown


class FrozenArrays(SelfShown):
    """Base of frozen dataclasses that hold arrays: they are read-only from the start."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
