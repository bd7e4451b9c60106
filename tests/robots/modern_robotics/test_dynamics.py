"""Chapter 8 of Modern Robotics: worked examples (NxRLab/ModernRobotics), and random chains against Lagrange.

The first screw axis of the examples has the length sqrt 2: it is data, used as it is.
"""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest

import blockdyn.modern_robotics as mr
from blockdyn.robots.errors import InvalidRobot
from blockdyn.robots.lie import GroupError, NonUnitScrew, WrongShape

pytestmark = pytest.mark.filterwarnings("ignore::blockdyn.robots.lie.checks.NonUnitScrew")


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


def test_worked_examples(arm):
    th, rate, g, tip = arm.theta, arm.rate, arm.g, arm.tip
    close(
        mr.InverseDynamics(th, rate, [2, 1.5, 1], g, tip, *arm.true), [74.69616155, -33.06766016, -3.23057314]
    )
    close(mr.VelQuadraticForces(th, rate, *arm.true), [0.26453118, -0.05505157, -0.00689132])
    close(mr.GravityForces(th, g, *arm.true), [28.40331262, -37.64094817, -5.4415892])
    close(mr.EndEffectorForces(th, tip, *arm.true), [1.40954608, 1.85771497, 1.392409])
    found = mr.ForwardDynamics(th, rate, [0.5, 0.6, 0.7], g, tip, *arm.true)
    close(found, [-0.97392907, 25.58466784, -32.91499212])
    M = [
        [2.25433380e01, -3.07146754e-01, -7.18426391e-03],
        [-3.07146754e-01, 1.96850717e00, 4.32157368e-01],
        [-7.18426391e-03, 4.32157368e-01, 1.91630858e-01],
    ]
    np.testing.assert_allclose(mr.MassMatrix(th, *arm.true), M, rtol=3e-9)
    theta, speed = mr.EulerStep(th, rate, [2, 1.5, 1], 0.1)
    close(theta, [0.11, 0.12, 0.13])
    close(speed, [0.3, 0.35, 0.4])


def chain(seed: int, n: int, *, unit: bool, pitched: bool):
    """A random chain with revolute, prismatic and, where asked, helical joints; Mlist, Glist, Slist."""
    rng = np.random.default_rng(seed)

    def pose():
        return mr.MatrixExp6(mr.VecTose3(rng.uniform(-1.5, 1.5, 6)))

    glist = []
    for _ in range(n):
        A, m = rng.normal(size=(3, 3)), rng.uniform(0.5, 3.0)
        G = np.zeros((6, 6))
        G[:3, :3], G[3:, 3:] = A @ A.T + np.eye(3), m * np.eye(3)
        X = mr.Adjoint(pose())
        glist.append(X.T @ G @ X)  # a body whose frame is not at its centre of mass
    slist = rng.uniform(-1.0, 1.0, (6, n))
    for i in range(n):
        kind = rng.integers(3 if pitched else 2)
        if kind == 0:
            slist[:3, i] = 0.0
        elif kind == 1:
            slist[3:, i] = np.cross(rng.uniform(-1.0, 1.0, 3), slist[:3, i])
        if unit:
            slist[:, i] /= np.linalg.norm(slist[:3, i]) or np.linalg.norm(slist[3:, i])
    return np.array([pose() for _ in range(n + 1)]), np.array(glist), slist


def links(model, theta):
    """Pose and body Jacobian of every link, by the functions of chapters 4 and 5."""
    mlist, _, slist = model
    home = np.eye(4)
    for i in range(slist.shape[1]):
        home = home @ mlist[i]
        J = np.zeros_like(slist)
        body = mr.Adjoint(mr.TransInv(home)) @ slist[:, : i + 1]
        J[:, : i + 1] = mr.JacobianBody(body, theta[: i + 1])
        yield mr.FKinSpace(home, slist[:, : i + 1], theta[: i + 1]), J


def kinetic(model, theta):
    """The mass matrix as the sum of J^T G J."""
    return sum(J.T @ G @ J for (_, J), G in zip(links(model, theta), model[1], strict=True))


def potential(model, theta, g):
    """-g . (mass times centre of mass), summed up."""
    total = 0.0
    for (T, _), G in zip(links(model, theta), model[1], strict=True):
        mass, moment = G[3, 3], mr.so3ToVec(G[:3, 3:])
        total -= g @ (T[:3, :3] @ moment + mass * T[:3, 3])
    return total


CHAINS = [
    (1, 1, True, False),
    (2, 3, False, False),
    (3, 4, True, True),
    (4, 6, False, True),
    (5, 9, True, False),
]


@pytest.mark.parametrize(("seed", "n", "unit", "pitched"), CHAINS)
def test_random_chains_obey_lagrange(seed, n, unit, pitched):
    model, rng = chain(seed, n, unit=unit, pitched=pitched), np.random.default_rng(seed)
    theta, rate, acceleration = rng.uniform(-1, 1, (3, n))
    g, tip, h = np.array([1.0, -2.0, -9.0]), rng.uniform(-1, 1, 6), 1e-5
    M = kinetic(model, theta)
    np.testing.assert_allclose(mr.MassMatrix(theta, *model), M, atol=1e-12 * abs(M).max())

    steps = h * np.eye(n)
    slopes = np.array([(kinetic(model, theta + s) - kinetic(model, theta - s)) / (2 * h) for s in steps])
    c = np.einsum("kij,k,j->i", slopes, rate, rate) - 0.5 * np.einsum("kij,i,j->k", slopes, rate, rate)
    weight = [(potential(model, theta + s, g) - potential(model, theta - s, g)) / (2 * h) for s in steps]
    home = np.linalg.multi_dot([*model[0], np.eye(4)])
    push = mr.JacobianBody(mr.Adjoint(mr.TransInv(home)) @ model[2], theta).T @ tip
    tau = M @ acceleration + c + weight + push
    np.testing.assert_allclose(mr.VelQuadraticForces(theta, rate, *model), c, atol=1e-7 * abs(M).max())
    np.testing.assert_allclose(mr.GravityForces(theta, g, *model), weight, atol=1e-6)
    np.testing.assert_allclose(mr.EndEffectorForces(theta, tip, *model), push, atol=1e-11)
    found = mr.InverseDynamics(theta, rate, acceleration, g, tip, *model)
    np.testing.assert_allclose(found, tau, atol=1e-6 * abs(M).max())
    back = mr.ForwardDynamics(theta, rate, found, g, tip, *model)
    np.testing.assert_allclose(back, acceleration, atol=1e-9)


