"""Gallery: studies of controllers and models, against their sources, closed forms and laws of mechanics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve

import blockdyn as bd

from .test_drives import weight


@pytest.mark.parametrize(
    ("tip", "true_model", "wrong_model"),
    [
        (0.0, [0.00485, 0.00970, 0.01455], [0.02295, 0.08707, 0.51179]),
        (1.0, [0.00459, 0.02406, 0.23681], [0.02304, 0.08654, 0.41507]),
    ],
)
def test_model_error(tip: float, true_model: list[float], wrong_model: list[float]) -> None:
    r = bd.load("model-error").simulate(parameters={"tip": tip}, times=np.linspace(0.0, 1.0, 101))
    np.testing.assert_allclose(np.abs(r["to_book"].values).max(axis=0), true_model, atol=1e-5)
    np.testing.assert_allclose(np.abs(r["to_book_too"].values).max(axis=0), wrong_model, atol=1e-5)


def test_model_error_with_the_true_model_is_linear() -> None:
    """e'' + 18 e' + 20 e + 10 int e = 0 from e = 0, e' = -(0.1, 0.2, 0.3): the poles give the whole error."""
    r = bd.load("model-error").simulate(parameters={"tip": 0.0})
    poles = np.roots([1, 18, 20, 10])
    # int e = sum of share exp(pole t), with e(0) = 0, e'(0) = 1
    share = np.linalg.solve(np.vander(poles, 3, increasing=True).T, [0.0, 0.0, 1.0])
    t = r.trace("to_book").time
    shape = (poles * share * np.exp(np.outer(t, poles))).sum(axis=1).real
    np.testing.assert_allclose(r["to_book"].values, np.outer(shape, [-0.1, -0.2, -0.3]), atol=1e-8)


def motion(t: float) -> tuple[Any, Any, Any]:
    """The report's exponentials."""
    level, k = np.array([np.pi / 4, np.pi / 4, 0.4]), np.array([8, 8, 6])
    a, b = np.exp(-t / 0.6), np.exp(-t / 0.8)
    return (
        level * (1 + 6 * a - k * b),
        level * (-10 * a + k / 0.8 * b),
        level * (6 / 0.36 * a - k / 0.64 * b),
    )


def stanford(q: Any, qd: Any, qdd: Any) -> Any:
    """tau = M qdd + V + G of the report's appendices, with M13 as in its code."""
    r, m2, m3, f, (w1, w2, fd) = 0.1, 2.0, 2.0, q[2], qd
    s, c = np.sin(q[1]), np.cos(q[1])
    M = np.array(
        [
            [r * r * (m2 + m3) + m3 * f * f * s * s, -r * m3 * c * f, -r * m3 * s],
            [-r * m3 * c * f, m3 * f * f, 0.0],
            [-r * m3 * s, 0.0, m3],
        ]
    )
    V = [
        2 * m3 * f * f * s * c * w1 * w2
        + r * m3 * f * s * w2**2
        - 2 * r * m3 * c * w2 * fd
        + 2 * f * m3 * s * s * w1 * fd,
        m3 * f * (2 * w2 * fd - f * c * s * w1**2),
        -m3 * f * (s * s * w1**2 + w2**2),
    ]
    return M @ qdd + V + 9.8 * m3 * np.array([0.0, -f * s, c])


def test_stanford_torques() -> None:
    times = [0.0, 0.4, 1.0, 2.2, 3.0]
    r = bd.load("stanford").simulate(times=times)
    needed = r.trace("computed")
    for t in times:
        np.testing.assert_allclose(needed.at(t), stanford(*motion(t)), atol=1e-8)
    np.testing.assert_allclose(needed.at(0.0), [0.88186, 6.40579, 20.15543], atol=6e-6)
    np.testing.assert_allclose(needed.at(1.0), [-0.03934, 0.45329, 19.61102], atol=6e-6)
    np.testing.assert_allclose(needed.at(3.0), [0.00003, -4.39776, 15.28426], atol=6e-6)


def test_stanford_open_loop_tracks() -> None:
    r = bd.load("stanford").simulate()
    assert np.abs(r["error"].values).max() < 1e-4
    assert np.abs(r["e"].values).max() < 1e-9


def test_stanford_from_rest() -> None:
    """The motion asks for -1 m/s of the boom: from rest the open loop is lost, feedback is not."""
    r = bd.load("stanford").simulate(
        parameters={"f_rate": 0.0}, rtol=1e-8, atol=1e-10, times=[0.1, 1.0], stop=1.0
    )
    assert np.abs(r.trace("error").at(1.0)).max() > 0.5
    np.testing.assert_allclose(r.trace("e").at(0.1), [0.0, 0.0, -np.exp(-1.0) / 10.0], atol=1e-7)


def test_controllers() -> None:
    r = bd.load("controllers").simulate()
    end = np.array([np.pi / 3, -np.pi / 4])
    assert np.abs(r["weight_arm.q"].values).max() < 1e-12  # carried where it is
    sag = fsolve(lambda q: 100.0 * (end - q) - weight(q), end, xtol=1e-14)
    np.testing.assert_allclose(r.final("pd_arm.q"), sag, atol=1e-5)
    np.testing.assert_allclose(r.final("pd_gravity_arm.q"), end, atol=1e-5)
    np.testing.assert_allclose(r.final("slotine_arm.q"), end, atol=1e-6)
    offset = r["force_motion_arm.q"].values - r["motion.q"].values
    np.testing.assert_allclose(offset[-1], [-0.3, -0.3], atol=1e-8)


def test_the_free_arm_keeps_its_energy() -> None:
    r = bd.load("controllers").simulate()
    q, qd = r["free_arm.q"].values.T, r["free_arm.qd"].values.T
    c = np.cos(q[1])
    kinetic = 0.5 * ((1.5 + c) * qd[0] ** 2 + (0.5 + c) * qd[0] * qd[1] + 0.25 * qd[1] ** 2)
    potential = 9.81 * (1.5 * np.sin(q[0]) + 0.5 * np.sin(q[0] + q[1]))
    assert np.abs(kinetic + potential).max() < 1e-6


def test_slotine_and_li_lose_s_at_a_rate() -> None:
    """d/dt (s' M s / 2) = -K s' s <= -2 (K / largest eigenvalue of M) (s' M s / 2)."""
    r = bd.load("controllers").simulate()
    t, e = r.trace("slotine_arm.q").time, r["motion.q"].values - r["slotine_arm.q"].values
    rate = np.array([motion_rate(time) for time in t])
    s = r["slotine_arm.qd"].values - rate - 5.0 * e
    c = np.cos(r["slotine_arm.q"].values[:, 1])
    V = 0.5 * ((1.5 + c) * s[:, 0] ** 2 + (0.5 + c) * s[:, 0] * s[:, 1] + 0.25 * s[:, 1] ** 2)
    largest = np.linalg.eigvalsh([[2.5, 0.75], [0.75, 0.25]])[-1]
    bound = V[0] * np.exp(-2 * 20.0 / largest * t) + 1e-10
    assert (bound >= V).all()


def motion_rate(t: float) -> Any:
    s = min(t / 2.0, 1.0)
    return (np.array([np.pi / 3, -np.pi / 4]) - 0.3) * 30 * s**2 * (1 - s) ** 2 / 2.0
