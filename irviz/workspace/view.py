"""A view: what a page shows, as a value that fits in a link.

A view holds the texts of a link: page, and name → text of every control that is not at
its default.  The defaults belong to the schema version: a change of a default, or of a name, is a new
version, and :data:`MEANING` turns what an old link says into what it meant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote_plus

from irviz.errors import IrvizError, join_words
from irviz.workspace.control import Control, excerpt

SCHEMA = 7
VERSION_KEY = "v"  #: the key of the schema version in a link
LONG_LINK = 1800  #: characters of a link that every program passes on
FOREIGN = ("embed", "embed_options")  #: keys of a link that belong to Streamlit


#: what a link of version 2 meant where it left that out, by lab
_OF_LABS = {
    f"lab_{name}": {"step": "free", **texts}
    for name, texts in {
        "scales": {"own": "RBP(p=0.3,gains=[0,1,3])"},
        "browsing": {},
        "graded_ap": {},
        "aspects": {"relevance": "1,3,3", "c1": "1.5", "c2": "1.5"},
        "aggregation": {},
        "conventions": {},
    }.items()
}
#: what a link of version 3 meant where it left that out: another first step, fewer browsing models in the grid
_BEFORE_4 = {"lab_scales": {"step": "1"}, "users": {"models": "RBP,INST,ERR,RR,BPM,AP"}}


def _counted_from_1(texts: Mapping[str, str]) -> dict[str, str]:
    """Name the measures that a link of version 4 meant on TREC DL 2021, which a link without a collection shows.

    A link that names a share alone stays so: it is that share's view, which has its own version.
    """
    if texts.get("collection", "dl2021") != "dl2021" or set(texts) - set(FOREIGN) == {"s"}:
        return dict(texts)
    return {"measures": "AP,nDCG@10,P@10,RBP(p=0.8),ERR@20,Bpref", **texts}


def _one_share(texts: Mapping[str, str]) -> dict[str, str]:
    """The share of a link of version 6 to graded AP, whose two shares of two grades were scaled to sum to 1."""
    if texts.get("c", "2") != "2" or not {"g1", "g2"} & set(texts):
        return dict(texts)
    try:
        first, second = float(texts.get("g1", "0.1")), float(texts.get("g2", "0.9"))
    except ValueError:  # which the control says
        return dict(texts)
    both = first + second
    return {**texts, "g1": f"{first / both if both > 0 else 0.5:.6g}"}


#: version → ``(page, texts) → texts`` of the version after it, so that an old link keeps its meaning
MEANING: dict[int, Callable[[str, dict[str, str]], dict[str, str]]] = {
    1: lambda page, texts: {"collection": "adhoc", **texts},  # the dashboard opened on it
    # labs opened on all of it, without steps; the second list of graded AP is the reader's own now
    2: lambda page, texts: {
        **_OF_LABS.get(page, {}),
        **{name: text for name, text in texts.items() if (page, name) != ("lab_graded_ap", "n")},
    },
    3: lambda page, texts: {**_BEFORE_4.get(page, {}), **texts},
    4: lambda page, texts: _counted_from_1(texts),
    # the lab on scales began with its sixth step; a link that names a share alone stays so
    5: lambda page, texts: {"step": "6", **texts} if page == "lab_scales" and "s" not in texts else texts,
    6: lambda page, texts: _one_share(texts) if page == "lab_graded_ap" else texts,
}
HOMES = {1: "scores"}  #: version → the page that an address without one meant


@dataclass(frozen=True)
class Complaint:
    """A setting that a link asked for and did not get: a sentence that names its key."""

    key: str
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class View:
    """A page and the texts of its controls, without those at their default.

    >>> View.from_texts("scores", show="box").to_query()
    'v=7&show=box'
    """

    page: str
    items: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_texts(cls, page: str, /, **texts: str) -> View:
        return cls(page, tuple(texts.items()))

    @property
    def values(self) -> dict[str, str]:
        return dict(self.items)

    def to_query(self) -> str:
        """The query string of this view; readable where a link allows it."""
        pairs = [(VERSION_KEY, str(SCHEMA)), *self.items]
        return "&".join(f"{quote(key, safe='')}={quote(text, safe='(),=@[].:/~')}" for key, text in pairs)

    def to_url(self) -> str:
        """The address of this view below the dashboard's own."""
        return f"/{self.page}?{self.to_query()}"

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, "page": self.page, "values": self.values}, ensure_ascii=False, indent=1)

    @classmethod
    def from_url(cls, url: str) -> View:
        """The view of a link such as ``http://…/scores?v=1&show=box``; keys are not looked at yet."""
        view, complaints = cls.read_url(url)
        if complaints:
            raise IrvizError(complaints[0].sentence)
        return view

    @classmethod
    def read_url(cls, url: str) -> tuple[View, list[Complaint]]:
        """As :meth:`from_url`, but a version nobody knows is read as the present one, with a complaint."""
        url = url.encode("utf-8", "replace").decode()  # an argument of a command may be no text
        path, _, query = url.partition("#")[0].partition("?")
        pairs = [pair.partition("=") for pair in query.split("&") if pair]
        texts = {unquote_plus(key): unquote_plus(text) for key, _, text in pairs}
        path = path.partition("://")[2].partition("/")[2] if "://" in path else path
        page = unquote_plus(path).rstrip("/").rsplit("/", 1)[-1]
        page = page or home(texts)
        texts, complaints = in_present_words(page, texts)
        return cls(page, tuple((key, text) for key, text in texts.items() if key not in FOREIGN)), complaints

    @classmethod
    def from_json(cls, text: str) -> View:
        """The view that :meth:`to_json` wrote."""
        try:
            read = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise IrvizError(f"This saved view is not JSON ({error}).") from error
        if not isinstance(read, dict) or not isinstance(read.get("page"), str):
            raise IrvizError("This saved view does not name its page.")
        values = read.get("values", {})
        if not isinstance(values, dict) or not all(isinstance(text, str) for text in values.values()):
            raise IrvizError("The values of this saved view are not texts by name.")
        if not _is_text("".join((read["page"], *values, *values.values()))):
            raise IrvizError("This saved view contains halves of characters, which are not valid text. Save it again.")
        texts, complaints = in_present_words(read["page"], {**values, VERSION_KEY: str(read.get("schema", SCHEMA))})
        if complaints:
            raise IrvizError(complaints[0].sentence)
        return cls(read["page"], tuple(texts.items()))


