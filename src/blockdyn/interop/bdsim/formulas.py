"""Formulas: functions that a .bd file writes as a lambda."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

from ...blocks.contract.formula import evaluate, parse
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.selector import Selector
from .places import Maker, Place


@dataclass(frozen=True)
class Formula:
    """A formula of the inputs u0, u1, ..., of their elements (u0_1 is u0[1]) and of constant coefficients."""

    inputs: int
    text: str
    elements: Mapping[str, tuple[int, int]]
    coefficients: Mapping[str, float]

    @property
    def __signature__(self) -> Signature:
        names = (f"u{k}" for k in range(self.inputs))
        return Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])

    def __call__(self, *inputs: Any) -> Any:
        values = {f"u{k}": value for k, value in enumerate(inputs)} | dict(self.coefficients)
        values |= {name: inputs[k][place] for name, (k, place) in self.elements.items()}
        return evaluate(parse(self.text).root, values)


def expression(make: Maker, formula: Formula) -> Place:
    """The formula as an Expression, whose conditions are events."""
    name = make.add(Expression(formula.text, coefficients=dict(formula.coefficients) or None))
    place = Place([[] for _ in range(formula.inputs)], [f"{name}.y"])
    for port in make.diagram.blocks[name].input_ports():
        if port.name in formula.elements:
            k, element = formula.elements[port.name]
            one = make.add(Selector(indices=element), port.name)
            make.wire(f"{one}.y", f"{name}.{port.name}")
            place.inputs[k].append(f"{one}.u")
        else:
            place.inputs[int(port.name[1:])].append(f"{name}.{port.name}")
    return place
