"""Text from files and links, made safe to stand in Markdown, and refusals as sentences on the page.

Streamlit reads Markdown in messages, labels and options: images are fetched, links
made, colours and icons drawn.  Every sign that could start any of that is escaped.  No traceback
reaches a page: what is no refusal becomes an apology with a number.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import streamlit as st

from irviz.errors import IrvizError

_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:=&@/^\"'])")
_SCHEME = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp|javascript|data):")
_WWW = re.compile(r"(?i)\bwww\.")
_ADDRESS = re.compile(r"@(?=[-\w]+\.[-\w])")
_BREAK = "\u2060"  # a word joiner: not seen, but no address starts across it
logger = logging.getLogger("irviz")


@lru_cache(maxsize=2048)
def md_escape(text: str) -> str:
    r"""`text` as Markdown shows it, sign for sign.

    >>> print(md_escape("![i](http://x)"))
    \!\[i\]\(http⁠\:\/\/x\)
    """
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    line = _SCHEME.sub(lambda match: match.group(1) + _BREAK + ":", line)
    line = _WWW.sub(lambda match: match.group()[:-1] + _BREAK + ".", line)
    line = _ADDRESS.sub("@" + _BREAK, line)
    return _SIGNS.sub(r"\\\1", line)


def as_markdown(text: str) -> str:
    """A sentence of irviz as Markdown: what stands between backticks as code, the rest sign for sign.

    >>> print(as_markdown("By `AP@10` it is *best*"))
    By `AP@10` it is \\*best\\*
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return md_escape(text)
    return "".join(_code(part) if i % 2 else md_escape(part) for i, part in enumerate(parts))


def _code(text: str) -> str:
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return f"`{line}`" if line.strip() else md_escape(line)


@contextmanager
def shown_errors() -> Iterator[None]:
    """Show what goes wrong inside as a message on the page."""
    try:
        yield
    except IrvizError as error:
        st.error(as_markdown(str(error)))
    except Exception:
        number = secrets.token_hex(4)
        logger.exception("Failure %s", number)
        st.error(
            "Something went wrong here. This is an error of irviz, not yours. The server's log has it under "
            f"`{number}`. "
            "Change a setting or reload the page to continue.",
        )
