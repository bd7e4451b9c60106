"""DifferentialWheels: the inverse of the drive's kinematics, and limits that keep the curvature."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd


def driven(drive: bd.Block, wheels: bd.Block, v: bd.Block, omega: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.add("wheels", wheels)
    d.add("robot", drive)
    d.connect(d.add("v", v), "wheels.v")
    d.connect(d.add("omega", omega), "wheels.omega")
    d.connect("wheels.left", "robot.left")
    d.connect("wheels.right", "robot.right")
    return d


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    "numbers", [{"vehicle": "turtlebot3-burger"}, {"wheel_radius": [0.04, 0.05], "track": 0.2}]
)
def test_a_drive_moves_as_its_wheels_are_told(numbers: dict[str, object], compiled: bool) -> None:
    """On a circle of v / omega, back at the start after a turn."""
    d = driven(
        bd.DifferentialDrive(**numbers), bd.DifferentialWheels(**numbers), bd.Constant(0.1), bd.Constant(0.5)
    )
    r = d.simulate(stop=4.0 * np.pi, compiled=compiled)
    assert r.final("robot.speed") == pytest.approx(0.1, rel=1e-14)
    assert r.final("robot.turn_rate") == pytest.approx(0.5, rel=1e-14)
    np.testing.assert_allclose(r.final("robot.pose"), [0.0, 0.0, 2.0 * np.pi], rtol=0, atol=1e-12)
    assert r["robot.pose"].values[:, 1].max() == pytest.approx(0.4, rel=1e-3)  # the diameter


def test_at_the_limit_the_curvature_is_kept() -> None:
    """v = 2 t and omega = 5 - t: the right wheel is at 20 rad/s where 2 t + 0.15 (5 - t) = 1 m/s."""
    numbers = {"wheel_radius": 0.05, "track": 0.3, "wheel_rate_limit": 20.0}
    ramps = bd.Ramp(slope=2.0), bd.Ramp(slope=-1.0, initial=5.0)
    drive = bd.DifferentialDrive(wheel_radius=0.05, track=0.3)
    r = driven(drive, bd.DifferentialWheels(**numbers), *ramps).simulate(stop=8.0, every=0.01)
    rates = np.column_stack([r["wheels.left"].values, r["wheels.right"].values])
    assert abs(rates).max() == pytest.approx(20.0, rel=1e-12)
    v, omega = r["v"].values, r["omega"].values
    demand = np.column_stack([v - 0.15 * omega, v + 0.15 * omega]) / 0.05
    np.testing.assert_allclose(
        rates, demand * np.minimum(1.0, 20.0 / abs(demand).max(axis=1))[:, np.newaxis], rtol=1e-9
    )
    times = [e.time for e in r.events if e.path == "wheels"]
    np.testing.assert_allclose(times, [0.25 / 1.85, 5.0], rtol=1e-9)  # then the left wheel is the faster
