"""ConstrainedFDyn: tools on planes and circles, against closed forms and the augmented equations."""

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.constrained_fdyn import ConstrainedFDyn
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.robots import Joint, Link, Robot, load
from blockdyn.robots.mechanics.bodies import EVERYTHING, work_shape
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.kinematics import BODY, WORLD, jacobian, tool_pose
from blockdyn.robots.mechanics.mass_matrix import mass_matrix

PUMA = load("puma560").without_friction("coulomb")
SLOPE = np.radians(30.0)
NORMAL = [np.sin(SLOPE), 0.0, np.cos(SLOPE), 0.0, 0.0, 0.0]


def bead(mass=2.0):
    """A point that moves freely in the plane x, z."""
    joints = (Joint("x", "prismatic", axis=(1, 0, 0)), Joint("z", "prismatic", parent="cart", axis=(0, 0, 1)))
    return Robot("bead", joints, (Link("cart"), Link("bead", mass=mass)))


def held(robot, torque=0.0, **parameters):
    d = bd.Diagram()
    arm = d.add("arm", ConstrainedFDyn(robot=robot, **parameters))
    d.connect(d.add("tau", bd.Constant(np.zeros(robot.n) + torque)), arm["tau"])
    return d


def tool(robot, q):
    pose = np.zeros((4, 4))
    tool_pose(robot.table(), q, np.zeros(work_shape(robot.n)), pose)
    return pose


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_a_bead_slides_down_a_slope(stabilisation):
    """s = g sin(30) t^2 / 2 along it; the slope carries m g cos(30)."""
    r = held(bead(), rows=NORMAL, stabilisation=stabilisation).simulate(stop=2.0, rtol=1e-9)
    s = 0.5 * 9.81 * np.sin(SLOPE) * 4.0
    np.testing.assert_allclose(r.final("arm.q"), [s * np.cos(SLOPE), -s * np.sin(SLOPE)], rtol=1e-9)
    np.testing.assert_allclose(r.final("arm.lam"), 2.0 * 9.81 * np.cos(SLOPE), rtol=1e-9)
    np.testing.assert_allclose(
        r.final("arm.F")[:3], 2.0 * 9.81 * np.cos(SLOPE) * np.array(NORMAL[:3]), atol=1e-8
    )


