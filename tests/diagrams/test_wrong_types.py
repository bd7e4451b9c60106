"""What a diagram's methods are given by mistake: a typed error, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from inspect import signature
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model.errors import BadWire, DiagramError, RunArgumentError
from blockdyn.diagrams.yaml import loads


class Nothing:
    """An object that is nothing a diagram knows."""


class Unhashable:
    """An object that compares with nothing and is no key."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("not comparable")


WRONG: dict[str, Any] = {
    "none": None,
    "true": True,
    "number": 5,
    "negative": -2,
    "real": 2.5,
    "nan": float("nan"),
    "huge": 10**400,
    "complex": 1j,
    "empty": "",
    "blank": "  ",
    "text": "a b",
    "formula": "=)(",
    "escape": "\x1b[31m",
    "nul": "\0",
    "bytes": b"a",
    "no list": [],
    "list": [1, "a", None],
    "ragged": [[1.0], [1.0, 2.0]],
    "tuple": (2,),
    "set": {1},
    "no mapping": {},
    "mapping": {1: 2},
    "nested": {"a": {"b": object()}},
    "object": Nothing(),
    "class": bd.Gain,
    "unhashable": Unhashable(),
    "function": lambda: None,
    "array": np.zeros((2, 2)),
    "texts": np.array(["a"]),
    "date": date(2026, 1, 1),
    "slice": slice(1, 2),
    "block": bd.Gain(2.0),
    "diagram": bd.Diagram("other"),
    "handle": bd.Diagram("foreign").add("g", bd.Gain()),
    "range": range(3),
    "iterator": iter([1, 2]),
}


def made() -> tuple[bd.Diagram, Any]:
    d = bd.Diagram("d", {"k": 2.0})
    a = d.add("a", bd.Constant(1.0))
    d.connect(a, d.add("x", bd.Integrator()))
    d.settings(stop=1.0)
    return d, a


def inner() -> bd.Diagram:
    d = bd.Diagram("inner", {"k": 2.0})
    d.connect(d.add("u", bd.Inport()), d.add("y", bd.Outport()))
    return d


Use = Callable[[Any], object]

DECLARING: dict[str, Use] = {
    "Diagram(name)": lambda v: bd.Diagram(v),
    "Diagram(parameters)": lambda v: bd.Diagram("d", parameters=v),
    "Diagram(parameter)": lambda v: bd.Diagram("d", parameters={"k": v}),
    "d[]": lambda v: made()[0][v],
    "in d": lambda v: v in made()[0],
    "parameter(name)": lambda v: made()[0].parameter(v, 1.0),
    "parameter(value)": lambda v: made()[0].parameter("k", v),
    "add(name)": lambda v: made()[0].add(v, bd.Gain()),
    "add(block)": lambda v: made()[0].add("b", v),
    "add_unnamed(stem)": lambda v: made()[0].add_unnamed(v, bd.Gain()),
    "connect(source)": lambda v: made()[0].connect(v, "x"),
    "connect(destination)": lambda v: made()[0].connect("a", v),
    "connect(middle)": lambda v: made()[0].connect("a", v, "x"),
    "connect(list)": lambda v: made()[0].connect("a", ["x", v]),
    "signal(name)": lambda v: made()[0].signal(v, "a"),
    "signal(source)": lambda v: made()[0].signal("s", v),
    "log": lambda v: made()[0].log(v),
    "settings": lambda v: made()[0].settings(stop=v),
    "port": lambda v: made()[1][v],
    ">>": lambda v: made()[1] >> v,
    "port >>": lambda v: made()[1]["y"] >> v,
    "+": lambda v: made()[1] + v,
    "- from": lambda v: v - made()[1],
    "*": lambda v: made()[1] * v,
    "/": lambda v: made()[1] / v,
    "/ from": lambda v: v / made()[1],
    "**": lambda v: made()[1] ** v,
    "** from": lambda v: v ** made()[1],
    "element": lambda v: made()[1].element(v),
    "Subsystem(diagram)": lambda v: bd.Subsystem(v),
    "Subsystem(value)": lambda v: bd.Subsystem(inner(), k=v),
    "expression": lambda v: bd.expression(v),
    "load": lambda v: bd.load(v),
    "load(trust)": lambda v: bd.load("blockdyn: 1\nblocks: {a: {type: Clock}}\n", trust=v),
    "loads": lambda v: loads(v),
    "loads(folder)": lambda v: loads("blockdyn: 1\nblocks: {a: {type: Clock}}\n", folder=v),
    "dumps": lambda v: bd.dumps(v),
    "dump(diagram)": lambda v: bd.dump(v, "d.yaml"),
    "dump(path)": lambda v: bd.dump(made()[0], v),
}


