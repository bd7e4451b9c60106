"""Initial states: those that begin elsewhere than their blocks say, by path."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ...base.annotations import of_truth, real_array
from ...base.nearest import nearest
from ..compiler.program import Program
from ..model.run_errors import RunArgumentError
from ..model.settings import SETTINGS


def initial_states(program: Program, initial: Mapping[str, Any] | None) -> list[tuple[str, int, Any]]:
    """For every state that begins elsewhere: its array, "x" or "z", its place there, its numbers.

    Raises RunArgumentError.
    """
    if initial is None:
        return []
    SETTINGS["initial"].read(initial)
    places = {
        f"{unit.path}.{state.name}": (
            *unit.states_at[state.name],
            tuple(unit.state_shapes[state.name]),
            state.held,
        )
        for unit in program.plan.units
        for state in unit.block.states
    }
    placed = []
    for path, value in initial.items():
        if path not in places:
            examples = ", ".join(list(places)[:8]) + (" ..." if len(places) > 8 else "")
            expected = (
                f"the path of a state{nearest(str(path), list(places))}; states are {examples or 'none'}"
            )
            raise RunArgumentError(f"initial[{path!r}]", value, expected)
        base, start, shape, held = places[path]
        placed.append((base, start, _state(path, value, shape, infinite=held)))
    return placed


def _state(path: str, value: Any, shape: tuple[int, ...], *, infinite: bool) -> Any:
    """The numbers of a state; one that is held may be infinite, as an instant that never comes is."""
    expected = f"finite numbers of shape {shape}" if shape else "a finite number"
    try:
        array = real_array(value)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(f"initial[{path!r}]", value, expected + of_truth(value)) from None
    fits = array.shape == shape or (prod(shape) == 1 and array.shape in ((), (1,)))
    if not fits or np.any(np.isnan(array)) or not (infinite or np.all(np.isfinite(array))):
        raise RunArgumentError(f"initial[{path!r}]", value, expected)
    return array.ravel()
