"""The loop as machine code: compiled once, kept in the store, loaded without numba."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ...native.callable import Native
from ...native.fingerprint import fingerprint_of_sources
from ...native.pieces import Pieces
from ..layout import TYPES, Memory, Work
from ..methods import DEFAULT, METHODS

BEGIN, ADVANCE = 0, 1


@cache
def native_loop() -> Native:
    """The loop, called with BEGIN or ADVANCE, a program's four addresses, the arrays of Memory and Work."""
    types = ("i", "i1", *(TYPES[name] for name in (*Memory._fields, *Work._fields)))
    return Native(_make, loop_key(Path(__file__).parents[1]), types)


def loop_key(package: Path) -> str:
    """The loop's key in the store: of every source file of the package, and the method written into it."""
    return fingerprint_of_sources(package, extra=("loop", DEFAULT, METHODS[DEFAULT]))


def _make(pieces: Pieces) -> Any:
    from ..backend import compiled
    from ..calls import memory, work
    from .loop import build

    begin, advance = build(compiled(pieces))

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
