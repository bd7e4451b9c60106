"""Unsettled: what does not come to rest at one instant, or from one to the next, and by which block."""

from __future__ import annotations

from math import prod

import numpy as np

from ...solvers.layout import Memory
from ...solvers.loop.instant import ROUNDS
from ...solvers.loop.run import Run
from ..compiler.plan.layout import Plan
from ..compiler.plan.unit import Unit
from ..compiler.program import Program
from ..model.run_errors import Chattering, NoLaterInstant, NotFinite, RunError, Unsettled


def unsettled(program: Program, m: Memory, time: float, announcer: int = -1) -> RunError:
    """Why events at one instant do not end: a held state is NaN, which equals nothing; the timer `announcer`
    has an instant once more; or modes contradict one another.
    """
    plan = program.plan
    if np.isnan(m.z).any():
        unit, state = _held(plan, int(np.argmax(np.isnan(m.z))))
        return NotFinite(unit.path, state, time, np.nan)
    if announcer >= 0:
        unit, state, places = announcing(program, announcer)
        return NoLaterInstant(unit.path, state, time, ROUNDS, float(np.min(m.z[places])))
    paths = [u.path for u in plan.units if "mode" in u.functions or "jump" in u.functions]
    return Unsettled(paths[:5], time, ROUNDS)


def announcing(program: Program, timer: int) -> tuple[Unit, str, slice]:
    """The block that announces the instants of a timer, the state that it does so by, and its place in z."""
    plan = program.plan
    placed = plan.timers[timer]
    return plan.units[plan.timer_owner[timer]], placed.timer.next, slice(*placed.states)


def _held(plan: Plan, at: int) -> tuple[Unit, str]:
    """The block and the name of the held state that has a place in z."""
    for unit in plan.units:
        for name, (base, start) in unit.states_at.items():
            if base == "z" and start <= at < start + prod(unit.state_shapes[name]):
                return unit, name
    raise IndexError(at)


def chattering(program: Program, run: Run) -> Chattering:
    """What switches to and fro: the owner of the mode, or held state, that came back last."""
    plan, number = program.plan, int(run.work.switcher)
    if number >= plan.modes:
        unit, _ = _held(plan, number - plan.modes)
    else:
        unit = next(u for u in plan.units if u.mode_at <= number < u.mode_at + u.mode_count)
    lasting = run.time - float(run.work.t_close)
    return Chattering([unit.path], run.time, int(run.work.close), lasting)
