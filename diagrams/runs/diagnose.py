"""Diagnose a run that ended early: the solver's status becomes an error with block, port and time."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ...blocks.contract.errors import BlockError
from ...solvers import layout
from ...solvers.layout import Floats, Memory
from ...solvers.loop.instant import ROUNDS
from ...solvers.loop.run import Run
from ...solvers.methods.method import Method
from ...solvers.steps.stability import limited
from ...solvers.steps.switching import MOST_STATES
from ..compiler.interpret import Directionless, Failed, Interpreter, NonFiniteSignal, Unsolved
from ..compiler.interpreted_loop import UnsolvedLoop, unsolved_loop
from ..compiler.notices import branch_notices
from ..compiler.plan.layout import Plan
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
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
    Unsettled,
    Zeno,
    no_direction,
    no_later_instant,
)


def explain_endless_events(program: Program, m: Memory, time: float, announcer: int = -1) -> RunError:
    """The cause of endless events: a held state is NaN, which equals nothing; the timer `announcer`
    has the same instant again; or modes contradict one another.
    """
    plan = program.plan
    if np.isnan(m.z).any():
        unit, state = _find_held_state(plan, int(np.argmax(np.isnan(m.z))))
        return NotFinite(unit.path, state, time, np.nan)
    if announcer >= 0:
        unit, state, places = announcing(program, announcer)
        return no_later_instant(unit.path, state, time, ROUNDS, float(np.min(m.z[places])))
    paths = [u.path for u in plan.units if "mode" in u.functions or "jump" in u.functions]
    return Unsettled(paths[:5], time, ROUNDS)


def announcing(program: Program, timer: int) -> tuple[Unit, str, slice]:
    """The block that announces the instants of a timer, the state that holds them, and its place in z."""
    plan = program.plan
    placed = plan.timers[timer]
    return plan.units[plan.timer_owner[timer]], placed.timer.next, slice(*placed.states)


def _find_held_state(plan: Plan, at: int) -> tuple[Unit, str]:
    """The block and the name of the held state that has a place in z."""
    for unit in plan.units:
        for name, (base, start) in unit.states_at.items():
            if base == "z" and start <= at < start + prod(unit.state_shapes[name]):
                return unit, name
    raise IndexError(at)


def chattering(program: Program, run: Run) -> Chattering:
    """The error for a mode or held state that switches back and forth: the last one that switched back."""
    plan, number = program.plan, int(run.work.switcher)
    if number >= plan.modes:
        unit, _ = _find_held_state(plan, number - plan.modes)
    else:
        unit = next(u for u in plan.units if u.mode_at <= number < u.mode_at + u.mode_count)
    lasting = run.time - float(run.work.t_close)
    return Chattering([unit.path], run.time, int(run.work.close), lasting)


MANY = 1000  # steps above which a cause is searched for
AT_ONCE = 2**16  # step lengths in memory at the same time: half a megabyte
OFTEN = 10  # changes of the method
PILED = 30.0  # ratio of steps to those of the longest length that is too large


def has_crowded_steps(times: Floats) -> bool:
    """True if the steps that end at these times are crowded: most are far shorter than the longest one."""
    if len(times) < MANY:
        return False
    parts = (times[i : i + AT_ONCE + 1] for i in range(0, len(times) - 1, AT_ONCE))
    longest = max(np.diff(part).max() for part in parts)
    return bool(len(times) * longest > PILED * (times[-1] - times[0]))


def causes(program: Program, totals: Mapping[str, int], *, failed: bool = False) -> list[str]:
    """One sentence each; possible causes too if the run `failed` because of its steps, or they are crowded.
    A branch comes first: a stiff method is as slow there.
    """
    sentences = []
    steps, rejected = totals["steps"], totals["rejected"]
    if failed or rejected > max(steps, MANY):
        sentences += list(branch_notices(program))
    if limited(totals) and not totals["switches"]:
        sentences.append(
            "most steps were as short as the stability of the method demands, not the error: the diagram is"
            f" stiff, and a stiff method takes far fewer ({fitting(program.plan.states)}, for one)"
        )
    return sentences


def meanwhile(totals: Mapping[str, int], states: int) -> str:
    """Hint in the progress of a run that takes long because its diagram is stiff."""
    if totals["switches"] or not limited(totals):
        return ""
    return f"; stiff: {fitting(states)} takes far fewer steps"


def fitting(states: int) -> str:
    """The method for this number of stiff states."""
    return "method='auto'" if states <= MOST_STATES else "method='bdf'"


def changes(method: Method, totals: Mapping[str, int]) -> list[str]:
    """A sentence if two methods alternated so often that one of them is likely to be faster."""
    if method.stiff is None or totals["switches"] < OFTEN:
        return []
    return [
        f"the method changed {totals['switches']} times: {method.stiff.name} took"
        f" {totals['implicit_steps']} of {totals['steps']} steps; compare with method={method.stiff.name!r}"
    ]


def approximations(program: Program, totals: Mapping[str, int]) -> list[str]:
    """Inexact parts of the Jacobians of a run, one sentence each."""
    if not totals["jacobians"] or "differentiated" not in program.__dict__:
        return []
    differentiated, sentences = program.differentiated, []
    if differentiated.refusal:
        sentences.append(
            "the Jacobian was computed by finite differences, because the"
            f" diagram has {differentiated.refusal}"
        )
    if differentiated.differences:
        paths = ", ".join(differentiated.differences)
        sentences.append(f"the Jacobian of these blocks was computed by finite differences: {paths}")
    return sentences


def explain(
    program: Program, run: Run, status: int, failure: tuple[str, BaseException] | None
) -> BlockdynError:
    """The exception for a status other than DONE, PAUSED, FULL and STOPPED."""
    return add_location(program, _find_cause(program, run, status, failure))


def out_of_time(
    program: Program, run: Run, seconds: float, failure: tuple[str, BaseException] | None, *, stuck: bool
) -> BlockdynError:
    """The exception for a run that exceeds its limit of seconds; `stuck`: within one step."""
    steps = int(run.work.steps) + int(run.work.rejected)
    stepping = not stuck and steps >= MANY
    hints = causes(program, run.work.totals(), failed=True) if stepping else []
    path = failure[0] if failure is not None else ""
    return add_location(program, TimeLimit(run.time, seconds, path, hints, stepping=stepping))


def add_location(program: Program, error: BlockdynError) -> BlockdynError:
    """Add the location of the named block's declaration to an exception."""
    if isinstance(error, RunError):
        places = {block.path: block.location for block in program.flat.blocks}
        error.declared_at(places.get(error.path))
    return error


