"""Score matrices in one file, for the store of shares: written whole, believed only where its digest fits.

An ``.npz`` of the scores (float64, measures × topics × systems) and their labels; nothing
in it is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from irviz.errors import FileProblem
from irviz.scores import Scores


def scores_digest(scores: Scores) -> str:
    """What tells score matrices apart: a SHA-256 of the numbers and their labels, in hexadecimal."""
    found = hashlib.sha256(np.ascontiguousarray(scores.values, dtype="<f8").tobytes())
    found.update(json.dumps([scores.measures, scores.topics, scores.systems]).encode())
    return found.hexdigest()


def save_scores(scores: Scores, path: Path) -> None:
    """Write `scores`; the file appears whole or not at all."""
    labels = json.dumps([scores.measures, scores.topics, scores.systems]).encode()
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            np.savez(out, values=scores.values.astype("<f8"), labels=np.frombuffer(labels, dtype=np.uint8))
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def open_scores(path: Path, expected: str) -> Scores:
    """The scores that :func:`save_scores` wrote, if their digest is the `expected` one."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as read:
            measures, topics, systems = (tuple(names) for names in json.loads(read["labels"].tobytes()))
            scores = Scores(np.ascontiguousarray(read["values"], dtype=np.float64), measures, topics, systems)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FileProblem(path.name, None, f"these are not complete score matrices ({error}).") from error
    if scores_digest(scores) != expected:
        raise FileProblem(path.name, None, "these score matrices are not those that were shared.")
    return scores
