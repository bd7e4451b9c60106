"""Linear models: those of the textbooks, opened loops, poles, margins, responses."""

from __future__ import annotations

import re
from math import sqrt
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError, UnknownVariable
from blockdyn.analysis.models.linear_model import LinearModel


def of(A: Any, B: Any, C: Any, D: Any, sample_time: float = 0.0) -> LinearModel:
    A, B, C, D = (np.array(each, float) for each in (A, B, C, D))
    names = tuple(tuple(f"{x}{i}" for i in range(k)) for x, k in zip("xuy", (*B.shape, len(C)), strict=True))
    return LinearModel(A, B, C, D, np.zeros(len(A)), np.zeros(len(C)), *names, (), sample_time)


def speed_loop() -> bd.Diagram:
    """A motor 2 / (0.5 s + 1) behind a gain of 4, its speed fed back."""
    d = bd.Diagram("speed")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.3)), error[0])
    motor = d.add("motor", bd.TransferFunction(num=[2.0], den=[0.5, 1.0]))
    d.connect(error, d.add("gain", bd.Gain(4.0)), motor, [error[1], d.add("y", bd.Outport())])
    return d


def test_of_a_motor_with_armature_and_load() -> None:
    """L i' = v - R i - K w, J w' = K i - b w. Source: Franklin, Powell, Emami-Naeini, section 2.3."""
    R, L, K, J, b = 1.2, 0.05, 0.4, 0.02, 0.03
    d = bd.Diagram("motor")
    i, w = d.add("i", bd.Integrator()), d.add("w", bd.Integrator())
    volts, torque = d.add("volts", bd.Sum("+--")), d.add("torque", bd.Sum("+-"))
    d.connect(d.add("v", bd.Inport(default=0.0)), volts[0])
    d.connect(i, d.add("R", bd.Gain(R)), volts[1])
    d.connect(w, d.add("back", bd.Gain(K)), volts[2])
    d.connect(volts, d.add("overL", bd.Gain(1 / L)), i, d.add("K", bd.Gain(K)), torque[0])
    d.connect(w, d.add("b", bd.Gain(b)), torque[1])
    d.connect(torque, d.add("overJ", bd.Gain(1 / J)), w, d.add("speed", bd.Outport()))
    model = d.linearize()
    assert (model.states, model.inputs, model.outputs) == (("i.x", "w.x"), ("v",), ("speed",))
    np.testing.assert_allclose(model.A, [[-R / L, -K / L], [K / J, -b / J]], rtol=1e-14)
    np.testing.assert_allclose(model.B, [[1 / L], [0.0]], rtol=1e-14)
    assert model.gain()[0, 0] == pytest.approx(K / (R * b + K * K), rel=1e-13)
    load = d.linearize("torque", "w.x")
    assert load.gain()[0, 0] == pytest.approx(R / (R * b + K * K), rel=1e-13)


def test_inputs_are_added_to_signals_and_single_wires() -> None:
    """From a disturbance at the motor, P / (1 + 4 P); at the reference, 4 P / (1 + 4 P), P = 4 / (s + 2)."""
    d = speed_loop()
    s = 1.7j
    P = 4.0 / (s + 2.0)
    for inputs, outputs, expected in (
        ("r", "y", 4 * P / (1 + 4 * P)),
        ("motor.u", "y", P / (1 + 4 * P)),
        ("gain", "motor", P / (1 + 4 * P)),
        ("error.u1", "error", -1 / (1 + 4 * P)),
        ("motor.y", "motor.y", -4 * P / (1 + 4 * P)),
        ("y", "y", -4 * P / (1 + 4 * P)),
    ):
        model = d.linearize(inputs, outputs)
        assert model.frequency_response([1.7])[0, 0, 0] == pytest.approx(expected, rel=1e-13)
        assert (model.inputs, model.outputs) == ((inputs,), (outputs,))


