"""Linear models with transport delays: exact at all frequencies, at rest and along runs; approximants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError

from .dead_time import G, S, loop, transfer


@pytest.mark.parametrize("at", [None, 0.7, {"plant.x": [0.2]}], ids=["start", "on its way", "by name"])
def test_a_lag_with_dead_time_at_any_point(at: Any) -> None:
    """L = 2 exp(-0.3 s) / (s + 1), at whichever wire the loop is opened; closed L / (1 + L)."""
    d, L = loop([2.0], [1.0, 1.0], 0.3), 2.0 * np.exp(-0.3 * S) / (S + 1.0)
    np.testing.assert_allclose(G(d.linearize(at=at)), L / (1.0 + L), atol=1e-14)
    for wire in ("late", "late.u", "plant", "error", "error.u1", "y"):
        np.testing.assert_allclose(G(d.loop(wire, at=at)), L, atol=1e-14)
    around = d.linearize(
        "late.u", ["plant", "plant.x"], at=at
    )  # what is added there comes back with 1 / (1 + L)
    np.testing.assert_allclose(G(around.part("plant")), -L / (1.0 + L), atol=1e-14)
    np.testing.assert_allclose(G(around.part("plant.x")), -L / (1.0 + L) / 2.0, atol=1e-14)
    assert d.linearize(at=at).gain()[0, 0] == pytest.approx(2.0 / 3.0, rel=1e-14)


def two_delays() -> bd.Diagram:
    """1.5 exp(-0.1 s) / (0.5 s + 1), fed back by exp(-0.25 s) / (0.05 s + 1)."""
    d = bd.Diagram("two")
    error, gain = d.add("error", bd.Sum("+-")), d.add("gain", bd.Gain(1.5))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[0.5, 1.0]))
    d.connect(error, gain, d.add("out", bd.TransportDelay(0.1)), plant, d.add("y", bd.Outport()))
    sensor = d.add("sensor", bd.TransferFunction(num=[1.0], den=[0.05, 1.0]))
    d.connect(plant, d.add("back", bd.TransportDelay(0.25)), sensor, error[1])
    return d


def test_two_delays_in_one_loop_by_formula_approximant_and_sines() -> None:
    d = two_delays()
    model = d.linearize()
    forward = 1.5 * np.exp(-0.1 * S) / (0.5 * S + 1.0)
    back = np.exp(-0.25 * S) / (0.05 * S + 1.0)
    np.testing.assert_allclose(G(model), forward / (1.0 + forward * back), atol=1e-14)
    np.testing.assert_allclose(G(transfer(d, "gain")), forward * back, atol=1e-14)
    low = [0.1, 1.0, 5.0, 10.0]
    exact = model.frequency_response(low)
    np.testing.assert_allclose(model.pade(8).frequency_response(low), exact, atol=1e-13)
    sines = d.frequency_response([1.0, 4.0], "r", "y", amplitude=0.3)
    np.testing.assert_allclose(sines.values[:, 0], model.frequency_response([1.0, 4.0])[:, 0, 0], atol=1e-7)


@pytest.mark.parametrize("order", [1, 2, 3, 8])
def test_approximants_are_those_of_python_control(order: int) -> None:
    control = pytest.importorskip("control")
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Inport(default=0.0)), d.add("late", bd.TransportDelay(0.7)), d.add("y", bd.Outport())
    )
    model = d.linearize().pade(order)
    num, den = control.pade(0.7, order)
    expected = np.polyval(num, S) / np.polyval(den, S)
    np.testing.assert_allclose(G(model), expected, atol=1e-9)
    np.testing.assert_allclose(np.abs(G(model)), 1.0, rtol=1e-12)
    assert model.states == tuple(f"late.pade[{k}]" for k in range(order))


def test_what_needs_finitely_many_states_asks_for_an_approximant() -> None:
    model = loop([2.0], [1.0, 1.0], 0.3).linearize()
    for name in ("poles", "zeros", "damping", "step", "impulse", "root_locus", "pole_map", "to_scipy"):
        with pytest.raises(AnalysisError, match=r"delays \(late\)(.|\n)*model\.pade\(4\)"):
            getattr(model, name)()
    with pytest.raises(AnalysisError, match="whole number"):
        model.pade(0)
    finite = model.pade(12)
    dominant = finite.poles()[0]
    assert dominant + 1.0 + 2.0 * np.exp(-0.3 * dominant) == pytest.approx(0.0, abs=1e-9)
    late = finite.step(np.linspace(0.0, 12.0, 200)).values[-1, 0, 0]
    assert late == pytest.approx(2.0 / 3.0, abs=1e-6)
    assert finite.pade(3) is finite
    assert "late 0.3 s" in repr(model)


def test_vectors_are_delayed_element_by_element() -> None:
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Inport(default=[0.0, 0.0], size=2)), d.add("late", bd.TransportDelay(0.4)),
        d.add("k", bd.MatrixGain([[1.0, 2.0], [0.0, 3.0]])), d.add("y", bd.Outport()),
    )  # fmt: skip
    model = d.linearize()
    expected = np.exp(-0.4j) * np.array([[1.0, 2.0], [0.0, 3.0]])
    np.testing.assert_allclose(model.frequency_response([1.0])[0], expected, atol=1e-15)
    margins = model.part("y[0]", "u[1]").margins()  # 2 exp(-0.4 s): it goes round for ever
    assert (margins.gain, margins.stable) == (pytest.approx(0.5), False)
    assert margins.modulus == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("at", [None, 0.7], ids=["start", "on its way"])
def test_at_rest_a_delay_shows_what_it_is_fed(at: float | None) -> None:
    d = loop([2.0], [1.0, 1.0], 0.3)
    point = d.trim(outputs={"y": 3.0}, at=at)
    assert (point.inputs["r"], point.states["plant.x"]) == (pytest.approx(4.5), pytest.approx(1.5))
    assert dict(point.held) == {"late.before": pytest.approx(3.0)}
    run = d.simulate(stop=2.0, initial=point.initial, inputs=point.inputs)
    assert np.ptp(run["y"].values) <= 1e-12


def test_what_moves_is_not_shown_as_it_is() -> None:
    d = bd.Diagram()
    d.connect(
        d.add("v", bd.Inport(default=1.0)), d.add("x", bd.Integrator()), d.add("late", bd.TransportDelay(1.0))
    )
    d.connect("late", d.add("y", bd.Outport()))
    with pytest.raises(AnalysisError, match="late: its delayed input is not constant"):
        d.trim(slopes={"x.x": 2.0})


def varying() -> bd.Diagram:
    """1 / (s + 1), fed back after 0.3 + 0.4 x seconds."""
    d = bd.Diagram("varying")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=1.0)), error[0])
    late = d.add("late", bd.VariableTransportDelay(minimum=0.1, maximum=2.0))
    d.connect(error, d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0])), late["u"])
    d.connect("plant", d.add("time", bd.Polynomial([0.4, 0.3])), late["delay"])
    d.connect(late, [error[1], d.add("y", bd.Outport())])
    return d


def test_a_delay_that_varies_is_constant_at_rest() -> None:
    d = varying()
    model = d.linearize(at=d.trim(inputs={"r": 1.0}))
    L = np.exp(-0.5 * S) / (S + 1.0)
    assert model.delays is not None
    assert model.delays.times == pytest.approx([0.5])
    np.testing.assert_allclose(G(model), L / (1.0 + L), atol=1e-14)


def test_a_delay_that_varies_has_the_slope_of_its_history_on_the_way() -> None:
    """y = u(t - T(x)) changes by -u'(t - T) T' dx at once."""
    d = varying()
    model = d.linearize(outputs="late", at=1.3)
    assert model.delays is not None
    then = 1.3 - model.delays.times[0]
    run = d.simulate(times=[then - 1e-4, then, then + 1e-4], stop=1.3, log=["plant"], rtol=1e-10)
    slope = (run["plant"].values[2] - run["plant"].values[0]) / 2e-4
    assert model.C[0, 0] == pytest.approx(-0.4 * slope, rel=1e-6)


def test_models_along_a_run_have_the_delays_of_their_instants() -> None:
    d = varying()
    models = d.linearize_along([0.5, 1.3])
    for k, time in enumerate((0.5, 1.3)):
        alone = d.linearize(at=time)
        assert models[k].delays.times == pytest.approx(alone.delays.times, rel=1e-6)
        np.testing.assert_allclose(G(models[k]), G(alone), atol=1e-5)


def digital(*late: tuple[str, Any]) -> bd.Diagram:
    d = bd.Diagram("digital")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    control = d.add("control", bd.DiscretePID(kp=2.0, ki=3.0, sample_time=0.01))
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[0.2, 1.0]))
    d.connect(error, control, *(d.add(*each) for each in late), plant, [error[1], d.add("y", bd.Outport())])
    return d


def test_samples_that_are_delayed_by_whole_periods_are_states() -> None:
    model = digital(("late", bd.TransportDelay(0.03))).linearize()
    same = digital(("late", bd.Delay(length=3, sample_time=0.01))).linearize()
    assert (model.sample_time, model.delays) == (0.01, None)
    np.testing.assert_allclose(
        model.frequency_response([0.1, 10.0, 100.0]), same.frequency_response([0.1, 10.0, 100.0]), atol=1e-12
    )


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("periods", [0.0, 0.3, 1.0, 2.75])
def test_a_delay_of_a_fraction_of_the_period_is_exact(place: str, periods: float) -> None:
    """h = 0.1, T = (d + f) h before or after x' = -5 x + 5 u: z^-d (G0 + G1 / z) / (z - e^(-5 h)),
    G0 = 1 - e^(-5 (1 - f) h), G1 = e^(-5 (1 - f) h) - e^(-5 h). Astrom and Wittenmark (1997), section 2.3.
    """
    h, (f, d) = 0.1, np.modf(periods)
    late, plant = bd.TransportDelay(max(periods * h, 1e-12)), bd.TransferFunction([5.0], [1.0, 5.0])
    rows = [late, plant] if place == "before" else [plant, late]
    chain = bd.Diagram()
    blocks = [chain.add(f"b{i}", b) for i, b in enumerate([bd.ZeroOrderHold(h), *rows, bd.ZeroOrderHold(h)])]
    chain.connect(chain.add("u", bd.Inport(default=0.0)), *blocks, chain.add("y", bd.Outport()))
    model = chain.linearize()
    omega = np.array([0.3, 4.0, 25.0])
    z, rest = np.exp(1j * omega * h), np.exp(-5.0 * (1.0 - f) * h)
    expected = z**-d * (1.0 - rest + (rest - np.exp(-5.0 * h)) / z) / (z - np.exp(-5.0 * h))
    np.testing.assert_allclose(model.frequency_response(omega)[:, 0, 0], expected, atol=1e-10)


def test_margins_of_a_sampled_loop_with_a_delay_of_two_and_a_half_periods() -> None:
    """The gain margin is the factor with which the diagram has a pole on the unit circle."""
    d = digital(("late", bd.TransportDelay(0.025)), ("k", bd.Gain(1.0)))
    margins = d.loop("k").margins()
    for factor, stable in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        assert d.linearize(set={"k.k": factor * margins.gain}).stable == stable
    d.connect("plant", d.add("logger", bd.ZeroOrderHold(0.07)))
    assert d.loop("k").margins().gain == pytest.approx(margins.gain, rel=1e-9)


def test_delays_of_what_flows_between_ticks_and_is_read_there_are_refused() -> None:
    d = bd.Diagram("flowing")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    lags = [d.add(name, bd.TransferFunction(num=[1.0], den=[0.2, 1.0])) for name in ("plant", "sensor")]
    late = d.add("late", bd.TransportDelay(0.025))
    d.connect(error, d.add("control", bd.ZeroOrderHold(0.01)), lags[0], late, lags[1], error[1])
    d.connect(lags[0], d.add("y", bd.Outport()))
    with pytest.raises(bd.NotDifferentiable, match=r"late: .* across ticks(.|\n)*sample_time=0"):
        d.linearize()
    between = digital(("late", bd.TransportDelay(0.025))).linearize("control", "y", sample_time=0.0)
    np.testing.assert_allclose(G(between), np.exp(-0.025 * S) / (0.2 * S + 1.0), atol=1e-14)
    d = digital(("late", bd.TransportDelay(0.025)))
    assert d.trim(outputs={"y": 2.0}).held["late.before"] == pytest.approx(2.0)


def test_delays_that_have_no_part_in_what_is_asked_are_left_out() -> None:
    d = loop([2.0], [1.0, 1.0], 0.3)
    assert d.linearize("r", "plant", open="error.u1").poles() == pytest.approx(-1.0)
    assert d.linearize(["r", "late.u"], ["y", "plant"]).part("plant", "r").delays is not None  # by feedback
    chain = bd.Diagram()
    late = [chain.add(name, bd.TransportDelay(T)) for name, T in (("a", 1.0), ("b", 0.5))]
    chain.connect(chain.add("u", bd.Inport(default=0.0)), *late, chain.add("y", bd.Outport()))
    np.testing.assert_allclose(G(chain.linearize()), np.exp(-1.5 * S), atol=1e-13)
    alone = chain.linearize("u", "a").delays
    assert alone is not None
    assert alone.names == ("a",)
