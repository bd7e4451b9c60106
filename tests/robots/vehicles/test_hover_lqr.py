"""The regulator about hover: the stable half of the Hamiltonian's eigenvalues are the poles of the flight."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import blockdyn as bd
from blockdyn import robots
from blockdyn.robots.vehicles.control.hover_lqr import Regulator, hover_lqr
from blockdyn.robots.vehicles.control.signals import Body, Motion, Reference

Array = NDArray[np.float64]

INERTIA = np.array([[0.004, 3e-4, 0.0], [3e-4, 0.005, 0.0], [0.0, 0.0, 0.008]])
VEHICLE = robots.load_vehicle("hummingbird").replaced(inertia=INERTIA)
BODY = Body(VEHICLE.mass, INERTIA, np.zeros(3), VEHICLE.gravity)
YAW = 0.8
HOVER = Reference(*np.zeros((5, 3)), YAW, 0.0, 0.0)
AT_REST = np.concatenate([np.zeros(6), [np.cos(YAW / 2), 0.0, 0.0, np.sin(YAW / 2)], np.zeros(3)])


def moved(state: Array, torque: Array, thrust: float) -> Array:
    """Newton and Euler: position, velocity, quaternion (scalar first), rates."""
    _, v, q, w = np.split(state, [3, 6, 10])
    s, x, y, z = q / np.linalg.norm(q)
    down = np.array([2 * (x * z + s * y), 2 * (y * z - s * x), s * s - x * x - y * y + z * z])
    dq = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
    dw = np.linalg.solve(INERTIA, torque - np.cross(w, INERTIA @ w))
    return np.concatenate([v, [0.0, 0.0, BODY.gravity] - thrust / BODY.mass * down, dq, dw])


def asked(state: Array, gain: Array) -> tuple[Array, float]:
    torque = np.empty(3)
    p, v, q, w = np.split(state, [3, 6, 10])
    thrust = hover_lqr(Motion(p, v, q, w), HOVER, BODY, Regulator(gain, np.empty(12)), torque)
    return torque, thrust


def shifted(deviation: Array) -> Array:
    """The state with a deviation of 12: the attitude turned, in body axes, by its third part."""
    s, u = AT_REST[6], AT_REST[7:10]
    half = 0.5 * deviation[6:9]
    q = np.concatenate([[s - u @ half], u + s * half + np.cross(u, half)])
    return AT_REST + np.concatenate([deviation[:6], q - AT_REST[6:10], deviation[9:]])


def reduced(slope: Array) -> Array:
    """The rate of a deviation of 12 from that of a state."""
    s, u = AT_REST[6], AT_REST[7:10]
    dq = slope[6:10]
    turn = 2.0 * (s * dq[1:] - dq[0] * u - np.cross(u, dq[1:]))
    return np.concatenate([slope[:6], turn, slope[10:]])


def jacobian(function: object, count: int) -> Array:
    h = 1e-6
    steps = h * np.eye(count)
    return np.array([(function(e) - function(-e)) / (2 * h) for e in steps]).T  # type: ignore[operator]


def plant() -> tuple[Array, Array]:
    """A and B of the vehicle, by differences."""
    weight = BODY.mass * BODY.gravity
    A = jacobian(lambda x: reduced(moved(shifted(x), np.zeros(3), weight)), 12)
    B = jacobian(lambda u: reduced(moved(AT_REST, u[:3], weight + u[3])), 4)
    return A, B


def weights() -> tuple[Array, Array]:
    block = bd.HoverLQR(VEHICLE)
    return np.diag(np.asarray(block.Q)), np.diag(np.asarray(block.R))


def test_the_poles_are_the_stable_eigenvalues_of_the_hamiltonian() -> None:
    """Of the vehicle linearised here, with axes in the world: weights alike in x and y do not turn."""
    A, B = plant()
    Q, R = weights()
    hamiltonian = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values = np.linalg.eigvals(hamiltonian)
    stable = values[values.real < 0.0]
    gain = bd.HoverLQR(VEHICLE).gain()
    loop = jacobian(lambda x: reduced(moved(shifted(x), *asked(shifted(x), gain))), 12)
    poles = np.linalg.eigvals(loop)
    assert stable.size == 12
    for pole in stable:
        assert np.min(abs(poles - pole)) < 1e-4 * abs(pole)


def test_sampled_the_gain_is_optimal_for_held_inputs() -> None:
    """No change of the gain lowers the cost over all ticks, from the Lyapunov equation by doubling."""
    h = 0.02
    A, B = plant()
    Q, R = weights()
    both = expm(h * np.block([[A, B], [np.zeros((4, 16))]]))
    F, G = both[:12, :12], both[:12, 12:]
    turn = np.eye(12)  # the regulator looks along the yaw, the plant was linearised in the world
    c, s = np.cos(YAW), np.sin(YAW)
    for k in (0, 3):
        turn[k : k + 2, k : k + 2] = [[c, s], [-s, c]]
    best = bd.SampledHoverLQR(VEHICLE, sample_time=h).gain() @ turn

    def cost(K: Array) -> float:
        loop, P = F - G @ K, Q + K.T @ R @ K
        for _ in range(20):
            P, loop = P + loop.T @ P @ loop, loop @ loop
        return float(np.trace(P))

    least, rng = cost(best), np.random.default_rng(0)
    for _ in range(20):
        change = rng.normal(size=best.shape) * 1e-3 * np.abs(best).max()
        assert cost(best + change) > least * (1.0 - 1e-9)


@pytest.mark.parametrize("kind", [bd.HoverLQR, bd.SampledHoverLQR])
def test_it_flies_a_gentle_eight(kind: type) -> None:
    flight = bd.FigureEight(length=4.0, width=2.0, frequency=0.6, ramp=2.0)
    d = bd.Diagram("gentle")
    f, control = d.add("f", flight), d.add("c", kind(VEHICLE))
    mixer, v = d.add("m", bd.MotorMixer(VEHICLE)), d.add("v", bd.NRotor(VEHICLE))
    for name in ("position", "velocity", "quaternion", "rates"):
        d.connect(v[name], control[name])
    for name in ("position", "velocity", "acceleration", "jerk", "snap"):
        d.connect(f[name], control[f"{name}_ref"])
    d.connect(control["torque"], mixer["torque"])
    d.connect(control["thrust"], mixer["thrust"])
    d.connect(mixer["omega"], v["omega"])
    r = d.simulate(stop=8.0, times=np.linspace(0.1, 8.0, 80))
    miss = np.linalg.norm(r["v.position"].values - r["f.position"].values, axis=1)
    assert miss.max() < 0.03


def test_weights_that_are_none_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="12 numbers"):
        bd.HoverLQR(VEHICLE, Q=[1.0, 2.0])
    with pytest.raises(bd.ParameterError, match="weights above 0 for the position"):
        bd.HoverLQR(VEHICLE, Q=[0.0] * 12)
