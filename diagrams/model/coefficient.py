"""Hint that a diagram parameter in a formula must be passed as a coefficient."""

from __future__ import annotations

from collections.abc import Iterable

from ...blocks.contract.block import Block
from ...blocks.contract.formula import CALLED, constant_hint
from .diagram import Diagram
from .subsystem import Subsystem


def coefficient_hint(block: Block | Subsystem, inputs: Iterable[str], diagram: Diagram) -> str:
    """A hint for inputs of a formula that have the name of a parameter; '' if none has."""
    if "coefficients" not in getattr(block, "rules", dict)():
        return ""
    inputs = list(inputs)
    names = [name for name in inputs if name in diagram.parameters]
    if not names:
        numbers = [f"`{name}`: connect a source{constant_hint(name)}" for name in inputs if name in CALLED]
        return ", ".join(numbers)
    shown = " and ".join(f"`{name}`" for name in names)
    are = "are parameters of the diagram, which a formula takes as coefficients"
    if len(names) == 1:
        are = "is a parameter of the diagram, which a formula takes as a coefficient"
    in_file = ", ".join(f"{name}: ={name}" for name in names)
    in_python = ", ".join(f'"{name}": expression("{name}")' for name in names)
    return f"{shown} {are}: `coefficients: {{{in_file}}}`, in Python coefficients={{{in_python}}}"