def _find_cause(
    program: Program, run: Run, status: int, failure: tuple[str, BaseException] | None
) -> BlockdynError:
    if status == layout.KERNEL_FAILED:
        return _explain_kernel_failure(program, run, failure)
    if status == layout.NONFINITE or (status == layout.COLLAPSED and _find_unsolved_loop(program, run)):
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
        if np.isnan(run.memory.z).any():  # also after a foreign function has failed
            cause = _replay(program, run.memory, run.time, run.memory.x, changes=True)
            if isinstance(cause, Failed):
                return _error(cause, run.time)
        return explain_endless_events(program, run.memory, run.time, int(run.work.announcer))
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
            add_location(program, failed)
            return unit.path, failed
    return "", None


def _explain_kernel_failure(
    program: Program, run: Run, failure: tuple[str, BaseException] | None
) -> BlockdynError:
    if failure is not None:
        path, error = failure
        if _wants_directions(program, path):
            cause = _replay(program, run.memory, run.time, run.memory.x)
            if isinstance(cause, Directionless) and cause.unit.path == path:
                return _error(cause, run.time)
        return _make_block_error(program, path, float(run.work.t_bad) if _at_tick(run) else run.time, error)
    if _find_unsolved_loop(program, run):
        return _not_finite(program, run)
    for time, x in _points(run):
        cause = _replay(program, run.memory, time, x, changes=True)
        if isinstance(cause, (Failed, Directionless)):
            return _error(cause, time)
    return BlockError(f"a compiled function failed at t = {run.time!r} s, but not when Python runs it")


def _make_block_error(program: Program, path: str, time: float, error: BaseException) -> BlockFailed:
    inputs = [text for unit in program.plan.units if unit.path == path for text in _inputs(unit)]
    return BlockFailed(path, time, error, inputs=inputs)


def _inputs(unit: Unit) -> list[str]:
    """The sizes of a unit's inputs, in words."""
    return [f"{name}: {size}" for name, size in unit.in_sizes.items()]


def _far_from_zero(run: Run) -> list[str]:
    """Hint for a run whose time resolution is too coarse because it starts far from zero."""
    start, span = run.work.t_start, run.work.t_end - run.work.t_start
    apart = float(np.spacing(abs(run.time)))
    if apart < 1e-13 * span or start == 0.0:
        return []
    return [f"or start nearer to 0 s: here, times lie {apart:.3g} s apart"]


def _wants_directions(program: Program, path: str) -> bool:
    """True if a block has an input that must not be zero, such as a quaternion."""
    units = [unit for unit in program.plan.units if unit.path == path]
    return any(port.direction for unit in units for port in unit.input_ports.values())


