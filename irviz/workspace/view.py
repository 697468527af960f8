"""A view: what a page shows, as a value that fits in a link.

A view holds the texts of a link: page, and name → text of every control that is not at
its default.  The defaults belong to the schema version; a link of another version is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote_plus

from irviz.errors import IrvizError, join_words
from irviz.workspace.control import Control, excerpt

SCHEMA = 8
VERSION_KEY = "v"  #: the key of the schema version in a link
LONG_LINK = 1800  #: characters of a link that every program passes on
FOREIGN = ("embed", "embed_options")  #: keys of a link that belong to Streamlit


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
    'v=8&show=box'
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

    @classmethod
    def from_url(cls, url: str) -> View:
        """The view of a link such as ``http://…/scores?v=1&show=box``; keys are not looked at yet."""
        view, complaints = cls.read_url(url)
        if complaints:
            raise IrvizError(complaints[0].sentence)
        return view

    @classmethod
    def read_url(cls, url: str) -> tuple[View, list[Complaint]]:
        """As :meth:`from_url`, but a link of another version sets nothing, with a complaint."""
        url = url.encode("utf-8", "replace").decode()  # an argument of a command may be no text
        path, _, query = url.partition("#")[0].partition("?")
        pairs = [pair.partition("=") for pair in query.split("&") if pair]
        texts = {unquote_plus(key): unquote_plus(text) for key, _, text in pairs}
        path = path.partition("://")[2].partition("/")[2] if "://" in path else path
        page = unquote_plus(path).rstrip("/").rsplit("/", 1)[-1]
        texts, complaints = of_this_version(texts)
        return cls(page, tuple((key, text) for key, text in texts.items() if key not in FOREIGN)), complaints


def of_this_version(texts: Mapping[str, str]) -> tuple[dict[str, str], list[Complaint]]:
    """The texts of a link without its version; nothing and a complaint for another one. A missing one is fine."""
    rest = {key: text for key, text in texts.items() if key != VERSION_KEY}
    version = texts.get(VERSION_KEY, str(SCHEMA))
    if version == str(SCHEMA):
        return rest, []
    message = (
        f"This link is of version `{excerpt(version, 20)}`; this irviz reads links of version {SCHEMA}. None of its "
        "settings are used."
    )
    return {}, [Complaint(VERSION_KEY, message)]


def known_keys(texts: Mapping[str, str], controls: Iterable[Control]) -> tuple[dict[str, str], list[Complaint]]:
    """The texts that a control reads, and a complaint for every other key."""
    names = [control.name for control in controls]
    texts, complaints = of_this_version(texts)
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
                values[control.name] = value = fitted.rescue(texts[control.name])
                used = "The default" if value in (None, "", ()) else f"`{excerpt(fitted.format(value))}`"
                words = (
                    f"The link's `{control.name}` cannot be used: {str(error).rstrip('.?')}. {used} is used instead."
                )
                complaints.append(Complaint(control.name, words))
    return values, complaints
