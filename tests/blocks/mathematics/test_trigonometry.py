"""Trigonometry: identities, inverses, domains, and the jump of the angle."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.run_errors import NotFinite

U = [-0.9, -0.2, 0.0, 0.3, 0.7]


def of(function: str, *inputs: object) -> np.ndarray:
    d = bd.Diagram()
    d.add("y", bd.Trigonometry(function=function))
    for i, value in enumerate(inputs):
        d.add(f"u{i}", bd.Constant(value=value))
        d.connect(f"u{i}", f"y[{i}]")
    return np.asarray(d.simulate(stop=1.0).final("y"))


def test_pythagoras_and_his_hyperbolic_relative() -> None:
    d = bd.Diagram()
    d.add("u", bd.Constant(value=U))
    for function in ("sin", "cos", "sinh", "cosh", "tanh"):
        d.connect("u", d.add(function, bd.Trigonometry(function=function)))
    r = d.simulate(stop=1.0)
    sin, cos, sinh, cosh, tanh = (r.final(name) for name in ("sin", "cos", "sinh", "cosh", "tanh"))
    assert np.allclose(sin**2 + cos**2, 1.0, atol=1e-15)
    assert np.allclose(cosh**2 - sinh**2, 1.0, atol=1e-15)
    assert np.allclose(tanh, sinh / cosh, atol=1e-15)


@pytest.mark.parametrize(("inverse", "function"), [("asin", "sin"), ("acos", "cos"), ("atan", "tan")])
def test_inverses(inverse: str, function: str) -> None:
    assert np.allclose(of(function, of(inverse, U)), U, atol=1e-15)


@pytest.mark.parametrize(
    ("y", "x", "angle"),
    [(0.0, 1.0, 0.0), (1.0, 0.0, pi / 2), (0.0, -1.0, pi), (-1.0, -1.0, -3 * pi / 4), (1e-20, 1.0, 1e-20)],
)
def test_angles_of_points(y: float, x: float, angle: float) -> None:
    assert of("atan2", y, x) == pytest.approx(angle, rel=1e-15)


@pytest.mark.parametrize("rate", [1.0, -1.0])
def test_the_angle_of_a_turning_pointer_jumps_by_a_whole_turn(rate: float) -> None:
    d = bd.Diagram()
    d.add("pointer", bd.Sine(frequency=rate, phase=[0.0, pi / 2]))
    d.add("part", bd.Demux())
    d.add("angle", bd.Trigonometry(function="atan2"))
    d.add("x", bd.Integrator())
    d.connect("pointer", "part")
    d.connect("part[0]", "angle[0]")
    d.connect("part[1]", "angle[1]")
    d.connect("angle", "x")
    r = d.simulate(stop=5.0, rtol=1e-10, atol=1e-12)
    assert r.final("angle") == pytest.approx(rate * (5.0 - 2 * pi), abs=1e-12)
    assert r.final("x") == pytest.approx(rate * (5.0**2 / 2 - 2 * pi * (5.0 - pi)), abs=1e-11)
    assert any(e.time == pytest.approx(pi, abs=1e-14) for e in r.events if e.path == "angle")


def test_no_angle_has_a_sine_of_two() -> None:
    with pytest.raises(NotFinite, match=r"y\.y"):
        of("asin", 2.0)


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(bd.ParameterError, match="sec"):
        bd.Trigonometry(function="sec")
