"""Coded: columns of numbers as text that a browser decodes (front/src/page/coded.ts)."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

from ...diagrams.results.trace import FloatArray


def doubles(values: FloatArray) -> str:
    """Eight bytes each."""
    return _packed(np.ascontiguousarray(values, "<f8"))


def singles(values: FloatArray) -> dict[str, Any]:
    """Four bytes each: where a value lies between the least and the greatest, to 6e-8 of the range."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    middle, scale = low / 2 + high / 2, high / 2 - low / 2
    with np.errstate(invalid="ignore"):  # what is infinite is no place in a range
        parts = (np.where(np.isfinite(values), values, np.nan) - middle) / (scale or 1.0)
    return {"middle": middle, "scale": scale, "data": _packed(parts.astype("<f4"))}


def _packed(numbers: Any) -> str:
    """Deflated with the first bytes of all numbers before the second ones: neighbours are alike."""
    planes = numbers.view(np.uint8).reshape(-1, numbers.itemsize).T
    return base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode("ascii")
