"""Measures of rows that a test makes itself, by the kernel's machine code and in Python."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from blockdyn.sweeps.measures import kernel
from blockdyn.sweeps.measures.kernel import Absorber
from blockdyn.sweeps.measures.prepared import KernelData

Floats = NDArray[np.float64]


def measured_rows(
    measures: KernelData,
    rows: Iterable[Floats],
    events: Floats | None = None,
    *,
    end: float,
    compiled: bool = True,
) -> Floats:
    """The measures (m,) of one run from its rows, in pieces (n, 2 + columns), and its events (e, 3)."""
    happened = np.zeros((0, 3)) if events is None else events
    if compiled:
        absorber = Absorber(measures)
        for piece in rows:
            absorber.take(piece, happened[:0])
        absorber.take(np.zeros((0, 2)), happened)
        return absorber.concluded(end)
    room, out = np.zeros(measures.room), np.zeros(len(measures.spec))
    kernel.clear(measures.spec, measures.numbers, room)
    for piece in rows:
        kernel.absorb(measures.spec, measures.numbers, room, piece, len(piece))
    kernel.absorb_events(measures.spec, measures.numbers, room, happened, len(happened))
    kernel.conclude(measures.spec, measures.numbers, room, end, out)
    return out
