"""Delays whose input before the start is a function: solutions that continue it, closed forms, literature."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import blockdyn as bd
from blockdyn.sweeps.sweep import Sweep

TIGHT = {"rtol": 1e-9, "atol": 1e-12}


def before(t):
    return sin(t)


def fed_back(delay: float, initial: float, history) -> bd.Diagram:
    """x' = -x(t - delay)."""
    d = bd.Diagram("fed back")
    x = d.add("x", bd.Integrator(initial))
    d.connect(x, d.add("late", bd.TransportDelay(delay, history=history)), d.add("minus", bd.Gain(-1.0)), x)
    return d


@pytest.mark.parametrize(
    ("history", "method", "compiled"),
    [
        ("sin(t)", "dopri5", True), ("sin(t)", "rodas5p", True), ("sin(t)", "bdf", True),
        (before, "dop853", True), (before, "dopri5", False), (np.sin, "dopri5", True),
        (lambda t: float(np.sin(t)), "dopri5", True),
    ],
)  # fmt: skip
def test_a_solution_that_continues_its_history(history, method, compiled):
    """sin'(t) = -sin(t - pi/2)."""
    stop = 10.0 if compiled else 5.0
    r = fed_back(pi / 2, 0.0, history).simulate(stop=stop, method=method, compiled=compiled, **TIGHT)
    x = r.trace("x")
    np.testing.assert_allclose(x.values, np.sin(x.time), atol=1e-7)
    np.testing.assert_allclose(r.trace("late").values, np.sin(x.time - pi / 2), atol=1e-7)


@pytest.mark.parametrize("start", [0.0, 3.0])
def test_the_method_of_steps(start):
    """x' = -x(t - 1), x = cos(t - start) before the start, over the first two delays."""
    r = fed_back(1.0, 1.0, f"cos(t - {start})").simulate(start=start, stop=start + 2.0, **TIGHT)
    t = r.trace("x").time - start
    first = 1.0 - np.sin(t - 1.0) - sin(1.0)
    second = -sin(1.0) + 1.0 - ((1.0 - sin(1.0)) * (t - 1.0) + np.cos(t - 2.0) - cos(1.0))
    np.testing.assert_allclose(r.trace("x").values, np.where(t <= 1.0, first, second), atol=1e-9)
    assert start + 1.0 in [event.time for event in r.events]


def test_an_epidemic_neither_gains_nor_loses_anybody():
    """Hairer, Norsett, Wanner, Solving ODEs I, II.17: y1' = -y1 y2(t-1) + y2(t-10), y2' = y1 y2(t-1) - y2,
    y3' = y2 - y2(t-10): y1 + y2 + y3 is constant, y3 - (integral of y2 over the last 10) too.
    """
    d = bd.Diagram()
    ends = {"y1": 5.0, "y2": 0.1, "y3": 1.0}
    for name, value in ends.items():
        d.add(name, bd.Integrator(value))
    for name, delay in (("one", 1.0), ("ten", 10.0)):
        d.connect("y2", d.add(name, bd.TransportDelay(delay, history="0.1*exp(t/20)")))
    for name, formula in (("f1", "-y1*one + ten"), ("f2", "y1*one - y2"), ("f3", "y2 - ten")):
        f = d.add(name, bd.Expression(formula))
        for each in bd.Expression(formula).input_ports():
            d.connect(each.name, f[each.name])
        d.connect(f, f"y{name[1]}")
    r = d.simulate(stop=40.0, **TIGHT)
    total = sum(r.trace(name).at(r.trace("y1").time).ravel() for name in ends)
    np.testing.assert_allclose(total, 6.1, atol=1e-9)


