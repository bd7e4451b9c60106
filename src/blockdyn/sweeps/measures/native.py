"""The kernel compiled: a run's rows and events taken in from Python, piece by piece."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...native.callable import Native
from ...native.fingerprint import fingerprint
from .kernel import absorb, absorb_events, clear, conclude

if TYPE_CHECKING:
    from .compiled import Compiled

CLEAR, ABSORB, CONCLUDE = 0, 1, 2
_TYPES = ("i", "i2", "d2", "d2", "d2", "i", "d2", "i", "d", "d1")


@cache
def native_measures() -> Native:
    """`measures(what, spec, numbers, room, rows, row count, events, event count, end, out)`."""
    return Native(lambda pieces: pieces.linked(measures), fingerprint(measures, _TYPES, "measures"), _TYPES)


def measures(what, spec, numbers, room, rows, count, events, event_count, end, out):  # type: ignore[no-untyped-def]
    """Clear the room, or take rows and events in, or conclude."""
    if what == 0:
        clear(spec, numbers, room)
    elif what == 1:
        absorb(spec, numbers, room, rows, count)
        absorb_events(spec, numbers, room, events, event_count)
    else:
        conclude(spec, numbers, room, end, out)
    return 0


class Absorber:
    """The measures of one run, taken piece by piece: rows (n, 2 + columns), events (e, 3)."""

    def __init__(self, measures: Compiled) -> None:
        self._measures, self._room = measures, np.zeros(measures.room)
        self._out = np.zeros(len(measures.spec))
        self._run(CLEAR, np.zeros((0, 2)), np.zeros((0, 3)), 0.0)

    def take(self, rows: NDArray[np.float64], events: NDArray[np.float64]) -> None:
        """The rows and events that came next."""
        self._run(ABSORB, rows, events, 0.0)

    def concluded(self, end: float) -> NDArray[np.float64]:
        """The measures (m,) of the run, which ended at the time `end`, s."""
        self._run(CONCLUDE, np.zeros((0, 2)), np.zeros((0, 3)), end)
        return self._out.copy()

    def _run(self, what: int, rows: NDArray[np.float64], events: NDArray[np.float64], end: float) -> None:
        spec, numbers = self._measures.spec, self._measures.numbers
        native_measures()(
            what, spec, numbers, self._room, rows, len(rows), events, len(events), end, self._out
        )
