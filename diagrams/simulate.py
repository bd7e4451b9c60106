"""Simulate: settings checked, a run advanced until it ends, its rows made a Result."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..solvers import layout
from ..solvers.methods import METHODS, UnknownMethod, method as find_method
from ..solvers.scipy_methods import NAMES as SCIPY, ScipyMethod, make_method
from ..solvers.run import Calls, Run, Settings, compiled_calls, make_run, plain_calls
from .diagnose import explain, stopped_by
from .interpret import Interpreter
from .outcome import Recorder, make_columns
from .program import Program
from .run_errors import RunArgumentError

if TYPE_CHECKING:
    from .results.result import Result

SLICE = 0.1  # s of computing between two looks at the keyboard


@dataclass(frozen=True)
class Request:
    """The arguments of a run as they were given."""

    stop: float
    start: float = 0.0
    method: str = "dopri5"
    rtol: float = 1e-6
    atol: float | Sequence[float] = 1e-9
    max_step: float | None = None
    first_step: float | None = None
    step: float | None = None
    times: Any = None
    every: float | None = None
    refine: int = 1
    log: Sequence[str] | None = None
    states: bool = True
    compiled: bool = True
    progress: bool | None = None
    seed: int | None = None
    on_zeno: str = "error"


NAMES = tuple(Request.__dataclass_fields__)


def simulate(program: Program, **given: Any) -> Result:
    """Run a program. See `Diagram.simulate` for the arguments and the exceptions."""
    request = make_request(program, given)
    if request.log is not None:
        program = program.with_log(list(request.log))
    columns = make_columns(program)
    settings, implicit = make_settings(program, request)
    run = make_run(program.problem(columns.elements), settings, program.memory())
    calls = _calls(program, run, settings, implicit, request)
    recorder = Recorder(program, request, settings, columns)
    status = _drive(program, run, calls, recorder, request)
    return _finish(program, run, status, recorder, request)


def make_request(program: Program, given: dict[str, Any]) -> Request:
    """The diagram's own settings, overridden by the arguments. Raises RunArgumentError."""
    from ..blocks.errors import nearest

    for name in given:
        if name not in NAMES:
            raise RunArgumentError(name, given[name], f"one of {', '.join(NAMES)}{nearest(name, NAMES)}")
    merged = {k: v for k, v in program.flat.simulation.items() if k in NAMES}
    merged |= {k: v for k, v in given.items() if v is not None}
    if "stop" not in merged:
        raise RunArgumentError("stop", None, "the end of the run in s: simulate(stop=10), or `stop` in the diagram")
    return Request(**merged)


def make_settings(program: Program, request: Request) -> tuple[Settings, str | None]:
    """Checked settings, and the name of SciPy's method when one of those is asked for."""
    start, stop = _number("start", request.start), _number("stop", request.stop)
    if stop <= start:
        raise RunArgumentError("stop", stop, f"later than start, {start} s")
    name = str(request.method)
    implicit = next((s for s in SCIPY if s.lower() == name.lower()), None)
    try:
        tableau = find_method("bs32" if implicit else name)
    except UnknownMethod as error:
        every = ", ".join([*METHODS, *SCIPY])
        hint = f" (nearest: {', '.join(error.nearest)})" if error.nearest else ""
        raise RunArgumentError("method", name, f"one of {every}{hint}") from None
    rtol = _number("rtol", request.rtol, above=0.0)
    atol = _tolerance(program, request.atol)
    span = stop - start
    default = min(span / 50.0, program.longest_step())
    longest = default if request.max_step is None else _number("max_step", request.max_step, above=0.0, infinite=True)
    first = 0.0 if request.first_step is None else _number("first_step", request.first_step, above=0.0)
    step = 0.0
    if not tableau.adaptive:
        if request.step is None:
            raise RunArgumentError("step", None, f"the step in s, which {tableau.name} needs: step=0.001")
        step = _number("step", request.step, above=0.0)
    if not isinstance(request.refine, int) or isinstance(request.refine, bool) or not 1 <= request.refine <= 1000:
        raise RunArgumentError("refine", request.refine, "a whole number from 1 to 1000")
    if request.on_zeno not in ("error", "stop"):
        raise RunArgumentError("on_zeno", request.on_zeno, "'error' or 'stop'")
    settings = Settings(
        start, stop, tableau, rtol, atol, min(longest, span), min(first, span), step,
        _grid(request, start, stop), request.refine, bool(request.states),
    )  # fmt: skip
    return settings, implicit


def _number(name: str, value: Any, above: float | None = None, infinite: bool = False) -> float:
    expected = "a finite number" if above is None else f"a number greater than {above:g}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise RunArgumentError(name, value, expected) from None
    if isinstance(value, bool) or math.isnan(number) or (math.isinf(number) and not infinite):
        raise RunArgumentError(name, value, expected)
    if above is not None and not number > above:
        raise RunArgumentError(name, value, expected)
    return number


