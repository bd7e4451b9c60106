"""Open diagrams: what the inputs of a program do, against closed forms, and the program as a function."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.model.errors import DiagramError, RunArgumentError

TAU = 0.5
FINE = {"rtol": 1e-10, "atol": 1e-12}


def lag(**inport: Any) -> bd.Diagram:
    """tau x' = u - x."""
    d = bd.Diagram("lag")
    system = d.add("x", bd.TransferFunction(num=[1.0], den=[TAU, 1.0]))
    d.connect(d.add("u", bd.Inport(**inport)), system, d.add("y", bd.Outport(unit="V")))
    return d


def springs(mass: float = 2.0, damping: float = 0.4, stiffness: float = 8.0) -> bd.Diagram:
    """m q'' = f - c q' - k q."""
    d = bd.Diagram("springs")
    force = d.add("force", bd.Inport(unit="N"))
    total, q = d.add("total", bd.Sum(signs="+--")), d.add("q", bd.Integrator(0.25))
    v = d.add("v", bd.Integrator())
    d.connect(force, total[0])
    d.connect(total, d.add("a", bd.Gain(k=1.0 / mass)), v, q)
    d.connect(q, d.add("k", bd.Gain(k=stiffness)), total[1])
    d.connect(v, d.add("c", bd.Gain(k=damping)), total[2])
    d.connect(q, d.add("position", bd.Outport(number=1, unit="m")))
    d.connect("a", d.add("acceleration", bd.Outport(number=0)))
    return d


def response(value: Any, times: Any, **inport: Any) -> Any:
    """y at these times."""
    return lag(**inport).simulate(stop=3.0, times=times, log=["y"], inputs={"u": value}, **FINE)["y"].values


TIMES = np.linspace(0.0, 3.0, 31)


def test_a_number_is_a_step_from_rest() -> None:
    assert response(2.0, TIMES) == pytest.approx(2.0 * (1.0 - np.exp(-TIMES / TAU)), abs=1e-9)


def test_a_linear_signal_is_a_ramp() -> None:
    """u = t to 1.5 s, then 1.5: x = t - tau + tau e^(-t/tau), then towards 1.5."""
    ramp = lambda t: t - TAU + TAU * np.exp(-t / TAU)  # noqa: E731
    exact = np.where(TIMES <= 1.5, ramp(TIMES), 1.5 + (ramp(1.5) - 1.5) * np.exp(-(TIMES - 1.5) / TAU))
    assert response(bd.Signal([0.0, 1.5], [0.0, 1.5]), TIMES) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(
    "wave", [lambda t: np.sin(4.0 * t), bd.Sine(frequency=4.0)], ids=["function", "block"]
)
def test_a_sine_has_its_steady_state_and_its_transient(wave: Any) -> None:
    a = 4.0 * TAU
    exact = (np.sin(4.0 * TIMES) - a * np.cos(4.0 * TIMES) + a * np.exp(-TIMES / TAU)) / (1.0 + a * a)
    assert response(wave, TIMES) == pytest.approx(exact, abs=1e-8)


def test_a_held_signal_is_the_exact_discrete_system() -> None:
    """x[k + 1] = e^(-T/tau) x[k] + (1 - e^(-T/tau)) u[k]."""
    period, levels = 0.25, np.array([1.0, -2.0, 0.5, 3.0, 3.0, 0.0, -1.0, 2.0, 0.25, -0.5, 1.0, 4.0])
    pole, x = np.exp(-period / TAU), [0.0]
    for level in levels:
        x.append(pole * x[-1] + (1.0 - pole) * level)
    clock = period * np.arange(levels.size + 1)
    held = {"times": clock[:-1].tolist(), "values": levels.tolist(), "hold": True}
    assert response(held, clock) == pytest.approx(x, abs=1e-9)


