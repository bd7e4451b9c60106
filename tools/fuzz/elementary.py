"""Elementary functions of compiled programs at random numbers, hard ones among them, against mpmath."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from blockdyn.native.elementary.called import FUNCTIONS, of_arrays
from blockdyn.native.elementary.names import OF_TWO
from blockdyn.native.target import Target

Numbers = NDArray[np.float64]
DIGITS = 45
EXACT: dict[str, Callable[..., Any]] = {
    "exp2": lambda x: mpmath.power(2, x),
    "log2": lambda x: mpmath.log(x) / mpmath.ln2,
    "pow": mpmath.power,
    "fmod": lambda x, y: mpmath.mpf(math.fmod(float(x), float(y))),  # exact in every C library
}
"""Functions that mpmath does not have by the same name."""
ENDS = {
    "exp": (-745.2, 709.78), "exp2": (-1075.0, 1024.0), "expm1": (-38.0, 709.78), "sinh": (-710.47, 710.47),
    "cosh": (-710.47, 710.47), "tanh": (-20.0, 20.0), "log1p": (-1.0, 10.0), "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0), "log": (0.0, 10.0), "log2": (0.0, 10.0), "log10": (0.0, 10.0),
}  # fmt: skip
"""Of the numbers at which a function has a finite value, or changes."""


def values(name: str, x: Any, y: Any = 0.0, target: Target | None = None) -> Numbers:
    """Return a function's values at numbers, by code for this processor or a simpler model of it."""
    return np.atleast_1d(of_arrays(name, target)(x, y))


def errors(name: str, x: Numbers, y: Numbers) -> Numbers:
    """Return the errors of a function's values, in units of the exact value's last place."""
    exact = EXACT.get(name) or getattr(mpmath, name)
    found = []
    with mpmath.workdps(DIGITS):
        for a, b, value in zip(x.tolist(), y.tolist(), values(name, x, y).tolist(), strict=True):
            truth = exact(mpmath.mpf(a), mpmath.mpf(b)) if name in OF_TWO else exact(mpmath.mpf(a))
            nearest = float(truth)
            if math.isinf(nearest) or math.isinf(value):
                found.append(0.0 if nearest == value else math.inf)
            else:
                found.append(float(abs(truth - value) / math.ulp(nearest)))
    return np.array(found)


def points(name: str, count: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Return arguments of a function: over its range, over all exponents, and where it is hard."""
    third = max(count // 3, 1)
    if name in OF_TWO:
        return _pairs(name, third, rng)
    low, high = ENDS.get(name, (-10.0, 10.0))
    scattered = _scattered(third, rng)
    if name in ("sin", "cos", "tan"):
        hard = _near_quarter_turns(third, rng)
    elif name.startswith("log"):
        hard = (0.0 if name == "log1p" else 1.0) + _scattered(third, rng, -60, -1)
        scattered = np.abs(scattered)
    else:
        hard = _scattered(third, rng, -30, 3)
    x = np.concatenate([rng.uniform(low, high, third), scattered, hard])
    inside = (x > low) & (x < high) if name in ENDS and not name.startswith("log") else x > -1.0
    x = x[inside] if name in ENDS else x
    return x, x


def _scattered(count: int, rng: np.random.Generator, low: float = -1074, high: float = 1023.9) -> Numbers:
    """Return numbers of all exponents between two, with both signs."""
    return np.exp2(rng.uniform(low, high, count)) * rng.choice([-1.0, 1.0], count)


def _near_quarter_turns(count: int, rng: np.random.Generator) -> Numbers:
    """Return the doubles next to multiples of pi/2, up to 1e22."""
    turns = np.exp2(rng.uniform(0, 72, count)).tolist()
    with mpmath.workdps(DIGITS):
        near = [float(mpmath.floor(turn) * mpmath.pi / 2) for turn in turns]
    return np.array(near) * rng.choice([-1.0, 1.0], count)


def _pairs(name: str, count: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Return pairs of comparable numbers, of numbers of all sizes, and for powers of results of all sizes."""
    x = np.concatenate(
        [_scattered(count, rng, -3, 3), _scattered(count, rng, -60, 60), _scattered(count, rng)]
    )
    y = np.concatenate(
        [_scattered(count, rng, -3, 3), _scattered(count, rng, -60, 60), _scattered(count, rng)]
    )
    if name == "pow":
        x = np.abs(np.where(np.arange(x.size) % 3 == 0, 1.0 + _scattered(x.size, rng, -40, -1), x))
        y = rng.uniform(-1080.0, 1025.0, x.size) / np.log2(np.where(x == 1.0, 2.0, x))
        y = np.where(rng.random(x.size) < 0.5, y, np.round(y * rng.random(x.size)))
    return x, y


def fuzz_elementary(count: int, seed: int) -> int:
    """Print the largest error of each function at `count` numbers; the exit status, 1 above one ulp."""
    status = 0
    for name in FUNCTIONS:
        x, y = points(name, count, np.random.default_rng([seed, FUNCTIONS.index(name)]))
        found = errors(name, x, y)
        worst = int(np.argmax(found))
        at = f"{x[worst]!r}, {y[worst]!r}" if name in OF_TWO else f"{x[worst]!r}"
        sys.stdout.write(f"{name:6} {found[worst]:.4f} ulp at {at}; {found.size} numbers\n")
        status = status if found[worst] <= 1.0 else 1
    return status
