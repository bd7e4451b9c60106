"""The sampled cascade: the filter errs as it says, and what it says is enough to fly by."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import blockdyn as bd


@pytest.fixture(scope="module")
def flight() -> bd.Result:
    return bd.load("sampled-cascade").simulate()


def test_errors_of_the_filter_are_as_large_as_it_says(flight: bd.Result) -> None:
    """Of the nine errors of place, velocity and attitude 68 % are within a deviation, 99.7 % within three."""
    assert not [name for name in flight.statistics if name.startswith("python")]

    def at(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.asarray(flight[name].values[400:])

    turn = [
        Rotation.from_quat(at(f"{block}.quaternion"), scalar_first=True) for block in ("filter", "quadrotor")
    ]
    moved = [at(f"quadrotor.{name}") - at(f"filter.{name}") for name in ("position", "velocity")]
    errors = np.abs(np.hstack([*moved, (turn[0].inv() * turn[1]).as_rotvec()]))
    deviations = at("filter.deviations")[:, :9]
    assert np.mean(errors < deviations) == pytest.approx(0.683, abs=0.08)
    assert np.mean(errors < 3.0 * deviations) > 0.99
    # the cameras err by 1 cm along each axis
    assert np.sqrt(np.mean(np.sum(errors[:, :3] ** 2, axis=1))) < 0.3 * 0.01 * np.sqrt(3.0)


def test_it_finds_the_biases_and_keeps_to_the_eight(flight: bd.Result) -> None:
    """They walk by K sqrt(t), 4.5 mm/s2 and 0.45 mrad/s in 20 s."""
    biases = flight.final("filter.accelerometer_bias"), flight.final("filter.gyroscope_bias")
    np.testing.assert_allclose(biases[0], [0.05, -0.08, 0.1], rtol=0, atol=4.0 * 4.5e-3)
    np.testing.assert_allclose(biases[1], [0.01, -0.005, 0.008], rtol=0, atol=4.0 * 4.5e-4)
    away = (flight["quadrotor.position"] - flight["eight.position"]).values[400:]
    assert np.sqrt(np.mean(np.sum(away**2, axis=1))) == pytest.approx(0.039, rel=0.05)