def test_a_time_that_is_there_twice_is_a_jump() -> None:
    """1 until 1 s, from there on 3 falling to 2 at 3 s: superposed from what is exact for each part."""
    step = lambda t: np.where(t > 0.0, 1.0 - np.exp(-np.maximum(t, 0.0) / TAU), 0.0)  # noqa: E731
    ramp = lambda t: np.where(t > 0.0, t - TAU * step(t), 0.0)  # noqa: E731
    exact = step(TIMES) + 2.0 * step(TIMES - 1.0) - 0.5 * ramp(TIMES - 1.0)
    jump = bd.Signal([0.0, 1.0, 1.0, 3.0], [1.0, 1.0, 3.0, 2.0])
    assert response(jump, TIMES) == pytest.approx(exact, abs=1e-9)


def test_the_signal_of_a_result_is_an_input() -> None:
    """Two lags in a row, run one after the other, are t e^(-t/tau) / tau short of the step."""
    first = lag().simulate(stop=3.0, every=0.001, inputs={"u": 1.0}, **FINE)
    exact = 1.0 - np.exp(-TIMES / TAU) * (1.0 + TIMES / TAU)
    assert response(first["y"], TIMES) == pytest.approx(exact, abs=1e-6)
    assert response(first.to_pandas("y"), TIMES) == pytest.approx(exact, abs=1e-6)


def test_a_vector_has_the_size_that_is_given() -> None:
    d = bd.Diagram("vector")
    d.connect(d.add("u", bd.Inport()), d.add("x", bd.Integrator([0.0, 0.0])))
    assert d.simulate(stop=2.0, inputs={"u": [1.0, -2.0]}).final("x") == pytest.approx([2.0, -4.0])
    d = bd.Diagram("declared")
    d.connect(d.add("u", bd.Inport(size=2, default=0.5)), d.add("x", bd.Integrator([0.0, 0.0])))
    assert d.compile().derivative(0.0).tolist() == [0.5, 0.5]


def test_the_derivative_is_that_of_the_matrix() -> None:
    program = springs().compile()
    a, b = np.array([[0.0, 1.0], [-4.0, -0.2]]), np.array([0.0, 0.5])
    assert [variable.name for variable in program.states] == ["q.x", "v.x"]
    generator = np.random.default_rng(1)
    for _ in range(20):
        x, u = generator.normal(size=2), generator.normal()
        assert program.derivative(0.0, x, u) == pytest.approx(a @ x + b * u, abs=1e-14)
        outputs = program.outputs(0.0, {"q.x": x[0], "v.x": x[1]}, {"force": u})
        assert list(outputs) == ["acceleration", "position"]
        assert outputs["position"] == x[0]
        assert outputs["acceleration"] == pytest.approx(-4.0 * x[0] - 0.2 * x[1] + 0.5 * u, abs=1e-14)


def test_what_is_not_given_is_as_a_run_begins() -> None:
    program = springs().compile()
    assert program.derivative(0.0, None, 0.0).tolist() == [0.0, -1.0]
    assert program.derivative(0.0, {"v.x": 3.0}, 0.0)[0] == 3.0
    assert lag(default=2.0).compile().derivative(0.0, [0.0]).tolist() == [2.0]


def test_inputs_outputs_and_states_say_their_names_shapes_and_units() -> None:
    program = springs().compile()
    assert [(v.name, v.shape, v.unit, v.index) for v in program.inputs] == [("force", (), "N", 0)]
    assert [(v.name, v.unit, v.index) for v in program.output_ports] == [
        ("acceleration", "", 0),
        ("position", "m", 1),
    ]


def test_modes_and_times_are_those_of_the_point() -> None:
    """A saturated step: nothing before 1 s, the limit from the first instant of the step on."""
    d = bd.Diagram("limited")
    total = d.add("total", bd.Sum())
    d.connect(d.add("step", bd.Step(time=1.0, final=5.0)), total[0])
    d.connect(d.add("u", bd.Inport(default=0.0)), total[1])
    d.connect(total, d.add("limit", bd.Saturation(lower=-1.0, upper=2.0)), d.add("x", bd.Integrator()))
    program = d.compile()
    before = float(np.nextafter(1.0, 0.0))
    assert [program.derivative(t, [0.0])[0] for t in (0.0, before, 1.0, 2.0)] == [0.0, 0.0, 2.0, 2.0]
    assert [program.derivative(0.0, [0.0], u)[0] for u in (-9.0, 1.5, 9.0)] == [-1.0, 1.5, 2.0]


