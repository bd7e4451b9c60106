"""What the derivatives of a run are kept in."""

from __future__ import annotations

from ..fields import Count, Counts, Real, Reals, Structure

DERIVATIVE, EVALUATE, REACT, UPDATE, VARIATION = range(9, 14)
"""Words of the table of a program's functions: their tangents, and where a Variation lies."""


class Variation(Structure):
    """The derivatives of a run: of each number, those in all directions behind each other.

    The last direction is that of the flow: it is used where an event's instant is derived.
    """

    shadows = Count()  # where the tangents of the program's memory lie
    lanes = Count()  # directions, the flow among them
    grazed = Count()  # events whose crossing did not move: their instants have no derivative
    crossing = Count()  # the last crossing of that kind
    met = Count()  # times at which instants met that move differently
    met_at = Real()  # the last of them

    time_d = Reals(dimensions=1)  # those of the time
    x_d = Reals(dimensions=2)  # of the states: in the shadows, as the others
    z_d = Reals(dimensions=2)
    w_d = Reals(dimensions=2)
    g_d = Reals(dimensions=2)
    slopes_d = Reals(dimensions=2)
    begin_d = Reals(dimensions=2)  # of the states where a step begins
    stages_d = Reals(dimensions=3)  # of the slopes of its stages
    slopes = Reals(dimensions=2)  # these
    x = Reals(dimensions=1)  # the state of a stage
    instant_d = Reals(dimensions=1)  # of an event's instant
    timers_d = Reals(dimensions=2)  # of what instants are made of, timer by timer
    timers_at = Counts(dimensions=1)  # where each timer's begin: offset, period, phases; or those of a list
