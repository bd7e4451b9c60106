"""The server offers a live run's page on this machine alone, with a socket for each viewer."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
import time as clock
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...base.extras import remedy
from ...diagrams.runs.interruption import postpone_signals
from ..document import document, script
from .errors import LiveError
from .host import Host, Viewer, beats
from .run import LiveRun

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

HERE = "127.0.0.1"
LARGEST = 1 << 20  # bytes of a viewer's message
WAITING = 2000  # messages that a viewer may be late before its connection is given up
GRACE = 2.0  # s in which a page that is loaded again comes back
START = 'blockdynLive.start(document.querySelector("main"));'
WhenClosed: TypeAlias = Literal["go", "pause", "end"]


class Server:
    """Serves one live run until a viewer ends it.

    Only this machine can reach it, and only with the token in its `url`; requests under another host
    name (DNS rebinding) and sockets from pages of others are refused. `when_closed` is the action when
    nobody looks any more: the run continues, pauses, or ends. Raises LiveError without the extra `live`.
    """

    def __init__(
        self, live: LiveRun, *, port: int = 0, when_closed: WhenClosed = "go",
        opened: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        missing = remedy("websockets")
        if missing:
            raise LiveError("a live page needs the package websockets", missing)
        self.host, self.url = Host(live), ""
        self._port, self._when_closed, self._opened = port, when_closed, opened
        self._token = secrets.token_urlsafe(24)
        self._page = b""
        self._left = 0.0  # when the last viewer left
        self._waits = True  # for somebody who looks

    def run(self) -> None:
        """Serve until a viewer ends the run, or KeyboardInterrupt, which it raises again."""
        with (
            postpone_signals() as came
        ):  # an exception of a signal inside asyncio or a socket would tear them
            asyncio.run(self._serve(came))

    async def _serve(self, came: Sequence[int]) -> None:
        from websockets.asyncio.server import serve

        try:
            server = await serve(
                self._connected, HERE, self._port, process_request=self._answer, compression=None,
                max_size=LARGEST, server_header=None,
            )  # fmt: skip
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise LiveError(
                f"port {self._port} on {HERE}: {why}", "another --port, or none for a free one"
            ) from None
        self._port = server.sockets[0].getsockname()[1]
        self.url = f"http://{HERE}:{self._port}/{self._token}/"
        self._page = _page(self.host.live.program.flat.name, self._port).encode("utf-8")
        if self._opened is not None:
            self._opened(self.url)
        try:
            await self._go_on(came)
        finally:
            self.host.farewell("the run has ended")
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.05)  # for messages on their way
            server.close()
            with suppress(asyncio.CancelledError):
                await server.wait_closed()

    async def _go_on(self, came: Sequence[int]) -> None:
        """A picture a beat, as long as neither a viewer nor a signal ends it."""
        async for passed in beats():
            if self.host.ended or came:
                break
            self.host.tick(passed)
            self._look_after(clock.perf_counter())

    def _look_after(self, now: float) -> None:
        """Take the action for the case that nobody looks any more."""
        if self.host.viewers or not self._left or now - self._left < GRACE:
            return
        self._left = 0.0
        if self._when_closed == "end":
            self.host.ended = True
        elif self._when_closed == "pause":
            self._waits = self.host.live.playing
            self.host.live.playing = False

    # ---- requests ----

    async def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The page; None for a socket that may be opened; a refusal for all else."""
        hosts = (f"{HERE}:{self._port}", f"localhost:{self._port}")
        said = {name: request.headers.get_all(name) for name in ("Host", "Origin")}
        if any(len(values) > 1 for values in said.values()):
            return self._response(connection, HTTPStatus.BAD_REQUEST, b"a header is there twice")
        host = next(iter(said["Host"]), "")
        token, _, name = request.path.removeprefix("/").partition("?")[0].partition("/")
        if host not in hosts:
            return self._response(connection, HTTPStatus.FORBIDDEN, b"this is another host's name")
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return self._response(connection, HTTPStatus.NOT_FOUND, b"nothing is here")
        if name == "socket":
            if next(iter(said["Origin"]), f"http://{host}") != f"http://{host}":
                return self._response(connection, HTTPStatus.FORBIDDEN, b"this is another page's socket")
            return None
        if name:
            return self._response(connection, HTTPStatus.NOT_FOUND, b"nothing is here")
        return self._response(connection, HTTPStatus.OK, self._page, "text/html; charset=utf-8")

    def _response(
        self, connection: ServerConnection, status: HTTPStatus, body: bytes, kind: str = "text/plain"
    ) -> Response:
        response = connection.respond(status, "")
        response.body = body
        for name in ("Content-Type", "Content-Length"):
            del response.headers[name]
        response.headers["Content-Type"] = kind
        response.headers["Content-Length"] = str(len(body))
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        return response

    async def _connected(self, connection: ServerConnection) -> None:
        """One viewer, from its coming to its going."""
        from websockets.exceptions import ConnectionClosed

        waiting: asyncio.Queue[Any] = asyncio.Queue(WAITING)

        def send(message: dict[str, Any] | bytes) -> None:
            try:
                waiting.put_nowait(message)
            except asyncio.QueueFull:  # it reconnects, and receives everything anew
                asyncio.get_running_loop().create_task(connection.close(1013, "too slow"))

        viewer = self.host.join(send)
        if self._waits:
            self.host.live.playing = not self.host.live.at_end
        self._left, self._waits = 0.0, False
        sending = asyncio.create_task(_sent(connection, waiting))
        try:
            async for text in connection:
                self._heard(viewer, text)
        except ConnectionClosed:
            pass
        finally:
            sending.cancel()
            self.host.leave(viewer)
            self._left = clock.perf_counter()

    def _heard(self, viewer: Viewer, text: str | bytes) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        self.host.heard(viewer, message)


async def _sent(connection: ServerConnection, waiting: asyncio.Queue[Any]) -> None:
    """Send waiting messages, in order, as fast as they are taken."""
    from websockets.exceptions import ConnectionClosed

    with suppress(ConnectionClosed):
        while True:
            message = await waiting.get()
            text = isinstance(message, dict)
            await connection.send(json.dumps(message, allow_nan=False) if text else message)


def _page(title: str, port: int) -> str:
    """The HTML of the page, which loads nothing else."""
    from ...plots.films.page import script as film_script

    scripts = [film_script(), script("live"), START]
    return document(title or "a run", "", scripts, connect=f"'self' ws://{HERE}:{port}")
