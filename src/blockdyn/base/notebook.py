"""Notebooks: whether we run in one, and a line below a cell that is replaced, and leaves; without IPython."""

from __future__ import annotations

import sys
import time
from typing import Any
from uuid import uuid4

_KERNEL = "ipykernel.zmqshell"
_PAUSE = 0.2  # s between two lines: a browser draws no faster


def in_notebook() -> bool:
    """Whether what is written goes below the cell of a notebook."""
    return type(sys.stdout).__module__.partition(".")[0] == "ipykernel" and _KERNEL in sys.modules


class Line:
    """Progress in words, in one line: an output that is updated, and of which a kept notebook has nothing."""

    def __init__(self) -> None:
        self._id = uuid4().hex
        self._shown = False
        self._next = 0.0

    def show(self, text: str) -> None:
        """Show the text instead of the last one, unless that is hardly older."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        self._put(text)

    def close(self) -> None:
        """Leave nothing in the line."""
        if self._shown:
            self._put("")

    def _put(self, text: str) -> None:
        _publisher().publish(
            data={"text/plain": text}, metadata={}, transient={"display_id": self._id}, update=self._shown
        )
        self._shown = True


def _publisher() -> Any:
    """What sends outputs to the notebook."""
    return sys.modules[_KERNEL].ZMQInteractiveShell.instance().display_pub