@pytest.mark.parametrize("compiled", [True, False])
def test_delays_that_vary_and_vectors(compiled):
    """What has always been sin t and cos 2t is so a variable time ago, before and after the start."""
    d = bd.Diagram()
    both = d.add("both", bd.Mux(2))
    for i, formula in enumerate(("sin(t)", "cos(2*t)")):
        d.connect(d.add(f"u{i}", bd.Expression(formula)), both[i])
    functions = ["sin(t)", lambda t: cos(2.0 * t)]
    late = d.add("late", bd.VariableTransportDelay(0.4, 1.6, history=functions))
    d.connect(both, late["u"])
    d.connect(d.add("delay", bd.Expression("1 + 0.5*sin(3*t)")), late["delay"])
    d.connect(both, d.add("fixed", bd.TransportDelay(0.7, history=functions)))
    r = d.simulate(stop=6.0, times=np.linspace(0.0, 6.0, 333), compiled=compiled, **TIGHT)
    for name, delay in (("late", 1.0 + 0.5 * np.sin(3.0 * r["late"].time)), ("fixed", 0.7)):
        then = r[name].time - delay
        expected = np.column_stack([np.sin(then), np.cos(2.0 * then)])
        np.testing.assert_allclose(r[name].values, expected, atol=1e-9)


def test_a_run_goes_on_elsewhere_in_time():
    d = fed_back(pi / 2, 0.0, "sin(t)")
    first = d.simulate(stop=0.9, **TIGHT)
    later = d.simulate(start=0.0, stop=2.0, initial=first.final_states(), **TIGHT)
    np.testing.assert_allclose(later.final("x"), sin(2.9), atol=1e-8)


LATE = {
    "fixed": lambda: bd.TransportDelay(1.0, history="cos(3*t)"),
    "variable": lambda: bd.VariableTransportDelay(0.5, 2.0, history="cos(3*t)"),
    "vanishing": lambda: bd.VariableTransportDelay(0.0, 2.0, history="cos(3*t)"),
    "pipe": lambda: bd.Pipe(1.0, 2.0, history="cos(3*z)"),
}


def one_second_late(kind: str, block: bd.Block) -> bd.Diagram:
    """sin 2t, a second late, and its integral x."""
    d = bd.Diagram()
    late = d.add("late", block)
    d.connect(d.add("u", bd.Sine(frequency=2.0)), late["u"])
    if kind != "fixed":
        d.connect(d.add("one", bd.Constant(1.0)), late[1])
    d.connect(late["y"], d.add("x", bd.Integrator()))
    return d


@pytest.mark.parametrize(("split", "compiled"), [(0.4, True), (1.5, True), (0.4, False)])
@pytest.mark.parametrize("kind", LATE)
def test_a_continued_run_is_right_from_its_first_row_on(kind, split, compiled):
    d = one_second_late(kind, LATE[kind]())
    y = "late.y" if kind == "pipe" else "late"
    first = d.simulate(stop=split, compiled=compiled, **TIGHT)
    for start in (10.0, -7.0) if compiled else (10.0,):
        on = d.simulate(
            start=start, stop=start + 0.9, initial=first.final_states(), compiled=compiled, **TIGHT
        )
        t = on.trace(y).time - start + split
        expected = np.where(t < 1.0, np.cos(3.0 * (1.0 - t)), np.sin(2.0 * (t - 1.0)))
        at_jump = np.abs(t - 1.0) < 1e-9
        np.testing.assert_allclose(on.trace(y).values.ravel()[~at_jump], expected[~at_jump], atol=1e-9)
        if kind == "pipe":
            long = on.trace("late.delay")
            np.testing.assert_allclose(
                long.values.ravel(), np.minimum(long.time - start + split, 1.0), atol=1e-9
            )


def test_sweeps_of_the_start_continue_histories():
    d = one_second_late("fixed", LATE["fixed"]())
    d.settings(initial=d.simulate(stop=1.5, **TIGHT).final_states())
    sweep = Sweep(d, {"simulate.start": [1.5, 10.0]}, {"y": {"initial": "late"}}, stop=10.5, **TIGHT)
    np.testing.assert_allclose(sweep.run(progress=False).dataset["y"].values, sin(1.0), atol=1e-12)


level = 1.0


def of_global(t):
    return level


@pytest.mark.parametrize("kind", LATE)
def test_a_history_reads_what_its_globals_are_now(kind, monkeypatch):
    block = {
        "fixed": lambda: bd.TransportDelay(1.0, history=of_global),
        "variable": lambda: bd.VariableTransportDelay(0.5, 2.0, history=of_global),
        "vanishing": lambda: bd.VariableTransportDelay(0.0, 2.0, history=of_global),
        "pipe": lambda: bd.Pipe(1.0, 2.0, history=of_global),
    }[kind]
    for value in (1.0, 2.0):
        monkeypatch.setitem(globals(), "level", value)
        d = one_second_late(kind, block())
        assert d.simulate(stop=0.5).final("x") == pytest.approx(0.5 * value, abs=1e-9)


