"""The page of a live run receives a description of its state as the first message (front/)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...base.extras import remedy
from ...diagrams.results.trace import Trace
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ..finished.scopes import scopes
from .controls import controls, values_now
from .moment import Moment
from .poses import Poses, places
from .run import LiveRun

VERSION = 1
MOST_DRAWN = 150  # blocks: more cannot be read, and take seconds
MOST_LINES = 48  # of a scope: a page receives all of them sixty times a second
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


# ---- the signals that are drawn ----


class _Lines:
    """Takes the place of the lines of a finished page: each once, with its column."""

    def __init__(self, columns: Mapping[str, int]) -> None:
        self._columns = columns
        self.series: list[dict[str, Any]] = []
        self.at: list[int] = []
        self._numbers: dict[tuple[str, int, str, str], int] = {}

    def add(self, trace: Trace, element: int, name: str, unit: str) -> int:
        """The number of the line of one element of a trace."""
        key = (trace.path, element, name, unit)
        if key not in self._numbers:
            self._numbers[key] = len(self.series)
            held = trace.kind == "discrete"
            self.series.append({"name": trace.columns[element], "label": name, "unit": unit, "held": held})
            self.at.append(self._columns[trace.path] + element)
        return self._numbers[key]


@dataclass(frozen=True)
class PageView:
    """Lines and plots as the page receives them; `columns` of a row for the lines, and the held ones."""

    series: list[dict[str, Any]]
    scopes: list[dict[str, Any]]
    columns: Integers
    held: Any

    def values(self, rows: Floats) -> Floats:
        """The lines' numbers (lines, rows); NaN where a row shows held signals alone."""
        values = rows[:, self.columns].T.copy()
        values[np.ix_(~self.held, rows[:, 1] == layout.HELD_ONLY)] = np.nan
        return values

    def at(self, moment: Moment) -> Floats:
        """The lines' numbers at a time."""
        return moment.values(self.columns, self.held)


def shown(live: LiveRun) -> PageView:
    """The scopes of the diagram; where it has none, its signals, a plot for each unit."""
    result = live.so_far()
    lines: Any = _Lines(places(live, result))
    first = [_few(scope) for scope in scopes(result, lines) if scope["first"]]
    used = list(dict.fromkeys(number for scope in first for number in scope["lines"]))
    plots = []
    for scope in first:
        members = [lines.series[number] for number in scope["lines"]]
        units = {line["unit"] for line in members}
        plots.append(
            {
                "title": scope["title"],
                "form": scope["form"],
                "unit": units.pop() if len(units) == 1 else "",
                "series": [used.index(number) for number in scope["lines"]],
                "labels": [line["label"] for line in members],
            }
        )
    series = [lines.series[number] for number in used]
    columns = np.array([lines.at[number] for number in used], np.int64)
    return PageView(series, plots, columns, np.array([line["held"] for line in series], bool))


def _few(scope: dict[str, Any]) -> dict[str, Any]:
    """The scope with as many lines as can be looked at; an XY scope needs all of its own."""
    lines = scope["lines"]
    if len(lines) <= MOST_LINES or scope["form"] == "xy":
        return scope
    return scope | {"title": f"{scope['title']}, {MOST_LINES} of {len(lines)}", "lines": lines[:MOST_LINES]}
