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
    set_real,
    set_word,
)

LAST_TIME, ENDED = 2, 3  # of fmi2StatusKind


def advance_to(c: int, target: float) -> int:
    """Advance to a communication point, with constant inputs."""
    i = instance_at(c)
    m, s = memory(i.memory), work(i.work)
    status = OK
    if i.touched == 1:
        i.marked = 0
        status = settle(i, m, s)
    if status == OK and i.stopped == 0 and target > s.t:
        status = outcome(i, step_to(i, s, target))
    if status == ERROR:
        i.state = FAILED
    return status


def do_step(c: int, t: float, h: float) -> int:
    """Advance by h, s. A run that ends by itself has no more steps."""
    i = instance_at(c)
    status = DISCARD
    if h >= 0.0 and i.stopped == 0:
        status = advance_to(c, t + h)
    if status != ERROR and (i.stopped == 1 or not h >= 0.0):
        i.state = STEP_FAILED
        return DISCARD
    return status


def do_step_with_outcome(c: int, t: float, h: float, end: int, early: int, last: int) -> int:
    """Advance by h, s, and report whether the run has ended by itself, and the time that it has reached."""
    i = instance_at(c)
    if not h >= 0.0:
        return ERROR
    status = OK
    if i.stopped == 0:
        status = advance_to(c, t + h)
    reached = work(i.work).t
    set_word(end, 0, i.stopped)
    set_word(early, 0, int(i.early == 1 and i.stopped == 1 and reached < t + h))
    set_real(last, 0, reached)
    return status


def get_status(c: int, kind: int, value: int) -> int:
    """No step is in progress."""
    return DISCARD


def get_real_status(c: int, kind: int, value: int) -> int:
    """The time that the run has reached."""
    if kind != LAST_TIME:
        return DISCARD
    set_real(value, 0, work(instance_at(c).work).t)
    return OK


def get_boolean_status(c: int, kind: int, value: int) -> int:
    """True if the run has ended by itself."""
    if kind != ENDED:
        return DISCARD
    set_word(value, 0, instance_at(c).stopped)
    return OK
