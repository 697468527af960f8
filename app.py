"""The front door: the dashboard as an ASGI app with its headers and its cookie; nothing else.

Start it with ``streamlit run app.py``.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from irviz.ui.headers import SecurityHeaders
from irviz.ui.listening import prompt_answers
from irviz.ui.owner import OwnerCookie

app = st.App(
    Path(__file__).parent / "irviz" / "ui" / "main.py",
    lifespan=prompt_answers,
    middleware=[Middleware(SecurityHeaders), Middleware(OwnerCookie)],
)
