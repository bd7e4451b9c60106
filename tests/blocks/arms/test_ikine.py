"""IKine and SampledIKine in diagrams: solutions, branches, failure as a flag."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.fkine import FKine
from blockdyn.blocks.arms.ikine import IKine, SampledIKine
from blockdyn.robots import load

AWAY = np.array([0.0, 0.7, 3.0, 0.3, 0.8, 0.1])
SPEED = np.array([0.3, 0.2, -0.3, 0.4, 0.2, -0.5])


def moving(robot: str, start: np.ndarray, speed: np.ndarray) -> bd.Diagram:
    """Joint coordinates at constant rates, and the tool's pose."""
    d = bd.Diagram("arm")
    d.add("rates", bd.Constant(speed))
    d.add("q", bd.Integrator(initial=start))
    d.add("tool", FKine(robot=robot))
    d.connect("rates", "q")
    d.connect("q", "tool")
    return d


def angle(a: np.ndarray) -> np.ndarray:
    """Differences of angles, whole turns aside."""
    return np.abs(np.angle(np.exp(1j * a)))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    "facts",
    [
        {"method": "lm", "q0": AWAY},
        {"method": "newton", "q0": AWAY},
        {"method": "closed", "configuration": "run"},
    ],
    ids=["lm", "newton", "closed"],
)
def test_it_undoes_forward_kinematics(facts: dict[str, object], compiled: bool) -> None:
    d = moving("puma560", AWAY, SPEED)
    d.add("inverse", IKine(robot="puma560", **facts))  # type: ignore[arg-type]
    d.connect("tool", "inverse")
    times = np.linspace(0.0, 1.0, 5)
    r = d.simulate(stop=1.0, times=times, log=["q", "inverse"], compiled=compiled)
    assert (r["inverse.success"].values == 1.0).all()
    assert r["inverse.residual"].values.max() < 1e-9
    assert angle(r["inverse.q"].values - r["q"].values).max() < 1e-7


def test_a_sampled_one_follows_its_own_solution() -> None:
    """Joint 1 of the UR5 turns by more than a turn: its solution goes with it, that from q0 does not."""
    start, speed = np.array([0.1, -1.2, 1.3, -0.4, 1.1, 0.2]), np.array([2.5, 0.0, 0.0, 0.0, 0.0, 0.3])
    d = moving("ur5", start, speed)
    d.add("follows", SampledIKine(robot="ur5", q0=start, sample_time=0.05))
    d.add("returns", IKine(robot="ur5", q0=start))
    d.connect("tool", "follows")
    d.connect("tool", "returns")
    r = d.simulate(stop=3.0)
    np.testing.assert_allclose(r.final("follows.q"), start + 3.0 * speed, atol=1e-6)
    assert abs(r.final("returns.q")[0] - start[0]) <= np.pi


def test_a_pose_given_by_an_input_near_it() -> None:
    d = moving("puma560", AWAY, SPEED)
    d.add("inverse", IKine(robot="puma560", method="closed", limits=False, follow=True))
    d.connect("tool", "inverse.T")
    d.connect("q", "inverse.near")
    r = d.simulate(stop=1.0)
    np.testing.assert_allclose(r.final("inverse.q"), AWAY + SPEED, atol=1e-9)


@pytest.mark.parametrize("restarts", [0, 3])
def test_failure_is_a_flag(restarts: int) -> None:
    far = np.eye(4)
    far[0, 3] = 3.0  # two links of 1 m
    d = bd.Diagram("far")
    d.add("pose", bd.Constant(far))
    d.add("inverse", IKine(robot="planar2", mask=[1, 1, 0, 0, 0, 0], q0=[0.3, 0.4], restarts=restarts))
    d.connect("pose", "inverse")
    r = d.simulate(stop=0.1)
    assert r.final("inverse.success") == 0.0
    assert r.final("inverse.residual") == pytest.approx(1.0, abs=1e-6)


def test_the_last_good_solution_is_kept_through_a_failure() -> None:
    near, far = np.eye(4), np.eye(4)
    near[:2, 3], far[0, 3] = (0.2, 1.2), 3.0
    d = bd.Diagram("lost")
    d.add("reach", bd.Step(time=0.15, initial=near, final=far))
    d.add("back", bd.Step(time=0.25, initial=np.zeros((4, 4)), final=near - far))
    d.add("pose", bd.Sum())
    d.connect("reach", "pose[0]")
    d.connect("back", "pose[1]")
    elbow = {"mask": [1, 1, 0, 0, 0, 0], "q0": [1.0, 1.0], "restarts": 0}
    d.add("inverse", SampledIKine(robot="planar2", sample_time=0.1, **elbow))  # type: ignore[arg-type]
    d.connect("pose", "inverse")
    r = d.simulate(stop=0.35, log=["inverse"])
    values = dict(zip(r["inverse.q"].time.values.round(2), r["inverse.q"].values, strict=True))
    assert sorted(set(r["inverse.success"].values)) == [0.0, 1.0]
    np.testing.assert_allclose(values[0.3], values[0.1], atol=1e-8)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"robot": "panda", "method": "closed"}, "it has 7 moving joints, not 6"),
        ({"robot": "puma560", "method": "closed", "configuration": "rr"}, "at most one letter of each pair"),
        ({"robot": "puma560", "configuration": "run"}, "unless the method is closed"),
        ({"robot": "puma560", "pose": "qq"}, "a named pose of puma560: qz, qr, qs, qn"),
        ({"robot": "puma560", "q0": [1.0, 2.0]}, "6 numbers"),
        ({"robot": "puma560", "mask": [1.0, 1.0]}, "mask"),
    ],
)
def test_what_cannot_be_solved_is_refused(facts: dict[str, object], words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        IKine(**facts)  # type: ignore[arg-type]


def test_another_tool_is_another_number_not_another_program() -> None:
    longer = load("puma560").with_tool("Tz(0.2)")
    goal = np.eye(4)
    goal[:3, 3] = 0.5, 0.1, 0.3
    d = bd.Diagram("tool")
    d.add("pose", bd.Constant(goal))
    d.add("inverse", IKine(robot=longer, method="closed"))
    d.add("check", FKine(robot=longer))
    d.connect("pose", "inverse")
    d.connect("inverse.q", "check")
    np.testing.assert_allclose(d.simulate(stop=0.1).final("check"), goal, atol=1e-12)
