"""Joint rates from velocities of the tool: inverse, pseudo-inverse, resolved rate."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.handle import Endpoint, Handle
from blockdyn.robots import load

from .one_block import fed, shown

QN = load("puma560").named["qn"]
V = np.array([0.0, 0.05, 0.0, 0.0, 0.0, 0.0])


def jacobian(robot: str, q: object) -> np.ndarray:
    return shown(bd.Jacobian(robot), q=q)["J"]


def test_inverses_against_numpy() -> None:
    J = jacobian("puma560", QN)
    out = shown(bd.InverseJacobian(), J=J, v=V)
    np.testing.assert_allclose(out["Jinv"], np.linalg.inv(J), atol=1e-12)
    np.testing.assert_allclose(out["qd"], np.linalg.solve(J, V), atol=1e-14)
    wide = jacobian("panda", np.full(7, 0.3))
    out = shown(bd.PseudoInverseJacobian(n=7), J=wide, v=V)
    np.testing.assert_allclose(out["Jinv"], np.linalg.pinv(wide), atol=1e-12)
    np.testing.assert_allclose(out["qd"], np.linalg.pinv(wide) @ V, atol=1e-12)
    assert out["condition"] == pytest.approx(np.linalg.cond(wide), rel=1e-10)
    damped = wide.T @ np.linalg.inv(wide @ wide.T + 0.01 * np.eye(6))
    out = shown(bd.PseudoInverseJacobian(n=7, damping=0.1), J=wide, v=V)
    np.testing.assert_allclose(out["Jinv"], damped, atol=1e-12)


def test_a_singular_pose_ends_the_run_or_is_passed_with_damping() -> None:
    """Stretched out, the wrist of the Puma loses an axis: joints 4 and 6 turn about one line."""
    J = jacobian("puma560", np.zeros(6))
    with pytest.raises(bd.RunError, match=r"(?s)block failed at t = 0.0 s: the arm .*PseudoInverseJacobian"):
        fed(bd.InverseJacobian(), J=J).simulate(stop=1.0)
    with pytest.raises(bd.RunError, match=r"(?s)block failed at t = 0.0 s: the arm .*damping"):
        fed(bd.ResolvedRate("puma560"), q=np.zeros(6), v=V).simulate(stop=1.0)
    out = shown(bd.PseudoInverseJacobian(damping=0.05), J=J, v=V)
    assert np.linalg.norm(out["qd"]) <= np.linalg.norm(V) / 0.1
    assert out["condition"] > 1e15
    qd = shown(bd.ResolvedRate("puma560", damping=0.05), q=np.zeros(6), v=V)["qd"]
    np.testing.assert_allclose(qd, out["qd"], atol=1e-12)


def test_the_time_of_the_singular_pose_is_named() -> None:
    """Joint 5 of the Puma passes 0, where the wrist is stretched, at 0.5 s."""
    d = bd.Diagram("passing")
    moving = d.add("clock", bd.Clock()) * [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    q = d.add("q", bd.ZeroOrderHold(sample_time=0.125))
    d.connect(d.add("start", bd.Constant([0.0, 0.8, 3.1, 0.1, -0.5, 0.2])) + moving, q)
    d.connect(q, d.add("J", bd.Jacobian("puma560")), d.add("inverse", bd.InverseJacobian())["J"])
    d.simulate(stop=0.49)
    with pytest.raises(bd.RunError, match=r"inverse failed at t = 0\.5 s: "):
        d.simulate(stop=1.0)


def passing(rates: bd.Block, integrated: bool) -> bd.Diagram:
    """Joint 5 of the Puma goes from 0.5 to -0.43 rad, and passes 0 between two steps."""
    d = bd.Diagram("passing")
    turned = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.1, 0.2, 0.3, 0.4, -0.43, 0.6]
    path = d.add("path", bd.JointTrajectory(q0=turned[0], qf=turned[1], duration=1.0))
    inverse = joined(d, path["q"], rates, [0.1, 0.0, 0.0, 0.0, 0.0, 0.1])
    if integrated:
        d.connect(inverse["qd"], d.add("sum", bd.Integrator(np.zeros(6))))
    return d


def joined(d: bd.Diagram, q: Endpoint, rates: bd.Block, v: list[float]) -> Handle:
    """The block that gives joint rates, under the name inverse."""
    inverse = d.add("inverse", rates)
    if isinstance(rates, bd.InverseJacobian):
        d.connect(q, d.add("J", bd.Jacobian("puma560")), inverse["J"])
    else:
        d.connect(q, inverse["q"])
    d.connect(d.add("v", bd.Constant(v)), inverse["v"])
    return inverse


BOTH = pytest.mark.parametrize(
    ("rates", "remedy"),
    [(bd.InverseJacobian(), "PseudoInverseJacobian"), (bd.ResolvedRate("puma560"), "damping")],
)


@BOTH
@pytest.mark.parametrize(("integrated", "compiled"), [(False, True), (True, True), (False, False)])
def test_a_singular_pose_between_two_steps_is_not_stepped_over(
    rates: bd.Block, remedy: str, integrated: bool, compiled: bool
) -> None:
    """s = 10 u^3 - 15 u^4 + 6 u^5 is 0.5 / 0.93 at the end. In front of it the rates have a pole."""
    roots = np.roots([6.0, -15.0, 10.0, 0.0, 0.0, -0.5 / 0.93])
    (when,) = [r.real for r in roots if abs(r.imag) < 1e-9 and 0.0 < r.real < 1.0]
    with pytest.raises(bd.RunError, match=rf"(?s)inverse failed at .*singular pose.*{remedy}") as caught:
        passing(rates, integrated).simulate(stop=1.0, compiled=compiled)
    assert caught.value.time == pytest.approx(when, abs=1e-5)


@BOTH
@pytest.mark.parametrize("compiled", [True, False])
def test_at_the_edge_of_its_reach_the_arm_is_said_to_be_singular(
    rates: bd.Block, remedy: str, compiled: bool
) -> None:
    """Its elbow straightens there; no joint rates lead on, and the steps would collapse."""
    d = bd.Diagram("reaching")
    q = d.add("q", bd.Integrator(QN))
    inverse = joined(d, q["y"], rates, [0.2, 0.0, 0.0, 0.0, 0.0, 0.0])
    d.connect(inverse["qd"], q)
    with pytest.raises(bd.RunError, match=rf"(?s)inverse failed at .*singular pose.*{remedy}") as caught:
        d.simulate(stop=5.0, compiled=compiled)
    assert caught.value.time == pytest.approx(1.338, abs=0.005)  # a trial step may end it


@BOTH
@pytest.mark.parametrize("compiled", [True, False])
def test_a_singular_pose_that_is_only_touched_is_seen(rates: bd.Block, remedy: str, compiled: bool) -> None:
    """Joint 5 of the Puma is (t - 0.437)^2, as det J nearly is: 0 at one instant, of one sign around it."""
    d = bd.Diagram("touching")
    bend = (d.add("clock", bd.Clock()) - 0.437) ** 2
    q = bend * [0.0, 0.0, 0.0, 0.0, 1.0, 0.0] + [0.1, 0.2, 0.3, 0.4, 0.0, 0.6]
    joined(d, q["y"], rates, [0.1, 0.0, 0.0, 0.0, 0.0, 0.1])
    with pytest.raises(bd.RunError, match=rf"(?s)inverse failed at .*singular pose.*{remedy}") as caught:
        d.simulate(stop=1.0, compiled=compiled)
    assert caught.value.time == pytest.approx(0.437, abs=0.005 if compiled else 0.02)


@pytest.mark.parametrize("integrated", [False, True])
@pytest.mark.parametrize("compiled", [True, False])
def test_with_more_joints_than_rows_no_singular_pose_is_stepped_over(
    integrated: bool, compiled: bool
) -> None:
    """The wrist's centre of a Puma: three rows, six joints. The elbow is straight at tan q3 = -d4 / a3."""
    straight = float(np.arctan2(0.4318, -0.0203))
    d = bd.Diagram("elbow")
    moved = d.add("clock", bd.Clock()) * [0.1, 0.2, 0.3, 0.3, 0.1, 0.2]
    q = d.add("start", bd.Constant([0.1, 0.9, straight - 0.3 * 0.437, 0.4, 0.5, 0.6])) + moved
    inverse = d.add("inverse", bd.ResolvedRate("puma560", part="trans"))
    d.connect(q, inverse["q"])
    d.connect(d.add("v", bd.Constant([0.1, 0.0, 0.1])), inverse["v"])
    if integrated:
        d.connect(inverse["qd"], d.add("sum", bd.Integrator(np.zeros(6))))
    with pytest.raises(bd.RunError, match=r"(?s)inverse failed at .*PseudoInverseJacobian") as caught:
        d.simulate(stop=1.0, compiled=compiled)
    assert caught.value.time == pytest.approx(0.437, abs=0.002 if compiled else 0.02)


