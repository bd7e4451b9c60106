"""Functions of users as machine code, and blocks of bdsim that run unchanged, called by the native loop."""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.callback import Callback
from ...blocks.contract.parameter import Array, Real, option, parameter
from ...blocks.contract.port import Port, Size, State
from .files import Formula, expression
from .registers import ClockedBlock
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
    """A function of numbers and arrays, compiled if numba can, otherwise called back.

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

    A function that writes elements, or calls methods of lists, is unchanged.
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


class PythonBlock(Block):
    """A block of bdsim by its method `output`, called at every evaluation.

    Its output must depend only on its inputs, the time and its state: the solver evaluates it at
    instants of its own choice, some of them more than once, and takes back steps.
    """

    block: Any = option(doc="the block of bdsim")
    inward: Sequence[Any] = option(doc="the form of each input")
    outward: Sequence[Any] = option(doc="the form of each output")

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(f"u{k}", form.size) for k, form in enumerate(self.inward))

    def output_ports(self) -> tuple[Port, ...]:
        return tuple(Port(f"y{k}", form.size) for k, form in enumerate(self.outward))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": Callback(self._output, ("t", *self._names()))}

    def _names(self) -> tuple[str, ...]:
        return tuple(f"u{k}" for k in range(len(self.inward)))

    def _read(self, numbers: Sequence[Any]) -> list[Any]:
        return [form.read(value) for form, value in zip(self.inward, numbers, strict=True)]

    def _written(self, values: Sequence[Any]) -> Any:
        if len(values) != len(self.outward):
            raise ValueError(f"it returned {len(values)} outputs, but declares {len(self.outward)}")
        written = tuple(form.written(value) for form, value in zip(self.outward, values, strict=True))
        return written[0] if len(written) == 1 else written

    def _output(self, t: float, *inputs: Any) -> Any:
        return self._written(self.block.output(t, self._read(inputs), None))


class PythonOutput(PythonBlock):
    """Output of a continuous block of bdsim by its state x, computed by its method `output`.

    It has direct feedthrough only if bdsim declares it (`feedthrough`).
    """

    width: int = option(doc="number of states")

    def input_ports(self) -> tuple[Port, ...]:
        return (*(super().input_ports() if self.block._feedthrough else ()), Port("x", Size((self.width,))))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        names = self._names() if self.block._feedthrough else ()
        return {"output": Callback(self._shown, ("t", *names, "x"))}

    def _shown(self, t: float, *values: Any) -> Any:
        *inputs, x = values
        input_values = self._read(inputs) if inputs else [None] * len(self.inward)
        return self._written(self.block.output(t, input_values, np.array(x)))


class PythonDerivative(PythonBlock):
    """Derivative of the state x of a continuous block of bdsim, computed by its method `deriv`."""

    width: int = option(doc="number of states")

    def input_ports(self) -> tuple[Port, ...]:
        return (*super().input_ports(), Port("x", Size((self.width,))))

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("d_x", Size((self.width,))),)

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": Callback(self._slope, ("t", *self._names(), "x"))}

    def _slope(self, t: float, *values: Any) -> Any:
        *inputs, x = values
        return np.asarray(self.block.deriv(t, self._read(inputs), np.array(x)), np.float64)


class PythonSampledBlock(ClockedBlock):
    """A sampled block of bdsim by its methods `output` and `next`, called at ticks; its outputs are held.

    `y` has the numbers of all outputs, one after another. Where its inputs reach its outputs
    (`feedthrough`), they do at ticks.
    """

    states: ClassVar = (
        State("x", "initial", held=True),
        State("held", "first", held=True),
        State("ticks", "zero", held=True),
        State("set", "zero", held=True),
    )

    block: Any = option(doc="the block of bdsim")
    inward: Sequence[Any] = option(doc="the form of each input")
    outward: Sequence[Any] = option(doc="the form of each output")
    settable: bool = option(doc="x is taken from `value` whenever `trigger` changes")
    initial: Real = parameter(doc="x at the start", dimensions=(1,))

    def input_ports(self) -> tuple[Port, ...]:
        inputs = tuple(Port(f"u{k}", form.size) for k, form in enumerate(self.inward))
        width = Size(np.shape(self.initial))  # type: ignore[arg-type]
        return (*inputs, Port("value", width), Port("trigger", 1)) if self.settable else inputs

    def output_ports(self) -> tuple[Port, ...]:
        width = Size(np.shape(self.initial))  # type: ignore[arg-type]
        return (Port("y", Size((self._count(),))), Port("x_now", width))

    def _count(self) -> int:
        return max(sum(int(form.size.count) for form in self.outward), 1)

    def constants(self) -> Mapping[str, Any]:
        return {"zero": 0.0, "first": np.zeros(self._count())}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        names = tuple(f"u{k}" for k in range(len(self.inward)))
        through = names if self.block._feedthrough else ()
        outside = ("value", "trigger") if self.settable else ()
        return {
            "output_y": Callback(self._shown, ("t", "mode", *through, "x", "held", "ticks")),
            "output_x_now": state_now,
            "jump": Callback(self._next, ("t", "mode", *names, *outside, "x", "held", "ticks", "set")),
        }

    def _read(self, numbers: Sequence[Any]) -> list[Any]:
        return [form.read(value) for form, value in zip(self.inward, numbers, strict=True)]

    def _flat(self, t: float, inputs: Sequence[Any], x: Array) -> Array:
        values = self.block.output(t, list(inputs), np.array(x))
        written = [form.written(value) for form, value in zip(self.outward, values, strict=True)]
        return np.concatenate([np.ravel(value) for value in written])

    def _shown(self, t: float, mode: int, *values: Any) -> Any:
        *inputs, x, held, ticks = values
        if inputs and mode > ticks:
            return self._flat(t, self._read(inputs), x)
        return held if mode else self._flat(t, [None] * len(self.inward), x)

    def _next(self, t: float, mode: int, *values: Any) -> Any:
        *inputs, x, held, ticks, seen = values
        if self.settable:
            *inputs, value, trigger = inputs
            if trigger != seen:
                x, seen = value, trigger
                if not self.block._feedthrough:
                    held = self._flat(t, [None] * len(inputs), x)
        if mode <= ticks:
            return x, held, ticks, seen
        input_values = self._read(inputs)
        after = np.asarray(self.block.next(t, input_values, np.array(x)), np.float64).ravel()
        return after, self._flat(t, input_values, x if self.block._feedthrough else after), float(mode), seen


def state_now(x: Array, x_now: Array) -> None:
    x_now[:] = x
