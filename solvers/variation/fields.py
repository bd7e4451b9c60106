"""Memory of the derivatives of a run, sums over it, and the functions of its loop by name.

A loop with derivatives calls the tangents of a program by these names; `follow.link` links them. Such loops
run in machine code only. The sums go over the derivatives of all states in all directions, in long loops over
contiguous memory.
"""

from __future__ import annotations

import numpy as np

from ..backend import Code
from ..fields import Count, Counts, Floats, Real, Reals, Structure
from ..layout import Memory, Work

DERIVATIVE, EVALUATE, REACT, UPDATE, REMEMBER, VARIATION = range(9, 15)
"""Words of the table of a program's functions: their tangents, and where a Variation lies."""
POINTS = 3  # of collocation in a step
NOWHERE, AT_BEGIN, AT_END = 0, 1, 2
"""Where the first stage of a part lies: to be taken, in its place, or the last one of the part before."""


class Variation(Structure):
    """The derivatives of a run: for each number, the directions in a row."""

    shadows = Count()  # where the tangents of the program's memory lie
    bare = Count()  # where others lie, in which no number but cut signals ever changes
    lanes = Count()  # directions
    rated = Count()  # 1: signals are asked for with their derivatives along time
    grazed = Count()  # events that matter, and whose instants have no derivative that is known
    grazing = Count()  # the last crossing of that kind
    crossing = Count()  # the crossing of the present instant, if its derivative is not known; otherwise -1
    step = Real()  # s, the length of the one that has just been taken
    last_at = Real()  # s, the last instant
    within = Count()  # 1: it moves, but turns back within the run's own error
    spare = Count()  # the direction along which turns are tried, or -1: nothing turns
    met = Count()  # times at which instants met that move differently
    met_at = Real()  # the last of them
    meeting = Count()  # a crossing, or timer, of the present instant that moves differently; otherwise -1
    meets = Counts(dimensions=1)  # the last two of that kind
    event = Count()  # the crossing or timer of the present instant, -1: one that leaves its level
    before = Count()  # that of the last instant, whether it mattered, when it was, and its derivative
    mattered = Count()
    before_at = Real()
    before_d = Reals(dimensions=1)
    singular = Count()  # times at which the equations of loops had no solution
    singular_at = Real()  # the first of them
    carried = Count()  # 1: the derivatives at the end of the step that is about to be accepted are there
    behind = Count()  # 1: the last thing was an instant

    first_stage = Count()  # where its slopes lie, one of these three
    tried = Real()  # s, where the stages end that are there with their derivatives

    endless = Count()  # 1: S changes too fast for MOST_PARTS parts of a step
    length = Real()  # s, of the next part of a step; 0: not known yet
    time_d = Reals(dimensions=1)  # derivatives with respect to time
    x_d = Reals(dimensions=2)  # of the states: in the shadows, as the others
    z_d = Reals(dimensions=2)
    w_d = Reals(dimensions=2)
    g_d = Reals(dimensions=2)
    slopes_d = Reals(dimensions=2)
    begin_d = Reals(dimensions=2)  # of the states where a step begins
    stages_d = Reals(dimensions=3)  # of the slopes of its stages
    trial_d = Reals(dimensions=2)  # of the state of a stage; at last those at the part's end
    x_row = Reals(dimensions=1)  # x_d once more, and so on: row after row
    trial_row = Reals(dimensions=1)
    begin_row = Reals(dimensions=1)
    slopes_row = Reals(dimensions=1)
    stage_rows = Reals(dimensions=2)
    sizes = Reals(dimensions=1)  # of S, in units of the state's tolerance
    errors = Reals(dimensions=1)  # of its errors
    most_d = Reals(dimensions=1)  # the largest S so far, in units of the state's tolerance
    slopes = Reals(dimensions=2)  # these
    begin = Reals(dimensions=1)  # the state where a part of a step begins
    x = Reals(dimensions=1)  # the state of a stage
    nodes_d = Reals(dimensions=3)  # of states and slopes at begin, middle and end of a step, for delays
    instant_d = Reals(dimensions=1)  # of an event's instant
    most = Reals(dimensions=1)  # the largest value of each crossing so far, without its sign
    held = Reals(dimensions=1)  # z before the present instant
    timers_d = Reals(dimensions=2)  # of the data of event times, timer by timer
    timers_at = Counts(dimensions=1)  # first row of each timer: offset, period, phases; or a list's instants

    cuts = Counts(dimensions=2)  # unknowns of algebraic loops: where in w each is given, and comes out
    loop = Reals(dimensions=2)  # I - F_v of their equations, by columns
    loop_pivots = Counts(dimensions=1)
    loop_right = Reals(dimensions=2)  # F_u, a row for each direction
    flow_time = Reals(dimensions=1)  # along time: the time
    flow_x = Reals(dimensions=2)  # the state
    w_rate = Reals(dimensions=1)  # and the signals afterwards
    bare_g = Reals(dimensions=2)  # and, as the first direction, of crossings
    bare_time = Reals(dimensions=1)
    bare_x = Reals(dimensions=2)
    bare_w = Reals(dimensions=2)
    units_x = Reals(dimensions=2)  # states that change one by one

    jacobian = Reals(dimensions=3)  # at each point of collocation, by columns
    matrix = Reals(dimensions=2)  # of the equations of all points
    pivots = Counts(dimensions=1)
    right = Reals(dimensions=2)  # a row for each direction


