"""Gradients of the passage of a level at which events of the diagram lie too, against closed forms."""

from __future__ import annotations

from math import acos, log, pi, sqrt

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.native.tangent.frame import NotDifferentiable

STOP = 3.5
DAMPING = np.linspace(0.1, 0.58, 7)
AT_ONE = {
    "Saturation": bd.Saturation(lower=-9.0, upper=1.0),
    "Compare": bd.Compare(">", 1.0),
    "HitCrossing": bd.HitCrossing(level=1.0),
    "Quantizer": bd.Quantizer(interval=2.0),
    "DeadZone": bd.DeadZone(lower=-9.0, upper=1.0),
}


def second_order(z, extra=None):
    """1 / (s^2/4 + z s + 1) and its unit step response p, with a block that has an event where p is 1."""
    d = bd.Diagram(parameters={"z": z})
    one = d.add("one", bd.Constant(1.0))
    p = d.add("p", bd.TransferFunction([4.0], bd.expression("[1, 4*z, 4]")))
    d.connect(one, p)
    d.connect(one - p, d.add("e", bd.Gain(1.0)))
    if extra is not None:
        d.connect(p, d.add("b", AT_ONE[extra]))
    return d


def passages(z):
    """The two times at which p is 1, (k pi - acos z) / (2 sqrt(1 - z^2)), and their derivatives."""
    root = sqrt(1.0 - z * z)
    times = [(k * pi - acos(z)) / (2.0 * root) for k in (1, 2)]
    return times, [0.5 / (1.0 - z * z) + z * time / (1.0 - z * z) for time in times]


@pytest.mark.parametrize("extra", [None, *AT_ONE, "absolute"])
def test_passages_of_a_level_with_an_event(extra):
    measures = {
        "first": {"time_to": "p", "above": 1.0},
        "above": {"time_above": "p", "level": 1.0},
        "below": {"time_below": "e", "level": 0.0},
        "rise": {"rise_time": "p", "from": 0.0, "target": 1.0, "low": 0.0, "high": 1.0},
    }
    if extra == "absolute":
        measures["size"] = {"absolute": "e"}
    for z in DAMPING:
        (first, second), (of_first, of_second) = passages(z)
        assert first < second < STOP
        of_share = (of_second - of_first) / STOP
        block = None if extra == "absolute" else extra
        g = second_order(float(z), block).gradient(measures, "z", stop=STOP)
        np.testing.assert_allclose(g["first"], first, atol=1e-5)
        slopes = [g[name, "z"] for name in ("first", "above", "below", "rise")]
        np.testing.assert_allclose(slopes, [of_first, of_share, of_share, of_first], atol=1e-4)


def test_passages_of_a_level_with_an_event_in_a_sweep():
    measures = {"first": {"time_to": "p", "above": 1.0}, "slope": {"gradient": "first", "to": "z"}}
    sweep = bd.Sweep(second_order(0.3, "Saturation"), axes={"z": DAMPING}, measures=measures, stop=STOP)
    np.testing.assert_allclose(sweep.run()["slope"], [passages(z)[1][0] for z in DAMPING], atol=1e-4)


def test_a_step_response_with_events_at_all_its_levels():
    """y = 1 - exp(-t / T) rises in T log 9 and settles in T log 50, where blocks compare it as well."""
    step = {"target": 1.0, "from": 0.0}
    measures = {"rise": {"rise_time": "y", **step}, "settled": {"settling_time": "y", **step}}
    measures |= {"least": {"value": "rise + settled"}}
    for T in np.linspace(0.2, 0.6, 9):
        d = bd.Diagram("lag", parameters={"T": float(T)})
        lag = bd.TransferFunction([1.0], bd.expression("[T, 1]"))
        d.connect(d.add("u", bd.Constant(1.0)), d.add("y", lag))
        for k, level in enumerate((0.1, 0.9, 0.98)):
            d.connect("y", d.add(f"b{k}", bd.Compare(">=", level)))
        g = d.gradient(measures, "T", stop=4.0)
        np.testing.assert_allclose(g.matrix[:, 0], [log(9.0), log(50.0), log(450.0)], atol=1e-4)


def test_a_reset_at_the_level():
    """A sawtooth of slope k passes its level 0.5, at which a block compares it, and is reset at 1."""
    d = bd.Diagram("saw", parameters={"k": 1.3})
    x = d.add("x", bd.Integrator(reset="rising"))
    d.connect(d.add("u", bd.Constant(bd.expression("k"))), x["u"])
    d.connect("x", d.add("top", bd.Compare(">=", 1.0)), "x.trigger")
    d.connect("x", d.add("half", bd.Compare(">", 0.5)))
    g = d.gradient({"share": {"time_above": "x", "level": 0.5}, "t": {"time_to": "half"}}, "k", stop=2.0)
    k = 1.3
    assert g["share"] == pytest.approx(1.0 - 0.75 / k, abs=1e-6)
    assert g["share", "k"] == pytest.approx(0.75 / k**2, rel=1e-5)
    assert g["t", "k"] == pytest.approx(-0.5 / k**2, rel=1e-5)


def test_a_kink_at_the_passage_that_moves_otherwise_is_named():
    """x = x0 + t, and twice as fast from 1 s on, is 1 at 1 s: later by -1, or by -1/2."""
    d = bd.Diagram("kink")
    d.connect(d.add("rate", bd.Step(time=1.0, initial=1.0, final=2.0)), d.add("x", bd.Integrator()))
    d.log("x")
    with pytest.raises(NotDifferentiable, match="measure `t`"):
        d.gradient({"t": {"time_to": "x", "above": 1.0}}, "x.x", stop=2.0)
    g = d.gradient({"t": {"time_to": "x", "above": 1.0}}, "x.x", set={"x.x": 0.01}, stop=2.0)
    assert g["t", "x.x"] == pytest.approx(-1.0)