def _is_text(text: str) -> bool:
    """True for a text that can be written to a file: JSON may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def home(texts: Mapping[str, str]) -> str:
    """The page that an address without one means; "" for the first of the menu."""
    version = texts.get(VERSION_KEY, "")
    return next((page for number, page in HOMES.items() if version == str(number)), "")


def in_present_words(page: str, texts: Mapping[str, str]) -> tuple[dict[str, str], list[Complaint]]:
    """The texts of a link in the words of the present version, without the version itself.

    A link that says its version is read as that version; one without is in the present
    words: a person wrote it, or it is a share's short link, whose view has its own version.
    """
    rest = {key: text for key, text in texts.items() if key != VERSION_KEY}
    version = texts.get(VERSION_KEY, str(SCHEMA))
    if version == str(SCHEMA):
        return rest, []
    if not version.isascii() or not version.isdigit() or len(version) > 6 or int(version) not in MEANING:
        message = (
            f"This link was made for version `{excerpt(version, 20)}` of the dashboard's links, and this dashboard "
            f"reads version {SCHEMA}. It is read as version {SCHEMA}; check what it shows."
        )
        return rest, [Complaint(VERSION_KEY, message)]
    for number in range(int(version), SCHEMA):
        rest = MEANING[number](page, rest)
    return rest, []


def known_keys(
    texts: Mapping[str, str], controls: Iterable[Control], page: str = ""
) -> tuple[dict[str, str], list[Complaint]]:
    """The texts that a control reads, in the words of the present version, and a complaint for every other key."""
    names = [control.name for control in controls]
    texts, complaints = in_present_words(page, texts)
    others = [key for key in texts if key not in (*names, *FOREIGN)]
    for key in others[:10]:
        complaints.append(
            Complaint(key, f"The link sets `{excerpt(key, 40)}`, which this page does not know; it is left out.")
        )
    if len(others) > 10:
        rest = join_words((f"`{excerpt(key, 20)}`" for key in others[10:]), most=3, joiner="and")
        complaints.append(Complaint(others[10], f"The link sets {len(others) - 10} more unknown things: {rest}."))
    return {key: text for key, text in texts.items() if key in names}, complaints


def settle(
    controls: Iterable[Control], texts: Mapping[str, str], context: Any
) -> tuple[dict[str, Any], list[Complaint]]:
    """The value of every control under `context`, and what the texts asked for and did not get."""
    values: dict[str, Any] = {}
    complaints = []
    for control in controls:
        fitted = control.fit(context)
        values[control.name] = fitted.default
        if control.name in texts:
            try:
                values[control.name] = fitted.parse(texts[control.name])
            except IrvizError as error:
                values[control.name] = fitted.rescue(texts[control.name])
                complaints.append(_complaint(fitted, values[control.name], error))
    return values, complaints


def _complaint(control: Control, value: Any, error: IrvizError) -> Complaint:
    reason = str(error).rstrip(".?")
    used = "The default" if value in (None, "", ()) else f"`{excerpt(control.format(value))}`"
    return Complaint(control.name, f"The link's `{control.name}` cannot be used: {reason}. {used} is used instead.")
