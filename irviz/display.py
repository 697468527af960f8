"""How collections, scores and results are displayed: one line in a terminal, their numbers in a notebook.

Names come from files: whatever is shown is text, never markup.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from itertools import islice
from typing import Any, Protocol

from irviz.places import needs_app

LONGEST_LINE = 160  #: characters of a ``repr``
_IN_ALL = " in all"
_LONGEST_VALUE = 60  #: characters of one value
MOST_ROWS = 20  #: of a table in a notebook
_OPEN = '<div class="irviz tex2jax_ignore mathjax_ignore">'  # a $ in a name starts no formula


# -- Text in LaTeX: every sign by a command that pdflatex knows ------------------------------------

_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX |= {sign: f"\\{sign}" for sign in "{}$&#%_"}
_TEX |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "…": r"\ldots{}", "–": "--", "—": "---"}
_TEX |= {"“": "``", "”": "''", "’": "'", "‘": "`", "\u2060": "", "\u00a0": "~"}
_MATHS = {
    "−": "-", "τ": r"\tau", "κ": r"\kappa", "ε": r"\varepsilon", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma",
    "ρ": r"\rho", "λ": r"\lambda", "μ": r"\mu", "σ": r"\sigma", "φ": r"\varphi", "ω": r"\omega", "θ": r"\theta",
    "η": r"\eta", "χ": r"\chi", "π": r"\pi", "δ": r"\delta", "Δ": r"\Delta",
    "Π": r"\Pi", "Σ": r"\Sigma", "Φ": r"\Phi", "ν": r"\nu", "×": r"\times", "·": r"\cdot", "±": r"\pm",
    "→": r"\rightarrow", "≈": r"\approx", "≥": r"\ge", "≤": r"\le", "≠": r"\ne", "∞": r"\infty", "½": r"\frac12",
    "⅓": r"\frac13", "²": "^2", "⁺": "^+", "★": r"\star", "▲": r"\bigtriangleup", "▼": r"\bigtriangledown",
    "▽": r"\bigtriangledown", **{sign: f"_{place}" for place, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip
_ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v"}
_ACCENTS |= {"\u0327": "c", "\u0304": "=", "\u0307": ".", "\u030b": "H", "\u0328": "k"}


def tex(text: str) -> str:
    r"""Text as LaTeX prints it: all of irviz's own signs, and Latin letters with accents, by commands.

    Letters of other scripts in names stay as they are; they take XeLaTeX or LuaLaTeX.

    >>> print(tex("Kendall's τ of a_b & 5% by Järvelin"))
    Kendall's $\tau$ of a\_b \& 5\% by J\"{a}rvelin
    """
    return "".join(map(_tex_sign, text))


_COLUMN, _PAGE = 240, 504  # points that a column of a paper is wide, and both
_MOST_ROWS = 40  # of a table on one page
_LETTER = 0.5  # width of a letter in sizes of its type, about


def tex_table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], label: str = "", alignment: str = ""
) -> list[str]:
    """The lines of a table for LaTeX's booktabs; all texts are LaTeX already.

    `alignment` has a letter a column; without it the first is aligned left, the others right.  A table that is too
    wide for a column takes type of 8 points; one that is still too wide both columns, and is shrunk to them.  One of
    many rows goes over several pages (longtable), unless it is that wide.
    """
    rows, alignment = list(rows), alignment or "l" + "r" * (len(heads) - 1)
    bare = ([len(re.sub(r"\\\w+|[${}\\]", "", cell)) for cell in row] for row in (heads, *rows))
    wide = list(map(max, zip(*bare, strict=False)))
    small, both, shrunk = (
        _LETTER * size * sum(wide) + 2 * gap * len(wide) > room
        for size, gap, room in ((10, 6, _COLUMN), (8, 3, _COLUMN), (8, 3, _PAGE))
    )
    head = [r"\toprule", rf"{' & '.join(heads)} \\", r"\midrule"]
    body = [rf"{' & '.join(cells)} \\" for cells in rows]
    named = [rf"\caption{{{caption}}}", *([rf"\label{{{label}}}"] if label else [])]
    if len(rows) > _MOST_ROWS and not both:
        return [
            "% needs \\usepackage{longtable}, in a document or appendix of one column (\\onecolumn)",
            *([r"{\footnotesize\setlength{\tabcolsep}{3pt}"] if small else []),
            rf"\begin{{longtable}}{{{alignment}}}",
            *named,
            r"\\",
            *head,
            r"\endfirsthead",
            *head,
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            r"\end{longtable}" + "}" * small,
        ]
    table = "table*" if both else "table"
    return [
        rf"\begin{{{table}}}",
        *([r"\centering\footnotesize\setlength{\tabcolsep}{3pt}"] if small else []),
        *named,
        *([r"\resizebox{\textwidth}{!}{%  of the package graphicx"] if shrunk else []),
        rf"\begin{{tabular}}{{{alignment}}}",
        *head,
        *body,
        r"\bottomrule",
        r"\end{tabular}" + "}" * shrunk,
        rf"\end{{{table}}}",
    ]


def _tex_sign(sign: str) -> str:
    if sign in _MATHS:
        return f"${_MATHS[sign]}$"
    base, accent = (*unicodedata.normalize("NFD", sign), "")[:2]
    if base.isascii() and accent in _ACCENTS:
        return f"\\{_ACCENTS[accent]}{{{base}}}"
    return _TEX.get(sign, sign)


class Figure(Protocol):
    """A plotly figure, which a notebook shows by itself: the methods that irviz promises."""

    def show(self) -> None: ...
    def update_layout(self, **settings: object) -> object: ...
    def to_html(self) -> str: ...
    def write_html(self, file: str) -> None: ...
    def write_image(self, file: str) -> None: ...


class Displayable:
    """Base of frozen dataclasses that people look at; their fields are shown, numbers as shapes or as a table.

    A class may say more by :meth:`shown` (its numbers) and by :meth:`details` (further things to know).
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Displayable.__repr__  # type: ignore[method-assign]  # before `dataclass` writes a longer one

    def details(self) -> dict[str, str]:
        """Facts for a reader, by name; by default every field in a few words."""
        return {name: brief(value) for name, value in self._fields().items()}

    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.repr}  # type: ignore[arg-type]

    def shown(self) -> Any:
        """The numbers as a data frame; None if there is no table."""
        frame = getattr(self, "frame", None)
        return frame() if callable(frame) else None

    def plot(self) -> Figure:
        """Draw the figure of its page; needs plotly."""
        with needs_app():
            drawn: Figure = import_module("irviz.plots").plot(self)
            return drawn

    def _summary(self) -> str:
        """Fields for the ``repr``: by default short ones in full, longer ones by their number of members."""
        return ", ".join(part for name, value in self._fields().items() if (part := _part(name, value)))

    def __repr__(self) -> str:
        line = f"<irviz {type(self).__name__}: {one_line(self._summary())}"
        return f"{line}>" if len(line) < LONGEST_LINE else f"{line[: LONGEST_LINE - 2]}…>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(text)}</td></tr>'
            for name, text in self.details().items()
        )
        title = f"<p><strong>{type(self).__name__}</strong>. {escape(purpose(type(self)))}</p>"
        return f"{_OPEN}{title}<table>{rows}</table>{_table(self.shown())}</div>"


