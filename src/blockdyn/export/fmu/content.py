"""The content of an FMU: the run of a diagram at its start, and the variables with their places in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...blocks.contract.units import element_units
from ...diagrams.compiler.plan.unit import HELD, Unit
from ...diagrams.compiler.tangents import tangent_of_program
from ...diagrams.compiler.variables import Variable
from ...diagrams.runs.prepared import PreparedRun
from ...native.tangent.frame import NotDifferentiable
from ...pages.live.controls import REFUSALS
from ...solvers.fields import WORD, Floats, Integers
from ...solvers.loop.run import Run
from ..image import image_of
from ..run import Export, with_tangents
from ..settable import Settable, Setting
from .instance import BEFORE_RUN, CHOSEN, CONTINUOUS, EVENT, INDICATOR, STEPS
from .library import Directions

IN_RUN = BEFORE_RUN | EVENT | STEPS
DURING = CHOSEN | IN_RUN


@dataclass(frozen=True)
class FmuVariable:
    """A variable of an FMU: a number.

    places      the words of the image that are its number; of a derivative -1 - the index of its state
    settable    the states in which it can be set, see `instance`
    derivative  of a derivative: the index of its state among the states, otherwise -1
    """

    name: str
    causality: str
    variability: str
    unit: str
    places: tuple[int, ...]
    start: float | None = None
    settable: int = 0
    derivative: int = -1
    text: str = ""

    @property
    def initial(self) -> str:
        """The attribute `initial`; the independent variable and inputs have none."""
        if self.causality in ("independent", "input"):
            return ""
        return "exact" if self.settable & ~INDICATOR else "calculated"


class Content:
    """The run and the variables of an FMU; `listed` if event indicators are variables, as in FMI 3.0."""

    def __init__(self, export: Export, *, listed: bool = False) -> None:
        self.export, self.program, self.listed = export, export.prepared.program, listed

    @cached_property
    def run(self) -> Run:
        """The run at its start, with the timer of touches and without rows between events."""
        return _run_of(self.export.prepared)

    @cached_property
    def variables(self) -> list[FmuVariable]:
        """The time, states, derivatives, inputs, outputs, logged signals and parameters; no name twice."""
        by_name: dict[str, FmuVariable] = {}
        parts = (
            self._time(),
            self._states(),
            self._inputs(),
            self._outputs(),
            self._signals(),
            self._parameters(),
        )
        for part in parts:
            for variable in part:
                by_name.setdefault(variable.name, variable)
        return [*by_name.values(), *self._indicators()]

    def first(self, array: str) -> int:
        """The index in the image of an array's first word."""
        part = self.run.memory if array in self.run.memory.fields else self.run.work
        return (part.place(array) - self.run.memory.address) // WORD

    def _variability(self, unit: Unit, port: str) -> str:
        """Discrete, or continuous; a tool may change inputs, and thus dependent signals, continuously."""
        held = unit.rate.get(port) == HELD and (unit.ticked or not self.program.inputs)
        return "discrete" if held else "continuous"

    # ---- kinds of variables ----

    def _time(self) -> Iterator[FmuVariable]:
        yield FmuVariable("time", "independent", "continuous", "s", (self.first("t"),))

    def _states(self) -> Iterator[FmuVariable]:
        """The states, then their derivatives."""
        numbers, at = self.run.memory.x, self.first("x")
        states = [
            FmuVariable(name, "local", "continuous", unit, (at + k,), float(numbers[k]), BEFORE_RUN)
            for name, unit, k in _elements(self.program.states)
        ]
        yield from states
        for k, state in enumerate(states):
            unit = f"{state.unit}/s" if state.unit and "/" not in state.unit else ""
            yield FmuVariable(f"der({state.name})", "local", "continuous", unit, (-1 - k,), derivative=k)

    def _inputs(self) -> Iterator[FmuVariable]:
        numbers, at = self.run.memory.p, self.first("p")
        units = self.program.plan.by_path
        for variable in self.program.inputs:
            base = units[variable.name].numbers_at["default"]
            for name, unit, k in _elements((replace(variable, index=base),)):
                settable = DURING | CONTINUOUS
                yield FmuVariable(name, "input", "continuous", unit, (at + k,), float(numbers[k]), settable)

    def _outputs(self) -> Iterator[FmuVariable]:
        at = self.first("w")
        for variable in self.program.output_ports:
            unit = self.program.plan.by_path[variable.name]
            base = unit.signals_at.get("y", -1)
            if base < 0:
                continue
            kind = self._variability(unit, "y")
            for name, text, k in _elements((replace(variable, index=base),)):
                yield FmuVariable(name, "output", kind, text, (at + k,))

    def _signals(self) -> Iterator[FmuVariable]:
        """The signals that the diagram logs."""
        at, columns = self.first("w"), self.export.prepared.columns
        for column in columns.signals:
            heading, kind = column.heading, self._variability(column.unit, column.port)
            variable = Variable(column.name, tuple(heading.shape), heading.unit, 0)
            for name, unit, k in _elements((variable,)):
                place = columns.elements[column.start + k]
                yield FmuVariable(name, "local", kind, unit, (at + place,))

    def _parameters(self) -> Iterator[FmuVariable]:
        """Numbers of the diagram and its blocks: tunable, or for the start of a run."""
        for setting in self._settings:
            kind, settable = ("tunable", DURING) if setting.tunable else ("fixed", CHOSEN | BEFORE_RUN)
            path = setting.path
            places = self.number_places[path], *setting.words[bool(setting.words) :], *setting.computed
            yield FmuVariable(path, "parameter", kind, setting.unit, places, setting.value, settable)

    def _indicators(self) -> Iterator[FmuVariable]:
        """The event indicators, which are last: instances identify them by that."""
        at, plan = self.first("g"), self.program.plan
        for q in range(self.indicators if self.listed else 0):
            text = f"event indicator of {plan.units[plan.crossing_owner[q][0]].path}"
            place = (at + q,)
            yield FmuVariable(
                f"crossing({q})", "local", "continuous", "", place, settable=INDICATOR, text=text
            )

    # ---- directional derivatives ----

    @cached_property
    def directions(self) -> Directions:
        """The tangents of variables: states, inputs and the time are known; derivatives, signals and event
        indicators are unknown.
        """
        try:
            code, cuts = tangent_of_program(self.program, "evaluate", 1)
        except NotDifferentiable:
            return Directions((), (), (), self.run.memory, None)
        seeds, answers = ([*map(place, self.variables)] for place in (self._seed, self._answer))
        return Directions(seeds, answers, cuts, self.run.memory, code)

    def _seed(self, variable: FmuVariable) -> tuple[str, int] | None:
        """The place of a variable's tangent, if it can be a known one."""
        place = variable.places[0]
        if variable.causality == "independent":
            return "time_d", 0
        if variable.causality == "input":
            return "p", place - self.first("p")
        is_state = variable.causality == "local" and 0 <= place - self.first("x") < self.states
        return ("states_d", place - self.first("x")) if is_state else None

    def _answer(self, variable: FmuVariable) -> tuple[str, int] | None:
        """The place of a variable's tangent, if it can be an unknown one."""
        place = variable.places[0]
        if variable.derivative >= 0:
            return "slopes_d", variable.derivative
        for name in ("w", "g"):
            if 0 <= place - self.first(name) < getattr(self.run.memory, name).size:
                return name, place - self.first(name)
        return None

    # ---- parameters ----

    @cached_property
    def settable(self) -> Settable:
        """The numbers that can be set, compared with the diagram."""

        def words_of(values: Mapping[str, float]) -> Integers | None:
            other = self.export.prepared_with(values)
            try:
                return None if other is None else image_of(_run_of(other)).words
            except REFUSALS:
                return None

        atol = self.export.prepared.request.atol
        words = image_of(self.run).words
        return Settable(self.program, self.run, words, words_of, atol=atol, states=False)

    @cached_property
    def _settings(self) -> list[Setting]:
        """The settable numbers but for initial values of blocks, which are the starts of states."""
        at, size = self.first("x"), self.run.memory.x.size
        states = range(at, at + size)
        return [
            setting
            for setting in self.settable.settings
            if setting.path in self.program.flat.parameters
            or not all(word in states for word in (*setting.words, *setting.computed))
        ]

    @cached_property
    def number_places(self) -> dict[str, int]:
        """By the path of a setting the index of the word that has its number; some follow the run's words."""
        size = image_of(self.run).words.size
        without = [setting.path for setting in self._settings if not setting.words]
        places = {setting.path: setting.words[0] for setting in self.settable.settings if setting.words}
        return places | {path: size + k for k, path in enumerate([*without, ""])}

    @cached_property
    def more(self) -> Floats:
        """The numbers of settings that are no word of the run; the last one is the absolute tolerance."""
        numbers = [setting.value for setting in self._settings if not setting.words]
        atol = self.export.prepared.request.atol
        return np.array([*numbers, atol if np.ndim(atol) == 0 else 0.0], np.float64)

    @cached_property
    def fixed(self) -> dict[str, Any]:
        """The numbers of the diagram and its blocks that no variable sets, by path."""
        names = {variable.name for variable in self.variables}
        bases = {name.partition("[")[0] for name in names}
        numbers = {name: value for name, value in self.program.flat.parameters.items() if name not in bases}
        for unit in self.program.plan.units:
            for name, rule in unit.block.rules().items():
                path, value = f"{unit.path}.{name}", getattr(unit.block, name)
                if rule.number and path not in bases and not self.settable.is_expression(unit.path, name):
                    numbers[path] = value
        bases |= {setting.path.partition("[")[0] for setting in self.settable.settings}
        return {name: value for name, value in numbers.items() if name not in bases and _is_numeric(value)}

    def reason(self, path: str) -> str:
        """The reason why a number is fixed."""
        return self.settable.reasons.get(path, "the code of the run depends on it")

    @cached_property
    def states(self) -> int:
        """Number of the states."""
        return int(self.run.memory.x.size)

    @cached_property
    def indicators(self) -> int:
        """Number of the event indicators."""
        return int(self.run.memory.g.size)

    @property
    def end(self) -> float:
        """The end of the run, s."""
        return self.export.prepared.settings.stop


def _run_of(prepared: PreparedRun) -> Run:
    """A run at its start, with the timer of touches and without rows between events."""
    memory = prepared.program.room(touched=True)
    prepared.begin(memory)
    run = Run(prepared.program.problem([], touched=True), prepared.settings, memory)
    run.work.refine = run.work.gridded = 0
    return with_tangents(run)


def _elements(variables: tuple[Variable, ...]) -> Iterator[tuple[str, str, int]]:
    """The name, the unit and the place of every element."""
    for variable in variables:
        units = element_units(variable.unit, variable.shape)
        for k, index in enumerate(np.ndindex(variable.shape)):
            yield _name_element(variable.name, index), units[k], variable.index + k


def _name_element(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def _is_numeric(value: object) -> bool:
    """True for a finite number, or an array of few."""
    if isinstance(value, (bool, str)) or value is None or callable(value):
        return False
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    return array.dtype.kind in "if" and 0 < array.size <= 64 and bool(np.all(np.isfinite(array)))
