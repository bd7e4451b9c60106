"""The car whose tyres slip: the linear bicycle model, understeer, and tyres that slide."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import blockdyn as bd

M, INERTIA, A, B, CF, CR, V = 1573.0, 2873.0, 1.1, 1.58, 160e3, 160e3, 20.0


def driven(car: bd.DynamicBicycle, gamma: bd.Block, force: float = 0.0) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("gamma", gamma), d.add("car", car)["gamma"])
    d.connect(d.add("force", bd.Constant(force)), "car.force")
    return d


def test_its_linear_model_is_that_of_the_textbook() -> None:
    """Rajamani (2012), (2.31): poles of v_y and omega at 20 m/s, and the gain of the yaw rate at rest."""
    model = driven(bd.DynamicBicycle(initial_speed=V), bd.Constant(0.0)).linearize(
        ["gamma"], ["car.side_speed", "car.turn_rate"]
    )
    known = np.array([
        [-(CF + CR) / (M * V), -V - (CF * A - CR * B) / (M * V)],
        [-(CF * A - CR * B) / (INERTIA * V), -(CF * A * A + CR * B * B) / (INERTIA * V)],
    ])  # fmt: skip
    moving = model.poles()[np.abs(model.poles()) > 1e-6]
    np.testing.assert_allclose(np.sort_complex(moving), np.sort_complex(np.linalg.eigvals(known)), rtol=1e-9)
    s = 3.0j
    gain = model.C @ np.linalg.solve(s * np.eye(len(model.A)) - model.A, model.B) + model.D
    expected = np.linalg.solve(s * np.eye(2) - known, [[CF / M], [A * CF / INERTIA]])
    np.testing.assert_allclose(gain, expected, rtol=1e-9)


def test_a_steady_circle_has_the_understeer_of_its_tyres() -> None:
    """omega = v gamma/(L + K v^2), K = m (b C_r - a C_f)/(C_f C_r L), Rajamani (2012), section 3.3."""
    L, gamma = A + B, 1e-3
    r = driven(bd.DynamicBicycle(initial_speed=V), bd.Constant(gamma)).simulate(stop=3.0, rtol=1e-9)
    K = M * (B * CR - A * CF) / (CF * CR * L)
    assert r.final("car.turn_rate") == pytest.approx(V * gamma / (L + K * V**2), rel=1e-5)
    # on a circle the acceleration is v omega
    assert r.final("car.side_acceleration") == pytest.approx(V * r.final("car.turn_rate"), rel=1e-5)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_tyres_slide_as_in_an_integration_by_scipy(compiled: bool) -> None:
    """Steered ever more on a wet road, with angles: F = -C tan a + ..., -mu F_z beyond tan a = 3 mu F_z/C."""
    mu, force = 0.5, -1500.0
    car = bd.DynamicBicycle(friction=mu, initial_speed=V)
    r = driven(car, bd.Ramp(slope=0.15), force).simulate(stop=2.0, rtol=1e-10, atol=1e-12, compiled=compiled)

    def tyre(angle: float, C: float, grip: float) -> float:
        z = math.tan(angle)
        if abs(z) >= 3.0 * grip / C:
            return -grip * math.copysign(1.0, angle)
        return -C * z + C**2 * abs(z) * z / (3.0 * grip) - C**3 * z**3 / (27.0 * grip**2)

    def slopes(t: float, s: np.ndarray) -> list[float]:
        _, _, theta, vx, vy, w = s
        gamma, weight = 0.15 * t, mu * M * 9.81 / (A + B)
        front = tyre(math.atan2(vy + A * w, vx) - gamma, CF, weight * B)
        rear = tyre(math.atan2(vy - B * w, vx), CR, weight * A)
        return [
            vx * math.cos(theta) - vy * math.sin(theta),
            vx * math.sin(theta) + vy * math.cos(theta),
            w,
            (force - front * math.sin(gamma)) / M + vy * w,
            (front * math.cos(gamma) + rear) / M - vx * w,
            (A * front * math.cos(gamma) - B * rear) / INERTIA,
        ]

    s = solve_ivp(slopes, (0, 2), [0, 0, 0, V, 0, 0], method="DOP853", rtol=1e-11, atol=1e-12, max_step=0.01)
    np.testing.assert_allclose(r.final("car.pose"), s.y[:3, -1], atol=1e-7)
    np.testing.assert_allclose(
        [r.final("car.speed"), r.final("car.side_speed"), r.final("car.turn_rate")], s.y[3:, -1], atol=1e-7
    )
    slides = 3.0 * mu * M * 9.81 * B / (A + B) / CF  # an event: a sample of the run lies there
    assert np.abs(np.abs(r["car.slip"].values[:, 0]) - slides).min() < 1e-12
    assert abs(r["car.side_acceleration"].values).max() <= mu * 9.81 + 1e-9


def test_too_slow_a_car_ends_the_run() -> None:
    """Braked by 1573 N, at 1 m/s2: from 20 to 0.5 m/s in 19.5 s."""
    tolerated = driven(bd.DynamicBicycle(tolerated=True), bd.Constant(0.0), -M).simulate(stop=30.0)
    assert tolerated.statistics["end"] == pytest.approx(19.5, abs=1e-9)
    with pytest.raises(bd.BlockdynError, match=r"slower than 0.5 m/s.*\n.*Bicycle for low speeds"):
        driven(bd.DynamicBicycle(), bd.Constant(0.0), -M).simulate(stop=30.0)
    with pytest.raises(bd.ParameterError, match=r"initial_speed.*\n*.*least_speed"):
        bd.DynamicBicycle(initial_speed=0.0)
