"""A touch sets values by path at one time during a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import RunArgumentError

EXPECTED = 'touches such as [{"at": 2.0, "set": {"kp": 3.0}}], with paths as `set` has them, instants in s'


@dataclass(frozen=True)
class Touch:
    """At the time `at`, s, the values of `set`: parameters, inputs and states by path."""

    at: float
    set: Mapping[str, Any]

    def written(self) -> dict[str, Any]:
        """The touch as a file has it."""
        return {"at": self.at, "set": dict(self.set)}


def touches_of(name: str, value: Any) -> tuple[Touch, ...]:
    """The touches of an argument in the order of time, touches of one instant together.

    Each is a Touch, a mapping with `at` and `set`, or a pair of these. Raises RunArgumentError.
    """
    if isinstance(value, (str, bytes, Mapping)):
        raise RunArgumentError(name, value, EXPECTED)
    try:
        items = list(value)
    except TypeError:
        raise RunArgumentError(name, value, EXPECTED) from None
    return together(_touch(name, item) for item in items)


def together(touches: Iterable[Touch]) -> tuple[Touch, ...]:
    """Touches in the order of time; touches at one instant are merged, later values replace earlier ones."""
    by_time: dict[float, dict[str, Any]] = {}
    for touch in touches:
        values = by_time.setdefault(touch.at, {})
        for path, value in touch.set.items():
            values.pop(path, None)
            values[path] = value
    return tuple(Touch(at, by_time[at]) for at in sorted(by_time))


def _touch(name: str, value: Any) -> Touch:
    parts: Any = None
    if isinstance(value, Touch):
        parts = value.at, value.set
    elif isinstance(value, Mapping):
        parts = (value["at"], value["set"]) if set(value) == {"at", "set"} else None
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) == 2:
        parts = value
    if parts is None or isinstance(parts[0], (str, bytes, bool)) or not isinstance(parts[1], Mapping):
        raise RunArgumentError(name, value, EXPECTED)
    try:
        at = float(parts[0])
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(name, value, EXPECTED) from None
    if not math.isfinite(at) or not all(isinstance(path, str) for path in parts[1]):
        raise RunArgumentError(name, value, EXPECTED)
    return Touch(at, dict(parts[1]))
