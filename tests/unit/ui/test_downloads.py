"""A download that was asked for is there when the browser asks for it, whatever others do."""

from __future__ import annotations

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from irviz.server import lifespan


@pytest.fixture
def files(monkeypatch) -> MediaFileManager:
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", media_file_manager.MediaFileMetadata)
    lifespan.keep_until_fetched()
    return MediaFileManager(MemoryMediaFileStorage("/media"))


def asked_for(files: MediaFileManager) -> str:
    """The name of a file that a button was pressed for."""
    made = files.add_deferred(lambda: b"table", "text/csv", "x", file_name="a.csv")
    return files.execute_deferred(made).rpartition("/")[2]


def test_a_file_outlives_the_runs_of_others_until_it_is_fetched(files):
    name = asked_for(files)
    for _ in range(5):  # a run of somebody else ends
        files.remove_orphaned_files()
    assert files.read_file(name).content == b"table"


def test_a_file_that_nobody_fetched_goes(files, monkeypatch):
    name = asked_for(files)
    files.remove_orphaned_files()
    monkeypatch.setattr(lifespan, "TO_FETCH", 0)
    files.remove_orphaned_files()
    assert files.read_file(name) is None
