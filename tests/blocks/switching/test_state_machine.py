"""State machines: when they go on, what they do on the way, and what is wrong with one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.diagrams.yaml import loads

THERMOSTAT = """
blockdyn: 1
parameters: {on: 18.0, power: 10.0}
blocks:
  control:
    type: StateMachine
    signals: {heat: 0.0}
    coefficients: {low: =on, high: 21.0, power: =power}
    chart:
      states:
        idle: {entry: {heat: 0}}
        heating: {entry: {heat: power}}
      transitions:
        - idle -> heating: T < low
        - {from: heating, to: idle, when: T > high}
  flow: {type: Expression, formula: "heat - (T - 15)"}
  T: {type: Integrator, initial: 20.0}
wires:
  - control.heat -> flow.heat
  - flow -> T -> [control, flow.T]
"""


def machine(states: Any, transitions: Any, **options: Any) -> bd.StateMachine:
    chart = {"states": states, "transitions": transitions}
    if "initial" in options:
        chart["initial"] = options.pop("initial")
    return bd.StateMachine(chart=chart, **options)


def test_a_thermostat_in_yaml() -> None:
    """T' = 15 - T from 20 to 18, then 25 - T to 21, 15 - T to 18: ln 5/3, ln 7/4, ln 2."""
    d = loads(THERMOSTAT)
    r = d.simulate(stop=3.0, rtol=1e-9)
    first, rise, fall = np.log(5 / 3), np.log(7 / 4), np.log(2.0)
    expected = [first, first + rise, first + rise + fall, first + 2 * rise + fall]
    np.testing.assert_allclose([e.time for e in r.events if e.path == "control"], expected, rtol=1e-8)
    assert r.final("control.heat") == 10.0 or r.final("control.state") == 0.0
    assert loads(bd.dumps(d)).simulate(stop=3.0, rtol=1e-9).final("T") == r.final("T")
    swept = bd.Sweep(d, {"on": [17.0, 18.0]}, {"n": {"final": "T"}}, stop=3.0, rtol=1e-9).run()["n"]
    assert float(swept[1]) == r.final("T") != float(swept[0])


def test_transitions_in_python_may_be_written_as_in_a_file() -> None:
    """On above 0.5 and off below 0 of sin t: at pi/6 and at pi."""
    law = machine({"off": {}, "on": {}}, ["off -> on: u > 0.5", "on -> off: u < 0"])
    d = bd.Diagram("d")
    d.connect(d.add("u", bd.Sine()), d.add("law", law))
    r = d.simulate(stop=4.0, rtol=1e-9)
    np.testing.assert_allclose([e.time for e in r.events if e.path == "law"], [np.pi / 6, np.pi], atol=1e-9)
    assert loads(bd.dumps(d)).simulate(stop=4.0, rtol=1e-9).final("law.state") == r.final("law.state") == 0.0


def everything() -> bd.Diagram:
    d = bd.Diagram("machines")
    time, sine = d.add("time", bd.Clock()), d.add("sine", bd.Sine())
    # timers, actions one after another, a transition's own, variables that are not shown
    blink = machine(
        {
            "off": {"exit": {"order": "10 * order + 1"}},
            "on": {"entry": {"order": "10 * order + 3", "n": "n + 1"}},
        },
        [{"off -> on": "after > 0.5"} | {"do": {"order": "10 * order + 2"}}, {"on -> off": "after >= 0.25"}],
        signals={"order": 0.0},
        variables={"n": 0.0},
    )
    d.add("blink", blink)
    # hierarchy with history: paused in the middle of a cycle, it goes on with the part it was in
    player = machine(
        {
            "playing": {
                "history": True,
                "entry": {"starts": "starts + 1"},
                "states": {"a": {"during": {"y": "2 * t"}}, "b": {"during": {"y": "abs(s) + part"}}},
            },
            "paused": {"entry": {"part": "part + 1"}},
        },
        [
            {"playing/a -> playing/b": "t > 1"},
            {"playing -> paused": "s > 0.9"},
            {"paused -> playing": "s < 0.2"},
        ],
        signals={"y": 0.0, "starts": 0.0, "part": 0.0},
    )
    d.connect(sine, d.add("player", player))
    # several transitions at one instant, and a start that goes on at once
    through = machine(
        {"a": None, "b": {"entry": {"p": "p + 1"}}, "c": {"entry": {"p": "10 * p"}}},
        [{"a -> b": "u > 0"}, {"b -> c": "u > 0"}],
        signals={"p": 0.0},
    )
    d.connect(time, d.add("through", through))
    # a sampled input, a logical one by itself, the first of two that compete, a call
    chosen = machine(
        {"wait": {}, "left": {}, "right": {}},
        [{"wait -> left": "flag"}, {"wait -> right": "k > 2"}, {"left -> right": "not flag"}],
        competing="first",
    )
    d.add("chosen", chosen)
    d.connect(sine, d.add("flag", bd.Compare(value=0.5)), d["chosen"]["flag"])
    d.connect(time, d.add("k", bd.ZeroOrderHold(0.5)), d["chosen"]["k"])
    return d


