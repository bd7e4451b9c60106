"""ConstrainedFDyn with Coulomb friction: joints that stick and slide while the tool is guided."""

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.constrained_fdyn import ConstrainedFDyn
from blockdyn.robots import Joint, Link, Robot, load
from blockdyn.robots.mechanics.bodies import EVERYTHING, work_shape
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.kinematics import WORLD, jacobian
from blockdyn.robots.model.table import COULOMB_MINUS, COULOMB_PLUS

PUMA = load("puma560")
TIGHT = {"rtol": 1e-10, "atol": 1e-13}
M, G, SLOPE = 2.0, 9.81, np.radians(30.0)
C, S = np.cos(SLOPE), np.sin(SLOPE)
NORMAL = [S, 0.0, C, 0.0, 0.0, 0.0]


def bead(along_x, along_z):
    """2 kg that move freely in the plane x, z, each way with its friction."""
    joints = (
        Joint("x", "prismatic", axis=(1, 0, 0), coulomb=along_x),
        Joint("z", "prismatic", parent="cart", axis=(0, 0, 1), coulomb=along_z),
    )
    return Robot("bead", joints, (Link("cart"), Link("bead", mass=M)))


def held(robot, **parameters):
    d = bd.Diagram()
    arm = d.add("arm", ConstrainedFDyn(robot=robot, **parameters))
    d.connect(d.add("tau", bd.Constant(np.zeros(robot.n))), arm["tau"])
    return d


def times(r):
    return [event.time for event in r.events if event.path == "arm"]


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_a_bead_slides_down_a_slope(stabilisation):
    """m s'' = m g sin - Tx cos - Tz sin; across the slope N = m g cos + Tx sin - Tz cos."""
    r = held(bead(1.5, 2.0), rows=NORMAL, stabilisation=stabilisation).simulate(stop=2.0, **TIGHT)
    s = 0.5 * (G * S - (1.5 * C + 2.0 * S) / M) * 4.0
    np.testing.assert_allclose(r.final("arm.q"), [s * C, -s * S], rtol=1e-9)
    np.testing.assert_allclose(r.final("arm.lam"), M * G * C + 1.5 * S - 2.0 * C, rtol=1e-9)
    assert times(r) == []


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_thrown_up_a_slope_it_comes_to_rest_and_stays(stabilisation):
    """Both joints stop at one instant, v = (g sin + (Tx cos + Tz sin) / m) t, and hold m g sin."""
    d = held(bead(8.0, 8.0), rows=NORMAL, qd0=[-3.0 * C, 3.0 * S], stabilisation=stabilisation)
    r = d.simulate(stop=4.0, **TIGHT)
    slows = G * S + 8.0 * (C + S) / M
    assert times(r)[0] == pytest.approx(3.0 / slows, rel=1e-11)
    assert times(r)[-1] == pytest.approx(3.0 / slows, rel=1e-11)
    s = 9.0 / (2 * slows)
    np.testing.assert_allclose(r.final("arm.q"), [-s * C, s * S], rtol=1e-9)
    assert np.all(r.final("arm.qd") == 0.0)
    assert np.all(r.final("arm.qdd") == 0.0)


def test_thrown_up_a_slope_it_turns_back():
    r = held(bead(1.5, 2.0), rows=NORMAL, qd0=[-3.0 * C, 3.0 * S]).simulate(stop=2.0, **TIGHT)
    loss = (1.5 * C + 2.0 * S) / M
    turn = 3.0 / (G * S + loss)
    assert times(r) == pytest.approx([turn] * len(times(r)), rel=1e-11)
    s = 9.0 / (2 * (G * S + loss)) - 0.5 * (G * S - loss) * (2.0 - turn) ** 2
    np.testing.assert_allclose(r.final("arm.q"), [-s * C, s * S], rtol=1e-9)


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_a_growing_force_breaks_it_away(stabilisation):
    """a t along x, up the slope: at rest while |a t cos - m g sin| is within Tx cos + Tz sin."""
    d = bd.Diagram()
    arm = d.add("arm", ConstrainedFDyn(robot=bead(8.0, 8.0), rows=NORMAL, stabilisation=stabilisation))
    push = d.add("push", bd.Ramp(slope=-2.0)) * [1.0, 0.0]
    d.connect(push, arm["tau"])
    hold = 8.0 * (C + S)
    start = (M * G * S + hold) / (2.0 * C)
    r = d.simulate(stop=start + 1.0, **TIGHT)
    np.testing.assert_allclose(r.final("arm.q"), np.array([-C, S]) * 2.0 * C / (6 * M), rtol=1e-8)
    assert times(r)[-1] == pytest.approx(start, rel=1e-10)
    before = r["arm.q"].time < start * (1 - 1e-9)
    assert np.all(r["arm.q"].values[before] == 0.0)


def test_a_joint_that_the_surface_holds_takes_what_its_friction_can():
    """A gantry over a table: z cannot move; of m g its friction takes Tz, the table the rest. x is free."""
    r = held(bead(3.0, 5.0), rows=[0, 0, 1, 0, 0, 0], qd0=[1.5, 0.0]).simulate(stop=3.0, **TIGHT)
    np.testing.assert_allclose(r.final("arm.lam"), M * G - 5.0, rtol=1e-12)
    np.testing.assert_allclose(r.final("arm.q"), [M * 1.5**2 / 6.0, 0.0], rtol=1e-10)
    assert times(r) == pytest.approx([0.0] * (len(times(r)) - 1) + [1.0], abs=1e-11)
    strong = held(bead(3.0, 25.0), rows=[0, 0, 1, 0, 0, 0]).simulate(stop=1.0)
    assert np.all(strong.final("arm.lam") == 0.0)


