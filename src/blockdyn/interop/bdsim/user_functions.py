"""FUNCTION: a user's function, as machine code where it is one of numbers."""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from types import FunctionType
from typing import Any

from ...blocks.contract.block import Block
from ...blocks.contract.parameter import option
from ...blocks.contract.port import Port
from .files import Formula, expression
from .values import Form, Maker, Place

CHANGES = {
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "remove",
    "reverse",
    "sort",
}  # methods that change a list
LONGEST = 100  # elements of a list that becomes a tuple in machine code


class NumericFunction(Block):
    """A function of numbers and arrays, compiled where numba takes it, otherwise called back.

    y0, y1, ... = call(u0, u1, ...)
    """

    call: Callable[..., Any] = option(doc="the function")
    inward: Sequence[Any] = option(doc="the form of each input")
    outward: Sequence[Any] = option(doc="the form of each output")

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(f"u{k}", form.size) for k, form in enumerate(self.inward))

    def output_ports(self) -> tuple[Port, ...]:
        return tuple(Port(f"y{k}", form.size) for k, form in enumerate(self.outward))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": self.call}


def function_of(make: Maker, outward: Sequence[Form]) -> Place | None:
    """A FUNCTION of numbers without memory; None for any other, which runs as a block of Python."""
    b = make.block
    if isinstance(b.func, Formula):
        return expression(make, b.func)
    plain = all(form is not None and (form.numeric or _numbers_by_name(form)) for form in make.forms)
    if b.userdata is not None or not plain or not all(form.numeric for form in outward):
        return None
    if len(outward) > 1 and any(form.shape for form in outward):
        return None
    if not all(str(name).isidentifier() and not iskeyword(name) for name in b.kwargs):
        return None
    forms = [form or Form() for form in make.forms]
    call = call_of(b.func, forms, b.args, b.kwargs, len(outward))
    return make.alone(NumericFunction(call, forms, list(outward)))


def _numbers_by_name(form: Form) -> bool:
    """True if it is a mapping from names to numbers and vectors."""
    return form.kind == "mapping" and all(
        isinstance(name, str) and part.numeric and len(part.shape) < 2 for name, part in form.parts
    )


def _argument(name: str, form: Form) -> str:
    """Argument of a function for an input: for a mapping, one from its names to parts of the vector."""
    if form.kind != "mapping":
        return name
    start, parts = 0, ["'': ()"]  # values of different types make it one that machine code looks names up in
    for key, part in form.parts:
        end = start + (part.shape[0] if part.shape else 1)
        parts.append(f"{key!r}: {name}[{start}:{end}]" if part.shape else f"{key!r}: {name}[{start}]")
        start = end
    return "{" + ", ".join(parts) + "}"


def call_of(
    function: Any, forms: Sequence[Form], arguments: Sequence[Any], keywords: Mapping[str, Any], outputs: int
) -> Callable[..., Any]:
    """A function of the inputs alone, u0, u1, ..., with the further arguments in place."""
    functions = [settled(f) for f in (function if isinstance(function, (list, tuple)) else [function])]
    scope: dict[str, Any] = {f"f{k}": one for k, one in enumerate(functions)}
    scope |= {f"a{k}": value for k, value in enumerate(arguments)}
    scope |= {f"k{k}": value for k, value in enumerate(keywords.values())}
    names = [f"u{k}" for k in range(len(forms))]
    call_arguments = [_argument(name, form) for name, form in zip(names, forms, strict=True)]
    call_arguments += [f"a{k}" for k in range(len(arguments))]
    call_arguments += [f"{name}=k{k}" for k, name in enumerate(keywords)]
    calls = [f"f{k}({', '.join(call_arguments)})" for k in range(len(functions))]
    if len(functions) > 1 or outputs == 1:
        body = f"return {', '.join(calls)}"
    else:
        body = f"y = {calls[0]}; return {', '.join(f'y[{k}]' for k in range(outputs))}"
    # The text holds names of our own making, numbered, and names of a mapping as literals; all else that the
    # user wrote is in `scope`, as objects.
    exec(f"def call({', '.join(names)}): {body}", scope)
    return scope["call"]  # type: ignore[no-any-return]


def settled(function: Any) -> Any:
    """The function with tuples in place of the lists of numbers that it reads from outside, for machine code.

    A function that writes elements, or calls methods of lists, is left as it is.
    """
    if not isinstance(function, FunctionType) or function.__closure__:
        return function
    code = function.__code__
    writes = any(step.opname == "STORE_SUBSCR" for step in dis.get_instructions(code))
    if writes or CHANGES & set(code.co_names):
        return function
    outside = {name: function.__globals__.get(name) for name in code.co_names}
    lists = {name: value for name, value in outside.items() if isinstance(value, list) and _numbers(value)}
    tuples = {name: tuple(value) for name, value in lists.items()}
    if not tuples:
        return function
    scope = function.__globals__ | tuples
    return FunctionType(code, scope, function.__name__, function.__defaults__)


def _numbers(value: list[Any]) -> bool:
    return 0 < len(value) <= LONGEST and all(type(x) in (int, float) for x in value)
