"""Linear models and points of what works at calls, edges and transitions: against clocked twins and runs."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.analysis.errors import AnalysisError
from blockdyn.native.tangent.frame import NotDifferentiable

H = 0.1


def sampler(*, clocked: bool = False, edge: str = "") -> bd.Diagram:
    """u[k+1] = 2 e[k], by a clock or in a triggered subsystem."""
    s = bd.Diagram("sampler")
    if edge:
        s.add("trigger", bd.Trigger(edge=edge))
    s.connect(
        s.add("e", bd.Inport()), s.add("last", bd.UnitDelay(sample_time=H if clocked else inf)),
        s.add("k", bd.Gain(2.0)), s.add("u", bd.Outport()),
    )  # fmt: skip
    return s


def loop(controller: bd.Diagram, trigger: bd.Block | None = None) -> bd.Diagram:
    """The controller around 1 / (s + 1)."""
    d = bd.Diagram("loop")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.0)), error[0])
    d.connect(error, d.add("c", controller)["e"])
    if trigger is not None:
        d.connect(d.add("source", trigger), "c.trigger")
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 1.0]))
    d.connect(d["c"]["u"], plant, [error[1], d.add("y", bd.Outport())])
    return d


def called() -> bd.Diagram:
    return loop(sampler(edge="call"), bd.FunctionCall(sample_time=H))


def pulsed() -> bd.Diagram:
    return loop(sampler(edge="rising"), bd.Pulse(period=H, width=H / 2))


def test_calls_of_a_clock_are_its_ticks() -> None:
    """x+ = p x + 2 (1 - p) u,  u+ = r - x,  p = e^-h: as with a clock of its own."""
    p = np.exp(-H)
    model, twin = called().linearize(), loop(sampler(clocked=True)).linearize()
    np.testing.assert_allclose(model.A, [[p, 2 * (1 - p)], [-1.0, 0.0]], atol=1e-14)
    for ours, theirs in ((model.A, twin.A), (model.B, twin.B), (model.C, twin.C), (model.D, twin.D)):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    assert model.states == ("plant.x[0]", "c/last.x")
    assert model.held == ()
    margins = called().loop("c/k").margins(), loop(sampler(clocked=True)).loop("c/k").margins()
    assert margins[0].gain == pytest.approx(margins[1].gain, rel=1e-12)


def test_called_controllers_rest_where_a_run_stays() -> None:
    point = called().trim(inputs={"r": 1.0})
    assert point.outputs["y"] == pytest.approx(2.0 / 3.0, rel=1e-13)
    assert point.held["c/last.x"] == pytest.approx(1.0 / 3.0, rel=1e-13)
    run = called().simulate(stop=1.0, initial=point.initial, inputs=point.inputs)
    np.testing.assert_allclose(run["y"], 2.0 / 3.0, rtol=1e-12)


def test_edges_that_no_clock_gives_are_refused_where_a_signal_passes() -> None:
    for d in (pulsed(), loop(sampler(edge="either"), bd.Sine(frequency=9.0))):
        calls = d.linearize, lambda d=d: d.loop("c/k"), lambda d=d: d.root_locus("c/k.k", [1.0, 2.0])
        for call in (*calls, lambda d=d: d.linearize_along([0.1]), lambda d=d: d.linearize(sample_time=H)):
            with pytest.raises(
                NotDifferentiable, match=r"c/trigger: (.|\n)*sample_time=0(.|\n)*FunctionCall"
            ):
                call()
        with pytest.raises(AnalysisError, match="c/trigger: its state is updated by events"):
            d.trim(inputs={"r": 1.0})


def test_between_edges_what_is_held_is_constant_and_noted() -> None:
    model = pulsed().linearize(sample_time=0)
    np.testing.assert_allclose(model.A, [[-1.0]], atol=0)
    assert model.held == ("c/trigger",)
    assert "kept at events, constant here: c/trigger" in str(model)


def test_sines_measure_what_edges_do() -> None:
    """Edges every 0.1 s, and calls every 0.1 s."""
    rows = [d.frequency_response([1.0, 3.0], "r", "y", amplitude=0.5).values for d in (pulsed(), called())]
    np.testing.assert_allclose(*rows, rtol=1e-3)


def test_what_only_counts_or_is_only_watched_is_no_path() -> None:
    """A counter of edges adds to the input of the plant; what a sampler sees, nothing reads."""
    counter = bd.Diagram("counter")
    counter.add("trigger", bd.Trigger())
    total, last = counter.add("total", bd.Sum("++")), counter.add("last", bd.UnitDelay(sample_time=inf))
    counter.connect(counter.add("one", bd.Constant(1.0)), total[0])
    counter.connect(last, total[1])
    counter.connect(total, [last, counter.add("n", bd.Outport())])
    d = bd.Diagram("counted")
    sum_ = d.add("sum", bd.Sum("++"))
    d.connect(d.add("u", bd.Inport(default=0.0)), sum_[0])
    plant = d.add("plant", bd.TransferFunction(num=[1.0], den=[1.0, 3.0]))
    d.connect(sum_, plant, d.add("y", bd.Outport()))
    d.connect(d.add("clock", bd.Sine()), [d.add("counter", counter)["trigger"]])
    d.connect(d["counter"]["n"], sum_[1])
    d.connect(plant, d.add("watch", sampler(edge="rising"))["e"])
    d.connect("clock", "watch.trigger")
    d.connect(d["watch"]["u"], d.add("shown", bd.Gain(1.0)))
    model = d.linearize()
    np.testing.assert_allclose([model.A[0, 0], model.C[0, 0] * model.B[0, 0]], [-3.0, 1.0], atol=0)
    assert model.held == ()
    d.connect("shown", d.add("w", bd.Outport()))
    assert d.linearize(outputs="y").held == ()
    with pytest.raises(NotDifferentiable, match="watch/trigger"):
        d.linearize()


@pytest.mark.parametrize("on", [0.0, 1.0])
def test_an_enabled_controller_is_that_of_its_mode(on: float) -> None:
    """q+ = q + h (r - x) while it is enabled."""
    s = bd.Diagram("integral")
    s.add("enable", bd.Enable())
    q = s.add("q", bd.DiscreteIntegrator(sample_time=H))
    s.connect(s.add("e", bd.Inport()), q, s.add("u", bd.Outport()))
    d = loop(s)
    d.connect(d.add("on", bd.Constant(on)), "c.enable")
    p, model = np.exp(-H), d.linearize()
    i = [model.states.index(name) for name in ("plant.x[0]", "c/q.x")]
    np.testing.assert_allclose(
        model.A[np.ix_(i, i)], [[p, on * (1 - p)], [-H * on, 1.0]], atol=1e-13
    )  # fmt: skip


def test_what_an_iteration_carries_on_is_a_state() -> None:
    """Three times a tick z+ = z / 2 + u: z[k+1] = z[k] / 8 + 7 / 4 u[k]."""
    s = bd.Diagram("thrice")
    w = s.add("loop", bd.While(sample_time=H, limit=9, reset_states=False))
    z, total = s.add("z", bd.UnitDelay(sample_time=inf)), s.add("total", bd.Expression("z / 2 + u"))
    s.connect(w["number"], s.add("more", bd.Expression("number < 1.5")), w)
    s.connect(s.add("u", bd.Inport()), total["u"])
    s.connect(z, total["z"])
    s.connect(total, [z, s.add("y", bd.Outport())])
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("s", s)["u"])
    d.connect(d["s"]["y"], d.add("y", bd.Outport()))
    model = d.linearize()
    place = model.states.index("s/z.x")
    assert model.A[place, place] == pytest.approx(1.0 / 8.0, rel=1e-14)
    assert model.B[place, 0] == pytest.approx(7.0 / 4.0, rel=1e-14)
    assert model.gain()[0, 0] == pytest.approx(2.0, rel=1e-13)


def test_values_that_actions_keep_are_noted() -> None:
    for action, held in (("T / 3", ("machine",)), ("5", ())):
        chart = {
            "states": {"off": {"entry": {"heat": 0}}, "on": {"entry": {"heat": action}}},
            "transitions": ["off -> on: T < 18", "on -> off: T > 21"],
        }
        d = bd.Diagram()
        machine = d.add("machine", bd.StateMachine(signals={"heat": 0.0}, chart=chart))
        d.connect(d.add("T", bd.Inport(default=20.0)), machine["T"])
        d.connect(machine["heat"], d.add("x", bd.Integrator()), d.add("y", bd.Outport()))
        model = d.linearize()
        assert model.held == held
        assert model.B[0, 0] == 0.0


@pytest.mark.parametrize("offset", [0.0, 0.03])
def test_a_run_of_called_controllers_is_that_of_its_model(offset: float) -> None:
    """Two subsystems called in a row, one of them enabled, beside a clock of another rate."""
    d = bd.Diagram("called")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.2)), error[0])
    for name in ("one", "two"):
        s = sampler(edge="call")
        if name == "two":
            s.add("on", bd.Enable())
        d.add(name, s)
        d.connect(d.add(f"calls_{name}", bd.FunctionCall(sample_time=H, offset=offset)), f"{name}.trigger")
    d.connect(error, d["one"]["e"])
    d.connect(d["one"]["u"], d["two"]["e"])
    d.connect(d.add("true", bd.Constant(1.0)), "two.on")
    hold = d.add("hold", bd.ZeroOrderHold(sample_time=H / 2, offset=0.01))
    plant = d.add("plant", bd.StateSpace(A=[[0, 1], [-4, -0.5]], B=[[0], [1]], C=[[1, 0.3]], D=[[0]]))
    d.connect(d["two"]["u"], hold, plant, [error[1], d.add("y", bd.Outport())])
    model, begin = d.linearize(), np.array([0.7, -0.4])
    x, outputs = np.zeros(len(model.states)), []
    x[[model.states.index(f"plant.x[{i}]") for i in range(2)]] = begin
    for _ in range(20):
        x = model.A @ x + model.B[:, 0] * 0.2
        outputs.append((model.C @ x)[0])
    run = d.simulate(stop=20.5 * H, initial={"plant.x": begin}, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.trace("y").at(H * np.arange(1, 21)), outputs, atol=1e-9)
