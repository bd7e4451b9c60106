"""Flatness: the block says what the function says, for the vehicle that it names."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.robots.trajectories import flat_motion

NAMES = ("velocity", "acceleration", "jerk", "snap", "yaw", "yaw_rate", "yaw_acceleration")


def test_the_block_gives_what_the_function_gives() -> None:
    flight = bd.FigureEight(length=6.0, width=3.0, frequency=2.0, along=True)
    d = bd.Diagram("feed forward")
    f = d.add("f", flight)
    flat = d.add("flat", bd.Flatness("hummingbird"))
    for name in NAMES:
        d.connect(f[name], flat[name])
    r = d.simulate(stop=1.3)
    expected = flat_motion("hummingbird", flight.flight.at([1.3]))
    for name in ("rates", "angular_acceleration", "torque", "thrust"):
        np.testing.assert_allclose(
            r.final(f"flat.{name}"), getattr(expected, name)[0], rtol=1e-12, atol=1e-14
        )
    q = r.final("flat.quaternion")
    assert abs(q @ expected.quaternion[0]) == pytest.approx(1.0, abs=1e-14)
    heavier = d.simulate(stop=1.3, set={"flat.vehicle": {"name": "hummingbird", "payload": {"mass": 0.5}}})
    assert heavier.final("flat.thrust") > 1.9 * r.final("flat.thrust")


def test_an_unknown_vehicle_is_refused_by_name() -> None:
    with pytest.raises(bd.ParameterError, match="hummingbirt"):
        bd.Flatness("hummingbirt")
