"""Gallery: two tanks, against the closed form of Torricelli's law, and no water is made or lost."""

from __future__ import annotations

import numpy as np

import blockdyn as bd

AREA, UPPER, LOWER = 0.02, 4.0e-4, 3.5e-4
OPENINGS, FLOWS = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 2.0e-5, 5.0e-5, 1.1e-4, 2.2e-4, 4.0e-4]


def test_two_tanks() -> None:
    d = bd.load("two-tanks")
    d.connect("valve", d.add("came", bd.Integrator()))
    d.connect("from2", d.add("went", bd.Integrator()))
    times = [0.0, 600.0, 610.0, 620.0, 900.0, 1200.0, 3000.0]
    names = ["h1", "h2", "controller", "came", "went"]
    r = d.simulate(stop=3000.0, times=times, log=names)
    h1, h2, opening, came, went = (r[name].values.ravel() for name in names)
    np.testing.assert_allclose(AREA * (h1 + h2 - 0.1), came - went, atol=1e-10)
    # the valve is shut after the step, and the upper tank drains: the root of its level falls evenly
    assert opening[2] == opening[3] == 0.0
    falls = UPPER / (2 * AREA) * np.array([10.0, 20.0])
    np.testing.assert_allclose(np.sqrt(h1[1]) - np.sqrt(h1[2:4]), falls, rtol=1e-7)
    # at rest the same flow goes through valve and both orifices
    flow = LOWER * np.sqrt(0.2)
    np.testing.assert_allclose([h1[-1], h2[-1]], [(flow / UPPER) ** 2, 0.2], rtol=1e-6)
    np.testing.assert_allclose(opening[-1], np.interp(flow, FLOWS, OPENINGS), rtol=1e-6)