def used(declare: Callable[[bd.Diagram, Any], object]) -> Use:
    """Declare with the value, and then compile."""

    def use(value: Any) -> None:
        d, _ = made()
        declare(d, value)
        d.compile()

    return use


COMPILING: dict[str, Use] = {
    "Diagram(name), compiled": lambda v: bd.Diagram(v).compile(),
    "log, compiled": used(lambda d, v: d.log(v)),
    "signal, compiled": used(lambda d, v: d.signal("s", v)),
    "connect, compiled": used(lambda d, v: d.connect(v, d.add("z", bd.Gain()))),
    "parameter, compiled": used(lambda d, v: d.parameter("k", v)),
    "settings, compiled": used(lambda d, v: d.settings(loops=v)),
    "compile(parameters)": lambda v: made()[0].compile(v),
    "compile(parameter)": lambda v: made()[0].compile({"k": v}),
    "compile(set)": lambda v: made()[0].compile(set=v),
    "compile(set one)": lambda v: made()[0].compile(set={"a.value": v}),
    "compile(loops)": lambda v: made()[0].compile(loops=v),
    "compile(inputs)": lambda v: made()[0].compile(inputs=v),
}
RUNNING: dict[str, Use] = {
    f"simulate({name})": lambda v, name=name: made()[0].simulate(**{name: v})
    for name in (*signature(bd.Diagram.simulate).parameters, "nonsense")
    if name != "self"
}
RUNNING |= {
    "settings(stop), run": lambda v: run_with(stop=v),
    "settings(method), run": lambda v: run_with(method=v),
    "settings(log), run": lambda v: run_with(log=v),
    "simulate(log one)": lambda v: made()[0].simulate(log=["a", v]),
    "simulate(initial one)": lambda v: made()[0].simulate(initial={"x.x": v}),
    "simulate(atol one)": lambda v: made()[0].simulate(atol=[v]),
    "simulate(times one)": lambda v: made()[0].simulate(times=[0.0, v]),
}


def run_with(**settings: Any) -> None:
    d, _ = made()
    d.settings(**settings)
    d.simulate()


@pytest.mark.parametrize("use", [*DECLARING, *COMPILING, *RUNNING])
def test_no_argument_meets_a_foreign_exception(
    use: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    foreign = {}
    call = {**DECLARING, **COMPILING, **RUNNING}[use]
    for name, value in WRONG.items():
        try:
            call(value)
        except BlockdynError:
            continue
        except Exception as error:  # noqa: BLE001  all others are foreign
            foreign[name] = f"{type(error).__name__}: {error}"
    assert foreign == {}


NAMES = (
    "Diagram(name)",
    "parameter(name)",
    "add(name)",
    "add_unnamed(stem)",
    "signal(name)",
    "log",
    "port",
    "d[]",
)
ENDS = (
    "connect(source)",
    "connect(destination)",
    "connect(middle)",
    "connect(list)",
    "signal(source)",
    ">>",
)


@pytest.mark.parametrize("use", [*NAMES, *ENDS])
def test_no_number_is_a_name(use: str) -> None:
    for value in (None, True, 5, -2, 2.5, b"a", 1j, {1: 2}):
        if use != "port" or value != 5:  # ports have numbers, from 0
            with pytest.raises(DiagramError):
                DECLARING[use](value)


@pytest.mark.parametrize("number", [-1, -2, 1.0, True])
def test_a_port_is_counted_from_0(number: Any) -> None:
    d = bd.Diagram()
    with pytest.raises(BadWire, match=r"by its number, from 0: gain\[0\]"):
        d.add("gain", bd.Gain())[number]


def test_text_that_is_no_consent_trusts_nobody() -> None:
    with pytest.raises(DiagramError, match="one of False"):
        loads("blockdyn: 1\nblocks: {a: {type: Clock}}\n", trust="no")  # type: ignore[arg-type]


def test_the_error_of_an_argument_says_what_it_is_and_what_it_should_be() -> None:
    with pytest.raises(DiagramError, match="parameters is 5\nexpected: a mapping, such as parameters="):
        bd.Diagram("d", parameters=5)  # type: ignore[arg-type]
    with pytest.raises(RunArgumentError, match="log is 5\nexpected: a list of paths, such as log="):
        made()[0].simulate(log=5)  # type: ignore[arg-type]
