"""The studio is served on this machine, or shown below the cell of a notebook."""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..base.extras import remedy
from ..diagrams.model.diagram import Diagram
from ..diagrams.yaml import loads
from ..drawing.elk import open_engine
from ..drawing.svg import style_sheet
from .document import document, script, style, widget
from .live.host import PICTURES, beats
from .serving import HERE, LiveError, LocalServer
from .studio import Studio

START = 'blockdynStudio.start(document.querySelector("main"));'
LARGEST = 8 << 20  # bytes of a message: a text with its head
GLANCE = 0.5  # s between two looks at the file
IDLE = 0.05  # s between two beats without a live run
LONGEST = 0.25  # s of the clock that pass for a live run while the kernel is busy with a cell


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


# ---- in a notebook ----


def studio_widget(studio: Studio, folder: Path) -> Any:
    """Widget that shows a studio, an anywidget; files that the diagram names are in `folder`.

    Raises LiveError without anywidget.
    """
    missing = remedy("anywidget")
    if missing:
        raise LiveError("the studio in a notebook needs the package anywidget", missing)
    open_engine()
    return _kind()(studio, folder)


@cache
def _kind() -> Any:
    """The widget's class, made where anywidget is."""
    import anywidget

    class StudioWidget(anywidget.AnyWidget):
        """The studio of a diagram below a cell: `diagram` and `text` are as edited up to now."""

        _esm = widget("studio")
        _css = style() + studio_style()

        def __init__(self, studio: Studio, folder: Path) -> None:
            super().__init__()
            self.studio, self._folder = studio, folder
            self._browser = studio.join(self._say)
            self._going: Any = None
            self.on_msg(self._heard)

        @property
        def text(self) -> str:
            """The YAML as it is now."""
            return self.studio.draft.text

        @property
        def diagram(self) -> Diagram:
            """The diagram as it is now. Raises the errors of `blockdyn.loads`."""
            return loads(self.text, folder=self._folder, trust=self.studio.trust)

        def _say(self, message: dict[str, Any] | bytes) -> None:
            if isinstance(message, bytes):
                self.send({"type": "binary"}, [message])
            else:
                self.send(message)

        def _heard(self, _widget: object, message: object, _buffers: object) -> None:
            loop = asyncio.get_running_loop()
            self.studio.post = loop.call_soon_threadsafe
            self.studio.heard(self._browser, message)
            if self.studio.tick(0.0) and (self._going is None or self._going.done()):
                self._going = loop.create_task(self._go_on())

        async def _go_on(self) -> None:
            """Pictures as long as a live run goes."""
            async for passed in beats():
                if not self.studio.tick(min(passed, LONGEST)):
                    break

    return StudioWidget
