"""Linear models with transport delays: textbook loops with dead time, exact at all frequencies."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.analysis.models.stability import unstable_poles

OMEGA = np.geomspace(0.05, 60.0, 50)
S = 1j * OMEGA


def loop(num: list[float], den: list[float], delay: float, **more: Any) -> bd.Diagram:
    """num/den exp(-s delay) with its output fed back."""
    d = bd.Diagram("loop")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.5)), error[0])
    plant = d.add("plant", bd.TransferFunction(num=num, den=den))
    d.connect(
        error, plant, d.add("late", bd.TransportDelay(delay, **more)), [error[1], d.add("y", bd.Outport())]
    )
    return d


def transfer(d: bd.Diagram, wire: str = "late") -> Any:
    return -d.linearize(wire, wire, open=wire)


def G(model: Any) -> Any:
    return model.frequency_response(OMEGA)[:, 0, 0]


def smith(model_delay: float) -> bd.Diagram:
    """PI control 2 (s + 1) / s of exp(-2 s) / (s + 1), which its predictor believes to be late otherwise."""
    d = bd.Diagram("smith")
    outer, inner, off = (d.add(name, bd.Sum("+-")) for name in ("outer", "inner", "off"))
    d.connect(d.add("r", bd.Inport(default=0.0)), outer[0])
    control = d.add("control", bd.TransferFunction(num=[2.0, 2.0], den=[1.0, 0.0]))
    plant, model = (
        d.add(name, bd.TransferFunction(num=[1.0], den=[1.0, 1.0])) for name in ("plant", "model")
    )
    d.connect(outer, inner[0])
    d.connect(
        inner, control, plant, d.add("late", bd.TransportDelay(2.0)), [outer[1], d.add("y", bd.Outport())]
    )
    d.connect(control, model, [off[0], d.add("expected", bd.TransportDelay(model_delay))])
    d.connect("expected", off[1])
    d.connect(off, inner[1])
    return d


@pytest.mark.parametrize("at", [None, 0.7, {"plant.x": [0.2]}], ids=["start", "on its way", "by name"])
def test_a_lag_with_dead_time_at_any_point(at: Any) -> None:
    """L = 2 exp(-0.3 s) / (s + 1), at whichever wire the loop is opened; closed L / (1 + L)."""
    d, L = loop([2.0], [1.0, 1.0], 0.3), 2.0 * np.exp(-0.3 * S) / (S + 1.0)
    np.testing.assert_allclose(G(d.linearize(at=at)), L / (1.0 + L), atol=1e-14)
    for wire in ("late", "late.u", "plant", "error", "error.u1", "y"):
        np.testing.assert_allclose(G(-d.linearize(wire, wire, open=wire, at=at)), L, atol=1e-14)
    around = d.linearize(
        "late.u", ["plant", "plant.x"], at=at
    )  # what is added there comes back with 1 / (1 + L)
    np.testing.assert_allclose(G(around.part("plant")), -L / (1.0 + L), atol=1e-14)
    np.testing.assert_allclose(G(around.part("plant.x")), -L / (1.0 + L) / 2.0, atol=1e-14)
    assert d.linearize(at=at).gain()[0, 0] == pytest.approx(2.0 / 3.0, rel=1e-14)


@pytest.mark.parametrize(("k", "T"), [*itertools.product([0.2, 1.0, 2.0], [0.1, 0.5])])
def test_margins_of_an_integrator_with_dead_time(k: float, T: float) -> None:
    """Of k exp(-s T) / s: a gain of pi / (2 k T), a phase of 90 degrees less k T, and a delay of it by k."""
    margins = transfer(loop([k], [1.0, 0.0], T)).margins()
    assert margins.gain == pytest.approx(np.pi / (2.0 * k * T), rel=1e-12)
    assert margins.gain_frequency == pytest.approx(np.pi / (2.0 * T), rel=1e-12)
    assert margins.phase == pytest.approx(90.0 - np.degrees(k * T), rel=1e-12)
    assert margins.delay == pytest.approx((np.pi / 2.0 - k * T) / k, rel=1e-12)


def test_the_crossing_that_is_nearest_counts() -> None:
    """An integrator that dead time has made unstable, k T = 6, crosses -180 degrees with gains of
    k T / (pi/2 + 2 pi m): the one nearest to 1 is the second. With a direct part L turns for ever, and its
    limit counts.
    """
    margins = transfer(loop([20.0], [1.0, 0.0], 0.3)).margins()
    assert margins.gain == pytest.approx(2.5 * np.pi / 6.0, rel=1e-12)
    limit = transfer(loop([0.5, 0.0], [1.0, 1.0], 2.0)).margins()  # 0.5 s / (s + 1), from below
    assert (limit.gain, limit.gain_frequency) == (pytest.approx(2.0, rel=1e-9), np.inf)
    assert limit.modulus == pytest.approx(0.5, rel=1e-6)


def test_a_narrow_resonance_far_beyond_the_crossover() -> None:
    """0.16 exp(-20 s) / (s + 1) with a mode at 50 rad/s, damped by 1e-3, whose peak reaches 1.6 over a width
    in which the delay turns a few times: margins are those of all frequencies, looked at one by one.
    """
    den = np.polymul([1.0, 1.0], np.array([1.0 / 2500.0, 2e-3 / 50.0, 1.0]))
    d = loop([0.16], den.tolist(), 20.0)
    margins = transfer(d).margins()
    s = 1j * np.linspace(45.0, 55.0, 2_000_001)
    L = 0.16 * np.exp(-20.0 * s) / np.polyval(den, s)
    crossed = np.nonzero((np.sign(L.imag[1:]) != np.sign(L.imag[:-1])) & (L.real[1:] < 0.0))[0]
    gains = -1.0 / L.real[crossed]
    assert margins.gain == pytest.approx(gains[np.argmin(np.abs(np.log(gains)))], rel=1e-3)
    assert margins.modulus == pytest.approx(np.abs(1.0 + L).min(), rel=1e-4)


@pytest.mark.parametrize("turns", [0.1, 0.999, 1.001, 3.0, 4.9, 5.1, 30.0])
def test_stability_of_an_integrator_with_dead_time(turns: float) -> None:
    """s + k exp(-s T) has two zeros more right of the axis beyond each k T = pi/2 + 2 pi m."""
    model = loop([turns * np.pi / 2.0 / 0.3], [1.0, 0.0], 0.3).linearize()
    assert unstable_poles(model) == 2 * int((turns + 3.0) // 4.0)
    assert model.stable == (turns < 1.0)


def test_a_smith_predictor_takes_the_delay_out_of_the_loop() -> None:
    """With the right model the closed loop is 2 exp(-2 s) / (s + 2), and so it is stable.

    Source: Astrom, Murray, Feedback Systems (2008), section 10.5; Smith, Chem. Eng. Progress 53 (1957).
    """
    right = smith(2.0)
    np.testing.assert_allclose(G(right.linearize()), 2.0 * np.exp(-2.0 * S) / (S + 2.0), atol=1e-14)
    assert right.linearize().stable
    assert not smith(0.2).linearize().stable
    P, late = 2.0 / S, np.exp(-2.0 * S)
    np.testing.assert_allclose(G(transfer(right)), P * late / (1.0 + P * (1.0 - late)), rtol=1e-12)
    s = 1j * np.linspace(0.01, 20.0, 400_000)
    P, late = 2.0 / s, np.exp(-2.0 * s)
    modulus = np.abs(1.0 + P * late / (1.0 + P * (1.0 - late))).min()
    assert transfer(right).margins().modulus == pytest.approx(modulus, rel=1e-8)


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
    assert (margins.gain, margins.delay) == (pytest.approx(0.5), 0.0)
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
    with pytest.raises(AnalysisError, match="late: what is delayed moves"):
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


def test_delays_across_ticks_are_refused() -> None:
    d = digital(("late", bd.TransportDelay(0.025)))
    with pytest.raises(bd.NotDifferentiable, match=r"late: .* across ticks(.|\n)*sample_time=0"):
        d.linearize()
    between = d.linearize("control", "y", sample_time=0.0)
    np.testing.assert_allclose(G(between), np.exp(-0.025 * S) / (0.2 * S + 1.0), atol=1e-14)
    assert d.trim(outputs={"y": 2.0}).held["late.before"] == pytest.approx(2.0)


def test_pictures_follow_the_turning_phase() -> None:
    figure = transfer(loop([2.0], [1.0, 1.0], 0.3)).bode(margins=True, show=False)
    line = figure.axes[1].lines[0]
    omega, phase = line.get_xdata(), line.get_ydata()
    np.testing.assert_allclose(phase, -np.degrees(0.3 * omega + np.arctan(omega)), atol=1e-6)
    assert phase[-1] < -900.0
