"""Notebooks: whether we run in one, and a line below a cell that is written over; without IPython."""

from __future__ import annotations

import sys
import time

_PAUSE = 0.2  # s between two lines: a browser draws no faster


def in_notebook() -> bool:
    """Whether what is written goes below the cell of a notebook."""
    return type(sys.stdout).__module__.partition(".")[0] == "ipykernel"


class Line:
    """Progress in words, in one line; `\\r` goes back to its beginning, which every notebook follows."""

    def __init__(self) -> None:
        self._length = 0
        self._next = 0.0

    def show(self, text: str) -> None:
        """Write the text over the last one, unless that is hardly older."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        sys.stdout.write("\r" + text.ljust(self._length))
        sys.stdout.flush()
        self._length = len(text)

    def close(self) -> None:
        """Leave the line empty."""
        if self._length:
            sys.stdout.write("\r" + " " * self._length + "\r")
            sys.stdout.flush()
