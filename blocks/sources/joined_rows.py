"""JoinedRows: signals sampled at different instants, as one table over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..contract.parameter import Array
from .table_source import Rows


def joined_rows(tables: Sequence[Rows], held: Sequence[bool]) -> Rows:
    """One table with a column for each signal, and two rows at each jump.

    Between its own rows a column is linear, or constant if it is `held`.
    """
    instants = np.unique(np.concatenate([table.times for table in tables]))
    sides = [_sides(table, of, instants) for table, of in zip(tables, held, strict=True)]
    before, after = (np.column_stack(side) for side in zip(*sides, strict=True))
    count = 1 + np.any(before != after, axis=1)
    first = np.cumsum(count) - count
    values = np.repeat(after, count, axis=0)
    values[first] = before
    return Rows(np.repeat(instants, count), values)


def _sides(table: Rows, held: bool, instants: Array) -> tuple[Array, Array]:
    """The limits of a column from the left and from the right."""
    times, values = table
    first, last = np.searchsorted(times, instants), np.searchsorted(times, instants, side="right") - 1
    there = (times[np.maximum(last, 0)] == instants) & (last >= 0)
    between = values[np.clip(last, 0, None)] if held else np.interp(instants, times, values)
    alone = there & (first == last)
    before = np.where(there, values[np.minimum(first, times.size - 1)], between)
    if held:
        before = np.where(alone, values[np.maximum(first - 1, 0)], before)
    return before, np.where(there, values[np.maximum(last, 0)], between)
