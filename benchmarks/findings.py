"""Findings on the collections of the atlas: computes ``data/findings/results.json``, writes ``docs/findings.md``.

``python -m benchmarks.findings ../shared/collections`` computes the results again, on the bundled collections and on
the real ones of that folder, which the project does not contain, and writes both files. ``python -m
benchmarks.findings`` writes the document from the results that are stored. The same folder gives the same files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd

from irviz.collection.catalogue import open_collection
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.gallery import CLAIMS
from irviz.gallery.comparison import EQUAL, comparison_table
from irviz.gallery.findings import (
    ALL,
    NOISE,
    REPEATS,
    RESAMPLES,
    RESULTS_FILE,
    TRIALS,
    Findings,
    Result,
    findings,
    stored_findings,
)
from irviz.gallery.paper import ITEMS, Evidence, published_table
from irviz.gallery.tables import recognise_collection, table_of
from irviz.places import TOP
from irviz.stats.scores import Scores, score
from irviz.stats.topic_effects import RATES, SIZES, swaps
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.data import SEVERAL_SYSTEMS, SIMULATED_COLLECTIONS, opened_bundled
from irviz.workspace.view import settle

COMMAND = "python -m benchmarks.findings ../shared/collections"
TREC8 = "TREC-8 ad hoc"
SWAP_MEASURES = ("AP", "nDCG@10", "P@10", "RR")
SOURCES = tuple(dict.fromkeys(claim.cite for claim in CLAIMS.values()))
DOCUMENT = TOP / "docs" / "findings.md"
_ASPECTS = ("relevance", "understandability", "trust")
_MACHINES = {
    "UMBRELA": "umbrela-gpt4",
    "binary GPT-4": "binary-gpt4",
    "binary Llama 3.2": "binary-llama3.2",
    "EXAM": "exam-graded-gpt4",
}


def bundled_data() -> Iterator[tuple[str, str, Collection | Scores]]:
    """Name, title and data of the collections that come with irviz: real ones first, those of one system last."""
    for name in (*SEVERAL_SYSTEMS, "tiangong"):
        opened = opened_bundled(name)
        yield name, opened.title, opened.data


def shared_data(folder: Path) -> Iterator[tuple[str, str, Collection]]:
    """Name, title and data of the real collections in `folder`, which irviz does not include."""
    aspects = {name: folder / "clef-ehealth-2018" / f"qrels.{name}.txt" for name in _ASPECTS}
    data: dict[str, Callable[[], Collection]] = {
        TREC8: lambda: open_collection(str(folder / "trec8-adhoc.irviz")),
        "TREC-COVID round 1": lambda: load_collection(
            folder / "trec-covid-round1/qrels.txt", folder / "trec-covid-round1/runs"
        ),
        "CLEF eHealth 2018": lambda: load_collection(aspects, folder / "clef-ehealth-2018/runs"),
    }
    for title, opened in data.items():
        yield "", title, opened()


def judged_by_machines(folder: Path) -> Collection:
    """TREC DL 2021 with NIST's judgments and four sets by machines."""
    dl = folder / "trec-dl-2021"
    machines = {name: dl / "judges" / f"{file}.txt" for name, file in _MACHINES.items()}
    return load_collection({"NIST": dl / "qrels.nist.txt"} | machines, dl / "runs", judges=True)


def atlas_findings(folder: Path) -> list[Findings]:
    """Findings on every collection of the atlas; of one that differs from another by its judges, those of judges."""
    results = []
    for name, title, data in (*shared_data(folder), *bundled_data()):
        sys.stderr.write(f"{title}\n")
        results.append(replace(findings(data, workers=2), name=name, title=title))
    of_judges = [n for n in ALL if CLAIMS[n].needs == "judges"]
    several = findings(judged_by_machines(folder), numbers=of_judges)
    results.insert(3, replace(several, name="", title="TREC DL 2021, five judges"))
    return results


