"""A step with an event inside is taken again, so that it ends there.

Error control holds the end of a step to the tolerance. The polynomial within has an error of its own, which
may be several times as large, and which every event adds to the state again. A step that ends at the event
leaves the state of the method there. Its polynomial is exact at its ends, so the event is located near one.

Source: Shampine and Thompson, Event location for ordinary differential equations, Computers and Mathematics
with Applications 39 (2000) 43-54, doi:10.1016/S0898-1221(00)00045-6.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..layout import Memory, Work
from ..methods.data import Data
from ..methods.tableau import Tableau

DOUBTFUL = 1e-3
"""An error of a step, in tolerances, from which its polynomial is in doubt where the errors of both shrink
with the same power of the step. That of the polynomial may be ten times as large, and hundreds of events add
theirs."""
BEYOND = 0.002  # of the way to the event: so much further the step goes, for the event may move a little
NEAR = 0.01  # of a step: so near to an end its polynomial is good


def log_doubtful_error(data: Data) -> float:
    """The logarithm of the error of a step, in tolerances, from which its polynomial is in doubt."""
    if not isinstance(data, Tableau) or not data.adaptive or data.dense_order + 1 > data.estimate_order:
        return float(np.inf)
    return float(np.log(DOUBTFUL)) if data.dense_order + 1 == data.estimate_order else -float(np.inf)


def note_begin(m: Memory, s: Work) -> None:
    """Note the sides of crossings where the step begins."""
    for q in range(m.g.size):
        s.side_before[q], s.shift_before[q] = s.side[q], s.shift[q]


@mark_cold
def shorten_step(m: Memory, s: Work) -> bool:
    """True if the step just taken is to be taken again, so that it ends at its event; h is set then."""
    share = (s.t_bad - s.t) / s.h_taken
    if s.h_resumed > 0.0 or not s.log_error > s.log_doubtful or not NEAR < share < 1.0 - NEAR:
        return False
    for q in range(m.g.size):
        if s.turned[q] == 1:  # a short step around an extremum is too flat to locate it
            return False
    s.h_resumed = s.h
    s.h = (1.0 + BEYOND) * (s.t_bad - s.t)
    s.rejected += 1
    for q in range(m.g.size):
        s.side[q], s.shift[q] = s.side_before[q], s.shift_before[q]
    return True
