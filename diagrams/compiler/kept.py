"""Kept: the program of a diagram that is as it was when it was compiled, so that it runs again at once."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ...blocks.contract.callback import Callback
from ...blocks.contract.formula import Formula
from ...native.readings import Readings
from ..model.subsystem import Subsystem

if TYPE_CHECKING:
    from ..model.diagram import Diagram
    from .program import Program

PLAIN = (str, int, float, NoneType)
"""Types of settings that cannot change in their place."""
_programs: WeakKeyDictionary[Diagram, tuple[str | None, Program, Readings]] = WeakKeyDictionary()


def unchanged(diagram: Diagram, loops: str | None) -> Program | None:
    """The program, where nothing has changed, and nothing can have that is not seen here.

    Blocks never change. What functions of users read is compared with what they read then. Lists, arrays and
    mappings among the settings may change in their place: such programs are made anew.
    """
    asked, program, readings = _programs.get(diagram, (None, None, None))
    if program is None or readings is None or not isinstance(loops, (str, NoneType)) or asked != loops:
        return None
    settings = diagram.simulation.values()
    if "text" not in vars(program) or len(program.callbacks):
        return None
    if not all(isinstance(value, PLAIN) for value in settings):
        return None
    return program if _same(vars(diagram), vars(program.source)) and readings.unchanged() else None


def keep(diagram: Diagram, loops: str | None, program: Program) -> Program:
    """The program, kept as long as the diagram is there, if all that its functions read can be compared."""
    _programs.pop(diagram, None)
    units = program.plan.units
    functions = [function for unit in units for function in unit.functions.values() if callable(function)]
    readings = Readings(
        [function for function in functions if not isinstance(function, (Formula, Callback))],
        {type(unit.block) for unit in units},
    )
    if readings.comparable and not program.plan.owned:
        _programs[diagram] = loops, program, readings
    return program


def _same(mine: Any, theirs: Any) -> bool:
    """Whether two things are one, or hold the same in the same order."""
    if mine is theirs:
        return True
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, Mapping):
        return [*mine] == [*theirs] and all(_same(mine[key], theirs[key]) for key in mine)
    if isinstance(mine, (list, tuple)):
        return len(mine) == len(theirs) and all(map(_same, mine, theirs))
    if isinstance(mine, Subsystem):
        return _same(mine.overrides, theirs.overrides) and _same(vars(mine.diagram), vars(theirs.diagram))
    return isinstance(mine, (str, int, float)) and bool(mine == theirs)
