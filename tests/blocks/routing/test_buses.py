"""BusCreator and BusSelector: fields keep their names, sizes and values through nested buses."""

from __future__ import annotations

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import SizeError
from blockdyn.blocks.contract.port import SCALAR, Size, bus
from blockdyn.diagrams.model.errors import SizeMismatch


def arm(fields: list[str]) -> bd.Diagram:
    """A bus {pose: matrix 2x2, arm: {angle: scalar, rate: vector 2}} and fields taken out of it."""
    d = bd.Diagram()
    d.add("angle", bd.Constant(value=0.5))
    d.add("rate", bd.Constant(value=[1.0, 2.0]))
    d.add("pose", bd.Constant(value=[[3.0, 4.0], [5.0, 6.0]]))
    d.add("inner", bd.BusCreator(names=["angle", "rate"]))
    d.add("outer", bd.BusCreator(names=["pose", "arm"]))
    d.add("out", bd.BusSelector(fields=fields))
    d.connect("angle", "inner.angle")
    d.connect("rate", "inner.rate")
    d.connect("pose", "outer.pose")
    d.connect("inner", "outer.arm")
    d.connect("outer", "out")
    return d


def test_fields_come_out_as_they_went_in() -> None:
    r = arm(["arm.rate", "pose", "arm.angle"]).simulate(stop=1.0)
    assert np.array_equal(r.final("out.arm_rate"), [1.0, 2.0])
    assert np.array_equal(r.final("out.pose"), [[3.0, 4.0], [5.0, 6.0]])
    assert r.final("out.arm_angle") == 0.5


def test_a_field_may_be_a_bus() -> None:
    inner = bus(angle=SCALAR, rate=Size((2,)))
    whole = bus(pose=Size((2, 2)), arm=inner)
    assert bd.BusSelector(fields=["arm"]).sizes({"u": whole}) == {"arm": inner}


def test_an_unknown_field_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(SizeMismatch, match=r"did you mean `rate`") as error:
        arm(["arm.rat"]).simulate(stop=1.0)
    assert error.value.path == "out"


def test_a_vector_is_no_bus() -> None:
    with pytest.raises(SizeError, match="a bus with the field"):
        bd.BusSelector(fields=["a"]).sizes({"u": Size((3,))})


@pytest.mark.parametrize("names", [[], ["a", "a"], ["a b"], "ab", [1]])
def test_names_of_fields(names: object) -> None:
    with pytest.raises(bd.ParameterError):
        bd.BusCreator(names=names)  # type: ignore[arg-type]
    with pytest.raises(bd.ParameterError):
        bd.BusSelector(fields=names)  # type: ignore[arg-type]
