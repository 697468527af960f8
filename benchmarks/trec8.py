"""A simulated collection of TREC-8's size: 129 runs × 50 topics × 1,000 ranks.

Written once into ``benchmarks/.cache`` (not kept in git) and reused while the
parameters stay the same.  A third of its runs are also written with identifiers of other kinds.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path

import irviz
from benchmarks.simulate import Simulation
from irviz.collection.model import Collection

FOLDER = Path(__file__).parent / ".cache" / "trec8"
BUNDLE = FOLDER.with_name("trec8.irviz")
SIMULATION = Simulation(systems=129, topics=50, depth=1000, grades=4, aspects=2, pool_depth=100, families=41, seed=8)
THIRD = 43  #: runs of the smaller collections


def _cord(document: str) -> str:
    """Eight letters and digits, as CORD-19 has them: ``t0x9abc1``."""
    number = int.from_bytes(hashlib.blake2b(document.encode(), digest_size=8).digest())
    letters = ""
    for _ in range(8):
        number, place = divmod(number, 36)
        letters += "0123456789abcdefghijklmnopqrstuvwxyz"[place]
    return letters


def _url(document: str) -> str:
    """An address with a hexadecimal number inside."""
    digest = hashlib.blake2b(document.encode(), digest_size=5).hexdigest()
    return f"https://www.example.org/{document[:2].lower()}/0x{digest}/{document}.html?ix={digest[:3]}"


#: Kinds of identifiers, and how the simulation's own become them.
IDENTIFIERS: dict[str, Callable[[str], str]] = {"newswire": str, "CORD-19": _cord, "URLs": _url}


@cache
def folder() -> Path:
    """The folder of the collection's files, written where it is missing or of other parameters."""
    card = FOLDER / "collection.json"
    wanted = json.loads(json.dumps(asdict(SIMULATION)))
    if not card.is_file() or json.loads(card.read_text(encoding="utf-8"))["simulation"] != wanted:
        unfinished = FOLDER.with_name("unfinished")
        for old in (unfinished, FOLDER):
            shutil.rmtree(old, ignore_errors=True)
        BUNDLE.unlink(missing_ok=True)
        print(f"Writing a collection of TREC-8's size into {FOLDER} (once) …", flush=True)
        SIMULATION.write(unfinished, title="TREC-8's size")
        unfinished.rename(FOLDER)
    return FOLDER


def qrels() -> dict[str, Path]:
    """The qrels files by aspect."""
    return {aspect: folder() / f"qrels.{aspect}" for aspect in SIMULATION.aspect_names}


def runs() -> list[Path]:
    """The run files."""
    return sorted((folder() / "runs").iterdir())


@cache
def third(identifiers: str = "newswire") -> tuple[list[Path], list[Path]]:
    """Qrels files and the first third of the runs, with identifiers of one kind; written once."""
    judged, lists = list(qrels().values()), runs()[:THIRD]
    if identifiers == "newswire":
        return judged, lists
    target = FOLDER.with_name(f"trec8-{identifiers}")
    done = target / "of"
    if not done.is_file() or done.read_text(encoding="utf-8") != repr(SIMULATION):
        shutil.rmtree(target, ignore_errors=True)
        (target / "runs").mkdir(parents=True)
        new_name = cache(IDENTIFIERS[identifiers])
        for path in [*judged, *lists]:
            _rename(path, target / path.relative_to(folder()), new_name)
        done.write_text(repr(SIMULATION), encoding="utf-8")
    return [target / path.name for path in judged], sorted((target / "runs").iterdir())


def _rename(source: Path, target: Path, new_name: Callable[[str], str]) -> None:
    """Copy a file of qrels or of a run with other identifiers in its third column."""
    with source.open(encoding="ascii") as lines, target.open("w", encoding="ascii") as out:
        for line in lines:
            topic, second, document, rest = line.split(" ", 3)
            out.write(f"{topic} {second} {new_name(document)} {rest}")


def load(documents: int | str = 100) -> Collection:
    """Parse and compile the files."""
    return irviz.load_collection(qrels(), folder() / "runs", documents=documents)


@cache
def bundle() -> Path:
    """The collection as one ``.irviz`` file."""
    folder()
    if not BUNDLE.is_file():
        load().save(BUNDLE)
    return BUNDLE


@cache
def collection() -> Collection:
    """The compiled collection."""
    return irviz.open_collection(str(bundle()))