@pytest.mark.parametrize("wire", ["gain", "gain.y", "motor.u", "error.u1", "error", "y"])
def test_the_transfer_of_a_loop_is_the_same_wherever_it_is_opened(wire: str) -> None:
    loop = -speed_loop().linearize(wire, wire, open=wire)
    assert loop.frequency_response([3.0])[0, 0, 0] == pytest.approx(16.0 / (3.0j + 2.0), rel=1e-14)


def test_what_a_cut_wire_leads_to_keeps_its_value() -> None:
    """y' = 4 u - 2 y with the loop open; u^2 is linearised at the u that the closed loop has."""
    d = speed_loop()
    d.connect("gain", d.add("square", bd.Expression("u * u")), d.add("q", bd.Outport()))
    x = 0.01
    u = 4.0 * (0.3 - 4.0 * x)
    model = d.linearize("gain", "q", at={"motor.x": [x]}, open="gain")
    assert model.D[0, 0] == pytest.approx(2.0 * u, rel=1e-14)
    np.testing.assert_allclose(d.linearize("r", "y", open="gain").B, 0.0, atol=0)


def pendulum() -> bd.Diagram:
    d = bd.Diagram("pendulum")
    total, w, th = (
        d.add("total", bd.Sum("+-")),
        d.add("w", bd.Integrator(0.0)),
        d.add("th", bd.Integrator(0.5)),
    )
    d.connect(d.add("u", bd.Inport(default=0.0)), total[0])
    d.connect(th, d.add("gravity", bd.Expression("9.81 / 0.7 * sin(u)")), total[1])
    d.connect(total, w, th)
    d.settings(stop=5.0, rtol=1e-10, atol=1e-12)
    return d


def test_at_a_time_of_a_run() -> None:
    d = pendulum()
    end = d.simulate(stop=1.3).final("th.y")
    model = d.linearize("u", ["th.x", "w.x"], at=1.3)
    slope = model.A[model.states.index("w.x"), model.states.index("th.x")]
    assert slope == pytest.approx(-9.81 / 0.7 * np.cos(end), rel=1e-14)
    np.testing.assert_array_equal(model.C, np.eye(2)[[model.states.index(n) for n in ("th.x", "w.x")]])
    assert model.outputs == ("th.x", "w.x")


def test_poles_and_their_motions() -> None:
    """A mass of 2 kg on 50 N/m with 4 Ns/m: natural frequency 5 rad/s, damping ratio 0.2."""
    model = of([[0, 1], [-25, -2]], [[0], [0.5]], [[1, 0]], [[0]])
    for pole in model.damping():
        assert pole.frequency == pytest.approx(5.0, rel=1e-14)
        assert pole.damping == pytest.approx(0.2, rel=1e-14)
        assert pole.time_constant == pytest.approx(1.0, rel=1e-14)
    assert model.stable
    h = 0.03
    sampled = of(np.diag(np.exp(h * np.array([-2.0, -5.0]))), np.eye(2), np.eye(2), np.zeros((2, 2)), h)
    assert [p.time_constant for p in sampled.damping()] == pytest.approx([0.2, 0.5], rel=1e-12)


def test_zeros() -> None:
    """(s + 3) (s - 1) / ((s + 1) (s + 2) (s + 4)) in the controllable form."""
    den, num = np.poly([-1, -2, -4]), np.poly([-3, 1])
    model = of([[0, 1, 0], [0, 0, 1], -den[:0:-1]], [[0], [0], [1]], [num[::-1]], [[0]])
    np.testing.assert_allclose(np.sort(model.zeros().real), [-3.0, 1.0], rtol=1e-12)
    np.testing.assert_allclose(model.poles(), [-1, -2, -4], rtol=1e-12)


