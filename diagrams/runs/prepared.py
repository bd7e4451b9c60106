"""Check the arguments of a run and create its arrays and functions, once for similar runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.annotations import of_truth, real_array
from ...base.words import nearest
from ...blocks.continuous.delayed import DelayBlock
from ...solvers.layout import Floats, Memory
from ...solvers.loop.compiled import native_loop
from ...solvers.loop.entry import Calls, compiled_calls, plain_calls
from ...solvers.loop.run import Run, Settings as SolverSettings
from ..compiler.interpret import Interpreter
from ..compiler.program import Program
from ..compiler.variables import Place, places
from ..model.diagram_error import DiagramError
from ..model.errors import RunArgumentError
from ..model.inputs import require_given
from ..model.settings import SETTINGS, Settings
from .logged import Columns, make_columns
from .settings import make_settings, solver_settings
from .waiting import make_writer, waiting

if TYPE_CHECKING:
    from ..model.touch import Touch
    from ..touches.retuning import TouchedValues

REMEMBERED = 32  # sets of arguments that a program keeps ready


@dataclass(frozen=True)
class PreparedRun:
    """A program with checked arguments."""

    program: Program
    request: Settings
    settings: SolverSettings
    columns: Columns
    initial: list[tuple[Place, Floats]]
    touches: tuple[tuple[Touch, TouchedValues], ...] = ()

    @cached_property
    def _idle(self) -> deque[tuple[Run, Calls, PreparedRun]]:
        """Arrays that these runs can use, with the functions that advance them and their last user."""
        if not (self.settings.method.compiled and self.request.compiled):
            return deque(maxlen=0)
        layout = self.settings.method, self.settings.log_states, self._apart, bool(self.touches)
        idle: deque[tuple[Run, Calls, PreparedRun]] = self.program.shared.setdefault(layout, deque(maxlen=16))
        return idle

    @property
    def _apart(self) -> bool:
        """True if rows may have only held signals."""
        return self.request.stream is None and self.settings.refine <= 1

    def begin(self, memory: Memory) -> None:
        """Write the initial numbers of the run into zeroed memory."""
        request = self.request
        self.program.numbers.begin(memory, self.program.plan, request.seed or 0, request.scenario)
        for where, values in self.initial:
            getattr(memory, where.array)[where.place] = values

    def run(self) -> tuple[Run, Calls]:
        """Arrays at the start of a run, and the functions that advance it."""
        try:
            run, made, user = self._idle.pop()
        except IndexError:
            run = self.arrays()
            return run, calls(self.program, run, self.request)
        if user is self:
            run.reset()
        else:
            run.start(self.settings, self.begin)
        return run, made

    def arrays(self) -> Run:
        """Separate arrays at the start of a run, without the functions that advance it."""
        touched, compiled = bool(self.touches), self.request.compiled
        problem = self.program.problem(
            self.columns.elements, apart=self._apart, touched=touched, compiled=compiled
        )
        memory = self.program.room(touched=touched)
        self.begin(memory)
        return Run(problem, self.settings, memory)

    def release(self, run: Run, calls: Calls) -> None:
        """Keep the arrays of a compiled run."""
        self._idle.append((run, calls, self))


def prepare_run(program: Program, arguments: Mapping[str, Any]) -> PreparedRun:
    """A run's settings, checked, and its program; cached for the same arguments.

    Raises RunArgumentError, and DiagramError for names in `log`; of several errors, all.
    """
    arguments = {name: value for name, value in arguments.items() if value is not None}
    try:
        key = tuple((name, _hashable(value)) for name, value in sorted(arguments.items()))
        prepared = program.prepared.get(key)
    except TypeError:  # lists and arrays are not hashable
        return _make(program, arguments)
    if prepared is None:
        prepared = _make(program, arguments)
        if len(program.prepared) >= REMEMBERED:
            program.prepared.clear()
        program.prepared[key] = prepared
    return prepared


def _hashable(value: object) -> Any:
    """A list or mapping as a key for the settings derived from it."""
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value


def _make(program: Program, arguments: dict[str, Any]) -> PreparedRun:
    try:
        return _check_arguments(program, arguments)
    except (RunArgumentError, DiagramError):
        from .wrong_arguments import report_all

        report_all(lambda arguments: _check_arguments(program, arguments), arguments)
        raise


def _check_arguments(program: Program, arguments: dict[str, Any]) -> PreparedRun:
    request = make_settings(program, arguments)
    if request.log is not None:
        program = _with_log(program, list(request.log))
    if request.inputs:
        program = program.with_inputs(request.inputs)
    require_given(program.flat)
    settings = solver_settings(program, request)
    initial = initial_states(program, request.initial, settings.start)
    touches: tuple[tuple[Touch, TouchedValues], ...] = ()
    if request.touches is not None:
        from ..touches.course import ready

        touches = ready(program, request)
    return PreparedRun(program, request, settings, make_columns(program), initial, touches)


def _with_log(program: Program, log: list[str]) -> Program:
    """The program with other logged signals; programs with the same text share one."""
    names, logged = program.shared.get("logged", (None, None))
    if names == log:
        flat = program.flat
        again: Program | None = logged.with_blocks(
            {block.path: block.block for block in flat.blocks}, parameters=flat.parameters,
            changed=flat.changed, overriding=flat.overriding, simulation=flat.simulation,
        )  # fmt: skip
        if again is not None:
            return again
    logged = program.with_log(log)
    program.shared["logged"] = log, logged
    return logged


def initial_states(
    program: Program, initial: Mapping[str, Any] | None, start: float
) -> list[tuple[Place, Floats]]:
    """Place and numbers of every state and sampled output with another initial value.

    Histories of delays are moved to the start of the run. Raises RunArgumentError.
    """
    if initial is None:
        return []
    SETTINGS["initial"].read(initial)
    named = {place.name: place for place in places(program.plan)}
    numbers: dict[str, Floats] = {}
    for path, value in initial.items():
        if path not in named:
            examples = ", ".join(list(named)[:8]) + (" ..." if len(named) > 8 else "")
            expected = f"the path of a state, or of an output of a sampled block{nearest(str(path), named)};"
            raise RunArgumentError(f"initial[{path!r}]", value, f"{expected} there are {examples or 'none'}")
        numbers[path] = _numbers(path, value, named[path])
    for unit in program.plan.units:
        if isinstance(unit.block, DelayBlock):
            paths = {state.name: f"{unit.path}.{state.name}" for state in unit.block.states}
            states = {name: numbers[path] for name, path in paths.items() if path in numbers}
            numbers |= {paths[name]: value for name, value in unit.block.continued(states, start).items()}
    return [(named[path], value) for path, value in numbers.items()]


def _numbers(path: str, value: object, place: Place) -> Floats:
    """The numbers of a state; a held state may be infinite, such as the time of an event that never comes."""
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


def calls(program: Program, run: Run, request: Settings) -> Calls:
    """The functions that advance a run: machine code, or the loop in Python over the program's functions."""
    if run.method.compiled and request.compiled:
        with waiting(make_writer(request.progress)):
            native_loop(run.method.steps)  # first: it takes longest, and the progress line names the first
            return compiled_calls(program.addresses, run)
    from ...solvers.backend import interpreted
    from ...solvers.loop.loop import build

    backend = interpreted(*_python_functions(program, run, request))
    return plain_calls(lambda steps: build(backend, steps), run)


def _python_functions(program: Program, run: Run, request: Settings) -> Any:
    """The program's functions as Python callables: compiled ones called by address, or the interpreter's."""
    if request.compiled:
        from ...solvers.addressed import callables

        return callables(program.addresses)
    judge = Interpreter(program.plan, program.instructions)
    run.judge = judge
    return judge.derivative, judge.evaluate, judge.update, judge.react, judge.observe, judge.remember
