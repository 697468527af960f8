"""What a page cannot show is refused by name, and no sentence says nan."""

from __future__ import annotations

import re
from functools import cache

import pytest

from irviz.collection.load import load_collection
from irviz.errors import IrvizError
from irviz.menu import SECTIONS
from irviz.publish.draw import draw
from irviz.workspace.context import Dataset
from irviz.workspace.data import library, opened_collection
from irviz.workspace.view import View
from tests.panels import opened_once

PAGES = [page.name for heading in ("", "Experiments") for page in SECTIONS[heading] if page.name != "judges"]


@cache
def nothing_relevant() -> Dataset:
    """Four systems that all score 0 on every topic, under every measure."""
    qrels = b"".join(b"%d 0 d%d 0\n" % (topic, doc) for topic in range(4) for doc in range(5))
    lines = "".join(f"{t} Q0 d{{}} {i} {9 - i} x\n" for t in range(4) for i in range(3))
    runs = [(f"s{n}", lines.format(*((n + i) % 6 for i in range(12))).encode()) for n in range(4)]
    return opened_collection(load_collection(("q", qrels), runs, name="zero"))


def test_a_target_below_one_half_is_refused_on_user_models():
    adhoc = Dataset("adhoc", "adhoc", opened_once("adhoc"))
    with pytest.raises(IrvizError) as refused:
        draw(View.of("cwla", collection="adhoc", T="0.3"), library([adhoc]))
    assert str(refused.value) == (
        "`T` of INST must be at least 0.5; got 0.3. With a smaller T, a user who hopes for less would read further."
    )


@pytest.mark.parametrize("page", PAGES)
def test_where_all_systems_tie_no_sentence_says_nan(page):
    opened = nothing_relevant()
    try:
        panel = draw(View.of(page, collection=opened.key), library([opened])).panel
    except IrvizError as refused:
        said = [str(refused)]
    else:
        drawings = [one for row in panel.drawings for one in row.values()]
        said = [panel.sentence, *panel.notes, *(f"{one.title} {one.alt}" for one in drawings)]
        said += [text for fact in panel.key_numbers for text in fact]
    assert all(said) and not [text for text in said if re.search(r"\bnan\b|\binf\b|τ nan", text)]
