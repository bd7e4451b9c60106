"""Filling: a unit's numbers written into the memory of a run."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ...solvers.layout import Memory
from .plan.unit import Unit


def fill(memory: Memory, unit: Unit, numbers: Mapping[str, Any]) -> None:
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
