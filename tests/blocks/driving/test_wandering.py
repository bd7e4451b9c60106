"""RandomPath and WallFollowing: goals where they should be, and the equation of the distance from a wall."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.stats import kstest

import blockdyn as bd


def wander(car: bd.Block, steered: str, **options: object) -> bd.Diagram:
    d = bd.Diagram()
    driver = d.add("driver", bd.RandomPath(**options))  # type: ignore[arg-type]
    robot = d.add("car", car)
    d.connect(driver["v"], robot["v"])
    d.connect(driver["turn"], robot[steered])
    d.connect(robot["pose"], driver)
    return d


@pytest.mark.parametrize(
    ("compiled", "stop", "count"), [(True, 200.0, 8), (False, 50.0, 2)], ids=["compiled", "interpreted"]
)
def test_each_goal_is_reached_or_passed_before_the_next(compiled: bool, stop: float, count: int) -> None:
    """A car that turns no tighter than 4 m: it does not circle around a goal for ever."""
    car = bd.Bicycle(wheelbase=2.0, steering_limit=math.atan(0.5))
    d = wander(car, "gamma", area=[-2.0, 30.0, 5.0, 20.0], reach=0.5)
    r = d.simulate(stop=stop, seed=3, rtol=1e-9, atol=1e-11, compiled=compiled)
    assert r.final("driver.count") > count
    goals, times = r["driver.goal"].values, r["driver.goal"].time.values
    poses, instants = r["car.pose"].values, r["car.pose"].time.values
    reached = 0
    for goal, t in zip(goals, times[1:-1], strict=False):
        x, y, heading = poses[np.searchsorted(instants, t)]
        dx, dy = goal - [x, y]
        near = math.hypot(dx, dy) - 0.5
        beside = dx * math.cos(heading) + dy * math.sin(heading)
        assert min(abs(near), abs(beside)) < 1e-7
        reached += abs(near) < 1e-7
    assert reached > count / 2


def test_goals_are_uniform_and_those_of_the_seed() -> None:
    d = wander(bd.Unicycle(), "omega", area=5.0, speed=2.0, steering_gain=5.0)
    r = d.simulate(stop=700.0, seed=1)
    goals = np.unique(r["driver.goal"].values, axis=0)
    assert len(goals) > 140
    assert np.abs(goals).max() <= 5.0
    for column in goals.T:
        assert kstest(column, "uniform", (-5.0, 10.0)).pvalue > 1e-3
    again, other = (d.simulate(stop=9.0, seed=seed)["driver.goal"].values[0] for seed in (1, 2))
    np.testing.assert_array_equal(again, r["driver.goal"].values[0])
    assert (other != again).any()


@pytest.mark.parametrize(
    ("way", "compiled", "stop"), [(1, True, 4.0), (-1, True, 4.0), (-1, False, 0.5)],
    ids=["left", "right", "interpreted"],
)  # fmt: skip
def test_the_distance_from_a_wall_obeys_its_equation(way: int, compiled: bool, stop: float) -> None:
    """A wall along x, 1.6 m beside: D'' + 2 D' + 1.5 (D - 1) = 0 over the way, by a matrix exponential."""
    beam = math.pi / 3
    d = bd.Diagram()
    car = d.add("car", bd.Unicycle(initial_pose=[0.0, 0.0, -way * 0.4]))
    law = bd.WallFollowing(
        side="left" if way > 0 else "right",
        distance=1.0,
        speed=0.8,
        beam_angle=beam,
        distance_gain=1.5,
        heading_gain=2.0,
    )
    d.add("law", law)
    parts = d.add("parts", bd.Demux([1, 1, 1]))
    d.connect(car["pose"], parts)
    beside = d.add("beside", bd.Expression(f"(1.6 - {way}*v)/cos(h)"))
    ahead = d.add("ahead", bd.Expression(f"(1.6 - {way}*v)/cos(h - {way}*{beam})"))
    for ray in (beside, ahead):
        d.connect(parts[1], ray["v"])
        d.connect(parts[2], ray["h"])
    d.connect(beside, d["law"]["beside"])
    d.connect(ahead, d["law"]["ahead"])
    d.connect(d["law"]["v"], car["v"])
    d.connect(d["law"]["omega"], car["omega"])
    r = d.simulate(stop=stop, rtol=1e-11, atol=1e-13, compiled=compiled)
    first = np.array([0.6, math.sin(0.4)])
    error, rate = expm(0.8 * stop * np.array([[0.0, 1.0], [-1.5, -2.0]])) @ first
    assert r.final("law.wall") == pytest.approx(1.0 + error, abs=1e-9)
    assert r.final("law.delta") == pytest.approx(math.asin(rate), abs=1e-9)
    assert r.final("car.pose")[1] == pytest.approx(way * (0.6 - error), abs=1e-9)


@pytest.mark.parametrize("area", [0.0, -1.0, [1.0, 1.0, 0.0, 2.0], [1.0, 2.0]])
def test_areas_without_a_size_are_refused(area: object) -> None:
    with pytest.raises(bd.ParameterError, match="area"):
        bd.RandomPath(area=area)  # type: ignore[arg-type]
