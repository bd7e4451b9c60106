"""The span of a run: where it ends when only times are given, and starts at which no clock can tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.annotations import of_truth, real_array
from ...solvers.events.timer import shortest_period
from ..compiler.program import Program
from ..model.argument_errors import RunArgumentError


def last_time(times: Any) -> float:
    """Where a run ends that is told nothing but the times of its rows."""
    try:
        last = float(real_array(times).ravel()[-1])
    except (TypeError, ValueError, IndexError, OverflowError):
        raise RunArgumentError("times", times, "increasing times in s" + of_truth(times)) from None
    if not np.isfinite(last):
        raise RunArgumentError("times", times, "finite, increasing times in s")
    return last


def check_ticks(program: Program, start: float) -> None:
    """Raise RunArgumentError where the ticks of a clock cannot be told apart at the start."""
    apart = float(np.spacing(abs(start)))
    period = shortest_period(program.timers)
    if period < apart:
        expected = f"nearer to 0 s: times lie {apart:.3g} s apart there, and ticks {period:.3g} s"
        raise RunArgumentError("start", start, expected)