def test_what_machines_do() -> None:
    d = everything()
    r = d.simulate(stop=7.0)
    on = r.trace("blink.state")
    np.testing.assert_allclose(on.time[1:][np.diff(on.values.ravel()) > 0][:3], [0.5, 1.25, 2.0], rtol=1e-14)
    assert d.simulate(stop=0.6).final("blink.order") == 123.0  # exit, the transition's, entry
    # sin t > 0.9 at t = asin 0.9; below 0.2 at pi - asin 0.2; above 0.9 again at 2 pi + asin 0.9 > 7
    paused, back = np.arcsin(0.9), np.pi - np.arcsin(0.2)
    times = [0.4, 1.05, 2.0, 4.0]
    assert 1.0 < times[1] < paused < times[2] < back < times[3]
    shown = d.simulate(times=[*times, 7.0])
    expected = [0.8, np.sin(1.05), np.sin(paused), abs(np.sin(4.0)) + 1.0]
    np.testing.assert_allclose(shown["player.y"].values[:4], expected, rtol=1e-12)
    assert shown["player.state"].values.tolist() == [0.0, 1.0, 2.0, 1.0, 1.0]
    assert (shown.final("player.starts"), shown.final("player.part")) == (2.0, 1.0)
    assert r.trace("through.p").at([1e-9, 1.0]).ravel().tolist() == [10.0, 10.0]
    states = r.trace("chosen.state").at([0.1, 1.0, 3.0]).ravel()
    assert states.tolist() == [0.0, 1.0, 2.0]
    assert not any(key.startswith("python") for key in r.statistics)


