"""Declared: block types made from functions by a decorator."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, overload

import numpy as np

from ..contract.block import Block
from ..contract.callback import Callback
from ..contract.equations import role_arguments
from ..contract.errors import BlockError
from ..contract.icon import Icon
from ..contract.parameter import option, parameter
from ..contract.port import Port, Size
from .function import argument_names, check_function, defaults, input_names, output_size


class DeclaredBlock(Block):
    """Base of the block types that `block` makes."""

    abstract: ClassVar = True
    equation: ClassVar[Callable[..., Any]]

    _: dataclasses.KW_ONLY
    size: int | Sequence[int] | None = option(
        default=None, doc="shape of the output; default: as the first input"
    )
    compiled: bool = option(default=True, doc="False keeps it in Python")

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(name) for name in input_names(self.equation))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        function = self.equation
        return {"output": function if self.compiled else Callback(function, argument_names(function))}

    def _arguments_in_plan(self, function: object) -> tuple[str, ...]:
        return role_arguments(function)

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": output_size(self.size, inputs)}


@overload
def block(function: Callable[..., Any]) -> Callable[..., DeclaredBlock]: ...
@overload
def block(*, icon: Icon | str) -> Callable[[Callable[..., Any]], Callable[..., DeclaredBlock]]: ...
def block(function: Callable[..., Any] | None = None, *, icon: Icon | str = "", **others: Any) -> Any:
    """Turn a function into a block type: `@block`, then `diagram.add("name", function(kp=2.0))`.

    The result is a subclass of Block with the function's name: its inputs are the arguments without a
    default; its parameters are the arguments with one, and `size` and `compiled` of Function.
    `@block(icon="PI")` sets the text in a drawn diagram. Raises ParameterError or BlockError for a function
    that cannot be a block.
    """
    for name in others:
        expected = """\
expected: `@block` above a function, whose arguments are inputs, or parameters if they have a default;
your own class, class Mine(Block), can have several outputs and states"""
        raise BlockError(f"block has no argument `{name}`\n{expected}")
    if function is None and (not isinstance(icon, str) or icon):
        return functools.partial(_block, icon=icon)
    return _block(function, icon)


def _block(function: Any, icon: Icon | str) -> Callable[..., DeclaredBlock]:
    check_function("block", function, None)
    name = getattr(function, "__name__", type(function).__name__)
    parameters = defaults(function)
    for taken in sorted(set(parameters).intersection(dir(DeclaredBlock))):
        raise BlockError(
            f"argument `{taken}` of {name} has the name of something that every block has\n"
            "expected: another name"
        )
    text = f"A user's function.\n\n    y = {name}({', '.join(argument_names(function))})"
    inside: dict[str, Any] = {
        "__module__": function.__module__ or "__main__",  # a function made by `exec` has no source
        "__qualname__": getattr(function, "__qualname__", name),
        "__doc__": function.__doc__ or text,
        "__annotations__": dict.fromkeys(parameters, "Real"),
        "equation": staticmethod(function),
        "icon": icon,
    }
    for argument, value in parameters.items():
        inside[argument] = parameter(default=np.asarray(value, np.float64).tolist())
    kind: Callable[..., DeclaredBlock] = type(name, (DeclaredBlock,), inside)
    return kind
