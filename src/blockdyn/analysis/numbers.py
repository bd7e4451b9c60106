"""Parameters of blocks that machine code reads as they are, and by which derivatives can be taken."""

from __future__ import annotations

import numpy as np

from ..diagrams.compiler.plan.unit import Unit
from ..diagrams.compiler.program import Program
from ..diagrams.runs.directions import Element
from ..diagrams.values.change import as_it_is
from .errors import AnalysisError

OF_CLOCKS = ("sample_time", "offset")  # they set times, and nothing changes smoothly with them


def numbers_of(program: Program, name: str) -> dict[str, Element]:
    """Places of the elements of a parameter, "block.parameter", by their names; empty for other names.

    A parameter from which a block computes others, as the polynomials of a TransferFunction, is excluded.
    """
    path, _, number = name.rpartition(".")
    for unit in program.plan.units:
        if unit.path != path or number not in unit.numbers_at or number in OF_CLOCKS:
            continue
        if number not in unit.block.rules() or unit.block.random or not _reads_only(unit, number):
            return {}
        place = next(p for p in unit.number_places if (p.number, p.role) == (number, "parameter"))
        indices = np.ndindex(place.shape)
        ends = (f"[{', '.join(map(str, index))}]" if index else "" for index in indices)
        return {f"{name}{end}": ("p", place.start + i) for i, end in enumerate(ends)}
    return {}


def refuse_number(program: Program, argument: str, name: str) -> None:
    """Raise AnalysisError for the name of a number that is none of those, but one of the diagram."""
    path, _, number = name.partition("[")[0].rpartition(".")
    blocks = {block.path: block.block for block in program.flat.blocks}
    if name in program.source.parameters:
        reason = "is a parameter of the diagram, from which blocks have their numbers"
    elif path in blocks and number in blocks[path].rules():
        reason = "is not a parameter that the equations of the block use unchanged"
    else:
        return
    expected = "a number that a block reads as it is, such as `k` of a Gain; `sensitivities` take all numbers"
    raise AnalysisError(f"{argument}: `{name}` {reason}", expected)


def _reads_only(unit: Unit, number: str) -> bool:
    """True if a function reads the number, and nothing else of the block depends on it."""
    asked = any(number in names for names in unit.names.values())
    return asked and as_it_is(unit, number)
