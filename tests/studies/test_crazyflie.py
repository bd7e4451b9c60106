"""The Crazyflie study: it finds the numbers of a flight that was simulated, and predicts flights measured."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from studies.crazyflie.by_fit import fitted
from studies.crazyflie.closed_loop import closed_loop, flown, tracking_error
from studies.crazyflie.flights import FILES, STEP, Flight, read
from studies.crazyflie.thrust import thrust_residual
from studies.crazyflie.translation import Model, constant_velocity, fit, median

# What `python -m tools.studies.crazyflie` identifies on circle and figure eight.
IDENTIFIED = Model(0.54637, 0.096243, 0.50945, 0.41829, 0.35704, -0.010452, 0.0071889, 0.041799, -0.011675)
FOLDER = Path(os.environ.get("BLOCKDYN_FLIGHTS", Path(__file__).parents[2].parent / "shared" / "flights"))
measured = pytest.mark.skipif(
    not all((FOLDER / file).is_file() for file in FILES.values()),
    reason=f"needs the four measured flights in {FOLDER}, or in the folder that BLOCKDYN_FLIGHTS names",
)


def simulated(model: Model, duration: float) -> Flight:
    """What would be measured of a flight of the library's NRotor, along a figure eight of 1 m by 0.5 m."""
    t = np.arange(0.0, duration, STEP)
    target = np.stack([np.sin(1.5 * t), 0.5 * np.sin(3.0 * t), -1.0 + 0.2 * np.sin(t)], axis=1)
    none = np.zeros((len(t), 3))
    still = np.broadcast_to(np.eye(3), (len(t), 3, 3))
    wanted = Flight(
        t, np.array([[0.0, 0.0, -1.0]] * len(t)), none, still, none, none, 3.9 - 0.01 * t, none, target, t * 0
    )
    log = ["vehicle.position", "vehicle.velocity", "vehicle.quaternion", "vehicle.rates", "firmware"]
    r = closed_loop(model, wanted).simulate(stop=float(t[-1]), times=t, log=log, rtol=1e-7, atol=1e-9)
    attitude = Rotation.from_quat(r["vehicle.quaternion"].values, scalar_first=True).as_matrix()
    return wanted._replace(
        position=r["vehicle.position"].values, velocity=r["vehicle.velocity"].values, attitude=attitude,
        rates=r["vehicle.rates"].values, command=r["firmware"].values,
    )  # fmt: skip


def test_the_numbers_of_a_simulated_flight_are_found() -> None:
    """Thrust, drag and trim from the flight alone, though motors lag in speed there, in command here."""
    model = fit([simulated(IDENTIFIED, 5.0)])
    for name in ("drag_x", "drag_y", "trim_x", "trim_y"):
        assert getattr(model, name) == pytest.approx(getattr(IDENTIFIED, name), rel=0.05, abs=2e-4), name
    at_hover = [4 * (m.k1 * 3.0 + m.k2 * 9.0) for m in (model, IDENTIFIED)]
    assert at_hover[0] == pytest.approx(at_hover[1], rel=0.005)


def test_a_fit_of_runs_finds_them_too() -> None:
    """By `Diagram.fit`, with every run's begin unknown."""
    model, answer = fitted([simulated(IDENTIFIED, 5.0)])
    assert answer.converged
    for name in ("drag_x", "drag_y", "trim_x", "trim_y"):
        assert getattr(model, name) == pytest.approx(getattr(IDENTIFIED, name), rel=0.06, abs=3e-4), name


@measured
def test_a_fit_to_one_flight_predicts_another() -> None:
    """Helix, from the figure eight alone, as well as by the study's other fit; drag is told to 5 %."""
    model, answer = fitted([read(FOLDER, "figure eight")])
    for error, limit in zip(
        median(model.errors(read(FOLDER, "helix"))).values(), (0.026, 0.091, 0.31), strict=True
    ):
        assert error < limit
    low, high = answer.intervals()["body.drag_y"]
    assert high - low < 0.05 * model.drag_y
    assert answer.undetermined == ()


@measured
@pytest.mark.parametrize("name", FILES)
def test_the_specific_force_of_measured_flights_follows_from_commands(name: str) -> None:
    residual, _ = thrust_residual(read(FOLDER, name))
    assert residual < 0.13


@measured
@pytest.mark.parametrize(
    ("name", "limits"),
    [("helix", (0.025, 0.09, 0.30)), ("Lissajous", (0.022, 0.067, 0.17))],
)
def test_flights_that_were_not_fitted_are_predicted(name: str, limits: tuple[float, ...]) -> None:
    """Within what the study reports, six times better than constant velocity; across the nose 5 cm in 2 s."""
    flight = read(FOLDER, name)
    errors = IDENTIFIED.errors(flight)
    for error, limit, guess in zip(
        median(errors).values(), limits, median(constant_velocity(flight)).values(), strict=True
    ):
        assert error < limit
        assert error < guess / 5.0
    assert np.median(np.abs(errors[2.0][:, 1])) < 0.05


@measured
@pytest.mark.parametrize("name", FILES)
def test_the_closed_loop_tracks_as_the_vehicle_did(name: str) -> None:
    """The distance from the set points is that of the measured flight within 20 %."""
    flight = read(FOLDER, name)
    ratio = tracking_error(flown(IDENTIFIED, flight), flight) / tracking_error(flight.position, flight)
    assert ratio == pytest.approx(1.0, abs=0.2)
