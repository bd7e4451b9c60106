"""Gallery: the sweeps, against published figures, closed forms, pinocchio and laws of sampled control."""

from __future__ import annotations

from itertools import product
from math import exp, gcd, pi, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd
from blockdyn.robots.functions import gravload
from blockdyn.robots.library.catalogue import robot_from

from .puma import MODEL, VISCOUS, march, moving, pinocchio, quintic, torques

pytestmark = pytest.mark.xdist_group("gallery sweeps")  # one worker makes what they share

QF = np.array([pi / 4, pi / 2, -pi / 2, 0, 0, 0])

# ---- model-error ----

TRUE = {
    "gravity": [0, 0, -9.8],
    "homes": [(0, 0, 0.089159), (0.28, 0.13585, 0.089159), (0.675, 0.01615, 0.089159)],
    "bodies": [
        (3.7, (0.010267, 0.010267, 0.00666)),
        (8.393, (0.22689, 0.22689, 0.0151074)),
        (2.275, (0.0494433, 0.0494433, 0.004095)),
    ],
}
WRONG = {
    "gravity": [0.8, 0.2, -8.8],
    "homes": [(0, 0, 0.1), (0.3, 0.2, 0.1), (0.7, 0.0, 0.1)],
    "bodies": [(4, (0.1, 0.1, 0.1)), (9, (0.3, 0.3, 0.1)), (3, (0.1, 0.1, 0.1))],
}
POINTS = np.array([(-0.5, 0, 0.5), (0, 0, 0.089), (0.425, 0, 0.089)])  # of the screws
AXES = np.array([(sqrt(0.5), 0, sqrt(0.5)), (0, 1, 0), (0, 1, 0)])


def book_arm(**parts: Any) -> Any:
    """The arm in pinocchio: link frames at rest (the second and third turned by 90 degrees about y)."""
    data = TRUE | parts
    model, parent, before = pinocchio.Model(), 0, np.zeros(3)
    turns = [np.eye(3), pinocchio.utils.rotate("y", pi / 2), pinocchio.utils.rotate("y", pi / 2)]
    for i, (home, (mass, moments)) in enumerate(zip(data["homes"], data["bodies"])):
        place = pinocchio.SE3(np.eye(3), POINTS[i] - before)
        parent = model.addJoint(parent, pinocchio.JointModelRevoluteUnaligned(AXES[i]), place, f"joint{i}")
        body = pinocchio.Inertia(mass, np.zeros(3), np.diag(moments))
        model.appendBodyToJoint(parent, body, pinocchio.SE3(turns[i], np.array(home, float) - POINTS[i]))
        before = POINTS[i]
    model.gravity.linear = np.array(data["gravity"], float)
    return model


def largest_errors(believed: Any) -> Any:
    """Computed torque of a believed arm on the true one, without a wrench; errors of the book's angles."""
    arm, scale = book_arm(), np.array([sqrt(2), 1, 1])
    its, own = arm.createData(), believed.createData()
    start, end = 0.1 * scale, np.array([pi / 2, pi, 1.5 * pi]) * scale

    def derivative(t: float, x: Any) -> Any:
        q, qd, integral = x[:3], x[3:6], x[6:]
        wanted, rate, acceleration = quintic(start, end, 1.0, t)
        asked = acceleration + 20.0 * (wanted - q) + 18.0 * (rate - qd) + 10.0 * integral
        tau = pinocchio.rnea(believed, own, q, qd, asked)
        return np.concatenate([qd, pinocchio.aba(arm, its, q, qd, tau), wanted - q])

    begin = np.concatenate([start, np.array([0.1, 0.2, 0.3]) * scale, np.zeros(3)])
    times = np.linspace(0, 1, 2001)
    x = solve_ivp(derivative, (0, 1), begin, "DOP853", times, rtol=1e-10, atol=1e-12).y
    wanted = np.array([quintic(start, end, 1.0, t)[0] for t in times])
    return np.abs((wanted - x[:3].T) / scale).max(axis=0)


