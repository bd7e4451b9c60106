"""D* Lite updates the shortest path to a goal while the vehicle moves and cells change."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from ..calls.kernel import machine_code
from .arguments import Array, in_slices, refusal
from .grid_planners import SLICE, Plan, Searched, no_path, place, plan_of_cells
from .grid_search import FAR, MORE, NONE, Index, cost_of_move, frame_map, octile, put_cell, take
from .occupancy_map import OccupancyMap, listed_cells


def mend_cell(
    blocked: NDArray[np.bool_], offsets: Index, width: int, cell: int, goal: int, start: int, bias: int,
    g: Index, rhs: Index, queue: Index, place: Index, keys: Index,
) -> None:  # fmt: skip
    """UpdateVertex: the cost of a cell by its neighbours; a cell is in the queue if its own cost differs."""
    if cell != goal:
        best = FAR
        if not blocked[cell]:
            for k in range(8):
                step = cost_of_move(blocked, offsets, cell, k)
                if step < FAR:
                    best = min(best, step + g[cell + offsets[k]])
        rhs[cell] = min(best, FAR)
    if g[cell] != rhs[cell]:
        least = min(g[cell], rhs[cell])
        put_cell(queue, place, keys, cell, least + octile(start, cell, width) + bias, least)
    elif place[cell]:
        take(queue, place, keys, cell)


def mend_path(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, start: int, bias: int, most: int,
    g: Index, rhs: Index, queue: Index, place: Index, keys: Index, expanded: Index,
) -> int:  # fmt: skip
    """ComputeShortestPath for up to `most` cells: MORE remain, or NONE are necessary for the path."""
    for _ in range(most):
        if queue[0] == 0:
            return NONE
        cell = queue[1]
        least = min(g[start], rhs[start])
        old, second = keys[cell, 0], keys[cell, 1]
        behind = old > least + bias or (old == least + bias and second >= least)
        if behind and rhs[start] == g[start]:
            return NONE
        now = min(g[cell], rhs[cell])
        ahead = now + octile(start, cell, width) + bias
        if old < ahead or (old == ahead and second < now):
            put_cell(queue, place, keys, cell, ahead, now)
            continue
        expanded[0] += 1
        if g[cell] > rhs[cell]:
            g[cell] = rhs[cell]
            take(queue, place, keys, cell)
        else:
            g[cell] = FAR
            mend_cell(blocked, offsets, width, cell, goal, start, bias, g, rhs, queue, place, keys)
        for k in range(8):
            to = cell + offsets[k]
            if not blocked[to]:
                mend_cell(blocked, offsets, width, to, goal, start, bias, g, rhs, queue, place, keys)
    return MORE


def mend_around(
    blocked: NDArray[np.bool_], offsets: Index, width: int, goal: int, start: int, bias: int, changed: Index,
    inside: NDArray[np.bool_], g: Index, rhs: Index, queue: Index, place: Index, keys: Index,
) -> int:  # fmt: skip
    """Apply UpdateVertex to changed cells and to their neighbours, whose moves they affect.

    `inside` leaves the frame out.
    """
    for i in range(changed.shape[0]):
        cell = changed[i]
        mend_cell(blocked, offsets, width, cell, goal, start, bias, g, rhs, queue, place, keys)
        for k in range(8):
            to = cell + offsets[k]
            if inside[to]:
                mend_cell(blocked, offsets, width, to, goal, start, bias, g, rhs, queue, place, keys)
    return 0


class DStarLite:
    """A planner that repeats only the part of its search that a change of the map affects.

    `plan(start)` gives the shortest path to the goal, with the moves and costs of `astar`. `change(cells)`
    makes cells occupied or free; the next plan repairs only the affected part. `searched` of a plan counts
    the cells that this plan expanded. Do not share it between threads. Raises PlanningError for a goal that
    is not free.

    Source: Koenig, Likhachev, D* Lite, AAAI 2002, 476-483, figure 3, with a queue that removes
    cells.
    """

    @checked_numbers(refusal)
    def __init__(self, map: OccupancyMap, goal: ArrayLike) -> None:
        self._map = map
        self._goal = place(map, "goal", goal)
        self._cells = cells = frame_map(map.occupied)
        size, self._last = cells.blocked.size, int(cells.number(map.cell(self._goal)))
        self._free_at_first = size - int(np.count_nonzero(cells.blocked))
        self._g, self._rhs = np.full(size, FAR), np.full(size, FAR)
        self._heap = np.empty(size + 1, np.int64), np.zeros(size, np.int64), np.empty((size, 2), np.int64)
        self._inside = ~frame_map(np.zeros_like(map.occupied)).blocked
        self._expanded = np.zeros(1, np.int64)
        self._start, self._bias = -1, 0
        self._heap[0][0] = self._rhs[self._last] = 0
        self._pending = np.array([self._last])

    @property
    def map(self) -> OccupancyMap:
        """The map with the changes so far."""
        return self._map

    def __repr__(self) -> str:
        x, y = self.goal
        return f"<DStarLite to ({x:.4g}, {y:.4g}) on {self.map.shape[0]} by {self.map.shape[1]} cells>"

    @property
    def goal(self) -> Array:
        """The goal (2,), m."""
        return self._goal.copy()

    @checked_numbers(refusal)
    def change(self, cells: ArrayLike, occupied: bool = True) -> None:
        """Make cells (row, column), or (n, 2), occupied or free. Raises PlanningError."""
        self._map = self._map.changed(cells, occupied)
        places = self._cells.number(listed_cells(self._map, cells))
        different = np.unique(places[self._cells.blocked[places] != occupied])
        self._cells.blocked[different] = occupied
        self._pending = np.union1d(self._pending, different)

    @checked_numbers(refusal)
    def plan(self, start: ArrayLike) -> Plan:
        """The shortest path from a point (2,), m, on the present map.

        Raises PlanningError for a start that is not free, and if no path exists.
        """
        begun, before = perf_counter(), int(self._expanded[0])
        a = place(self._map, "start", start)
        first = int(self._cells.number(self._map.cell(a)))
        self._move_to(first)
        self._mend()
        expanded = int(self._expanded[0]) - before
        if self._rhs[first] >= FAR:
            raise no_path(a, self._goal, expanded)
        numbers = self._downhill(first)
        return plan_of_cells(
            self._map, a, self._goal, self._cells, numbers, Searched(expanded, perf_counter() - begun)
        )

    def _move_to(self, first: int) -> None:
        """Keys in the queue stay lower bounds: later keys have the distance moved added."""
        if self._start >= 0:
            self._bias += octile(self._start, first, self._cells.width)
        self._start = first

    def _mend(self) -> None:
        blocked, width = self._cells
        ends = blocked, self._cells.offsets, width, self._last, self._start, self._bias
        values = self._g, self._rhs, *self._heap
        native_around()(*ends, self._pending, self._inside, *values)
        self._pending = np.empty(0, np.int64)
        search, most = native_mending(), SLICE
        before = int(self._expanded[0])
        in_slices(
            "D* Lite", self._free_at_first, "cells",
            lambda: search(*ends, most, *values, self._expanded),
            lambda: int(self._expanded[0]) - before,
        )  # fmt: skip

    def _downhill(self, cell: int) -> list[int]:
        """Cells to the goal; each move goes to the neighbour with the least total cost."""
        blocked, offsets = self._cells.blocked, self._cells.offsets
        numbers = [cell]
        while cell != self._last:
            steps = [cost_of_move(blocked, offsets, cell, k) for k in range(8)]
            around = [step + int(self._g[cell + offset]) for step, offset in zip(steps, offsets.tolist())]
            cell += int(offsets[int(np.argmin(around))])
            numbers.append(cell)
        return numbers


def native_around() -> Any:
    """The update of cells around changed cells as machine code."""
    return machine_code(
        mend_around, ("b1", "i1", "i", "i", "i", "i", "i1", "b1", "i1", "i1", "i1", "i1", "i2")
    )


def native_mending() -> Any:
    """The search as machine code."""
    return machine_code(mend_path, ("b1", "i1", "i", "i", "i", "i", "i", "i1", "i1", "i1", "i1", "i2", "i1"))
