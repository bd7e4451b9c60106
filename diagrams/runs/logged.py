"""Find the place and the description of each signal and continuous state in the rows of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from ...blocks.contract.port import Size
from ..compiler.plan.signal_units import SignalUnits
from ..compiler.plan.unit import HELD, Unit
from ..compiler.program import Program
from ..results.logged_rows import ByPath, number_columns
from ..results.record import Heading
from ..results.trace import Kind

FIRST = 2  # a row begins with its time and its flag


@dataclass(frozen=True)
class Column:
    """Place of a logged signal in the rows, and its description; `start` counts from the first signal."""

    name: str
    unit: Unit
    port: str
    start: int
    signal_units: SignalUnits

    @property
    def held(self) -> bool:
        """True if the signal changes only at events."""
        return self.unit.rate[self.port] == HELD

    @property
    def size(self) -> Size:
        return self.unit.out_sizes[self.port]

    @cached_property
    def heading(self) -> Heading:
        """The signal's trace without its samples."""
        unit = self.signal_units.of(self.unit, self.port)
        kind: Kind = "discrete" if self.held else "continuous"
        return Heading(self.name, tuple(self.size.shape), unit, self._labels(), kind, 0)

    def _labels(self) -> tuple[str, ...]:
        """The names of a bus's elements, or those that the port declares."""
        if self.size.fields:
            return labels(self.size)
        return element_names(self.unit, self.port, self.size.shape)


class StateColumn(NamedTuple):
    """Place of a continuous state in a row, and its trace without its samples."""

    start: int
    heading: Heading


@dataclass(frozen=True)
class Columns:
    """All logged signals, the states; `elements` are the places in w that a row copies."""

    signals: tuple[Column, ...]
    elements: list[int]
    states: tuple[StateColumn, ...]
    _by_path: dict[int, ByPath] = field(default_factory=dict)

    def by_path(self, first: int) -> ByPath:
        """The columns of every signal, from `first` on, and of the states, which come before them."""
        if first not in self._by_path:
            placed = [(c.name, first + c.start, c.size.shape) for c in self.signals]
            if first > FIRST:
                placed += [(heading.path, FIRST + start, heading.shape) for start, heading in self.states]
            self._by_path[first] = ByPath(
                {path: number_columns(start, shape) for path, start, shape in placed}
            )
        return self._by_path[first]


def make_columns(program: Program) -> Columns:
    """One column per logged signal, in the order of the taps; equal for all programs with the same code."""
    if "columns" not in program.shared:
        program.shared["columns"] = _columns(program)
    columns: Columns = program.shared["columns"]
    return columns


def _columns(program: Program) -> Columns:
    number = program.plan.by_path
    signals: list[Column] = []
    elements: list[int] = []
    starts: dict[tuple[str, str], int] = {}
    for tap in program.flat.taps:
        unit = number[tap.path]
        key = (tap.path, tap.port)
        if key not in starts:
            starts[key] = len(elements)
            at = unit.signals_at[tap.port]
            elements += range(at, at + unit.out_sizes[tap.port].count)
        signals.append(Column(tap.name, unit, tap.port, starts[key], program.plan.signal_units))
    return Columns(tuple(signals), elements, tuple(state_columns(program)))


def state_columns(program: Program) -> list[StateColumn]:
    """The continuous states, in the order of their paths."""
    columns = []
    for unit in program.plan.units:
        for state in unit.block.states:
            base, start = unit.states_at[state.name]
            shape = tuple(unit.state_shapes[state.name])
            if base == "x" and prod(shape) > 0:
                path = f"{unit.path}.{state.name}"
                described = program.plan.signal_units.of_state(unit, state)
                names = element_names(unit, state.name, shape)
                columns.append(StateColumn(start, Heading(path, shape, described, names, "continuous", 0)))
    return columns


def element_names(unit: Unit, name: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    """The names that an output declares for the elements of a vector; a state has its output's names."""
    port = unit.output_ports.get(name)
    return port.elements if port is not None and shape == (len(port.elements),) else ()


def labels(size: Size, prefix: str = "") -> tuple[str, ...]:
    """The names of a bus's elements."""
    names: list[str] = []
    for name, part in size.fields:
        path = f"{prefix}{name}"
        if part.fields:
            names += labels(part, path + ".")
        elif part.count == 1:
            names.append(path)
        else:
            names += [f"{path}[{','.join(map(str, i))}]" for i in np.ndindex(*part.shape)]
    return tuple(names)