def test_a_force_that_comes_and_goes_moves_the_load_between_friction_and_table():
    """b sin t down on the gantry's z: the table carries what is beyond Tz, nothing in between."""
    d = bd.Diagram()
    robot = bead(3.0, 5.0).with_gravity((0.0, 0.0, 0.0))
    arm = d.add("arm", ConstrainedFDyn(robot=robot, rows=[0, 0, 1, 0, 0, 0]))
    d.connect(d.add("push", bd.Sine(amplitude=12.0)) * [0.0, -1.0], arm["tau"])
    r = d.simulate(stop=10.0, **TIGHT)
    down = 12.0 * np.sin(r["arm.lam"].time)
    carried = np.sign(down) * np.maximum(np.abs(down) - 5.0, 0.0)
    np.testing.assert_allclose(r["arm.lam"].values[:, 0], carried, atol=1e-9)
    first = np.arcsin(5.0 / 12.0)
    turns = [first, np.pi - first, np.pi + first, 2 * np.pi - first, 2 * np.pi + first, 3 * np.pi - first]
    turns += [3 * np.pi + first]
    assert times(r) == pytest.approx(turns, rel=1e-9)


def law_of_friction(robot, rows, q, qd, qdd, tau, lam, motion):
    """Friction is what is missing in M qdd + h = tau + A^T lam: at its bound against motion, less at rest."""
    arm, bare, work = robot.table(), robot.without_friction("coulomb").table(), np.zeros(work_shape(robot.n))
    needed, J = np.zeros(robot.n), np.zeros((6, robot.n))
    rnea(bare, q, qd, qdd, np.zeros(6), EVERYTHING, work, needed)
    jacobian(arm, q, WORLD, work, J)
    A = np.asarray(rows) @ J
    taken = tau + A.T @ lam - needed
    high, low = arm[:-1, COULOMB_PLUS], -arm[:-1, COULOMB_MINUS]
    assert np.all((taken < high + 1e-8) & (taken > low - 1e-8))
    moving = np.abs(motion) > 1e-9
    expected = np.where(motion > 0, high, low)
    np.testing.assert_allclose(taken[moving], expected[moving], rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("rows", [[[0, 0, 1, 0, 0, 0]], [[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]])
def test_joints_at_rest_are_decided_together(rows):
    """What fulfils the law of friction is the only solution: checked at 20 random poses and torques."""
    random = np.random.default_rng(3)
    high = PUMA.table()[:6, COULOMB_PLUS]
    d = held(PUMA, rows=rows)
    weight, held_still, moved = np.zeros(6), 0, 0
    for _ in range(20):
        q = random.uniform(-2.0, 2.0, 6)
        bare = PUMA.without_friction("coulomb").table()
        rnea(bare, q, np.zeros(6), np.zeros(6), np.zeros(6), EVERYTHING, np.zeros(work_shape(6)), weight)
        tau = weight + random.uniform(-2.5, 2.5, 6) * high
        r = d.simulate(stop=1e-9, set={"arm.q0": q, "tau.value": tau})
        qdd, lam = r["arm.qdd"].values[0], r["arm.lam"].values[0]
        law_of_friction(PUMA, rows, q, np.zeros(6), qdd, tau, lam, motion=qdd)
        J = np.zeros((6, 6))
        jacobian(bare, q, WORLD, np.zeros(work_shape(6)), J)
        np.testing.assert_allclose(np.asarray(rows) @ J @ qdd, 0.0, atol=1e-9)
        still = np.abs(qdd) < 1e-9
        held_still, moved = held_still + int(still.all()), moved + int(not still.all() and still.any())
    assert held_still >= 1
    assert moved >= 5


@pytest.mark.parametrize("stabilisation", ["baumgarte", "projection"])
def test_the_law_of_friction_holds_while_a_puma_wipes_a_table(stabilisation):
    rows = [[0, 0, 1, 0, 0, 0]]
    d = bd.Diagram()
    arm = d.add("arm", ConstrainedFDyn(robot=PUMA, pose="qn", rows=rows, stabilisation=stabilisation))
    push = d.add("push", bd.Sine(amplitude=[30.0, 40.0, 15.0, 2.0, 1.5, 1.0], frequency=[3.0, 4, 5, 6, 7, 8]))
    d.connect(push, arm["tau"])
    r = d.simulate(stop=3.0, rtol=1e-8, atol=1e-10)
    assert len(times(r)) > 20
    names = ("arm.q", "arm.qd", "arm.qdd", "push", "arm.lam")
    for values in list(zip(*(r[name].values for name in names), strict=True))[::5]:
        law_of_friction(PUMA, rows, *values, motion=values[1])


def test_compiled_and_interpreted_agree():
    d = held(PUMA, pose="qn", qd0=0.0)
    compiled, interpreted = (d.simulate(stop=0.004, compiled=c) for c in (True, False))
    for port in ("q", "qd", "F"):
        np.testing.assert_allclose(
            compiled.final(f"arm.{port}"), interpreted.final(f"arm.{port}"), rtol=1e-9, atol=1e-11
        )
