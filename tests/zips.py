"""Archives made in memory, and taken apart."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def members(archive: Path | bytes) -> dict[str, bytes]:
    """The files in a zip."""
    with zipfile.ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}
