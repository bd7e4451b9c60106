"""A sparse Jacobian takes one derivative for each colour: columns of a colour share no row.

One more derivative, along a direction of all states, tells whether the entries that are known are all.
Source: Griewank and Walther, Evaluating Derivatives (2008), section 8.1.
"""

from __future__ import annotations

from ...native.pieces import mark_cold
from ...native.tangent.code import LANES
from ..backend import Code
from ..fields import Floats
from ..layout import Memory, SparseJacobian
from ..program import derivative, tangent

NUDGE = 2.0**-26  # of a state: the root of the spacing of doubles, the best for differences to one side
EXACT = 1e-8  # of the products of a row: a derivative that differs by more has another entry
NEARLY = 1e-3  # the same, for differences of functions that curve
SLIGHT = 1e-9  # of a slope: error of algebraic loops, solved to 1e-12, over so small a nudge
SLOPE = -1  # the row of U with the slope where differences begin: nothing else is in it by then
MISSING = 1  # return value of `jacobian` if the structure lacks an entry


def complete(m: Memory, s: SparseJacobian, tolerance: float, slight: float) -> bool:
    """True if the entries give the change along the probe, which is in scratch."""
    columns_at, rows_of, entries, probe = s.columns_at, s.rows_of, s.entries, s.probe
    change, size, n = s.scratch, s.column, m.x.size
    for i in range(n):
        size[i] = slight * abs(s.U[SLOPE, i])
    for j in range(n):
        for p in range(columns_at[j], columns_at[j + 1]):
            part = entries[p] * probe[j]
            change[rows_of[p]] -= part
            size[rows_of[p]] += tolerance * abs(part)
    for i in range(n):
        if abs(change[i]) > size[i]:
            return False
    return True


def finite(s: SparseJacobian) -> bool:
    """True if all entries are finite."""
    total = 0.0
    entries = s.entries
    for p in range(entries.size):
        total += entries[p] * 0.0
    return total == 0.0


def exact(code: Code, m: Memory, s: SparseJacobian, t: float, x: Floats) -> int:
    """Entries from tangents along the colours, and along the probe."""
    columns_at, rows_of, entries, colours, probe = s.columns_at, s.rows_of, s.entries, s.colours, s.probe
    states_d, slopes_d, n = s.states_d, s.slopes_d, m.x.size
    last = 0
    for j in range(n):
        last = max(last, colours[j] + 1)
        probe[j] = s.number[j]
    for first in range(0, last + 1, LANES):
        for j in range(n):
            lane = colours[j] - first
            if 0 <= lane < LANES:
                states_d[j, lane] = 1.0
            if last - first < LANES:
                states_d[j, last - first] = probe[j]
        failed = tangent(code, t, s.time_d, x, states_d, s.scratch, slopes_d, m, s.shadows)
        for j in range(n):
            lane = colours[j] - first
            if 0 <= lane < LANES:
                states_d[j, lane] = 0.0
                for p in range(columns_at[j], columns_at[j + 1]):
                    entries[p] = slopes_d[rows_of[p], lane]
            if last - first < LANES:
                states_d[j, last - first] = 0.0
        if failed < 0:
            return int(failed)
        if last - first < LANES:
            for i in range(n):
                s.scratch[i] = slopes_d[i, last - first]
    return 0


@mark_cold
def moved(code: Code, m: Memory, s: SparseJacobian, t: float, x: Floats, slope: Floats, colour: int) -> int:
    """The change of slopes where the states of a colour, or all, are nudged, into scratch."""
    trial, colours = s.x_trial, s.colours
    for way in (1.0, -1.0):
        for j in range(m.x.size):
            size = max(abs(x[j]), abs(s.h * slope[j]), s.atol[j])
            trial[j] = x[j]
            if colour < 0 or colours[j] == colour:
                trial[j] += way * NUDGE * size * (s.number[j] if colour < 0 else 1.0)
        failed = derivative(code, t, trial, s.scratch, m)
        s.evaluations += 1
        if failed <= 0:
            break
    for i in range(m.x.size):
        s.scratch[i] = s.scratch[i] - slope[i] if failed == 0 else 0.0
    return int(min(failed, 0))


@mark_cold
def differences(code: Code, m: Memory, s: SparseJacobian, t: float, x: Floats) -> int:
    """Entries from differences to one side."""
    columns_at, rows_of, entries, colours = s.columns_at, s.rows_of, s.entries, s.colours
    slope = s.U[SLOPE]
    failed = derivative(code, t, x, slope, m)
    s.evaluations += 1
    if failed < 0:
        return int(failed)
    last = 0
    for j in range(m.x.size):
        last = max(last, colours[j] + 1)
    for c in range(last):
        failed = moved(code, m, s, t, x, slope, c)
        if failed < 0:
            return int(failed)
        for j in range(m.x.size):
            if colours[j] == c:
                for p in range(columns_at[j], columns_at[j + 1]):
                    entries[p] = s.scratch[rows_of[p]] / (s.x_trial[j] - x[j])
    failed = moved(code, m, s, t, x, slope, -1)
    for j in range(m.x.size):
        s.probe[j] = s.x_trial[j] - x[j]
    return int(failed)


def coloured_jacobian(code: Code, m: Memory, s: SparseJacobian, t: float, x: Floats) -> int:
    """The entries of the Jacobian at (t, x); 0, MISSING, or a failure."""
    s.jacobians += 1
    if s.exact == 1 and s.cuts.shape[0] == 0:
        failed = exact(code, m, s, t, x)
        if failed < 0:
            return int(failed)
        if finite(s):
            return 0 if complete(m, s, EXACT, 0.0) else MISSING
    failed = differences(code, m, s, t, x)
    if failed < 0:
        return int(failed)
    return 0 if complete(m, s, NEARLY, SLIGHT) else MISSING
