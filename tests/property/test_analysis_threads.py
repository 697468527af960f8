"""The same seed gives the same numbers whatever number of threads the linear algebra uses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import hashlib
import numpy as np
from irviz import consistency, significance, similarity
from irviz.stats.scores import Scores

values = np.round(np.random.default_rng(0).random((4, 40, 90)) ** 2, 2)
s = Scores(values, *(tuple(map(str, range(n))) for n in values.shape))
results = [
    consistency(s, trials=300).trials,
    consistency(s, trials=300).p_values,
    consistency(s, trials=300, summary="geometric").trials,
    significance(s["0"], "paired_bootstrap", trials=1000).p_values,
    significance(s["0"], "randomised_tukey", trials=1000).p_values,
    similarity(s).values,
    similarity(s, by="topic").values,
]
print(hashlib.sha256(b"".join(np.ascontiguousarray(r).tobytes() for r in results)).hexdigest())
"""


def digest(threads: int) -> str:
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    environment = os.environ | dict.fromkeys(names, str(threads)) | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_threads_do_not_change_a_number():
    assert digest(1) == digest(4)