def variation(code: Code) -> Variation:
    """The derivatives of the run."""
    raise NotImplementedError


def slopes_tangent(
    code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
    shadows: int, w_d: Floats,
) -> int:  # fmt: skip
    """Compute the slopes with their derivatives, with algebraic loops solved."""
    raise NotImplementedError


def signals_tangent(
    code: Code, t: float, time_d: Floats, x: Floats, x_d: Floats, dx: Floats, dx_d: Floats, m: Memory,
    shadows: int, w_d: Floats,
) -> int:  # fmt: skip
    """Compute all signals, slopes and zero crossings with their derivatives, with algebraic loops solved."""
    raise NotImplementedError


def part(code: Code, m: Memory, s: Work, t: float, h: float, tried: bool) -> int:
    """Carry S in begin_d at t, where the state is `begin`, to x_d a time h later; see `parts`."""
    raise NotImplementedError


def state_at(code: Code, m: Memory, s: Work, time: float) -> int:
    """The state at a time within the step, into x_trial; see `loop.within`."""
    raise NotImplementedError


def settle(code: Code, m: Memory, s: Work, first: int) -> int:
    """Handle an instant; see `loop.instant`."""
    raise NotImplementedError


def add(into: Floats, weights: Floats, parts: Floats, count: int, h: float, length: int) -> None:
    """Four parts at a time, so that `into` is read and written a quarter as often."""
    for k in range(0, count, 4):
        k1, k2, k3 = min(k + 1, count - 1), min(k + 2, count - 1), min(k + 3, count - 1)
        w = h * weights[k]
        w1 = h * weights[k1] if k + 1 < count else 0.0
        w2 = h * weights[k2] if k + 2 < count else 0.0
        w3 = h * weights[k3] if k + 3 < count else 0.0
        for e in range(length):
            into[e] += w * parts[k, e] + w1 * parts[k1, e] + w2 * parts[k2, e] + w3 * parts[k3, e]


def sizes(m: Memory, s: Work, x_d: Floats, into: Floats) -> None:
    lanes = into.size
    for d in range(lanes):
        into[d] = 0.0
    for i in range(m.x.size):
        inverse = 1.0 / (s.atol[i] + s.rtol[i] * abs(m.x[i]))
        for d in range(lanes):
            into[d] += (x_d[i, d] * inverse) ** 2
    for d in range(lanes):
        into[d] = np.sqrt(into[d])


def start(m: Memory, v: Variation, x: Floats, x_row: Floats) -> None:
    for e in range(m.x.size * v.lanes):
        v.begin_row[e] = x_row[e]
    for i in range(m.x.size):
        v.begin[i] = x[i]
