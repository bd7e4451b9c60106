"""Simulate: a run advanced until it ends, its rows made a Result."""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...base.errors import BlockdynError
from ...solvers import layout
from ...solvers.loop.compiled import native_loop
from ...solvers.loop.entry import Calls, compiled_calls, plain_calls
from ...solvers.loop.run import Run, Settings as SolverSettings
from ..compiler.interpret import Interpreter
from ..compiler.program import Program
from ..compiler.variables import Place
from ..model.argument_errors import RunArgumentError
from ..model.diagram_error import DiagramError
from ..model.open_inputs import require_given
from ..model.run_errors import LogFull
from ..model.settings import Settings
from ..results.errors import ResultFileError
from .diagnose import explain, out_of_time, stopped_by
from .initial_states import initial_states
from .interruption import terminable
from .logged import Columns, make_columns
from .outcome import Recorder
from .owned import Owned, make_owned
from .settings import make_settings, solver_settings
from .waiting import aloud, waiting

if TYPE_CHECKING:
    from ..model.touch import Touch
    from ..results.result import Result
    from ..touches.retuning import Written

SLICE = 0.1  # s of computing between two looks at the keyboard
INTERRUPTED, REFUSED, TIME_UP, STUCK = -1, -2, -3, -4  # how a run ends besides what solvers.layout lists
REMEMBERED = 32  # sets of arguments that a program keeps ready


@dataclass(frozen=True)
class Prepared:
    """A program with checked arguments, and the arrays of earlier runs to use again."""

    program: Program
    request: Settings
    settings: SolverSettings
    columns: Columns
    initial: list[tuple[Place, layout.Floats]]
    touches: tuple[tuple[Touch, Written], ...] = ()
    idle: deque[tuple[Run, Calls]] = field(default_factory=lambda: deque(maxlen=16))

    def run(self) -> tuple[Run, Calls]:
        """Arrays at the start of a run, and the functions that advance it."""
        try:
            run, made = self.idle.pop()
        except IndexError:
            touched = bool(self.touches)
            seed, scenario = self.request.seed or 0, self.request.scenario
            memory = self.program.memory(seed, scenario, touched=touched)
            for where, values in self.initial:
                getattr(memory, where.array)[where.place] = values
            apart = self.request.stream is None and self.settings.refine <= 1
            problem = self.program.problem(
                self.columns.elements, apart=apart, touched=touched, compiled=self.request.compiled
            )
            run = Run(problem, self.settings, memory)
            return run, calls(self.program, run, self.request)
        run.reset()
        return run, made

    def release(self, run: Run, calls: Calls) -> None:
        """Keep the arrays of a compiled run."""
        if self.settings.method.compiled and self.request.compiled:
            self.idle.append((run, calls))


def simulate(program: Program, **arguments: Any) -> Result:
    """Run a program. See `Diagram.simulate` for the arguments and the exceptions."""
    prepared = prepare_run(program, arguments)
    run, calls = prepared.run()
    recorder = Recorder(prepared.program, prepared.request, prepared.settings, prepared.columns)
    perform = _complete_run if recorder.stream is None else _streamed
    with make_owned(prepared.program, run.memory.p) as owned:
        if prepared.request.max_time is not None:
            return _limited(prepared, run, calls, recorder, perform, owned)
        result = perform(prepared, run, calls, recorder)
    prepared.release(run, calls)
    return result


def _limited(
    prepared: Prepared, run: Run, calls: Calls, recorder: Recorder, perform: Callable[..., Result],
    owned: Owned,
) -> Result:  # fmt: skip
    """A run that may take so much wall-clock time. Raises TimeLimit."""
    from .limited import Limited

    seconds = prepared.request.max_time
    assert seconds is not None
    limited = Limited(run, calls, prepared.program, seconds, recorder.compiler)
    try:
        result = perform(prepared, run, (limited.begin, limited.advance), recorder)
    finally:
        limited.end()
        if limited.abandoned:
            owned.leave()
    if not limited.abandoned:
        prepared.release(run, calls)
    return result


def _complete_run(prepared: Prepared, run: Run, calls: Calls, recorder: Recorder) -> Result:
    with terminable(ends=False):
        status = _drive(prepared, run, calls, recorder)
    return _finish(prepared.program, run, status, recorder, prepared.request)


def _streamed(prepared: Prepared, run: Run, calls: Calls, recorder: Recorder) -> Result:
    """A run whose file is closed however it ends."""
    assert recorder.stream is not None
    with terminable(ends=True):
        try:
            return _complete_run(prepared, run, calls, recorder)
        finally:
            if not recorder.stream.finished:
                recorder.result(
                    run, complete=False, by="interrupt", message=f"cut short at t = {run.time!r} s"
                )


def prepare_run(program: Program, arguments: Mapping[str, Any]) -> Prepared:
    """A run's settings, checked, and its program; asked for again, the same.

    Raises RunArgumentError, and DiagramError for names in `log`; of several errors, all.
    """
    arguments = {name: value for name, value in arguments.items() if value is not None}
    try:
        key = tuple((name, _hashable(value)) for name, value in sorted(arguments.items()))
        prepared = program.prepared.get(key)
    except TypeError:  # lists and arrays are no keys
        return _make(program, arguments)
    if prepared is None:
        prepared = _make(program, arguments)
        if len(program.prepared) >= REMEMBERED:
            program.prepared.clear()
        program.prepared[key] = prepared
    return prepared


