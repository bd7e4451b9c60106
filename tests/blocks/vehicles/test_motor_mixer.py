"""MotorMixer: what it gives is the optimum that linear programmes find, for every vehicle of the library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog, lsq_linear

import blockdyn as bd
from blockdyn import robots

Array = NDArray[np.float64]

VEHICLES = ("x4", "crazyflie", "hummingbird", "neo", "octorotor", "coaxial")


def ring(count: int, tilt: float = 0.0) -> robots.Multirotor:
    """Evenly placed rotors, canted alternately."""
    quad = robots.load_vehicle("hummingbird")
    rotors = []
    for i in range(count):
        angle = 2 * np.pi * i / count
        spin = 1 if i % 2 == 0 else -1
        place = (0.17 * np.cos(angle), 0.17 * np.sin(angle), -0.01 * i)
        axis = (-spin * tilt * np.sin(angle), spin * tilt * np.cos(angle), -1.0)
        rotors.append({"place": place, "spin": spin, "axis": axis})
    first = quad.rotors[0]
    made = tuple(
        type(first)(thrust=5e-6, torque=1e-7, slowest=150.0, fastest=1200.0, **rotor) for rotor in rotors
    )
    return quad.replaced(name=f"ring{count}", rotors=made)


def asked(vehicle: Any, wrenches: Array, **options: Any) -> tuple[Array, Array]:
    """Speeds (k, n) and given wrenches (k, 4) for wrenches (k, 4), asked for one after the other."""
    d = bd.Diagram("mixer")
    times = np.arange(len(wrenches)) + 0.0
    source = d.add("asked", bd.PiecewiseConstant(times=times.tolist(), values=wrenches.tolist()))
    apart = d.add("apart", bd.Demux(counts=[3, 1]))
    mixer = d.add("mixer", bd.MotorMixer(vehicle, **options))
    d.connect(source, apart)
    d.connect(apart[0], mixer["torque"])
    d.connect(apart[1], mixer["thrust"])
    r = d.simulate(stop=float(len(wrenches)), times=times + 0.5)
    return r["mixer.omega"].values, r["mixer.wrench"].values


def best(A: Array, low: Array, high: Array, wanted: Array, yaw: bool = True) -> Array:
    """Roll and pitch, then thrust, then yaw unless left out, by linear programmes in the squared speeds."""
    n = A.shape[1]
    bounds = [(a, None if np.isinf(b) else b) for a, b in zip(low, high, strict=True)]
    r = linprog(
        np.append(np.zeros(n), -1.0), A_eq=np.column_stack([A[:2], -wanted[:2]]), b_eq=np.zeros(2),
        bounds=[*bounds, (0, 1)],
    )  # fmt: skip
    held, rows = r.x[-1] * wanted[:2], A[:2]
    for row, want in ((A[3], wanted[3]), (A[2], wanted[2]))[: 1 + yaw]:
        # at a limit the held rows leave a point: they get the width of the solver's own tolerance
        width = 1e-9 * np.ones(len(rows))
        r = linprog(
            np.append(np.zeros(n), 1.0),
            A_ub=np.vstack([
                np.append(row, -1), np.append(-row, -1),
                np.column_stack([rows, 0 * width]), np.column_stack([-rows, 0 * width]),
            ]),
            b_ub=np.concatenate([[want, -want], held + width, width - held]), bounds=[*bounds, (0, None)],
        )  # fmt: skip
        held, rows = np.append(held, row @ r.x[:n]), np.vstack([rows, row])
    return held[[0, 1, 3, 2]] if yaw else held


def scaled(vehicle: Any) -> tuple[Array, Array, Array, Array, float]:
    """The allocation in units of its rows and of the fastest square, the limits, the sizes, the square."""
    A, low, high = vehicle.allocation(), vehicle.numbers("slowest") ** 2, vehicle.numbers("fastest") ** 2
    unit = float(np.where(np.isinf(high), 1.0, high).max())
    unit = unit if unit > 1.0 else float(np.square(vehicle.hover_speeds()).max())
    size = np.abs(A * unit).max(axis=1)
    return A * unit / size[:, np.newaxis], low / unit, high / unit, size, unit


def demands(A: Array, count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    wanted = rng.normal(size=(count, 4)) * [0.7, 0.7, 0.7, 1.0] * 10 ** rng.uniform(-1.5, 0.5, (count, 1))
    wanted[:, 3] += 0.4 * A[3].sum()
    return wanted


@pytest.mark.parametrize("name", [*VEHICLES, *(f"ring{n}" for n in (5, 7, 12))])
def test_priorities_are_those_of_linear_programmes(name: str) -> None:
    vehicle: Any = ring(int(name[4:]), tilt=0.1) if name.startswith("ring") else robots.load_vehicle(name)
    A, low, high, size, unit = scaled(vehicle)
    wanted = demands(A, 25, len(name))
    omega, wrench = asked(vehicle, wanted * size)
    u = omega**2 / unit
    np.testing.assert_allclose(u @ A.T * size, wrench, rtol=0, atol=1e-9 * size.max())
    assert (u >= low - 1e-12).all()
    assert (u <= high + 1e-12).all()
    assert (np.sign(omega) * vehicle.spins >= 0.0).all()
    optima = np.array([best(A, low, high, w) for w in wanted])
    # the programmes meet their equations to 1e-7
    np.testing.assert_allclose(wrench / size, optima, rtol=0, atol=1e-6)
    within = np.all(np.abs(wrench / size - wanted) < 1e-12, axis=1)
    assert 3 < within.sum() < 25


@pytest.mark.parametrize(("name", "failed"), [("ring3", 0), ("hummingbird", 0), ("neo", 2), ("coaxial", 0)])
def test_without_yaw_the_rest_is_that_of_linear_programmes(name: str, failed: int) -> None:
    """Three rotors with tilted shafts, four and more, and five that a failure leaves of six."""
    vehicle: Any = ring(3, tilt=0.1) if name == "ring3" else robots.load_vehicle(name)
    if failed:
        vehicle = vehicle.failure(failed)
    A, low, high, size, unit = scaled(vehicle)
    wanted = demands(A, 25, len(name))
    omega, wrench = asked(vehicle, wanted * size, yaw=False)
    u = omega**2 / unit
    np.testing.assert_allclose(u @ A.T * size, wrench, rtol=0, atol=1e-9 * size.max())
    assert (u >= low - 1e-12).all()
    assert (u <= high + 1e-12).all()
    optima = np.array([best(A, low, high, w, yaw=False) for w in wanted])
    np.testing.assert_allclose((wrench / size)[:, [0, 1, 3]], optima, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["neo", "coaxial", "ring12"])
def test_of_all_speeds_those_nearest_to_the_pseudo_inverse_are_taken(name: str) -> None:
    """Against SciPy's bounded least squares, with the wrench as equations of great weight."""
    vehicle: Any = ring(12, tilt=0.1) if name == "ring12" else robots.load_vehicle(name)
    A, low, high, size, unit = scaled(vehicle)
    omega, wrench = asked(vehicle, demands(A, 20, 5) * size)
    weight = 1e6
    for speeds, given in zip(omega, wrench / size, strict=True):
        u0 = np.linalg.pinv(A) @ given
        stacked = np.vstack([weight * A, np.eye(vehicle.n)])
        r = lsq_linear(stacked, np.append(weight * given, u0), (low, high), method="bvls", tol=1e-14)
        np.testing.assert_allclose(speeds**2 / unit, r.x, rtol=0, atol=1e-5)


