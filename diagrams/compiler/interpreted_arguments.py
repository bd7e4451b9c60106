"""Where the arguments of a block's functions are found, for functions that Python calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...solvers.layout import Floats, Memory
from .plan import binding
from .plan.binding import Argument
from .plan.unit import Source, Unit


@dataclass(slots=True)
class Moment:
    """What is known within one call of a program's function: its arguments, and the signals so far."""

    t: float
    x: Floats
    m: Memory
    values: dict[Source, Any]


def span(unit: Unit, state: str) -> slice:
    """Where a state lies, in x or in z."""
    start = unit.states_at[state][1]
    return slice(start, start + prod(unit.state_shapes[state]))


def read_input(unit: Unit, port: str) -> Callable[[Moment], Any]:
    """What reads an input; one that is not wired has its default."""
    source = unit.inputs[port]
    if source is None:
        default = float(unit.input_ports[port].default or 0.0)
        return lambda moment: np.full(unit.in_sizes[port].shape, default)
    return lambda moment: moment.values[source]


def reader(unit: Unit, a: Argument) -> Callable[[Moment], Any]:
    """What reads an argument, as an array of its shape or as a number."""
    shape = a.shape
    match a.kind:
        case binding.TIME:
            return lambda moment: moment.t
        case binding.MODE:
            at, end = unit.mode_at, unit.mode_at + unit.mode_count
            if unit.mode_count == 1:
                return lambda moment: int(moment.m.modes[at])
            return lambda moment: moment.m.modes[at:end].reshape(unit.shape)
        case binding.CROSSED:
            slots = np.asarray(unit.crossing_slots[a.name])
            return lambda moment: moment.m.fired[slots].reshape(shape)
        case binding.HANDLE:
            at = unit.owned_at[a.name]
            return lambda moment: int(moment.m.p.view(np.int64)[at])
        case binding.INPUT:
            return _shaped(read_input(unit, a.name), shape)
        case binding.OUTPUT:
            source = Source(unit.index, a.name)
            return _shaped(lambda moment: moment.values[source], shape)
        case binding.NUMBER | binding.TABLE | binding.MEMORY:
            at = unit.numbers_at[a.name]
            return _part(lambda moment: moment.m.p, slice(at, at + prod(shape)), shape, a.kind)
        case binding.STATE | binding.PLACE:
            whole = (
                (lambda moment: moment.x) if unit.states_at[a.name][0] == "x" else (lambda moment: moment.m.z)
            )
            return _part(whole, span(unit, a.name), shape, a.kind)
    return lambda moment: np.zeros(shape)


def _shaped(read: Callable[[Moment], Any], shape: tuple[int, ...]) -> Callable[[Moment], Any]:
    def shaped(moment: Moment) -> Any:
        value = read(moment)
        return value if isinstance(value, float) and not shape else np.reshape(value, shape)

    return shaped


def _part(
    read: Callable[[Moment], Any], part: slice, shape: tuple[int, ...], kind: str
) -> Callable[[Moment], Any]:
    if shape or kind in binding.IN_PLACE:
        return lambda moment: read(moment)[part].reshape(shape)
    at = part.start
    return lambda moment: float(read(moment)[at])