def _hashable(value: Any) -> Any:
    """A list or mapping as something to find what was made of it by."""
    if isinstance(value, dict):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value


def _make(program: Program, arguments: dict[str, Any]) -> Prepared:
    try:
        return _checked(program, arguments)
    except (RunArgumentError, DiagramError):
        from .wrong_arguments import tell_all

        tell_all(lambda arguments: _checked(program, arguments), arguments)
        raise


def _checked(program: Program, arguments: dict[str, Any]) -> Prepared:
    request = make_settings(program, arguments)
    if request.log is not None:
        program = program.with_log(list(request.log))
    if request.inputs:
        program = program.with_inputs(request.inputs)
    require_given(program.flat)
    settings = solver_settings(program, request)
    initial = initial_states(program, request.initial)
    touches: tuple[tuple[Touch, Written], ...] = ()
    if request.touches is not None:
        from ..touches.course import ready

        touches = ready(program, request)
    return Prepared(program, request, settings, make_columns(program), initial, touches)


def calls(program: Program, run: Run, request: Settings) -> Calls:
    """The functions that advance a run: machine code, or the loop in Python over the program's functions."""
    if run.method.compiled and request.compiled:
        with waiting(aloud(request.progress)):
            native_loop(run.method.steps)  # first: it takes longest, and the line says what it begins with
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


def _drive(prepared: Prepared, run: Run, calls: Calls, recorder: Recorder) -> int:
    """Advance until the run ends; between slices look at the keyboard and show progress."""
    program = prepared.program
    begin, advance = calls
    budget, began = 1000, clock.perf_counter()
    program.callbacks.failure()
    program.callbacks.costs()
    run.taking_over = recorder.compiler
    try:
        status = begin()
        if prepared.touches and status == 0:
            status = _touched(prepared, run, calls, recorder)
        while status in (0, layout.FULL, layout.PAUSED):
            if status == layout.FULL:
                recorder.take(run)
            run.work.budget = budget
            before = clock.perf_counter()
            status = advance()
            spent = clock.perf_counter() - before
            if status == layout.DONE:
                break
            if status == layout.PAUSED:
                budget = int(min(1e8, max(10, budget * min(10.0, SLICE / max(spent, 1e-6)))))
            recorder.show_progress(run, clock.perf_counter() - began)
        recorder.take(run, last=True)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (ResultFileError, LogFull) as refusal:
        recorder.refusal, status = refusal, REFUSED
    if status == INTERRUPTED:
        _rescue(run, recorder)
    recorder.wall = clock.perf_counter() - began - recorder.compiler.seconds
    recorder.costs = program.callbacks.costs()
    return status


def _touched(prepared: Prepared, run: Run, calls: Calls, recorder: Recorder) -> int:
    """On to the last touch of the run. Returns the status there, or that with which the run has ended."""
    from ..touches.course import Course

    course = Course(prepared.program, run, calls, recorder.take)
    status = 0
    for touch, written in prepared.touches:
        status = course.land(touch.at)
        if status == 0:
            status = course.touch(written)
        if status not in (0, layout.FULL, layout.PAUSED):
            break
    return status


def _rescue(run: Run, recorder: Recorder) -> None:
    """What was logged before an interrupt, where it can still be kept."""
    try:
        recorder.take(run, last=True)
    except ResultFileError as refusal:
        recorder.refusal = refusal


def _finish(program: Program, run: Run, status: int, recorder: Recorder, request: Settings) -> Result:
    recorder.end_progress()
    failure = program.callbacks.failure()
    if run.judge is not None and run.judge.failure is not None:
        failure = run.judge.failure
    if status == INTERRUPTED or (failure is not None and isinstance(failure[1], KeyboardInterrupt)):
        return recorder.result(
            run, complete=False, by="interrupt", message=f"interrupted at t = {run.time!r} s"
        )
    if status == layout.DONE:
        return recorder.result(run, complete=True, by=None, message="reached the stop time")
    if status == layout.STOPPED:
        recorder.note_end(run)
        path, failed = stopped_by(program, run)
        if failed is None:
            return recorder.result(
                run, complete=True, by=path, message=f"{path} ended the run at t = {run.time!r} s"
            )
        error: BlockdynError = failed
    elif status == REFUSED and recorder.refusal is not None:
        error = recorder.refusal
    elif status in (TIME_UP, STUCK):
        assert request.max_time is not None
        error = out_of_time(program, run, request.max_time, failure, stuck=status == STUCK)
    else:
        error = explain(program, run, status, failure)
    if status in (layout.CROWDED_EVENTS, layout.CHATTERING) and request.on_zeno == "stop":
        return recorder.result(run, complete=False, by="events", message=str(error))
    error.partial = recorder.result(run, complete=False, by="error", message=str(error))
    raise error
