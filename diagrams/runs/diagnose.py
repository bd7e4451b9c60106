"""Why a run ended early: from the solver's status to an exception that names block, port and time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.contract.errors import BlockError
from ...solvers import layout
from ...solvers.layout import Memory
from ...solvers.loop.run import Run
from ..compiler.interpret import Directionless, Failed, Found, Interpreter, Unsolved
from ..compiler.interpreted_loop import UnsolvedLoop, unsolved_loop
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
from ..model.no_direction import NoDirection
from ..model.run_errors import (
    AssertionFailed,
    BlockFailed,
    Chattering,
    LoopNotSolved,
    NotFinite,
    RunError,
    StepCollapse,
    TimeLimit,
    TooManySteps,
    Zeno,
)
from .short_steps import MANY, causes
from .unsettled import announcing, chattering, unsettled


def explain(
    program: Program, run: Run, status: int, failure: tuple[str, BaseException] | None
) -> BlockdynError:
    """The exception for a status other than DONE, PAUSED, FULL and STOPPED."""
    return located(program, _blamed(program, run, status, failure))


def out_of_time(
    program: Program, run: Run, seconds: float, failure: tuple[str, BaseException] | None, *, stuck: bool
) -> BlockdynError:
    """The exception for a run that takes more than so many seconds; `stuck`: within one step."""
    steps = int(run.work.steps) + int(run.work.rejected)
    stepping = not stuck and steps >= MANY
    hints = causes(program, run.work.totals(), failed=True) if stepping else []
    path = failure[0] if failure is not None else ""
    return located(program, TimeLimit(run.time, seconds, path, hints, stepping=stepping))


def located(program: Program, error: BlockdynError) -> BlockdynError:
    """The same exception, with the place where the block that it names was declared."""
    if isinstance(error, RunError):
        places = {block.path: block.location for block in program.flat.blocks}
        error.declared_at(places.get(error.path))
    return error


def _blamed(
    program: Program, run: Run, status: int, failure: tuple[str, BaseException] | None
) -> BlockdynError:
    if status == layout.KERNEL_FAILED:
        return _kernel_failed(program, run, failure)
    if status == layout.NONFINITE or (status == layout.COLLAPSED and _unsolved(program, run)):
        return _not_finite(program, run)
    if status == layout.COLLAPSED:
        pole = _pole(program, run)
        if pole is not None:
            return pole
        names = program.plan.state_names
        worst = names[int(run.work.bad_state)] if names else ""
        hints = causes(program, run.work.totals(), failed=True) + _far_from_zero(run)
        return StepCollapse(run.time, float(run.work.h), [worst] if worst else [], hints)
    if status == layout.TOO_MANY:
        return TooManySteps(run.time, int(run.work.steps), causes(program, run.work.totals(), failed=True))
    if status == layout.CHATTERING:
        return chattering(program, run)
    if status == layout.UNSETTLED:
        return unsettled(program, run.memory, run.time, int(run.work.announcer))
    if run.work.creeping >= 0:
        unit, name, _ = announcing(program, int(run.work.creeping))
        return Zeno(unit.path, run.time, int(run.work.time_events), port=name)
    if run.work.jumper >= 0:
        path, _, port = program.plan.state_names[int(run.work.jumper)].rpartition(".")
        return Zeno(path, run.time, int(run.work.state_events), port=port)
    owners = program.plan.crossing_owner
    number, name = owners[int(run.work.last_crossing)] if owners else (0, "")
    unit = program.plan.units[number]
    if "jump" in unit.functions:
        return Zeno(unit.path, run.time, int(run.work.state_events), port=name)
    return Chattering([unit.path], run.time, int(run.work.crowded))


def stopped_by(program: Program, run: Run) -> tuple[str, AssertionFailed | None]:
    """The path of the block that ended the run, and the exception when it was an Assert."""
    for slot, owner in zip(program.plan.stop_modes, program.plan.stop_owner, strict=True):
        if run.memory.modes[slot] != 0:
            unit = program.plan.units[owner]
            message = unit.block.failure()
            if message is None:
                return unit.path, None
            failed = AssertionFailed(unit.path, run.time, message)
            located(program, failed)
            return unit.path, failed
    return "", None


def _kernel_failed(program: Program, run: Run, failure: tuple[str, BaseException] | None) -> BlockdynError:
    if failure is not None:
        path, error = failure
        if _wants_directions(program, path):
            cause = _replay(program, run.memory, run.time, run.memory.x)
            if isinstance(cause, Directionless) and cause.unit.path == path:
                return _error(cause, run.time)
        return _failed(program, path, float(run.work.t_bad) if _at_tick(run) else run.time, error)
    if _unsolved(program, run):
        return _not_finite(program, run)
    for time, x in _points(run):
        cause = _replay(program, run.memory, time, x, changes=True)
        if isinstance(cause, (Failed, Directionless)):
            return _error(cause, time)
    return BlockError(f"a compiled function failed at t = {run.time!r} s, but not when Python runs it")


def _failed(program: Program, path: str, time: float, error: BaseException) -> BlockFailed:
    inputs = [told for unit in program.plan.units if unit.path == path for told in _inputs(unit)]
    return BlockFailed(path, time, error, inputs=inputs)


def _inputs(unit: Unit) -> list[str]:
    """The sizes of a unit's inputs, in words."""
    return [f"{name}: {size}" for name, size in unit.in_sizes.items()]


def _far_from_zero(run: Run) -> list[str]:
    """What to say where times lie too far apart for the run, because it starts far from zero."""
    start, span = run.work.t_start, run.work.t_end - run.work.t_start
    apart = float(np.spacing(abs(run.time)))
    if apart < 1e-13 * span or start == 0.0:
        return []
    return [f"or start nearer to 0 s: here, times lie {apart:.3g} s apart"]


