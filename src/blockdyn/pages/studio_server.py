"""The studio is served on this machine, or shown below the cell of a notebook."""

from __future__ import annotations

import asyncio
import os
import time as clock
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..base.errors import BlockdynError
from ..base.extras import remedy
from ..diagrams.model.diagram import Diagram
from ..diagrams.yaml import loads
from ..drawing.elk import open_engine
from ..drawing.svg import style_sheet
from ..native.cache import folder
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


class EditorLock:
    """The right of one process of a user to edit a file, until it ends: a locked file in the user's cache.

    The lock holds the address of the editor's page, for those who come later. The system releases it when
    the process ends in any way. Without a cache, or on a system without such locks, there is none.
    Raises BlockdynError while another process has the lock.
    """

    def __init__(self, path: Path) -> None:
        self._handle: int | None = None
        place = folder()
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:
            return
        if place is None:
            return
        name = sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
        self._lock = place / f"{name}.lock"
        with suppress(OSError):
            self._handle = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        if self._handle is None:
            return
        try:
            flock(self._handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            address = os.read(self._handle, 200).decode("utf-8", "replace").strip()
            os.close(self._handle)
            page = f"its page, {address}," if address else "its page"
            raise BlockdynError(
                f"{path} is open in another studio\nexpected: {page} which more than one browser can show,"
                " or this command after that studio has ended"
            ) from None
        except OSError:
            self.release()

    def announce(self, address: str) -> None:
        """Write the address of the page into the lock."""
        if self._handle is not None:
            with suppress(OSError):
                os.ftruncate(self._handle, 0)
                os.pwrite(self._handle, address.encode("utf-8"), 0)

    def release(self) -> None:
        """Let others edit the file."""
        if self._handle is not None:
            with suppress(OSError):
                self._lock.unlink()
            os.close(self._handle)
            self._handle = None


# ---- in a notebook ----


def studio_widget(studio: Studio) -> Any:
    """Widget that shows a studio, an anywidget.

    Raises LiveError without anywidget.
    """
    missing = remedy("anywidget")
    if missing:
        raise LiveError("the studio in a notebook needs the package anywidget", missing)
    open_engine()
    return _kind()(studio)


@cache
def _kind() -> Any:
    """The widget's class, made where anywidget is."""
    import anywidget

    class StudioWidget(anywidget.AnyWidget):
        """The studio of a diagram below a cell: `diagram` and `text` are as edited up to now."""

        _esm = widget("studio")
        _css = style() + studio_style()

        def __init__(self, studio: Studio) -> None:
            super().__init__()
            self.studio = studio
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
            return loads(self.text, folder=self.studio.folder, trust=self.studio.trust)

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
