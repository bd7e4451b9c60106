"""The studio is served on this machine, or shown below the cell of a notebook."""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import Callable, Sequence
from pathlib import Path

from ..drawing.elk import open_engine
from ..drawing.svg import style_sheet
from .document import document, script
from .live.host import PICTURES
from .serving import HERE, LocalServer
from .studio import Studio

START = 'blockdynStudio.start(document.querySelector("main"));'
LARGEST = 8 << 20  # bytes of a message: a text with its head
GLANCE = 0.5  # s between two looks at the file
IDLE = 0.05  # s between two beats without a live run


def studio_style() -> str:
    """The style sheet of the studio, with the rules of drawings."""
    return style_sheet() + Path(__file__).with_name("built").joinpath("studio.css").read_text("utf-8")


class StudioServer:
    """Serves a studio until KeyboardInterrupt, as LocalServer describes."""

    def __init__(self, studio: Studio, *, port: int = 0, opened: Callable[[str], None] | None = None) -> None:
        self.studio, self.ended = studio, False
        self._local = LocalServer(studio, port=port, opened=opened, largest=LARGEST)

    @property
    def url(self) -> str:
        """The address of the page; empty before it is served."""
        return self._local.url

    def run(self) -> None:
        """Serve until `ended` is set, or KeyboardInterrupt, which it raises again."""
        open_engine()
        title = self.studio.draft.path.name
        self._local.run(lambda port: _page(title, port), self._work, lambda: None)

    async def _work(self, came: Sequence[int]) -> None:
        """Look at the file now and then, as long as no signal ends it."""
        self.studio.post = asyncio.get_running_loop().call_soon_threadsafe
        self.studio.state()  # while the browser starts
        last = before = clock.perf_counter()
        while not (self.ended or came):
            now = clock.perf_counter()
            going = self.studio.tick(now - before)
            before = now
            if now - last > GLANCE:
                last = now
                self.studio.glance()
            await asyncio.sleep(max(0.0, now + (1.0 / PICTURES if going else IDLE) - clock.perf_counter()))


def _page(title: str, port: int) -> str:
    """The HTML of the page, which loads nothing else."""
    from ..plots.films.page import script as film_script

    main = f"<style>{studio_style()}</style>"
    return document(
        title, main, [film_script(), script("studio"), START], data={"socket": "socket"},
        connect=f"'self' ws://{HERE}:{port}",
    )  # fmt: skip
