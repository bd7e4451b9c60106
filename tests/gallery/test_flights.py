"""Flights of the gallery: Newton's law by formulas of its own, and the distances that the pages tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd

H = 4e-4  # s
MIDDLES = 0.02 * np.arange(160, 740, 7) + 0.01  # between two samples of the turbulence, from 3 s on


@pytest.fixture(scope="module")
def flight() -> bd.Result:
    times = np.sort(np.concatenate([MIDDLES - H, MIDDLES, MIDDLES + H]))
    return bd.load("quadrotor").simulate(times=times, rtol=1e-11, atol=1e-13)


def test_the_quadrotor_obeys_newton(flight: bd.Result) -> None:
    """m a = m g + R (thrust and drag of rotors, drag of the body), by the Hummingbird's published numbers."""
    assert not [name for name in flight.statistics if name.startswith("python")]

    def at(name: str) -> Any:
        return flight[name].values[1::3]

    v = flight["quadrotor.velocity"].values
    a = (v[2::3] - v[:-2:3]) / (2 * H)
    bodies = Rotation.from_quat(at("quadrotor.quaternion"), scalar_first=True)
    moved = bodies.inv().apply(v[1::3] - at("wind.y"))  # through the air, in body axes
    speeds = np.abs(at("quadrotor.rotor_speeds"))
    force = np.zeros_like(moved)
    force[:, 2] -= 5.57e-6 * (speeds**2).sum(axis=1)
    for i, hub in enumerate(0.17 / np.sqrt(2) * np.array([[1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]])):
        hub_moved = moved + np.cross(at("quadrotor.rates"), hub)
        force -= speeds[:, i, None] * [1.19e-4, 1.19e-4, 2.32e-4] * hub_moved
    force -= np.linalg.norm(moved, axis=1)[:, None] * [0.005, 0.005, 0.01] * moved
    np.testing.assert_allclose(a, [0, 0, 9.81] + bodies.apply(force) / 0.5, rtol=0, atol=1e-5)


def test_the_quadrotor_keeps_to_its_track(flight: bd.Result) -> None:
    away = np.linalg.norm(flight["quadrotor.position"].values - flight["eight.position"].values, axis=1)
    assert np.sqrt((away**2).mean()) == pytest.approx(0.19, abs=0.02)
    assert away.max() < 0.46
    assert np.linalg.norm(flight["quadrotor.velocity"].values, axis=1).max() == pytest.approx(6.4, abs=0.1)
