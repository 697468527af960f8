"""Findings on the collections of the atlas: computes ``data/findings/results.json``, writes ``docs/findings.md``.

``python -m irviz.gallery.document ../shared/collections`` computes the results again, on the bundled collections and on
the real ones of that folder, which the project does not contain, and writes both files. ``python -m
irviz.gallery.document`` writes the document from the results that are stored. The same folder gives the same files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from irviz.collection.catalogue import open_collection
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.gallery import paper
from irviz.gallery.claims import CLAIMS
from irviz.gallery.findings import REPEATS, STORED, TRIALS, Findings, findings, plain, stored
from irviz.gallery.item import EQUAL, Found, RandomTrials, comparison_table, published
from irviz.gallery.sources import recognised
from irviz.places import TOP
from irviz.stats.scores import Scores, load_scores
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.data import DEEP_LEARNING, opened_bundled
from irviz.workspace.view import settle

COMMAND = "python -m irviz.gallery.document ../shared/collections"
COVID, CLEF, TREC7, WEB13 = "TREC-COVID round 1", "CLEF eHealth 2018", "TREC-7 ad hoc", "TREC Web 2013"
TREC8 = "TREC-8 ad hoc"
SIMULATED = ("adhoc", "multiaspect")
DOCUMENT = TOP / "docs" / "findings.md"


def bundled_data() -> Iterator[tuple[str, str, Collection | Scores]]:
    """Name, title and data of the collections that come with irviz: real ones first."""
    for name in ("dl2021", *DEEP_LEARNING, *SIMULATED):
        opened = opened_bundled(name, "trec_eval")
        yield name, opened.title, opened.data


def shared_data(folder: Path) -> Iterator[tuple[str, str, Collection | Scores]]:
    """Name, title and data of the real collections in `folder`."""
    aspects = {name: folder / "clef-ehealth-2018" / f"qrels.{name}.txt" for name in _ASPECTS}
    trec7 = {"AP": "ap", "P@10": "p10", "RR": "rr"}
    data: dict[str, Callable[[], Collection | Scores]] = {
        TREC8: lambda: open_collection(str(folder / "trec8-adhoc.irviz")),
        COVID: lambda: load_collection(folder / "trec-covid-round1/qrels.txt", folder / "trec-covid-round1/runs"),
        CLEF: lambda: load_collection(aspects, folder / "clef-ehealth-2018/runs"),
        TREC7: lambda: _matrices(folder / "trec7-adhoc", trec7),
        WEB13: lambda: _matrices(folder / "trec-web2013", trec7 | {"nDCG@20": "ndcg20", "ERR@20": "err20"}),
    }
    for title, opened in data.items():
        yield "", title, opened()


_ASPECTS = ("relevance", "understandability", "trust")


def _matrices(folder: Path, names: dict[str, str]) -> Scores:
    return load_scores({measure: folder / "scores" / f"{name}.csv" for measure, name in names.items()})


def computed(folder: Path) -> list[Findings]:
    """Findings on every collection of the atlas."""
    results = []
    for name, title, data in (*shared_data(folder), *bundled_data()):
        sys.stderr.write(f"{title}\n")
        answers = findings(data)
        results.append(replace(answers, name=name or answers.name, title=title))
    return results


# -- the document ----------------------------------------------------------------------------------


def document(results: Sequence[Findings], own: str) -> str:
    """The whole document: what was asked of what, a table of verdicts, the numbers, and the papers' own collection."""
    parts = [_head(results), _summary(results)]
    for cite in dict.fromkeys(paper(claim.paper).cite for claim in CLAIMS):
        mine = [n for n, claim in enumerate(CLAIMS, start=1) if paper(claim.paper).cite == cite]
        parts.append(f"## {cite}\n\n" + "\n\n".join(_section(n, results) for n in mine))
    return "\n\n".join([*parts, own]) + "\n"


