"""Write values at the paths of a diagram to the memory of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.annotations import real_array
from ...base.words import short
from ...blocks.continuous.delayed import DelayBlock
from ...blocks.contract.block import STREAM, Block
from ...solvers.layout import Floats
from ...solvers.loop.run import Run, Settings as SolverSettings
from ..compiler.plan.layout import scales_of_unit
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
from ..model.errors import RunArgumentError
from ..model.settings import Settings
from ..runs.settings import solver_settings
from ..values.change import Change, NewNumbers, as_it_is
from ..values.overrides import changes
from ..values.resolve import resolve
from ..values.target import Target
from ..values.view import View


def refused_touch(path: str, value: object, problem: str, expected: str) -> RunArgumentError:
    """Return the error for a touch whose value changes more than numbers, or is invalid there."""
    text = f"touch of `{path}` with {short(value)}: {problem}"
    error = RunArgumentError("touches", value, expected, problem=text)
    error.path = path
    return error


@dataclass(frozen=True)
class TouchedValues:
    """Numbers that a touch writes, by array of the memory and place; the longest step, s, and the absolute
    tolerances from then on.
    """

    numbers: tuple[tuple[str, int, Floats], ...]
    settings: SolverSettings

    def into(self, run: Run) -> None:
        for name, at, values in self.numbers:
            getattr(run.memory, name)[at : at + values.size] = values
        run.work.h_max = self.settings.max_step
        run.work.atol[:] = self.settings.atol


class Retuning:
    """Finds the numbers of a running program that change with values at paths; nothing is compiled."""

    def __init__(self, program: Program, request: Settings) -> None:
        self._program, self._request = program, request
        self._view = View(program.source)
        self._targets: dict[str, Target] = {}
        self._changes: dict[tuple[Target, ...], Change] = {}

    @property
    def view(self) -> View:
        """The diagram, opened: the values that can be touched."""
        return self._view

    def written(self, touched: Mapping[str, Any], earlier: Mapping[str, Any]) -> TouchedValues:
        """The numbers that values by path write; earlier touches gave `earlier` values.

        Raises RunArgumentError, UnknownPath, BadParameter, RobotError.
        """
        targets = {path: self._target(path) for path in touched}
        for path, target in targets.items():
            if target.kind == "setting":
                expected = "the path of a parameter, an input or a state"
                raise refused_touch(path, touched[path], "a run keeps its settings", expected)
        states = {path for path, target in targets.items() if target.kind == "state"}
        numbers = [self._state(targets[path], touched[path]) for path in sorted(states)]
        values = merge_values(earlier, {path: value for path, value in touched.items() if path not in states})
        targets |= {path: self._target(path) for path in values if path not in targets}
        values = {path: value for path, value in values.items() if targets[path].kind != "state"}
        changed = self._changed({path: targets[path] for path in values}, values)
        for each in changed:
            numbers += _parameters(each)
        return TouchedValues(tuple(numbers), self._settings(changed))

    def acts(self, path: str) -> bool:
        """True if a running simulation still reads the value at this path.

        The `level` of an integrator without a reset and a parameter that no expression uses have no effect.
        """
        target = self._target(path)
        if target.kind == "state":
            return True
        change = self._change(target)
        return any(is_read(unit, change.reach.fields[unit.path]) for unit in change.units)

    def _target(self, path: str) -> Target:
        """The target that a path names, looked up once: a slider needs it sixty times a second."""
        if path not in self._targets:
            self._targets[path] = resolve(self._view, path)
        return self._targets[path]

    def _change(self, *targets: Target) -> Change:
        """The change by values of targets, found once."""
        if targets not in self._changes:
            self._changes[targets] = Change.of(self._program, targets)
        return self._changes[targets]

    def _settings(self, changed: Sequence[NewNumbers]) -> SolverSettings:
        """The settings of the run with these blocks in place of others."""
        blocks = {each.unit.index: each.block for each in changed}
        units = self._program.plan.units
        allowed = min((blocks.get(u.index, u.block).longest_step() for u in units), default=np.inf)
        scales = {each.unit.index: scales_of_unit(each.unit, each.numbers) for each in changed}
        return solver_settings(self._program, self._request, allowed=allowed, scales=scales)

    def _changed(self, targets: Mapping[str, Target], values: Mapping[str, Any]) -> list[NewNumbers]:
        """The blocks that values reach, with their numbers; each is the same code as before."""
        flat, source = self._program.flat, self._program.source
        parameters = {name: value for name, value in flat.overriding.items() if name not in values}
        meant = changes(source, parameters, merge_values(flat.changed, values), view=self._view)
        change = self._change(*targets.values())
        changed = list(change.numbers(meant))
        for each in changed:
            path = next(p for p, t in targets.items() if each.unit.path in self._change(t).reach.blocks)
            _check(each, change.reach.fields[each.unit.path], path, values[path])
        return changed

    def _state(self, target: Target, value: object) -> tuple[str, int, Floats]:
        """Place of a state, and the numbers that are written there."""
        place = self._program.plan.by_path[target.block].state_place(target.name)
        shape = place.shape
        try:
            array = real_array(value)
            target_shape = () if target.steps else shape
            numbers = np.broadcast_to(array.ravel()[0] if array.size == 1 else array, target_shape).ravel()
            if not np.all(np.isfinite(numbers)):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            expected = f"finite numbers of shape {shape}" if shape and not target.steps else "a finite number"
            raise refused_touch(target.path, value, "not a valid value of the state", expected) from None
        index: Any = target.steps[0] if target.steps else None
        return place.array, place.element(index), numbers


def merge_values(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """Values by path, the later ones in place of the values that they cover: `gains` covers `gains[1]`."""
    covering = tuple(f"{path}{mark}" for path in later for mark in "[.")
    remaining = {path: value for path, value in earlier.items() if not path.startswith(covering)}
    return {**{path: value for path, value in remaining.items() if path not in later}, **later}


def _check(new: NewNumbers, changed: frozenset[str], path: str, value: object) -> None:
    """Raise RunArgumentError for a change that is impossible after the start of a run."""
    unit = new.unit
    if isinstance(unit.block, DelayBlock):
        problem = f"{unit.path} has kept its input for the delay with which it began"
        raise refused_touch(path, value, problem, "a number of another block")
    if only_begins(unit, changed):
        states = ", ".join(f"`{unit.path}.{state.name}`" for state in unit.block.states)
        raise refused_touch(path, value, "it is only an initial value, and the run has begun", states)
    if not new.alike:
        problem = f"it changes the structure of {unit.path}, not only numbers"
        raise refused_touch(path, value, problem, "another run, with this value from the start (`set`)")
    if times(unit.block) != times(new.block):
        problem = f"the instants of {unit.path} are fixed before a run begins"
        raise refused_touch(path, value, problem, "another run, with this value from the start (`set`)")


def only_begins(unit: Unit, names: frozenset[str]) -> bool:
    """True if these parameters are initial values of states or held outputs, and nothing else."""
    initial = {*(state.initial for state in unit.block.states), unit.shown_first}
    initial |= {unknown.start for unknown in unit.unknowns.values()}
    return bool(names) and names <= initial and names.isdisjoint(_arguments(unit))


def is_read(unit: Unit, names: frozenset[str]) -> bool:
    """True if a running simulation still reads one of these parameters, or a value computed from it."""
    if not as_it_is(unit, *names):
        return not only_begins(unit, names)
    return not names.isdisjoint(_arguments(unit))


def _arguments(unit: Unit) -> set[str]:
    """The names of the arguments of a unit's functions."""
    return {name for arguments in unit.names.values() for name in arguments}


def times(block: Block) -> Any:
    """Instants of a block: its timer, its sample time."""
    timer = block.timers()
    clock = (block.numbers()["sample_time"], block.numbers()["offset"]) if block.sampled else None
    return (timer if timer is None or not timer.next else timer.next), clock


def _parameters(new: NewNumbers) -> Iterator[tuple[str, int, Floats]]:
    """The numbers of a block in p, except arrays that the run changes."""
    for place in new.unit.number_places:
        random = place.number == STREAM and new.block.random
        if place.role == "parameter" and place.number not in new.unit.changing and not random:
            yield "p", place.start, np.ravel(np.asarray(new.numbers[place.number], np.float64)).copy()
