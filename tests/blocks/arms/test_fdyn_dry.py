"""FDyn with Coulomb friction: sticking and sliding at exact instants."""

import itertools

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.arms.fdyn import FDyn
from blockdyn.robots import load
from blockdyn.robots.friction import balance, decide
from blockdyn.robots.mechanics.bodies import EVERYTHING, work_shape
from blockdyn.robots.mechanics.energy import gravity_load
from blockdyn.robots.mechanics.inverse_dynamics import rnea
from blockdyn.robots.mechanics.mass_matrix import mass_matrix
from blockdyn.robots.model.table import COULOMB_MINUS, COULOMB_PLUS

from .falling import let_go, slider

PUMA = load("puma560")
TIGHT = {"rtol": 1e-10, "atol": 1e-13}


def times(r):
    return [event.time for event in r.events if event.path == "arm"]


@pytest.mark.parametrize(("speed", "resisting"), [(1.5, 3.0), (-1.5, 5.0)])
def test_a_mass_slides_to_rest(speed, resisting):
    """Friction 3 N against positive, 5 N against negative motion: t = m v / c, x = m v^2 / 2 c."""
    r = let_go(slider(2.0, coulomb=(3.0, 5.0)), qd0=speed).simulate(stop=3.0, **TIGHT)
    assert times(r) == pytest.approx([2.0 * 1.5 / resisting], rel=1e-13)
    np.testing.assert_allclose(r.final("arm.q"), np.sign(speed) * 2.0 * 1.5**2 / (2 * resisting), rtol=1e-12)
    assert r.final("arm.qd") == 0.0
    assert r.final("arm.qdd") == 0.0


@pytest.mark.parametrize("torque", [2.999, -4.999, 3.0, -5.0])
def test_less_than_friction_moves_nothing(torque):
    r = let_go(slider(coulomb=(3.0, 5.0)), torque=torque).simulate(stop=10.0)
    assert times(r) == []
    assert np.all(r["arm.q"].values == 0.0)


@pytest.mark.parametrize(("slope", "level"), [(0.75, 3.0), (-0.75, 5.0)])
def test_a_growing_force_breaks_it_away(slope, level):
    """After t_b = c / a it moves as a (t - t_b)^3 / 6 m."""
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot=slider(2.0, coulomb=(3.0, 5.0))))
    d.connect(d.add("force", bd.Ramp(slope=slope)), d.add("row", bd.Reshape([1])), arm["tau"])
    r = d.simulate(stop=10.0, **TIGHT)
    start = level / abs(slope)
    assert times(r) == pytest.approx([start], rel=1e-11)
    np.testing.assert_allclose(r.final("arm.q"), slope * (10.0 - start) ** 3 / 12.0, rtol=1e-9)


def test_a_mass_on_a_spring_loses_2_c_over_k_a_swing():
    """Every half period pi/w takes 2 c/k of the amplitude, until the spring is too weak to move it."""
    m, k, c = 2.0, 8.0, 1.0
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot=slider(m, coulomb=c), q0=10.5 * c / k))
    d.connect(arm["q"], d.add("spring", bd.Gain(-k)), arm["tau"])
    r = d.simulate(stop=20.0, **TIGHT)
    swing = np.pi / np.sqrt(k / m)
    np.testing.assert_allclose(times(r), swing * np.arange(1, 6), rtol=1e-9)
    np.testing.assert_allclose(r.final("arm.q"), -0.5 * c / k, rtol=1e-8)
    assert r.final("arm.qd") == 0.0


def test_a_sampled_force_moves_it_from_tick_to_tick():
    """A force that is 4 N for 1 s, then 0, on 2 kg with 3 N: it starts at 1 s and stops at 7/3 s."""
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot=slider(2.0, coulomb=3.0)))
    force = d.add("force", bd.PiecewiseConstant(times=[1.0, 2.0], values=[4.0, 0.0]))
    d.connect(force, d.add("row", bd.Reshape([1])), arm["tau"])
    r = d.simulate(stop=5.0, **TIGHT)
    np.testing.assert_allclose(r.final("arm.q"), 0.25 + 0.5**2 / (2 * 1.5), rtol=1e-9)
    assert r.final("arm.qd") == 0.0
    assert times(r)[-1] == pytest.approx(2.0 + 0.5 / 1.5, rel=1e-12)


def test_friction_of_all_joints_holds_an_arm():
    """Gravity asks for 19.62 and 4.905 N m of the horizontal two-link arm."""
    arm = load("twolink")
    for joint, level in zip(arm.joints, (19.7, 5.0), strict=True):
        arm = arm.with_joint(joint.name, coulomb=level)
    r = let_go(arm).simulate(stop=5.0)
    assert times(r) == []
    assert np.all(r["arm.q"].values == 0.0)
    assert np.all(r["arm.qdd"].values == 0.0)
    weaker = arm.with_joint(arm.joints[1].name, coulomb=4.9)
    moved = let_go(weaker).simulate(stop=0.5)
    assert moved.final("arm.q")[1] < 0.0
    # the second link falls with M22 qdd2 = 4.9 - 4.905 N m on 0.25 kg m2
    assert moved["arm.qdd"].values[0, 1] == pytest.approx(-0.005 / 0.25, rel=1e-9)
    assert np.all(moved["arm.q"].values[:, 0] == 0.0)


