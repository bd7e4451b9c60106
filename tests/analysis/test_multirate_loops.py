"""Loops of several rates: margins against the gains at which poles of the diagram leave the unit circle."""

from __future__ import annotations

from math import asin, degrees

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError


def fast(k: float = 50.0, **clocks: float) -> bd.Diagram:
    """x+ = (1 - 0.01 k) x, with holds that only look on."""
    d = bd.Diagram("fast", parameters={"k": k})
    x, hold, e = d.add("x", bd.Integrator()), d.add("hold", bd.ZeroOrderHold(0.01)), d.add("e", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), e[0])
    d.connect(x, e[1])
    d.connect(e, d.add("k", bd.Gain(bd.expression("k"))), hold, x)
    for name, period in clocks.items():
        d.connect(x, d.add(name, bd.ZeroOrderHold(period)))
    return d


@pytest.mark.parametrize("wire", ["hold", "e[1]", "x.u"])
def test_a_slow_clock_that_looks_on_changes_nothing(wire: str) -> None:
    """L = 0.5 / (z - 1): a gain margin of 4, a phase margin of 90 degrees - asin(1 / 4)."""
    wire = {"e[1]": "e.u1"}.get(wire, wire)
    for d in (fast(), fast(logger=0.4), fast(logger=0.03, camera=1.0 / 30.0)):
        margins = d.loop(wire).margins()
        assert margins.stable
        assert margins.gain == pytest.approx(4.0, rel=1e-9)
        assert margins.phase == pytest.approx(90.0 - degrees(asin(0.25)), rel=1e-9)
        assert d.loop(wire).sample_time == 0.01
        assert d.loop(wire).root_locus().crossings[0].gain == pytest.approx(4.0, rel=1e-9)


def test_an_offset_is_no_delay() -> None:
    """Ticks at another phase of the same period see the same loop."""
    for offset in (0.003, 0.009):
        assert fast().loop("hold", set={"hold.offset": offset}).margins().gain == pytest.approx(4.0, rel=1e-9)


def test_measures_and_derivatives_beside_a_slow_clock() -> None:
    """The gain margin 200 / k, and its derivative."""
    d = fast(logger=0.4)
    g = d.gradient({"gain": {"gain_margin": "hold"}}, "k", stop=0.5)
    assert g["gain"] == pytest.approx(4.0, rel=1e-8)
    assert g["gain", "k"] == pytest.approx(-4.0 / 50.0, rel=1e-7)
    ensemble = d.sweep({"k": [25.0, 100.0]}, {"gain": {"gain_margin": "hold"}}, stop=0.5).run()
    assert ensemble["gain"] == pytest.approx([8.0, 2.0], rel=1e-8)


def cascade() -> bd.Diagram:
    """An inner loop at 0.1 s in an outer one at 0.2 s."""
    d = bd.Diagram("cascade", parameters={"k": 1.0})
    outer, inner = d.add("outer", bd.Sum("+-")), d.add("inner", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), outer[0])
    d.connect(outer, d.add("slow", bd.ZeroOrderHold(0.2)), d.add("p", bd.Gain(1.5)), inner[0])
    d.connect(inner, d.add("quick", bd.ZeroOrderHold(0.1)), d.add("k", bd.Gain(bd.expression("k"))))
    d.connect(
        "k", d.add("v", bd.TransferFunction([4.0], [1.0, 2.0])), [inner[1], d.add("x", bd.Integrator())]
    )
    d.connect("x", outer[1])
    return d


def test_a_loop_of_two_samples_in_a_period() -> None:
    """The factor on both samples that brings a pole of the diagram to the circle, by bisection of poles."""
    d = cascade()
    loop = d.loop("k")
    assert loop.inputs == ("k[0 s]", "k[0.1 s]")
    margins = loop.margins()
    low, high = 1.0, 100.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        poles = d.linearize(set={"k.k": middle}).poles()
        low, high = (middle, high) if np.all(np.abs(poles) < 1.0) else (low, middle)
    assert margins.gain == pytest.approx(low, rel=1e-9)
    assert np.isnan(margins.delay)
    assert any(point.gain == pytest.approx(low, rel=1e-9) for point in loop.root_locus().crossings)
    assert d.loop("slow").sample_time == 0.2
    with pytest.raises(AnalysisError, match="once in the period"):
        loop.nyquist()


