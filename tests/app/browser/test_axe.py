"""The start page and those beside the menu against axe's rules for accessibility.

Every other page is compared with them by the test that visits it (`test_walk_browser.py`), twice: the wide page in one
scheme of colours, the narrow one in the other.  What depends on the colours (contrast) does not depend on the width,
nor what depends on the width on the colours: the other two looks would tell nothing new.  What is said in style sheets
for a screen that is turned is looked for here only: all pages have the same.
What Streamlit itself causes is written in ``axe_baseline.json``, with the reason; anything else fails.
axe does not look at the contrast of text within figures: `tests/unit/figures` does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irviz.figures import theme
from tests.app.browser.rest import follow, idle

pytestmark = pytest.mark.browser
BASELINE = json.loads(Path(__file__).with_name("axe_baseline.json").read_text())
#: The marks of figures are put aside meanwhile, half of what axe would look at: without anything that a rule is about.
#: A figure's own role and words stay, and so do its buttons.
RUN = """async (styles = false) => {
  if (document.querySelector('.main-svg :is(a, [role], [tabindex], [aria-label], [title])')) throw 'more than marks';
  const marks = [...document.querySelectorAll('.main-svg')].map(one => [one, [...one.childNodes]]);
  marks.forEach(([one]) => one.replaceChildren());
  try { return await axe.run(document, {
    resultTypes: ['violations'], iframes: false, selectors: false, preload: styles }); }
  finally { marks.forEach(([one, parts]) => one.replaceChildren(...parts)); }
}"""


INK = {"light": theme.LIGHT.layout.font.color, "dark": theme.DARK.layout.font.color}
#: whether the page and all its figures are drawn so
LIT = """([scheme, ink]) => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === scheme &&
  [...document.querySelectorAll('.js-plotly-plot')].every(one => one._fullLayout?.font.color === ink)"""


@pytest.mark.parametrize("name", ["", "teaching"])
def test_pages_beside_the_menu_have_one_title_and_no_violation_that_streamlit_does_not_cause(person, server, axe, name):
    with person(known=True) as page:
        follow(page, f"{server.url}/{name}")
        page.locator("h2").first.wait_for()
        page.evaluate(axe)
        assert page.locator("h2").count() == 1
        for width, scheme in ((1280, "light"), (1280, "dark"), (390, "dark"), (390, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            light(page, scheme)
            assert violations(page.evaluate(RUN, True)) == [], (scheme, width)


def light(page, scheme: str) -> None:
    """Look at the page in the light or in the dark, once all of it follows."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(LIT, arg=[scheme, INK[scheme]])
    idle(page)


def violations(found: dict[str, Any]) -> list[str]:
    """Findings of axe that the baseline does not know: rule, element, and what is wrong with it."""
    return [
        f"{rule['id']}: {node['html'][:200]} ({' '.join(node['failureSummary'].split())})"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not known(rule["id"], node["html"])
    ]


def known(rule: str, html: str) -> bool:
    """True if the baseline has this rule for such an element."""
    return any(one["rule"] == rule and html.startswith(one["element"]) for one in BASELINE)


def test_the_baseline_says_why_and_is_about_streamlits_own_elements_only():
    assert all(one.keys() == {"rule", "element", "why"} and len(one["why"]) > 20 for one in BASELINE)
    theirs = ("stSidebarNav", "st-emotion-cache", "stFileUploaderDropzone")
    assert all(any(name in one["element"] for name in theirs) for one in BASELINE)
    assert not known("color-contrast", "<p>Any text of irviz</p>")