def test_margins_of_a_loop_with_closed_forms() -> None:
    """L = k / (s (s + 1) (s + 2)): -180 degrees at sqrt 2, where |L| = k / 6."""
    model = of([[0, 1, 0], [0, 0, 1], [0, -2, -3]], [[0], [0], [1]], [[2.0, 0, 0]], [[0]])
    m = model.margins()
    assert m.gain == pytest.approx(3.0, rel=1e-10)
    assert m.gain_frequency == pytest.approx(sqrt(2.0), rel=1e-10)
    w = m.phase_frequency
    assert w * sqrt(w * w + 1) * sqrt(w * w + 4) == pytest.approx(2.0, rel=1e-10)
    angle = 180 - 90 - np.degrees(np.arctan(w) + np.arctan(w / 2))
    assert m.phase == pytest.approx(angle, rel=1e-9)
    assert m.delay == pytest.approx(np.radians(angle) / w, rel=1e-9)
    w = np.geomspace(0.1, 10, 100001)
    distance = np.abs(1 + 2 / (1j * w * (1j * w + 1) * (1j * w + 2))).min()
    assert m.modulus == pytest.approx(distance, rel=1e-7)


@pytest.mark.parametrize(("pole", "k"), [(1.0, 1e5), (0.0, 1e-7), (1.0, 1e7)])
def test_a_gain_of_one_is_found_far_beyond_all_poles(pole: float, k: float) -> None:
    """|k / (s + pole)| = 1 at sqrt(k^2 - pole^2), where its phase is -arctan(omega / pole)."""
    m = of([[-pole]], [[1]], [[k]], [[0]]).margins()
    assert m.phase_frequency == pytest.approx(np.sqrt(k * k - pole * pole), rel=1e-9)
    assert m.phase == pytest.approx(180.0 - np.degrees(np.arctan2(k, pole)), rel=1e-6)


def test_margins_of_a_loop_with_a_direct_part() -> None:
    """L = (1 - s) / (2 (s + 2)), closed at (4 + k) / (k - 2): it is nearest to -1 at infinity, at -1/2.
    L = 2 (s + 3) / (s + 1) is stable closed, but not with any delay: beyond all frequencies it is 2.
    """
    m = of([[-2]], [[1]], [[1.5]], [[-0.5]]).margins()
    assert (m.gain, m.modulus) == (pytest.approx(2.0, rel=1e-13), pytest.approx(0.5, rel=1e-13))
    assert (m.gain_frequency, m.modulus_frequency) == (np.inf, np.inf)
    m = of([[-1]], [[1]], [[4]], [[2]]).margins()
    assert (m.gain, m.delay) == (np.inf, 0.0)


def test_margins_are_told_with_four_digits_and_their_units() -> None:
    """Of 10 / (s + 1)^3, whose phase is -180 degrees at sqrt(3) rad/s, where its gain is 10 / 8."""
    a = [[-3, -3, -1], [1, 0, 0], [0, 1, 0]]
    text = repr(of(a, [[1], [0], [0]], [[0, 0, 10]], [[0]]).margins())
    assert re.search(r"gain +0\.8 +1\.732", text)
    assert re.search(r"phase .* deg", text)
    assert not re.search(r"\d{6}", text)


def test_margins_in_discrete_time() -> None:
    """L = k / (z - 1), closed at z = 1 - k: stable up to k = 2."""
    for k in (0.5, 1.9, 2.1):
        m = of([[1]], [[k]], [[1]], [[0]], 0.1).margins()
        assert m.gain == pytest.approx(2.0 / k, rel=1e-13)
        assert m.stable == (k < 2.0)


@pytest.mark.parametrize("k", [1.0, 6.4, 6.6, 10.0])
def test_margins_say_whether_the_closed_loop_is_stable(k: float) -> None:
    """L = 60 k / (s (s + 3) (s + 10)) is stable when closed up to k = 390 / 60: beyond, no delay helps."""
    m = of([[0, 1, 0], [0, 0, 1], [0, -30, -13]], [[0], [0], [1]], [[60.0 * k, 0, 0]], [[0]]).margins()
    assert m.gain == pytest.approx(6.5 / k, rel=1e-9)
    assert m.stable == (k < 6.5)
    assert np.isnan(m.delay) == np.isnan(m.delay_frequency) == (k > 6.5)
    assert ("the closed loop is unstable" in repr(m)) == (k > 6.5)


