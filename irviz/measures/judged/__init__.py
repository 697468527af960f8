"""Judged runs: what a measure sees of a collection.

A measure is evaluated one topic at a time, on all systems at once.  `Topic` is one
topic of a collection; `Judged` is its runs under one aspect (or under the classes
TOMA puts documents into).  Ranks are always the last axis.  Whatever two measures
both need (gains, cumulated gains, ideal lists) is computed once and kept while the
topic is worked on.  `tables.py` says what grades are worth, `runs.py` what is at
every rank, and where the few relevant documents are.

In exact arithmetic every number is a :class:`fractions.Fraction` in an object array,
and the same measures run unchanged; that is how scale types are proved.
"""

from irviz.measures.arithmetic import Array
from irviz.measures.judged.runs import Judged, ListedDocuments, padded
from irviz.measures.judged.topics import BinaryTopic, ExactTopic, Topic

__all__ = ["Array", "BinaryTopic", "ExactTopic", "Judged", "ListedDocuments", "Topic", "padded"]