@pytest.fixture(scope="module")
def corners() -> Any:
    """Everything right or wrong, by itself and together."""
    names = ("gravity", "frames", "inertias", "tip")
    return bd.load_sweep("model-error", axes={key: [0, 1] for key in names}).run(progress=False).dataset


@pytest.mark.parametrize(
    ("wrong", "tip", "largest"),
    [
        (0, 0, [0.00485, 0.00970, 0.01455]),
        (0, 1, [0.00459, 0.02406, 0.23681]),
        (1, 0, [0.02295, 0.08707, 0.51179]),
        (1, 1, [0.02304, 0.08654, 0.41507]),
    ],
)
def test_all_right_and_all_wrong(corners: Any, wrong: int, tip: int, largest: list[float]) -> None:
    """The references are of 101 instants, and lie up to 8e-5 below the largest of all."""
    one = corners.sel(gravity=wrong, frames=wrong, inertias=wrong, tip=tip)
    found = np.array([float(one[name]) for name in ("joint1", "joint2", "joint3")])
    np.testing.assert_allclose(found, largest, atol=9e-5)
    assert (found > np.array(largest) - 1e-5).all()


@pytest.mark.parametrize("wrong", list(product([0, 1], repeat=3)))
def test_every_corner_as_pinocchio_finds_it(corners: Any, wrong: tuple[int, int, int]) -> None:
    keys = ("gravity", "homes", "bodies")
    expected = largest_errors(book_arm(**{key: WRONG[key] for key, on in zip(keys, wrong) if on}))
    one = corners.sel(dict(zip(("gravity", "frames", "inertias", "tip"), (*wrong, 0))))
    found = [float(one[name]) for name in ("joint1", "joint2", "joint3")]
    np.testing.assert_allclose(found, expected, atol=2e-6)


# ---- computed-torque ----


def laden(mass: float) -> tuple[Any, Any]:
    """Largest and last errors of a Puma with a load at its tool, controlled as if it had none, every 5 ms."""
    model = MODEL.copy()
    model.appendBodyToJoint(
        6, pinocchio.Inertia(mass, np.zeros(3), np.zeros((3, 3))), pinocchio.SE3.Identity()
    )
    data, x, errors = model.createData(), np.zeros(12), []
    for k in range(1000):
        q, qd, qdd = quintic(np.zeros(6), QF, 5.0, 0.005 * k)
        tau = torques(x[:6], x[6:], qdd + 20.0 * (q - x[:6]) + 5.0 * (qd - x[6:]))

        def derivative(_t: float, x: Any, tau: Any = tau) -> Any:
            pull = tau - VISCOUS * x[6:]
            return np.concatenate([x[6:], pinocchio.aba(model, data, x[:6], x[6:], pull)])

        for ms in range(1, 6):
            x = march(derivative, x, 0.0, 0.001)
            errors.append(quintic(np.zeros(6), QF, 5.0, 0.005 * k + 0.001 * ms)[0] - x[:6])
    return np.abs(errors).max(axis=0), np.linalg.norm(QF - x[:6])


def test_an_unknown_payload_as_pinocchio_finds_it() -> None:
    axes = {"error": [0.0], "seed": [0], "payload": [0.0, 1.0, 4.0]}
    found = bd.load_sweep("computed-torque", axes=axes).run(progress=False)
    for k, mass in enumerate(axes["payload"]):
        largest, final = laden(mass)
        own = [found[name][k] for name in ("waist", "shoulder", "elbow")]
        np.testing.assert_allclose(own, largest[:3], rtol=2e-4)
        np.testing.assert_allclose(found["final"][k], final, atol=1e-6)


def test_errors_grow_in_proportion_to_those_of_the_model() -> None:
    """A draw of perturb scales with its fraction, and the closed loop is linear in small ones."""
    axes = {"error": [0.1, 0.2, 0.3], "seed": {"count": 6}}
    worst = bd.load_sweep("computed-torque", axes=axes).run(progress=False).dataset["worst"].values
    np.testing.assert_allclose(worst[1] / worst[0], 2.0, rtol=0.1)
    np.testing.assert_allclose(worst[2] / worst[0], 3.0, rtol=0.1)


