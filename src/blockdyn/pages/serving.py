"""A page is served on this machine alone, with a socket for each browser that shows it."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..base.errors import BlockdynError
from ..base.extras import remedy
from ..diagrams.runs.interruption import postpone_signals

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

HERE = "127.0.0.1"
LARGEST = 1 << 20  # bytes of a browser's message
WAITING = 2000  # messages that a browser may be late before its connection is given up
Send: TypeAlias = "Callable[[dict[str, Any] | bytes], None]"


class LiveError(BlockdynError):
    """A live run, the studio, their page or their server that cannot be as requested."""

    def __init__(self, problem: str, expected: str) -> None:
        self.problem, self.expected = problem, expected
        super().__init__(f"{problem}\nexpected: {expected}")


class Audience(Protocol):
    """Those who look: `join` returns a new one, from whom messages come until `leave`."""

    def join(self, send: Send) -> Any:
        """Somebody has opened a socket, to whom `send` sends."""

    def heard(self, viewer: Any, message: Any) -> None:
        """A message of a viewer; None for a text that is not JSON."""

    def leave(self, viewer: Any) -> None:
        """Somebody has closed the socket."""


class LocalServer:
    """Serves one page and its sockets.

    Only this machine can reach it, and only with the token in its `url`; requests under another host
    name (DNS rebinding) and sockets from pages of others are refused. Raises LiveError without the extra
    `live`.
    """

    def __init__(
        self, audience: Audience, *, port: int = 0, opened: Callable[[str], None] | None = None,
        largest: int = LARGEST,
    ) -> None:  # fmt: skip
        missing = remedy("websockets")
        if missing:
            raise LiveError("a page that changes while you look needs the package websockets", missing)
        self.url = ""
        self._audience, self._port, self._opened, self._largest = audience, port, opened, largest
        self._token = secrets.token_urlsafe(24)
        self._content = b""

    def run(
        self,
        page: Callable[[int], str],
        work: Callable[[Sequence[int]], Awaitable[None]],
        farewell: Callable[[], None],
    ) -> None:
        """Serve the page of a port as long as `work`, which gets the signals that came, then say farewell.

        Raises KeyboardInterrupt after SIGINT.
        """
        with (
            postpone_signals() as came
        ):  # an exception of a signal inside asyncio or a socket would tear them
            asyncio.run(self._serve(page, lambda: work(came), farewell))

    async def _serve(
        self, page: Callable[[int], str], work: Callable[[], Awaitable[None]], farewell: Callable[[], None]
    ) -> None:
        from websockets.asyncio.server import serve

        try:
            server = await serve(
                self._connected, HERE, self._port, process_request=self._answer, compression=None,
                max_size=self._largest, server_header=None,
            )  # fmt: skip
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            raise LiveError(
                f"port {self._port} on {HERE}: {why}", "another --port, or none for a free one"
            ) from None
        self._port = server.sockets[0].getsockname()[1]
        self.url = f"http://{HERE}:{self._port}/{self._token}/"
        self._content = page(self._port).encode("utf-8")
        if self._opened is not None:
            self._opened(self.url)
        try:
            await work()
        finally:
            farewell()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.05)  # for messages on their way
            server.close()
            with suppress(asyncio.CancelledError):
                await server.wait_closed()

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
        return self._response(connection, HTTPStatus.OK, self._content, "text/html; charset=utf-8")

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

        viewer = self._audience.join(send)
        sending = asyncio.create_task(_sent(connection, waiting))
        try:
            async for text in connection:
                self._audience.heard(viewer, _message(text))
        except ConnectionClosed:
            pass
        finally:
            sending.cancel()
            self._audience.leave(viewer)


def _message(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def _sent(connection: ServerConnection, waiting: asyncio.Queue[Any]) -> None:
    """Send waiting messages, in order, as fast as they are taken."""
    from websockets.exceptions import ConnectionClosed

    with suppress(ConnectionClosed):
        while True:
            message = await waiting.get()
            text = isinstance(message, dict)
            await connection.send(json.dumps(message, allow_nan=False) if text else message)
