"""What links leave unsaid, written down for every version of their words: ``links_v1.json`` and so on.

The first file is whole, each later one says what is other than in the version before; null is what went.
A link holds only what is not at its default, so a default that changes would change what old
links mean.  Every entry is a control: what a link without it means, and what a link with it may say.

``python -m tests.unit.workspace.frozen_links`` writes down controls and options that are new.  It refuses
to write over what has changed: that is a new version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.menu import PAGES
from irviz.stats.aggregate import MEANS
from irviz.workspace import view as links
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.control import Choice, Control, Names, Number, split_names
from irviz.workspace.data import COLLECTION, link_key, opened_bundled, scopes
from irviz.workspace.page import Page
from irviz.workspace.view import View, settle

COLLECTIONS = ("adhoc", "multiaspect", "dl2021")  #: those whose controls are written down
Entry = dict[str, Any]
#: collection → "page?key" → entry, where "?key" is the sidebar's; and "expressions" → name → parameter → default
Frozen = dict[str, dict[str, Entry]]
EXPRESSIONS = "expressions"
FIXED = ("C", "A")  # of measures whose name says both


def path_of(version: int) -> Path:
    return Path(__file__).with_name(f"links_v{version}.json")


def frozen(version: int) -> Frozen:
    """The values written down for `version`; a collection other than the first lists only what differs from it."""
    read = _listed(version)
    first = next(iter(read.values()))
    return {name: places if name == EXPRESSIONS else {**first, **places} for name, places in read.items()}


def _listed(version: int) -> Frozen:
    """The same as it is written: what differs from the first collection."""
    found = _listed(version - 1) if version > 1 else {}
    for name, places in json.loads(path_of(version).read_text(encoding="utf-8")).items():
        both = {**found.get(name, {}), **places}
        found[name] = {place: entry for place, entry in both.items() if entry is not None}
    return found


# -- what is so now ----------------------------------------------------------------------


def present(pages: Sequence[Page] = PAGES) -> Frozen:
    """The same of the program as it is."""
    found = {name: dict(_controls(name, pages)) for name in COLLECTIONS}
    found[EXPRESSIONS] = dict(_parameters())
    return found


def _controls(collection: str, pages: Sequence[Page]) -> Iterator[tuple[str, Entry]]:
    opened = opened_of(collection)
    yield f"?{COLLECTION.name}", {"default": COLLECTION.default, "options": list(COLLECTIONS)}
    for control in SIDEBAR_CONTROLS:
        yield f"?{control.name}", _entry(control.fit(opened))
    for page in pages:
        for control in page.controls:
            fixed = _entry(control.fit(context_of(collection)))
            yield f"{page.name}?{link_key(page, control.name)}", fixed


def _entry(control: Control) -> Entry:
    entry: Entry = {"default": said(control, control.default)}
    if isinstance(control, Choice):
        entry["options"] = [value for value, _ in control.options]
    elif isinstance(control, Names) and len(control.options) < 20:  # more are names from the data
        entry["options"] = list(control.options)
    elif isinstance(control, Number):
        entry["options"] = [control.format(control.low), control.format(control.high)]
    return entry


def said(control: Control, value: Any) -> str | None:
    """A value as a link says it."""
    return None if value is None else control.format(value)


def _parameters() -> Iterator[tuple[str, Entry]]:
    """The meaning of an expression in a link without its parameters, and of an average without its ε."""
    for before, kinds in (("", MEASURES), ("C=", BROWSING_MODELS), ("A=", AGGREGATIONS)):
        for kind in kinds:
            yield (
                f"{before}{kind.symbol}",
                {one.name: str(one.default) for one in fields(kind) if one.init or one.name not in FIXED},
            )
    for name, mean in MEANS.items():
        yield f"summary={name}", {"eps": str(mean.eps)}


@cache
def opened_of(collection: str) -> Dataset:
    return opened_bundled(collection, "trec_eval")


@cache
def context_of(collection: str) -> Context:
    opened = opened_of(collection)
    return Context.from_values(opened, settle(SIDEBAR_CONTROLS, {}, opened)[0])


# -- what links of a version mean now ------------------------------------------------------


def differences(version: int, written: Frozen, pages: Sequence[Page] = PAGES) -> list[str]:
    """One sentence for everything that a link of `version` says or leaves unsaid, and that is not so any more."""
    wrong = []
    for name in (name for name in written if name != EXPRESSIONS):
        for place, entry in written[name].items():
            page, _, key = place.partition("?")
            about = f"{f'`{key}` of the page {page}' if page else f'`{key}` of the sidebar'} (collection {name})"
            wrong += [f"{about}: {why}" for why in _of_control(version, name, page, key, entry, pages)]
    now = dict(_parameters())
    for name, entry in written[EXPRESSIONS].items():
        for parameter, meant in entry.items():
            found = now.get(name, {}).get(parameter)
            if found != meant:
                wrong.append(f"`{parameter}` of {name}: where a link left it out it meant `{meant}`, now `{found}`")
    return wrong


def _of_control(
    version: int, collection: str, page_name: str, key: str, entry: Entry, pages: Sequence[Page]
) -> Iterator[str]:
    page = next((one for one in pages if one.name == (page_name or pages[0].name)), None)
    if page is None:
        yield "there is no such page any more"
        return
    control = _control(page, key)
    if control is not None and key != COLLECTION.name:
        value, _ = _read(version, collection, page, control, {})
        texts = (value or "", entry["default"])
        in_any_order = isinstance(control, Names) and len({frozenset(split_names(text)) for text in texts}) == 1
        if value != entry["default"] and not in_any_order:
            yield f"a link without it meant `{entry['default']}` and now means `{value}`"
    for option in entry.get("options", ()):
        _, complaints = _read(version, collection, page, control, {key: option})
        yield from (f"a link with `{option}` is no longer understood: {complaint}" for complaint in complaints)


def _control(page: Page, key: str) -> Control | None:
    """The control behind a key; None where it is called otherwise by now, as an upgrade may say."""
    named = {control.name: control for control in SIDEBAR_CONTROLS} | {
        link_key(page, one.name): one for one in page.controls
    }
    return named.get(key)


def _read(
    version: int, collection: str, page: Page, control: Control | None, texts: Mapping[str, str]
) -> tuple[str | None, list[str]]:
    """The value of a control under a link of `version`, read as every link is, and the complaints."""
    pairs = {"v": str(version), COLLECTION.name: collection, **texts}
    query = "&".join(f"{key}={quote(text, safe='')}" for key, text in pairs.items())
    view, complaints = View.read_url(f"/{page.name}?{query}")
    shared, own, unknown = scopes(page, view.values)
    named = shared.get(COLLECTION.name, COLLECTION.default)
    if named not in COLLECTIONS:
        return None, [f"the collection {named} is not bundled any more"]
    opened = opened_of(named)
    sidebar, said_of_sidebar = settle(_concerned(SIDEBAR_CONTROLS, control, shared), shared, opened)
    values, said_of_page = settle(_concerned(page.controls, control, own), own, context_of(collection))
    told = [str(one) for one in (*complaints, *unknown, *said_of_sidebar, *said_of_page)]
    if control is None:
        return None, told
    fitted = control.fit(opened if control in SIDEBAR_CONTROLS else context_of(collection))
    return said(fitted, (sidebar if control in SIDEBAR_CONTROLS else values)[control.name]), told


def _concerned(controls: Sequence[Control], control: Control | None, texts: Mapping[str, str]) -> list[Control]:
    """The control that is asked about and those that a link sets: each is settled by itself, others tell nothing."""
    return [one for one in controls if one is control or one.name in texts]


def unwritten(written: Frozen) -> list[str]:
    """Controls and options that are new and not written down."""
    new = []
    for name, places in present().items():
        for place, entry in places.items():
            known = written.get(name, {}).get(place)
            if known is None:
                new.append(f"{place} ({name})")
            else:
                new += [f"{place}={one}" for one in entry.get("options", ()) if one not in known.get("options", ())]
                new += [f"{place}({one})" for one in entry if one not in known]
    return new


def advice(version: int) -> str:
    """The advice about a difference."""
    if version < links.SCHEMA:
        return f"MEANING[{version}] in irviz/workspace/view.py must say what was meant, in words of the next version."
    after = version + 1
    return (
        f"Links of version {version} that people have must keep their meaning. Either take the change back, or, in "
        f"irviz/workspace/view.py, raise SCHEMA to {after} and add MEANING[{version}], which writes into a link of "
        f"version {version} what it meant; then `python -m tests.unit.workspace.frozen_links` writes "
        f"{path_of(after).name}. {path_of(version).name} stays as it is."
    )


def _keep_options(written: Frozen, found: Frozen) -> None:
    """Old values stay written down where a widget no longer offers them."""
    for name, places in written.items():
        for place, entry in places.items():
            now = found[name].get(place, {})
            if "options" in entry and "options" in now:
                now["options"] = list(dict.fromkeys([*entry["options"], *now["options"]]))


def write() -> None:
    """Write down what is new of the present version."""
    version, found = links.SCHEMA, present()
    if path_of(version).exists():
        written = frozen(version)
        if wrong := differences(version, written):
            raise SystemExit("\n".join([*wrong, advice(version)]))
        _keep_options(written, found)
    first = found[COLLECTIONS[0]]
    for name in COLLECTIONS[1:]:
        found[name] = {place: entry for place, entry in found[name].items() if first.get(place) != entry}
    before, parts = _listed(version - 1), []
    for name, places in found.items():
        known = before.get(name, {})
        new = {place: entry for place, entry in places.items() if known.get(place) != entry}
        places = new | {place: None for place in known if place not in places}
        lines = (f"  {json.dumps(place)}: {json.dumps(entry, ensure_ascii=False)}" for place, entry in places.items())
        parts.append(f' "{name}": {{\n' + ",\n".join(lines) + "\n }")
    path_of(version).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
