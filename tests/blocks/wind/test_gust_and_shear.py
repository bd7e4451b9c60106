"""A gust and the mean wind against their closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError


def test_a_gust_is_one_period_of_a_cosine() -> None:
    """Its peak is in the middle, and it displaces the air by amplitude duration / 2."""
    d = bd.Diagram("gust")
    gust = d.add("gust", bd.Gust(amplitude=[4.0, 0.0, -2.0], start=0.3, duration=0.8))
    d.connect(gust, d.add("moved", bd.Integrator(initial=[0.0, 0.0, 0.0])))
    r = d.simulate(stop=2.0, times=[0.2, 0.5, 0.7, 0.9, 2.0], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["gust"].values[:, 0], [0.0, 2.0, 4.0, 2.0, 0.0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(r.final("moved"), [1.6, 0.0, -0.8], rtol=0, atol=1e-9)
    assert [event.time for event in r.events] == [0.3, 1.1]


def test_the_wind_grows_with_the_logarithm_of_the_height() -> None:
    """At 20 ft it is the speed given; every doubling of the height adds the same; below 3 ft it is steady."""
    d = bd.Diagram("shear")
    position = d.add(
        "position", bd.PiecewiseLinear(times=[0.0, 1.0], values=[[0.0, 0.0, 0.0], [9.0, 9.0, -40.0]])
    )
    d.connect(position, d.add("wind", bd.WindShear(speed=7.0, direction=np.pi / 2, roughness=0.6096)))
    heights = np.array([0.0, 0.5, 0.9144, 6.096, 12.192, 24.384])
    y = d.simulate(stop=1.0, times=heights / 40.0)["wind"].values
    np.testing.assert_allclose(y[:, [0, 2]], 0.0, atol=1e-12)
    np.testing.assert_allclose(y[3, 1], 7.0, rtol=1e-12)
    np.testing.assert_allclose(y[:3, 1], 7.0 * np.log(1.5) / np.log(10.0), rtol=1e-9)
    np.testing.assert_allclose(np.diff(y[3:, 1]), 7.0 * np.log(2.0) / np.log(10.0), rtol=1e-9)


def test_rough_ground_is_lower_than_the_profile() -> None:
    with pytest.raises(ParameterError, match=r"(?s)roughness.*less than 0\.9144 m"):
        bd.WindShear(roughness=1.0)
