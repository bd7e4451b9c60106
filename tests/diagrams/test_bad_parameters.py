"""Parameters that are given wrongly: each error says whose, what was found, what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from blockdyn.base.errors import BlockdynError
from blockdyn.blocks.continuous.integrator import Integrator
from blockdyn.blocks.contract.parameter_expression import expression
from blockdyn.blocks.mathematics.gain import Gain
from blockdyn.blocks.sources.constant import Constant
from blockdyn.diagrams.model import errors as e
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.model.flatten import flatten
from blockdyn.diagrams.model.subsystem import Subsystem

from .closed_loop import AT, HERE, inner, loop, require_error


def add(name: Any, block: Any) -> Callable[[Diagram], object]:
    return lambda d: d.add(name, block, at=HERE)


def parameters(**values: Any) -> Callable[[Diagram], None]:
    return lambda d: [d.parameter(name, value, at=HERE) for name, value in values.items()] and None


CASES: dict[str, tuple[Callable[[Diagram], object], type[BlockdynError], list[str]]] = {
    "unknown parameter name": (
        add("g", Gain(k=expression("kq + 1"))),
        e.UnknownName,
        [AT, "`kq`", "g.k", "did you mean"],
    ),
    "parameter of the diagram around": (
        lambda d: inner(d).add("c", Constant(value=expression("kp")), at=HERE),
        e.UnknownName,
        [AT, "`kp`", "plant/c.value", "expected one of: gain", "`kp: =kp`"],
    ),
    "value the block refuses": (
        add("i", Integrator(lower=expression("kp + 9"), upper=3.0)),
        e.BadParameter,
        [AT, "i: ", "less than upper"],
    ),
    "expression that divides by zero": (
        add("g", Gain(k=expression("1 / (kp - 1)"))),
        e.BadExpression,
        [AT, "g.k", "`=1 / (kp - 1)`", "1 / 0 divides by zero"],
    ),
    "expression that is infinite": (
        add("g", Gain(k=expression("kp * inf"))),
        e.BadParameter,
        [AT, "g: ", "finite"],
    ),
    "override of nothing": (
        lambda d: Subsystem(inner(d), gian=1.0),
        e.UnknownParameter,
        ["`gian`", "did you mean `gain`?"],
    ),
    "parameters in a circle": (parameters(a="=b + 1", b="=2 * a"), e.BadExpression, [AT, "cycle", "a -> b"]),
    "parameter of itself": (parameters(a="=a"), e.BadExpression, [AT, "cycle"]),
    "unknown name in a parameter": (parameters(a="=kpp"), e.UnknownName, [AT, "`kpp`", "did you mean `kp`?"]),
    "no formula": (parameters(a="=1 +"), e.BadExpression, [AT, "1 +"]),
    "text without =": (parameters(a="2 * kp"), e.BadParameter, [AT, "loop.a", "in YAML `=2 * kp`"]),
    "NaN": (parameters(a=float("nan")), e.BadParameter, [AT, "loop.a", "NaN"]),
    "NaN by computing": (
        parameters(a="=0 / (kp - 1)"),
        e.BadExpression,
        [AT, "of a", "0 / 0 divides by zero"],
    ),
    "no real number": (parameters(a="=sqrt(-kp)"), e.BadExpression, [AT, "of a", "sqrt(-1) is not a real"]),
    "too large a number": (parameters(a="=9**9**9**9"), e.BadExpression, [AT, "of a", "larger than 1.8e308"]),
    "pi as a parameter": (parameters(pi=3.0), e.BadName, [AT, "'pi'", "3.14159"]),
    "keyword as a parameter": (lambda d: d.parameter("lambda", 1.0, at=HERE), e.BadName, [AT, "'lambda'"]),
    "sizes in an expression": (
        parameters(a=[1, 2], b=[1, 2, 3], c="=a + b"),
        e.BadExpression,
        [AT, "`=a + b`"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_mistake_has_its_error_with_place_and_remedy(case: str) -> None:
    require_error(*CASES[case])


@pytest.mark.parametrize(
    ("changes", "kind", "fragments"),
    [
        ({"parameters": {"kq": 1.0}}, e.UnknownParameter, ["diagram loop", "`kq`", "did you mean `kp`?"]),
        ({"parameters": {"kp": "fast"}}, e.BadParameter, ["loop.kp", "in YAML `=2 * kp`"]),
        ({"set": {"kq": 1.0}}, e.UnknownParameter, ["`kq`", "did you mean `kp`?"]),
        ({"set": {"plant/arm.inital": 1.0}}, e.UnknownParameter, ["plant/arm", "did you mean `initial`?"]),
        ({"set": {"plant.gian": 1.0}}, e.UnknownParameter, ["plant", "did you mean `gain`?"]),
        ({"set": {"plant/arn.initial": 1.0}}, e.UnknownBlock, ["plant/arn", "did you mean `plant/arm`?"]),
        ({"set": {"control.k": "three"}}, e.BadParameter, ["control", "Gain.k", "'three'"]),
        ({"set": {"control.k": "=three"}}, e.UnknownName, ["control.k", "`three`", "ki, kp"]),
        ({"set": {"control.k": "=("}}, e.BadExpression, ["control.k", "("]),
        ({"log": ["plnt"]}, e.UnknownBlock, ["`plnt`", "did you mean `plant`?"]),
    ],
)
def test_values_for_one_run_are_checked_like_those_of_the_diagram(
    changes: dict[str, Any], kind: type[BlockdynError], fragments: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        flatten(loop(), **changes)
    assert [part for part in fragments if part not in str(caught.value)] == [], str(caught.value)