def consistent(M, b, low, high):
    """All (slide, qdd) that contradict nothing, among the 3^n states of n joints at rest."""
    n = len(b)
    for slide in itertools.product((-1, 0, 1), repeat=n):
        s = np.array(slide)
        free = np.flatnonzero(s)
        qdd = np.zeros(n)
        if free.size:
            friction = np.where(s > 0, high, low)
            qdd[free] = np.linalg.solve(M[np.ix_(free, free)], (b - friction)[free])
        if np.any(qdd[free] * s[free] <= 0):
            continue
        held = (b - M @ qdd)[s == 0]
        if np.all((held <= high[s == 0]) & (held >= low[s == 0])):
            yield s


def test_joints_at_rest_are_decided_together():
    """The one consistent state among all 729 of a Puma, at random poses and torques."""
    arm, n = PUMA.table(), 6
    random = np.random.default_rng(1)
    high, low = arm[:n, COULOMB_PLUS], -arm[:n, COULOMB_MINUS]
    seen = set()
    for _ in range(20):
        q, zero = random.uniform(-2.0, 2.0, n), np.zeros(n)
        work, M, g = np.zeros(work_shape(n)), np.zeros((n, n)), np.zeros(n)
        gravity_load(arm, q, work, g)
        mass_matrix(arm, q, work, M)
        tau = g + random.uniform(-1.6, 1.6, n) * high
        load, factors, qdd, found = np.zeros(n), np.zeros((n, n)), np.zeros(n), np.zeros(n)
        balance(arm, q, zero, tau, np.zeros(6), work, load)
        decide(arm, zero, zero, work, load, factors, qdd, found)
        (expected,) = consistent(M, tau - g, low, high)
        np.testing.assert_array_equal(found, expected)
        seen.add(tuple(found))
        decide(arm, zero, found.copy(), work, load, factors, qdd, found)  # asked again, it says the same
        np.testing.assert_array_equal(found, expected)
    assert len(seen) > 6


def test_the_puma_falls_and_comes_to_rest():
    """Joints 2 and 3 fall from the L pose and stick where friction holds them; the others never move."""
    r = let_go(PUMA).simulate(stop=10.0, rtol=1e-8, atol=1e-10)
    assert len(r.events) == 3
    assert times(r)[-1] < 2.0
    q = r.final("arm.q")
    assert np.all(r.final("arm.qd") == 0.0)
    assert np.all(q[[0, 3, 4, 5]] == 0.0)
    g, arm = np.zeros(6), PUMA.table()
    gravity_load(arm, q, np.zeros(work_shape(6)), g)
    assert np.all((-g <= arm[:6, COULOMB_PLUS]) & (g <= arm[:6, COULOMB_MINUS]))


def test_a_mass_thrown_up_turns_back_without_a_rest():
    """Friction weaker than weight: g + c/m on the way up, g - c/m on the way down."""
    robot = slider(2.0, coulomb=3.0).with_gravity((-9.81, 0.0, 0.0))
    r = let_go(robot, qd0=5.0).simulate(stop=1.0, **TIGHT)
    up = 5.0 / (9.81 + 1.5)
    assert times(r) == pytest.approx([up], rel=1e-12)
    top = 25.0 / (2 * (9.81 + 1.5))
    np.testing.assert_allclose(r.final("arm.q"), top - 0.5 * (9.81 - 1.5) * (1.0 - up) ** 2, rtol=1e-10)


def test_the_law_of_friction_holds_at_every_instant():
    """What inverse dynamics without friction leaves of the torque: its bound while sliding, less at rest."""
    d = bd.Diagram()
    arm = d.add("arm", FDyn(robot="puma560", pose="qn"))
    push = d.add("push", bd.Sine(amplitude=[30.0, 30.0, 15.0, 2.0, 1.5, 1.0], frequency=[3.0, 4, 5, 6, 7, 8]))
    d.connect(push, arm["tau"])
    r = d.simulate(stop=4.0, rtol=1e-8, atol=1e-10)
    assert len(times(r)) > 20
    table, bare = PUMA.table(), PUMA.without_friction("coulomb").table()
    high, low = table[:6, COULOMB_PLUS], -table[:6, COULOMB_MINUS]
    work, needed = np.zeros(work_shape(6)), np.zeros(6)
    names = ("arm.q", "arm.qd", "arm.qdd", "push")
    for q, qd, qdd, tau in list(zip(*(r[name].values for name in names), strict=True))[::5]:
        rnea(bare, q, qd, qdd, np.zeros(6), EVERYTHING, work, needed)
        taken = tau - needed
        moving = np.abs(qd) > 1e-12
        expected = np.where(qd > 0, high, low)
        np.testing.assert_allclose(taken[moving], expected[moving], rtol=1e-9, atol=1e-11)
        assert np.all((taken < high + 1e-10) & (taken > low - 1e-10))


def test_a_robot_without_dry_friction_has_no_events():
    block = FDyn(robot=PUMA.without_friction("coulomb"))
    assert block.zero_crossings() == ()
    assert set(block.functions()) == {"derivative", "output_q", "output_qd", "output_qdd"}
