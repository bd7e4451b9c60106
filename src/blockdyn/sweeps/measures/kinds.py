"""Memory layout of measures: spec and numbers are read, the workspace is written."""

from __future__ import annotations

# ---- kinds ----
(
    HIGHEST,  # of the signal, or with NEGATE the lowest
    RANGE,
    INTEGRAL,
    MEAN,
    RMS,
    ITAE,
    FINAL,
    INITIAL,
    OVERSHOOT,
    SETTLING,
    RISE,
    TIME_TO,
    COUNT,
    SHARE,
    SATURATED,
    LAST_SIGNAL,  # kinds up to here use a signal during the whole run
    LAST_ROW,  # of the signal: the final value of a run without a window
    EVENT_COUNT,
    EVENT_TIME,
    END_TIME,
    STEPS,
    VALUE,  # computed from other measures, at the end
) = range(22)

AT_INSTANTS = (INITIAL, LAST_ROW, EVENT_COUNT, EVENT_TIME, END_TIME, VALUE)
"""Kinds that need no rows between events; a measure of the initial or last value without a window."""

# ---- columns of spec, one row per measure ----
(KIND, COLUMN, FLAGS, REFINE, FIRST_EVENT, STOP_EVENT, STRIDE, TIMER_EVENT, BASE) = range(9)
SPEC = 9
ABSOLUTE, NEGATE = 1, 2  # flags: the absolute value of the signal; the negative of it

# ---- columns of numbers ----
(AFTER, BEFORE, LEVEL, TARGET, FROM, TOLERANCE, BAND, LOW, HIGH) = range(9)
NUMBERS = 9

# ---- the workspace: its first row, five rows of the panel, a row per measure, then histories ----
(POINTS, STEP_COUNT, START, IN_STEP) = range(4)
PANEL = 1  # row of the panel's first point: its time, the value of each measure's signal
FIRST_ROW = 6  # row of the first measure
(A, B, BEGAN, ENDED, SIDE, FIRST, LAST, UP, DOWN) = range(9)
WIDTH = 9
PEAK, FIRST_PEAK = B, UP  # of passages: the largest distance from the level, and the one before the first

# ---- a row of a history: a panel, its highest value, 1 where panels before it were dropped ----
(H_T, H_LENGTH, H_0, H_1, H_2, H_3, H_4, H_TOP, H_CUT) = range(9)
ROOM = 256  # panels that a history holds
