"""The page of a live run receives a description of its state as the first message (front/)."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import cached_property
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...solvers import layout
from .controls import controls, values_now
from .poses import Poses
from .run import LiveRun
from .shown import shown

VERSION = 1
MOST_DRAWN = 150  # blocks: more cannot be read, and take seconds
MOST_TOUCHED = 200  # touches that a page lists: the latest


class Description:
    """Description of a live run for a page: fixed facts, made once, and the present state."""

    def __init__(self, live: LiveRun) -> None:
        self._live = live
        self.shown, self.poses, self._controls = shown(live), Poses(live), controls(live)

    def hello(self, state: dict[str, Any]) -> dict[str, Any]:
        """The first message."""
        live = self._live
        return {
            "type": "hello", "version": VERSION, "title": live.program.flat.name or "a run",
            "start": live.start, "stop": live.stop, "series": self.shown.series,
            "scopes": self.shown.scopes, "controls": [asdict(c) for c in self._controls],
            "scene": self.poses.scene, "drawable": self._few, "lacking": remedy("py_mini_racer"),
            "state": state, "events": [],
        }  # fmt: skip

    @property
    def _few(self) -> bool:
        """True if the drawn diagram can be read."""
        return len(self._live.program.source.blocks) <= MOST_DRAWN

    @cached_property
    def drawing(self) -> str | None:
        """The drawn diagram; none where it cannot be drawn here, or is too large to be read."""
        if remedy("py_mini_racer") or not self._few:
            return None
        try:
            return str(self._live.program.source.draw().svg)
        except BlockdynError:
            return None

    def values(self) -> dict[str, float]:
        """The values of all controls now."""
        return values_now(self._live, self._controls)

    def state(self, *, playing: bool, behind: bool, viewers: int, ended: bool) -> dict[str, Any]:
        """The present state, without samples."""
        live = self._live
        latest = live.timeline.touches[-MOST_TOUCHED:]
        touched = [[touch.at, path, _plain(v)] for touch, _ in latest for path, v in touch.set.items()]
        values = {path: _plain(value) for path, value in self.values().items()}
        return {
            "type": "state", "playing": playing, "pace": None if math.isinf(live.pace) else live.pace,
            "behind": behind, "time": live.time, "computed": live.computed, "viewers": viewers,
            "status": "ended" if ended else self.status(),
            "message": live.timeline.end.message if live.at_end else "",
            "touched": touched[-MOST_TOUCHED:], "values": values,
        }  # fmt: skip

    def status(self) -> str:
        """The end of the run, or that it continues."""
        live = self._live
        if not live.at_end:
            return "running"
        if live.error is not None:
            return "failed"
        return "complete" if live.timeline.end.status == layout.DONE else "stopped"


def _plain(value: object) -> float | str:
    """A number that JSON has, else its text: a list, an expression, an infinity."""
    if isinstance(value, (str, dict)):
        return str(value)
    number = np.asarray(value).tolist()
    return number if isinstance(number, (int, float)) and math.isfinite(number) else str(number)