def _head(results: Sequence[Findings]) -> str:
    rows = ["| collection | |", "| --- | --- |", *(f"| {one.title} | {one.about} |" for one in results)]
    return f"""# The papers' findings, on other collections and on their own

This document tests findings of five papers on {len(results)} collections. Two of the papers used {TREC8}, one used
TREC DL 2019 with more runs, and none used the others; {len(SIMULATED)} are simulated.
The last section recomputes the numbers that two of the papers print for
TREC-8. The page *Findings* shows the same answers beside those of your own collection, and
`irviz findings --collection NAME` and `irviz.findings(c)` compute them. A program writes this document:

    {COMMAND}

{chr(10).join(rows)}

TREC-COVID has 48 of the 143 runs submitted to its first round. Score matrices have no rankings, so only
findings about scores can be tested on them. Random draws: {TRIALS:,} splits, shuffles or resamples,
{REPEATS} reductions of a pool, seed 0. A finding is *seen* on a collection if the condition below its
title is true there, however small the difference; the numbers say how large it is. A few collections cannot
prove a claim, and one on which it is not seen shows only that it is not a general law."""


def verdict(number: int, results: Sequence[Findings]) -> str:
    """On how many of the collections that could be asked a finding is seen."""
    asked = [one[number] for one in results if one[number].applicable]
    return f"seen on {sum(bool(one.seen) for one in asked)} of {len(asked)}"


def _summary(results: Sequence[Findings]) -> str:
    rows = ["| | paper | finding | |", "| --- | --- | --- | --- |"]
    for number, claim in enumerate(CLAIMS, start=1):
        rows.append(f"| {number} | {paper(claim.paper).cite} | {claim.text} | {verdict(number, results)} |")
    return "\n".join(rows)


def _section(number: int, results: Sequence[Findings]) -> str:
    claim = CLAIMS[number - 1]
    lines = [f"### {number}. {claim.text}: {verdict(number, results)}", ""]
    lines += [f"The paper, {claim.place}: “{claim.quote}”. Printed: {claim.printed}. Seen if: {claim.seen}.", ""]
    answers = [(one.title, one[number]) for one in results if one[number].applicable]
    lines += [f"- {title}: {'seen' if found.seen else 'not seen'}. {found.numbers}" for title, found in answers]
    return "\n".join([*lines, *(["", claim.remark] if claim.remark else [])])


# -- the printed numbers of a collection that two of the papers used, computed again on that very collection

TABLES = (("scales", "table1"), ("scales", "table2"), ("scales", "table3"), ("scales", "table4"), ("means", "table3"))
OWN = "## The papers' own collection"
DRAWS = RandomTrials(TRIALS, REPEATS, 0)