def test_a_loop_that_is_unstable_although_nothing_crosses_minus_one() -> None:
    """L = 1 / (2 (s - 1)) has no crossover, and is closed at 1 - 1/2; L = -1 has no closed loop at all."""
    m = of([[1]], [[1]], [[0.5]], [[0]]).margins()
    assert (m.gain, m.phase, m.stable) == (pytest.approx(2.0), np.inf, False)
    assert np.isnan(m.delay)
    assert not of([[-1]], [[0]], [[0]], [[-1]]).margins().stable


def test_a_motion_behind_the_loop_that_stands_still_leaves_it_stable() -> None:
    """L = 2 / (s + 1), and an angle that integrates its output."""
    m = of([[-1, 0], [1, 0]], [[1], [0]], [[2, 0]], [[0]]).margins()
    assert m.stable


def test_an_unstable_plant_has_a_smallest_gain() -> None:
    """L = 3 / (s - 1): the closed loop has its pole at 1 - 3."""
    m = of([[1]], [[1]], [[3]], [[0]]).margins()
    assert (m.gain, m.gain_frequency, m.stable) == (pytest.approx(1 / 3, rel=1e-13), 0.0, True)


def test_step_and_impulse_of_a_mass_on_a_spring() -> None:
    model = of([[0, 1], [-25, -2]], [[0], [1]], [[1, 0]], [[0]])
    t, y = model.impulse()
    w = sqrt(24.0)
    np.testing.assert_allclose(y[:, 0, 0], np.exp(-t) * np.sin(w * t) / w, atol=1e-12)
    t, y = model.step(np.linspace(0, 3, 50))
    expected = (1 - np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)) / 25
    np.testing.assert_allclose(y[:, 0, 0], expected, atol=1e-12)


def test_as_models_of_other_libraries() -> None:
    model = speed_loop().linearize(["r", "motor.u"], "y")
    for exported in (model.to_scipy(), pytest.importorskip("control") and model.to_control()):
        for name in "ABCD":
            np.testing.assert_array_equal(getattr(exported, name), getattr(model, name))
    control = model.to_control()
    assert control.input_labels == ["r", "motor_u"]
    assert control(1j)[0, 0] == pytest.approx(model.frequency_response([1.0])[0, 0, 0], rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inputs": "moter.u"}, "did you mean `motor.u`"),
        ({"outputs": "motor.z"}, "no signal 'motor.z'"),
        ({"open": "gian"}, "open: there is no signal 'gian', did you mean `gain.y`"),
        ({"at": {"motor.y": 1.0}}, "no state, input or held signal 'motor.y', did you mean `motor.x`"),
    ],
)
def test_names_that_do_not_exist(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownVariable, match=message):
        speed_loop().linearize(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inputs": ["r", "r"]}, "named twice"),
        ({"inputs": ["gain", "motor.u"]}, "the same wire"),
        ({"at": 1.0, "time": 2.0}, "one of them"),
        ({"at": "now"}, "a time of a run"),
        ({"sample_time": -1.0}, "a period"),
        ({"sample_time": np.ones(2)}, "a period"),
    ],
)
def test_what_cannot_be_asked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        speed_loop().linearize(**arguments)


def test_a_part_needs_names_of_the_model() -> None:
    model = speed_loop().linearize()
    with pytest.raises(UnknownVariable, match="did you mean `y`"):
        model.part("Y")
    with pytest.raises(AnalysisError, match="one of each"):
        speed_loop().linearize(["r", "motor.u"]).margins()


def test_a_delay_that_nothing_reads_has_no_part_in_a_model() -> None:
    d = speed_loop()
    d.connect("motor", d.add("later", bd.TransportDelay(0.1)), d.add("late", bd.Outport()))
    assert d.linearize().delays is not None
    opened = d.linearize("r", "y", open="later")  # nothing else reads it
    assert opened.poles() == pytest.approx(-18.0)


