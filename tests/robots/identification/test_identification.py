"""Base parameters, exciting motions and the identification of arms, against counts and laws of statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn import robots
from blockdyn.robots import IdentificationError, functions as of

LIMITS: Any = {"speed": [1.5, 1.2, 1.8, 3.0, 3.0, 4.0], "acceleration": [5.0, 5.0, 6.0, 20.0, 20.0, 25.0]}
NOISE = np.array([1.0, 1.0, 0.5, 0.1, 0.1, 0.1])


@pytest.fixture(scope="module")
def puma() -> Any:
    """The base parameters of the Puma 560, with friction and motors."""
    return robots.base_parameters("puma560")


@pytest.fixture(scope="module")
def motion(puma: Any) -> Any:
    """A motion that excites them."""
    return robots.exciting_trajectory(puma, **LIMITS, criterion="log_det", evaluations=300)


@pytest.fixture(scope="module")
def measured(motion: Any) -> tuple[Any, Any, np.ndarray]:
    """A Puma with other masses, the motion, and the torques that it takes, without noise."""
    actual = robots.load("puma560").perturb(0.2, 0, com=True)
    m = motion.at(1001)
    return actual, m, of.rne(actual, m.q, m.qd, m.qdd)


def mimicking() -> robots.Robot:
    """A planar arm whose third joint moves by -1.5 times the first one, against it."""
    arm = robots.load("planar3")
    links = tuple(replace(link, mass=1.0 + i, com=(0.1, 0.2, 0.3), inertia=(0.1, 0.2, 0.25))
                  for i, link in enumerate(arm.links))  # fmt: skip
    arm = replace(arm, links=links, poses=())
    arm = replace(arm, joints=tuple(replace(j, motor_inertia=0.3, viscous=0.2, coulomb=(0.5, 0.7))
                                    for j in arm.joints))  # fmt: skip
    return arm.with_joint(arm.joints[2].name, mimic=arm.joints[0].name, multiplier=-1.5)


@pytest.mark.parametrize("arm", ["puma560", "panda", "stanford", "p8", mimicking()], ids=str)
def test_torques_are_the_regressor_times_the_parameters(arm: Any) -> None:
    arm = robots.load(arm) if isinstance(arm, str) else arm
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 5, arm.n))
    for gravity, friction, armature in [(True, True, True), (False, True, False), (True, False, True)]:
        Y = of.regressor(arm, q, qd, qdd, gravity=gravity, friction=friction, armature=armature)
        theta = robots.standard_parameters(arm, friction=friction, armature=armature)
        tau = of.rne(arm, q, qd, qdd, gravity=gravity, friction=friction, armature=armature)
        assert np.abs(Y @ theta.values - tau).max() <= 1e-14 * (1 + np.abs(tau).max())
        assert Y.shape[2] == len(theta.names) == len(theta.units)


@pytest.mark.parametrize(
    ("name", "parallel"),
    [("onelink", 1), ("planar3", 3), ("puma560", 1), ("puma560akb", 1), ("ur5", 1), ("panda", 1)],
)
def test_the_number_of_base_parameters_is_the_one_of_mayeda(name: str, parallel: int) -> None:
    """7 N - 4 b - 2 with gravity along the first axis, otherwise 7 N - 4 b.

    For N revolute joints whose neighbouring axes are parallel or at right angles, of which the first b are
    parallel; rigid links without motors. Mayeda, Yoshida, Osuka, Base parameters of manipulator dynamic
    models, IEEE Trans. Robotics and Automation 6(3), 1990. The Puma 560 has 36.
    """
    arm = robots.load(name)
    axis = of.link_poses(arm, np.zeros(arm.n))[0, :3, :3] @ arm.table()[0, 31:40].reshape(3, 3).T[:, 2]
    for gravity, fewer in ((9.81 * axis, 2), (9.81 * axis + [1.0, 2.0, 3.0], 0)):
        base = robots.base_parameters(arm.with_gravity(gravity), friction=False, armature=False)
        assert base.count == 7 * arm.n - 4 * parallel - fewer
        assert base.gap > 1e6


def test_motors_of_the_first_two_joints_of_a_puma_join_the_links(puma: Any) -> None:
    """Four armatures and 18 numbers of friction remain: 36 + 4 + 18."""
    assert puma.count == 58
    assert robots.base_parameters("puma560", friction=False).count == 40
    assert {"Ia3", "Ia4", "Ia5", "Ia6"} <= set(puma.short)
    assert not {"Ia1", "Ia2"} & {*puma.short, *puma.no_effect}
    assert puma.names[0].startswith("Izz1 + Ia1 + Iyy2")


@pytest.mark.parametrize("arm", ["puma560", "stanford", "panda"])
def test_base_parameters_give_all_torques(arm: str) -> None:
    base = robots.base_parameters(arm)
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 40, base.robot.n))
    Y, small = of.regressor(arm, q, qd, qdd), base.regressor(q, qd, qdd)
    scale = np.abs(Y).max()
    assert np.abs(small @ base.mapping - Y).max() < 1e-9 * scale
    tau = of.rne(arm, q, qd, qdd)
    assert np.abs(small @ base.values - tau).max() < 1e-12 * (1 + np.abs(tau).max())
    rows = small.reshape(-1, base.count)
    assert np.linalg.matrix_rank(rows / np.linalg.norm(rows, axis=0)) == base.count


def test_an_exciting_motion_keeps_its_limits_and_comes_back(puma: Any, motion: Any) -> None:
    m, limits = motion.at(7001), motion.limits
    assert (m.q > limits.lower).all()
    assert (m.q < limits.upper).all()
    assert (np.abs(m.qd) < limits.speed).all()
    assert (np.abs(m.qdd) < limits.acceleration).all()
    assert np.abs([m.qd[0], m.qd[-1], m.qdd[0], m.qdd[-1]]).max() < 1e-12
    again = robots.exciting_trajectory(puma, **LIMITS, criterion="log_det", evaluations=300)
    assert again.options == motion.options
    fewer = robots.exciting_trajectory(puma, **LIMITS, criterion="log_det", evaluations=30)
    assert motion.log_det > fewer.log_det
    best = robots.exciting_trajectory(puma, **LIMITS, evaluations=300)
    assert best.condition < best.start_condition
    rows = puma.regressor(m.q, m.qd, m.qdd).reshape(-1, puma.count)
    condition = np.linalg.cond(rows / np.linalg.norm(rows, axis=0))
    assert condition == pytest.approx(motion.condition, rel=0.05)


def test_the_blocks_follow_the_motion_and_give_its_torques(puma: Any, motion: Any) -> None:
    d = bd.Diagram("regressor")
    d.add("motion", bd.FourierTrajectory(**motion.options, start=0.5))
    d.add("Y", bd.Regressor("puma560", minimal=True))
    d.add("rne", bd.RNE("puma560"))
    d.connect(d["motion"]["qd"], d.add("q", bd.Integrator(motion.at([0.0]).q[0])))
    for name in ("q", "qd", "qdd"):
        d.connect(d["motion"][name], d["Y"][name])
        d.connect(d["motion"][name], d["rne"][name])
    r = d.simulate(times=np.linspace(0.0, 11.0, 111))
    tau = r["rne.tau"].values
    assert np.abs(r["Y.Y"].values @ puma.values - tau).max() < 1e-12 * np.abs(tau).max()
    inside = np.flatnonzero((r["q"].time > 0.5) & (r["q"].time < 10.5))
    m = motion.at(r["q"].time[inside] - 0.5)
    for name in ("q", "qd", "qdd"):
        np.testing.assert_allclose(r[f"motion.{name}"].values[inside], getattr(m, name), rtol=0, atol=1e-12)
    np.testing.assert_allclose(r["q"].values, r["motion.q"].values, rtol=0, atol=1e-4)
    assert not r["motion.qd"].values[-1].any()


def test_torques_without_noise_give_the_arm_back(puma: Any, measured: Any) -> None:
    actual, m, tau = measured
    identified = robots.identify("puma560", m.time, m.q, tau, qd=m.qd, qdd=m.qdd)
    assert np.abs(identified.values - puma.of(actual)).max() < 1e-11
    assert identified.nearest.problems == ()
    q, qd, qdd = np.random.default_rng(5).normal(size=(3, 6))
    expected = of.rne(actual, q, qd, qdd)
    np.testing.assert_allclose(of.rne(identified.robot, q, qd, qdd), expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(identified.predict(q, qd, qdd), expected, rtol=0, atol=1e-10)
    # possible bodies: the pseudo-inertia of Wensing, Kim, Slotine (2018) has no eigenvalue below 0
    for link in identified.robot.links:
        moments = np.linalg.eigvalsh(np.array(link.inertia))
        assert link.mass >= 0.0
        assert moments[2] <= moments[0] + moments[1] + 1e-12


@pytest.mark.parametrize("sigma", [None, NOISE])
def test_95_of_100_intervals_hold_the_actual_value(puma: Any, measured: Any, sigma: Any) -> None:
    actual, m, tau = measured
    rng = np.random.default_rng(3)
    hits, runs, scores = 0, 8, []
    for _ in range(runs):
        noisy = tau + NOISE * rng.standard_normal(tau.shape)
        found = robots.identify(puma, m.time, m.q, noisy, qd=m.qd, qdd=m.qdd, noise=sigma)
        low, high = found.intervals(0.95).T
        hits += int(((low <= puma.of(actual)) & (puma.of(actual) <= high)).sum())
        scores.append((found.values - puma.of(actual)) / found.errors)
        np.testing.assert_allclose(found.noise, NOISE, rtol=0.15)
    # 464 intervals: a standard deviation of 1 %, if they were independent
    assert 0.92 < hits / (runs * puma.count) < 0.98
    assert np.std(scores) == pytest.approx(1.0, abs=0.1)
    assert puma.of(found.robot)[:26] == pytest.approx(found.values[:26], abs=1e-9)


def test_positions_alone_are_enough(puma: Any, motion: Any) -> None:
    """Speeds and accelerations by a zero-phase filter and differences; encoders with 1e-4 rad of noise."""
    actual, t = robots.load("puma560").perturb(0.2, 0, com=True), np.arange(0.0, 10.0, 2e-3)
    m = motion.at(t)
    rng = np.random.default_rng(7)
    tau = of.rne(actual, m.q, m.qd, m.qdd) + NOISE * rng.standard_normal(m.q.shape)
    found = robots.identify(puma, t, m.q + 1e-4 * rng.standard_normal(m.q.shape), tau, cutoff=8.0)
    score = np.abs(found.values - puma.of(actual)) / found.errors
    assert np.median(score) < 1.0
    assert (score < 4.0).all()
    large = np.abs(puma.of(actual)) > 0.3
    assert np.abs(found.values[large] / puma.of(actual)[large] - 1.0).max() < 0.1


def test_parameters_without_excitation_are_named_and_stay(puma: Any, motion: Any) -> None:
    m = motion.at(400)
    still = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])  # the wrist is held
    q, qd, qdd = m.q * still, m.qd * still, m.qdd * still
    actual = robots.load("puma560").perturb(0.2, 0)
    found = robots.identify(puma, m.time, q, of.rne(actual, q, qd, qdd), qd=qd, qdd=qdd)
    assert {"Ia4", "fv5", "fcp6"} <= set(found.undetermined)
    assert not {"Ia3", "fv1", "mx2"} & set(found.undetermined)
    at = puma.short.index("fv5")
    assert np.isinf(found.errors[at])
    assert found["fv5"] == pytest.approx(puma["fv5"], rel=1e-3)
    assert "fv5" in str(found)


TIME, Q = np.linspace(0.0, 1.0, 50), np.zeros((50, 6))
FAST: Any = {"speed": 1.0, "acceleration": 1.0}
REFUSED_MOTIONS = [
    ({"acceleration": 1.0}, "speed: joint .* has none\n.*give speed="),
    ({**FAST, "acceleration": -1.0}, "acceleration: .*greater than 0"),
    ({**FAST, "acceleration": [1.0]}, "acceleration: .*or 6"),
    ({**FAST, "harmonics": 1}, "harmonics: .*2"),
    ({**FAST, "lower": 3.0}, "lower, upper: "),
    ({**FAST, "criterion": "best"}, "criterion: .*\nexpected: condition or log_det"),
]
REFUSED_DATA = [
    ((TIME, Q, Q), {}, "cutoff: not given, nor qd and qdd\nexpected: a cutoff in Hz"),
    ((TIME, Q, Q), {"cutoff": 30.0}, "cutoff: .*half the sampling rate, 24.5 Hz"),
    ((TIME, Q, Q), {"cutoff": 1.0}, "time: found 50 samples\nexpected: more than"),
    ((TIME, Q[:9], Q), {"qd": Q, "qdd": Q}, r"q: found shape .*\nexpected: \(50, 6\)"),
    ((TIME**2, Q, Q), {"cutoff": 1.0}, "time: .*evenly spaced"),
    ((TIME, Q, np.nan * Q), {"qd": Q, "qdd": Q}, "tau: row 0 is not finite"),
    ((TIME[:5], Q[:5], Q[:5]), {"qd": Q[:5], "qdd": Q[:5]}, "time: 30 torques remain"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED_MOTIONS)
def test_impossible_motions_are_refused(options: Any, message: str) -> None:
    with pytest.raises(IdentificationError, match=f"(?s){message}"):
        robots.exciting_trajectory("puma560", **options)


@pytest.mark.parametrize(("data", "options", "message"), REFUSED_DATA)
def test_unusable_data_are_refused(data: Any, options: Any, message: str) -> None:
    with pytest.raises(IdentificationError, match=f"(?s){message}"):
        robots.identify("puma560", *data, **options)


def test_other_slips_are_refused(puma: Any) -> None:
    with pytest.raises(IdentificationError, match=r"tolerance: .*\nexpected: a number between"):
        robots.base_parameters("puma560", tolerance=2.0)
    with pytest.raises(IdentificationError, match="there is no 'm7'"):
        puma.standard["m7"]
    with pytest.raises(IdentificationError, match="robot: 98 parameters, and puma560 has 84"):
        puma.of("panda")


def test_an_arm_without_masses_has_no_torques_and_no_errors() -> None:
    base = robots.base_parameters("onelink")
    m = robots.exciting_trajectory(base, **FAST, lower=-2.0, upper=2.0, evaluations=20).at(200)
    found = robots.identify(base, m.time, m.q[:, 0], 0.0 * m.time, qd=m.qd[:, 0], qdd=m.qdd[:, 0])
    assert not found.values.any()
    assert found.errors.max() < 1e-50
