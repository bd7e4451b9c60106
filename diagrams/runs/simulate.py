"""A run advances until it ends, and its rows become a Result."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Never, Unpack

from ...base.errors import BlockdynError
from ...solvers import layout
from ...solvers.loop.entry import Calls
from ...solvers.loop.run import Run
from ..compiler.program import Program
from ..model.diagram import Diagram
from ..model.errors import RunArgumentError
from ..model.run_errors import LogFull
from ..model.settings import Arguments, Settings, takes_settings
from ..results.errors import ResultFileError
from .diagnose import explain, out_of_time, stopped_by
from .interruption import terminable
from .outcome import Recorder
from .owned import RunInstances, make_owned_objects
from .prepared import PreparedRun, prepare_run
from .wrong_arguments import report_with

if TYPE_CHECKING:
    from ..results.result import Result

SLICE = 0.1  # s of computing between two checks of the keyboard
INTERRUPTED, REFUSED, TIME_UP, STUCK = -1, -2, -3, -4  # ends of a run besides those in solvers.layout


@takes_settings
def simulate(program: Program, /, **arguments: Unpack[Arguments]) -> Result:
    """Run; arguments, defaults and exceptions are as for `Diagram.simulate`."""
    prepared = prepare_run(program, arguments)
    run, calls = prepared.run()
    recorder = Recorder(prepared.program, prepared.request, prepared.settings, prepared.columns)
    perform = _complete_run if recorder.stream is None else _run_to_file
    with make_owned_objects(prepared.program, run.memory.p) as owned:
        if prepared.request.max_time is not None:
            return _run_with_limit(prepared, run, calls, recorder, perform, owned)
        result = perform(prepared, run, calls, recorder)
    prepared.release(run, calls)
    return result


def _run_with_limit(
    prepared: PreparedRun, run: Run, calls: Calls, recorder: Recorder, perform: Callable[..., Result],
    owned: RunInstances,
) -> Result:  # fmt: skip
    """A run with a limit of wall-clock time. Raises TimeLimit."""
    from .limited import TimeLimitedRun

    seconds = prepared.request.max_time
    assert seconds is not None
    limited = TimeLimitedRun(run, calls, prepared.program, seconds, recorder.compiler)
    try:
        result = perform(prepared, run, (limited.begin, limited.advance), recorder)
    finally:
        limited.end()
        if limited.abandoned:
            owned.leave()
    if not limited.abandoned:
        prepared.release(run, calls)
    return result


def _complete_run(prepared: PreparedRun, run: Run, calls: Calls, recorder: Recorder) -> Result:
    with terminable(ends=False):
        status = _drive(prepared, run, calls, recorder)
    return _finish(prepared.program, run, status, recorder, prepared.request)


def _run_to_file(prepared: PreparedRun, run: Run, calls: Calls, recorder: Recorder) -> Result:
    """A run whose file is closed in every case."""
    assert recorder.stream is not None
    with terminable(ends=True):
        try:
            return _complete_run(prepared, run, calls, recorder)
        finally:
            if not recorder.stream.finished:
                recorder.result(
                    run, complete=False, by="interrupt", message=f"cut short at t = {run.time!r} s"
                )


def _drive(prepared: PreparedRun, run: Run, calls: Calls, recorder: Recorder) -> int:
    """Advance until the run ends; between slices check the keyboard and show progress."""
    program = prepared.program
    begin, advance = calls
    budget, began = 1000, clock.perf_counter()
    program.active_callbacks.failure()
    program.active_callbacks.costs()
    run.taking_over = recorder.compiler
    try:
        status = begin()
        if prepared.touches and status == 0:
            status = _run_with_touches(prepared, run, calls, recorder)
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
    recorder.costs = program.active_callbacks.costs()
    return status


def _run_with_touches(prepared: PreparedRun, run: Run, calls: Calls, recorder: Recorder) -> int:
    """Continue to the last touch of the run. Returns the status there, or the run's final status."""
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
    """Take the rows logged before an interrupt, if they can still be kept."""
    try:
        recorder.take(run, last=True)
    except ResultFileError as refusal:
        recorder.refusal = refusal


def _finish(program: Program, run: Run, status: int, recorder: Recorder, request: Settings) -> Result:
    recorder.end_progress()
    failure = program.active_callbacks.failure()
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


@takes_settings
def simulate_diagram(
    diagram: Diagram,
    /,
    *values: Never,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    **arguments: Unpack[Arguments],
) -> Result:
    """Compile and run. Omitted arguments have the diagram's own settings, or the defaults in brackets.

    {settings}

    parameters, set   other values of parameters, see `compile`

    Raises DiagramError, RunArgumentError, RunError (with the result so far as its `partial`), and
    ResultFileError for `stream`. Ctrl-C and SIGTERM end a run with an incomplete result.
    """
    if values:
        raise RunArgumentError("a positional argument", values[0], "arguments by name, such as stop=10")
    loops, inputs = arguments.pop("loops", None), arguments.get("inputs")
    try:
        program = diagram.compile(parameters, set, loops=loops, inputs=inputs)
    except RunArgumentError as error:
        report_with(error, lambda: diagram.compile(parameters, set, loops=loops), arguments)
        raise
    return simulate(program, **arguments)
