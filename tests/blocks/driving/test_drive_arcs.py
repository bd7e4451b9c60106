"""DriveArcs: paths driven in the shortest time within limits, against closed forms and a linear programme."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

import blockdyn as bd
from blockdyn.robots import planning


def driven(block: bd.DriveArcs, car: bd.Block | None = None, **run: float) -> bd.Result:
    d = bd.Diagram()
    plan = d.add("plan", block)
    if car is not None:
        robot = d.add("robot", car)
        d.connect(plan["v"], robot["v"])
        d.connect(plan["omega"], robot["omega"])
    return d.simulate(**run)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_a_vehicle_that_does_as_told_ends_where_the_path_does(compiled: bool) -> None:
    """A Reeds-Shepp path, forwards and backwards; its end by matrix exponentials."""
    path = planning.reeds_shepp([1.0, -2.0, 0.4], [0.0, 1.0, 1.0], radius=3.0)
    arcs = np.column_stack([path.lengths, path.curvatures])
    block = bd.DriveArcs(arcs=arcs, start=path.start, speed=1.2, acceleration=0.7, pause=0.3, begin=2.0)
    robot = bd.Unicycle(initial_pose=path.start)
    method = "dopri5" if compiled else "dop853"
    r = driven(block, robot, stop=40.0, rtol=1e-11, atol=1e-13, method=method, compiled=compiled)
    c, s = math.cos(0.4), math.sin(0.4)
    T = np.array([[c, -s, 1.0], [s, c, -2.0], [0.0, 0.0, 1.0]])
    for length, k in arcs:
        T = T @ expm(length * np.array([[0, -k, 1], [k, 0, 0], [0, 0, 0]]))
    end = [T[0, 2], T[1, 2], math.atan2(T[1, 0], T[0, 0])]
    for signal in ("robot.pose", "plan.pose"):
        np.testing.assert_allclose(r.final(signal), end, atol=1e-9)
    assert r.final("plan.s") == pytest.approx(path.length, rel=1e-13)
    v = r["plan.v"].values
    ways = np.count_nonzero(np.diff(np.sign(v[np.abs(v) > 1e-9])))
    assert ways == np.count_nonzero(np.diff(np.sign(path.lengths))) > 0


def test_the_time_of_two_bends_with_limits_that_are_met_in_turn() -> None:
    """Line of 10 m, arc of 4 m at sqrt(2/0.5) = 2 m/s, line of 2 m: phases by hand at 1 and 2 m/s2."""
    block = bd.DriveArcs(
        arcs=[[10.0, 0.0], [4.0, 0.5], [2.0, 0.0]], speed=3.0, acceleration=1.0, braking=2.0,
        side_acceleration=2.0,
    )  # fmt: skip
    r = driven(block, stop=15.0)
    rise, cruise, fall = 3.0, (10.0 - 4.5 - 1.25) / 3.0, 0.5  # to 3 m/s, on at it, down to 2 m/s
    last = math.sqrt(
        (2 * 1.0 * 2.0 * 2.0 + 2.0 * 4.0) / 3.0
    )  # peak of the last line: 2 to there, and down to 0
    joints = np.cumsum([rise, cruise, fall, 2.0, last - 2.0, last / 2.0])
    events = [event.time for event in r.events if event.path == "plan"]
    np.testing.assert_allclose(events, [0.0, *joints], atol=1e-12)
    assert np.interp(joints[2], r["plan.v"].time, r["plan.v"].values) == pytest.approx(2.0)


def test_no_profile_within_the_limits_is_faster() -> None:
    """Against the greatest speeds of a fine grid, forwards and backwards, for random paths."""
    rng = np.random.default_rng(4)
    arcs = np.column_stack([rng.uniform(0.2, 5.0, 12), rng.uniform(-1.0, 1.0, 12)])
    block = bd.DriveArcs(arcs=arcs, speed=2.5, acceleration=0.8, braking=1.3, side_acceleration=0.9)
    r = driven(block, stop=60.0)
    s = np.linspace(0.0, arcs[:, 0].sum(), 200_001)
    k = np.abs(arcs[np.minimum(np.searchsorted(np.cumsum(arcs[:, 0]), s), 11), 1])
    energy = np.minimum(2.5**2, 0.9 / k) / 2.0
    ds = s[1]
    energy[0] = energy[-1] = 0.0
    energy = np.minimum.accumulate(energy - 0.8 * s) + 0.8 * s
    energy = (np.minimum.accumulate((energy + 1.3 * s)[::-1]) - 1.3 * s[::-1])[::-1]
    v = np.sqrt(2.0 * energy)
    fastest = float((2.0 * ds / (v[1:] + v[:-1])).sum())
    last = max(event.time for event in r.events if event.path == "plan")
    assert last == pytest.approx(fastest, rel=1e-4)


@pytest.mark.parametrize(
    ("arcs", "said"),
    [
        ([[1.0, 0.0], [0.0, 1.0]], "length of row 2 is 0"),
        ([[1.0, 0.0, 2.0]], "rows of a length"),
        ([], "arcs"),
    ],
)
def test_paths_that_cannot_be_driven(arcs: list[list[float]], said: str) -> None:
    with pytest.raises(bd.ParameterError, match=said):
        bd.DriveArcs(arcs=arcs)
