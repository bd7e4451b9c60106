"""Structured: a run is given the structure of its Jacobian when its method asks for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from ...native.tangent.code import LANES
from ..fields import Floats
from ..linear_algebra.structure import SLIGHT, Along, dependencies, directions, structure
from ..steps.coloured import NUDGE
from .run import Run

_TANGENT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *[ctypes.c_void_p] * 7)


def give_structure(run: Run, derivative: Callable[..., int]) -> None:
    """Find the structure at the present state, and add it to the structure found before.

    `derivative(code, t, x, dx, memory)` is the program's.
    """
    s, n = run.work, run.problem.states
    exact = run.shadows is not None and not len(s.cuts)
    rows, columns = dependencies(by_tangents(run) if exact else by_differences(run, derivative), n)
    before = s.rows_of.size if s.structures else 0
    if before:
        rows = np.concatenate([rows, s.rows_of])
        columns = np.concatenate([columns, np.repeat(np.arange(n), np.diff(s.columns_at))])
        columns, rows = np.divmod(np.unique(columns * n + rows), n)
    found = structure(rows, columns, n)
    for name, array in found._asdict().items():
        s.put(name, array)
    for name, size in (("entries", rows.size), ("lower", found.lower_rows.size)):
        s.put(name, np.zeros(size))
    s.put("upper", np.zeros(found.upper_rows.size))
    s.put("number", directions(n))
    for name in ("diagonal", "column", "probe"):
        s.put(name, np.zeros(n))
    for name, size in (("lower_pair", found.lower_rows.size), ("upper_pair", found.upper_rows.size)):
        s.put(name, np.zeros((2, size)))
    for name in ("diagonal_pair", "column_pair"):
        s.put(name, np.zeros((2, n)))
    s.structured = 2 if rows.size == before else 1
    s.structures += 1
    s.c_factored = 0.0


def by_tangents(run: Run) -> Along:
    """Exact derivatives of the slopes along directions, from the program's tangent."""
    assert run.differentiated is not None
    assert run.shadows is not None
    s, m, n, shadows = run.work, run.memory, run.problem.states, run.shadows
    tangent = _TANGENT(int(run.differentiated.code[-1]))

    def along(ways: Floats) -> Floats:
        changes = np.empty(ways.shape)
        for first in range(0, ways.shape[1], LANES):
            part = ways[:, first : first + LANES]
            s.states_d[:n] = 0.0
            s.states_d[:n, : part.shape[1]] = part
            tangent(
                s.t, s.time_d.ctypes.data, m.x.ctypes.data, s.states_d.ctypes.data, s.scratch.ctypes.data,
                s.slopes_d.ctypes.data, m.address, shadows.address,
            )  # fmt: skip
            changes[:, first : first + LANES] = s.slopes_d[:n, : part.shape[1]]
        s.states_d[:n] = 0.0
        return changes

    return along


def by_differences(run: Run, derivative: Callable[..., int]) -> Along:
    """The change of slopes along directions, 0 if within rounding."""
    s, m = run.work, run.memory
    size = NUDGE * np.maximum(np.maximum(np.abs(m.x), np.abs(s.h * s.K[0])), s.atol)

    def along(ways: Floats) -> Floats:
        changes = np.empty(ways.shape)
        for k, way in enumerate(ways.T):
            derivative(None, s.t, m.x + size * way, s.scratch, m)
            change = s.scratch - s.K[0]
            changes[:, k] = np.where(np.abs(change) <= SLIGHT * np.abs(s.K[0]), 0.0, change)
        return changes

    return along