def test_held_values_stay_at_ticks() -> None:
    """A sampled controller in front of a lag: its output is what is held, whatever u and x are."""
    d = bd.Diagram("sampled")
    d.connect(d.add("u", bd.Inport()), d.add("hold", bd.ZeroOrderHold(0.1)), d.add("x", bd.Integrator()))
    program = d.compile()
    assert [variable.name for variable in program.held] == ["hold.y"]
    for t in (0.0, 0.05, 0.1):
        assert program.derivative(t, [4.0], 7.0).tolist() == [0.0]
        assert program.derivative(t, [4.0], 7.0, held={"hold.y": 3.0}).tolist() == [3.0]


def test_threads_get_what_one_gets() -> None:
    program = springs().compile()
    points = np.random.default_rng(2).normal(size=(400, 3))
    alone = [program.derivative(0.0, p[:2], p[2:]) for p in points]
    found: dict[int, list[Any]] = {}

    def work(k: int) -> None:
        found[k] = [program.derivative(0.0, p[:2], p[2:]) for p in points]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[k], alone) for k in range(4))


def test_other_numbers_are_the_same_code() -> None:
    program = lag().compile(inputs={"u": 1.0})
    code = program.code
    assert program.with_inputs({"u": 2.0}).code is code
    assert program.with_inputs({"u": -3.5}).simulate(stop=50.0).final("y") == pytest.approx(-3.5, rel=1e-5)
    table = program.with_inputs({"u": bd.Signal([0.0, 1.0], [0.0, 1.0])})
    assert program.with_inputs({"u": bd.Signal([0.0, 2.0], [5.0, 1.0])}).code is table.code


def test_an_input_is_an_axis_of_a_sweep() -> None:
    sweep = bd.Sweep(lag(), {"u": [1.0, 2.0, -4.0]}, {"last": {"final": "y"}}, stop=1.0, **FINE)
    final = 1.0 - np.exp(-1.0 / TAU)
    last = sweep.run().dataset["last"].values
    assert last == pytest.approx([final, 2.0 * final, -4.0 * final], abs=1e-9)
    assert sweep.simulate(2).final("y") == last[2]
    assert lag().simulate(stop=1.0, set={"u": 2.0}, **FINE).final("y") == pytest.approx(2.0 * final, abs=1e-9)


def test_an_open_input_of_a_subsystem_has_its_default() -> None:
    outer = bd.Diagram("outer")
    outer.connect(outer.add("lag", lag(default=3.0)), outer.add("x", bd.Gain(k=2.0)))
    assert outer.simulate(stop=50.0).final("x") == pytest.approx(6.0, rel=1e-5)
    outer.connect(outer.add("level", bd.Constant(value=1.0)), "lag")
    assert outer.simulate(stop=50.0).final("x") == pytest.approx(2.0, rel=1e-5)


def test_a_run_without_its_input_says_which_and_what_to_do() -> None:
    program = lag().compile()
    for call in (lambda: program.simulate(stop=1.0), lambda: program.derivative(0.0, [1.0])):
        with pytest.raises(
            RunArgumentError, match=r"input `u`[\s\S]*inputs=\{'u': 1.0\}[\s\S]*default"
        ) as caught:
            call()
        assert caught.value.name == "u"
    with pytest.raises(RunArgumentError, match="input `u`"):
        bd.Sweep(lag(), {"x.den[0]": [0.5]}, {"last": {"final": "y"}}, stop=1.0).run()


