"""Vehicles that move in all directions: published matrices, exact arcs, limits at their instants."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd

R, A, B = 0.0475, 0.235, 0.15  # of the youBot: wheels, half distances of its axles and of its wheels
MECANUM = np.array([[1, -1, -A - B], [1, 1, A + B], [1, -1, A + B], [1, 1, -A - B]]) / R


def driven(velocity: bd.Block, base: bd.Block, drive: bd.Block) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("v", velocity), d.add("drive", drive), d.add("base", base))
    return d


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_a_mecanum_base_moves_on_the_exponential_of_its_twist(compiled: bool) -> None:
    """Rates by Modern Robotics, (13.10); the pose is the matrix exponential of its twist, at any rtol."""
    twist, start = np.array([0.3, -0.2, 0.5]), [1.0, 2.0, 3.0]
    base = bd.OmniBase(vehicle="youbot", initial_pose=start)
    d = driven(bd.Constant(twist), base, bd.OmniDrive(vehicle="youbot"))
    r = d.simulate(stop=20.0, rtol=1e-3, compiled=compiled)
    np.testing.assert_allclose(r.final("drive"), MECANUM @ twist, atol=1e-13)
    np.testing.assert_allclose(r.final("base.velocity"), twist, atol=1e-15)
    c, s = math.cos(3.0), math.sin(3.0)
    T = np.array([[c, -s, 1.0], [s, c, 2.0], [0, 0, 1]]) @ expm(
        20.0 * np.array([[0, -0.5, 0.3], [0.5, 0, -0.2], [0, 0, 0]])
    )
    np.testing.assert_allclose(r.final("base.pose"), [T[0, 2], T[1, 2], 13.0], atol=1e-12)


def test_three_omniwheels_and_what_a_wrong_radius_and_slip_do() -> None:
    """Wheels at 120 degrees: the rims go with the motion at their places, Modern Robotics, 13.2."""
    angles = np.deg2rad([90.0, 210.0, 330.0])
    wheels = np.column_stack([0.2 * np.cos(angles), 0.2 * np.sin(angles), angles + np.pi / 2, 0.0 * angles])
    nominal = bd.OmniDrive(wheels=wheels, wheel_radius=0.04)
    true = bd.OmniBase(wheels=wheels, wheel_radius=[0.04, 0.05, 0.04], slip=[0.1, 0.0, 0.0])
    r = driven(bd.Constant([0.0, 0.0, 1.0]), true, nominal).simulate(stop=1.0)
    np.testing.assert_allclose(r.final("drive"), 5.0, rtol=1e-13)  # 0.2 m/0.04 m
    rims = 5.0 * np.array([0.04 * 0.9, 0.05, 0.04])  # m/s
    rolls = np.column_stack([-np.sin(angles), np.cos(angles), np.full(3, 0.2)])
    np.testing.assert_allclose(r.final("base.velocity"), np.linalg.solve(rolls, rims), atol=1e-14)


def test_a_wheel_at_its_limit_slows_all_alike() -> None:
    """(t/2, 0, cos t): all rates by the published matrix, scaled to 16; the instants by roots."""
    velocity = bd.Mux(count=3)
    d = bd.Diagram()
    d.add("v", velocity)
    for i, source in enumerate([bd.Ramp(slope=0.5), bd.Constant(0.0), bd.Sine(phase=math.pi / 2)]):
        d.connect(d.add(f"u{i}", source), f"v[{i}]")
    d.connect("v", d.add("drive", bd.OmniDrive(vehicle="youbot", wheel_rate_limit=16.0)))
    r = d.simulate(stop=4.0, rtol=1e-9, every=0.01)
    t = r["drive"].time
    free = np.column_stack([0.5 * t, 0 * t, np.cos(t)]) @ MECANUM.T
    greatest = np.abs(free).max(axis=1, keepdims=True)
    np.testing.assert_allclose(r["drive"].values, free * np.minimum(1.0, 16.0 / greatest), atol=1e-11)
    reached = [e.time for e in r.events if e.path == "drive"]
    right = (0.5 * np.array(reached) + (A + B) * np.cos(reached)) / R
    left = (0.5 * np.array(reached) - (A + B) * np.cos(reached)) / R
    assert len(reached) == 2  # the right wheels reach the limit; at pi/2 the left ones become the fastest
    assert right[0] == pytest.approx(16.0, abs=1e-9)
    assert left[1] == pytest.approx(right[1], abs=1e-9)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"wheels": [[1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0]]}, "do not hold every motion"),
        ({"wheels": [[1, 0, 0, math.pi / 2], [0, 1, 1, 0], [0, -1, 2, 0]]}, "rollers of wheel 1"),
        ({"wheels": [[1, 0, 0, 0]]}, r"shape \(1, 4\)"),
        ({"wheel_radius": [0.1, 0.1]}, "one number, or 4"),
        ({"wheel_radius": 0.0}, "wheel_radius"),
        ({"slip": [0.1, 0.1, 0.1]}, "one number, or 4"),
        ({"vehicle": "bmw-320i"}, "a vehicle of the block OmniBase"),
    ],
)
def test_bases_that_cannot_be(options: dict[str, object], said: str) -> None:
    with pytest.raises(bd.ParameterError, match=said):
        bd.OmniBase(**options)  # type: ignore[arg-type]
