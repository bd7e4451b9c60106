"""Objects are as Python sees them: methods, tuples and arrays are plain, and only functions can be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import xarray as xr

import blockdyn as bd
from blockdyn import robots

PROTOCOLS = ("__call__", "__len__", "__iter__", "__getitem__", "__add__", "__matmul__", "__float__", "__lt__")


def lag() -> bd.Diagram:
    d = bd.Diagram("lag", parameters={"k": 1.5})
    d.connect(d.add("u", bd.Step(final=1.0)), d.add("lag", bd.TransferFunction([2.0], [1.0, 1.0])))
    d.log("lag")
    return d


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    d = lag()
    model, sweep = d.linearize("u", "lag"), d.sweep({"k": [1.0]}, {"top": {"max": "lag"}}, stop=1.0)
    return {
        "diagram": d, "handle": d["lag"], "port": d["lag"]["y"], "block": bd.Gain(2.0),
        "result": d.simulate(stop=1.0),
        "model": model, "margins": model.margins(), "point": d.trim(), "sweep": sweep,
        "robot": robots.load("puma560"), "vehicle": robots.load_vehicle("crazyflie"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "protocols"),
    [
        ("diagram", {"__len__", "__iter__", "__getitem__"}),
        ("handle", {"__getitem__", "__add__"}),
        ("port", {"__add__"}),
        ("block", set()),
        ("result", {"__len__", "__iter__", "__getitem__"}),
        ("model", set()),
        ("sweep", {"__len__"}),
        ("robot", set()),
        ("vehicle", set()),
        ("point", set()),
    ],
)
def test_a_class_has_the_protocols_that_it_fulfils(
    objects: dict[str, Any], name: str, protocols: set[str]
) -> None:
    kind = type(objects[name])
    declared = [vars(base) for base in kind.__mro__[:-1]]
    there = {each for each in PROTOCOLS if any(names.get(each) is not None for names in declared)}
    assert there == protocols
    assert isinstance(objects[name], Iterable) == ("__iter__" in protocols)
    assert bool(objects[name])


def test_methods_are_methods(objects: dict[str, Any]) -> None:
    for name in ("diagram", "result", "model", "sweep", "robot", "vehicle"):
        thing = objects[name]
        public = [each for each in dir(type(thing)) if not each.startswith("_")]
        methods = [each for each in public if callable(inspect.getattr_static(type(thing), each))]
        assert methods
        assert [each for each in methods if not inspect.ismethod(getattr(thing, each))] == []
    assert inspect.isfunction(bd.Diagram.linearize)
    assert str(inspect.signature(objects["diagram"].linearize)).startswith("(inputs:")


def test_collections_are_plain(objects: dict[str, Any]) -> None:
    d, r, robot = objects["diagram"], objects["result"], objects["robot"]
    for mapping in (d.blocks, d.signals, d.parameters, r.signals, r.states, r.finals):
        assert type(mapping) is MappingProxyType
    assert {type(each) for each in (d.wires, robot.joints, robot.links, objects["vehicle"].rotors)} == {tuple}
    assert isinstance(r.events, tuple)
    assert type(r.statistics) is type(objects["point"].states) is dict
    assert type(r.time) is type(r.trace("lag").values) is np.ndarray
    assert type(r["lag"]) is xr.DataArray


@pytest.mark.parametrize(
    "use",
    [
        lambda o: o["handle"] < 3.0,
        lambda o: np.sin(o["handle"]),
        lambda o: float(o["handle"]),
        lambda o: list(o["handle"]),
        lambda o: "y" in o["handle"],
        lambda o: o["diagram"] + o["diagram"],
        lambda o: o["diagram"](),
        lambda o: o["result"](0.5),
        lambda o: 2.0 * o["block"],
    ],
)
def test_an_operation_that_does_not_exist_is_pythons_type_error(
    objects: dict[str, Any], use: Callable[[dict[str, Any]], Any]
) -> None:
    with pytest.raises(TypeError) as caught:
        use(objects)
    assert type(caught.value) is TypeError


def test_a_result_found_by_name_is_a_collection_of_these_names() -> None:
    d, top = lag(), {"top": {"max": "lag"}}
    gradient, sensitivities = (
        d.gradient(top, "lag.num[0]", stop=2.0),
        d.sensitivities("u.final", "lag", stop=2.0),
    )
    for thing, name in ((gradient, "top"), (sensitivities, "lag.y")):
        assert list(thing) == [name]
        assert name in thing
        assert "nothing" not in thing
        assert len(thing) == 1


def test_an_error_inside_a_property_stays_as_it_is() -> None:
    class Odd(bd.Block):
        """A block with a property that fails."""

        gain: bd.Real = bd.parameter(default=1.0)
        inputs = (bd.Port("u"),)

        @property
        def half(self) -> Any:
            return None.nothing  # type: ignore[attr-defined]

        @staticmethod
        def output(u: float, gain: float) -> float:
            return gain * u

    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'nothing'"):
        Odd().half  # noqa: B018
