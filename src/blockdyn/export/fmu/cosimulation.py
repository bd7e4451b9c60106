"""Calls of Co-Simulation: the run advances from one communication point to the next by its own steps."""

from __future__ import annotations

from ...solvers.calls import memory, work
from .core import outcome, settle, step_to
from .instance import (
    DISCARD,
    ERROR,
    FAILED,
    OK,
    STEP_FAILED,
    instance_at,
    set_number,
    set_real,
)

LAST_TIME, ENDED = 2, 3  # of fmi2StatusKind


def do_step(c: int, t: float, h: float, final: int) -> int:
    """Advance by h, s, with inputs that stay as they are."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    if not h >= 0.0 or i.stopped == 1:
        i.state = STEP_FAILED
        return DISCARD
    status = OK
    if i.touched == 1:
        i.marked = 0
        status = settle(i, m, s)
    if status == OK and i.stopped == 0 and t + h > s.t:
        status = outcome(i, step_to(i, s, t + h))
    if status == ERROR:
        i.state = FAILED
    elif i.stopped == 1:
        i.state = STEP_FAILED
        return DISCARD
    return status


def get_status(c: int, kind: int, value: int) -> int:
    """No step is in progress."""
    return DISCARD


def get_real_status(c: int, kind: int, value: int) -> int:
    """The time up to which the run has come."""
    if kind != LAST_TIME:
        return DISCARD
    set_real(value, 0, work(instance_at(c).work).t)
    return OK


def get_boolean_status(c: int, kind: int, value: int) -> int:
    """True if the run has ended by itself."""
    if kind != ENDED:
        return DISCARD
    set_number(value, 0, instance_at(c).stopped)
    return OK
