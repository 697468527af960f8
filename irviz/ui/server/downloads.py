"""A file that was made for a download stays until the browser has had time to fetch it.

Streamlit makes the file when its button is pressed, and nothing on the page refers to it.  Whenever a
run of anybody ends, Streamlit marks all such files and deletes those that were marked before.  On a server
with many visitors, two of them could thus delete what a third was about to fetch.
"""

from __future__ import annotations

import time

from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata

TO_FETCH = 10.0  #: seconds that a browser has to ask for a file; once it asks, the file is read as a whole


class Fetchable(MediaFileMetadata):
    """What Streamlit knows of a file: it may be deleted `TO_FETCH` seconds after nothing was seen to refer to it."""

    _since: float | None = None

    @property
    def is_marked_for_delete(self) -> bool:
        return self._since is not None and time.monotonic() - self._since >= TO_FETCH

    def mark_for_delete(self) -> None:
        if self._since is None:
            self._since = time.monotonic()


def keep_until_fetched() -> None:
    """Have Streamlit delete files no sooner than that."""
    media_file_manager.MediaFileMetadata = Fetchable  # type: ignore[misc]
