"""The front door: the dashboard as an ASGI app, and what stands before it; nothing else.

Started by ``irviz``, by ``python app.py`` or by ``streamlit run app.py``.
"""

import streamlit as st
from starlette.middleware import Middleware

from irviz.places import PACKAGE
from irviz.server.internals import prepare
from irviz.server.middleware import FORGET, OwnerCookie, OwnMessages, SecurityHeaders, TrustedHosts
from irviz.ui.style import EARLY, OWN_SCRIPTS

prepare()
app = st.App(
    PACKAGE / "ui" / "main.py",
    routes=[FORGET],
    middleware=[
        Middleware(SecurityHeaders, scripts=OWN_SCRIPTS, early=EARLY),
        *(Middleware(one) for one in (TrustedHosts, OwnerCookie, OwnMessages)),
    ],
)

if __name__ == "__main__":
    app.run()
