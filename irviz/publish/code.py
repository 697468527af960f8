"""A view as code: a Python snippet and a command that give its numbers again.

The pages whose numbers one public function computes have a recipe, a few lines of Python and one command.  Every other
page is drawn from its link, as the dashboard does.  Tests run all of them and compare the numbers with the page's.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from irviz.menu import page_named
from irviz.workspace.analyses import Snippet
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import join_names
from irviz.workspace.data import SHARE
from irviz.workspace.page import Values
from irviz.workspace.view import View

# -- what is to be copied --------------------------------------------------------------


def python_code(view: View, context: Context, values: Values) -> str:
    """Python that gives the numbers of a view in a frame ``table`` (or frames ``tables``, for pages without recipe)."""
    recipe = page_named(view.page).snippet
    imported = context.dataset.imported_scores is not None
    if recipe is None or context.units or (imported and not recipe.uses_scores):
        return figures_code(view, context)
    lines = ["import irviz", "", *_data(context, recipe, values), *recipe.python(context, values), "print(table)"]
    return "\n".join(lines) + "\n"


def command(view: View, context: Context, values: Values) -> str:
    """One line for a shell that prints the numbers of a view."""
    recipe = page_named(view.page).snippet
    if recipe is None or context.units or context.dataset.imported_scores is not None:
        return render_command(view, context)
    words = ["python", "-m", "irviz", *recipe.command(context, values), *_data_words(context)]
    return shlex.join(words)


def render_command(view: View, context: Context) -> str:
    """The line that prints all tables of a view."""
    words = ["python", "-m", "irviz", "render", view.to_url()]
    for file in _files(view, context.dataset):
        words += ["--data", file]
    return shlex.join([*words, "--format", "json"])


def _files(view: View, dataset: Dataset) -> list[str]:
    """The files that hold the data of a view; [] for bundled data and for data of a share on the server."""
    if "~" not in dataset.key:
        return []
    if dataset.imported_scores is None:
        return [file_of(dataset)]
    return [] if SHARE.name in view.values else [f"{name}.csv" for name in dataset.imported_scores.measures]


def file_of(dataset: Dataset) -> str:
    """File name for a loaded collection."""
    return file_name(dataset.key.split("~")[0])


def file_name(collection: str) -> str:
    """File name for a collection of this name, without anything that a file system could take for more than a name.

    >>> file_name("../a b")
    'a-b.irviz'
    """
    return (re.sub(r"[^\w.-]+", "-", collection).strip(".-") or "collection") + ".irviz"


# -- the data --------------------------------------------------------------------------


def _data(context: Context, recipe: Snippet, values: Values) -> list[str]:
    opened, measures = context.dataset, recipe.known(context, values)["measures"]
    if opened.imported_scores is not None:
        return [f"s = {_matrices(measures)}  # your score matrices", *_topics(context)]
    assert opened.collection is not None
    lines = [f"c = {_opening(opened)}"]
    if "~" in opened.key:
        lines.append(f"assert c.fingerprint.startswith({opened.key.rpartition('~')[2]!r})  # the data of the view")
    if context.depth < opened.collection.depth:
        lines.append(f"c = c.subset(depth={context.depth})")
    if recipe.uses_scores:
        return [*lines, f"s = irviz.score(c, {measures!r})", *_topics(context)]
    return [*lines, *_topics(context, "c = c.subset")]


def _matrices(measures: Sequence[str]) -> str:
    files = ", ".join(f"{name!r}: {f'{name}.csv'!r}" for name in measures)
    return f"irviz.load_scores({{{files}}})"


def _opening(dataset: Dataset) -> str:
    if "~" in dataset.key:
        return f'irviz.open_collection({file_of(dataset)!r})  # as "Save as .irviz" on the Collection page names it'
    assert dataset.collection is not None
    rule = "" if dataset.collection.ties == "trec_eval" else f", ties={dataset.collection.ties!r}"
    return f"irviz.open_collection({dataset.key!r}{rule})"


def _topics(context: Context, select: str = "s = s.select") -> list[str]:
    """The line that takes some topics and systems, where not all are looked at."""
    choices = {
        "topics": (context.topics, context.dataset.topics),
        "systems": (context.systems, context.dataset.systems),
    }
    arguments = [f"{what}={list(names)!r}" for what, (names, available) in choices.items() if names != available]
    return [f"{select}({', '.join(arguments)})"] if arguments else []


def _data_words(context: Context) -> list[str]:
    opened = context.dataset
    assert opened.collection is not None
    words = ["--collection", file_of(opened) if "~" in opened.key else opened.key]
    if opened.collection.ties != "trec_eval" and "~" not in opened.key:
        words += ["--ties", opened.collection.ties]
    if context.depth < 1000:
        words += ["--depth", str(context.depth)]
    for option, names, available in (
        ("--topics", context.topics, opened.topics),
        ("--systems", context.systems, opened.systems),
    ):
        words += [] if names == available else [option, join_names(names)]
    return words


def figures_code(view: View, context: Context) -> str:
    """Python that draws the page again, as ``shown``: a notebook shows it; its tables are ``tables``."""
    opened, data = context.dataset, []
    if opened.imported_scores is not None:
        data = [f"c = {_matrices(opened.imported_scores.measures)}  # your score matrices"]
    elif "~" in opened.key:
        data = [f"c = {_opening(opened)}"]
    lines = [
        "import irviz",
        "",
        *data,
        f"shown = irviz.show({'c, ' if data else ''}{view.to_url()!r})",
        "tables = shown.tables",
        "shown",
    ]
    return "\n".join(lines) + "\n"