def _tolerance(program: Program, given: Any) -> Any:
    count = program.plan.states
    expected = f"a positive number, or {count} of them, one a state"
    try:
        atol = np.broadcast_to(np.asarray(given, np.float64), (count,)).copy()
    except (TypeError, ValueError):
        raise RunArgumentError("atol", given, expected) from None
    if not np.all(np.isfinite(atol)) or not np.all(np.asarray(given, np.float64) > 0.0):
        raise RunArgumentError("atol", given, expected)
    return atol


def _grid(request: Request, start: float, stop: float) -> Any:
    if request.times is None and request.every is None:
        return None
    if request.times is not None and request.every is not None:
        raise RunArgumentError("every", request.every, "either `times` or `every`, not both")
    if request.every is not None:
        every = _number("every", request.every, above=0.0)
        count = math.floor((stop - start) / every * (1.0 + 1e-12))
        if count > 1_000_000_000:
            raise RunArgumentError("every", every, "an interval that gives at most a thousand million rows")
        times = start + every * np.arange(count + 1)
        return np.minimum(times, stop)
    try:
        times = np.array(request.times, np.float64)
    except (TypeError, ValueError):
        raise RunArgumentError("times", request.times, "increasing times in s") from None
    inside = times.ndim == 1 and times.size > 0 and np.all(np.isfinite(times)) and np.all(np.diff(times) > 0.0)
    if not inside or times[0] < start or times[-1] > stop:
        raise RunArgumentError("times", request.times, f"increasing times within {start} ... {stop} s")
    return times


def _calls(program: Program, run: Run, settings: Settings, implicit: str | None, request: Request) -> Calls:
    if implicit is None and request.compiled:
        return compiled_calls(program.addresses, run)
    from ..solvers.backend import interpreted
    from ..solvers.loop import build

    if implicit is None:
        judge = Interpreter(program.plan)
        run.judge = judge
        begin, advance = build(interpreted(judge.derivative, judge.evaluate, judge.update, judge.react))
        return plain_calls(begin, advance, run)
    functions = _python_functions(program, request)
    stepper: ScipyMethod = make_method(implicit, functions[0], functions[1], run, settings)
    begin, advance = build(interpreted(*functions), stepper.take_step, (stepper.prepare, stepper.interpolate))
    return plain_calls(begin, advance, run)


def _python_functions(program: Program, request: Request) -> Any:
    """The program's functions as Python callables: compiled ones called by address, or the interpreter's."""
    if not request.compiled:
        judge = Interpreter(program.plan)
        return judge.derivative, judge.evaluate, judge.update, judge.react
    from ..solvers.addressed import callables

    return callables(program.addresses)


def _drive(program: Program, run: Run, calls: Calls, recorder: Recorder, request: Request) -> int:
    """Advance until the run ends; between slices look at the keyboard and show progress."""
    begin, advance = calls
    budget = 1000
    began = clock.perf_counter()
    program.callbacks.failure()
    try:
        status = begin()
        while status in (0, layout.FULL, layout.PAUSED):
            recorder.take(run)
            run.work.I[layout.BUDGET] = budget
            before = clock.perf_counter()
            status = advance()
            spent = clock.perf_counter() - before
            if status == layout.DONE:
                break
            if status == layout.PAUSED:
                budget = int(min(1e8, max(10, budget * min(10.0, SLICE / max(spent, 1e-6)))))
            recorder.show_progress(run, clock.perf_counter() - began)
    except KeyboardInterrupt:
        status = -1
    recorder.take(run)
    recorder.wall = clock.perf_counter() - began
    return status


def _finish(program: Program, run: Run, status: int, recorder: Recorder, request: Request) -> Result:
    recorder.end_progress()
    failure = program.callbacks.failure()
    if run.judge is not None and run.judge.failure is not None:
        failure = run.judge.failure
    if status == -1 or (failure is not None and isinstance(failure[1], KeyboardInterrupt)):
        return recorder.result(run, complete=False, by="interrupt", message=f"interrupted at t = {run.time!r} s")
    if status == layout.DONE:
        return recorder.result(run, complete=True, by=None, message="reached the stop time")
    if status == layout.STOPPED:
        path, failed = stopped_by(program, run)
        if failed is None:
            return recorder.result(run, complete=True, by=path, message=f"{path} ended the run at t = {run.time!r} s")
        error: Exception = failed
    else:
        error = explain(program, run, status, failure)
    if status == layout.CROWDED_EVENTS and request.on_zeno == "stop":
        return recorder.result(run, complete=False, by="events", message=str(error))
    error.partial = recorder.result(run, complete=False, by="error", message=str(error))  # type: ignore[attr-defined]
    raise error

