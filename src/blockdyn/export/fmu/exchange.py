"""Calls of Model Exchange: the tool makes the steps and finds the events."""

from __future__ import annotations

import numpy as np

from ...solvers.calls import memory, work
from ...solvers.events.margin import note_sides
from ...solvers.events.timer import next_time
from ...solvers.layout import Memory
from .core import begin_chosen, differentiate, indicator, is_beyond, refresh, settle
from .instance import (
    CONTINUOUS,
    ERROR,
    EVENT,
    FAILED,
    MOVED,
    OK,
    Instance,
    get_real,
    instance_at,
    set_number,
    set_real,
    set_word,
)
from .life import NEVER

NEEDED, TERMINATE, NOMINALS, VALUES, DEFINED = range(5)  # members of fmi2EventInfo, numbers of four bytes
NEXT = 3  # and the double after them


def note_scale(i: Instance, m: Memory) -> None:
    """Note the largest values of zero crossings."""
    for q in range(m.g.size):
        size = abs(m.g[q])
        if i.scale[q] < size < np.inf:
            i.scale[q] = size


def enter_event_mode(c: int) -> int:
    """Let events happen at this instant."""
    instance_at(c).state = EVENT
    return OK


def settle_instant(c: int) -> tuple[int, int, float]:
    """Handle the instant until nothing changes.

    Returns the status, 1 if states have changed, and the time of the next time event, s, from NEVER on none.
    """
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    status = settle(i, m, s)
    if status != OK:
        i.state = FAILED
        return status, 0, 0.0
    note_scale(i, m)
    changed = 0
    for k in range(m.x.size):
        changed |= int(m.x[k] != s.x_new[k])
    return OK, changed, float(next_time(s, m))


def new_discrete_states(c: int, info: int) -> int:
    """Handle the instant, and report in the members of a structure."""
    status, changed, upcoming = settle_instant(c)
    if status != OK:
        return status
    set_number(info, NEEDED, 0)
    set_number(info, TERMINATE, instance_at(c).stopped)
    set_number(info, NOMINALS, 0)
    set_number(info, VALUES, changed)
    set_number(info, DEFINED, int(upcoming < NEVER))
    set_real(info, NEXT, upcoming if upcoming < NEVER else 0.0)
    return OK


def update_discrete_states(c: int, end: int, values: int, defined: int, upcoming: int) -> int:
    """Handle the instant, and report; another round is never needed, and nominal values stay."""
    status, changed, time = settle_instant(c)
    if status != OK:
        return status
    set_word(end, 0, instance_at(c).stopped)
    set_word(values, 0, changed)
    set_word(defined, 0, int(time < NEVER))
    set_real(upcoming, 0, time if time < NEVER else 0.0)
    return OK


def enter_continuous_time_mode(c: int) -> int:
    """Let time pass."""
    instance_at(c).state = CONTINUOUS
    return OK


def completed_integrator_step(c: int, event: int) -> int:
    """Record the sides of zero crossings, unless one is beyond its event, which handles it."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    status = refresh(i, m, s)
    if status != OK:
        return status
    crossed = is_beyond(m, s)
    if not crossed:
        note_scale(i, m)
        note_sides(s, m.g)
        for q in range(m.g.size):
            s.G[0, q] = m.g[q]
    set_word(event, 0, int(crossed))
    return OK


def set_time(c: int, t: float) -> int:
    """Set the time, s."""
    i = instance_at(c)
    work(i.work).t = t
    i.dirty = max(i.dirty, MOVED)
    return OK


def set_continuous_states(c: int, states: int, count: int) -> int:
    """Set the states."""
    i = instance_at(c)
    m = memory(i.memory)
    if count != m.x.size:
        return ERROR
    target = m.x.ctypes.data
    for k in range(count):
        set_real(target, k, get_real(states, k))
    i.dirty = max(i.dirty, MOVED)
    return OK


def get_continuous_states(c: int, states: int, count: int) -> int:
    """Read the states."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    if count != m.x.size or begin_chosen(i, s) != OK:
        return ERROR
    for k in range(count):
        set_real(states, k, m.x[k])
    return OK


def get_derivatives(c: int, slopes: int, count: int) -> int:
    """Read the derivatives of the states."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    if count != m.x.size or begin_chosen(i, s) != OK:
        return ERROR
    status = differentiate(i, m, s)
    for k in range(count if status == OK else 0):
        set_real(slopes, k, i.slopes[k])
    return status


def get_event_indicators(c: int, indicators: int, count: int) -> int:
    """Read the event indicators, see `core.indicator`."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    if count != m.g.size or begin_chosen(i, s) != OK:
        return ERROR
    status = differentiate(i, m, s)
    for q in range(count if status == OK else 0):
        set_real(indicators, q, indicator(i, m, s, q))
    return status


def get_nominals(c: int, nominals: int, count: int) -> int:
    """Read the nominal values of the states, which are unknown: 1."""
    for k in range(count):
        set_real(nominals, k, 1.0)
    return OK


def count_states(c: int, count: int) -> int:
    """Read the number of states."""
    set_word(count, 0, memory(instance_at(c).memory).x.size)
    return OK


def count_indicators(c: int, count: int) -> int:
    """Read the number of event indicators."""
    set_word(count, 0, memory(instance_at(c).memory).g.size)
    return OK
