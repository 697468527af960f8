"""Makes dl2021.irviz again from TREC's files: ``python data/dl2021/make.py FOLDER``.

FOLDER holds ``qrels.nist.txt`` and ``runs/`` with one run a file, gzipped or not.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from irviz.collection.load import load_collection  # noqa: E402
from irviz.collection.model import Collection  # noqa: E402

BUNDLE = Path(__file__).with_name("dl2021.irviz")


def compiled(folder: Path) -> Collection:
    """The collection as it is bundled: identifiers of the judged documents only, and no texts."""
    return load_collection(folder / "qrels.nist.txt", folder / "runs", name="dl2021", documents="judged")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python data/dl2021/make.py FOLDER (with qrels.nist.txt and runs/)")
    compiled(Path(sys.argv[1])).save(BUNDLE, documents=True)
