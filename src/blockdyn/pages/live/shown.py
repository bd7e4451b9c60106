"""Selection of the signals of a live run that are drawn, their plots, and their places in a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...diagrams.results.result import Result
from ...diagrams.results.trace import Trace
from ...diagrams.runs.logged import FIRST, state_columns
from ...solvers import layout
from ...solvers.layout import Floats, Integers
from ..finished.scopes import scopes
from .moment import Moment
from .run import LiveRun

MOST_LINES = 48  # of a scope: a page receives all of them sixty times a second


def places(live: LiveRun, result: Result) -> dict[str, int]:
    """The column of a row in which each signal, state, and element of one begins, by path and name."""
    states = state_columns(live.program) if live.settings.log_states else []
    first = FIRST + (live.program.plan.states if live.settings.log_states else 0)
    starts = [(column.heading.path, FIRST + column.start) for column in states]
    starts += [(column.name, first + column.start) for column in live.columns.signals]
    columns: dict[str, int] = {}
    for path, start in starts:
        trace = result.trace(path)
        for names in (trace.names, trace.columns):
            columns |= {name: start + i for i, name in enumerate(names)}
        columns[path] = start
    return columns


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
