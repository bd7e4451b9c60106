"""What the instants of timers are made of, in the numbers of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..solvers import layout
from ..solvers.events.timer import LISTED
from ..solvers.layout import Floats, Integers
from ..sweeps.place.base import Base
from ..sweeps.place.placement import Overlay


def instants(base: Base, overlay: Overlay, row: int) -> Floats:
    """The numbers that instants are made of in a row, as `seeds.Begin.timers` has them."""
    run = base.template
    words = run.begin.copy()
    words.view(np.float64)[overlay.float_at] = overlay.floats[row]
    words[overlay.integer_at] = overlay.integers[row]
    at = {name: run.place(name) for name in ("timers", "timer_integers", "timer_floats")}
    work = run.work
    table = words[at["timers"] :][: work.timers.size].reshape(work.timers.shape)
    integers = words[at["timer_integers"] :][: work.timer_integers.size]
    floats = words.view(np.float64)[at["timer_floats"] :][: work.timer_floats.size]
    return np.concatenate([np.zeros(0), *(timer_numbers(timer, integers, floats) for timer in table)])


def timer_numbers(timer: Integers, integers: Integers, floats: Floats) -> Floats:
    """What a timer's instants are made of: offset, period and phases, the instants of a list, or nothing."""
    kind, data, count = (int(timer[i]) for i in (layout.RATIONAL, layout.DATA, layout.COUNT))
    if kind == LISTED:
        return floats[data : data + count]
    if kind == 1:
        parts: list[Any] = [timer[layout.OFFSET], timer[layout.PERIOD], *integers[data : data + count]]
        return np.array(parts, np.float64) / float(timer[layout.DENOMINATOR])
    return floats[data : data + 2 + count] if kind == 0 else floats[:0]