def swap_rates() -> pd.DataFrame:
    """Counts of :func:`irviz.stats.topic_effects.swaps` on real bundled collections, bins without pairs left out."""
    parts = []
    for name, title, data in bundled_data():
        for measure in SWAP_MEASURES if name in SEVERAL_SYSTEMS and name not in SIMULATED_COLLECTIONS else ():
            if isinstance(data, Scores) and measure not in data.measures:
                continue
            matrix = (data if isinstance(data, Scores) else score(data, [measure]))[measure]
            for size in (size for size in SIZES if size <= len(matrix) // 2):
                frame = swaps(matrix, size).frame()[["low", "pairs", "turned"]].query("pairs > 0")
                parts.append(frame.assign(collection=title, measure=measure, topics=size))
    return pd.concat(parts)[["collection", "measure", "topics", "low", "pairs", "turned"]].round({"low": 2})


# -- the document ----------------------------------------------------------------------------------


def document(results: Sequence[Findings], own: str) -> str:
    """The whole document: what was asked of what, a table of verdicts, the numbers, and the papers' own collection."""
    parts = [_head(results), _summary(results)]
    for source in SOURCES:
        numbers = [n for n in ALL if CLAIMS[n].cite == source]
        parts.append(f"## {source}\n\n" + "\n\n".join(_section(n, results) for n in numbers))
    return "\n\n".join([*parts, own]) + "\n"


def _head(results: Sequence[Findings]) -> str:
    noise = int(pd.read_csv(NOISE)["asked"].max())
    rows = ["| collection | systems | topics | |", "| --- | --- | --- | --- |"]
    for part in results:
        *of, (_, systems), (_, topics) = part.data.items()
        rows.append(f"| {part.title} | {systems} | {topics} | {', '.join(map(' '.join, of))} |")
    simulated = len(SIMULATED_COLLECTIONS)
    return f"""# The papers' findings, on other collections and on their own

This document tests findings of {len(SOURCES)} papers on {len(results)} collections. Two of the papers used {TREC8}, one
used TREC DL 2019 with more runs; {simulated} collections are simulated. Five of the papers are those that irviz
implements; of the others an abstract or a table was read, as is said there.
The last section recomputes the numbers that two of the papers print for
TREC-8. The page *Findings* shows the same answers beside those of your own collection, and
`irviz findings --collection NAME` and `irviz.findings(c)` compute them. A program writes this document:

    {COMMAND}

{chr(10).join(rows)}

TREC-COVID has 48 of the 143 runs submitted to its first round. Score matrices have no rankings, so only
findings about scores can be tested on them. Random draws: {TRIALS:,} splits, shuffles or resamples,
{REPEATS} reductions of a pool, seed 0. A finding is *seen* on a collection if the condition below its
title is true there, however small the difference. The signed number is the effect, the smallest slack of the condition
in τ or as a share, with its 95% interval over topics ({RESAMPLES} bootstrap samples); *clearly* means that the interval
does not contain 0. A finding whose condition has no case on a collection is not listed there. Many findings are asked,
and nothing is corrected for that. A few collections cannot prove a claim, and one on which it is not seen shows only
that it is not a general law.

The last column says how often a finding is seen on pure noise: {noise} collections of 20 systems and 30 topics in which
all lists, grades and answers are random (`python -m benchmarks.noise`). A finding that is seen there as often as here
says nothing about systems."""


def verdict(number: int, results: Sequence[Findings]) -> str:
    """On how many of the collections that could be asked a finding is seen."""
    answers = [result for part in results if (result := part.get(number)) and result.seen is not None]
    return f"seen on {sum(bool(result.seen) for result in answers)} of {len(answers)}"


def _summary(results: Sequence[Findings]) -> str:
    noise = pd.read_csv(NOISE, index_col="number")
    rows = ["| | paper | finding | | on noise |", "| --- | --- | --- | --- | --- |"]
    for number, claim in CLAIMS.items():
        rows.append(
            f"| {number} | {claim.cite} | {claim.text} | {verdict(number, results)} | {_on_noise(noise.loc[number])} |"
        )
    return "\n".join(rows)


def _on_noise(row: pd.Series) -> str:
    return f"{row.seen} of {row.asked}" if row.asked else "not applicable"


def _section(number: int, results: Sequence[Findings]) -> str:
    claim = CLAIMS[number]
    lines = [f"### {number}. {claim.text}: {verdict(number, results)}", ""]
    lines += [f"The paper, {claim.place}: “{claim.quote}”. Printed: {claim.printed}. Seen if: {claim.seen}.", ""]
    known = [(part.title, result) for part in results if (result := part.get(number)) and result.seen is not None]
    lines += [f"- {title}: {_answer_words(result)}. {result.numbers}" for title, result in known]
    return "\n".join([*lines, *(["", claim.remark] if claim.remark else [])])


def _answer_words(one: Result) -> str:
    seen = "seen" if one.seen else "not seen"
    if one.effect is None:
        return seen
    ends = "" if one.low is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
    return f"{'clearly ' if one.clear else ''}{seen}, {one.effect:+.3f}{ends}".replace("-", "−")


# -- the printed numbers of a collection that two of the papers used, computed again on that very collection

TABLES = (("scales", "table1"), ("scales", "table2"), ("scales", "table3"), ("scales", "table4"), ("means", "table3"))
OWN = "## The papers' own collection"


def replication(folder: Path) -> str:
    """The section on TREC-8 ad hoc, as submitted, which `folder` holds."""
    opened = Dataset(TREC8, TREC8, open_collection(str(folder / "trec8-adhoc.irviz")))
    context = Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])
    tables = [_table(context, key, name) for key, name in TABLES]
    frame = pd.concat([rows for rows, _ in tables], ignore_index=True)
    return "\n\n".join([f"{OWN}: {TREC8}", _replication_words(frame), *(text for _, text in tables)])


