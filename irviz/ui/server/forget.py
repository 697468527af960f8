"""A way to be forgotten that needs no page to work: ``/forget``, a form and its answer."""

from __future__ import annotations

from irviz.ui.server.asgi import EMPTY_PAGE, App, Message, Receive, Send, answer_html
from irviz.ui.server.belongings import belongings
from irviz.ui.server.cookie import new_cookie, owner_in

PATH = "/forget"
_FORM = EMPTY_PAGE.format(
    "<p>This server keeps in its memory what you loaded from this browser, under a cookie of the browser. "
    "Here you can delete it, on all your open pages. What you shared stays until you withdraw it.</p>"
    '<form method="post"><button style="font: inherit; padding: 0.3rem 0.8rem">Forget what I loaded</button></form>'
)
_DONE = EMPTY_PAGE.format('<p>What this browser loaded is forgotten. <a href="./">Back to irviz</a></p>')


class Forget:
    """ASGI middleware that answers at :data:`PATH`."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(PATH) or scope["method"] not in ("GET", "POST"):
            await self.app(scope, receive, send)
        elif scope["method"] == "GET":
            await answer_html(send, 200, _FORM)
        else:
            owner = owner_in(scope)
            if owner:
                belongings().forget(owner)
            await answer_html(send, 200, _DONE, ((b"set-cookie", new_cookie(scope, owner or None, age=0)),))
