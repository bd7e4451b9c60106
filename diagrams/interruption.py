"""Interruption: SIGINT and SIGTERM at moments when a file can be closed properly."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def postponed() -> Iterator[None]:
    """Signals that arrive in the block are delivered when it has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    known = {number: handler for number, handler in before.items() if handler is not None}
    for number in known:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in known.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


@contextmanager
def terminable(*, ends: bool) -> Iterator[None]:
    """SIGTERM in the block is a KeyboardInterrupt; where it `ends`, the process ends with the block.

    Only where the process has no handler of its own, and in the main thread.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    came: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if came and ends:
            signal.raise_signal(signal.SIGTERM)
