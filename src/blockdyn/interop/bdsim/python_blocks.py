"""Blocks of bdsim run unchanged, called back by the native loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ...blocks.contract.block import Block
from ...blocks.contract.callback import Callback
from ...blocks.contract.parameter import Array, Real, option, parameter
from ...blocks.contract.port import Port, Size, State
from .registers import ClockedBlock


class PythonBlock(Block):
    """A block of bdsim by its own `output`, called at every evaluation.

    Its output must depend on its inputs, the time and its state alone: the solver evaluates it at
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
    """Output of a continuous block of bdsim by its state x, by its own `output`.

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
    """Derivative of the state x of a continuous block of bdsim, by its own `deriv`."""

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
    """A sampled block of bdsim by its own `output` and `next`, called at ticks; its outputs are held between.

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