def test_lists_do_for_arrays_and_results_are_the_callers_own(arm):
    lists = [part.tolist() for part in arm.true]
    first = mr.ForwardDynamics(
        arm.theta.tolist(), [[0.1], [0.2], [0.3]], (0.5, 0.6, 0.7), [0, 0, -9.8], [1] * 6, *lists
    )
    kept = first.copy()
    mr.ForwardDynamics(np.zeros(3), np.zeros(3), np.zeros(3), arm.g, arm.tip, *arm.true)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(
        first, mr.ForwardDynamics(arm.theta, arm.rate, [0.5, 0.6, 0.7], arm.g, arm.tip, *arm.true)
    )


def test_one_joint_may_be_given_as_a_number():
    """A bar of 2 kg that turns about y through its end, its centre at 0.5 m along x: g m r cos(theta)."""
    home = [mr.RpToTrans(np.eye(3), [0.5, 0, 0]), np.eye(4)]
    bar = [np.diag([0.0, 0.1, 0.1, 2.0, 2.0, 2.0])]
    axis = [[0], [-1], [0], [0], [0], [0]]
    np.testing.assert_allclose(mr.GravityForces(0.3, [0, 0, -9.81], home, bar, axis), [9.81 * np.cos(0.3)])
    np.testing.assert_allclose(mr.MassMatrix(0.3, home, bar, axis), [[0.1 + 2.0 * 0.25]])


def test_a_model_that_is_changed_in_place_is_seen(arm):
    mlist, glist, slist = (part.copy() for part in arm.true)
    before = mr.GravityForces(arm.theta, arm.g, mlist, glist, slist)
    glist *= 2.0
    np.testing.assert_allclose(
        mr.GravityForces(arm.theta, arm.g, mlist, glist, slist), 2.0 * before, rtol=1e-13
    )


def test_threads_do_not_mix_their_numbers(arm):
    wrong = []

    def work(scale: float) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = mr.InverseDynamics(scale * arm.theta, arm.rate, arm.rate, arm.g, arm.tip, *arm.true)
        for _ in range(2000):
            found = mr.InverseDynamics(scale * arm.theta, arm.rate, arm.rate, arm.g, arm.tip, *arm.true)
            if not np.array_equal(found, expected):
                wrong.append(scale)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_without_inertia_nothing_can_be_accelerated(arm):
    with pytest.raises(np.linalg.LinAlgError):
        mr.ForwardDynamics(
            arm.theta, arm.rate, arm.rate, arm.g, arm.tip, arm.true[0], 0 * arm.true[1], arm.true[2]
        )


def test_a_negative_mass_still_has_a_solution(arm):
    """The equations are solved whatever the signs, as by the library's inverse."""
    glist = arm.true[1].copy()
    glist[2] = -0.01 * glist[2]
    model = arm.true[0], glist, arm.true[2]
    found = mr.ForwardDynamics(arm.theta, arm.rate, arm.rate, arm.g, arm.tip, *model)
    close(mr.InverseDynamics(arm.theta, arm.rate, found, arm.g, arm.tip, *model), arm.rate)


@pytest.mark.filterwarnings("default")
def test_the_axis_that_is_not_unit_is_named_once_a_model(arm):
    model = arm.true[0], 1.25 * arm.true[1], arm.true[2]
    with pytest.warns(NonUnitScrew, match=r"1 \(length 1\.41421\)") as caught:
        first, second = (mr.GravityForces(arm.theta, arm.g, *model) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert [warning.filename for warning in caught] == [__file__]


def test_bad_models_and_states_are_refused(arm):
    mlist, glist, slist = arm.true
    with pytest.raises(WrongShape, match=r"Mlist: found shape \(3, 4, 4\)\nexpected: shape \(4, 4, 4\)"):
        mr.MassMatrix(arm.theta, mlist[:3], glist, slist)
    bent = mlist.copy()
    bent[1, 0, 0] = 0.3
    with pytest.raises(GroupError, match=r"Mlist\[1\] is not a pose: the rotation part is off by 0\.3"):
        mr.MassMatrix(arm.theta, bent, glist, slist)
    odd = glist.copy()
    odd[2, 3, 3] = 5.0
    with pytest.raises(InvalidRobot, match=r"Glist\[2\]: no rigid body has this spatial inertia"):
        mr.MassMatrix(arm.theta, mlist, odd, slist)
    with pytest.raises(WrongShape, match=r"dthetalist: found shape \(2,\)\nexpected: 3 numbers"):
        mr.ForwardDynamics(arm.theta, [0, 0], arm.rate, arm.g, arm.tip, *arm.true)
    with pytest.raises(WrongShape, match=r"Ftip: found 'none'"):
        mr.ForwardDynamics(arm.theta, arm.rate, arm.rate, arm.g, "none", *arm.true)
