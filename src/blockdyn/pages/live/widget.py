"""The widget shows the page of a live run below the cell of a notebook."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any

from ...base.extras import remedy
from ...diagrams.model.diagram import Diagram
from ..document import style, widget
from ..serving import LiveError
from .host import Host, beats
from .run import LiveRun

if TYPE_CHECKING:
    from ...diagrams.results.result import Result

LONGEST = 0.25  # s of the clock that pass for a run while the kernel is busy with a cell


def live_widget(live: LiveRun) -> Any:
    """Widget for a live run in a notebook, an anywidget; see `Diagram.live`. Raises LiveError without it."""
    missing = remedy("anywidget")
    if missing:
        raise LiveError("a live run in a notebook needs the package anywidget", missing)
    return _kind()(live)


@cache
def _kind() -> Any:
    """The widget's class, made where anywidget is."""
    import anywidget

    class LiveWidget(anywidget.AnyWidget):
        """A visible live run: `live` is the run itself, `result()` its result."""

        _esm = widget()
        _css = style()

        def __init__(self, live: LiveRun) -> None:
            super().__init__()
            self.live = live
            self._host = Host(live)
            self._viewer = self._host.join(self._say, greet=False)
            self._going: Any = None
            self._begun = False
            self.on_msg(self._heard)

        def result(self) -> Result:
            """The run up to the time shown, as `simulate` returns it."""
            return self.live.result()

        def _say(self, message: dict[str, Any] | bytes) -> None:
            if isinstance(message, bytes):
                self.send({"type": "binary"}, [message])
            else:
                self.send(message)

        def _heard(self, _widget: object, message: object, _buffers: object) -> None:
            if not self._begun:
                self._begun = True
                self.live.playing = not self.live.at_end
            self._host.heard(self._viewer, message)
            self._host.tick(0.0)
            if self._host.ended:
                self._host.farewell("the run has ended; result() of the widget returns its result")
            if self._host.going and (self._going is None or self._going.done()):
                self._going = asyncio.get_running_loop().create_task(self._go_on())

        async def _go_on(self) -> None:
            """Pictures as long as the run goes."""
            async for passed in beats():
                if not self._host.going or self._host.ended:
                    break
                self._host.tick(min(passed, LONGEST))
            self._host.tick(0.0)

    return LiveWidget


def live(diagram: Diagram, /, *, pace: float = 1.0, **arguments: Any) -> Any:
    """A run that you watch and change below the notebook cell as it goes: see `docs/live.md`.

    `pace` and the other arguments are arguments of `LiveRun`; `result()` of the returned object is the run up
    to the time shown. Raises the errors of LiveRun, and LiveError without the extra `live`.
    """
    return live_widget(LiveRun(diagram, pace=pace, **arguments))
