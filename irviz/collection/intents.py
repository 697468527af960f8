"""Diversity qrels: lines of ``topic intent document grade``, each intent an aspect."""

from __future__ import annotations

from irviz.collection.names import natural_order, readable
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, Upload, single
from irviz.errors import IrvizError

MOST_INTENTS = 100  #: more are no intents, but iterations or codes of another kind of qrels


def load_intents(qrels: Source, *, limits: Limits = DEFAULT_LIMITS) -> dict[str, Upload]:
    """Diversity qrels taken apart, for :func:`irviz.load_collection`, which makes an aspect of each intent.

    ``irviz.load_collection(irviz.load_intents("qrels.diversity.txt"), "runs/")`` is what α-nDCG and the other measures
    of several intents score.

    Parameters
    ----------
    qrels : path, (name, bytes) or open file
        Lines of topic, intent, document and grade, as ndeval reads them.

    Returns
    -------
    dict of str to (name, bytes)
        The lines of each intent, in natural order; the other lines are empty, so that line numbers stay.

    Raises
    ------
    IrvizError
        Where the second column has more than 100 different values.
    """
    job = single(qrels, "qrels", limits)
    lines = job.read().splitlines()
    whose = [fields[1] if len(fields := line.split(None, 2)) > 2 else b"" for line in lines]
    intents = {readable(one.decode("utf-8", "replace")): one for one in dict.fromkeys(whose) if one}
    if len(intents) > MOST_INTENTS:
        raise IrvizError(
            f"{job.file}: {len(intents):,} different values in the second column; at most {MOST_INTENTS} are read as "
            f"intents. Load qrels of whole topics with irviz.load_collection."
        )
    return {
        name: (
            job.file,
            b"\n".join(line if own == intents[name] else b"" for line, own in zip(lines, whose, strict=True)),
        )
        for name in natural_order(intents)
    }
