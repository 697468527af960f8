"""Numbers in tables have as many places as they say something with."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.workspace.panel import Table, decimals


def test_ranks_are_whole_numbers_and_means_of_ranks_are_not():
    frame = pd.DataFrame(
        {
            "rank": [1.0, np.nan, 3.0],
            "mean rank": [1.0, 2.5, 3.0],
            "score": [1.0, 0.0, 1.0],
            "topics": [37.0, np.inf, 41.0],
        }
    )
    table = Table(frame, "Numbers.", 4)
    assert [decimals(table, name) for name in frame] == [0, 4, 4, 0]
