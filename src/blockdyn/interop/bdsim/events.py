"""Event handlers of EVENT and STOP run when a signal passes zero."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
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
from .python_blocks import NumericFunction, PythonBlock, call_of
from .values import Form, Maker, Place, start_state


class Handlers(Block):
    """All event handlers of a diagram, on one map of states, so that none of several at one instant is lost.

    `e0`, `e1`, ... are the signals that pass zero, `x0`, `x1`, ... the states of bdsim's blocks. When some
    of the signals pass zero their handlers are called, in the order of the blocks. `after` is the map
    after their calls, and `toggle` changes between 0 and 1 whenever they have been called: the blocks then
    take their states from `after`. `stopped` is 1 after a handler has set `simstate.stop`, or one of a STOP
    has left all states as they were.
    """

    outputs: ClassVar = (Port("after"), Port("toggle", 1), Port("stopped", 1))
    states: ClassVar = (
        State("map", "before", held=True),
        State("calls", "zero", held=True),
        State("ended", "zero", held=True),
    )

    events: Sequence[Any] = option(doc="bdsim's EVENT blocks, and STOP blocks with handlers of their own")
    owners: Sequence[Any] = option(doc="bdsim's blocks that have states")
    settable: Sequence[bool] = option(doc="which of these can be set")
    stop: float = option(doc="end of the run, s")

    def input_ports(self) -> tuple[Port, ...]:
        signals = [Port(f"e{k}", 1) for k in range(len(self.events))]
        return (*signals, *(Port(f"x{k}", Size((n,))) for k, n in enumerate(self._widths())))

    def _widths(self) -> list[int]:
        return [block.nstates + block.ndstates for block in self.owners]

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("after", Size((sum(self._widths()),))), Port("toggle", 1), Port("stopped", 1))

    def zero_crossings(self) -> tuple[Crossing, ...]:
        return tuple(
            Crossing(f"c{k}", int(getattr(block, "direction", 1))) for k, block in enumerate(self.events)
        )

    def constants(self) -> Mapping[str, Any]:
        return {"before": np.zeros(sum(self._widths())), "zero": 0.0}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        signals = tuple(f"e{k}" for k in range(len(self.events)))
        crossed = tuple(f"crossed_c{k}" for k in range(len(self.events)))
        states = tuple(f"x{k}" for k in range(len(self.owners)))
        return {
            "output_after": after, "output_toggle": toggle, "output_stopped": stopped,
            "crossing": same(signals),
            "jump": Callback(self._calling(), ("t", "map", "calls", "ended", *crossed, *states)),
        }  # fmt: skip

    def _calling(self) -> Callable[..., tuple[Array, float, float]]:
        """Function that calls the handlers of the signals that pass zero."""
        handlers = [handler(block) for block in self.events]
        stops = [event_kind(block) == "bdsim.Stop" for block in self.events]

        def jump(t: float, before: Array, calls: float, ended: float, *values: Any) -> Any:
            crossed, states = values[: len(handlers)], values[len(handlers) :]
            if not any(crossed):
                return before, calls, ended
            state_map = {block: np.array(x) for block, x in zip(self.owners, states, strict=True)}
            simstate = start_state(self.stop)
            simstate.t = t
            for handle, now in zip(handlers, crossed, strict=True):
                if now:
                    handle(t, state_map, simstate)
            parts = self._parts(state_map, states)
            unchanged = all(np.array_equal(part, x) for part, x in zip(parts, states, strict=True))
            silent = unchanged and any(stop and now for stop, now in zip(stops, crossed, strict=True))
            over = simstate.stop is not None or silent
            return np.concatenate([*parts, np.zeros(0)]), calls + 1.0, float(over)

        return jump

    def _parts(self, state_map: Mapping[Any, Any], states: Sequence[Array]) -> list[Array]:
        """The states in a map, in the order of the blocks. Raises BlockdynError."""
        parts = []
        for block, x, may_change in zip(self.owners, states, self.settable, strict=True):
            value = np.asarray(state_map[block], np.float64).ravel()
            if value.shape != np.shape(x):
                value = np.broadcast_to(value, np.shape(x))
            if not may_change and not np.array_equal(value, x):
                raise BlockdynError(
                    f"an event handler changed state_map of block {block.name}\n"
                    "expected: a block whose state can be set: an integrator, a linear system, a vehicle on"
                    " wheels, or one that runs in Python"
                )
            parts.append(value)
        return parts


def after(map: Array, after: Array) -> None:
    after[:] = map


def toggle(calls: float) -> float:
    return calls % 2.0


def stopped(ended: float) -> float:
    return ended


def same(names: Sequence[str]) -> Callable[..., Any]:
    """A function that returns its arguments, for any number of them."""
    scope: dict[str, Any] = {}
    exec(f"def same({', '.join(names)}): return {', '.join(names)}", scope)
    return scope["same"]  # type: ignore[no-any-return]


def event_kind(block: Any) -> str:
    """The key in EVENTS of an EVENT, a STOP, or a block of a class derived from them; otherwise empty."""
    names = (f"bdsim.{k.__name__}" for k in type(block).__mro__ if k.__module__ == "bdsim.blocks.sinks")
    return next((name for name in names if name in EVENTS), "")


def handles(block: Any, value: Any) -> bool:
    """True if a block has a handler to call: an EVENT, or a STOP with an `event_handler` of its own.

    A STOP that is true at the start, where its input is `value`, ends the run there, as in bdsim.
    """
    kind = event_kind(block)
    return bool(kind) and (EVENTS[kind] is event or (_own_handler(block) and not _true(block, value)))


def _own_handler(block: Any) -> bool:
    return not str(block.event_handler.__module__).startswith("bdsim.")


def handler(block: Any) -> Callable[[float, dict[Any, Array], Any], object]:
    """A call of a block's handler, with the instant, the map of states, and bdsim's state of the run.

    The function of an EVENT gets as many of these as it takes. A block's own handler also gets the
    vector of all continuous states, and is called in any of the forms that bdsim allows.
    """
    if _own_handler(block):
        return partial(_dispatch, block.event_handler)
    try:
        inspect.signature(block.func).bind(block, {}, *block.args, **block.kwargs)
    except TypeError:
        return lambda t, state_map, simstate: block.func(block, *block.args, **block.kwargs)
    return lambda t, state_map, simstate: block.func(block, state_map, *block.args, **block.kwargs)


def _dispatch(handle: Callable[..., object], t: float, state_map: dict[Any, Array], simstate: Any) -> None:
    """Call a handler in the first of bdsim's forms that its signature allows.

    As in bdsim, the continuous states in the map are views of the vector y: a handler may change either.
    """
    continuous = [block for block in state_map if block.blockclass == "continuous"]
    widths = [block.nstates for block in continuous]
    states = [np.broadcast_to(np.ravel(state_map[b]), n) for b, n in zip(continuous, widths, strict=True)]
    y = np.concatenate([*states, np.zeros(0)])
    state_map.update(zip(continuous, np.split(y, np.cumsum(widths, dtype=int)), strict=False))
    forms = ((t, y, state_map, simstate), (t, y, simstate), (t, y), (t,))
    signature = inspect.signature(handle)
    count = next((k for k, form in enumerate(forms) if _takes(signature, form)), 0)
    handle(*forms[count])


def _takes(signature: inspect.Signature, arguments: Sequence[Any]) -> bool:
    try:
        signature.bind(*arguments)
    except TypeError:
        return False
    return True


def stop(make: Maker) -> Place:
    """A number stops the run when it rises through zero, a truth value when it becomes true."""
    b, form = make.block, make.forms[0]
    name = "" if handles(b, make.values[0]) else make.add(Stop())  # its handler ends the run, or it does
    if form is not None and form.numeric and not form.shape and b.stopfunc is not None:
        block: Block = NumericFunction(call_of(b.stopfunc, [form], [], {}, 1), [form], [Form()])
        truth = isinstance(b.stopfunc(make.values[0]), (bool, np.bool_))
    else:
        block, truth = PythonBlock(_StopMetric(b), [form or Form(kind="object")], [Form()]), False
    asked = make.add(block, "asked")
    half = 0.5 if name else 0.0  # Stop passes 0.5, a handler 0
    level = make.add(Expression("u + c", coefficients={"c": half - 0.5 * truth}), "level")
    make.wire(f"{asked}.y0", f"{level}.u")
    if not name:
        return Place([[f"{asked}.u0"]], [f"{level}.y"])
    make.wire(f"{level}.y", f"{name}.u")
    return Place([[f"{asked}.u0"]])


def _true(block: Any, value: Any) -> bool:
    try:
        return bool(block._stop_metric(value) > 0.0)
    except Exception:  # noqa: BLE001  the value at the start is missing
        return False


class _StopMetric:
    """The metric of a STOP as a block without a state."""

    def __init__(self, block: Any) -> None:
        self.block = block

    def output(self, t: float, inputs: list[Any], x: None) -> list[float]:
        return [self.block._stop_metric(inputs[0])]


def event(make: Maker) -> Place:
    """The signal of an EVENT; all signals of a diagram share one block of handlers."""
    name = make.add(Selector(indices=0) if make.form(0).shape else Expression("u"))
    return Place([[f"{name}.u"]], [f"{name}.y"])


def handled(diagram: Diagram, places: Mapping[Any, Place], unused: Callable[[str], str], stop: float) -> None:
    """Add the handlers of all events, and let them set the states of the blocks and end the run."""
    events = [block for block, place in places.items() if event_kind(block) and place.outputs]
    if not events:
        return
    owners = [block for block, place in places.items() if place.state]
    settable = [bool(places[block].settable) for block in owners]
    name = unused("handlers")
    diagram.add(name, Handlers(events, owners, settable, stop))
    for k, block in enumerate(events):
        diagram.connect(places[block].outputs[0], f"{name}.e{k}")
    if any(_own_handler(block) for block in events):
        end = unused(f"{name}_stop")
        diagram.add(end, Stop())
        diagram.connect(f"{name}.stopped", f"{end}.u")
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