def test_derivatives_and_sweeps():
    """x' = -x(t - T), x = sin t before 0: x(t) = cos(t - T) - cos T up to t = T."""
    d, stop, delay = fed_back(1.5, 0.0, "sin(t)"), 1.2, 1.5
    measures = {"last": {"final": "x"}}
    derivative = d.gradient(measures, ["late.delay"], stop=stop, **TIGHT)
    exact = sin(delay) + sin(stop - delay)
    np.testing.assert_allclose(np.ravel(derivative.matrix), exact, atol=1e-7)
    swept = Sweep(d, {"late.delay": [1.3, 1.5]}, measures, stop=stop, **TIGHT).run(progress=False)
    expected = [cos(stop - T) - cos(T) for T in (1.3, 1.5)]
    np.testing.assert_allclose(swept.dataset["last"].values, expected, atol=1e-8)


def test_in_files(tmp_path):
    text = """
blockdyn: 1
blocks:
  x: {type: Integrator}
  late: {type: TransportDelay, delay: 1.5707963267948966, history: "HISTORY"}
  minus: {type: Gain, k: -1.0}
wires: [x -> late -> minus -> x]
simulate: {stop: 3.0, rtol: 1.0e-9, atol: 1.0e-12}
"""
    d = bd.load(text.replace("HISTORY", "sin(t)"))
    assert d.simulate().final("x") == pytest.approx(sin(3.0), abs=1e-8)
    assert bd.load(bd.dumps(d)).simulate().final("x") == d.simulate().final("x")
    by_name = bd.load(text.replace("HISTORY", "math:sin"), trust="code")
    assert by_name.simulate().final("x") == pytest.approx(sin(3.0), abs=1e-8)
    assert bd.load(bd.dumps(by_name), trust="code").simulate().final("x") == by_name.simulate().final("x")


@pytest.mark.parametrize("wrong", ["sin(x)", 3.0, [], ["t", 3], "[t, 2]", "sin("])
def test_what_is_no_function_is_refused(wrong):
    with pytest.raises(bd.ParameterError, match="history"):
        bd.TransportDelay(1.0, history=wrong)


@pytest.mark.parametrize("kind", LATE)
@pytest.mark.parametrize(
    "wrong", [lambda t: np.array([t, t]), lambda t: None, lambda t: 1j * t, lambda t, s: t, lambda t: "1"]
)
def test_functions_that_give_no_number_are_refused_at_once(kind, wrong):
    with pytest.raises(bd.ParameterError, match="history"):
        replace(LATE[kind](), history=[wrong])


@pytest.mark.parametrize("kind", LATE)
def test_a_history_that_numba_does_not_take(kind):
    """A spline of SciPy through a cubic, with room for 1024 steps."""
    t = np.linspace(-3.0, 3.0, 7)
    spline = CubicSpline(t, t**3)
    d = one_second_late(kind, replace(LATE[kind](), history=lambda t: float(spline(t))))
    y = d.simulate(stop=0.5, **TIGHT).final("late.y" if kind == "pipe" else "late")
    assert y == pytest.approx(0.5**3 if kind == "pipe" else -(0.5**3), abs=1e-12)


def test_a_history_may_be_undefined_at_0():
    d = one_second_late("fixed", bd.TransportDelay(1.0, history=lambda t: 1.0 / t))
    assert d.simulate(start=3.0, stop=3.5, **TIGHT).final("late") == pytest.approx(1.0 / 2.5)


def test_histories_of_the_wrong_size_are_refused():
    with pytest.raises(bd.ParameterError, match="either `initial` or `history`"):
        bd.TransportDelay(1.0, initial=2.0, history="t")
    d = bd.Diagram()
    d.connect(
        d.add("u", bd.Constant([1.0, 2.0, 3.0])), d.add("late", bd.TransportDelay(1.0, history=["t", "2"]))
    )
    with pytest.raises(bd.DiagramError, match="as `history` has"):
        d.compile()