def test_along_a_run() -> None:
    d = pendulum()
    times = np.linspace(0.0, 3.0, 7)
    models = d.linearize_along(times, "u", ["th.x", "w.x"])
    angles = d.simulate(stop=3.0, times=times)["th.y"]
    assert models.A.shape == (7, 2, 2)
    th, w = (models[0].states.index(name) for name in ("th.x", "w.x"))
    np.testing.assert_allclose(models.A[:, w, th], -9.81 / 0.7 * np.cos(angles), atol=1e-8)
    for model, t in zip(models, times, strict=True):
        alone = d.linearize("u", ["th.x", "w.x"], at=t)
        for name in "ABCD":
            np.testing.assert_allclose(getattr(model, name), getattr(alone, name), atol=1e-8)
    with pytest.raises(AnalysisError, match="increasing"):
        d.linearize_along([1.0, 0.5])


def test_along_a_run_with_ticks_and_with_a_loop_opened() -> None:
    d = pendulum()
    d.connect("th", d.add("hold", bd.ZeroOrderHold(sample_time=0.5)), d.add("y", bd.Outport()))
    models = d.linearize_along([0.2, 1.0], "u", "th.x")
    for model, t in zip(models, (0.2, 1.0), strict=True):
        np.testing.assert_allclose(model.A, d.linearize("u", "th.x", at=t).A, atol=1e-8)
    opened = d.linearize_along([0.0, 1.0], "th", "gravity", open="th", sample_time=0.0)
    expected = 9.81 / 0.7 * np.cos(d.simulate(stop=1.0).final("th.y"))
    assert opened.D[1, 0, 0] == pytest.approx(expected, rel=1e-8)


def test_parameters_of_blocks_as_inputs() -> None:
    """x' = k (r - 4 x) - 2 x, y = 4 x."""
    d = speed_loop()
    model = d.linearize(["r", "gain.k"], "y", at={"motor.x": [0.02], "r": 0.3})
    assert model.inputs == ("r", "gain.k")
    np.testing.assert_allclose(model.B, [[4.0, 0.3 - 4 * 0.02]], rtol=1e-14)
    with pytest.raises(AnalysisError, match=r"motor\.num"):
        d.linearize("motor.num")


def test_the_drift_of_a_steady_state_with_a_parameter() -> None:
    """y = 4 k r / (2 + 4 k) at rest has dy/dk = 8 r / (2 + 4 k)^2, at k = 4."""
    d = speed_loop()
    point = d.trim(inputs={"r": 0.3})
    gain = d.linearize("gain.k", "y", at=point).gain()[0, 0]
    assert gain == pytest.approx(8 * 0.3 / 18**2, rel=1e-12)


def test_parameters_through_ticks() -> None:
    """q+ = q + h k r: by k, h r."""
    d = bd.Diagram()
    q = d.add("q", bd.DiscreteIntegrator(sample_time=0.1))
    d.connect(d.add("r", bd.Inport(default=0.7)), d.add("gain", bd.Gain(3.0)), q, d.add("y", bd.Outport()))
    model = d.linearize("gain.k", "y")
    assert model.B[0, 0] == pytest.approx(0.07, rel=1e-14)


def test_the_bandwidth_of_a_lag_is_that_of_its_pole_as_the_error_says() -> None:
    """G = 2 / (1 + 0.5 s) falls to 1 / sqrt 2 of its gain at 2 rad/s."""
    d = bd.Diagram("lag")
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("lag", bd.TransferFunction([2.0], [0.5, 1.0])))
    d.connect("lag", d.add("y", bd.Outport()))
    model = d.linearize()
    with pytest.raises(AttributeError) as caught:
        model.bandwidth()  # type: ignore[attr-defined]
    omega = np.linspace(0.0, 4.0, 40001)
    gains, limit = (
        eval(told, {"omega": omega, "model": model})
        for told in re.findall(r"`([^`]*abs.*?)`", str(caught.value))
    )
    assert omega[gains < limit][0] == pytest.approx(2.0, abs=2e-4)


def test_a_block_of_a_short_name_is_suggested() -> None:
    d = bd.Diagram()
    d.connect(d.add("pi", bd.Integrator()), d.add("gain", bd.Gain(-1.0)), "pi")
    with pytest.raises(UnknownVariable, match="did you mean `pi`"):
        d.loop("pid")
