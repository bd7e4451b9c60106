"""Filling: the numbers of units written into the memory of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...blocks.contract.block import STREAM
from ...solvers.layout import Floats, Memory
from ..model.streams import stream
from .plan.layout import Plan
from .plan.unit import Unit


def room(plan: Plan, *, touched: bool = False) -> Memory:
    """Memory for a run, all 0."""
    sizes = {
        "x": plan.states, "z": plan.held, "modes": plan.modes + touched,
        "p": plan.numbers, "w": plan.signals, "hit": len(plan.clocks) + len(plan.triggers),
        "g": plan.crossings, "fired": plan.crossings, "fresh": plan.crossings,
    }  # fmt: skip
    return Memory.zeros(sizes)


class Numbers(NamedTuple):
    """The arrays of a run's memory that hold numbers of blocks."""

    x: Floats
    z: Floats
    p: Floats
    w: Floats

    @staticmethod
    def of(plan: Plan) -> Numbers:
        """The numbers of all blocks; random streams have 0."""
        numbers = Numbers(*map(np.zeros, (plan.states, plan.held, plan.numbers, plan.signals)))
        for unit in plan.units:
            fill(numbers, unit, unit.numbers)
        return numbers

    def of_others(self, units: Iterable[Unit]) -> Numbers:
        """The same with some units that have other numbers."""
        numbers = Numbers(*(array.copy() for array in self))
        for unit in units:
            fill(numbers, unit, unit.numbers)
        return numbers

    def begin(self, memory: Memory, plan: Plan, seed: int, scenario: int) -> Memory:
        """Write them and the random streams of a run into memory that is all 0, and return it."""
        memory.x[:], memory.z[:], memory.p[:], memory.w[:] = self
        for unit in plan.units:
            if unit.block.random:
                at = unit.numbers_at[STREAM]
                memory.p[at : at + 2] = stream(seed, scenario, unit.path)
        return memory


def fill(memory: Memory | Numbers, unit: Unit, numbers: Mapping[str, Any]) -> None:
    """Write a unit's numbers where they belong: parameters, initial states, held outputs."""
    for name, at in unit.numbers_at.items():
        value = np.ravel(numbers[name])
        memory.p[at : at + value.size] = value
    for name, at in unit.begun_at.items():
        value = np.ravel(numbers[name])
        memory.p[at : at + value.size] = value
    for state in unit.block.states:
        base, at = unit.states_at[state.name]
        shape = unit.state_shapes[state.name]
        place = memory.x if base == "x" else memory.z
        place[at : at + prod(shape)] = np.broadcast_to(numbers[state.initial], shape).ravel()
    for port, unknown in unit.unknowns.items():
        at, shape = unit.searched_at[port], unit.out_sizes[port].shape
        memory.w[at : at + prod(shape)] = np.broadcast_to(numbers[unknown.start], shape).ravel()
    if unit.shown_first:
        for port, at in unit.signals_at.items():
            shape = unit.out_sizes[port].shape
            value = np.broadcast_to(numbers[unit.shown_first], shape)
            memory.w[at : at + value.size] = value.ravel()