def test_what_counts_is_the_moment_about_the_shoulder() -> None:
    """Errors of upper arm and forearm add or cancel there; Kp of the model's inertia meets what is left."""
    axes = {"error": [0.3], "payload": [0.0], "seed": {"count": 12}}
    worst = bd.load_sweep("computed-torque", axes=axes).run(progress=False)["worst"]
    moment = np.array([
        gravload(robot_from({"name": "puma560", "perturb": {"fraction": 0.3, "seed": seed}}), np.zeros(6))[1]
        for seed in range(12)
    ])  # fmt: skip
    off = np.abs(moment - gravload(robot_from("puma560"), np.zeros(6))[1])
    assert np.corrcoef(off, worst)[0, 1] > 0.995
    static = 1.0 / (20.0 * 4.4566)  # rad by N m: Kp, and the second diagonal element of the mass matrix
    slope = np.polyfit(off, worst, 1)[0]
    assert static < slope < 1.5 * static  # the loop, of damping 0.56, overshoots


# ---- quadrotor-errors ----


def test_the_nominal_vehicle_flies_as_quadrotor_corke() -> None:
    times = np.linspace(0.0, 10.0, 101)
    exact = bd.load("quadrotor-corke").simulate(times=times)["quadrotor.p"].values
    found = bd.load("quadrotor-errors").simulate(parameters={"noise": 0.0}, times=times)
    np.testing.assert_allclose(found["quadrotor.p"].values, exact, atol=1e-4)


def flights(noise: float, mass: list[float], thrust: list[float]) -> Any:
    """Measures of two vehicles of different inertia for every mass and thrust."""
    axes = {
        "noise": [noise],
        "mass": mass,
        "thrust": thrust,
        "inertia": {"uniform": {"low": 0.5, "high": 2.0}},
    }
    return bd.load_sweep("quadrotor-errors", axes=axes, number=2).run(progress=False).dataset.squeeze("noise")


def test_height_is_where_the_lift_carries_the_weight() -> None:
    """f (40 N + 4 N/m (z + 4 m)) = m g in level flight; the circle tilts the vehicle, which costs some."""
    found = flights(0.0, [3.6, 4.0, 4.6], [0.9, 1.0, 1.1])
    level = 4.0 - (found["mass"] * 9.81 / found["thrust"] - 40.0) / 4.0
    lost = (level - found["height"]).values
    assert (lost > 0.0).all()
    assert (lost < 0.15).all()


def falls(mass: float, thrust: float) -> float:
    """Depth at which a level vehicle turns back, m below the ground, without what the circle costs.

    m z'' = m g - f (56 + 4 z + 4 z') from z = -0.2: it sinks to z_e and overshoots, as an
    oscillator of damping d, by exp(-pi d / sqrt(1 - d^2)) of the way.
    """
    rest, damping = (mass * 9.81 / thrust - 56.0) / 4.0, sqrt(thrust / mass)
    return rest + (rest + 0.2) * exp(-pi * damping / sqrt(1.0 - damping**2))


def test_what_is_too_heavy_for_its_rotors_comes_to_the_ground() -> None:
    thrusts = [0.85, 1.0, 1.1]
    for thrust in thrusts:
        weights = np.array([54.0, 55.0, 55.5, 56.0, 57.0, 58.0])
        found = flights(0.0, (weights * thrust / 9.81).tolist(), [thrust])
        fell = [["on the ground" in text for text in pair] for pair in found["reason"].values[:, 0]]
        assert fell == [[falls(weight * thrust / 9.81, thrust) > 0.0] * 2 for weight in weights]


def test_noise_lifts_the_vehicle() -> None:
    """Rotors that give 5 N or more pass on what noise asks more of them, and not what it asks less."""
    calm, some, much = (flights(noise, [4.0], [1.0])["height"].values for noise in (0.0, 2.0, 4.0))
    assert (calm + 0.2 < some).all()
    assert (some + 0.2 < much).all()


