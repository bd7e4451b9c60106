"""Compiling: the one line that says what a first run waits for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from ..native.compiling import on_compile
from .console import note
from .interrupts import unheard

_LOOP = ".loop"  # how the name of the solver loop ends
PATIENCE = 1.0  # s of compiling without a word


class _Listener:
    """Hears of every compilation, and writes the line when they take long."""

    def __init__(self) -> None:
        self.listens = False
        self.began: float | None = None
        self.said = False
        self.stack = ExitStack()

    def __call__(self, function: str) -> None:
        if not self.listens:
            return
        now = time.perf_counter()
        if self.began is None:
            self.began = now
            self.stack.enter_context(unheard())
        if not self.said and function.endswith(_LOOP):
            self._say("compiling the solver and the blocks (once, some 20 s) ...")
        elif not self.said and now - self.began > PATIENCE:
            self._say("compiling the blocks (once) ...")

    def _say(self, text: str) -> None:
        self.said = True
        note(text, end="")

    def end(self, *, well: bool) -> None:
        self.stack.close()
        if self.said and self.began is not None:
            note(f" done in {time.perf_counter() - self.began:.0f} s" if well else "")
        self.listens, self.began, self.said = False, None, False


_listener: _Listener | None = None


@contextmanager
def compiling() -> Iterator[None]:
    """Say what is compiled inside, where that takes long, and how long it took."""
    global _listener
    if _listener is None:
        _listener = _Listener()
        on_compile(_listener)
    well, _listener.listens = False, True
    try:
        yield
        well = True
    finally:
        _listener.end(well=well)
