"""Judged runs: what a measure sees of a collection.

A measure is evaluated on a block of lists, some topics with all systems.  `Topics` are these
topics of a collection; `Judged` is their lists under one aspect (or under the classes
TOMA puts documents into): a row is a list, ranks are the last axis, and what is a topic's
is given by list.  Whatever two measures both need (gains, cumulated gains, ideal lists) is
computed once and kept while the block is worked on.  `tables.py` says what grades are worth,
`runs.py` what is at every rank, and where the few relevant documents are.

In exact arithmetic every number is a :class:`fractions.Fraction` in an object array,
and the same measures run unchanged; that is how scale types are proved.
"""

from irviz.measures.arithmetic import Array
from irviz.measures.judged.runs import Judged, ListedDocuments, padded
from irviz.measures.judged.topics import BinaryTopics, ChangedTopics, ExactTopic, Topic, Topics

__all__ = [
    "Array",
    "BinaryTopics",
    "ChangedTopics",
    "ExactTopic",
    "Judged",
    "ListedDocuments",
    "Topic",
    "Topics",
    "padded",
]