# ---- sampled-joint ----


def test_the_map_is_that_of_the_sampled_double_integrator() -> None:
    """x_(k+1) = (A - B K) x_k with A = [1, T; 0, 1], B = (T^2/2, T), inertia 1.

    Jury's conditions: stable within 0 < Kp < 2 Kd/T, Kd < 2/T.
    """
    T = 0.01
    found = bd.load_sweep("sampled-joint").run(progress=False).dataset
    Kp, Kd = np.meshgrid(found["Kp"].values, found["Kd"].values, indexing="ij")
    stable = (Kp < 2.0 * Kd / T) & (Kd < 2.0 / T)
    np.testing.assert_array_equal(found["growth"].values < 0.0, stable)
    assert 0.3 < stable.mean() < 0.5
    A = np.stack([1 - T**2 / 2 * Kp, T - T**2 / 2 * Kd, -T * Kp, 1 - T * Kd], axis=-1).reshape(
        *Kp.shape, 2, 2
    )
    radius = np.abs(np.linalg.eigvals(A)).max(axis=-1)
    np.testing.assert_array_equal(radius < 1.0, stable)
    off = np.abs(found["growth"].values - np.log10(radius) / T)[~stable]
    assert np.median(off) < 0.05
    assert off.max() < 0.4  # a window may hold the crest of a beat


# ---- feed-forward ----


def fed_forward(slow: int, fast: int) -> Any:
    """Largest errors of a Puma with two samplers of so many ms, from tick to tick of either."""
    x, errors = np.zeros(12), []
    ticks = sorted({*range(0, 5000, slow), *range(0, 5000, fast)})
    forward = back = np.zeros(6)
    for now, then in zip(ticks, [*ticks[1:], 5000]):
        q, qd, qdd = quintic(np.zeros(6), QF, 5.0, 1e-3 * now)
        if now % slow == 0:
            forward = torques(q, qd, qdd)
        if now % fast == 0:
            back = 100.0 * (q - x[:6]) + 5.0 * (qd - x[6:])
        for ms in range(now, then):
            x = march(moving(forward + back), x, 0.0, 1e-3)
            errors.append(quintic(np.zeros(6), QF, 5.0, 1e-3 * (ms + 1))[0] - x[:6])
    return np.abs(errors).max(axis=0)


def test_holds_that_meet_often_seldom_and_always() -> None:
    pairs = [(50, 50), (5, 2), (20, 50), (100, 10)]
    holds = bd.load_sweep(
        "feed-forward",
        axes={"slow": [a / 1000 for a, _ in pairs], "fast": [b / 1000 for _, b in pairs]},
        zip=[["slow", "fast"]],
    ).run(progress=False)
    for k, (slow, fast) in enumerate(pairs):
        found = [holds[name][k] for name in ("waist", "shoulder", "elbow")]
        np.testing.assert_allclose(found, fed_forward(slow, fast)[:3], rtol=5e-4)


def test_the_error_is_proportional_to_the_hold() -> None:
    """The feed-forward is late by half its hold; how often the feedback is computed hardly matters."""
    found = bd.load_sweep("feed-forward").run(progress=False).dataset
    rate = (found["shoulder"] / found["slow"]).values
    np.testing.assert_allclose(rate, 0.2075, rtol=0.07)
    np.testing.assert_allclose(rate, rate[:, :1].repeat(rate.shape[1], axis=1), rtol=0.03)
    for (i, slow), (j, fast) in product(enumerate(found["slow"].values), enumerate(found["fast"].values)):
        a, b = round(1000 * slow), round(1000 * fast)
        ticks = 5000 // a + 5000 // b - 5000 * gcd(a, b) // (a * b)  # of either, those in common once
        steps = int(found["steps"][i, j])
        assert ticks <= steps
        assert steps < ticks + 10 or ticks <= 300  # where they are frequent, no other steps are needed
