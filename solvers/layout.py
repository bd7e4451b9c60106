"""Where each number of a run lies: the arrays that the native loop and Python share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# ---- F: the solver's real numbers ----
(
    T,
    T_NEW,
    T_END,
    T_START,
    H,
    H_MAX,
    H_FIXED,
    RTOL,
    LOG_ERROR,
    H_TAKEN,
    T_BAD,
    T_EVENT,
    ZENO_GAP,
    H_FIRST,
    H_CALM,  # steps below are never too long for a zero crossing
    STABLE,  # h times the size of the Jacobian at which the method becomes unstable; infinite: not looked at
    T_CLOSE,  # the first of the state events in a row that may be chattering
) = range(17)
FLOATS = 17

# ---- I: the solver's integers ----
(
    ADAPTIVE,  # 1: step-size control, 0: fixed steps
    STAGES,  # stages of a step, the last one at its end
    EXTRA,  # further stages that only dense output needs
    BACK_USED,  # 1: the step taken is an Adams step
    ESTIMATE_ORDER,  # power of the step that the error estimate shrinks with
    TWO_ERRORS,  # 1: the error is put together from two estimates (DOP853)
    MULTISTEP,  # back values that an Adams formula uses
    BACK,  # back values at hand
    GRID,  # 1: rows at given times, 0: at every step
    GRID_NEXT,  # the first given time not yet written
    REFINE,  # rows per step; 0: only at events and where the run ends
    PHASE,  # where to go on after a pause
    DENSE,  # 1: the extra stages are there, 2: the parts of solvers.parts
    GRID_STEP,  # the index of the next fixed step's end
    BUDGET,  # steps until the next pause
    ROWS,  # rows in the log
    EVENT_ROWS,  # rows in the event log
    STEPS,
    REJECTED,
    EVALUATIONS,
    STATE_EVENTS,
    TIME_EVENTS,
    REJECTED_LAST,  # 1: the last attempt was rejected
    BAD_EVALUATIONS,  # attempts in a row that met a number that is not finite
    BAD_STATE,  # the state with the largest error when steps collapsed
    CROWDED,  # state events in a row that come closer than the Zeno gap
    LAST_GUARD,  # the zero crossing found last
    STALE,  # 1: the signals in w are not those of (t, x)
    REFINE_NEXT,
    WRITTEN_OUT,  # 1: the default method, whose coefficients are in the code; 2: in the program's own step
    UNSOUND,  # 1: the last signals of an instant are not all finite
    FORCED,  # 1: the step ends at an event beyond which nothing is finite
    DETAIL,  # what a program's function returned when it failed
    MOST_STEPS,  # accepted steps after which a run is given up
    LOOKED,  # steps whose stability was looked at
    LIMITED,  # of these, steps that are as long as stability allows
    CLOSE,  # state events in a row that may be chattering
    CAME_BACK,  # 1: a mode has changed and come back among the last of them
    SWITCHER,  # the mode, or behind the modes the held state, that came back last
) = range(39)
INTEGERS = 39

# ---- phases ----
STEPPING, WRITING, ACCEPTING = 0, 1, 2

# ---- what `advance` returns ----
(
    DONE, PAUSED, FULL, STOPPED, NONFINITE, COLLAPSED, CROWDED_EVENTS, UNSETTLED, KERNEL_FAILED, TOO_MANY,
    CHATTERING,
) = range(11)  # fmt: skip

# ---- row flags ----
AT_STEP, LEFT, RIGHT, AT_GRID, INITIAL = range(5)

# ---- columns of the timer table ----
(RATIONAL, DENOMINATOR, OFFSET, PERIOD, COUNT, DATA, MODE, HIT) = range(8)
TIMER_COLUMNS = 8


class Memory(NamedTuple):
    """What a program reads and writes: states, modes, parameters, signals, zero crossings."""

    x: Floats
    z: Floats
    modes: Integers
    p: Floats
    w: Floats
    g: Floats
    hit: Integers  # per clock: 1 while its tick is handled
    fired: Integers  # per zero crossing: 1 while its event is handled
    fresh: Integers  # per zero crossing: 1 when its block changed mode
    table: Integers  # addresses of z ... fresh, in this order, for compiled programs


class Work(NamedTuple):
    """What the solver keeps between two calls."""

    F: Floats
    I: Integers  # noqa: E741
    x_new: Floats
    x_trial: Floats
    scratch: Floats
    atol: Floats
    K: Floats  # slopes, one row a stage
    G: Floats  # zero crossings, one row a stage
    back: Floats  # slopes of earlier steps
    side: Integers  # per zero crossing: the sign it had last
    shift: Floats  # per zero crossing: the level that counts as zero
    direction: Integers  # per zero crossing: +1 rising, -1 falling, 0 both
    passage: Integers  # per zero crossing: 1 where only a change of sign is an event
    samples: Floats  # zero crossings along one step
    nodes: Floats  # where the samples lie, in parts of the step
    watch: Floats  # modes and held states at an event, and whether each has changed since
    stop_modes: Integers  # modes that end the run when not 0
    timers: Integers
    timer_integers: Integers
    timer_floats: Floats
    A: Floats
    C: Floats
    E: Floats
    E3: Floats
    M: Floats  # weights of an Adams formula
    N: Floats  # dense output in the products of solvers.tableau.nested
    NM: Floats
    grid: Floats
    columns: Integers  # which signals a row holds
    log: Floats
    events: Floats


TABLE = Memory._fields[1:-1]

TYPES: dict[str, str] = {
    **dict(zip(Memory._fields, ("d1", "d1", "i1", "d1", "d1", "d1", "i1", "i1", "i1", "i1"), strict=True)),
    **dict.fromkeys(("F", "x_new", "x_trial", "scratch", "atol", "shift", "timer_floats"), "d1"),
    **dict.fromkeys(("C", "E", "E3", "M", "grid", "nodes"), "d1"),
    **dict.fromkeys(("K", "G", "back", "samples", "watch", "A", "N", "NM", "log", "events"), "d2"),
    **dict.fromkeys(("I", "side", "direction", "passage", "stop_modes", "timer_integers", "columns"), "i1"),
    "timers": "i2",
}
"""The type of every array, as native.front_end writes it."""
