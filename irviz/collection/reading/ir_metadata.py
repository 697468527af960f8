r"""The metadata of a run: a block of comments at its beginning, in the format of ir_metadata [1]_.

::

    # ir_metadata.start
    # actor:
    #   team: Kestrel
    # ir_metadata.end

The block is YAML; only keys with their texts are read, which covers what people write there.

References
----------
.. [1] T. Breuer, J. Keller and P. Schaer, "ir_metadata: An Extensible Metadata Schema for IR
   Experiments", SIGIR 2022.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from irviz.collection.names import text_of

LONGEST_LINE = 1000  #: characters shown
_LOOKED_AT = 1 << 16  # bytes at the head of a run
_BLOCK = re.compile(rb"^#\s*ir_metadata\.start\s*$(.*?)^#\s*ir_metadata\.end\s*$", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(?P<indent>\s*)(?P<item>-\s+)?(?:(?P<key>[\w ./()-]+?):(?:\s+|$))?(?P<text>.*)$")


def described(data: bytes) -> str:
    r"""The metadata of a run as one line of ``key text`` pairs; empty where there are none.

    >>> described(b"# ir_metadata.start\n# actor:\n#   team: 'Kestrel'\n# ir_metadata.end\n1 Q0 a 1 2 x\n")
    'actor.team Kestrel'
    """
    head = data[:_LOOKED_AT]
    block = _BLOCK.search(head) if b"ir_metadata.start" in head else None
    if block is None:
        return ""
    said = "; ".join(_pairs(line.removeprefix("#") for line in text_of(block[1]).splitlines()))
    return said if len(said) <= LONGEST_LINE else f"{said[: LONGEST_LINE - 1]}…"


def _pairs(lines: Iterator[str]) -> Iterator[str]:
    above: list[tuple[int, str]] = []  # the keys that a line stands under, each with its indentation
    for line in lines:
        found = _ENTRY.match(line.rstrip())
        if found is None or not line.strip():
            continue
        indent = len(found["indent"]) + len(found["item"] or "")
        if found["key"]:
            above = [(depth, key) for depth, key in above if depth < indent] + [(indent, found["key"].strip())]
        text = "".join(sign for sign in found["text"].strip().strip("'\"") if sign.isprintable())
        if text and text not in ("|", ">"):
            yield f"{'.'.join(key for _, key in above)} {text}".strip()
