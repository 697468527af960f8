"""The front door: the dashboard as an ASGI app, and what stands before it; nothing else.

Started by ``irviz``, by ``python app.py`` or by ``streamlit run app.py``.
"""

import streamlit as st
from starlette.middleware import Middleware

from irviz.places import PACKAGE
from irviz.ui.server.cookie import OwnerCookie
from irviz.ui.server.crowd import Crowd
from irviz.ui.server.door import Door
from irviz.ui.server.forget import Forget
from irviz.ui.server.headers import SecurityHeaders
from irviz.ui.server.life import ask_nobody, life
from irviz.ui.server.messages import KnownMessages

ask_nobody()
app = st.App(
    PACKAGE / "ui" / "main.py",
    lifespan=life,
    middleware=[Middleware(one) for one in (SecurityHeaders, Door, OwnerCookie, Crowd, Forget, KnownMessages)],
)

if __name__ == "__main__":
    app.run()
