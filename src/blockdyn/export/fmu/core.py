"""The run of an instance: its start, its signals, an instant with other values, steps to a time.

These functions are compiled with the diagram, like those that read and set variables by their numbers.
"""

from __future__ import annotations

import numpy as np

from ...solvers import layout
from ...solvers.calls import memory, work
from ...solvers.events.dip import BEFORE
from ...solvers.events.margin import margin
from ...solvers.events.timer import count_before, next_time, rounding
from ...solvers.layout import Memory, Work
from ...solvers.linear_algebra.dense import factor, solve
from ...solvers.loop.compiled import ADVANCE, BEGIN
from .instance import (
    BEFORE_RUN,
    CHOSEN,
    CONTINUOUS,
    DISCARD,
    ERROR,
    INDICATOR,
    INITIALIZATION,
    MOVED,
    OK,
    OTHER_CODE,
    SLOPED,
    STALE,
    STEPS,
    Instance,
    compute,
    derivative,
    evaluate,
    get_number,
    get_real,
    instance_at,
    model,
    model_at,
    run,
    set_real,
    tangent,
)

MANY = 1 << 40  # steps
NEAR = 1e-6  # of a crossing's largest value
HUGE = 1e30  # an event indicator of an event that cannot happen
BEYOND = 1e-11  # of a crossing's largest value: an indicator is 0 that far beyond, where the event is certain
SAME = 1e-9  # of the time: a tool that stops this close to a time event means its instant


def copy(source: layout.Integers, target: layout.Integers) -> None:
    """Copy the words of a run."""
    for k in range(source.size):
        target[k] = source[k]


def advance(i: Instance, s: Work, steps: int) -> int:
    """Advance the run by a number of steps. Returns a status of `solvers.layout`; its log is empty."""
    s.budget = steps
    status = layout.FULL
    while status == layout.FULL:
        status = run(ADVANCE, i.memory, i.work)
        s.rows = 0
        s.event_rows = 0
    i.dirty = STALE
    return int(status)


def outcome(i: Instance, status: int) -> int:
    """The status of a call in which the run had this status; the end of a run is recorded."""
    if status == layout.DONE or status == layout.PAUSED:
        return OK
    i.trouble = status
    if status == layout.STOPPED:
        i.stopped = 1
        return OK
    return ERROR


def begin(i: Instance, s: Work) -> int:
    """Begin the run with the chosen values."""
    if compute(i.chosen.ctypes.data) != 0:
        i.trouble = OTHER_CODE
        return ERROR
    copy(i.chosen, i.live)
    i.touched = 0
    i.marked = 0
    i.dirty = STALE
    status = run(BEGIN, i.memory, i.work)
    s.rows = 0
    s.event_rows = 0
    return outcome(i, int(status))


def refresh(i: Instance, m: Memory, s: Work) -> int:
    """Compute signals, derivatives and zero crossings, unless they belong to the time, states and inputs."""
    if i.dirty == 0:
        return OK
    failed = evaluate(s.t, m.x.ctypes.data, i.slopes.ctypes.data, i.memory)
    s.evaluations += 1
    if failed < 0:
        i.trouble = layout.KERNEL_FAILED
        return ERROR
    total = 0.0 if failed == 0 else np.nan
    last = s.K[s.stages - 1]
    for k in range(i.slopes.size):
        total += 0.0 * i.slopes[k]
    if total == 0.0:
        for k in range(i.slopes.size):
            last[k] = i.slopes[k]
    elif is_just_beyond(i, m, s):
        for k in range(i.slopes.size):
            if abs(i.slopes[k]) < np.inf:
                last[k] = i.slopes[k]
            else:
                i.slopes[k] = last[k]
    else:
        i.trouble = layout.NONFINITE
        return DISCARD
    i.dirty = 0
    return OK