def brief(value: Any) -> str:
    """A value in a few words.

    >>> brief(("AP", "RR")), brief(tuple(range(1024))), brief(0.05), brief(None)
    ('AP, RR', '1,024 in all', '0.05', 'none')
    """
    if value is None:
        return "none"
    if hasattr(value, "shape"):
        return " × ".join(map(str, value.shape))
    if isinstance(value, (tuple, list, set, frozenset, Mapping)):
        return _few(value)
    if isinstance(value, float):
        return f"{value:g}"
    return _cut(one_line(str(value)))


def _part(name: str, value: Any) -> str:
    """A field of a ``repr``; nothing where it is empty or made of numbers that only a table can show."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return f"{name} {brief(value)}" if value != "" else ""
    if not isinstance(value, tuple) or not value:
        return ""
    short = _few(value)
    if not short.endswith(_IN_ALL):
        return f"{name} {short}"
    return f"{len(value):,} {name if len(value) > 1 else name.removesuffix('s')}"


def _few(values: Any) -> str:
    """The members where they are short, else their number."""
    if not values:
        return "none"
    text = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in islice(values, 8))
    if len(values) <= 8 and len(text) <= _LONGEST_VALUE:
        return one_line(text)
    return f"{len(values):,}{_IN_ALL}"


def purpose(kind: type) -> str:
    """The first sentence of a class's documentation, without its markup."""
    first = (kind.__doc__ or "").strip().split("\n\n")[0]
    sentence = re.split(r"(?<=[.;])\s", first)[0].rstrip(";.") + "."
    return re.sub(r":\w+:`~?\.?([^`<]*)[^`]*`|`+([^`]*)`+", lambda match: match[1] or match[2], one_line(sentence))


def _table(frame: Any) -> str:
    if frame is None:
        return ""
    table = frame.head(MOST_ROWS).to_html(border=0, index=frame.index.nlevels > 1 or frame.index.name is not None)
    rest = "" if len(frame) <= MOST_ROWS else f"<p>The first {MOST_ROWS} of {len(frame):,} rows.</p>"
    return f"{table}{rest}"


def one_line(text: str) -> str:
    """A text on one line, without control characters and marks of direction."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
