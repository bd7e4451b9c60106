"""A first run that waits for the compiler prints one line to explain the delay."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext

from ...base.progress import in_notebook
from ...native.compiling import on_compile

LOOP = ".loop"  # ending of the solver loop's name
PATIENCE = 1.0  # s of compiling without a message

Say = Callable[[str], None]


class _Listener:
    """Called at every compilation: writes the line when they take long."""

    def __init__(self) -> None:
        self.say: Say | None = None
        self.meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext
        self.began: float | None = None
        self.said = False
        self.stack = ExitStack()

    def __call__(self, function: str) -> None:
        if self.say is None:
            return
        now = time.perf_counter()
        if self.began is None:
            self.began = now
            self.stack.enter_context(self.meanwhile())
        if self.said:
            return
        if function.endswith(LOOP):
            self.said = True
            self.say("compiling the solver and the blocks (once, some 20 s) ...")
        elif now - self.began > PATIENCE:
            self.said = True
            self.say("compiling the blocks (once) ...")

    def end(self, *, well: bool) -> None:
        self.stack.close()
        if self.said and self.say is not None and self.began is not None:
            self.say(f" done in {time.perf_counter() - self.began:.0f} s\n" if well else "\n")
        self.say, self.began, self.said = None, None, False


_listener: _Listener | None = None


@contextmanager
def waiting(
    say: Say | None, meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext
) -> Iterator[None]:
    """Announce compilations in the block, if they take long, and their time; `meanwhile` runs until then."""
    global _listener
    if _listener is None:
        _listener = _Listener()
        on_compile(_listener)
    if say is None or _listener.say is not None:
        yield
        return
    well, _listener.say, _listener.meanwhile = False, say, meanwhile
    try:
        yield
        well = True
    finally:
        _listener.end(well=well)


class Compiler:
    """Active while a run waits for the compiler: announces it, and counts the time."""

    def __init__(self, shown: bool | None) -> None:
        self._say, self._spent, self._began = make_writer(shown), 0.0, 0.0

    @property
    def seconds(self) -> float:
        """Spent so far, s."""
        return self._spent + (time.perf_counter() - self._began if self._began else 0.0)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        self._began = time.perf_counter()
        try:
            with waiting(self._say):
                yield
        finally:
            self._spent, self._began = self.seconds, 0.0


def make_writer(shown: bool | None) -> Say | None:
    """Return a function that writes below a notebook's cell or on a terminal. `shown` is as for `Bar`."""
    stream = sys.stdout if in_notebook() else sys.stderr
    if shown is False or not (shown or in_notebook() or stream.isatty()):
        return None

    def say(text: str) -> None:
        stream.write(text)
        stream.flush()

    return say