WRONG = {
    "a name": ({"v": 1.0}, "inputs['v']"),
    "text": ({"u": "1.0"}, "inputs['u']"),
    "no number": ({"u": np.nan}, "inputs['u']"),
    "no mapping": (3.0, "inputs"),
    "a block with inputs": ({"u": bd.Gain()}, "inputs['u']"),
    "times alone": ({"u": {"times": [0.0, 1.0]}}, "inputs['u']"),
    "falling times": ({"u": {"times": [1.0, 0.0], "values": [0.0, 1.0]}}, "times"),
    "unequal lengths": ({"u": {"times": [0.0, 1.0], "values": [0.0]}}, "values"),
    "a function of text": ({"u": lambda t: "a"}, "inputs['u']"),
    "another size": ({"u": [1.0, 2.0, 3.0]}, "inputs['u']"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_input_is_refused_by_name(case: str) -> None:
    inputs, argument = WRONG[case]
    with pytest.raises((RunArgumentError, DiagramError), match="expected") as caught:
        lag().compile(inputs=inputs)  # type: ignore[arg-type]
    assert argument in caught.value.argument


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"t": 0.0, "x": [1.0]}, "x"),
        ({"t": 0.0, "x": [1.0, np.inf]}, "x"),
        ({"t": "0", "x": [1.0, 2.0]}, "t"),
        ({"t": 0.0, "u": [1.0, 2.0]}, "u"),
        ({"t": 0.0, "u": {"forc": 1.0}}, "u['forc']"),
        ({"t": 0.0, "u": 0.0, "held": {"q.y": 1.0}}, "held['q.y']"),
    ],
)
def test_a_point_that_is_none_is_refused_by_name(arguments: dict[str, Any], argument: str) -> None:
    with pytest.raises(RunArgumentError) as caught:
        springs().compile().derivative(**arguments)
    assert caught.value.argument == argument


def test_a_point_without_a_value_names_the_block() -> None:
    d = bd.Diagram("root")
    d.connect(d.add("u", bd.Inport()), d.add("root", bd.Power(0.5)), d.add("x", bd.Integrator()))
    program = d.compile()
    assert program.derivative(0.0, [0.0], 4.0).tolist() == [2.0]
    with pytest.raises(bd.RunError, match=r"root.y became nan at t = 1.5 s"):
        program.derivative(1.5, [0.0], -4.0)


def test_a_run_goes_on_from_its_final_states() -> None:
    program = lag().compile(inputs={"u": bd.Sine(frequency=4.0)})
    first = program.simulate(stop=1.3, **FINE)
    second = program.simulate(start=1.3, stop=3.0, initial=first.final_states(), **FINE)
    assert second.final("y") == pytest.approx(response(bd.Sine(frequency=4.0), [0.0, 3.0])[-1], abs=1e-9)


def test_a_pair_of_arrays_is_a_signal_over_time():
    """The integral of t^2 in straight lines over tenths, 1/3 + h^2/6; lists of numbers are a matrix."""
    t = np.linspace(0.0, 1.0, 11)
    for default in (0.0, None):
        d = bd.Diagram()
        d.connect(d.add("u", bd.Inport(default=default)), d.add("x", bd.Integrator()))
        assert d.simulate(stop=1.0, inputs={"u": (t, t**2)}).final("x") == pytest.approx(1 / 3 + 0.01 / 6)
        with pytest.raises(RunArgumentError, match="11 as `times` has"):
            d.simulate(stop=1.0, inputs={"u": (t, t[:-1])})
    assert d.simulate(stop=1.0, inputs={"u": ((1.0, 2.0), (3.0, 4.0))}).final("x").shape == (2, 2)


def test_an_input_whose_default_is_a_number_stays_a_number():
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=0.0)), d.add("x", bd.Integrator()))
    for value in ([1.0, 2.0], np.linspace(0.0, 1.0, 11), bd.Signal([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]])):
        with pytest.raises(RunArgumentError, match=r"one number at a time.*\(times, values\)"):
            d.simulate(stop=1.0, inputs={"u": value})
