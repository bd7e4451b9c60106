"""Derivatives of signals and slopes at a point, by name: against formulas, for what cannot be named, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd

G, LENGTH = 9.81, 0.7


def pendulum() -> bd.Diagram:
    """theta'' = u(t) - g/l sin(theta) - c theta', with c theta' from a gain, and y = l sin(theta + u)."""
    d = bd.Diagram("pendulum")
    d.add("u", bd.Inport(default=0.2))
    speed, angle = d.add("speed", bd.Integrator(0.3)), d.add("angle", bd.Integrator(0.5))
    d.add("friction", bd.Gain(0.25))
    d.connect(speed, [angle, "friction"])
    pull = d.add("pull", bd.Function(lambda u, angle, drag, t: u * t - G / LENGTH * np.sin(angle) - drag))
    d.connect("u", pull[0])
    d.connect(angle, pull[1])
    d.connect("friction", pull[2])
    d.connect(pull, speed)
    place = d.add("place", bd.Function(lambda angle, u: LENGTH * np.sin(angle + u)))
    d.connect(angle, place[0])
    d.connect("u", place[1])
    d.connect(place, d.add("y", bd.Outport()))
    return d


def test_a_pendulum() -> None:
    by = ["angle.x", "speed.x", "u", "friction.k", "t", "friction"]
    j = bd.derivative(pendulum(), ["y", "speed.x'", "angle.x'"], by, at={"angle.x": 1.1}, time=2.0)
    bend = LENGTH * np.cos(1.1 + 0.2)
    expected = [
        [bend, 0.0, bend, 0.0, 0.0, 0.0],
        [-G / LENGTH * np.cos(1.1), -0.25, 2.0, -0.3, 0.2, -1.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    ]
    np.testing.assert_allclose(j.values, expected, rtol=1e-14, atol=0)
    assert j["speed.x'", "friction.k"] == pytest.approx(-0.3, rel=1e-15)
    assert (j.of, j.by) == (("y", "speed.x'", "angle.x'"), tuple(by))
    assert j.differences == ()
    assert "d/d friction.k" in str(j)


def test_vectors_by_vectors() -> None:
    """A x of a matrix: the matrix."""
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    d = bd.Diagram()
    d.connect(d.add("x", bd.Integrator([0.1, 0.2])), d.add("m", bd.MatrixGain(a)), "x")
    j = bd.derivative(d, ["x.x'", "m"], "x.x")
    np.testing.assert_array_equal(j["x.x'", "x.x"], a)
    np.testing.assert_array_equal(j["m", "x.x[1]"], a[:, 1])
    np.testing.assert_array_equal(j[j.of[2], "x.x"], a[0])


def test_numbers_that_no_block_reads_as_they_are() -> None:
    d = bd.Diagram("lag", parameters={"T": 0.5})
    lag = bd.TransferFunction(num=[1.0], den=bd.expression("[T, 1]"))
    d.connect(d.add("u", bd.Inport(default=1.0)), d.add("lag", lag))
    with pytest.raises(bd.BlockdynError, match=r"by: `T` is a parameter of the diagram(.|\n)*sensitivities"):
        bd.derivative(d, "lag", "T")
    with pytest.raises(bd.BlockdynError, match=r"by: `lag\.den\[0\]` is not a parameter that"):
        bd.derivative(d, "lag", "lag.den[0]")
    with pytest.raises(bd.BlockdynError, match="of: there is no signal 'leg'"):
        bd.derivative(d, "leg", "u")


@pytest.mark.parametrize(
    ("of", "by", "match"),
    [
        ("yy", "u", "yy"),
        ("y", "uu", "uu"),
        ("motor.x'", "u", "motor.x'"),
        ([], "u", "of is"),
        ("y", None, "by is None"),
        (["y", "y"], "u", "named twice"),
        (3, "u", "names of signals"),
    ],
)
def test_bad_input(of: Any, by: Any, match: str) -> None:
    with pytest.raises(bd.BlockdynError, match=match):
        bd.derivative(pendulum(), of, by)


@pytest.mark.parametrize(
    ("block", "x", "rate", "exact"),
    [
        (bd.Abs(), 0.0, -2.0, -1.0),
        (bd.Abs(), 0.0, 2.0, 1.0),
        (bd.Expression("max(u, 0)"), 0.0, -2.0, 0.0),
        (bd.Saturation(lower=-1, upper=1), 1.0, -2.0, 1.0),
        (bd.Saturation(lower=-1, upper=1), 1.0, 2.0, 0.0),
        (bd.DeadZone(lower=-1, upper=1), -1.0, -2.0, 1.0),
        (bd.DeadZone(lower=-1, upper=1), -1.0, 2.0, 0.0),
    ],
)
def test_at_a_kink_it_is_the_side_on_which_a_run_goes_on(
    block: bd.Block, x: float, rate: float, exact: float
) -> None:
    """x' = rate, and y = f(x) with the point on a kink of f; y and x' are as they were."""
    d = bd.Diagram("kink")
    state = d.add("x", bd.Integrator(x))
    d.connect(d.add("rate", bd.Constant(rate)), state, d.add("f", block), d.add("y", bd.Outport()))
    assert bd.derivative(d, ["y"], ["x.x"])["y", "x.x"] == exact
    assert d.linearize("rate", "y").C[0, 0] == exact
    assert d.compile().outputs(0.0)["y"] == pytest.approx(d.simulate(stop=1e-9).final("f"), abs=1e-8)


def test_at_a_jump_it_is_the_point() -> None:
    """A relay that is about to switch has not switched: the slope of x there is that of before."""
    d = bd.Diagram("jump")
    x = d.add("x", bd.Integrator(1.0))
    gate = d.add("gate", bd.Expression("-3*u if u > 1 else 2*u"))
    d.connect(x, gate, x)
    assert bd.derivative(d, ["x.x'"], ["x.x"])["x.x'", "x.x"] == 2.0


def test_no_diagram() -> None:
    with pytest.raises(bd.BlockdynError, match=r"expected: a Diagram: bd\.load"):
        bd.derivative("pendulum", "y", "u")  # type: ignore[arg-type]
