"""Steps: from where to where a step response goes, and the levels that its times are read at."""

from __future__ import annotations

from typing import Any

from .kinds import BAND, FROM, HIGH, LOW, TARGET, TOLERANCE


def origin_of(numbers: Any, i: int, first: float) -> float:
    """Where the step of measure i begins: as it says, or with the first value."""
    given = numbers[i, FROM]
    return float(first if given != given else given)


def target_of(numbers: Any, i: int, last: float) -> float:
    """Where it goes: as it says, or to the last value."""
    given = numbers[i, TARGET]
    return float(last if given != given else given)


def width_of(numbers: Any, i: int, size: float) -> float:
    """Half the width of the band around the target."""
    given = numbers[i, TOLERANCE]
    return float(numbers[i, BAND] * abs(size) if given != given else given)


def ends(numbers: Any, i: int, origin: float, size: float) -> tuple[float, float]:
    """The levels between which it rises."""
    return origin + numbers[i, LOW] * size, origin + numbers[i, HIGH] * size
