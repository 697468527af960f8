"""The moving picture of *What if* in the README, from the dashboard itself: ``python -m benchmarks.picture``.

One measure's parameter moves, and the ranking, the correlations, the significant pairs and the agreement under fewer
judgments follow; dashes and open marks are the state before.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import irviz

TARGET = Path(__file__).resolve().parents[1] / "docs" / "what-if.webp"
VALUES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.8, 0.6)  #: of RBP's p, one a picture
WIDTH, HEIGHT, SECONDS = 1280, 860, 1.2
MOST_BYTES = 2_000_000
DONE = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def picture(page: Page, address: str, p: float) -> Image.Image:
    """The page with this value of p, drawn to its end."""
    texts = {"collection": "dl2021", "measures": f"AP(rel=2),nDCG@10,P(rel=2)@10,RBP(p={p:g})"}
    texts |= {"measure": f"RBP(p={p:g})", "before": f"RBP(p={VALUES[0]:g})" if p != VALUES[0] else ""}
    page.goto(f"{address}/what_if?{urlencode(texts)}")
    page.wait_for_selector(DONE, timeout=60_000)
    page.locator(".js-plotly-plot").nth(3).wait_for(timeout=60_000)
    page.wait_for_timeout(1500)  # figures fade in
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    """Write the picture; refused where it is too large for a README."""
    dashboard = irviz.open(irviz.open_collection("dl2021"))
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            frames = [picture(page, dashboard.url, p) for p in VALUES]
            browser.close()
    finally:
        dashboard.stop()
    smaller = [frame.resize((WIDTH * 3 // 4, HEIGHT * 3 // 4), Image.Resampling.LANCZOS) for frame in frames]
    first, *others = smaller
    first.save(TARGET, save_all=True, append_images=others, duration=int(1000 * SECONDS), loop=0, quality=70, method=6)
    if TARGET.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{TARGET} has {TARGET.stat().st_size:,} bytes; at most {MOST_BYTES:,} are shown.")


if __name__ == "__main__":
    main()
