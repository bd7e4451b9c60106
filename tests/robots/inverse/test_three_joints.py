"""Closed form of arms with three joints: four solutions, their names, and what happens at the borders."""

from __future__ import annotations

import numpy as np
import pytest

from blockdyn.robots import Robot, frames, from_dh, load
from blockdyn.robots.inverse import InvalidTask, InverseKinematicsError, NoClosedForm, ikine3

HALF = np.pi / 2
PUMA = from_dh(
    [{"alpha": HALF}, {"a": 0.4318}, {"a": 0.0203, "d": 0.15005, "alpha": -HALF}],
    tool="Tz(0.4318)",
    name="puma",
)
SLIDE = from_dh(
    [{"d": 0.4, "alpha": -HALF}, {"d": 0.15, "alpha": HALF}, {"theta": -HALF, "kind": "prismatic"}],
    name="slide",
)
ARMS = {
    "without offset": load("3link3d"),
    "puma": PUMA,
    "slide": SLIDE,
    "elsewhere": PUMA.with_base("Tx(1) Ry(20deg)").with_tool("Tx(0.1) Tz(0.3) Rx(1)"),
}


def point(robot: Robot, q: object) -> np.ndarray:
    return frames(robot, q)["tool"][:3, 3]


@pytest.mark.parametrize("name", ARMS)
def test_every_solution_reaches_the_point_and_the_given_one_is_among_them(name: str) -> None:
    robot, rng = ARMS[name], np.random.default_rng(1)
    for _ in range(25):
        q = rng.uniform(-3, 3, 3)
        goal = frames(robot, q)["tool"]
        found = [
            ikine3(robot, goal, configuration=a + b, limits=False, check=False) for a in "rl" for b in "ud"
        ]
        assert [solution.configuration for solution in found] == ["ru", "rd", "lu", "ld"]
        for solution in found:
            if solution.success:
                np.testing.assert_allclose(point(robot, solution.q), goal[:3, 3], rtol=0, atol=1e-13)
        nearest = min(np.abs(np.angle(np.exp(1j * (solution.q - q)))).max() for solution in found)
        assert nearest < 1e-9


def test_elbow_up_is_higher_than_elbow_down() -> None:
    goal = [0.5, 0.1, 0.1]
    for side in "rl":
        up, down = (frames(PUMA, ikine3(PUMA, goal, configuration=side + e).q)["link2"][2, 3] for e in "ud")
        assert up > 0.1 > down


def test_the_arm_passes_its_axis_on_the_named_side() -> None:
    """From above, the hand in front at +x: the plane of the arm lies at y < 0, to the right, or at y > 0."""
    for side, sign in (("r", 1.0), ("l", -1.0)):
        q = ikine3(PUMA, [0.6, 0.0, 0.2], configuration=side).q
        elbow = frames(PUMA, q)["link2"][:3, 3] + frames(PUMA, q)["link1"][:3, 2] * 0.15005
        assert np.sign(-elbow[1]) == sign


def test_limits_and_the_start_choose() -> None:
    limited = PUMA.with_joint("joint3", lower=-0.5, upper=2.0).with_joint("joint1", lower=-2.0, upper=2.0)
    q = np.array([0.3, 0.2, 0.8])
    found = ikine3(limited, point(limited, q), q0=q)
    np.testing.assert_allclose(found.q, q, rtol=0, atol=1e-12)
    every = [ikine3(limited, point(limited, q), configuration=a + b, check=False) for a in "rl" for b in "ud"]
    assert 0 < sum(solution.success for solution in every) < 4
    beyond = next(solution.configuration for solution in every if not solution.success)
    with pytest.raises(InverseKinematicsError, match="breaks limits"):
        ikine3(limited, point(limited, q), configuration=beyond)


def test_out_of_reach() -> None:
    """Upper arm 2 m and forearm 3 m, on a column of 1 m: 5 m from the shoulder."""
    with pytest.raises(InverseKinematicsError, match="2 m out of reach") as caught:
        ikine3("3link3d", [7.0, 0.0, 1.0])
    assert caught.value.solution.distance == pytest.approx(2.0, abs=1e-12)
    assert ikine3("3link3d", [0.0, 0.0, 1.5], check=False).distance == pytest.approx(0.5, abs=1e-12)


def test_other_arms_are_refused() -> None:
    with pytest.raises(NoClosedForm, match=r"6 moving joints.*\n.*three joints in a chain"):
        ikine3("puma560", [0.5, 0, 0])
    with pytest.raises(NoClosedForm, match="axes 1 and 2 are parallel"):
        ikine3("planar3", [0.5, 0, 0])
    with pytest.raises(InvalidTask, match="no wrist"):
        ikine3(PUMA, [0.5, 0, 0], configuration="run")
