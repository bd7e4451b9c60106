"""TransferFunction against SciPy's linear systems."""

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.diagrams.model.errors import AlgebraicLoop

TIMES = np.linspace(0.0, 5.0, 41)
RANDOM = np.random.default_rng(5)
SYSTEMS = [
    ([1.0], [0.5, 1.0]),
    ([3.0], [1.0, 0.4, 4.0]),
    ([2.0, 1.0], [2.0, 0.8, 8.0, 3.0]),
    ([0.0, 2.0, 1.0], [2.0, 0.8, 8.0, 3.0]),
    ([1.0, 0.0], [1.0, 1.0]),
    ([2.0, 1.0, 5.0], [4.0, 1.0, 1.0]),
    *((RANDOM.normal(size=n), np.poly(-RANDOM.uniform(0.3, 3.0, n))) for n in (2, 4, 6)),
]


@pytest.mark.parametrize(("num", "den"), SYSTEMS)
def test_step_response_is_scipys(num: list[float], den: list[float]) -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant(1.0)), d.add("g", bd.TransferFunction(num, den)))
    found = d.simulate(times=TIMES, method="dop853", rtol=1e-13, atol=1e-14)["g"].values
    _, expected = signal.step(signal.TransferFunction(np.trim_zeros(num, "f"), den), T=TIMES)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


def test_initial_state_decays_as_the_poles_say() -> None:
    """1/(s^2 + 2 s + 5) left alone with w = 1, dw/dt = 0: w = exp(-t) (cos 2t + sin 2t / 2)."""
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Constant(0.0)), d.add("g", bd.TransferFunction([1.0], [1.0, 2.0, 5.0], [0.0, 1.0]))
    )
    found = d.simulate(times=TIMES, stop=5.0, rtol=1e-10, atol=1e-12)["g"].values
    expected = np.exp(-TIMES) * (np.cos(2 * TIMES) + 0.5 * np.sin(2 * TIMES))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def closed_loop(num: list[float]) -> bd.Diagram:
    d = bd.Diagram()
    error, g, back = (
        d.add("error", bd.Sum("+-")),
        d.add("g", bd.TransferFunction(num, [1.0, 1.0])),
        d.add("back", bd.Gain(k=2.0)),
    )
    d.connect(d.add("u", bd.Constant(1.0)), error[0])
    d.connect(error, g, back)
    d.connect(back, error[1])
    return d


def test_a_strictly_proper_one_closes_a_loop() -> None:
    """1/(s + 1) under feedback 2 settles at 1/3."""
    assert closed_loop([1.0]).simulate(stop=20.0).final("g") == pytest.approx(1 / 3, abs=1e-6)


def test_equal_degrees_feed_through() -> None:
    with pytest.raises(AlgebraicLoop):
        closed_loop([1.0, 0.0]).compile()


@pytest.mark.parametrize(("num", "den"), [([1.0, 0.0, 0.0], [1.0, 1.0]), ([1.0], [0.0, 1.0]), ([1.0], [2.0])])
def test_improper_or_constant_fractions_are_refused(num: list[float], den: list[float]) -> None:
    with pytest.raises(bd.ParameterError, match="expected"):
        bd.TransferFunction(num, den)


def test_initial_needs_a_number_a_state() -> None:
    with pytest.raises(bd.BlockError, match="2 numbers"):
        bd.TransferFunction([1.0], [1.0, 1.0, 1.0], [1.0])


def test_roots_may_be_complex_numbers() -> None:
    """NumPy's roots of s^2 + 2 s + 5, and its poles as rows."""
    block = bd.ZeroPoleGain(np.roots([1.0, 2.0, 5.0]), zeros=[-1 + 1j, -1 - 1j])
    np.testing.assert_allclose(block.poles, [[-1.0, 2.0], [-1.0, -2.0]], atol=1e-12)
    np.testing.assert_array_equal(block.zeros, [[-1.0, 1.0], [-1.0, -1.0]])
    with pytest.raises(bd.BlockdynError, match="conjugate"):
        bd.ZeroPoleGain([-1 + 2j])
    given = {"A": [[0.0, 1.0], [0.0, 0.0]], "B": [0.0, 1.0], "C": [1.0, 0.0]}
    assert bd.LuenbergerObserver(**given, poles=[-1 + 2j, -1 - 2j]).poles.shape == (2, 2)  # type: ignore
