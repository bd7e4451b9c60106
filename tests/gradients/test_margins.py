"""Margins of loops as measures: textbook loops, sampled ones, at a state on its way, in sweeps and tuning."""

from __future__ import annotations

from math import asin, degrees, pi, sqrt

import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.gradients.errors import GradientError, TuneError
from blockdyn.sweeps.errors import SweepError

MARGINS = {
    "gain": {"gain_margin": "K"},
    "phase": {"phase_margin": "K"},
    "delay": {"delay_margin": "K"},
    "modulus": {"modulus_margin": "K"},
}


def servo(plant, k=0.5):
    d = bd.Diagram("servo", parameters={"k": k})
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Constant(1.0)), error[0])
    d.connect(error, d.add("K", bd.Gain(bd.expression("k"))), d.add("plant", plant), error[1])
    d.log("plant", "error")
    return d


@pytest.fixture(scope="module")
def third():
    """L = k / (s (s + 1)^2), with arg L = -180 degrees at 1 rad/s, where |L| = k / 2."""
    return servo(bd.TransferFunction(num=[1.0], den=[1.0, 2.0, 1.0, 0.0]))


def test_of_a_third_order_loop(third):
    g = third.gradient(MARGINS, "k", stop=1.0)
    assert g["gain"] == pytest.approx(4.0, rel=1e-9)
    assert g["gain", "k"] == pytest.approx(-8.0, rel=1e-9)
    w = 0.4238537990697829  # of w (w^2 + 1) = k
    slope = 1.0 / (3.0 * w * w + 1.0)  # dw / dk
    assert g["phase", "k"] == pytest.approx(-degrees(2.0 / (1.0 + w * w)) * slope, rel=1e-8)
    angle = g["phase"] * pi / 180.0
    assert g["delay"] == pytest.approx(angle / w, rel=1e-9)
    of_delay = -2.0 / (1.0 + w * w) * slope / w - angle / w**2 * slope
    assert g["delay", "k"] == pytest.approx(of_delay, rel=1e-8)
    assert g.units["phase"] == "deg"
    assert g.units["delay"] == "s"
    beside = [third.gradient(MARGINS, "k", stop=1.0, set={"k": 0.5 + h})["modulus"] for h in (1e-4, -1e-4)]
    assert g["modulus", "k"] == pytest.approx((beside[0] - beside[1]) / 2e-4, rel=1e-6)


def test_of_a_loop_with_a_direct_part():
    """L = k (1 - s) / (s + 2), at -k beyond all frequencies: a gain margin of 1 / k, a modulus of 1 - k."""
    d = servo(bd.TransferFunction(num=[-1.0, 1.0], den=[1.0, 2.0]))
    g = d.gradient({name: MARGINS[name] for name in ("gain", "modulus")}, "k", stop=1.0, loops="solve")
    assert (g["gain"], g["gain", "k"]) == (pytest.approx(2.0), pytest.approx(-4.0, rel=1e-9))
    assert (g["modulus"], g["modulus", "k"]) == (pytest.approx(0.5), pytest.approx(-1.0, rel=1e-9))


def test_of_a_sampled_loop():
    """L = k T / (z - 1): a gain margin of 2 / k T, and a phase margin of 90 degrees - asin(k T / 2)."""
    d = servo(bd.DiscreteIntegrator(sample_time=0.1), 10.0)
    g = d.gradient(MARGINS, "k", stop=1.0)
    assert g["gain"] == pytest.approx(2.0, rel=1e-9)
    assert g["gain", "k"] == pytest.approx(-0.2, rel=1e-8)
    assert g["phase"] == pytest.approx(90.0 - degrees(asin(0.5)), rel=1e-9)
    assert g["phase", "k"] == pytest.approx(-degrees(0.05 / sqrt(0.75)), rel=1e-8)


def test_at_a_time_of_the_run():
    """L = k x / s with x = x0 + t: a delay margin of pi / (2 k x)."""
    d = bd.Diagram("scheduled", parameters={"k": 2.0})
    error, product = d.add("error", bd.Sum("+-")), d.add("product", bd.Product("**"))
    d.connect(d.add("r", bd.Constant(0.0)), error[0])
    d.connect(error, d.add("K", bd.Gain(bd.expression("k"))), product[0])
    d.connect(d.add("one", bd.Constant(1.0)), d.add("x", bd.Integrator(3.0)), product[1])
    d.connect(product, d.add("y", bd.Integrator(1.0)), error[1])
    measures = {"now": {"delay_margin": "K"}, "later": {"delay_margin": "K", "at": 1.5}}
    g = d.gradient(measures, ["k", "x.x"], stop=2.0)
    for name, x in (("now", 3.0), ("later", 4.5)):
        assert g[name] == pytest.approx(pi / (4.0 * x), rel=1e-8)
        assert g[name, "k"] == pytest.approx(-pi / (8.0 * x), rel=1e-8)
        assert g[name, "x.x"] == pytest.approx(-pi / (4.0 * x * x), rel=1e-8)
    begun = d.gradient(measures, "k", stop=2.0, initial={"x.x": 6.0})
    assert begun["now"] == pytest.approx(pi / 24.0, rel=1e-8)