def test_with_damping_the_singular_pose_is_no_event() -> None:
    result = passing(bd.ResolvedRate("puma560"), False).simulate(stop=1.0, set={"inverse.damping": 0.01})
    assert result.complete
    assert not [event for event in result.events if event.path == "inverse"]


def resolved(q0: np.ndarray, stop: float, sample_time: float | None = None) -> bd.Diagram:
    d = bd.Diagram("rrmc")
    rate = d.add("rate", bd.ResolvedRate("puma560"))
    servo = (
        bd.Integrator(q0)
        if sample_time is None
        else bd.DiscreteIntegrator(sample_time=sample_time, initial=q0)
    )
    q = d.add("q", servo)
    d.connect(d.add("v", bd.Constant(V)), rate["v"])
    d.connect(rate, q, rate["q"])
    d.connect(q, d.add("pose", bd.FKine("puma560")))
    return d


def test_the_tool_moves_along_a_line() -> None:
    """sl_rrmc of the Robotics Toolbox: 5 cm/s along y. Its servo of 50 ms drifts by 0.5 mm in x."""
    exact = resolved(QN, 5.0).simulate(stop=5.0, rtol=1e-9, atol=1e-12)
    start, end = exact["pose"].values[0], exact.final("pose")
    np.testing.assert_allclose(end[:3, 3], start[:3, 3] + [0.0, 0.25, 0.0], atol=1e-7)
    np.testing.assert_allclose(end[:3, :3], start[:3, :3], atol=1e-7)
    servo = resolved(QN, 5.0, 0.05).simulate(stop=5.0)
    np.testing.assert_allclose(servo.final("q"), [0.4172, 0.8026, 3.1063, 0.5526, 0.8826, -0.3732], atol=6e-5)
    np.testing.assert_allclose(servo.final("pose")[:3, 3], [0.5958, 0.0999, -0.0144], atol=6e-5)


def test_only_the_linear_part_of_a_planar_arm() -> None:
    """Two links of 1 m at right angles: the tip is at (1, 1), its Jacobian is [[-1, -1], [1, 0]]."""
    block = bd.ResolvedRate("planar2", part="trans")
    qd = shown(block, q=[0.0, np.pi / 2], v=[0.3, -0.2, 0.0])["qd"]
    np.testing.assert_allclose(qd, [-0.2, -0.1], atol=1e-14)
