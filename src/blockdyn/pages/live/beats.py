"""Beats: sixty times a second, how much time has passed."""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import AsyncIterator

PICTURES = 60  # a second


async def beats() -> AsyncIterator[float]:
    """The seconds since the beat before. A late beat does not put off those that follow; missed ones are not
    made up for.
    """
    before = due = clock.perf_counter()
    while True:
        now = clock.perf_counter()
        yield now - before
        before = now
        due = max(due + 1.0 / PICTURES, now)
        await asyncio.sleep(due - clock.perf_counter())
