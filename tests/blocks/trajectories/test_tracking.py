"""Resolved-rate control: an arm that follows a trajectory of poses, with its twist as feed-forward."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.fkine import FKine
from blockdyn.blocks.arms.inverse_jacobian import InverseJacobian
from blockdyn.blocks.arms.jacobian import Jacobian

READY = [0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]


def follower(trajectory: bd.Block, gain: float) -> bd.Diagram:
    """qd = J^-1 (twist + gain error), both in world axes."""
    d = bd.Diagram()
    d.add("way", trajectory)
    d.add("q", bd.Integrator(READY))
    d.add("T", FKine(robot="puma560"))
    d.add("J", Jacobian(robot="puma560"))
    d.add("rates", InverseJacobian(n=6))
    d.add("error", bd.PoseError())
    d.add("wanted", bd.Sum())
    d.add("gain", bd.Gain(gain))
    d.connect("q", "T")
    d.connect("q", "J")
    d.connect("J", "rates.J")
    d.connect("way.T", "error.T_ref")
    d.connect("T", "error.T")
    d.connect("way.twist", "wanted[0]")
    d.connect("error", "gain", "wanted[1]")
    d.connect("wanted", "rates.v")
    d.connect("rates.qd", "q")
    return d


@pytest.mark.parametrize("kind", [bd.CartesianTrajectory, bd.ScrewTrajectory])
def test_the_tool_follows_exactly(kind: type[bd.Block]) -> None:
    """The twist of a trajectory is what the Jacobian in world axes means, so nothing is left to the gain."""
    c, s = np.cos(0.5), np.sin(0.5)
    d = bd.Diagram()
    d.connect(d.add("q", bd.Constant(READY)), d.add("T", FKine(robot="puma560")))
    start = d.simulate(stop=1.0).final("T")
    np.testing.assert_allclose(start[:3, 3], [0.5963, -0.1501, -0.0144], atol=5e-5)
    move = np.array([[c, -s, 0, 0.1], [s, c, 0, -0.05], [0, 0, 1, -0.1], [0, 0, 0, 1]])
    end = start @ move
    for gain in (0.0, 10.0):
        r = follower(kind(T0=start, T1=end, duration=2.0), gain).simulate(stop=3.0, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(r["T"].values, r["way.T"].values, rtol=0, atol=1e-8)
        np.testing.assert_allclose(r.final("T"), end, rtol=0, atol=1e-8)