def _wants_directions(program: Program, path: str) -> bool:
    """Whether a block has an input that must not be zero, such as a quaternion."""
    units = [unit for unit in program.plan.units if unit.path == path]
    return any(port.direction for unit in units for port in unit.input_ports.values())


def _unsolved(program: Program, run: Run) -> LoopNotSolved | None:
    """The algebraic loop that could not be solved in the step that failed."""
    plan, m = program.plan, run.memory
    if not plan.loops or not m.w[plan.unsolved_at + 1]:
        return None
    facts = unsolved_loop(plan, m)
    return _loop_not_solved(facts) if facts.time >= run.time else None


def _loop_not_solved(facts: UnsolvedLoop) -> LoopNotSolved:
    return LoopNotSolved(
        facts.loop.ports, facts.time, facts.iterate, facts.computed,
        blocks=facts.blocks, constraint=facts.constraint,
    )  # fmt: skip


def _pole(program: Program, run: Run) -> RunError | None:
    """A signal that is not finite just ahead of where the steps collapsed: they had come up to a pole."""
    time = run.time
    for _ in range(400 if _reads_time(program) else 1):  # the same state gives the same signals again
        time = float(np.nextafter(time, np.inf))
        cause = _replay(program, run.memory, time, run.memory.x)
        if isinstance(cause, (Found, Directionless)):
            return _error(cause, time)
    return None


def _reads_time(program: Program) -> bool:
    """Whether any block's function asks for the time."""
    return any("t" in names for unit in program.plan.units for names in unit.names.values())


def _not_finite(program: Program, run: Run) -> BlockdynError:
    """The first signal not finite, or loop not solved, in the failed step: at its start, a stage, its end."""
    points = _points(run)
    for time, x in points:
        cause = _replay(program, run.memory, time, x)
        if cause is not None:
            return _error(cause, time)
    return _unsolved(program, run) or _overflow(program, run, points)


def _error(cause: Found | Failed | Unsolved | Directionless, time: float) -> RunError:
    if isinstance(cause, Directionless):
        return NoDirection(cause.unit.path, cause.port, cause.unit.in_sizes[cause.port].shape, time)
    if isinstance(cause, Found):
        bad_values = np.ravel(cause.value)[~np.isfinite(np.ravel(cause.value))]
        return NotFinite(cause.unit.path, cause.port, time, float(bad_values[0]))
    if isinstance(cause, Failed):
        return BlockFailed(cause.unit.path, time, cause.error, inputs=_inputs(cause.unit))
    return _loop_not_solved(cause.facts)


def failure_at(program: Program, memory: Memory, time: float) -> BlockdynError:
    """The exception for a program that cannot be evaluated at one point."""
    failure = program.callbacks.failure()
    if failure is not None:
        path, error = failure
        if isinstance(error, KeyboardInterrupt):
            raise error
        return located(program, _failed(program, path, time, error))
    cause = _replay(program, memory, time, memory.x)
    if cause is None:
        return BlockError(f"the program cannot be evaluated at t = {time!r} s, but Python's copy of it can")
    return located(program, _error(cause, time))


def _overflow(program: Program, run: Run, points: list[tuple[float, Any]]) -> NotFinite:
    """The first state that is not finite itself, or the largest one, where all signals are finite."""
    if not run.memory.x.size:
        return NotFinite("", "a signal", run.time, np.nan)
    overflown = [point for point in points if not np.all(np.isfinite(point[1]))]
    time, x = overflown[0] if overflown else (run.time, run.memory.x)
    worst = int(np.argmax(np.where(np.isfinite(x), np.abs(x), np.inf)))
    path, _, port = program.plan.state_names[worst].rpartition(".")
    return NotFinite(path, port, time, float(x[worst]))


def _at_tick(run: Run) -> bool:
    """Whether the run failed at a tick within a step."""
    return bool(run.memory.hit.any()) and run.time < run.work.t_bad < np.inf


def _points(run: Run) -> list[tuple[float, Any]]:
    """The instants and states at which the failed step looked at the program."""
    t, h = run.time, float(run.work.h_taken)
    bad = float(run.work.t_bad)
    x, slopes = run.memory.x, run.work.K
    if _at_tick(run):
        return [(bad, run.work.x_trial)]
    points = [(t, x)]
    with np.errstate(all="ignore"):
        for j in range(1, min(len(run.work.C), len(run.work.A))):
            points.append((t + float(run.work.C[j]) * h, x + h * (run.work.A[j, :j] @ slopes[:j])))
    points += [(t, run.work.x_trial), (bad, run.work.x_new), (bad, x)]
    return [(time, state) for time, state in points if np.isfinite(time)]


def _replay(
    program: Program, memory: Memory, t: float, x: Any, *, changes: bool = False
) -> Found | Failed | Unsolved | Directionless | None:
    """Evaluate once more, in Python, and stop at the first thing that goes wrong.

    With `changes`, the updates of the clocks that tick, and the jumps, are made too, on a copy.
    """
    if not np.all(np.isfinite(x)):
        return None
    judge = Interpreter(program.plan, program.instructions, strict=True)
    m = Memory({name: array.copy() for name, array in memory.arrays()})
    try:
        for call in (judge.evaluate, *((judge.update, judge.react, judge.remember) if changes else ())):
            if judge.failure is None:
                call(None, t, np.array(x), np.zeros(x.size), m)
    except (Found, Unsolved, Directionless) as cause:
        return cause
    if judge.failure is not None:
        path, error = judge.failure
        unit = next(u for u in program.plan.units if u.path == path)
        return Failed(unit, error)
    return None
