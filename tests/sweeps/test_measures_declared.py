"""Declared measures: what texts stand for, and what errors say before anything runs."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.location import Location
from blockdyn.diagrams.compiler.compile import compile_diagram
from blockdyn.diagrams.model.section import Section
from blockdyn.sweeps.errors import SweepError, UnknownPath
from blockdyn.sweeps.measures.declared import Measures


def inner():
    d = bd.Diagram("inner")
    d.add("u", bd.Inport())
    d.add("arm", bd.Gain(k=[1.0, 2.0, -2.0]))
    d.add("hidden", bd.Gain(k=10.0))
    d.add("y", bd.Outport())
    d.connect("u", "arm", "y")
    d.connect("u", "hidden")
    d.add("end", bd.Terminator())
    d.connect("hidden", "end")
    return d


def diagram():
    """sub/arm is (3, 6, -6), sub/hidden 30, and so on, all constant."""
    d = bd.Diagram("constants", {"limit": 2.0})
    d.add("a", bd.Constant(6.0))
    d.add("b", bd.Constant(2.0))
    d.add("three", bd.Constant(3.0))
    d.add("e", bd.Constant(7.0))
    d.add("sub", inner())
    d.add("again", bd.Gain(k=1.0))
    d.connect("three", "sub", "again")
    d.add("m", bd.Constant([[1.0, 2.0], [3.0, 4.0]]))
    d.add("bus", bd.BusCreator(names=["speed", "place"]))
    d.connect("a", "bus.speed")
    d.connect("sub", "bus.place")
    d.signal("named", "b")
    return d


def final(text, **changed):
    """The value of a measure of a constant."""
    measures = Measures({"m": {"final": text}}, diagram())
    program = compile_diagram(measures.diagram, **changed).with_log(list(measures.signals))
    column = measures.columns[0]
    result = program.simulate(stop=1.0)
    value = float(np.ravel(result.final(column.log))[column.index])
    return abs(value) if column.absolute else value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 6), ("a.y", 6), ("named", 2), ("a/b", 3), ("a / b", 3), ("a.y/b.y", 3), ("2*a - 1e0", 11),
        ("sub/arm[1]", 6), ("sub/arm.y[2]", -6), ("sub/arm[-3]", 3), ("abs(sub/arm[2])", 6), ("sub[1]", 6),
        ("sub.y[1]", 6), ("sub/hidden", 30), ("sub/hidden/b", 15), ("a/sub/hidden", 0.2), ("m[1,0]", 3),
        ("norm(sub/arm)", 9), ("norm(sub/arm - 2*sub.y) + 1", 10), ("norm(m)", math.sqrt(30)),
        ("bus.speed", 6), ("bus.place[1]", 6), ("bus.speed * bus.place[0]", 18), ("a * limit", 12),
        ("e", 7), ("pi", math.pi), ("a if named > 1 else 0", 6), ("a/max(b, 3)", 2),
        ("sqrt(sub/arm[1] * sub/arm[1])", 6), ("t", 1),
    ],
)  # fmt: skip
def test_what_a_text_stands_for(text, value):
    assert final(text) == pytest.approx(value)


def test_a_parameter_in_a_formula_follows_its_value():
    assert final("a * limit", parameters={"limit": 5.0}) == 30.0


def test_the_diagram_is_not_changed_and_its_copy_keeps_what_it_kept():
    d = diagram()
    before = d.simulate(stop=1.0)
    measures = Measures({"x": {"max": "sub/hidden + a"}, "y": {"rms": "sub/hidden + a"}}, d)
    assert "measure_x" not in d
    after = measures.diagram.simulate(stop=1.0)
    assert list(after) == list(before)
    np.testing.assert_array_equal(after["again"].values, before["again"].values)
    assert measures.columns[0] == measures.columns[1]  # one block serves both


def test_measures_travel_and_describe_themselves():
    declared = {"w": {"max": "abs(a)", "after": 1}, "n": "steps", "v": {"value": "w / 2"}}
    measures = Measures(declared, diagram())
    copy = pickle.loads(pickle.dumps(measures))
    assert copy.names == ("w", "n", "v")
    assert json.loads(json.dumps(measures.described())) == {
        "w": {"max": "abs(a)", "after": 1.0}, "n": {"steps": True}, "v": {"value": "w / 2"},
    }  # fmt: skip
    assert Measures(measures.described(), diagram()).described() == measures.described()


def test_units_follow_from_the_signal():
    d = bd.Diagram("pose")
    d.add("q", bd.Quadrotor())
    d.connect(d.add("w", bd.Constant([400.0, -400.0, 400.0, -400.0])), "q")
    declared = {
        "top": {"max": "q.position[2]"},
        "area": {"absolute": "q.position[2]"},
        "late": {"settling_time": "q.position[2]"},
    }
    assert Measures(declared, d).units == ("m", "m s", "s")


def test_formulas_of_measures():
    declared = {
        "c": {"value": "b + a"},
        "a": {"max": "a"},
        "b": {"value": "sqrt(a) if a > 0 else 1"},
        "k": {"value": "2"},
    }
    measures = Measures(declared, diagram())
    results = np.array([[0, 4.0, 0, 0], [0, np.nan, 0, 0], [0, -1.0, 0, 0]])
    np.testing.assert_array_equal(
        measures.finish(results), [[6, 4, 2, 2], [np.nan, np.nan, np.nan, 2], [0, -1, 1, 2]]
    )


@pytest.mark.parametrize(
    ("declared", "kind", "says"),
    [
        ({"bad name": {"max": "a"}}, SweepError, "cannot be the name"),
        ({"x": "a"}, SweepError, "a kind and a signal"),
        ({"x": {"mx": "a"}}, SweepError, "did you mean `max`"),
        ({"x": {"max": "a", "min": "b"}}, SweepError, "2 kinds"),
        ({"x": {"max": 3.0}}, SweepError, "a signal such as"),
        ({"x": {"max": "a", "afer": 1}}, SweepError, "did you mean `after`"),
        ({"x": {"max": "a", "after": "1"}}, SweepError, "a finite number"),
        ({"x": {"max": "a", "after": 2, "before": 1}}, SweepError, "empty"),
        ({"x": {"count": "a", "above": 2, "below": 1}}, SweepError, "one of them"),
        ({"x": {"time_above": "a"}}, SweepError, "needs a level"),
        ({"x": {"settling_time": "a", "band": 0}}, SweepError, "greater than 0"),
        ({"x": {"settling_time": "a", "band": 0.1, "tolerance": 1}}, SweepError, "together"),
        ({"x": {"rise_time": "a", "low": 0.9, "high": 0.1}}, SweepError, "low below high"),
        ({"x": {"steps": "a"}}, SweepError, "names no signal"),
        ({"x": {"max": "nmed"}}, UnknownPath, "did you mean `named`"),
        ({"x": {"max": "a.z"}}, UnknownPath, "no output `z`"),
        ({"x": {"max": "sub/hiden"}}, UnknownPath, "did you mean `sub/hidden`"),
        ({"x": {"max": "bus.sped"}}, UnknownPath, "did you mean `speed`"),
        ({"x": {"max": "sub/arm"}}, SweepError, r"`sub/arm\[0\]`, or take its length, `norm\(sub/arm\)`"),
        ({"x": {"max": "sub/arm + 1"}}, SweepError, "a scalar"),
        ({"x": {"max": "sub/arm[3]"}}, UnknownPath, r"up to \[2\]"),
        ({"x": {"max": "m[0]"}}, UnknownPath, r"up to \[1,1\]"),
        ({"x": {"max": "norm(a)"}}, SweepError, "norm of a scalar"),
        ({"x": {"max": "norm(m + sub)"}}, SweepError, "incompatible sizes"),
        ({"x": {"max": "sine(a)"}}, SweepError, "did you mean `sin`"),
        ({"x": {"max": "a +"}}, SweepError, "not a formula: it ends too early"),
        ({"x": {"max": "a+*2"}}, SweepError, r"`a\+\*2` is not a formula: it cannot be read from `\*2` on"),
        ({"x": {"max": "a/*a.y"}}, SweepError, r"cannot be read from `\*a.y` on \(character 3\)"),
        ({"x": {"max": "a.__class__"}}, UnknownPath, "no output"),
        ({"x": {"count": "nothing"}}, UnknownPath, "not a block"),
        ({"x": {"count": "a"}}, SweepError, "has no events"),
        ({"x": {"saturated": "bus"}}, SweepError, "2 inputs"),
        ({"x": {"saturated": "again"}}, SweepError, r"name one element, `again\[0\]`"),
        ({"x": {"value": "y + 1"}}, SweepError, "is not a measure"),
        ({"x": {"value": "y"}, "y": {"value": "x"}}, SweepError, "in a cycle: x -> y -> x"),
    ],
)  # fmt: skip
def test_what_errors_say(declared, kind, says):
    with pytest.raises(kind, match=says) as caught:
        Measures(declared, diagram())
    assert type(caught.value) is kind


def test_errors_name_the_place_in_the_file():
    places = {("measures", "x"): Location("loop.yaml", 7, 5)}
    section = Section({"measures": {"x": {"max": "nothing"}}}, places)
    with pytest.raises(UnknownPath, match=r"loop\.yaml:7:5: measure `x`"):
        Measures(section.data["measures"], diagram(), section)
