"""JointTrajectory in a diagram: derivatives that integrate to the position, knots that no step straddles."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.fkine import FKine

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
QF = [pi / 4, pi / 2, -pi / 2, 0.0, 0.0, 0.0]


def twice_integrated(block: bd.Block) -> bd.Diagram:
    """qdd -> v -> x, and qd -> y."""
    d = bd.Diagram()
    size = np.shape(block.q0)
    d.add("j", block)
    for name, first in (("v", block.qd0), ("x", block.q0), ("y", block.q0)):
        d.add(name, bd.Integrator(first + np.zeros(size) if size else first))
    d.connect("j.qdd", "v")
    d.connect("v", "x")
    d.connect("j.qd", "y")
    return d


@BOTH
@pytest.mark.parametrize(
    "block",
    [
        bd.JointTrajectory(np.zeros(6), QF, 5.0),
        bd.JointTrajectory(np.zeros(6), QF, 3.7, method="cubic", start=0.45),
        bd.JointTrajectory(np.ones(6), QF, 3.7, method="trapezoidal", start=0.45),
        bd.JointTrajectory(0.0, 1.0, 3.0, method="trapezoidal", acceleration=0.7),
    ],
    ids=["quintic", "cubic", "trapezoidal", "scalar"],
)
def test_accelerations_integrate_to_the_target(block: bd.JointTrajectory, compiled: bool) -> None:
    """A method of order five is exact on these polynomials, if no step straddles a knot."""
    r = twice_integrated(block).simulate(stop=6.0, compiled=compiled)
    for path in ("x", "y", "j.q"):
        np.testing.assert_allclose(r.final(path), block.qf, rtol=0, atol=1e-12)
    np.testing.assert_allclose(r.final("v"), np.zeros(np.shape(block.qf)), rtol=0, atol=1e-12)
    np.testing.assert_allclose(r["x"].values, r["j.q"].values, rtol=0, atol=1e-12)


@BOTH
def test_rates_at_the_ends(compiled: bool) -> None:
    d = bd.Diagram()
    d.add(
        "j", bd.JointTrajectory([0.0], [1.0], 2.0, start=1.0, qd0=[0.5], qdf=[-0.2], qdd0=[1.0], qddf=[3.0])
    )
    r = d.simulate(stop=4.0, times=[0.5, 1.0, 3.0 - 1e-9, 3.0, 4.0], compiled=compiled)
    np.testing.assert_allclose(r["j.qd"].values[:, 0], [0.0, 0.5, -0.2, 0.0, 0.0], atol=1e-8)
    np.testing.assert_allclose(r["j.qdd"].values[:, 0], [0.0, 1.0, 3.0, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(r["j.q"].values[:, 0], [0.0, 0.0, 1.0, 1.0, 1.0], atol=1e-8)


def test_every_end_of_a_parabola_is_a_step() -> None:
    """Joint by joint: blends of 1/3 and of 1/2 of the time."""
    d = bd.Diagram()
    d.add(
        "j",
        bd.JointTrajectory([0.0, 0.0], [1.0, 1.0], 1.0, method="trapezoidal", speed=[1.5, 2.0], start=1.0),
    )
    d.connect("j.qd", d.add("x", bd.Integrator([0.0, 0.0])))
    r = d.simulate(stop=3.0)
    assert [e.time for e in r.events] == pytest.approx([1.0, 4 / 3, 1.5, 5 / 3, 2.0], rel=1e-14)
    np.testing.assert_allclose(r.final("x"), [1.0, 1.0], rtol=0, atol=1e-14)


def test_other_numbers_do_not_compile_again() -> None:
    d = twice_integrated(bd.JointTrajectory([0.0, 0.0], [1.0, 2.0], 1.0, method="trapezoidal"))
    d.simulate(stop=2.0)
    for values in ({"j.qf": [0.0, -1.0]}, {"j.blend_time": 0.5}, {"j.duration": 1.5, "j.start": 0.2}):
        r = d.simulate(stop=2.0, set=values)
        np.testing.assert_allclose(r.final("x"), r.final("j.q"), rtol=0, atol=1e-13)


def test_what_cannot_be_done_in_the_time_is_refused_by_name() -> None:
    with pytest.raises(
        bd.ParameterError, match=r"JointTrajectory\.speed is 0\.4\nexpected: greater than 0\.5"
    ) as error:
        bd.JointTrajectory(0.0, 1.0, 2.0, method="trapezoidal", speed=0.4)
    assert error.value.parameter == "speed"
    with pytest.raises(bd.ParameterError, match="3 numbers"):
        bd.JointTrajectory([0.0, 1.0, 2.0], [1.0, 2.0], 2.0)


def test_the_puma_moves_as_in_the_robotics_toolbox() -> None:
    """sl_jspace: jtraj -> fkine, the origin of the tool at 0, 2.5 and 5 s."""
    d = bd.Diagram()
    d.add("j", bd.JointTrajectory(np.zeros(6), QF, 5.0))
    d.connect("j.q", d.add("arm", FKine(robot="puma560")), d.add("xyz", bd.PoseToXYZ()))
    r = d.simulate(stop=5.0, times=[0.0, 2.5, 5.0])
    expected = [[0.4521, -0.1500, 0.4318], [0.3583, -0.0140, 0.7371], [0.1205, -0.0917, 0.8636]]
    np.testing.assert_allclose(r["xyz"].values, expected, rtol=0, atol=1e-4)