def test_within_the_limits_it_is_what_the_quadrotor_mixer_gives() -> None:
    wanted = np.array([[0.5, -0.8, 0.03, 50.0], [0.0, 0.0, 0.0, 39.24], [1.0, 1.0, -0.05, 45.0]])
    omega, wrench = asked("x4", wanted)
    np.testing.assert_allclose(wrench, wanted, rtol=0, atol=1e-12)
    x4 = robots.load_vehicle("x4")
    np.testing.assert_allclose((omega * abs(omega)) @ (x4.allocation() * x4.spins).T, wanted, atol=1e-10)


def test_clipped_cuts_each_rotor() -> None:
    vehicle = robots.load_vehicle("neo")
    A = vehicle.allocation()
    wanted = demands(scaled(vehicle)[0], 20, 3) * scaled(vehicle)[3]
    omega, wrench = asked(vehicle, wanted, method="clipped")
    u = np.clip(wanted @ np.linalg.pinv(A).T, 0.0, vehicle.numbers("fastest") ** 2)
    np.testing.assert_allclose(omega**2, u, rtol=1e-9, atol=1e-3)
    np.testing.assert_allclose(wrench, omega**2 @ A.T, rtol=1e-9, atol=1e-12)


def test_limits_are_met_at_located_instants() -> None:
    """Thrust alone, t in N: the hummingbird gives out at four times one rotor's, and stays there."""
    vehicle = robots.load_vehicle("hummingbird")
    most = 4 * vehicle.rotors[0].thrust * vehicle.rotors[0].fastest ** 2
    d = bd.Diagram("climb")
    mixer = d.add("mixer", bd.MotorMixer("hummingbird"))
    d.connect(d.add("torque", bd.Constant([0.0, 0.0, 0.0])), mixer["torque"])
    d.connect(d.add("thrust", bd.Clock()), mixer["thrust"])
    r = d.simulate(stop=1.5 * most)
    times = [e.time for e in r.events if e.path == "mixer"]
    assert times[0] == pytest.approx(most, rel=1e-6)
    assert len(times) <= 3
    np.testing.assert_allclose(r.final("mixer.wrench"), [0.0, 0.0, 0.0, most], rtol=1e-8, atol=1e-9)


def test_what_rotors_cannot_produce_is_named() -> None:
    quad = robots.load_vehicle("hummingbird")
    with pytest.raises(bd.ParameterError, match="they cannot produce yaw"):
        bd.MotorMixer(quad.with_rotors(torque=0.0))
    for tilt in (0.0, 0.1):
        with pytest.raises(
            bd.ParameterError, match=r"cannot produce yaw independently of roll.*\n.*`yaw: false`"
        ):
            bd.MotorMixer(ring(3, tilt))
    line = tuple(quad.rotors[0].__class__(place=(x, 0.0, 0.0), spin=s, thrust=1e-6, torque=1e-8)
                 for x, s in ((0.2, 1), (0.1, -1), (-0.1, 1), (-0.2, -1)))  # fmt: skip
    for yaw in (True, False):
        with pytest.raises(bd.ParameterError, match="they cannot produce roll"):
            bd.MotorMixer(quad.replaced(rotors=line), yaw=yaw)