def _find_unsolved_loop(program: Program, run: Run) -> LoopNotSolved | None:
    """The algebraic loop that could not be solved in the step that failed."""
    plan, m = program.plan, run.memory
    if not plan.loops or not m.w[plan.unsolved_at + 1]:
        return None
    facts = unsolved_loop(plan, m)
    return _make_loop_error(facts) if facts.time >= run.time else None


def _make_loop_error(facts: UnsolvedLoop) -> LoopNotSolved:
    return LoopNotSolved(
        facts.loop.ports, facts.time, facts.iterate, facts.computed,
        blocks=facts.blocks, constraint=facts.constraint,
    )  # fmt: skip


def _pole(program: Program, run: Run) -> RunError | None:
    """A signal that is not finite just after the time of the step collapse: a pole."""
    time = run.time
    for _ in range(400 if _reads_time(program) else 1):  # the same state gives the same signals again
        time = float(np.nextafter(time, np.inf))
        cause = _replay(program, run.memory, time, run.memory.x)
        if isinstance(cause, (NonFiniteSignal, Directionless)):
            return _error(cause, time)
    return None


def _reads_time(program: Program) -> bool:
    """True if any block's function reads the time."""
    return any("t" in names for unit in program.plan.units for names in unit.names.values())


def _not_finite(program: Program, run: Run) -> BlockdynError:
    """The first signal not finite, or loop not solved, in the failed step: at its start, a stage, its end."""
    points = _points(run)
    for time, x in points:
        cause = _replay(program, run.memory, time, x)
        if cause is not None:
            return _error(cause, time)
    return _find_unsolved_loop(program, run) or _overflow(program, run, points)


def _error(cause: NonFiniteSignal | Failed | Unsolved | Directionless, time: float) -> RunError:
    if isinstance(cause, Directionless):
        return no_direction(cause.unit.path, cause.port, cause.unit.in_sizes[cause.port].shape, time)
    if isinstance(cause, NonFiniteSignal):
        bad_values = np.ravel(cause.value)[~np.isfinite(np.ravel(cause.value))]
        return NotFinite(cause.unit.path, cause.port, time, float(bad_values[0]))
    if isinstance(cause, Failed):
        return BlockFailed(cause.unit.path, time, cause.error, inputs=_inputs(cause.unit))
    return _make_loop_error(cause.facts)


def failure_at(program: Program, memory: Memory, time: float) -> BlockdynError:
    """The exception for a program that cannot be evaluated at one point."""
    failure = program.active_callbacks.failure()
    if failure is not None:
        path, error = failure
        if isinstance(error, KeyboardInterrupt):
            raise error
        return add_location(program, _make_block_error(program, path, time, error))
    cause = _replay(program, memory, time, memory.x)
    if cause is None:
        return BlockError(f"the program cannot be evaluated at t = {time!r} s, but Python's copy of it can")
    return add_location(program, _error(cause, time))


def _overflow(program: Program, run: Run, points: list[tuple[float, Any]]) -> NotFinite:
    """The first state that is not finite, or the largest one if all signals are finite."""
    if not run.memory.x.size:
        return NotFinite("", "a signal", run.time, np.nan)
    overflown = [point for point in points if not np.all(np.isfinite(point[1]))]
    time, x = overflown[0] if overflown else (run.time, run.memory.x)
    worst = int(np.argmax(np.where(np.isfinite(x), np.abs(x), np.inf)))
    path, _, port = program.plan.state_names[worst].rpartition(".")
    return NotFinite(path, port, time, float(x[worst]))


def _at_tick(run: Run) -> bool:
    """True if the run failed at a tick within a step."""
    return bool(run.memory.hit.any()) and run.time < run.work.t_bad < np.inf


def _points(run: Run) -> list[tuple[float, Any]]:
    """The instants and states at which the failed step evaluated the program."""
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
) -> NonFiniteSignal | Failed | Unsolved | Directionless | None:
    """Evaluate once more, in Python, and stop at the first failure.

    With `changes`, also make the updates of the ticking clocks and the jumps, on a copy.
    """
    if not np.all(np.isfinite(x)):
        return None
    judge = Interpreter(program.plan, program.instructions, strict=True)
    m = Memory({name: array.copy() for name, array in memory.arrays()})
    try:
        for call in (judge.evaluate, *((judge.update, judge.react, judge.remember) if changes else ())):
            if judge.failure is None:
                call(None, t, np.array(x), np.zeros(x.size), m)
    except (NonFiniteSignal, Unsolved, Directionless) as cause:
        return cause
    if judge.failure is not None:
        path, error = judge.failure
        unit = next(u for u in program.plan.units if u.path == path)
        return Failed(unit, error)
    return None
