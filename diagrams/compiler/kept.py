"""Keep the program of an unchanged diagram, so that it runs again at once."""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...blocks.contract.callback import Callback
from ...blocks.contract.formula import Formula
from ...blocks.contract.owned import Foreign
from ...native.fingerprint import Readings, of_library
from ..model.subsystem import Subsystem, copied

if TYPE_CHECKING:
    from ..model.diagram import Diagram
    from .plan.unit import Unit
    from .program import Program

PLAIN = (str, int, float, NoneType, np.generic)
"""Types of settings that cannot change in their place."""
_failures: WeakKeyDictionary[Diagram, tuple[str | None, Diagram]] = WeakKeyDictionary()
_programs: WeakKeyDictionary[Diagram, tuple[str | None, Program, Dependencies]] = WeakKeyDictionary()


class Dependencies(NamedTuple):
    """Values on which a program depends.

    `definitions` are values of the classes of blocks and of their functions, whose defaults are numbers of
    the block; `reads` are all that functions refer to, by the path of the block and the role.
    """

    definitions: Readings
    reads: dict[tuple[str, str], Readings]

    def unchanged(self, in_python: Container[tuple[str, str]]) -> bool:
        """True if all is unchanged. Names read by functions that Python runs do not belong to the program."""
        compiled = (readings for place, readings in self.reads.items() if place not in in_python)
        return self.definitions.unchanged() and all(readings.unchanged() for readings in compiled)


def find_program(diagram: Diagram, loops: str | None) -> Program | None:
    """The program, if nothing has changed, and no change can have gone unnoticed.

    Blocks never change. The values that users' functions read, and settings, are compared with the earlier
    ones.
    """
    asked, program, dependencies = _programs.get(diagram, (None, None, None))
    if program is None or dependencies is None or not isinstance(loops, (str, NoneType)) or asked != loops:
        return None
    if not is_kept(diagram):
        return None
    in_python = program.callbacks if "text" in vars(program) else ()
    same = _same(vars(diagram), vars(program.source)) and dependencies.unchanged(in_python)
    return program if same else None


def is_kept(diagram: Diagram) -> bool:
    """True if a change of any setting of a diagram is detected."""
    return all(map(_comparable, diagram.simulation.values()))


def _comparable(setting: Any) -> bool:
    """True if a change of a setting in place is detected: copies hold its lists, mappings and arrays."""
    if type(setting) is dict:
        return all(map(_comparable, (*setting, *setting.values())))
    if type(setting) in (list, tuple):
        return all(map(_comparable, setting))
    return isinstance(setting, PLAIN) or (type(setting) is np.ndarray and setting.dtype != object)


def fails(diagram: Diagram, loops: str | None) -> bool:
    """True if the diagram is unchanged since its values were found to be wrong."""
    asked, earlier = _failures.get(diagram, (None, None))
    return earlier is not None and asked == loops and _same(vars(diagram), vars(earlier))


def keep_failure(diagram: Diagram, loops: str | None) -> None:
    """Record that the values of the diagram are wrong."""
    _failures[diagram] = loops, copied(diagram)


def keep(diagram: Diagram, loops: str | None, program: Program) -> Program:
    """The program, kept as long as the diagram exists, if all that its blocks read can be compared."""
    _programs.pop(diagram, None)
    units = program.plan.units
    functions = {(unit.path, role): each for unit in units for role, each in _functions(unit).items()}
    plain = [each for each in functions.values() if isinstance(each, FunctionType)]
    definitions = Readings(classes={type(unit.block) for unit in units}, definitions=plain)
    if definitions.comparable:
        reads = {place: Readings([function]) for place, function in functions.items()}
        _programs[diagram] = loops, program, Dependencies(definitions, reads)
    return program


def _functions(unit: Unit) -> dict[str, Any]:
    """The functions of a unit that a user wrote, or that hold others, by role."""
    functions = {}
    for role, each in unit.functions.items():
        function = each.function if isinstance(each, Callback) else getattr(each, "py_func", each)
        function = getattr(function, "__func__", function)
        written = callable(function) and not isinstance(function, (Formula, Foreign))
        if written and (getattr(function, "__closure__", None) or not of_library(function.__module__)):
            functions[role] = function
    return functions


def _same(mine: Any, theirs: Any) -> bool:
    """True if two values are one object, or contain equal values in the same order."""
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
    if isinstance(mine, np.ndarray):
        return mine.dtype == theirs.dtype and np.array_equal(mine, theirs)
    return isinstance(mine, PLAIN) and bool(mine == theirs)