def differentiate(i: Instance, m: Memory, s: Work) -> int:
    """Compute only derivatives and zero crossings, unless they belong to the time and states.

    Most points at which a tool needs them are stages of a step, where nothing else is read. Signals that
    only events and inputs change are not computed there.
    """
    if i.dirty == MOVED and derivative(s.t, m.x.ctypes.data, i.slopes.ctypes.data, i.memory) >= 0:
        total = 0.0
        for k in range(i.slopes.size):
            total += 0.0 * i.slopes[k]
        if total == 0.0:
            i.dirty = SLOPED
    return OK if i.dirty == SLOPED else refresh(i, m, s)


def is_just_beyond(i: Instance, m: Memory, s: Work) -> bool:
    """True a little beyond an event, where the equations before it may have no value: a root, a logarithm.

    A tool must get there to find the event; the derivatives that have no value keep their last one.
    """
    beyond = False
    for q in range(m.g.size):
        distance = margin(s, m.g, q)
        if distance < -NEAR * i.scale[q]:
            return False
        beyond = beyond or distance < 0.0
    return beyond


def is_beyond(m: Memory, s: Work) -> bool:
    """True if a zero crossing is beyond its event."""
    low = np.inf
    for q in range(m.g.size):
        low = min(low, margin(s, m.g, q))
    return low < 0.0


def indicator(i: Instance, m: Memory, s: Work, q: int) -> float:
    """An event indicator: the distance of a zero crossing from a point just beyond its event.

    A tool stops where an indicator is 0 within rounding, and the event must have happened there.
    """
    return float(min(margin(s, m.g, q), HUGE) + BEYOND * i.scale[q])


def begin_chosen(i: Instance, s: Work) -> int:
    """Begin the run again if values have been chosen since, as long as it is at its initialization."""
    return begin(i, s) if i.state == INITIALIZATION and i.touched == 1 else OK


def apply_chosen(i: Instance, m: Memory, s: Work) -> None:
    """Pass the chosen values of variables that can be set during a run to it, as a time event that is due."""
    first = model_at(model()).image
    for v in range(i.settable.size):
        if i.settable[v] & STEPS != 0:
            for k in range(i.first[v], i.first[v + 1]):
                word = i.places[k] - first
                i.live[word] = i.chosen[word]
    i.touched = 0
    timer = s.timers.shape[0] - 1
    m.modes[s.timers[timer, layout.MODE]] = 0
    s.timer_floats[s.timers[timer, layout.DATA]] = s.t


def settle(i: Instance, m: Memory, s: Work) -> int:
    """Handle the instant at which the run is: chosen values, time events, zero crossings.

    `diagrams.touches.course.touch` does the same in Python; its timer is the last one.
    """
    if refresh(i, m, s) != OK:
        return ERROR
    upcoming = next_time(s, m)
    if s.t < upcoming <= s.t + SAME * abs(s.t):
        s.t = upcoming
    crossed = is_beyond(m, s)
    for k in range(m.x.size):
        s.x_new[k] = m.x[k]
        s.K[s.stages - 1, k] = i.slopes[k]
    if i.touched == 0 and not crossed and upcoming > s.t:
        return OK
    if i.touched == 1:
        if compute(i.chosen.ctypes.data) != 0:
            i.trouble = OTHER_CODE
            return ERROR
        apply_chosen(i, m, s)
    before = s.samples[BEFORE]
    for q in range(m.g.size):
        i.kept[q] = before[q]
    s.stale = 0
    s.t_new = s.t
    s.t_row = s.t
    s.t_bad = s.t if crossed else np.inf
    s.refine_next = s.refine
    s.phase = layout.WRITING
    steps = s.steps
    status = advance(i, s, 0)
    s.steps = steps
    for q in range(m.g.size):
        before[q] = i.kept[q]
    return outcome(i, status)


