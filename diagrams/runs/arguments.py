"""Arguments of a run by themselves: numbers, tolerances, paths, and what is true or false."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.annotations import real_array
from ..model.run_errors import RunArgumentError


def check_kinds(given: Mapping[str, Any]) -> None:
    """Raise RunArgumentError for paths that are no text, and for what is neither true nor false."""
    log, stream = given.get("log"), given.get("stream")
    if log is not None and not (
        isinstance(log, (list, tuple)) and all(isinstance(path, str) for path in log)
    ):
        raise RunArgumentError("log", log, 'a list of paths, such as log=["motor", "plant/arm.q"]')
    for name in ("states", "compiled", "progress"):
        if not isinstance(given.get(name), (bool, np.bool_, type(None))):
            raise RunArgumentError(name, given[name], "True or False")
    if stream is not None and not isinstance(stream, (str, os.PathLike)):
        raise RunArgumentError("stream", stream, "the path of a .parquet or .csv file")


def number(name: str, value: Any, above: float | None = None, infinite: bool = False) -> float:
    """A number, finite unless infinity is allowed. Raises RunArgumentError."""
    expected = "a finite number" if above is None else f"a number greater than {above:g}"
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(name, value, expected) from None
    if isinstance(value, (bool, str, bytes)) or math.isnan(found) or (math.isinf(found) and not infinite):
        raise RunArgumentError(name, value, expected)
    if above is not None and not found > above:
        raise RunArgumentError(name, value, expected)
    return found


def tolerances(count: int, given: Any) -> Any:
    """Absolute tolerances of so many states. Raises RunArgumentError."""
    expected = "a positive number" + (f", or {count} of them, one a state" if count else "")
    try:
        numbers = real_array(given)
        atol = np.broadcast_to(numbers, (count,)).copy()
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError("atol", given, expected) from None
    if not numbers.size or not np.all(np.isfinite(numbers)) or not np.all(numbers > 0.0):
        raise RunArgumentError("atol", given, expected)
    return atol