def test_compiled_is_interpreted_and_goes_on() -> None:
    d = everything()
    a, b = d.simulate(stop=4.3), d.simulate(stop=4.3, compiled=False)
    assert [(e.path, e.direction) for e in a.events] == [(e.path, e.direction) for e in b.events]
    later = d.simulate(start=2.1, stop=4.3, initial=d.simulate(stop=2.1).final_states())
    for name in a:
        np.testing.assert_allclose(a.final(name), b.final(name), rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(a.final(name), later.final(name), rtol=1e-9, err_msg=name)


AB = {"a": {}, "b": {}}


@pytest.mark.parametrize(
    ("states", "transitions", "options", "match"),
    [
        (AB, [], {}, "nothing leads to the state `b`"),
        (AB, [{"a -> b": "1 > 2"}], {}, "nothing leads to the state `b`"),
        (AB, [{"a -> b": "u > 1"}, {"a -> b": "u > 3"}], {}, "compete: both hold where u = 4"),
        (AB, [{"a -> b": "u > 1"}, {"a -> a": "u <= 1"}, {"b -> a": "v"}, {"b -> b": "not v and w"}], {}, ""),
        (AB, [{"a -> b": "u > w"}, {"a -> a": "w > u"}], {}, ""),
        (AB, [{"a -> b": "u > w"}, {"a -> a": "w >= u - 0 and v"}], {}, "compete"),
        (AB, [{"a -> b": "u > k"}, {"a -> a": "u < 2"}], {"coefficients": {"k": 2.0}}, ""),
        (AB, [{"a -> b": "u > k"}, {"a -> a": "u < 2"}], {"coefficients": {"k": 1.0}}, "u = 1.5"),
        (AB, [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}], {}, "cycle of transitions without a"
" guard, a -> b -> a"),
        (AB, [{"a -> c": "u > 1"}], {}, "unknown state `c`"),
        (AB, [{"a -> b": "u >"}], {}, "ends too early"),
        (AB, [{"a -> b": "u > 1", "unless": "v"}], {}, "key `unless`"),
        (AB, [{"a -> b": "u > 1", "do": {"y": 1}}], {}, "an action on `y`.*\n.*it has none"),
        ({"a": {"entri": {}}}, [], {}, "key `entri`.*\n.*did you mean `entry`"),
        ({"a": {"states": AB, "initial": "z"}}, [], {}, "begins with `z`"),
        ({"a": {"history": True}}, [], {}, "history of `a`"),
        ({"a b": {}}, [], {}, "a state called `a b`"),
        ({}, [], {}, "no states"),
        ({"a": 3}, [], {}, "state `a` is 3"),
        (AB, [{"a -> b": "u > 1"}], {"signals": {"t": 1.0}}, "names of letters"),
        (AB, [{"a -> b": "u > 1"}], {"signals": {"x": 1.0}, "variables": {"x": 1.0}}, "each once"),
        (AB, [{"a -> b": "u > 1"}], {"initial": "q"}, "unknown state `q`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_machine(states: Any, transitions: Any, options: Any, match: str) -> None:
    if not match:
        machine(states, transitions, **options)
        return
    with pytest.raises(bd.ParameterError, match=match):
        machine(states, transitions, **options)


@pytest.mark.parametrize(
    ("before", "after", "line", "match"),
    [
        ("idle -> heating: T < low", "idle -> idle: T < low", 12, "nothing leads to the state `heating`"),
        ("- {from", "- idle -> idle: T < 3\n        - {from", 15, "compete: both hold where T = 2"),
        ("idle -> heating: T", "idle -> hating: T", 14, "did you mean `heating`"),
        ("entry: {heat: 0}", "entry: {heating: 0}", 11, "an action on `heating`"),
        ("T > high", "T > hight", 0, "has 2 inputs: T, hight"),
    ],
)
def test_errors_say_where(before: str, after: str, line: int, match: str) -> None:
    text = THERMOSTAT.replace(before, after).replace("=on", "18").replace("=power", "10").lstrip("\n")
    with pytest.raises(bd.BlockdynError, match=match) as error:
        loads(text).check()
    assert not line or getattr(error.value, "line", None) == line - 1


def test_its_picture_has_states_guards_and_actions() -> None:
    player = everything().blocks["player"]
    assert isinstance(player, bd.StateMachine)
    text = player.dot()
    assert 'subgraph "cluster playing"' in text
    assert '"playing/a" -> "playing/b" [label="t > 1"]' in text
    assert 'ltail="cluster playing"' in text
    svg = player.draw().svg
    for words in ("s &gt; 0.9", "playing (history)", "entry: part = (part + 1)"):
        assert f">{words}</text>" in svg


@pytest.mark.parametrize("first", ["left", "right"])
def test_of_two_guards_of_one_instant_the_first_in_the_list_is_taken(first: str) -> None:
    """t > 1 and 2 t > 2 hold from the same double on; so do a flag and a timer, of a tick."""
    second = {"left": "right", "right": "left"}[first]
    for guards in (("t > 1", "2 * t > 2"), ("flag", "after >= 1"), ("after >= 1", "flag")):
        ways = [{f"wait -> {state}": guard} for state, guard in zip((first, second), guards, strict=True)]
        with pytest.raises(bd.ParameterError, match="compete"):
            machine({"wait": {}, "left": {}, "right": {}}, ways)
        d = bd.Diagram()
        d.add("m", machine({"wait": {}, "left": {}, "right": {}}, ways, competing="first"))
        if "flag" in guards:
            d.connect(d.add("flag", bd.PiecewiseConstant([0.0, 1.0], [0.0, 1.0])), d["m"]["flag"])
        for compiled in (True, False):
            r = d.simulate(stop=2.0, compiled=compiled)
            assert {e.time for e in r.events if e.path == "m"} <= {1.0, np.nextafter(1.0, 2.0)}
            assert r.trace("m.state").at([0.5, 1.5]).tolist() == [0.0, {"left": 1.0, "right": 2.0}[first]]


def test_the_outer_of_two_transitions_of_one_instant_is_taken() -> None:
    """Statecharts: a transition of an outer state comes before those of the states in it."""
    states = {"work": {"states": {"a": {}, "b": {}}}, "stopped": {}}
    ways = [{"work/a -> work/b": "t > 1"}, {"work -> stopped": "t > 1"}]
    d = bd.Diagram()
    d.add("m", machine(states, ways))
    assert d.simulate(stop=2.0).final("m.state") == 2.0


def test_events_are_called_by_the_comparison_that_comes_to_hold() -> None:
    diagram = bd.Diagram("lamp")
    chart = {
        "states": {"off": {}, "on": {}},
        "transitions": ["off -> on: u > 0.5", "on -> off: after > 1.5 and u < 0.5"],
    }
    machine = diagram.add("lamp", bd.StateMachine(chart=chart))
    diagram.connect(diagram.add("u", bd.Sine(amplitude=1.0)), machine)
    run = diagram.simulate(stop=6.0)
    details = {event.time: event.detail for event in run.events if event.path == "lamp"}
    assert details[min(details, key=lambda time: abs(time - np.pi / 6))] == "u > 0.5"
    assert details[min(details, key=lambda time: abs(time - 5 * np.pi / 6))] == "u < 0.5"
    assert set(details.values()) <= {"u > 0.5", "u < 0.5", "after > 1.5"}


def test_an_output_of_during_keeps_its_value_at_the_instant_of_leaving() -> None:
    """y = 2 t in `on` until t = 1; u jumps from 1 to 5 there, so that z = u keeps 5."""
    d = bd.Diagram("leaving")
    chart = {
        "states": {"on": {"during": {"y": "2 * t", "z": "u"}}, "off": {}},
        "transitions": ["on -> off: u > 3"],
    }
    m = d.add("m", bd.StateMachine(chart=chart, signals={"y": 0.0, "z": 0.0}))
    d.connect(d.add("u", bd.Step(time=1.0, initial=1.0, final=5.0)), m)
    result = d.simulate(stop=2.0)
    assert float(result.trace("m.y").at(0.75)) == pytest.approx(1.5)
    assert float(result.final("m.y")) == pytest.approx(2.0)
    assert float(result.final("m.z")) == 5.0
