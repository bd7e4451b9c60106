"""Differences of functions that Python runs: slopes beside kinks and jumps, and where the function ends."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

import blockdyn as bd


def slope(function: Callable[[float], float], at: float) -> float:
    d = bd.Diagram("python")
    block = d.add("f", bd.Function(function, compiled=False))
    d.connect(d.add("u", bd.Inport(default=at)), block, d.add("y", bd.Outport()))
    model = d.linearize()
    assert model.differences == ("f",)
    return float(model.D[0, 0])


@pytest.mark.parametrize(
    ("function", "at", "expected"),
    [
        (lambda u: [math.sin(u)][0], 0.7, math.cos(0.7)),
        (lambda u: [(u - 0.5) ** 3][0], 0.5, 0.0),
        (lambda u: [math.exp(80.0 * u)][0], 0.5, 80.0 * math.exp(40.0)),
        (lambda u: [abs(u - 0.5)][0], 0.5001, 1.0),
        (lambda u: [1.0 if u > 0.5 else 0.0][0], 0.5001, 0.0),
        (lambda u: [math.sqrt(u)][0], 0.001, 0.5 / math.sqrt(0.001)),
        (lambda u: [math.log(u - 0.4999)][0], 0.5, 1e4),
        (lambda u: [1e10 + u][0], 0.5, 1.0),
        (lambda u: [3.0][0], 0.5, 0.0),
    ],
)
def test_the_slope_is_that_at_the_point(
    function: Callable[[float], float], at: float, expected: float
) -> None:
    assert slope(function, at) == pytest.approx(expected, rel=1e-3 if expected == 1.0 else 1e-6, abs=1e-12)


def test_what_has_another_value_each_time_has_no_slope() -> None:
    generator = random.Random(1)
    with pytest.raises(bd.NotDifferentiable, match=r"f: .* y by u, which is nan"):
        slope(lambda u: generator.random() * u, 0.5)
