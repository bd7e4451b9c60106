"""Chirp, Pulse and Sawtooth against SciPy's waveforms, their integrals and their edges."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.signal import chirp, sawtooth

import blockdyn as bd

TIMES = np.linspace(0.0, 6.0, 241)[1:] - 0.003


def diagram() -> bd.Diagram:
    d = bd.Diagram("waves")
    for sweep in ("linear", "logarithmic"):
        block = bd.Chirp(
            first=2.0, last=30.0, duration=4.0, sweep=sweep, amplitude=[1.5, 3.0], phase=pi / 2, start=0.5
        )
        d.add(sweep, block)
    d.add("same", bd.Chirp(first=3.0, last=3.0, sweep="logarithmic"))
    for rise in (0.0, 0.25, 0.5, 1.0):
        d.add(
            f"saw{rise * 100:.0f}",
            bd.Sawtooth(period=0.7, rise=rise, offset=0.2, amplitude=2.0, bias=[1.0, -1.0]),
        )
        d.connect(f"saw{rise * 100:.0f}", d.add(f"area{rise * 100:.0f}", bd.Integrator([0.0, 0.0])))
    d.add("pulses", bd.Pulse(period=0.3, width=0.1, delay=0.5, amplitude=4.0, bias=1.0))
    d.add("three", bd.Pulse(period=0.3, width=0.1, delay=0.5, count=3))
    d.connect("three", d.add("sum", bd.Integrator()))
    return d


@pytest.fixture(scope="module")
def run() -> bd.Result:
    return diagram().simulate(times=TIMES, rtol=1e-9, atol=1e-12)


def test_a_chirp_is_scipys_within_its_sweep_and_goes_on_with_its_last_frequency(run: bd.Result) -> None:
    tau = TIMES - 0.5
    within, behind = (tau > 0) & (tau < 4.0), tau > 4.0
    for sweep in ("linear", "logarithmic"):
        y = run[sweep].values
        expected = chirp(tau[within], 2.0 / (2 * pi), 4.0, 30.0 / (2 * pi), method=sweep)
        np.testing.assert_allclose(y[within], np.outer(expected, [1.5, 3.0]), atol=1e-12)
        np.testing.assert_array_equal(y[tau < 0], np.tile([1.5, 3.0], (np.sum(tau < 0), 1)))
        angle = 2 * pi * 30.0 / (2 * pi)
        waves = np.column_stack([np.cos(angle * tau[behind]), np.sin(angle * tau[behind])])
        _, rest, *_ = np.linalg.lstsq(waves, y[behind, 0], rcond=None)
        assert rest < 1e-20  # a sine of that frequency
        near = np.interp([3.99, 4.01], tau, y[:, 0])
        assert abs(near[1] - near[0]) < 30.0 * 1.5 * 0.04  # continuous at the end of the sweep
    np.testing.assert_allclose(run["same"].values, np.sin(3.0 * TIMES), atol=1e-12)


def test_a_sawtooth_is_scipys_and_its_corners_are_exact(run: bd.Result) -> None:
    since = (TIMES - 0.2) / 0.7
    for rise in (0.0, 0.25, 0.5, 1.0):
        later = since > 0
        expected = 1.0 + 2.0 * sawtooth(2 * pi * since[later], rise)
        np.testing.assert_allclose(run[f"saw{rise * 100:.0f}"].values[later, 0], expected, atol=1e-9)
        assert np.all(run[f"saw{rise * 100:.0f}"].values[~later, 1] == (1.0 if rise == 0.0 else -3.0))
        # whole periods have no area but that of the bias
        start, end = (
            run[f"area{rise * 100:.0f}"].sel(time=t, method="nearest").values for t in (TIMES[20], TIMES[160])
        )
        np.testing.assert_allclose(
            (end - start)[0] - (end - start)[1], 2.0 * (TIMES[160] - TIMES[20]), rtol=1e-9
        )
        assert end[0] - start[0] == pytest.approx(TIMES[160] - TIMES[20], abs=1e-9)


def test_pulses_have_their_width_and_end_where_they_are_counted(run: bd.Result) -> None:
    high = ((TIMES - 0.5) % 0.3 < 0.1) & (TIMES > 0.5)
    np.testing.assert_array_equal(
        run["pulses"].sel(time=TIMES, method="ffill").values, np.where(high, 5.0, 1.0)
    )
    assert run.final("sum") == pytest.approx(0.3, abs=1e-15)
    edges = [event.time for event in run.events if event.path == "three"]
    assert edges == [0.5, 0.6, 0.8, 0.9, 1.1, 1.2]


def test_the_step_sees_the_fastest_wave_of_a_chirp() -> None:
    d = bd.Diagram()
    d.add("chirp", bd.Chirp(first=1.0, last=40.0, duration=5.0))
    d.connect("chirp", d.add("hits", bd.HitCrossing()))
    # the angle 1 t + 3.9 t^2 passes pi, 2 pi, ... up to 102.5 rad
    assert d.simulate(stop=5.0).final("hits") == int(102.5 / pi)


@pytest.mark.parametrize(
    ("block", "values", "message"),
    [
        (bd.Chirp, {"first": 0.0, "sweep": "logarithmic"}, r"Chirp\.first is 0"),
        (bd.Chirp, {"last": -1.0}, r"Chirp\.last is -1"),
        (bd.Pulse, {"width": 2.0}, r"Pulse\.width is 2.*\nexpected: less than the period, 1"),
        (bd.Pulse, {"count": 0}, r"Pulse\.count is 0"),
        (bd.Sawtooth, {"rise": 1.5}, r"Sawtooth\.rise is 1\.5"),
        (bd.PRBS, {"order": 25}, r"PRBS\.order is 25"),
        (bd.PRBS, {"order": 3, "seed": 8}, r"PRBS\.seed is 8.*\nexpected: .* from 1 to 7"),
        (bd.PinkNoise, {"lowest": 5.0}, r"PinkNoise\.lowest is 5"),
        (bd.Table, {"times": [0, 2, 1], "values": [1, 2, 3]}, r"Table\.times\[2\] is 1.*\n.*at least 2"),
        (bd.Table, {"times": [0, 1], "values": [1, 2, 3]}, r"Table\.values is .*\nexpected: as many"),
        (bd.Table, {"times": [0, float("nan")], "values": [1, 2]}, r"Table\.times\[1\] is nan"),
        (bd.Table, {"times": [1], "values": [1], "repeat": True}, r"Table\.repeat is True"),
        (bd.Recorded, {"run": 3, "signal": "x"}, r"Recorded\.run is 3.*\nexpected: a Result, or the path"),
        (bd.Recorded, {"run": "no.nc", "signal": "x"}, r"Recorded\.run is 'no.nc': .*no.nc"),
    ],
)  # fmt: skip
def test_wrong_parameters_are_told(block: type[bd.Block], values: dict[str, object], message: str) -> None:
    with pytest.raises(bd.ParameterError, match=message):
        block(**values)
