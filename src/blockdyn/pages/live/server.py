"""The server offers a live run's page on this machine alone, with a socket for each viewer."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from ..document import document, script
from ..serving import HERE, LocalServer, Send
from .host import Host, Viewer, beats
from .run import LiveRun

GRACE = 2.0  # s in which a page that is loaded again comes back
START = 'blockdynLive.start(document.querySelector("main"));'
WhenClosed: TypeAlias = Literal["go", "pause", "end"]


class Server:
    """Serves one live run until a viewer ends it.

    Only this machine can reach it, as LocalServer describes. `when_closed` is the action when no viewer looks
    any more: the run continues, pauses, or ends. Raises LiveError without the extra `live`.
    """

    def __init__(
        self, live: LiveRun, *, port: int = 0, when_closed: WhenClosed = "go",
        opened: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self._local = LocalServer(self, port=port, opened=opened)
        self.host = Host(live)
        self._when_closed = when_closed
        self._left = 0.0  # when the last viewer left
        self._waits = True  # for a viewer

    @property
    def url(self) -> str:
        """The address of the page; empty before it is served."""
        return self._local.url

    def run(self) -> None:
        """Serve until a viewer ends the run, or KeyboardInterrupt, which it raises again."""
        title = self.host.live.program.flat.name
        self._local.run(
            lambda port: _page(title, port), self._go_on, lambda: self.host.farewell("the run has ended")
        )

    async def _go_on(self, came: Sequence[int]) -> None:
        """A picture a beat, as long as neither a viewer nor a signal ends it."""
        async for passed in beats():
            if self.host.ended or came:
                break
            self.host.tick(passed)
            self._look_after(clock.perf_counter())

    def _look_after(self, now: float) -> None:
        """Take the action for the case that no viewer is left."""
        if self.host.viewers or not self._left or now - self._left < GRACE:
            return
        self._left = 0.0
        if self._when_closed == "end":
            self.host.ended = True
        elif self._when_closed == "pause":
            self._waits = self.host.live.playing
            self.host.live.playing = False

    # ---- its audience ----

    def join(self, send: Send) -> Viewer:
        """Somebody looks; a run that waited for that goes."""
        viewer = self.host.join(send)
        if self._waits:
            self.host.live.playing = not self.host.live.at_end
        self._left, self._waits = 0.0, False
        return viewer

    def heard(self, viewer: Viewer, message: Any) -> None:
        """Handle a viewer's message."""
        self.host.heard(viewer, message)

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer, and note the time."""
        self.host.leave(viewer)
        self._left = clock.perf_counter()


def _page(title: str, port: int) -> str:
    """The HTML of the page, which loads nothing else."""
    from ...plots.films.page import script as film_script

    scripts = [film_script(), script("live"), START]
    return document(title or "a run", "", scripts, connect=f"'self' ws://{HERE}:{port}")
