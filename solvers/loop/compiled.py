"""The loop as machine code: compiled once, kept in the store, loaded without numba."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

from ...native.callable import Native
from ...native.fingerprint import fingerprint_of_sources
from ...native.pieces import Pieces
from ..layout import TYPES, Memory, Work
from ..methods import WRITTEN_OUT
from ..methods.method import Family, runge_kutta

BEGIN, ADVANCE = 0, 1


def native_loop(family: Family = runge_kutta) -> Native:
    """The loop over one family of steps, made once."""
    return _native_loop(family)


@cache
def _native_loop(family: Family) -> Native:
    """The loop, called with BEGIN or ADVANCE, a program's four addresses, the arrays of Memory and Work."""
    types = ("i", "i1", *(TYPES[name] for name in (*Memory._fields, *Work._fields)))
    return Native(partial(_make, family), loop_key(Path(__file__).parents[1], family), types)


def loop_key(package: Path, family: Family = runge_kutta) -> str:
    """The loop's key in the store: of every source file of the package, of what takes its steps, and of the
    tableau written into it.
    """
    return fingerprint_of_sources(package, extra=("loop", family.__name__, WRITTEN_OUT))


def _make(family: Family, pieces: Pieces) -> Any:
    from ..backend import compiled
    from ..calls import memory, work
    from .loop import build

    begin, advance = build(compiled(pieces), family)

    # fmt: off
    def loop(what, code, x, z, modes, p, w, g, hit, fired, fresh, table,  # type: ignore[no-untyped-def]
             F, I, x_new, x_trial, scratch, atol, K, G, back, side, shift, direction, passage, samples,  # noqa: E741
             nodes, watch, stop_modes, timers, timer_integers, timer_floats, A, C, E, E3, M, N, NM,
             grid, columns, log, events):
        # fmt: on
        m = memory((x, z, modes, p, w, g, hit, fired, fresh, table))
        s = work((F, I, x_new, x_trial, scratch, atol, K, G, back, side, shift, direction, passage, samples,
                  nodes, watch, stop_modes, timers, timer_integers, timer_floats, A, C, E, E3, M, N, NM,
                  grid, columns, log, events))
        if what == 0:
            return begin(code, m, s)
        return advance(code, m, s)

    return loop
