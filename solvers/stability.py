"""Stability: whether steps are as short as the method's stability, not the error, demands.

The size of the Jacobian along the solution is that of the difference of two slopes at the end of a step,
over the difference of the states they belong to: E. Hairer and G. Wanner, Solving Ordinary Differential
Equations II (1996), section IV.2, and their codes DOPRI5 and DOP853.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import layout
from .tableau import Tableau

EVERY = 256  # steps from one look to the next
NEAR = 0.8  # of the stable length: step-size control goes to and fro below it
LEAST = 20  # looks before something is said


def stable_length(tableau: Tableau) -> float:
    """h times the size of the Jacobian from which stability limits the step, or infinity: not to be told.

    The look takes a method with an error estimate, and two stages at the end of its step.
    """
    looked_at = tableau.adaptive and tableau.c[-2] == 1
    return NEAR * tableau.stability if looked_at else float(np.inf)


def make_look(jit: Callable[[Any], Any]) -> Any:
    @jit
    def look(m: Any, s: Any, h: float) -> None:
        """Look at the step just taken; x_trial holds the state of its last stage but one."""
        last = s.I[layout.STAGES] - 1
        slopes = 0.0
        states = 0.0
        for i in range(m.x.size):
            slopes += (s.K[last, i] - s.K[last - 1, i]) ** 2
            states += (s.x_new[i] - s.x_trial[i]) ** 2
        s.I[layout.LOOKED] += 1
        if abs(h) * np.sqrt(slopes) > s.F[layout.STABLE] * np.sqrt(states):
            s.I[layout.LIMITED] += 1

    return look


def limited(counters: Any) -> bool:
    """Whether stability limited most steps of a run, by its counters."""
    looked = int(counters[layout.LOOKED])
    return looked >= LEAST and 2 * int(counters[layout.LIMITED]) > looked
