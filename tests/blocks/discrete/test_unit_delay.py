"""UnitDelay: last sample's value, held."""

import numpy as np

import blockdyn as bd


def test_shows_the_sample_before() -> None:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Expression("t*t")), d.add("y", bd.UnitDelay(0.1, offset=0.05, initial=-1.0)))
    times = np.array([0.0, 0.04, 0.06, 0.14, 0.16, 0.24, 0.26, 0.95])
    found = d.simulate(times=times, stop=1.0)["y"].values
    tick = np.floor((times - 0.05) / 0.1 + 1e-9)  # the last tick's number
    expected = np.where(tick < 1, -1.0, (0.05 + 0.1 * (tick - 1)) ** 2)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_counts_ticks_in_a_loop() -> None:
    """y_{k+1} = y_k + 1: after 100 ticks from 0 on, y = 99."""
    d = bd.Diagram()
    total, y = d.add("total", bd.Sum("++")), d.add("y", bd.UnitDelay(0.01, initial=[0.0, 10.0]))
    d.connect(d.add("one", bd.Constant(1.0)), total[0])
    d.connect(y, total[1])
    d.connect(total, y)
    np.testing.assert_array_equal(d.simulate(stop=0.995).final("y"), [99.0, 109.0])
