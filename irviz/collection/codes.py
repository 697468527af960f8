"""Words and codes that all modules of collections share: codes in the arrays, tie rules, findings."""

from __future__ import annotations

from dataclasses import dataclass

from irviz.errors import visible

UNJUDGED, BEYOND = -1, -2  #: codes in ``ranking``
NEGATIVE, ABSENT = -1, -2  #: codes in ``labels``
MOST_LEVELS = 30_001  #: of grades, level 0 among them: levels are kept in 16 bits
MOST_POOLED = 1 << 25  #: topics times levels of all aspects: measures count the judged documents of each

TIE_RULES = {
    "trec_eval": "score descending, then document id descending, scores in single precision (trec_eval up to 9)",
    "trec_eval10": "score descending, then document id descending, scores in double precision (trec_eval 10)",
    "trec_eval_ascending": "score descending, then document id ascending, scores in single precision",
    "file": "the order of the lines in the file",
    "rank": "the rank column",
    "expected": "every order of equal scores, and the mean of the scores counts (single precision; exact for P, R, F, "
    "gP, gR, Rprec, RBP, DCG, nDCG, AP, RR, ERR, nERR and Success, of 100 drawn orders for other measures)",
}
ORDERS = 100  #: of tied documents, whose scores are averaged by ``expected`` where there is no formula


@dataclass(frozen=True)
class Finding:
    """One finding of the linter about a file."""

    severity: str  #: "note" (nothing changes), "warning" (a number may differ from another tool's) or "error" (refused)
    file: str
    line: int | None  #: from 1; None for the whole file
    message: str
    unnamed: str | None = None  #: the message without document identifiers, if it contains some

    @property
    def kind(self) -> str:
        """The message up to its first colon: without names and numbers."""
        return self.message.partition(":")[0]

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return visible(f"{place}: {self.message}")
