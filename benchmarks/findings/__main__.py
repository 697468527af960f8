"""Do the papers' own findings hold on real collections?  Writes ``docs/findings.md``.

``python -m benchmarks.findings ../shared/collections > docs/findings.md``: the folder holds the
real collections named in :mod:`benchmarks.findings.data`, which the project does not
contain.  Every verdict is computed; the same folder gives the same document.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.findings import aspects, graded, means, replication, scales, users
from benchmarks.findings.data import DRAWS, Data, Finding
from irviz.errors import IrvizError

COMMAND = "python -m benchmarks.findings ../shared/collections > docs/findings.md"
CLAIMS = (*scales.CLAIMS, *users.CLAIMS, *aspects.CLAIMS, *graded.CLAIMS, *means.CLAIMS)


def document(data: Data, claims: Sequence[Callable[[Data], Finding]]) -> str:
    """The whole document: what was asked of what, a table of verdicts, and the numbers."""
    findings = [claim(data) for claim in claims]
    parts = [_head(data), _summary(findings)]
    for cite in dict.fromkeys(finding.cite for finding in findings):
        mine = [(n, one) for n, one in enumerate(findings, start=1) if one.cite == cite]
        parts.append(f"## {cite}\n\n" + "\n\n".join(_section(n, one) for n, one in mine))
    parts.append(replication.section(data))
    return "\n\n".join(parts) + "\n"


def _head(data: Data) -> str:
    rows = ["| collection | data | systems | topics | grades |", "| --- | --- | --- | --- | --- |"]
    for name, context in data.contexts.items():
        loaded = context.opened.collection
        there = "runs and qrels" if loaded else f"score matrices: {', '.join(context.opened.imported.measures)}"
        grades = (
            "; ".join(f"{a} {g[0]:g}–{g[-1]:g}" for a, g in zip(loaded.aspects, loaded.grades, strict=True))
            if loaded
            else ""
        )
        rows.append(f"| {name} | {there} | {len(context.systems)} | {len(context.opened.topics)} | {grades} |")
    return f"""# The papers' findings, on other collections and on their own

This document tests the findings of five papers on real collections that none of the papers used. The last section
recomputes the numbers that two of the papers print for TREC-8, on that collection. A program writes this document,
including numbers and verdicts; only the claims and the remarks are written by hand:

    {COMMAND}

{chr(10).join(rows)}

TREC-COVID has 48 of the 143 runs submitted to its first round. Score matrices have no rankings, so only
findings about scores can be tested on them. Random draws: {DRAWS.trials:,} splits, shuffles or resamples,
{DRAWS.repeats} reductions of a pool, seed {DRAWS.seed}. A finding is *seen* on a collection if the inequality in its
claim is true there, however small the difference; the numbers say how large it is. One or two collections cannot
prove a claim: *holds* means that it was seen here too, *does not hold* that it is not a general law."""


def _summary(findings: Sequence[Finding]) -> str:
    rows = ["| | paper | finding | verdict |", "| --- | --- | --- | --- |"]
    rows += [f"| {n} | {one.cite} | {one.claim} | {one.verdict} |" for n, one in enumerate(findings, start=1)]
    return "\n".join(rows)


def _section(number: int, finding: Finding) -> str:
    lines = [f"### {number}. {finding.claim}: {finding.verdict}", ""]
    lines += [f"- {check.where}: {'seen' if check.seen else 'not seen'}. {check.numbers}" for check in finding.checks]
    return "\n".join([*lines, *(["", finding.remark] if finding.remark else [])])


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print(f"usage: {COMMAND}", file=sys.stderr)
        return 2
    try:
        print(document(Data(Path(arguments[0])), CLAIMS), end="")
    except IrvizError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
