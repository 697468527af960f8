"""The front door: the dashboard as an ASGI app with its headers and its cookie; nothing else.

Started by ``irviz``, by ``python app.py`` or by ``streamlit run app.py``.
"""

import streamlit as st
from starlette.middleware import Middleware

from irviz.places import PACKAGE
from irviz.ui.server.belongings import OwnerCookie
from irviz.ui.server.headers import SecurityHeaders
from irviz.ui.server.listening import prompt_answers

app = st.App(
    PACKAGE / "ui" / "main.py",
    lifespan=prompt_answers,
    middleware=[Middleware(SecurityHeaders), Middleware(OwnerCookie)],
)

if __name__ == "__main__":
    app.run()
