"""Functions that become blocks: their arguments are ports and parameters, and anything else is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import blockdyn as bd


@bd.block
def drag(v, c=0.2):
    return c * v * abs(v)


def driven(block: bd.Block, value: Any = -3.0) -> bd.Diagram:
    d = bd.Diagram("driven", {"rho": 1.2})
    d.connect(d.add("u", bd.Constant(value)), d.add("f", block))
    return d


@pytest.mark.parametrize("compiled", [True, False])
def test_arguments_with_a_default_are_parameters(compiled: bool) -> None:
    d = driven(drag(c=bd.expression("rho / 4")))
    assert d.simulate(stop=1.0, compiled=compiled).final("f") == pytest.approx(-2.7)
    assert d.simulate(stop=1.0, compiled=compiled, set={"f.c": 1.0}).final("f") == -9.0
    assert driven(drag()).simulate(stop=1.0, compiled=compiled).final("f") == pytest.approx(-1.8)


def test_a_decorated_function_is_a_block_type() -> None:
    block = drag(c=0.5)
    assert (block.kind(), repr(block)) == ("drag", "drag(c=0.5)")
    assert [port.name for port in block.input_ports()] == ["v"]
    assert drag.__module__ == __name__


def test_parameters_may_be_vectors_and_sizes_are_declared() -> None:
    @bd.block
    def speed(v, scale=(1.0, 1.0)):
        return math.sqrt((scale[0] * v[0]) ** 2 + (scale[1] * v[1]) ** 2)

    assert driven(speed(size=1, scale=[3.0, 4.0]), [1.0, 1.0]).simulate(stop=1.0).final("f") == 5.0


def test_an_unknown_parameter() -> None:
    with pytest.raises(bd.BlockError, match="drag has no parameter `d`"):
        drag(d=2.0)
    with pytest.raises(bd.ParameterError, match="finite"):
        drag(c=float("nan"))


def test_a_parameter_with_the_name_of_a_fact_of_blocks() -> None:
    with pytest.raises(bd.BlockError, match="argument `states` of f"):

        @bd.block
        def f(u, states=1.0):
            return states * u


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (np.sin, "`where`"),
        (max, "does not declare its arguments"),
        (lambda *u: 0.0, "`u`"),
        (lambda *, u: 0.0, "`u`"),
        (lambda u, v=None: u, "default None"),
    ],
)
@pytest.mark.parametrize("make", [bd.Function, bd.block])
def test_what_has_no_named_arguments_is_told_how_to_get_them(
    make: Callable[[Any], object], function: Callable[..., float], found: str
) -> None:
    with pytest.raises(bd.BlockError) as caught:
        make(function)
    assert found in str(caught.value)
    assert "wrap it in one that names its inputs: lambda u: " in str(caught.value)


def test_the_remedy_for_a_function_of_numpy_works() -> None:
    with pytest.raises(bd.BlockError, match=r"lambda u: sin\(u\)"):
        bd.Function(np.sin)
    assert driven(bd.Function(lambda u: np.sin(u))).simulate(stop=1.0).final("f") == math.sin(-3.0)
