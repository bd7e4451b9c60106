"""Variables of an instance are read and set by their numbers."""

from __future__ import annotations

import numpy as np

from ...solvers.calls import memory, work
from .core import begin, refresh
from .instance import BEFORE_RUN, CHOSEN, CONTINUOUS, ERROR, INITIALIZATION, OK, instance_at
from .raw import get_number, get_real, set_real


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
        if i.state == INITIALIZATION and i.touched == 1 and begin(i, s) != OK:
            return ERROR
        status = refresh(i, m, s)
        if status != OK:
            return status
        set_real(values, k, get_real(c, word))
    return OK


def set_reals(c: int, references: int, count: int, values: int) -> int:
    """Set variables. Numbers that change at events only wait for the next one."""
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
                i.dirty = 1
            if i.state != CONTINUOUS:
                i.touched = 1
    return OK


def none(c: int, references: int, count: int, values: int) -> int:
    """Variables of a type that no variable has."""
    return OK if count == 0 else ERROR


def no_derivatives(c: int, references: int, count: int, orders: int, values: int) -> int:
    """Derivatives of inputs or outputs, which Co-Simulation does not have."""
    return OK if count == 0 else ERROR
