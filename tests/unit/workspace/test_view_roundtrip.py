"""Every control of every page survives a link, JSON and the command line; every link is answered, by name."""

from __future__ import annotations

import random
import string
from dataclasses import replace
from functools import cache
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irviz.collection.frames import collection_from_frames
from irviz.errors import IrvizError
from irviz.menu import PAGES
from irviz.publish.code import render_command
from irviz.publish.draw import draw
from irviz.workspace import view as view_module
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.control import Choice, Control, Flag, Measures, Names, Number, Text
from irviz.workspace.data import (
    SHARED_NAMES,
    find_data,
    library,
    link_key,
    opened_collection,
    scopes,
    view_of_texts,
)
from irviz.workspace.store import Store
from irviz.workspace.view import View, settle
from tests.panels import from_command, opened_once, texts_of, undrawn

MEASURES = [
    "AP",
    "P@10",
    "nDCG(dcg='exp-log2')@10",
    "RBP(p=0.5)",
    "GAP(g=[0.1,0.9])",
    "CWLA(C=RBP(p=0.8),A=PE(beta=0.5))@10",
]
BY_NAME = {page.name: page for page in PAGES}


@cache
def adhoc() -> Dataset:
    return Dataset("adhoc", "Ad hoc", opened_once("adhoc"))


@cache
def tiny() -> Dataset:
    """Six topics, five systems: every panel is drawn in no time."""
    draws = random.Random(5)
    topics, documents = [str(t) for t in range(1, 7)], [f"d{i}" for i in range(8)]
    qrels = [(t, d, draws.choice([0, 0, 1, 2])) for t in topics for d in documents] + [(t, "best", 2) for t in topics]
    runs = {
        f"s{n}": pd.DataFrame(
            [(t, d, draws.random()) for t in topics for d in [*documents, "best"]],
            columns=["query_id", "doc_id", "score"],
        )
        for n in range(5)
    }
    frame = pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
    return Dataset("adhoc", "Tiny", collection_from_frames(frame, runs))


def values_of(control: Control) -> st.SearchStrategy:
    """Anything that a control may hold; its default for kinds that only one page has."""
    if isinstance(control, Choice):
        return st.sampled_from([value for value, _ in control.options] or [control.default])
    if isinstance(control, Number):
        whole = st.integers(int(np.ceil(control.low)), int(control.high))
        return whole if control.whole else st.floats(control.low, control.high, allow_nan=False)
    if isinstance(control, Flag):
        return st.booleans()
    if isinstance(control, Measures):
        return st.lists(st.sampled_from(MEASURES), min_size=1, unique=True).map(tuple)
    if isinstance(control, Names):
        chosen = (
            st.sets(st.sampled_from(control.options), max_size=min(control.most, 12))
            if control.options
            else st.just(set())
        )
        return chosen.map(lambda names: tuple(name for name in control.options if name in names))
    if type(control) is Text:
        return st.text(max_size=min(control.most, 40))
    return st.just(control.default)


@st.composite
def drawn_values(draw_one, page):
    """Values of the sidebar and of a page, each within what the other offers."""
    opened = adhoc()
    shared = {control.name: draw_one(values_of(control.fit(opened))) for control in SIDEBAR_CONTROLS}
    context = Context.from_values(opened, shared)
    own = {control.name: draw_one(values_of(control.fit(context))) for control in page.controls}
    return shared, context, own


@pytest.mark.parametrize("name", list(BY_NAME))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_control_survives(name, data):
    page = BY_NAME[name]
    shared, context, own = data.draw(drawn_values(page))
    view = view_of_texts(page, texts_of(SIDEBAR_CONTROLS, shared, adhoc()), texts_of(page.controls, own, context))
    for road in (
        View.from_url("https://irviz.example/base" + view.to_url() + "#top"),
        from_command(render_command(view, context)),
    ):
        assert road == view
    one, other, complaints = scopes(page, view.values)
    assert complaints == []
    assert settle(SIDEBAR_CONTROLS, one, adhoc()) == (shared, [])
    assert settle(page.controls, other, context) == (own, [])


def test_no_control_of_a_page_is_mistaken_for_the_sidebars():
    for page in PAGES:
        keys = [link_key(page, control.name) for control in page.controls]
        assert len(set(keys)) == len(keys) and not SHARED_NAMES & set(keys)
        assert all(quote(key, safe=".") == key and key != "v" for key in keys)


# -- versions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "version", [str(view_module.SCHEMA + 1), str(view_module.SCHEMA - 1), "0", "-1", "1.0", "", "٣", "9" * 400, "<b>"]
)
def test_a_link_of_another_version_sets_nothing(version):
    view, (complaint,) = View.read_url(f"/scores?v={quote(version)}&show=box")
    assert view == View("scores") and complaint.key == "v"
    with pytest.raises(IrvizError):
        View.from_url(f"/scores?v={quote(version)}")


# -- data ------------------------------------------------------------------------------


def test_a_reader_without_the_data_is_told_which_and_with_them_the_view_opens():
    mine = opened_collection(opened_once("adhoc").subset(depth=10))
    view = View.from_texts("scores", collection=mine.key, measure="P@10")
    with pytest.raises(IrvizError) as caught:
        draw(view, library())
    assert mine.collection.fingerprint[:16] in str(caught.value)
    renamed = Dataset("other~40x50~" + mine.collection.fingerprint[:16], "Other", mine.collection)
    for loaded in (mine, renamed):
        assert draw(view, library([loaded])).values["measure"] == "P@10"
    assert find_data("adhoc", [mine]) is None and find_data(mine.key, [renamed]) is renamed


