"""Curves that icons show: limits, limited rates and friction, drawn from the parameters of a block."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from .icon import Icon
from .marks import first, graph


def clip_icon(lower: Any, upper: Any) -> Icon:
    """y = u between two limits; an infinite one is not drawn."""
    low, high = first(lower), first(upper)
    size = max((abs(limit) for limit in (low, high) if isfinite(limit)), default=1.0) or 1.0
    size = high - low if isfinite(high - low) else size
    left = [(low - size / 2, low), (low, low)] if isfinite(low) else [(min(0.0, high) - size,) * 2]
    right = [(high, high), (high + size / 2, high)] if isfinite(high) else [(max(0.0, low) + size,) * 2]
    return graph([*left, *right])


def limited_rate(rising: Any, falling: Any) -> Icon:
    """The response to a pulse: it rises at one rate and falls at the other."""
    up, down = first(rising), -first(falling)
    times = [1 / rate if rate > 0 else np.inf for rate in (up, down)]
    slowest = max((time for time in times if isfinite(time)), default=1.0) or 1.0
    rise, fall = (time if isfinite(time) else 2 * slowest for time in times)
    top = 1.0 if isfinite(times[0]) else 0.0
    end = 0.0 if isfinite(times[1]) else top
    stop = rise + slowest
    wanted = [(0, 0), (0, 1), (stop, 1), (stop, 0), (stop + fall, 0)]
    return graph([(0, 0), (rise, top), (stop, top), (stop + fall, end)], faint=[wanted])


def friction(sliding: Any, static: float, fastest: float) -> Icon:
    """Force against velocity, `sliding(v)` for v > 0, and the force of sticking at rest."""
    speeds = np.geomspace(fastest / 100, fastest, 24)
    ahead = [(0.0, static), (0.0, sliding(0.0)), *((float(v), float(sliding(v))) for v in speeds)]
    return graph([(-v, -force) for v, force in reversed(ahead)] + ahead)


def with_memory(low: float, high: float, off: float, on: float) -> Icon:
    """Two values between two thresholds, up at the upper one and down at the lower one."""
    side = (high - low) or max(abs(high), 1.0)
    up = [(low - side, off), (high, off), (high, on)]
    down = [(low, off), (low, on), (high + side, on)]
    return graph(up, down)
