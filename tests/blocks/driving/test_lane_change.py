"""LaneChange: a vehicle ends in the next lane, and comes back, to rounding and when the arcs say."""

from __future__ import annotations

from math import atan, atan2
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError


def driven(change: bd.LaneChange, *, stop: float, wheelbase: float | None = None) -> bd.Result:
    d = bd.Diagram()
    steer = d.add("change", change)
    car = d.add("car", bd.Unicycle() if wheelbase is None else bd.Bicycle(wheelbase=wheelbase))
    d.connect(steer["v"], car["v"])
    turns = "omega" if wheelbase is None else "gamma"
    d.connect(steer[turns], car[turns])
    return d.simulate(stop=stop, log=["car.pose"])


@pytest.mark.parametrize("wheelbase", [None, 2.7])
@pytest.mark.parametrize("offset", [3.5, -3.5, 40.0])
def test_a_vehicle_ends_in_the_next_lane(wheelbase: float | None, offset: float) -> None:
    change = bd.LaneChange(offset, 40.0, speed=15.0, begin=2.0, wheelbase=wheelbase or 1.0)
    radius, angle = (40.0**2 + offset**2) / (4.0 * abs(offset)), 2.0 * atan(abs(offset) / 40.0)
    there = 2.0 + 2.0 * radius * angle / 15.0
    r = driven(change, stop=there + 1.0, wheelbase=wheelbase)
    np.testing.assert_allclose(r.final("car.pose"), [30.0 + 40.0 + 15.0, offset, 0.0], atol=1e-12)
    x, y, _ = r.trace("car.pose").at(0.5 * (2.0 + there))
    np.testing.assert_allclose([x, y], [50.0, 0.5 * offset], atol=1e-12)  # the middle, where the arcs meet


def test_a_double_lane_change_ends_where_it_began() -> None:
    change = bd.LaneChange(3.0, 25.0, speed=10.0, stay=1.5)
    r = driven(change, stop=8.0)
    times = [event.time for event in r.events if event.time > 0.0]
    arc = 2.0 * atan2(3.0, 25.0) * (25.0**2 + 9.0) / 12.0 / 10.0
    for expected in (arc, 2 * arc, 2 * arc + 1.5, 3 * arc + 1.5, 4 * arc + 1.5):
        assert min(abs(time - expected) for time in times) < 1e-12
    far = 2 * 25.0 + 15.0 + 10.0 * (8.0 - 4 * arc - 1.5)
    np.testing.assert_allclose(r.final("car.pose"), [far, 0.0, 0.0], atol=1e-12)
    assert abs(r.trace("car.pose").at(2 * arc + 0.7)[1] - 3.0) < 1e-12
    assert np.abs(r["car.pose"].values[:, 2]).max() == pytest.approx(2.0 * atan2(3.0, 25.0))


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"offset": 0.0}, "offset"),
        ({"offset": -40.1}, "offset"),
        ({"length": 0.0}, "length"),
        ({"speed": 0.0}, "speed"),
        ({"stay": 0.0}, "stay"),
        ({"begin": -1.0}, "begin"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        bd.LaneChange(**{"offset": 3.0, "length": 40.0, **parameters}).check()
