"""Diversity qrels: lines of ``topic intent document grade``, each intent an aspect."""

from __future__ import annotations

from io import BytesIO
from itertools import islice

from irviz.collection.names import natural_order, readable
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits, Source, Upload, single
from irviz.errors import IrvizError, counted

MOST_INTENTS = 100  #: more are no intents, but iterations or codes of another kind of qrels
LOOKED_AT = 1 << 16  #: lines that tell intents; those of a topic stand together


class Intents(dict[str, Upload]):
    """The lines of each intent, in natural order; the other lines are empty, so that line numbers stay."""


def load_intents(qrels: Source, *, limits: Limits = DEFAULT_LIMITS) -> dict[str, Upload]:
    """Diversity qrels taken apart, for :func:`irviz.load_collection`, which makes an aspect of each intent.

    ``irviz.load_collection(irviz.load_intents("qrels.diversity.txt"), "runs/")`` is what α-nDCG and the other measures
    of several intents score.

    Parameters
    ----------
    qrels : path, (name, bytes) or open file
        Lines of topic, intent, document and grade, as ndeval reads them.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    dict of str to (name, bytes)
        The lines of each intent, in natural order; the other lines are empty, so that line numbers stay.

    Raises
    ------
    IrvizError
        Where the second column has more than 100 different values, or no line has one.
    """
    job = single(qrels, "qrels", limits)
    data, quota = job.read(), ArrayQuota(limits)
    with quota.parsing(job.file, data):
        lines = data.splitlines()
        whose = [fields[1] if len(fields := line.split(None, 2)) > 2 else b"" for line in lines]
        intents = {readable(one.decode("utf-8", "replace")): one for one in dict.fromkeys(whose) if one}
        if not 1 <= len(intents) <= MOST_INTENTS:
            raise IrvizError(
                f"{job.file}: {counted(len(intents), 'different value')} in the second column; 1 to {MOST_INTENTS} are "
                "read as intents. Load qrels of whole topics with irviz.load_collection."
            )
        quota.take(len(data) + len(lines) * len(intents), f"{job.file}: {len(intents)} intents", "Split the file.")
        found = Intents()
        for name in natural_order(intents):
            own = intents[name]
            text = b"\n".join(line if one == own else b"" for line, one in zip(lines, whose, strict=True))
            found[name] = (job.file, text)
        return found


def second_fields(qrels: bytes) -> tuple[int, bool]:
    """How many values the second column has, and whether a document is judged under several, as for intents.

    The first `LOOKED_AT` lines are looked at; none counts where there are more than intents can be.

    >>> second_fields(b"1 1 a 1\\n1 2 a 0\\n"), second_fields(b"1 1 a 1\\n1 2 b 0\\n")
    ((2, True), (2, False))
    """
    named: dict[bytes, bytes] = {}
    seen: dict[tuple[bytes, bytes], bytes] = {}
    several = False
    for line in islice(BytesIO(qrels), LOOKED_AT):
        fields = line.split()
        if len(fields) != 4 or fields[0].startswith(b"#"):
            continue
        own = named.setdefault(fields[1], fields[1])
        several = several or seen.setdefault((fields[0], fields[2]), own) is not own
        if len(named) > MOST_INTENTS:
            return 0, False
    return len(named), several
