"""Blocks that change branch at the point of a linear model are listed with the side of the model."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import BlockdynError
from ..diagrams.compiler.program import Program
from ..diagrams.runs.evaluation import evaluation_of, flat
from ..solvers.layout import Integers
from .models.linear_model import Matrix
from .point import OperatingPoint

NEXT = 1e-9  # of a state or an input: as far away lies the other side of a kink


def kinks_at(program: Program, point: OperatingPoint) -> tuple[str, ...]:
    """The blocks whose mode changes if a state or an input is a little more or less.

    Each has the mode of the model and the other: "limit: mode 0, on the other side 1".
    """
    switching = [unit for unit in program.plan.units if unit.mode_at >= 0 and "mode" in unit.functions]
    if not switching:
        return ()
    evaluation = evaluation_of(program)
    arrays = evaluation.at(point.time, point.states, point.inputs, point.held)
    evaluation.go_on(float(point.time), arrays)
    modes, x = arrays.memory.modes.copy(), arrays.memory.x.copy()
    evaluation.give_back(arrays)
    u = flat("u", point.inputs, program.inputs, evaluation.defaults).copy()
    kinks: dict[str, str] = {}
    for others in _modes_nearby(program, point, x, u):
        for unit in switching:
            for at in range(unit.mode_at, unit.mode_at + max(1, unit.mode_count)):
                if others[at] != modes[at]:
                    text = f"{unit.path}: mode {modes[at]}, on the other side {others[at]}"
                    kinks.setdefault(unit.path, text)
    return tuple(kinks[path] for path in sorted(kinks))


def _modes_nearby(program: Program, point: OperatingPoint, x: Matrix, u: Matrix) -> Iterator[Integers]:
    """The modes on both sides of each state and input."""
    evaluation = evaluation_of(program)
    for values in (x, u):
        for i, value in enumerate(values.tolist()):
            for sign in (-1.0, 1.0):
                values[i] = value + sign * NEXT * max(1.0, abs(value))
                try:
                    arrays = evaluation.at(point.time, x, u, point.held)
                except BlockdynError:  # there is nothing beyond, of a state at its limit
                    continue
                yield arrays.memory.modes.copy()
                evaluation.give_back(arrays)
            values[i] = value
