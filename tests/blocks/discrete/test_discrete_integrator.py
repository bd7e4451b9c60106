"""DiscreteIntegrator against the three rules of quadrature."""

import numpy as np
import pytest
from scipy import signal

import blockdyn as bd
from blockdyn.diagrams.model.errors import AlgebraicLoop

T = 0.1
RULES = {"forward": ([T], [1, -1]), "backward": ([T, 0], [1, -1]), "trapezoidal": ([T / 2, T / 2], [1, -1])}


@pytest.mark.parametrize("method", RULES)
def test_is_its_rules_transfer_function(method: str) -> None:
    ticks = np.arange(31) * T
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("cos(3*t)")), d.add("y", bd.DiscreteIntegrator(T, method=method)))
    found = d.simulate(times=ticks + T / 2, stop=4.0)["y"].values
    _, expected = signal.dlsim((*RULES[method], T), np.cos(3 * ticks), ticks)
    np.testing.assert_allclose(found, np.ravel(expected), rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", RULES)
def test_leaves_a_limit_with_the_first_sample_that_points_inwards(method: str) -> None:
    ticks = np.arange(21) * T
    d = bd.Diagram()
    u = d.add("u", bd.Expression("where(t < 1.05, 1, -1)"))
    d.connect(u, d.add("y", bd.DiscreteIntegrator(T, method=method, lower=-0.2, upper=0.35)))
    found = d.simulate(times=ticks + T / 2, stop=2.2)["y"].values
    assert found.max() == 0.35
    leaves = {"forward": 12, "backward": 11, "trapezoidal": 12}[method]
    assert found[leaves - 1] == 0.35
    assert found[leaves] == pytest.approx(0.35 - T)


def test_forward_rule_closes_a_loop_and_backward_does_not() -> None:
    """y_{k+1} = y_k - 2 T y_k."""

    def loop(method: str) -> bd.Diagram:
        d = bd.Diagram()
        y = d.add("y", bd.DiscreteIntegrator(T, method=method, initial=1.0))
        d.connect(y, d.add("k", bd.Gain(k=-2.0)), y)
        return d

    assert loop("forward").simulate(stop=1.05).final("y") == pytest.approx(0.8**10, abs=1e-14)
    with pytest.raises(AlgebraicLoop):
        loop("backward").compile()


def test_initial_lies_within_the_limits() -> None:
    with pytest.raises(bd.ParameterError, match="within"):
        bd.DiscreteIntegrator(T, initial=2.0, upper=1.0)
