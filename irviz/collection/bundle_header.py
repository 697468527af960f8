"""The header of an ``.irviz`` file, used only after every part of it has been checked."""

from __future__ import annotations

import json
import math
import zipfile
from typing import Any, NoReturn

from irviz.collection.codes import MOST_LEVELS, TIE_RULES
from irviz.collection.names import readable
from irviz.collection.reading.topics import LONGEST_TEXT
from irviz.collection.saving import (
    BELOW,
    ENDS,
    FORMAT,
    FORMAT_VERSION,
    HEADER,
    IDENTIFIERS,
    JUDGED,
    LABELS_FILE,
    LISTED,
    LONGEST_NAME,
    RANKING_FILE,
    SCORES,
    VIEWS,
    WIDTHS,
    longest_header,
)
from irviz.errors import FileProblem, listed


def read_header(file: str, archive: zipfile.ZipFile) -> dict[str, Any]:
    """The header, checked in itself and against the names of the file's members."""
    names = archive.namelist()
    if names.count(HEADER) != 1:
        refuse_bundle(file, f"it should hold one {HEADER}")
    arrays = sum(archive.getinfo(name).file_size for name in (RANKING_FILE, LABELS_FILE) if name in names)
    if archive.getinfo(HEADER).file_size > longest_header(arrays):
        refuse_bundle(file, f"its {HEADER} is too long")
    header = _parsed(file, stored(file, archive, HEADER))
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        refuse_bundle(file, f"its {HEADER} describes something else")
    version: Any = header.get("version")
    if not _whole(version, 1) or version > FORMAT_VERSION:
        known = f"this irviz reads format {FORMAT_VERSION}"
        message = f"was saved in format {version!r}; {known}. Update irviz, or save it again."
        raise FileProblem(file, None, message)
    _check_header(file, header)
    expected = promised_members(header)
    if sorted(name for name in names if name != VIEWS) != sorted(expected):
        refuse_bundle(file, f"it should hold {listed(sorted(expected), most=9, joiner='and')}")
    return header


def promised_members(header: dict[str, Any]) -> list[str]:
    """Names of the members that a checked header promises."""
    found = [HEADER, RANKING_FILE, LABELS_FILE]
    if "documents" in header:
        found += [ENDS, IDENTIFIERS, JUDGED, LISTED, SCORES] + [BELOW] * header["documents"]["below"]
    return found


def _parsed(file: str, text: bytes) -> Any:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        refuse_bundle(file, f"its {HEADER} is not JSON")
    return header


def _check_header(file: str, header: dict[str, Any]) -> None:
    for key in ("topics", "systems", "aspects"):
        names = header.get(key)
        if not isinstance(names, list) or not names or not all(map(_is_text, names)):
            refuse_bundle(file, f"its {key} are not a list of names")
        if max(map(len, names)) > LONGEST_NAME:
            refuse_bundle(file, f"its {key} have endless names")
        if len(set(names)) != len(names):
            refuse_bundle(file, f"its {key} repeat")
    grades = header.get("grades")
    if not isinstance(grades, list) or len(grades) != len(header["aspects"]) or not all(map(_ascending, grades)):
        refuse_bundle(file, "its grades are not ascending numbers from 0 for every aspect")
    if (
        not _whole(header.get("depth"), 1)
        or not _whole(header.get("judged"), 1)
        or header.get("width") not in list(WIDTHS)
    ):
        refuse_bundle(file, "its sizes are not whole numbers")
    if header.get("ties") not in list(TIE_RULES) or not _is_text(header.get("name")):
        refuse_bundle(file, "its name or its tie rule is unknown")
    findings = header.get("findings")
    if not isinstance(findings, list) or not all(map(_is_finding, findings)):
        refuse_bundle(file, "its findings are broken")
    _check_judges(file, header)
    _check_documents(file, header)


def _check_judges(file: str, header: dict[str, Any]) -> None:
    if "judge" not in header:
        return
    if header["judge"] not in header["aspects"] or not _whole(header.get("judge_width"), 1):
        refuse_bundle(file, "its judge is unknown")
    if header["judge_width"] > header["judged"]:
        refuse_bundle(file, "one judge judged more than all together")


def _check_documents(file: str, header: dict[str, Any]) -> None:
    texts = header.get("topic_texts", {})
    if not isinstance(texts, dict) or not all(_is_text(t) and len(t) <= LONGEST_TEXT for t in texts.values()):
        refuse_bundle(file, "its texts of topics are broken")
    if "documents" not in header:
        return
    sizes = header["documents"]
    if not isinstance(sizes, dict) or not _whole(sizes.get("ranks"), 0) or not _whole(sizes.get("identifiers"), 0):
        refuse_bundle(file, "its documents are not counted")
    if sizes["ranks"] > header["depth"] or not isinstance(sizes.get("below"), bool):
        refuse_bundle(file, "its documents do not fit its lists")


def _ascending(grades: object) -> bool:
    if not isinstance(grades, list) or not 0 < len(grades) <= MOST_LEVELS or grades[0] != 0:
        return False
    numbers = all(type(grade) in (int, float) and math.isfinite(grade) for grade in grades)
    return numbers and all(a < b for a, b in zip(grades, grades[1:], strict=False))


def _is_text(value: object) -> bool:
    """Whether a value of the header is a text that a file can hold: no half of a character."""
    return isinstance(value, str) and readable(value) == value


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) != 4:
        return False
    severity, file, line, message = item
    texts = _is_text(file) and _is_text(message)
    return severity in ("note", "warning", "error") and texts and (line is None or _whole(line, 1))


def _whole(number: object, least: int) -> bool:
    return type(number) is int and least <= number < 2**31


def stored(file: str, archive: zipfile.ZipFile, name: str) -> bytes:
    """A member, which is stored as it is: no compression means no bomb."""
    if archive.getinfo(name).compress_type != zipfile.ZIP_STORED:
        refuse_bundle(file, f"its {name} is compressed")
    return archive.read(name)


def refuse_bundle(file: str, why: str) -> NoReturn:
    raise FileProblem(file, None, f"this is not a whole irviz collection ({why}). Save it again.")