def test_links_know_data_with_several_judges(tmp_path):
    whole = opened_once("adhoc").subset(depth=10)
    mine, alone = opened_collection(whole), opened_collection(replace(whole))
    assert whole.judges and mine.key != alone.key
    assert find_data(alone.key, [mine]) is None and find_data(alone.key, [mine, alone]) is alone
    assert find_data(mine.key, [alone]) is None, "without the other judges its pages on judges would be others"
    with pytest.raises(IrvizError, match="of all judges"):
        draw(View.from_texts("scores", collection=mine.key), library([alone]))


def test_a_share_brings_its_view_and_its_data(tmp_path):
    store = Store(tmp_path)
    mine = opened_collection(opened_once("adhoc").subset(depth=10))
    view = View.from_texts("scores", collection=mine.key, measure="P@10")
    receipt = store.share(view, data=mine.collection)
    whole = draw(View.from_texts("scores", s=receipt.id), library(), store=lambda: store)
    assert (
        whole.values["measure"] == "P@10"
        and whole.context.dataset.collection.fingerprint == mine.collection.fingerprint
    )
    changed = draw(View.from_texts("scores", s=receipt.id, collection=mine.key), library(), store=lambda: store)
    assert changed.values["measure"] == "AP"
    store.withdraw(receipt.id, receipt.key)
    with pytest.raises(IrvizError, match=r"^This shared link no longer exists on this server"):
        draw(View.from_texts("scores", s=receipt.id), library(), store=lambda: store)


# -- hostile links ---------------------------------------------------------------------

NASTY = (
    "",
    " ",
    ",",
    "\\",
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "9" * 60,
    "%00",
    "\x00",
    "\ud800",
    "🦉",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "![i](http://x)",
    "' OR 1=1 --",
    "AP(",
    "RBP(p=2)",
    "P@0",
    "P@99999999999",
    "CWLA(C=RBP(p=0.8),A=ERG)",
    "TOMA(nDCG@10)",
    "[[[[",
    "{}",
    "__import__('os')",
    "adhoc~40x50~0123456789abcdef",
    "A" * 3000,
    "1,1,1",
    "1\\,2",
    "trec_eval",
    "AAAAAAAAAAAAAAAAAAAAAA",
    "scores?v=8&collection=adhoc",
)


def mutated(draws: random.Random) -> tuple[str, str]:
    """A page and a query string that may be anything."""
    page = draws.choice(PAGES)
    names = [
        *(link_key(page, control.name) for control in page.controls),
        *SHARED_NAMES,
        "v",
        "embed",
        "x",
        "%",
        "__class__",
    ]
    pairs = []
    for _ in range(draws.randint(0, 5)):
        key = draws.choice(names) if draws.random() < 0.9 else "".join(draws.choices(string.printable, k=6))
        text = (
            draws.choice(NASTY)
            if draws.random() < 0.7
            else "".join(draws.choices(string.printable + "é…", k=draws.randint(0, 12)))
        )
        key, text = (
            one if draws.random() < 0.3 else quote(one.encode("utf-8", "replace"), safe="") for one in (key, text)
        )
        pairs.append(f"{key}={text}")
    query = "&".join(pairs)
    if query and draws.random() < 0.3:
        place = draws.randrange(len(query))
        query = query[:place] + draws.choice("&=%#?;+ ") + query[place + draws.randint(0, 2) :]
    return page.name, query


def test_hostile_links(tmp_path, monkeypatch):
    """Each gives a page or one sentence; what it could not use is named; no other data are ever opened.

    The panels of the first dozen are drawn too; those of more by `tests/fuzz`.
    """
    store, draws = Store(tmp_path), random.Random(0)
    hidden = opened_collection(opened_once("adhoc").subset(depth=5))
    store.share(View.from_texts("scores", collection=hidden.key), data=hidden.collection)
    opener, refused = library([tiny()]), 0
    for n in range(150):
        if n == 12:
            undrawn(monkeypatch)
        name, query = mutated(draws)
        view, complaints = View.read_url(f"/{name}?{query}")
        try:
            shown = draw(view, opener, store=lambda: store)
        except IrvizError:
            refused += 1
            continue
        said = {one.key for one in (*complaints, *shown.complaints)}
        page = BY_NAME[shown.page.name]
        shared, own, unknown = scopes(page, shown.view.values)
        assert {one.key for one in unknown} <= said
        for control, text in [(one, shared.get(one.name)) for one in SIDEBAR_CONTROLS] + [
            (one, own.get(one.name)) for one in page.controls
        ]:
            if text is not None and not taken(control, text, shown):
                assert control.name in said, (name, query, control.name)
        assert shown.context.dataset.key != hidden.key
    assert refused < 90  # most links show something


def taken(control: Control, text: str, shown) -> bool:
    """True if a control reads a text."""
    try:
        control.fit(shown.context.dataset if control in SIDEBAR_CONTROLS else shown.context).parse(text)
    except IrvizError:
        return False
    return True
