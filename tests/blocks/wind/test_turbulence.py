"""Turbulence against the spectra and correlations of the standard."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.blocks.wind.spectra import (
    FIVE_SIXTHS_POLES,
    FIVE_SIXTHS_ZEROS,
    chain,
    low_altitude,
    turbulence_filter,
)

SIGMA, LENGTH, AIRSPEED, STEP = [1.0, 2.0, 3.0], [20.0, 20.0, 10.0], 10.0, 0.02
FIELD = {"sigma": SIGMA, "length": LENGTH, "airspeed": AIRSPEED, "sample_time": STEP}


def density(spectrum: str, component: int, frequency: np.ndarray) -> np.ndarray:
    """The standard's one-sided density over frequency in Hz."""
    sigma, length = SIGMA[component], LENGTH[component]
    x = length * 2 * np.pi * frequency / AIRSPEED
    a = (1.339 * x) ** 2
    shapes = {
        ("dryden", False): 2 / (1 + x**2),
        ("dryden", True): (1 + 3 * x**2) / (1 + x**2) ** 2,
        ("von-karman", False): 2 * (1 + a) ** (-5 / 6),
        ("von-karman", True): (1 + 8 / 3 * a) * (1 + a) ** (-11 / 6),
    }
    return 2 * sigma**2 * length / AIRSPEED * shapes[spectrum, component > 0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("spectrum", ["dryden", "von-karman"])
def test_the_spectrum_of_a_long_run_is_the_standards(spectrum: str) -> None:
    """In bands over two decades, to four deviations of what a run of this length can tell."""
    d = bd.Diagram("wind")
    d.add("wind", bd.Turbulence(spectrum=spectrum, **FIELD))  # type: ignore[arg-type]
    duration = 2000.0
    y = d.simulate(stop=duration, seed=3, times=np.arange(0.0, duration, STEP))["wind"].values
    frequency, measured = signal.welch(y, fs=1 / STEP, nperseg=4096, axis=0)
    edges = np.geomspace(0.025, 0.05 / STEP, 8)
    for low, high in pairwise(edges):
        band = (frequency >= low) & (frequency < high)
        spread = 0.05 + 4.0 / np.sqrt(duration * (high - low))
        for k in range(3):
            ratio = measured[band, k].sum() / density(spectrum, k, frequency[band]).sum()
            assert ratio == pytest.approx(1.0, abs=spread), (k, low, high)


def test_drydens_correlation_in_time() -> None:
    """Along s^2 exp(-a), across s^2 exp(-a) (1 - a / 2), with a = V t / L: transforms of the densities."""
    a = AIRSPEED * STEP / 20.0 * np.arange(300)
    for across, exact in ((False, np.exp(-a)), (True, np.exp(-a) * (1 - a / 2))):
        f = turbulence_filter("dryden", across, 1.5, 20.0, AIRSPEED, STEP)
        P = f.start @ f.start.T
        np.testing.assert_allclose(P, f.transition @ P @ f.transition.T + f.noise @ f.noise.T, atol=1e-12)
        powers = [f.output @ np.linalg.matrix_power(f.transition, k) @ P @ f.output for k in range(300)]
        np.testing.assert_allclose(powers, 2.25 * exact, rtol=0, atol=1e-12)


def test_the_filter_of_von_karman_is_his_spectrum_over_five_decades() -> None:
    A, B, C = chain(list(FIVE_SIXTHS_POLES), list(FIVE_SIXTHS_ZEROS))
    y = np.geomspace(1e-2, 3e3, 200)
    gain = [abs(C @ np.linalg.solve(1j * w * np.eye(5) - A, B))[0] ** 2 for w in y]
    np.testing.assert_allclose(gain, (1 + y**2) ** (-5 / 6), rtol=0.013)


def test_at_1000_feet_turbulence_is_isotropic() -> None:
    """MIL-F-8785C joins its two models there: all scales are 1000 ft, all intensities a tenth of the wind."""
    sigma, length = low_altitude(304.8, 12.0)
    np.testing.assert_allclose(sigma, 1.2, rtol=1e-12)
    np.testing.assert_allclose(length, 304.8, rtol=1e-12)


def test_it_is_stationary_from_the_start_and_turned_with_the_mean_wind() -> None:
    """Over scenarios at the start: s_u along the wind, which blows to the east, s_v across, s_w along z."""
    d = bd.Diagram("wind")
    d.add("wind", bd.Turbulence(direction=np.pi / 2, **FIELD))  # type: ignore[arg-type]
    program = d.compile()
    count = 400
    first = np.array([program.simulate(stop=0.0, seed=seed)["wind"].values[0] for seed in range(count)])
    np.testing.assert_allclose(first.std(axis=0), [2.0, 1.0, 3.0], rtol=4 / np.sqrt(2 * count))
    assert abs(np.corrcoef(first.T) - np.eye(3)).max() < 4 / np.sqrt(count)


def test_the_wind_of_an_instant_does_not_depend_on_the_run() -> None:
    """A run that starts later, one with other events, and an interpreted one meet the same air."""

    def wind(start: float, compiled: bool = True, step: float = 0.7) -> np.ndarray:
        d = bd.Diagram("wind")
        d.add("wind", bd.Turbulence(spectrum="von-karman"))
        d.add("other", bd.Square(period=step))
        times = [1.0, 1.237, 1.5]
        return d.simulate(start=start, stop=1.5, times=times, seed=5, compiled=compiled)["wind"].values

    np.testing.assert_array_equal(wind(0.0), wind(0.9))
    np.testing.assert_array_equal(wind(0.0), wind(0.0, step=0.013))
    np.testing.assert_allclose(wind(0.0), wind(0.0, compiled=False), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"height": 1.0}, "height.*3.048 to 304.8 m, or `sigma` and `length`"),
        ({"sigma": [1.0, 1.0, 1.0]}, "length.*both `sigma` and `length`"),
        ({"sigma": [1.0], "length": [1.0, 1.0, 1.0]}, "sigma.*three numbers"),
        ({"spectrum": "kolmogorov"}, "spectrum.*dryden"),
        ({"sample_time": 0.0}, "sample_time"),
        ({"airspeed": 0.0}, "airspeed"),
    ],
)
def test_what_is_no_turbulence_is_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=f"(?s){message}"):
        bd.Turbulence(**parameters)  # type: ignore[arg-type]
