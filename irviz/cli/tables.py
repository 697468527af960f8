"""Commands that read files and score them: ``lint``, ``score`` and ``ratings``."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path

import numpy as np
import pandas as pd

import irviz
from irviz.cli import data
from irviz.cli.main import Command
from irviz.cli.options import add_options, given
from irviz.errors import IrvizError
from irviz.measures.language.aliases import trec_eval_name
from irviz.stats.scores import Scores, is_count


def _add_lint(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there is more than notes")


def _lint(arguments: data.Arguments) -> pd.DataFrame:
    columns = ["severity", "file", "line", "message"]
    findings = data.collection(arguments, arguments.depth).findings
    rows = [[getattr(finding, name) for name in columns] for finding in findings]
    grave = sum(finding.severity != "note" for finding in findings)
    if arguments.strict and grave:
        arguments.unmet = f"Warnings about the files: {grave:,}."
    return pd.DataFrame(rows, columns=columns).astype({"line": "Int64"})


def _add_score(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    data.add_measures(parser)
    data.add_matrices(parser)
    add_options(parser, irviz.summarise, "summary", "eps", summary=None)


def _score(arguments: data.Arguments) -> pd.DataFrame:
    scores = data.scores(arguments)
    if arguments.format == "trec_eval":
        return _for_trec_eval(scores, arguments.summary)
    if arguments.summary is None:
        return scores.frame()
    rows = [irviz.summarise(scores[name], arguments.summary, eps=arguments.eps) for name in scores.measures]
    table = pd.DataFrame(rows, index=list(scores.measures)).rename_axis(index="measure", columns="system")
    return table.stack().rename("score").reset_index()


def _for_trec_eval(scores: Scores, summary: str | None) -> pd.DataFrame:
    """Scores in trec_eval's order and names: system by system, topic by topic, and last all topics.

    Those are their number, means, and sums of numbers of documents.
    """
    if summary not in (None, "mean"):
        raise IrvizError("trec_eval prints means over topics: leave --summary out, or choose another --format.")
    of_all = scores.means().assign(num_q=(~np.isnan(scores.values)).any(axis=0).sum(axis=0))
    for name in filter(is_count, scores):
        of_all[name] = scores[name].sum()
    last = of_all.melt(var_name="measure", value_name="score", ignore_index=False).reset_index().assign(topic="all")
    table = pd.concat([scores.frame(), last]).dropna()
    places = {"system": scores.systems, "topic": (*scores.topics, "all"), "measure": ("num_q", *scores.measures)}
    codes = [pd.Categorical(table[column], list(names)).codes for column, names in places.items()]
    table = table.iloc[np.lexsort(codes[::-1])]
    return table.assign(measure=table["measure"].map(trec_eval_name))


def _add_nuggets(parser: argparse.ArgumentParser) -> None:
    columns = "topic, nugget, importance (vital, okay), system, support (support, partial, not)"
    parser.add_argument("file", help=f"assignments of nuggets: {columns}")
    add_options(parser, irviz.load_nuggets, "partial", "okay")


def _nuggets(arguments: data.Arguments) -> pd.DataFrame:
    """Scores that --scores reads."""
    how = given(arguments, irviz.load_nuggets, "partial", "okay")
    return irviz.load_nuggets(data.fetch_all([arguments.file])[0], **how).frame()


def _add_ratings(parser: argparse.ArgumentParser) -> None:
    data.add_source(parser)
    parser.add_argument("--judge", default=None, help="the judge, or the aspect; by default the first")


def _ratings(arguments: data.Arguments) -> pd.DataFrame:
    table = data.collection(arguments, depth=1).ratings(arguments.judge)
    integers = table["grade"].map(float.is_integer).all()
    return table.set_axis(["query", "docid", "rating"], axis=1).astype({"rating": int if integers else float})


def _add_pseudonyms(parser: argparse.ArgumentParser) -> None:
    data.add_data(parser)
    parser.add_argument("--key", metavar="FILE", required=True, help="file of the key; made if there is none: keep it")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the .irviz file to write")


def _pseudonyms(arguments: data.Arguments) -> pd.DataFrame:
    """Save the collection without the names of its systems; the table that is printed has both names."""
    named, key = data.chosen_collection(arguments), _key(Path(arguments.key))
    table = named.pseudonyms(key)
    named.with_pseudonyms(key).save(arguments.output)
    return pd.DataFrame(table.items(), columns=["system", "pseudonym"])


def _key(file: Path) -> bytes:
    """The key in a file, which is made for nobody else to read where it is missing."""
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_hex() + "\n")
    return file.read_bytes().strip()


COMMANDS = {
    "lint": Command(_add_lint, _lint),
    "score": Command(_add_score, _score, ("table", "csv", "json", "latex", "trec_eval")),
    "nuggets": Command(_add_nuggets, _nuggets),
    "pseudonyms": Command(_add_pseudonyms, _pseudonyms),
    "ratings": Command(_add_ratings, _ratings, ("table", "csv", "json", "qrels")),
}
