"""DiscreteTransferFunction against SciPy's simulation of discrete systems."""

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd

T = 0.1
SYSTEMS = [([0.1], [1.0, -0.9]), ([1.0, 0.5], [2.0, -1.0, 0.3]), ([1.0, -0.2, 0.4], [2.0, -1.0, 0.3])]


@pytest.mark.parametrize(("num", "den"), SYSTEMS)
def test_recursion_is_scipys(num: list[float], den: list[float]) -> None:
    ticks = T * np.arange(50)
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("sin(5*t) + 1")), d.add("y", bd.DiscreteTransferFunction(T, num, den)))
    found = d.simulate(times=ticks + T / 2, stop=5.0)["y"].values
    _, expected = signal.dlsim((num, den, T), np.sin(5 * ticks) + 1, ticks)
    np.testing.assert_allclose(found, np.ravel(expected), rtol=0, atol=1e-12)


def test_improper_fractions_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="degree"):
        bd.DiscreteTransferFunction(T, [1.0, 0.0, 0.0], [1.0, 0.5])
