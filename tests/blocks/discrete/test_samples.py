"""Blocks that keep samples: what scipy.signal and NumPy make of the same samples, all in one diagram."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd

T = 0.01
COUNT = 60
TIMES = np.arange(COUNT) / 100.0  # the ticks
RANDOM = np.random.default_rng(7)
SAMPLES = RANDOM.standard_normal((COUNT, 2))
FILLED = np.vstack([np.full((4, 2), 2.0), SAMPLES])  # behind what was before the first tick
FIR = RANDOM.standard_normal(9)
IIR = signal.butter(4, 10.0, fs=1 / T)
SOS = signal.ellip(7, 0.5, 40.0, 8.0, fs=1 / T, output="sos")
BAND = signal.butter(3, [5.0, 9.0], "band", fs=1 / T, output="sos")
BAND_REST = signal.sosfilt_zi(BAND)[:, :, None] * np.array([1.0, 3.0])
LATE = (np.array([0.0, 0.0, 0.7]), np.array([2.0, 0.3]))
LATE_SOS = np.array([[0.0, 1.0, 0.5, 1.0, -0.2, 0.1], [1.0, 0.3, 0.0, 1.0, 0.4, 0.0]])


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "interpreted"])
def run(request: pytest.FixtureRequest) -> bd.Result:
    d = bd.Diagram()
    u = d.add("u", bd.PiecewiseConstant(times=TIMES, values=SAMPLES))
    one = d.add("one", bd.Selector(indices=0))
    d.connect(u, one)
    matrix = d.add("matrix", bd.Reshape(shape=(2, 1)))
    d.connect(u, matrix)
    blocks: dict[str, bd.Block] = {
        "delay": bd.Delay(T, length=3, initial=[0.5, -0.5]),
        "mean": bd.MovingAverage(T, length=5, initial=2.0),
        "slope": bd.DiscreteDerivative(T),
        "fir": bd.DiscreteFilter(T, b=FIR),
        "iir": bd.DiscreteFilter(T, b=IIR[0], a=IIR[1]),
        "sos": bd.DiscreteFilter(T, sos=SOS),
        "band": bd.DiscreteFilter(T, sos=BAND, initial=[1.0, 3.0]),
        "late": bd.DiscreteFilter(T, b=LATE[0], a=LATE[1]),
        "late_sos": bd.DiscreteFilter(T, sos=LATE_SOS),
        "taps": bd.TappedDelay(T, length=3, initial=0.25),
    }
    for name, block in blocks.items():
        d.connect(u, d.add(name, block))
    d.connect(one, d.add("single", bd.DiscreteFilter(T, sos=SOS)))
    d.connect(one, d.add("earlier", bd.TappedDelay(T, length=3, current=False)))
    d.connect(one, d.add("one_late", bd.Delay(T, length=2)))
    d.connect(matrix, d.add("matrix_late", bd.Delay(T, length=3, initial=[[0.5], [-0.5]])))
    return d.simulate(times=TIMES, compiled=request.param)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fir", signal.lfilter(FIR, 1.0, SAMPLES, axis=0)),
        ("iir", signal.lfilter(*IIR, SAMPLES, axis=0)),
        ("sos", signal.sosfilt(SOS, SAMPLES, axis=0)),
        ("late", signal.lfilter(*LATE, SAMPLES, axis=0)),
        ("late_sos", signal.sosfilt(LATE_SOS, SAMPLES, axis=0)),
        ("band", signal.sosfilt(BAND, SAMPLES, 0, BAND_REST)[0]),
        ("single", signal.sosfilt(SOS, SAMPLES[:, 0])),
        ("slope", np.diff(SAMPLES, axis=0, prepend=0.0) / T),
        ("mean", signal.lfilter(np.ones(5) / 5, 1.0, FILLED, axis=0)[4:]),
        ("delay", np.vstack([[[0.5, -0.5]] * 3, SAMPLES[:-3]])),
        ("one_late", np.concatenate([[0.0, 0.0], SAMPLES[:-2, 0]])),
        ("matrix_late", np.vstack([[[0.5, -0.5]] * 3, SAMPLES[:-3]])[:, :, None]),
    ],
)
def test_samples_are_those_of_scipy_and_numpy(run: bd.Result, name: str, expected: np.ndarray) -> None:
    np.testing.assert_allclose(run[name].values, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


def test_taps_show_the_latest_samples_first(run: bd.Result) -> None:
    before = np.full((2, 2), 0.25)
    padded = np.vstack([before, SAMPLES])
    latest = np.stack([padded[2:], padded[1:-1], padded[:-2]], axis=1)
    np.testing.assert_array_equal(run["taps"].values, latest)
    padded = np.concatenate([np.zeros(3), SAMPLES[:, 0]])
    latest = np.stack([padded[2:-1], padded[1:-2], padded[:-3]], axis=1)
    np.testing.assert_array_equal(run["earlier"].values, latest)


def test_a_delay_breaks_a_loop_whose_size_only_its_start_tells() -> None:
    """y_k = y_{k-2} + 1 from (0, 10)."""
    d = bd.Diagram()
    late, one = d.add("late", bd.Delay(1.0, length=2, initial=[0.0, 10.0])), d.add("one", bd.Constant(1.0))
    d.connect(late + one, late)
    np.testing.assert_array_equal(d.simulate(stop=5.0).final("late"), [2.0, 12.0])


@pytest.mark.parametrize("compiled", [True, False])
def test_a_first_order_hold_goes_on_along_the_last_two_samples(compiled: bool) -> None:
    """u = t^2 sampled at 0.1 + 0.5 k; between ticks a straight line; its integral to rounding."""
    d = bd.Diagram()
    hold = d.add("hold", bd.FirstOrderHold(0.5, 0.1, initial=-1.0))
    d.connect(d.add("u", bd.Expression("t*t")), hold, d.add("area", bd.Integrator()))
    times = np.linspace(0.0, 2.0, 41)
    r = d.simulate(times=times, compiled=compiled)
    k = np.floor((times - 0.1) / 0.5 + 1e-9)
    t = 0.1 + 0.5 * k
    slope = np.where(k > 0, (t**2 - (t - 0.5) ** 2) / 0.5, 0.0)
    line = np.where(k < 0, -1.0, t**2 + slope * (times - t))
    np.testing.assert_allclose(r["hold"].values, line, atol=1e-12)
    first = d.simulate(stop=1.3)
    second = d.simulate(start=1.3, times=times[times > 1.3], initial=first.final_states())
    np.testing.assert_allclose(second["hold"].values, r["hold"].values[times > 1.3], atol=1e-12)
    area = -0.1 + sum(0.5 * (b * b + 0.25 * s) for b, s in ((0.1, 0.0), (0.6, 0.7), (1.1, 1.7)))
    area += 0.4 * (1.6**2 + 0.2 * 2.7)
    assert r.final("area") == pytest.approx(area, abs=1e-9)


def test_memory_has_the_first_value_and_the_one_before_the_last_jump() -> None:
    d = bd.Diagram()
    stairs = d.add("stairs", bd.PiecewiseConstant(times=[0.0, 1.0, 2.5, 3.0], values=[7.0, 5.0, 6.0, 6.0]))
    hold = d.add("hold", bd.ZeroOrderHold(0.5))
    d.connect(d.add("time", bd.Clock()), hold, d.add("sample_before", bd.Memory()))
    d.connect(stairs, d.add("first", bd.Memory(value="first")))
    d.connect(stairs, d.add("previous", bd.Memory(initial=[1.0, 2.0])))
    r = d.simulate(times=[0.25, 1.0, 1.2, 2.5, 3.5])
    assert r["first"].values.tolist() == [7.0] * 5
    np.testing.assert_array_equal(r["previous"].values, [[1, 2], [7, 7], [7, 7], [5, 5], [5, 5]])
    assert r["sample_before"].values.tolist() == [0.0, 0.5, 0.5, 2.0, 3.0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bd.Delay(T, length=0), r"Delay\.length"),
        (lambda: bd.Delay(T, length=20_000), "1 to 10000"),
        (lambda: bd.MovingAverage(T, length=1), "2 to 10000"),
        (lambda: bd.DiscreteFilter(T), "either b"),
        (lambda: bd.DiscreteFilter(T, b=[1.0], sos=SOS), "either b"),
        (lambda: bd.DiscreteFilter(T, b=[1.0], a=[0.0, 1.0]), "a0 that is not 0"),
        (lambda: bd.DiscreteFilter(T, sos=[[1.0, 2.0]]), "rows b0"),
        (lambda: bd.DiscreteFilter(T, b=[1.0], a=[1.0, -1.0], initial=1.0), "has no constant response"),
        (lambda: bd.Memory(value="last"), r"Memory\.value"),
        (lambda: bd.DiscretePID(T, tracks=True, anti_windup="clamping"), "back-calculation"),
    ],
)
def test_bad_parameters(make: object, words: str) -> None:
    with pytest.raises(bd.ParameterError, match=words):
        make()  # type: ignore[operator]


def test_taps_of_a_matrix_are_refused() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(np.eye(2))), d.add("taps", bd.TappedDelay(T)))
    with pytest.raises(bd.BlockdynError, match="a scalar or a vector"):
        d.compile()


def test_a_delay_that_does_not_say_how_many_samples_leads_to_its_like() -> None:
    for make in (lambda: bd.Delay(0.2), lambda: bd.Delay(sample_time=0.2)):
        with pytest.raises(bd.BlockdynError, match=r"length=5(.|\n)*TransportDelay\(0\.2\)(.|\n)*UnitDelay"):
            make()
