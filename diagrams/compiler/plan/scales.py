"""Scales of the states that flow: the numbers that their absolute tolerances are multiplied by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .unit import Unit

if TYPE_CHECKING:
    from .layout import Plan

Scales: TypeAlias = Mapping[int, tuple[tuple[float, ...], ...]]
"""By unit, the scales of the elements of each state that has some, in the order of the states."""


def scales_of_unit(unit: Unit, numbers: Mapping[str, Any]) -> tuple[tuple[float, ...], ...]:
    """The scales of a unit's states, with these numbers of its block."""
    shapes = {state.name: unit.state_shapes[state.name] for state in unit.block.states if state.scale}
    scales = {state.name: numbers[state.scale] for state in unit.block.states if state.scale}
    return tuple(
        tuple(np.broadcast_to(scales[name], shape).ravel().tolist()) for name, shape in shapes.items()
    )


def scales_of_states(plan: Plan, changed: Scales) -> Any:
    """The scale of each state of a run; `changed` has the units whose numbers are not those of the plan."""
    scales = np.ones(plan.states)
    for unit in plan.units:
        states = [state for state in unit.block.states if state.scale]
        if not states:
            continue
        parts = changed.get(unit.index) or scales_of_unit(unit, unit.numbers)
        for state, part in zip(states, parts, strict=True):
            at = unit.states_at[state.name][1]
            scales[at : at + len(part)] = part
    return scales