def _replication_words(frame: pd.DataFrame) -> str:
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
    item = ITEMS[f"{key}.{name}"]
    known = recognise_collection(context, item.collections)
    if not known:
        raise IrvizError("The file trec8-adhoc.irviz is not TREC-8 ad hoc as submitted.")
    recomputed = table_of(Evidence(context, TRIALS, REPEATS), item.key)
    frame = comparison_table(item, recomputed, (known,))
    frame = frame[frame["collection"] == known].reset_index(drop=True)
    keys = list(item.keys)
    frame["drawn"] = [recomputed.tolerance.get(tuple(row), 0.0) > 0 for row in frame[keys].to_numpy()]
    frame["pairs"] = _pairs(frame, name) if "test" in frame else np.nan
    frame["paper"] = key
    rows = [f"### {item.cite}, {item.name}: {item.title.lower()} ({item.unit})", ""]
    rows += ["| cell | printed | recomputed | difference | |", "| --- | --- | --- | --- | --- |"]
    digits = 2 if "test" in frame else 4 if key == "scales" else 3
    for _, row in frame.iterrows():
        parts = (item.words.get(k, {}).get(row[k], row[k]) for k in keys if k != "relevance")
        cell = " ".join(filter(None, parts))
        difference = difference_words(row["difference"], digits + 1, row["pairs"])
        numbers = f"{row['published']:.{digits}f} | {row['recomputed']:.{digits + 1}f} | {difference}"
        rows.append(f"| {cell} | {numbers} | {row['mark']} |")
    return frame, "\n".join(rows)


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
    rows = published_table("scales_significance")
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
            text = ",\n".join(json.dumps(asdict(part), ensure_ascii=False) for part in atlas_findings(folder))
            own_section = replication(folder)
            RESULTS_FILE.parent.mkdir(exist_ok=True)
            RESULTS_FILE.write_text(f"[\n{text}\n]\n", encoding="utf-8")
            swap_rates().to_csv(RATES, index=False)
            stored_findings.cache_clear()
        else:
            old = DOCUMENT.read_text(encoding="utf-8")
            own_section = old[old.index(OWN) :].rstrip()
    except IrvizError as problem:
        sys.stderr.write(f"error: {problem}\n")
        return 2
    DOCUMENT.write_text(document(stored_findings(), own_section), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