def replication(folder: Path) -> str:
    """The section on TREC-8 ad hoc, as submitted, which `folder` holds."""
    opened = Opened(TREC8, TREC8, open_collection(str(folder / "trec8-adhoc.irviz")))
    context = Context.of(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    tables = [_table(context, key, name) for key, name in TABLES]
    frame = pd.concat([one for one, _ in tables], ignore_index=True)
    return "\n\n".join([f"{OWN}: {TREC8}", _replicated(frame), *(text for _, text in tables)])


def _replicated(frame: pd.DataFrame) -> str:
    fixed = frame[~frame["drawn"]]
    tau, share = (fixed[fixed["pairs"].isna() == kind] for kind in (True, False))
    scales = fixed[fixed["paper"] == "scales"]
    return (
        f"`{TREC8}` is T08 of Ferrante et al. 2019 and TREC8 of Ravana & Moffat 2009: topics 401 to 450, 129 systems, "
        f"4,728 relevant documents. Of the {len(scales)} cells that the first paper prints for it, "
        f"{int((scales['mark'] == EQUAL).sum())} are reproduced to the printed digit; the others differ by at most "
        f"{_largest(tau[tau['paper'] == 'scales']):.4f} in τ and by at most {int(share['pairs'].abs().max())} of 8,256 "
        "pairs of systems. Nothing in these cells is drawn at random. The τ of RBP(½) with RBTO stays below 1 because "
        "its sums are doubles, which tie lists that differ only below rank 53. Of the second paper's cells, those of "
        f"random halves are drawn at random (10,000 splits there, {TRIALS:,} here): *within chance* is a difference no "
        "larger than 99% of such differences."
    )


def _largest(frame: pd.DataFrame) -> float:
    return float(frame["difference"].abs().max())


def _table(context: Context, key: str, name: str) -> tuple[pd.DataFrame, str]:
    one = paper(key)
    item, known = one.item(name), recognised(context, one.collections)
    if known is None or not known.whole or item.printed is None:
        raise IrvizError("The file trec8-adhoc.irviz is not TREC-8 ad hoc as submitted.")
    found, shown = item.find(context, DRAWS), item.printed()
    frame = comparison_table(shown, found, (known.name,))
    frame = frame[frame["collection"] == known.name].reset_index(drop=True)
    frame["drawn"] = _drawn(found, frame[list(shown.keys)])
    frame["pairs"] = _pairs(frame, name) if "test" in frame else np.nan
    frame["paper"] = key
    rows = [f"### {one.cite}, {item.name}: {item.title.lower()} ({shown.unit})", ""]
    rows += ["| cell | printed | recomputed | difference | |", "| --- | --- | --- | --- | --- |"]
    digits = 2 if "test" in frame else 4 if key == "scales" else 3
    for _, row in frame.iterrows():
        cell = " ".join(part for part in (row[k] for k in shown.keys if k != "relevance") if part)
        difference = difference_words(row["difference"], digits + 1, row["pairs"])
        numbers = f"{row['published']:.{digits}f} | {row['recomputed']:.{digits + 1}f} | {difference}"
        rows.append(f"| {cell} | {numbers} | {row['mark']} |")
    return frame, "\n".join(rows)


def _drawn(found: Found, keys: pd.DataFrame) -> list[bool]:
    return [found.tolerance.get(tuple(row), 0.0) > 0 for row in keys.to_numpy()]


def difference_words(value: float, digits: int, pairs: float) -> str:
    """A signed difference; in pairs of systems, too, where it is one of shares of pairs.

    >>> difference_words(-0.012, 3, -1), difference_words(0.00002, 4, np.nan)
    ('−0.012 (−1 pair)', '0')
    """
    text = f"{value:+.{digits}f}".replace("-", "−")
    if float(f"{value:.{digits}f}") == 0:
        text = "0"
    if np.isnan(pairs) or not pairs:
        return text
    return f"{text} ({f'{pairs:+.0f}'.replace('-', '−')} {'pair' if abs(pairs) == 1 else 'pairs'})"


def _pairs(frame: pd.DataFrame, name: str) -> list[float]:
    """By how many pairs of systems the recomputed share differs from the printed count."""
    rows = published("scales_significance")
    rows = rows[(rows["table"] == name[-1]) & (rows["collection"] == "T08")]
    total = 129 * 128 / 2
    return [
        round(value / 100 * total) - int(count) for value, count in zip(frame["recomputed"], rows["count"], strict=True)
    ]


def main(arguments: Sequence[str]) -> int:
    """Compute from a folder of collections, or write the document again from what is stored."""
    if len(arguments) > 1:
        sys.stderr.write(f"usage: {COMMAND}\n")
        return 2
    try:
        if arguments:
            folder = Path(arguments[0])
            text = json.dumps([plain(one) for one in computed(folder)], ensure_ascii=False, indent=1)
            own = replication(folder)
            STORED.parent.mkdir(exist_ok=True)
            STORED.write_text(text + "\n", encoding="utf-8")
            stored.cache_clear()
        else:
            old = DOCUMENT.read_text(encoding="utf-8")
            own = old[old.index(OWN) :].rstrip()
    except IrvizError as problem:
        sys.stderr.write(f"error: {problem}\n")
        return 2
    DOCUMENT.write_text(document(stored(), own), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
