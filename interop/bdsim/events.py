"""EVENT and STOP: what happens where a signal passes zero."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.contract.block import Block
from ...blocks.contract.callback import Callback
from ...blocks.contract.parameter import Array, option
from ...blocks.contract.port import Crossing, Port, Size, State
from ...blocks.mathematics.expression import Expression
from ...blocks.routing.mux import Mux
from ...blocks.routing.selector import Selector
from ...blocks.sinks.stop import Stop
from ...diagrams.model.diagram import Diagram
from .places import Maker, Place
from .python_blocks import PythonBlock
from .user_functions import NumericFunction, call_of
from .values import Form


class StateNotSettable(BlockdynError):
    """A handler that changes the state of a block whose states are no integrals of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"an event handler changed state_map of block {name}\n"
            "expected: a block whose state can be set: an integrator, a linear system, a vehicle on wheels,"
            " or one that runs in Python"
        )


class Handlers(Block):
    """All event handlers of a diagram, on one map of states: of several at one instant none is lost.

    `e0`, `e1`, ... are the signals that pass zero, `x0`, `x1`, ... the states of bdsim's blocks. When some
    of the signals pass zero their handlers are called, in the order of the blocks. `after` is what they
    leave in the map, and `toggle` changes between 0 and 1 whenever they have been called: the blocks then
    take their states from `after`.
    """

    outputs: ClassVar = (Port("after"), Port("toggle", 1))
    states: ClassVar = (State("map", "before", held=True), State("calls", "zero", held=True))

    events: Sequence[Any] = option(doc="bdsim's EVENT blocks")
    owners: Sequence[Any] = option(doc="bdsim's blocks that have states")
    settable: Sequence[bool] = option(doc="which of these can be set")

    def input_ports(self) -> tuple[Port, ...]:
        signals = [Port(f"e{k}", 1) for k in range(len(self.events))]
        return (*signals, *(Port(f"x{k}", Size((n,))) for k, n in enumerate(self._widths())))

    def _widths(self) -> list[int]:
        return [block.nstates + block.ndstates for block in self.owners]

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("after", Size((sum(self._widths()),))), Port("toggle", 1))

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return tuple(Crossing(f"c{k}", int(block.direction)) for k, block in enumerate(self.events))

    def constants(self) -> Mapping[str, Any]:
        return {"before": np.zeros(sum(self._widths())), "zero": 0.0}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        signals = tuple(f"e{k}" for k in range(len(self.events)))
        crossed = tuple(f"crossed_c{k}" for k in range(len(self.events)))
        states = tuple(f"x{k}" for k in range(len(self.owners)))
        return {
            "output_after": after, "output_toggle": toggle, "crossing": same(signals),
            "jump": Callback(self._calling(), ("map", "calls", *crossed, *states)),
        }  # fmt: skip

    def _calling(self) -> Callable[..., tuple[Array, float]]:
        """What calls the handlers of the signals that pass zero."""
        handlers, owners, settable = [handler(block) for block in self.events], self.owners, self.settable

        def jump(before: Array, calls: float, *values: Any) -> tuple[Array, float]:
            crossed, states = values[: len(handlers)], values[len(handlers) :]
            if not any(crossed):
                return before, calls
            state_map = {block: np.array(x) for block, x in zip(owners, states, strict=True)}
            for handle, now in zip(handlers, crossed, strict=True):
                if now:
                    handle(state_map)
            parts = []
            for block, x, may_change in zip(owners, states, settable, strict=True):
                value = np.asarray(state_map[block], np.float64).ravel()
                if value.shape != np.shape(x):
                    value = np.broadcast_to(value, np.shape(x))
                if not may_change and not np.array_equal(value, x):
                    raise StateNotSettable(block.name)
                parts.append(value)
            return np.concatenate(parts), calls + 1.0

        return jump


def after(map: Array, after: Array) -> None:
    after[:] = map


def toggle(calls: float) -> float:
    return calls % 2.0


def same(names: Sequence[str]) -> Callable[..., Any]:
    """A function that returns its arguments, for any number of them."""
    scope: dict[str, Any] = {}
    exec(f"def same({', '.join(names)}): return {', '.join(names)}", scope)
    return scope["same"]  # type: ignore[no-any-return]


def handler(block: Any) -> Callable[[Mapping[Any, Array]], object]:
    """The handler of an EVENT for a map of states; older ones are called without the map."""
    try:
        inspect.signature(block.func).bind(block, {}, *block.args, **block.kwargs)
    except TypeError:
        return lambda state_map: block.func(block, *block.args, **block.kwargs)
    return lambda state_map: block.func(block, state_map, *block.args, **block.kwargs)


def stop(make: Maker) -> Place:
    """A number stops the run where it rises through zero, a truth value where it becomes true."""
    b, form, name = make.block, make.forms[0], make.add(Stop())
    if form is not None and form.numeric and not form.shape and b.stopfunc is not None:
        block: Block = NumericFunction(call_of(b.stopfunc, [form], [], {}, 1), [form], [Form()])
        truth = isinstance(b.stopfunc(make.values[0]), (bool, np.bool_))
    else:
        block, truth = PythonBlock(_Asked(b), [form or Form(kind="object")], [Form()]), False
    asked = make.add(block, "asked")
    level = make.add(Expression("u" if truth else "u + 0.5"), "level")
    make.wire(f"{asked}.y0", f"{level}.u")
    make.wire(f"{level}.y", f"{name}.u")
    return Place([[f"{asked}.u0"]])


class _Asked:
    """The metric of a STOP as a block without a state."""

    def __init__(self, block: Any) -> None:
        self.block = block

    def output(self, t: float, inputs: list[Any], x: None) -> list[float]:
        return [self.block._stop_metric(inputs[0])]


def event(make: Maker) -> Place:
    """The signal of an EVENT; all of a diagram have one block of handlers."""
    name = make.add(Selector(indices=0) if make.form(0).shape else Expression("u"))
    return Place([[f"{name}.u"]], [f"{name}.y"])


def handled(diagram: Diagram, places: Mapping[Any, Place], unused: Callable[[str], str]) -> None:
    """Add the handlers of all EVENT blocks, and let them set the states of the blocks."""
    events = [block for block in places if type(block).__name__ == "Event"]
    if not events:
        return
    owners = [block for block, place in places.items() if place.state]
    settable = [bool(places[block].settable) for block in owners]
    name = unused("handlers")
    diagram.add(name, Handlers(events, owners, settable))
    for k, block in enumerate(events):
        diagram.connect(places[block].outputs[0], f"{name}.e{k}")
    start = 0
    for k, block in enumerate(owners):
        place, count = places[block], block.nstates + block.ndstates
        joined = unused(f"{name}_x{k}")
        diagram.add(joined, Mux(len(place.state)))
        for j, signal in enumerate(place.state):
            diagram.connect(signal, f"{joined}.u{j}")
        diagram.connect(f"{joined}.y", f"{name}.x{k}")
        if place.settable:
            part = unused(f"{name}_set{k}")
            indices = list(range(start, start + count))
            diagram.add(part, Selector(indices=start if place.scalar else indices))
            diagram.connect(f"{name}.after", f"{part}.u")
            diagram.connect(f"{part}.y", f"{place.settable}.value")
            diagram.connect(f"{name}.toggle", f"{place.settable}.trigger")
        start += count


EVENTS = {"bdsim.Stop": stop, "bdsim.Event": event}
