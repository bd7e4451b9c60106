"""Show progress of a long task: a bar on a terminal, a line in a notebook, elsewhere only on request."""

from __future__ import annotations

import sys
import time
from typing import Any
from uuid import uuid4

from .words import visible

_KERNEL = "ipykernel.zmqshell"
_PAUSE = 0.2  # s between two lines: a browser draws no faster


def in_notebook() -> bool:
    """True if output appears below the cell of a notebook."""
    return type(sys.stdout).__module__.partition(".")[0] == "ipykernel" and _KERNEL in sys.modules


class Line:
    """Progress in words, in one line: an updated output that is not stored in the notebook."""

    def __init__(self) -> None:
        self._id = uuid4().hex
        self._shown = False
        self._next = 0.0

    def show(self, text: str) -> None:
        """Replace the shown text, unless it was written a moment ago."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        self._put(text)

    def close(self) -> None:
        """Clear the line."""
        if self._shown:
            self._put("")

    def _put(self, text: str) -> None:
        _publisher().publish(
            data={"text/plain": text}, metadata={}, transient={"display_id": self._id}, update=self._shown
        )
        self._shown = True


def _publisher() -> Any:
    """The object that sends outputs to the notebook."""
    return sys.modules[_KERNEL].ZMQInteractiveShell.instance().display_pub


class Bar:
    """Progress bar: the part of `total` that is done, a description, and the time remaining."""

    def __init__(self, name: str, total: float, done: float = 0.0, *, shown: bool | None = None) -> None:
        """`shown`: True shows it in pipes too, False nowhere."""
        self._name, self.total = visible(name, lines=False), total
        self.done = self._first = done
        self._begun = time.monotonic()
        self._line = Line() if in_notebook() and shown is not False else None
        on_terminal = sys.stderr.isatty() if shown is None else shown
        self._progress = self._on_terminal() if self._line is None and on_terminal else None

    def _on_terminal(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(file=sys.stderr)
        progress = Progress(
            TextColumn(self._name, markup=False),
            BarColumn(), TextColumn("{task.fields[words]}", markup=False),
            TimeRemainingColumn(), console=console, transient=True,
        )  # fmt: skip
        self._task = progress.add_task(self._name, total=self.total, completed=int(self.done), words="")
        progress.start()
        return progress

    @property
    def speed(self) -> float:
        """Progress per second."""
        return (self.done - self._first) / max(time.monotonic() - self._begun, 1e-9)

    def show(self, done: float, words: str) -> None:
        """Report progress in words such as `t = 1 of 5 s`."""
        self.done = done
        if self._progress is not None:
            self._progress.update(self._task, completed=done, words=words)
        elif self._line is not None:
            left = f", {(self.total - done) / self.speed:,.0f} s left" if self.speed > 0 else ""
            self._line.show(f"{self._name}: {words}{left}")

    def close(self) -> None:
        """Clear the bar."""
        if self._progress is not None:
            self._progress.stop()
        if self._line is not None:
            self._line.close()
