"""DeadZone: nothing between the limits, the excess beyond."""

import numpy as np
import pytest

import blockdyn as bd


def test_integral_of_a_sine_through_it() -> None:
    """Over a period of sin t: 2 cos a - (pi - 2 a) c, a = asin c, for c = 1/4 less that for c = 1/2."""
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Expression("sin(t)")),
        d.add("zone", bd.DeadZone(-0.5, 0.25)),
        d.add("area", bd.Integrator()),
    )

    def lobe(c: float) -> float:
        a = np.arcsin(c)
        return float(2 * np.cos(a) - (np.pi - 2 * a) * c)

    r = d.simulate(stop=2 * np.pi, rtol=1e-10, atol=1e-12)
    assert r.final("area") == pytest.approx(lobe(0.25) - lobe(0.5), abs=1e-9)
    edges = [np.arcsin(0.25), np.pi - np.arcsin(0.25), np.pi + np.pi / 6, 2 * np.pi - np.pi / 6]
    np.testing.assert_allclose([e.time for e in r.events if e.path == "zone"], edges, rtol=0, atol=1e-12)


def test_takes_vectors() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Constant([-2.0, 0.1, 2.0])), d.add("zone", bd.DeadZone(-1.0, [0.5, 0.5, 1.5])))
    np.testing.assert_array_equal(d.simulate(stop=1.0).final("zone"), [-1.0, 0.0, 0.5])


def test_limits_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(bd.ParameterError, match="at most upper"):
        bd.DeadZone(1.0, 0.0)