def on_a_ring(**parameters):
    """Je is an input, the direction of the radius."""
    d = bd.Diagram()
    arm = d.add("arm", ConstrainedFDyn(robot=bead(), count=1, q0=[1.0, 0.0], **parameters))
    d.connect(d.add("tau", bd.Constant([0.0, 0.0])), arm["tau"])
    pick = [[1, 0], [0, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
    for source, target in (("q", "Je"), ("qd", "Je_dot")):
        picked = d.add(f"pick_{source}", bd.MatrixGain(pick))
        d.connect(arm[source], picked, d.add(f"row_{source}", bd.Reshape([1, 6])), arm[target])
    return d, arm


@pytest.mark.parametrize("compiled", [True, False])
def test_the_start_off_a_constraint_that_comes_as_an_input_is_an_error(compiled):
    """The radius is along x, so qd0 = (0.25, 1) leaves the ring at 0.25 m/s."""
    d, _ = on_a_ring(qd0=[0.25, 1.0])
    with pytest.raises(bd.RunError, match=r"arm failed at t = 0.0 s: .* row 0 of Je J qd is 0.25 ") as caught:
        d.simulate(stop=1.0, compiled=compiled)
    assert caught.value.time == 0.0
    assert on_a_ring(qd0=[0.0, 1.0])[0].simulate(stop=0.1, compiled=compiled).complete


def test_a_bead_on_a_ring_is_a_pendulum():
    """At the bottom v^2 = 2 g r, and the ring carries 3 m g."""
    d, arm = on_a_ring()
    d.connect(
        arm["q"], d.add("x", bd.Selector(0)), d.add("left", bd.Compare("<", 0.0)), d.add("end", bd.Stop())
    )
    r = d.simulate(stop=3.0, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r.final("arm.q"), [0.0, -1.0], atol=1e-8)
    np.testing.assert_allclose(r.final("arm.qd"), [-np.sqrt(2 * 9.81), 0.0], atol=1e-7)
    np.testing.assert_allclose(r.final("arm.F")[2], 3 * 2.0 * 9.81, rtol=1e-7)
    quarter = 1.8540746773013719 / np.sqrt(9.81)  # K(1/sqrt 2)
    np.testing.assert_allclose(r["arm.q"].time[-1], quarter, rtol=1e-8)


@pytest.mark.parametrize("frame", ["world", "body"])
def test_solves_the_augmented_equations(frame):
    """[M, -A^T; A, 0] [qdd; lam] = [tau - h; -dA/dt qd], dA/dt from differences of the Jacobian."""
    rows = np.array([[0, 0, 1, 0, 0, 0], [0.6, 0, 0, 0, 0.8, 0]])
    sense, arm, work = (BODY if frame == "body" else WORLD), PUMA.table(), np.zeros(work_shape(6))
    q = PUMA.named["qn"] + [0.1, 0.2, -0.1, 0.3, 0.2, -0.4]

    def A(q):
        J = np.zeros((6, 6))
        jacobian(arm, q, sense, work, J)
        return rows @ J

    qd = np.linalg.svd(A(q))[2][2:].T @ [0.5, -1.0, 0.7, 0.2]
    tau = np.array([5.0, -30.0, 10.0, 1.0, 0.5, 0.1])
    r = held(PUMA, torque=tau, rows=rows, frame=frame, q0=q, qd0=qd).simulate(stop=1e-6)
    M, h = np.zeros((6, 6)), np.zeros(6)
    mass_matrix(arm, q, work, M)
    rnea(arm, q, qd, np.zeros(6), np.zeros(6), EVERYTHING, work, h)
    Ad = (A(q + 1e-6 * qd) - A(q - 1e-6 * qd)) / 2e-6
    whole = np.block([[M, -A(q).T], [A(q), np.zeros((2, 2))]])
    x = np.linalg.solve(whole, np.concatenate([tau - h, -Ad @ qd]))
    np.testing.assert_allclose(r["arm.qdd"].values[0], x[:6], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(r["arm.lam"].values[0], x[6:], rtol=1e-6)
    F = rows.T @ x[6:]
    if frame == "body":
        F = np.kron(np.eye(2), tool(PUMA, q)[:3, :3]) @ F
    np.testing.assert_allclose(r["arm.F"].values[0], F, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_a_tool_stays_on_its_plane(stabilisation):
    d = held(PUMA, pose="qn", rows=NORMAL, stabilisation=stabilisation)
    r = d.simulate(stop=10.0, rtol=1e-6, atol=1e-8)
    start = tool(PUMA, r["arm.q"].values[0])[:3, 3]
    away = [NORMAL[:3] @ (tool(PUMA, q)[:3, 3] - start) for q in r["arm.q"].values[::10]]
    assert np.abs(away).max() < 1e-6


def test_rows_that_repeat_others_change_nothing():
    once = held(PUMA, pose="qn").simulate(stop=0.2)
    again = held(PUMA, pose="qn", rows=[[0, 0, 1, 0, 0, 0], [0, 0, 2, 0, 0, 0]]).simulate(stop=0.2)
    np.testing.assert_allclose(again.final("arm.q"), once.final("arm.q"), rtol=1e-12)
    np.testing.assert_allclose(again.final("arm.lam"), [*once.final("arm.lam"), 0.0], rtol=1e-9)


def test_compiled_and_interpreted_agree():
    d = held(PUMA, pose="qn", rows=NORMAL, stabilisation="projection")
    compiled, interpreted = (d.simulate(stop=0.05, compiled=c) for c in (True, False))
    for port in ("q", "qd", "F"):
        np.testing.assert_allclose(
            compiled.final(f"arm.{port}"), interpreted.final(f"arm.{port}"), rtol=1e-10, atol=1e-12
        )


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"qd0": [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]}, r"Je J qd0 = 0, but it is \[0.59"),
        ({"at": [0.0, 0.0, 0.5]}, r"off by \[-0.514"),
        ({"rows": [0, 0, 1]}, "six numbers"),
    ],
)
def test_refuses_a_start_off_the_constraint(parameters, told):
    with pytest.raises(ParameterError, match=told):
        ConstrainedFDyn(**{"robot": PUMA, "pose": "qn", **parameters})
