"""Resolve the names in a function's argument list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ....blocks.contract import internal_names
from ....blocks.contract.errors import BlockError
from ....blocks.contract.port import Shape
from .unit import Unit

TIME, MODE, CROSSED, HANDLE, INPUT, NUMBER, TABLE, MEMORY, STATE, OUTPUT, TARGET, SCRATCH, PLACE = (
    "time", "mode", "crossed", "handle", "input", "number", "table", "memory", "state", "output", "target",
    "scratch", "place",
)  # fmt: skip
INTEGERS = (MODE, CROSSED, HANDLE)
IN_PLACE = (MEMORY, PLACE)  # memory that a function reads, and may change, in place


class Argument(NamedTuple):
    """One argument: its kind, the name of the value for which it stands, the value's shape."""

    kind: str
    name: str
    shape: Shape


def bind(unit: Unit, role: str, names: tuple[str, ...]) -> list[Argument]:
    """The meaning of every argument name of a function.

    Raises BlockError for a name that has no meaning in the block, or two meanings.
    """
    scratch = unit.block.scratch()
    for name in scratch:
        if name in {*unit.inputs, *unit.numbers, *unit.state_shapes, *unit.output_ports}:
            problem = f"{unit.block.kind()}: `{name}` is workspace (`scratch`), and something else"
            raise BlockError(f"{problem}\nrename one of them")
    return [_meaning(unit, role, name, scratch) for name in names]


def _meaning(unit: Unit, role: str, name: str, scratch: Mapping[str, Shape]) -> Argument:
    if name == "t":
        return Argument(TIME, "t", ())
    if name == internal_names.MODE:
        return Argument(MODE, "mode", unit.shape if unit.mode_count > 1 else ())
    crossing = internal_names.crossing_of(name)
    if crossing in unit.crossing_slots:
        return Argument(CROSSED, crossing, _crossing_shape(unit, crossing))
    if role == "crossing" and not unit.elementwise and _crossing_shape(unit, name):
        return Argument(TARGET, name, _crossing_shape(unit, name))
    if name in unit.inputs:
        return Argument(INPUT, name, unit.input_ports[name].seen(unit.in_sizes[name].shape))
    if name in unit.owned_at:
        return Argument(HANDLE, name, ())
    if name in unit.changing:
        return Argument(MEMORY, name, np.shape(unit.numbers[name]))
    if name in unit.numbers:
        kind = TABLE if unit.elementwise and name in unit.block.tables else NUMBER
        return Argument(kind, name, np.shape(unit.numbers[name]))
    if name in unit.state_shapes:
        shape = unit.state_shapes[name]
        remembered = {state.name for state in unit.block.states if state.remembered}
        in_place = name in remembered or (role == "remember" and bool(shape))
        return Argument(PLACE if in_place else STATE, name, shape)
    if name in unit.output_ports:
        kind = TARGET if role.startswith("output") else OUTPUT
        return Argument(kind, name, _output_shape(unit, name))
    prefix, _, state = name.partition("_")
    expected_prefix = {"derivative": "d", "update": "next", "jump": "next"}.get(role)
    if state in unit.state_shapes and prefix == expected_prefix:
        return Argument(TARGET, state, unit.state_shapes[state])
    if name in scratch:
        return Argument(SCRATCH, name, scratch[name])
    names = ", ".join([*unit.inputs, *unit.numbers, *unit.state_shapes])
    raise BlockError(
        f"{unit.block.kind()}: function `{role}` has the argument `{name}`, which is neither an input,"
        f" a parameter, a state nor an output of the block\nexpected one of: t, mode, {names}"
    )


def targets(unit: Unit, role: str) -> list[tuple[str, Shape]]:
    """Results of a function, in order: (name, shape)."""
    if role.startswith("output"):
        return [(port, _output_shape(unit, port)) for port in unit.output_roles[role]]
    shapes = unit.state_shapes
    if role == "derivative":
        return [(s.name, shapes[s.name]) for s in unit.block.states if unit.states_at[s.name][0] == "x"]
    if role == "update":
        return [(s.name, shapes[s.name]) for s in unit.block.states if unit.states_at[s.name][0] == "z"]
    if role == "jump":
        return [(s.name, shapes[s.name]) for s in unit.block.states if not s.remembered]
    if role == "remember":
        return []
    if role == "crossing":
        return [(c.name, _crossing_shape(unit, c.name)) for c in unit.crossings]
    return [("mode", unit.shape if unit.elementwise else ())]


def _output_shape(unit: Unit, port: str) -> Shape:
    return unit.output_ports[port].seen(unit.out_sizes[port].shape)


def _crossing_shape(unit: Unit, name: str) -> Shape:
    if unit.elementwise:
        return unit.shape
    counts = [c.count for c in unit.crossings if c.name == name and c.count]
    return tuple(counts[:1])
