"""Viewer: somebody who looks at a live run, and what has been sent there."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

Send: TypeAlias = "Callable[[dict[str, Any] | bytes], None]"
SECONDS, PIXELS = 10.0, 1000  # of a viewer's plots, until it says more


class Viewer:
    """Somebody who looks at the run: what has been sent, and how wide the plots are."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.sent = 0  # rows
        self.last = -math.inf  # time of the last sample sent
        self.events = 0
        self.number = self.answered = 0  # pictures sent, and shown
        self.pixel = SECONDS / PIXELS
        self.stale = True  # there is something to show
        self.pushed: set[str] = set()  # paths at which it holds another value
