"""Find the places where functions of a user's blocks jump without an event."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType

from ...blocks.contract.equations import argument_paths
from .function_source import plain_python
from .jumps import Branch, branches
from .plan.unit import HELD, Unit
from .program import Program

SHOWN = 3  # places of one block


def branch_notices(program: Program) -> Iterator[str]:
    """One sentence for every block whose own functions jump where the solver sees no event."""
    for unit, places in branching(program):
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        yield (
            f"{unit.path} branches on {', '.join(map(str, places[:SHOWN]))}{more}: no event marks that"
            " place, so that steps go across it and shrink there; write it with what has events"
            " (Expression, Switch, Compare, Relay), or as a class with a mode and a crossing"
        )


def branching(program: Program) -> Iterator[tuple[Unit, list[Branch]]]:
    """The blocks whose own functions jump where the solver sees no event, and the places."""
    if not program.plan.states:
        return  # no state, no error control: nothing is cut short
    for unit in program.plan.units:
        places = list(dict.fromkeys(_branches_of(unit)))
        if places:
            yield unit, places


def _branches_of(unit: Unit) -> Iterator[Branch]:
    block = unit.block
    if type(block).__module__.startswith("blockdyn.") and not written_functions(unit):
        return
    if unit.ticked or unit.mode_count or unit.crossing_slots:
        return
    names = {*unit.inputs, *(state.name for state in block.states), "t"}
    flows = any(rate != HELD for rate in unit.rate.values())
    for role, function in written_functions(unit).items():
        if role == "derivative" or (role.startswith("output") and flows):
            paths = argument_paths(unit.functions[role])
            yield from branches(function, {path for path, name in paths if name in names})


def written_functions(unit: Unit) -> dict[str, FunctionType]:
    """The functions that a user wrote, by role."""
    plain = {role: plain_python(function) for role, function in unit.functions.items()}
    return {role: function for role, function in plain.items() if function is not None}