def step_to(i: Instance, s: Work, target: float) -> int:
    """Advance to a communication point, which changes no later step of a run whose inputs stay.

    The step beyond the point is undone and cut there; the next call begins before it.
    Returns a status of `solvers.layout`.
    """
    if i.marked == 1:
        copy(i.mark, i.live)
        i.marked = 0
    if abs(target - i.end) <= rounding(i.end, s.t_start):
        target = i.end
    if target >= i.end:
        s.t_end = target
        return advance(i, s, MANY)
    s.t_end = i.end
    while s.t < target:
        copy(i.live, i.mark)
        status = advance(i, s, 1)
        if s.t > target or (status != layout.PAUSED and status != layout.DONE):
            copy(i.mark, i.live)
            s.t_end = target
            i.marked = 1
            return advance(i, s, MANY)
    return layout.DONE


def start_at(i: Instance, m: Memory, s: Work, start: float) -> None:
    """Begin at another time: no timer counts instants before it."""
    s.t = start
    s.t_start = start
    for q in range(s.fired_at.size):
        s.fired_at[q] = start
    for k in range(s.timers.shape[0]):
        count = count_before(s.timers, s.timer_integers, s.timer_floats, k, start)
        m.modes[s.timers[k, layout.MODE]] = count


def get_reals(c: int, references: int, count: int, values: int) -> int:
    """Read variables. Before the run ends its initialization, signals follow from the chosen values."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    for k in range(count):
        v = get_number(references, k)
        if v < 0 or v >= i.settable.size:
            return ERROR
        word = i.places[i.first[v]]
        if i.settable[v] & (CHOSEN | (i.state & BEFORE_RUN)) != 0:
            set_real(values, k, get_real(c, word + i.live.size))
            continue
        if begin_chosen(i, s) != OK:
            return ERROR
        if i.dirty != 0:
            status = refresh(i, m, s)
            if status != OK:
                return status
        if i.settable[v] & INDICATOR != 0:
            set_real(values, k, indicator(i, m, s, v - (i.settable.size - m.g.size)))
        else:
            set_real(values, k, get_real(c, word))
    return OK


def set_reals(c: int, references: int, count: int, values: int) -> int:
    """Set variables. Numbers that change only at events wait for the next one."""
    i = instance_at(c)
    for k in range(count):
        v = get_number(references, k)
        if v < 0 or v >= i.settable.size or i.settable[v] & i.state == 0:
            return ERROR
        value = get_real(values, k)
        if not abs(value) < np.inf:
            return ERROR
        for place in range(i.first[v], i.first[v + 1]):
            word = i.places[place]
            if get_real(c, word + i.live.size) == value:
                continue
            set_real(c, word + i.live.size, value)
            if i.state & (BEFORE_RUN | CONTINUOUS) != 0:
                set_real(c, word, value)
                i.dirty = STALE
            if i.state != CONTINUOUS:
                i.touched = 1
    return OK


def get_values(c: int, references: int, count: int, values: int, size: int) -> int:
    """Read variables into an array, one number for each."""
    return get_reals(c, references, count, values) if size == count else ERROR


def set_values(c: int, references: int, count: int, values: int, size: int) -> int:
    """Set variables from an array, one number for each."""
    return set_reals(c, references, count, values) if size == count else ERROR


def refuse_type(c: int, count: int) -> int:
    """Read or set variables of a type that no variable has."""
    return OK if count == 0 else ERROR


# ---- directional derivatives ----


def get_directional(
    c: int, unknowns: int, count: int, knowns: int, among: int, seed: int, results: int
) -> int:
    """The derivatives of unknown variables along a direction of known ones, by the tangent of the equations.

    A derivative that is not finite, as of a root at 0, is discarded.
    """
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    for k in range(count):
        v = get_number(unknowns, k)
        if v < 0 or v >= i.answers.size or i.answers[v] == 0:
            return ERROR
    for k in range(among):
        v = get_number(knowns, k)
        if v < 0 or v >= i.seeds.size or i.seeds[v] == 0:
            return ERROR
    if begin_chosen(i, s) != OK:
        return ERROR
    status = refresh(i, m, s)
    if status != OK:
        return status
    for k in range(m.w.size):  # those of a disabled block's signals stay 0
        set_real(c, i.signals_d + k, 0.0)
    seed_knowns(c, i, knowns, among, seed)
    failed = close_loops(c, i, m, s, knowns, among, seed) if i.pivots.size > 0 else 0
    if failed == 0:
        failed = differentiate_signals(c, i, m, s)
    seed_knowns(c, i, knowns, among, 0)
    if failed != 0:
        i.trouble = layout.KERNEL_FAILED if failed < 0 else layout.NONFINITE
        return ERROR if failed < 0 else DISCARD
    total = 0.0
    for k in range(count):
        v = get_number(unknowns, k)
        value = get_real(c, i.answers[v])
        if i.settable[v] & INDICATOR != 0:
            value *= slope_of_margin(s, m, v - (i.settable.size - m.g.size))
        total += 0.0 * value
        set_real(results, k, value)
    if total != 0.0:
        i.trouble = layout.NONFINITE
        return DISCARD
    return OK


def get_directional_values(
    c: int, unknowns: int, count: int, knowns: int, among: int, seed: int, seeds: int, results: int, size: int
) -> int:
    """The same from and into arrays, one number for each variable."""
    if seeds != among or size != count:
        return ERROR
    return get_directional(c, unknowns, count, knowns, among, seed, results)


def seed_knowns(c: int, i: Instance, knowns: int, among: int, seed: int) -> None:
    """Write the tangents of known variables; zeros if there is no seed."""
    for k in range(among):
        set_real(c, i.seeds[get_number(knowns, k)], 0.0)
    if seed != 0:
        for k in range(among):
            word = i.seeds[get_number(knowns, k)]
            set_real(c, word, get_real(c, word) + get_real(seed, k))


def differentiate_signals(c: int, i: Instance, m: Memory, s: Work) -> int:
    """Compute the tangents of signals and derivatives: 0, or -1 if a block fails."""
    failed = tangent(
        s.t, i.time_d.ctypes.data, m.x.ctypes.data, i.states_d.ctypes.data, s.scratch.ctypes.data,
        i.slopes_d.ctypes.data, i.memory, i.shadows.ctypes.data,
    )  # fmt: skip
    return -1 if failed < 0 else 0


def close_loops(c: int, i: Instance, m: Memory, s: Work, knowns: int, among: int, seed: int) -> int:
    """Seed the unknowns of algebraic loops: v = r(v, x) changes by dv = (I - r_v)^-1 r_x dx."""
    n = i.pivots.size
    failed = differentiate_signals(c, i, m, s)
    if failed < 0:
        return failed
    for k in range(n):
        i.loop[n, k] = get_real(c, i.cuts[k, 1])
    seed_knowns(c, i, knowns, among, 0)
    for j in range(n):
        set_real(c, i.cuts[j, 0], 1.0)
        failed = differentiate_signals(c, i, m, s)
        set_real(c, i.cuts[j, 0], 0.0)
        if failed < 0:
            return failed
        for k in range(n):
            i.loop[j, k] = (1.0 if j == k else 0.0) - get_real(c, i.cuts[k, 1])
    if not factor(i.loop, i.pivots):
        return 1
    solve(i.loop, i.pivots, i.loop, n, 0)
    seed_knowns(c, i, knowns, among, seed)
    for k in range(n):
        set_real(c, i.cuts[k, 0], i.loop[n, k])
    return 0


def slope_of_margin(s: Work, m: Memory, q: int) -> float:
    """The derivative of an event indicator by the value of its zero crossing: 1, -1, or 0."""
    distance = margin(s, m.g, q)
    if not distance < HUGE:
        return 0.0
    if s.side[q] != 0:
        return float(s.side[q])
    if distance < 0.0:
        return 1.0 if m.g[q] < s.shift[q] else -1.0
    return 0.0
