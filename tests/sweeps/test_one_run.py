"""The measures of one run are those of its closed form, and those that a sweep computes of it."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

STEP = {
    "over": {"overshoot": "motor", "target": 1.0},
    "rise": {"rise_time": "motor", "target": 1.0},
    "settled": {"settling_time": "motor", "target": 1.0},
    "double": {"value": "2 * over"},
}
ZETA, OMEGA = 0.3, 2.0


def oscillator() -> bd.Diagram:
    """A step of the input answered by w^2 / (s^2 + 2 zeta w s + w^2)."""
    d = bd.Diagram("oscillator", {"zeta": ZETA})
    d.add("voltage", bd.Inport(default=1.0))
    rates = bd.expression("[[0, 1], [-4, -4 * zeta]]")
    d.add("motor", bd.StateSpace(rates, [[0.0], [4.0]], [[1.0, 0.0]]))
    d.connect("voltage", "motor")
    return d


def of_step(zeta: float) -> float:
    """Ogata, Modern Control Engineering (2010), equation 5-21."""
    return float(np.exp(-np.pi * zeta / np.sqrt(1.0 - zeta**2)))


def test_the_overshoot_of_a_step_is_that_of_the_textbook():
    found = oscillator().measure(STEP, stop=30.0, rtol=1e-9)
    assert found["over"] == pytest.approx(of_step(ZETA), rel=1e-7)
    assert found["double"] == 2.0 * found["over"]
    envelope = -np.log(0.02 * np.sqrt(1.0 - ZETA**2)) / (ZETA * OMEGA)
    assert 0.5 * envelope < found["settled"] <= envelope
    assert list(found) == [*STEP]
    assert all(isinstance(number, float) for number in found.values())


def test_a_sweep_measures_the_same_to_the_bit():
    swept = oscillator().sweep({"zeta": [0.2, ZETA]}, STEP, stop=30.0, seed=0).run()
    found = oscillator().measure(STEP, stop=30.0)
    assert [found[name] for name in STEP] == [swept[name][1] for name in STEP]


def test_other_numbers_are_those_of_simulate():
    d = oscillator()
    assert d.measure(STEP, parameters={"zeta": 0.5}, stop=30.0)["over"] == pytest.approx(
        of_step(0.5), rel=1e-4
    )
    assert d.measure(STEP, set={"zeta": 0.5}, stop=30.0) == d.measure(
        STEP, parameters={"zeta": 0.5}, stop=30.0
    )
    assert d.measure({"end": {"final": "motor"}}, inputs={"voltage": 3.0}, stop=60.0)["end"] == pytest.approx(
        3.0
    )
    begin = d.measure({"begin": {"initial": "motor"}}, initial={"motor.x": [0.25, 0.0]}, stop=1.0)
    assert begin["begin"] == 0.25


def test_noise_is_that_of_simulate():
    d = bd.Diagram("noise")
    d.add("noise", bd.RandomNumber(sample_time=0.1))
    for seed in (0, 7):
        found = d.measure({"last": {"final": "noise"}}, stop=0.95, seed=seed)["last"]
        assert found == d.simulate(stop=0.95, seed=seed).final("noise")


def test_the_measures_of_a_file_are_taken_without_its_axes():
    text = """\
blockdyn: 1
parameters: {a: 1.0}
blocks: {x: {type: Integrator, initial: 1.0}, g: {type: Gain, k: =-a}}
wires: [x -> g -> x]
simulate: {stop: 1.0}
sweep: {number: 100, axes: {a: {uniform: {low: 0, high: 1}}}, measures: {x: {final: x}}}
"""
    found = loads(text).measure()
    assert found["x"] == pytest.approx(np.exp(-1.0), rel=1e-5)


def test_a_run_that_fails_says_so():
    d = bd.Diagram("pole")
    d.connect(d.add("clock", bd.Clock()), d.add("f", bd.Expression("1 / (1 - u)")))
    d.connect("f", d.add("sum", bd.Integrator()))
    with pytest.raises(bd.RunError):
        d.measure({"top": {"max": "sum"}}, stop=2.0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"measures": STEP, "every": 0.1, "stop": 1.0}, "every is 0.1\nexpected: one of stop, "),
        ({"measures": STEP}, "expected: the end of the run in s"),
        ({"stop": 1.0}, "nothing is measured\nexpected: measures by name"),
        ({"measures": STEP, "stop": 1.0, "set": 3}, "set is 3"),
        ({"measures": {"top": {"peak": "motor"}}, "stop": 1.0}, "has no kind, only peak, called `max` here"),
    ],
)
def test_what_errors_say(arguments, says):
    with pytest.raises(bd.BlockdynError) as caught:
        oscillator().measure(**arguments)
    assert says in str(caught.value)


def test_a_sweep_over_nothing_measures_one_run():
    swept = oscillator().sweep({}, STEP, stop=30.0).run().to_frame()
    assert len(swept) == 1
    assert swept["over"][0] == oscillator().measure(STEP, stop=30.0)["over"]
