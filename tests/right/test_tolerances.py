"""Tolerances by state: each state is as accurate as its own `rtol` and `atol` say, with every method."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import RunArgumentError
from blockdyn.sweeps.sweep import Sweep

METHODS = ["auto", "dopri5", "tsit5", "bs32", "dop853", "rodas5p", "radau5", "bdf"]
FAST, SLOW, STOP = 30.0, 1.0, 10.0
LOOSE, TIGHT = 1e-3, 1e-8


def oscillators() -> bd.Diagram:
    """Two oscillators that share nothing; the states are cos and -sin of the fast one, then of the slow."""
    d = bd.Diagram()
    for name, w in (("fast", FAST), ("slow", SLOW)):
        x, v = d.add(f"{name}_x", bd.Integrator(1.0)), d.add(f"{name}_v", bd.Integrator(0.0))
        d.connect(v, d.add(f"{name}_w", bd.Gain(w)), x)
        d.connect(x, d.add(f"{name}_k", bd.Gain(-w)), v)
    return d


def run(rtol, method="dopri5", **settings):
    return oscillators().simulate(stop=STOP, rtol=rtol, atol=1e-12, method=method, **settings)


@pytest.mark.parametrize("method", METHODS)
def test_a_state_is_as_accurate_as_its_own_tolerance(method):
    mixed = run([LOOSE, LOOSE, TIGHT, TIGHT], method)
    uniform, loose = run(TIGHT, method), run(LOOSE, method)
    steps = [r.provenance.statistics["steps"] for r in (loose, mixed, uniform)]
    assert abs(mixed.final("slow_x") - np.cos(SLOW * STOP)) < 1e-5
    assert steps[1] < 0.7 * steps[2]  # the fast one is not followed to the tolerance of the slow one


@pytest.mark.parametrize("method", METHODS)
def test_the_same_for_each_is_one_for_all(method):
    one, each = run(1e-6, method), run([1e-6] * 4, method)
    np.testing.assert_array_equal(one["fast_x"].values, each["fast_x"].values)


def test_by_every_entry(tmp_path):
    rtol = [LOOSE, LOOSE, TIGHT, TIGHT]
    d = oscillators()
    expected = run(rtol).final("slow_x")
    d.settings(stop=STOP, rtol=rtol, atol=1e-12, method="dopri5")
    assert d.simulate().final("slow_x") == expected
    assert d.simulate(compiled=False).final("slow_x") == pytest.approx(expected, abs=1e-12)
    file = tmp_path / "oscillators.yaml"
    bd.dump(d, file)
    assert bd.load(file).simulate().final("slow_x") == expected
    swept = Sweep(
        d, {"simulate.rtol": [[1e-3] * 4, rtol]}, {"last": {"final": "slow_x"}}
    ).run(progress=False)  # fmt: skip
    assert swept.dataset["last"].values.ravel()[1] == expected


def test_wrong_ones_are_refused_as_atol_is():
    for wrong in ([1e-6, 1e-6], [], [1e-6, 0.0, 1e-6, 1e-6], [1e-6, np.nan, 1e-6, 1e-6], [1e-300] * 4):
        with pytest.raises(RunArgumentError, match="rtol"):
            run(wrong)
    with pytest.raises(RunArgumentError, match="a positive number, or 4 of them, one per state"):
        run([1e-6, 1e-6])