def test_in_a_sweep(third):
    slope = {"gradient": "gain", "to": "k"}
    sweep = third.sweep({"k": [0.5, 1.0, 4.0]}, {**MARGINS, "slope": slope}, stop=1.0)
    ensemble = sweep.run()
    assert ensemble["gain"][:2] == pytest.approx([4.0, 2.0], rel=1e-9)
    assert ensemble["slope"][:2] == pytest.approx([-8.0, -2.0], rel=1e-9)
    table = ensemble.to_frame()
    assert table[["gain", "phase", "delay", "modulus", "slope"]].isna().all(axis=1).tolist() == [0, 0, 1]
    assert "the loop that closes at `K` is not stable" in table["reason"][2]
    assert "in 1 of the scenarios that succeeded, first in 2: the loop that" in str(ensemble.summary())


@pytest.mark.parametrize("over", ["mean", "worst"])
def test_a_limit_of_tuning(third, over):
    """The error falls with the gain, until the gain margin is 3: k = 2 / 3."""
    measures = {"lag": {"mean": "error"}, **MARGINS}
    bounds = {"k": (0.1, 1.9)}
    limits = {"gain": (3.0, None)}
    found = third.tune({"k": 0.3}, "lag", measures, limits=limits, bounds=bounds, over=over, stop=6.0)
    assert found.values["k"] == pytest.approx(2.0 / 3.0, rel=1e-5)
    assert found.method == "gradient"


def test_what_is_wrong(third):
    with pytest.raises(SweepError, match="no option `after`"):
        third.sweep({"k": [1.0]}, {"m": {"gain_margin": "K", "after": 1.0}}, stop=1.0)
    for wire, words in (
        ("KK", "loop: there is no signal 'KK'"), ("plant.x", "one of K.y"),
        ("r", "`r` is not part of a loop"), ("error.u0", "`error.u0` is not part of a loop"),
    ):  # fmt: skip
        with pytest.raises(AnalysisError, match=words):
            third.sweep({"k": [1.0]}, {"m": {"gain_margin": wire}}, stop=1.0).run()
        with pytest.raises(AnalysisError, match=words):
            third.gradient({"m": {"gain_margin": wire}}, "k", stop=1.0)
    late = {"m": {"gain_margin": "K", "at": 2.0}}
    for ask in (
        lambda: third.sweep({"k": [1.0]}, late, stop=1.0).run(),
        lambda: third.gradient(late, "k", stop=1.0),
    ):
        with pytest.raises(SweepError, match="`at` is 2 s, and the run stops at 1 s"):
            ask()
    with pytest.raises(GradientError, match="is not stable"):
        third.gradient(MARGINS, "k", stop=1.0, set={"k": 4.0})
    with pytest.raises(TuneError, match="did you mean `gain`"):
        third.tune("k", "gain", MARGINS, limits={"gian": 2.0}, stop=1.0)


def test_of_a_loop_with_dead_time():
    """L = k exp(-s T) / s: a gain of pi / (2 k T), a phase of 90 degrees - k T, a delay of pi / (2 k) - T."""
    d = bd.Diagram("late")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Constant(1.0)), error[0])
    d.connect(
        error, d.add("K", bd.Gain(0.8)), d.add("x", bd.Integrator()), d.add("late", bd.TransportDelay(0.5))
    )
    d.connect("late", error[1])
    g = d.gradient(MARGINS, ["K.k", "late.delay"], stop=0.1)
    k, T = 0.8, 0.5
    expected = {
        "gain": (pi / (2 * k * T), -pi / (2 * k * k * T), -pi / (2 * k * T * T)),
        "phase": (90 - degrees(k * T), -degrees(T), -degrees(k)),
        "delay": (pi / (2 * k) - T, -pi / (2 * k * k), -1.0),
    }
    for name, (value, by_gain, by_delay) in expected.items():
        assert g[name] == pytest.approx(value, rel=1e-9)
        assert g[name, "K.k"] == pytest.approx(by_gain, rel=1e-7)
        assert g[name, "late.delay"] == pytest.approx(by_delay, rel=1e-7)
    beside = [d.gradient(MARGINS, "K.k", stop=0.1, set={"K.k": k + h})["modulus"] for h in (1e-4, -1e-4)]
    assert g["modulus", "K.k"] == pytest.approx((beside[0] - beside[1]) / 2e-4, rel=1e-6)
    with pytest.raises(GradientError, match="2 poles right of the imaginary axis"):
        d.gradient(MARGINS, "K.k", stop=0.1, set={"K.k": 3.2})
    measures = {"lag": {"mean": "error"}, **MARGINS}
    tuned = d.tune(
        {"K.k": 0.4}, "lag", measures, limits={"phase": (60.0, None)}, bounds={"K.k": (0.1, 2.0)}, stop=4.0
    )
    assert tuned.values["K.k"] == pytest.approx(pi / 3.0, rel=1e-5)
