"""Function: a Python function as a block."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.callback import Callback
from ..contract.equations import role_arguments
from ..contract.errors import BlockError, ParameterError
from ..contract.formula import TIME
from ..contract.icon import Icon, words
from ..contract.internal_names import internal_name
from ..contract.parameter import Real, Rule, as_number, option, parameter
from ..contract.port import Port, Size


class Function(Block):
    """A function of the inputs, compiled like the library's own.

        y = function(u..., t)

    The inputs are the function's arguments without a default; arguments with a default are parameters, set
    by `values`; an argument `t` is the time, s. Scalars are passed as numbers, vectors and matrices as
    arrays. The function returns a number, a tuple of numbers or an array of the output's `size` (default: the
    first input's). It must depend on its arguments alone. Put jumps into an Expression or a Switch, whose
    events the solver locates. A function that numba cannot compile, or one with `compiled=False`, is called
    back from the native loop; the result's statistics then name it.

    Raises ParameterError or BlockError for a function without plain named arguments, BlockError when a
    diagram is compiled whose function returns a wrong number of values, and BlockFailed in a run, with the
    function's own exception as the cause.

    Example:
        {type: Function, function: "math:sin"}
    """

    icon = "f(u)"

    function: Callable[..., Any] = option(doc="the function, or `module:name` in YAML")
    size: int | Sequence[int] | None = option(
        default=None, doc="shape of the output; default: as the first input"
    )
    values: Mapping[str, Any] | None = option(default=None, doc="numbers for arguments that have a default")
    compiled: bool = option(default=True, doc="False keeps it in Python")

    def symbol(self) -> Icon:
        name = str(getattr(self.function, "__name__", ""))
        return Icon(words(name) if name.isidentifier() else "f(u)")

    def check(self) -> None:
        check_function(self.kind(), self.function, self.values)

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(name) for name in input_names(self.function))

    def constants(self) -> Mapping[str, Any]:
        values = defaults(self.function) | dict(self.values or {})
        return {internal_name("value", name): value for name, value in values.items()}

    def _arguments_in_plan(self, function: object) -> tuple[str, ...]:
        parameters = defaults(self.function)
        return tuple(internal_name("value", n) if n in parameters else n for n in role_arguments(function))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        names = argument_names(self.function)
        return {"output": self.function if self.compiled else Callback(self.function, names)}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": output_size(self.size, inputs)}


class SampledFunction(Function):
    """A function of the inputs, called once per tick; its output is held in between.

        y(t) = function(u(t_k)..., t_k)  for t_k <= t < t_{k+1},  t_k = offset + k sample_time

    Otherwise it is like Function.

    Example:
        {type: SampledFunction, function: "math:sin", sample_time: 0.01}
    """

    sampled: ClassVar[bool] = True
    held_initial: ClassVar[str] = "initial"

    sample_time: Real = parameter(default=1.0, unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="first tick", minimum=0, dimensions=(0,))
    initial: Real = parameter(default=0.0, unit="[y]", doc="value before the first tick")


def check_function(kind: str, function: object, values: Mapping[str, Any] | None) -> None:
    """Raise ParameterError or BlockError when a function cannot be a block."""
    if not callable(function):
        raise ParameterError(kind, "function", function, "a Python function")
    parameters = defaults(function)
    for name, value in parameters.items():
        try:
            as_number(kind, name, value, Rule(True))
        except ParameterError:
            complaint = f"argument `{name}` of {function!r} has the default {value!r}, which is not a number"
            raise BlockError(complaint + _remedy(function)) from None
    for name, value in (values or {}).items():
        if name not in parameters:
            has = ", ".join(parameters) or "none"
            raise BlockError(f"{kind}: the function has no argument `{name}` with a default; it has {has}")
        as_number(kind, name, value, Rule(True))


def argument_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's arguments. Raises BlockError if Python cannot inspect them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise BlockError(f"{function!r} does not declare its arguments{_remedy(function)}") from None
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY):
            raise BlockError(
                f"argument `{p.name}` of {function!r} is not a plain positional one{_remedy(function)}"
            )
    return tuple(p.name for p in parameters)


def _remedy(function: object) -> str:
    name = getattr(function, "__name__", "f")
    call = name if name.isidentifier() else "f"
    return (
        "\nexpected: a function of named arguments, one per input; those with a default are parameters"
        f"\nwrap it in one that names its inputs: lambda u: {call}(u)"
    )


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments that have a default: parameters of the block."""
    argument_names(function)
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty and p.name != TIME}


def input_names(function: Callable[..., Any]) -> list[str]:
    """The arguments that become inputs."""
    parameters = defaults(function)
    return [name for name in argument_names(function) if name not in parameters and name != TIME]


def output_size(size: int | Sequence[int] | None, inputs: Mapping[str, Size | None]) -> Size | None:
    """The declared size, or the first input's."""
    if size is None:
        return next(iter(inputs.values())) if inputs else Size()
    if isinstance(size, int):
        return Size() if size == 1 else Size((size,))
    return Size(tuple(size))