def test_derivatives_of_margins_of_several_samples() -> None:
    """Of the gain margin in closed form, c / k; of phase and modulus, against differences."""
    d = cascade()
    kinds = ("gain", "phase", "modulus")
    measures = {kind: {f"{kind}_margin": "k"} for kind in kinds}
    g = d.gradient(measures, "k", stop=0.5)
    assert g["gain", "k"] == pytest.approx(-g["gain"], rel=1e-7)
    h = 1e-5
    ahead, behind = (d.loop("k", parameters={"k": 1.0 + sign * h}).margins() for sign in (1.0, -1.0))
    for kind in kinds:
        difference = (getattr(ahead, kind) - getattr(behind, kind)) / (2.0 * h)
        assert g[kind, "k"] == pytest.approx(difference, rel=1e-5)


def test_a_loop_of_one_rate_lifted_over_three_periods() -> None:
    """The samples of a loop over several of its periods have the margins of the loop."""
    from blockdyn.analysis.models.linear_model import LinearModel

    once = fast(k=130.0).loop("hold")
    A, B, C = once.A, once.B, once.C
    powers = [np.linalg.matrix_power(A, i) for i in range(4)]
    blocks = [[C @ powers[i - j - 1] @ B if i > j else 0.0 * C @ B for j in range(3)] for i in range(3)]
    names = ("w[0]", "w[1]", "w[2]")
    thrice = LinearModel(
        powers[3], np.hstack([powers[2] @ B, powers[1] @ B, B]), np.vstack([C @ powers[i] for i in range(3)]),
        np.block(blocks), np.zeros(1), np.zeros(3), once.states, names, names, sample_time=0.03,
    )  # fmt: skip
    one, three = once.margins(), thrice.margins()
    for name in ("gain", "phase", "modulus"):
        assert getattr(three, name) == pytest.approx(getattr(one, name), rel=1e-7)


def test_a_wire_that_flows_between_ticks_is_refused_by_name() -> None:
    """A lag around a sampled loop: between ticks the wire acts on it at once, which no sample shows."""
    d = bd.Diagram("around")
    e, total = d.add("e", bd.Sum("+-")), d.add("total", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), e[0])
    x = d.add("x", bd.Integrator())
    d.connect(e, d.add("hold", bd.ZeroOrderHold(0.1)), total[0])
    d.connect(x, [e[1], d.add("lag", bd.TransferFunction([1.0], [0.3, 1.0]))])
    d.connect("lag", total[1])
    d.connect(total, x)
    with pytest.raises(AnalysisError, match=r"also between the ticks(.|\n)*hold"):
        d.loop("x")
    assert d.loop("hold").margins().stable


def lag(rate: float) -> bd.TransferFunction:
    return bd.TransferFunction([rate], [1.0, rate])


def test_a_loop_of_six_samples_through_two_integrators() -> None:
    """L grows without limit towards z = 1, where the smaller of its six eigenvalues have no digits."""
    d = bd.Diagram("two-integrators", {"k": 1.0})
    outer, inner = d.add("outer", bd.Sum("+-")), d.add("inner", bd.Sum("+-"))
    speed, way = d.add("speed", bd.Integrator()), d.add("way", bd.Integrator())
    smooth = d.add("smooth", bd.DiscreteTransferFunction(sample_time=0.01, num=[0.5548], den=[1.0, -0.4452]))
    seen = d.add("seen", bd.DiscreteTransferFunction(sample_time=0.02, num=[0.4366], den=[1.0, -0.5634]))
    d.connect(d.add("r", bd.Inport(default=0.0)), outer[0])
    d.connect(outer, d.add("a", lag(8.07)), d.add("slow", bd.ZeroOrderHold(0.03)), inner[0])
    d.connect(inner, d.add("k", bd.Gain(bd.expression("k"))), d.add("b", lag(290.0)))
    d.connect("b", d.add("fast", bd.ZeroOrderHold(0.01, offset=0.005)), speed, smooth)
    d.connect(smooth, way, d.add("c", lag(5.95)), d.add("read", bd.ZeroOrderHold(0.02)), outer[1])
    d.connect(
        smooth,
        d.add("hold", bd.ZeroOrderHold(0.01)),
        seen,
        d.add("e", lag(51.4)),
        d.add("f", lag(6.15)),
        inner[1],
    )
    margins = d.loop("k").margins()
    assert margins.stable
    below, above = (
        np.abs(d.linearize(set={"k.k": f * margins.gain}).poles()).max() for f in (0.9999, 1.0001)
    )
    assert below < 1.0 < above
