"""Folders as TIRA and TIREx keep runs: every run is called ``run.txt``, and its folders say whose it is.

A folder such as ``touche/team/bm25/2024-05-04-12-00-00/output`` holds one ``run.txt`` or ``run.txt.gz``
and, beside it, files that describe it: ``ir-metadata.yml``, ``queries.jsonl``, and others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from irviz.collection.names import readable, system_name

_SAYS_NOTHING = re.compile(r"output|\d{4}(-\d\d){5}")  # the folder of every output, and when it was made
_DESCRIBES = "metadata.y"  # ir-metadata.yml, index-metadata.yaml


def named_by_folder(folder: Path, files: Sequence[Path]) -> tuple[dict[str, Path], set[Path]]:
    """The runs called ``run.txt``, by the name of their folders; and these folders, whose other files are not runs.

    Nothing, where only one file is called so and nothing describes it: it is then a run like others.
    """
    runs = [path for path in files if system_name(path.name) == "run.txt"]
    folders = {path.parent for path in runs}
    if len(folders) < 2 and not any(path.parent in folders and _DESCRIBES in path.name for path in files):
        return {}, set()
    return dict(zip(_names(folder, runs), runs, strict=True)), folders


def _names(folder: Path, runs: Sequence[Path]) -> list[str]:
    """Of every run, the folders that tell it from the others."""
    whole = [path.relative_to(folder).parent.parts for path in runs]
    telling = [tuple(part for part in parts if not _SAYS_NOTHING.fullmatch(part)) for parts in whole]
    paths = telling if len(set(telling)) == len(telling) else whole
    if len(paths) == 1:
        return [readable(paths[0][-1] if paths[0] else folder.resolve().name)]
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False)))
    return [readable("-".join(parts[shared:]) or folder.resolve().name) for parts in paths]
