"""Write the numbers of units into the memory of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from ...blocks.contract.block import STREAM
from ...solvers.layout import Floats, Memory
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
        """A copy in which some units have other numbers."""
        numbers = Numbers(*(array.copy() for array in self))
        for unit in units:
            fill(numbers, unit, unit.numbers)
        return numbers

    def begin(self, memory: Memory, plan: Plan, seed: int, scenario: int) -> Memory:
        """Write them and the random streams of a run into zeroed memory, and return it."""
        memory.x[:], memory.z[:], memory.p[:], memory.w[:] = self
        for unit in plan.units:
            if unit.block.random:
                at = unit.numbers_at[STREAM]
                memory.p[at : at + 2] = stream(seed, scenario, unit.path)
        return memory


def fill(memory: Memory | Numbers, unit: Unit, numbers: Mapping[str, Any]) -> None:
    """Write a unit's numbers to their places: parameters, initial states, outputs that are held."""
    for place in unit.number_places:
        value = numbers[place.number]
        if np.shape(value):
            value = np.broadcast_to(value, place.shape).ravel()
        getattr(memory, place.array)[place.words] = value


def stream(seed: int, scenario: int, path: str) -> Floats:
    """Two whole numbers below 2^32 that belong to a block in one scenario of one seed.

    Random blocks compute sample n from this key and n, so that nothing depends on which scenario ran first,
    where, or in what steps: Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC11,
    2011, doi:10.1145/2063384.2063405.
    """
    text = f"{seed}/{scenario}/{path}".encode()
    return np.frombuffer(blake2b(text, digest_size=8).digest(), "<u4").astype(np.float64)
