"""The tutorial, executed: ``python -m benchmarks.notebook`` runs its cells and writes what they show.

A notebook is read by its cells alone: statements run one after another in one namespace, and
what a notebook would show of the last expression is kept as its output.  It needs no Jupyter.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "tutorial.ipynb"


def executed(notebook: dict[str, Any], folder: Path) -> Iterator[list[dict[str, Any]]]:
    """The outputs of every code cell, run in `folder`."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                yield _outputs("".join(cell["source"]), namespace)
    finally:
        os.chdir(before)


def _outputs(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    printed, shown = io.StringIO(), []
    with contextlib.redirect_stdout(printed), displaying(shown):
        value = _run(ast.parse(source), namespace)
        _show(value, shown)
    text = printed.getvalue()
    stream = [{"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}] if text else []
    return [*stream, *({"output_type": "display_data", "metadata": {}, "data": data} for data in shown)]


def _run(module: ast.Module, namespace: dict[str, Any]) -> Any:
    """The value of the last expression, after everything before it has run; None without one."""
    last = module.body.pop() if module.body and isinstance(module.body[-1], ast.Expr) else None
    exec(compile(module, "<cell>", "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def _show(value: Any, shown: list[dict[str, Any]]) -> None:
    """What a notebook keeps of a value, in its kinds."""
    if value is None:
        return
    if hasattr(value, "_ipython_display_"):
        value._ipython_display_()
    else:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        shown.append(data)


def _lines(bundle: dict[str, Any]) -> dict[str, Any]:
    """The kinds of one output, texts as lines."""
    return {kind: data.splitlines(keepends=True) if isinstance(data, str) else data for kind, data in bundle.items()}


@contextlib.contextmanager
def displaying(shown: list[dict[str, Any]]) -> Iterator[None]:
    """Just so much of IPython as what shows itself asks for."""

    class HTML:
        def __init__(self, text: str) -> None:
            self.text = text

        def _repr_html_(self) -> str:
            return self.text

        def __repr__(self) -> str:
            return "HTML"

    package, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    display.HTML = HTML  # type: ignore[attr-defined]
    display.display = lambda value, raw=False: shown.append(_lines(value)) if raw else _show(value, shown)  # type: ignore[attr-defined]
    before = {name: sys.modules.get(name) for name in ("IPython", "IPython.display")}
    sys.modules.update({"IPython": package, "IPython.display": display})
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def main() -> None:
    """Write the outputs into the notebook."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    outputs = executed(notebook, NOTEBOOK.parent)
    for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), start=1):
        cell["outputs"], cell["execution_count"] = next(outputs), number
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
