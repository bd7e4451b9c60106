"""Initial states: those, and held outputs, that begin elsewhere than their blocks say, by path."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ...base.annotations import of_truth, real_array
from ...base.nearest import nearest
from ...solvers.layout import Floats
from ..compiler.program import Program
from ..compiler.variables import Place, places
from ..model.argument_errors import RunArgumentError
from ..model.settings import SETTINGS


def initial_states(program: Program, initial: Mapping[str, Any] | None) -> list[tuple[Place, Floats]]:
    """For every state, and every output of a sampled block, that begins elsewhere: its place, its numbers.

    Raises RunArgumentError.
    """
    if initial is None:
        return []
    SETTINGS["initial"].read(initial)
    named = {place.name: place for place in places(program.plan)}
    placed = []
    for path, value in initial.items():
        if path not in named:
            examples = ", ".join(list(named)[:8]) + (" ..." if len(named) > 8 else "")
            expected = f"the path of a state, or of an output of a sampled block{nearest(str(path), named)};"
            raise RunArgumentError(f"initial[{path!r}]", value, f"{expected} there are {examples or 'none'}")
        placed.append((named[path], _numbers(path, value, named[path])))
    return placed


def _numbers(path: str, value: Any, place: Place) -> Floats:
    """The numbers of a state; one that is held may be infinite, as an instant that never comes is."""
    shape = place.shape
    expected = f"finite numbers of shape {shape}" if shape else "a finite number"
    try:
        array = real_array(value)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError(f"initial[{path!r}]", value, expected + of_truth(value)) from None
    fits = array.shape == shape or (prod(shape) == 1 and array.shape in ((), (1,)))
    if not fits or np.any(np.isnan(array)) or not (place.infinite or np.all(np.isfinite(array))):
        raise RunArgumentError(f"initial[{path!r}]", value, expected)
    return array.ravel()
