"""No traceback reaches a page: refusals are sentences, and anything else an apology with a number."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from irviz.errors import IrvizError
from irviz.ui.text import as_markdown

log = logging.getLogger("irviz")


@contextmanager
def shown_errors() -> Iterator[None]:
    """Show what goes wrong inside as a message on the page."""
    try:
        yield
    except IrvizError as error:
        st.error(as_markdown(str(error)))
    except Exception:
        number = secrets.token_hex(4)
        log.exception("Failure %s", number)
        st.error(
            "Something went wrong here. This is an error of irviz, not yours. The server's log has it under "
            f"`{number}`. "
            "Change a setting or reload the page to continue.",
        )
