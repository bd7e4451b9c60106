"""Gallery: subsystems that switch and a state machine, against closed forms."""

from __future__ import annotations

import numpy as np

import blockdyn as bd


def test_cruise_gears() -> None:
    """Full torque: m v' = F - c v^2, v = sqrt(F/c) tanh(sqrt(F c) t/m + ...); braking: sqrt(B/c) tan(...)."""
    mass, drag, torque, push = 1200.0, 0.45, 180.0, 3.0
    r = bd.load("cruise-gears").simulate()

    def lasts(force: float, v0: float, v1: float) -> float:
        scale = np.sqrt(drag / force)
        return mass / np.sqrt(force * drag) * (np.arctanh(scale * v1) - np.arctanh(scale * v0))

    forces = [push * ratio * torque for ratio in (12.0, 7.0, 4.5)]
    to_second = lasts(forces[0], 0.0, 8.0)
    to_third = to_second + lasts(forces[1], 8.0, 16.0)
    ratio = r.trace("machine.ratio")
    shifts = ratio.time[1:][np.diff(ratio.values.ravel()) != 0]
    np.testing.assert_allclose(shifts[:2], [to_second, to_third], rtol=1e-8)
    at = to_third + lasts(forces[2], 16.0, 20.0)
    exactly = bd.load("cruise-gears").simulate(times=[at, 20.0, 22.0], stop=22.0)["v"].values
    np.testing.assert_allclose(exactly[0], 20.0, rtol=1e-8)
    # 25 m/s is held; then 3600 N brake for 2 s, with nothing from the engine
    np.testing.assert_allclose(exactly[1], 25.0, atol=0.2)
    rate = np.sqrt(3600.0 * drag) / mass
    expected = np.sqrt(3600.0 / drag) * np.tan(np.arctan(np.sqrt(drag / 3600.0) * exactly[1]) - 2.0 * rate)
    np.testing.assert_allclose(exactly[2], expected, rtol=1e-8)
    assert r.trace("controller/torque").at([21.0]) == 0.0
    assert r.trace("machine.state").at([10.0, 21.0, 22.5]).ravel().tolist() == [2.0, 3.0, 2.0]
    np.testing.assert_allclose(r.final("v"), 25.0, atol=0.1)


def test_tooth_wheel() -> None:
    """Edges where 12 q = pi/6 + 2 pi k, q = w t + a t^2/2: a reading is the mean speed between two."""
    r = bd.load("tooth-wheel").simulate()
    w, a = 2.0, 0.5
    q = (np.pi / 6 + 2 * np.pi * np.arange(100)) / 12
    edges = (np.sqrt(w * w + 2 * a * q) - w) / a
    edges = edges[edges <= 5.0]
    trace = r.trace("measured.speed")
    changes = trace.time[1:][np.diff(trace.values.ravel()) != 0]
    np.testing.assert_allclose(changes, edges, rtol=1e-9)
    np.testing.assert_allclose(
        trace.at(edges[1:] + 1e-6).ravel(), w + a * (edges[1:] + edges[:-1]) / 2, rtol=1e-7
    )
    assert r.final("measured/edge") == len(edges)
