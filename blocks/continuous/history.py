"""History: the past of a signal, as polynomials over the steps of a run, and the breaks between them.

Every step adds a piece: the polynomial of degree 8 through nine of Chebyshev's points, in Newton's form, so
that it is as accurate as the dense output of any method. A break is an instant at which the signal, or a
derivative of it, jumps; between two of them it is smooth. A delayed break is a break again, one level higher
if the signal itself continues without a jump: integration has smoothed it once. After MOST levels it is
dropped.

Sources: Bellen, Zennaro, Numerical Methods for Delay Differential Equations (2003), sections 2.1 to 2.3, 4.1;
Shampine, Thompson, Solving DDEs in Matlab, Applied Numerical Mathematics 37(4), 2001, 441-458,
doi:10.1016/S0168-9274(00)00055-6; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993),
section II.17.
"""

from __future__ import annotations

from ..contract.parameter import Array

NODES = 9  # nodes of a piece
BEGIN, SEGMENT, COUNT, OFFSETS = range(
    4
)  # columns of a piece; after the offsets of its nodes, the coefficients
FIRST = OFFSETS + NODES  # of the coefficients, NODES for each element
LEVEL, PIECES, NEWEST, LAST, HINT, BREAKS, QUIET, PENDING, MOVED, BROKE, BEGAN = range(11)
"""Places in `mark`: the level of an instant, -1 within steps; the number of pieces so far; the row of the
newest; the time of its last node; the row of one near the delayed time; the number of the last break; 1 if
the signal has been constant since an event, and the level of that event; the shift of all times since the
first run; the time of the last break; the start."""
MARKS = 11
SAME, CHANGED, FULL, TOO_LONG = range(4)  # the effect of a node on the breaks
MOST = 8.0  # levels: the highest order of any method
ROUNDING = 2.0**-46  # relative to a time: rounding of adding and subtracting a delay
ROUNDED = 2.0**-49  # relative to a time: a jump arrives this much earlier, so that a tick does not miss it
SPREAD = 5  # nodes of a piece for extrapolation: more would amplify rounding
JUMP = 1e-12  # relative to a value: a smaller change is rounding, not a jump
UNSET = float("inf")  # output of a block before its first piece, if a function gives it


def columns(elements: int) -> int:
    """The numbers of a piece."""
    return FIRST + NODES * elements


def value(history: Array, row: int, element: int, time: float) -> float:
    """The polynomial of one element."""
    at = FIRST + NODES * element
    s = time - history[row, BEGIN]
    y = history[row, at + NODES - 1]
    for j in range(NODES - 2, -1, -1):
        y = y * (s - history[row, OFFSETS + j]) + history[row, at + j]
    return float(y)


def piece(history: Array, mark: Array, passed: float, time: float, column: int = BEGIN) -> int:
    """The row of the piece that holds at a time, -1 before the first; events select the side of a break.

    With another `column`, which holds where pieces begin in another increasing quantity, `time` is a value of
    that quantity.
    """
    if passed == 0.0:
        return -1
    size = history.shape[0]
    newest, row = int(mark[NEWEST]), int(mark[HINT])
    oldest = 0 if mark[PIECES] <= size else following(newest, size)
    while row != newest and history[following(row, size), column] <= time:
        row = following(row, size)
    while row != oldest and history[row, column] > time:
        row = row - 1 if row > 0 else size - 1
    if history[row, SEGMENT] == passed and history[row, column] <= time:
        return row
    while row != newest and history[row, SEGMENT] < passed:
        row = following(row, size)
    while row != oldest and history[row, SEGMENT] > passed:
        row = row - 1 if row > 0 else size - 1
    return -1 if history[row, SEGMENT] > passed and mark[PIECES] <= size else row


def following(row: int, size: int) -> int:
    """The row after a row of the ring."""
    return row + 1 if row + 1 < size else 0


def delayed_value(history: Array, mark: Array, passed: float, before: Array, time: float, y: Array) -> bool:
    """The signal at an earlier time; False if a function gives it, as before the first piece."""
    row = piece(history, mark, passed, time)
    for i in range(y.shape[0]):
        y[i] = before[i] if row < 0 else value(history, row, i, time)
    return row >= 0 or before[0] != UNSET


def within_step(t: float, u: Array, history: Array, mark: Array, time: float, i: int) -> float:
    """The value of an element within the current step; at its end t only u is available.

    The polynomial through u and up to five nodes of the last piece, as long as no break lies in between.
    """
    size, row = history.shape[0], int(mark[NEWEST])
    before = row - 1 if row > 0 else size - 1
    if (
        history[row, COUNT] == 1.0
        and mark[PIECES] > 1.0
        and history[before, SEGMENT] == history[row, SEGMENT]
    ):
        row = before
    count = int(history[row, COUNT])
    nodes = min(count, SPREAD)
    total, here = 0.0, 1.0
    for j in range(nodes):
        a = history[row, BEGIN] + history[row, OFFSETS + j * (count - 1) // max(nodes - 1, 1)]
        here *= (time - a) / (t - a)
        weight = (time - t) / (a - t)
        for k in range(nodes):
            if k != j:
                b = history[row, BEGIN] + history[row, OFFSETS + k * (count - 1) // max(nodes - 1, 1)]
                weight *= (time - b) / (a - b)
        total += weight * value(history, row, i, a)
    return float(total + here * u[i])


def next_break(breaks: Array, mark: Array, passed: float) -> float:
    """The time of the first break that has not passed yet, infinite without one."""
    if passed >= mark[BREAKS]:
        return float("inf")
    return float(breaks[(int(passed) + 1) % breaks.shape[0]])


def last_break(breaks: Array, mark: Array, passed: float) -> float:
    """The time of the last break that has passed, minus infinity without one."""
    if passed <= 0.0 or mark[BREAKS] - passed >= breaks.shape[0]:
        return float("-inf")
    return float(breaks[int(passed) % breaks.shape[0]])


def ahead(time: float, t: float, breaks: Array, mark: Array, passed: float) -> float:
    """Distance of a delayed time past the next break, which is passed from 0 on, within the rounding of t."""
    due = next_break(breaks, mark, passed)
    return time - due + ROUNDED * max(abs(t), abs(time)) if due < float("inf") else -1.0


def delay_past_break(time: float, t: float, breaks: Array, mark: Array, passed: float) -> float:
    """Distance of a delayed time past the last break: the break is passed where this exceeds rounding."""
    last = last_break(breaks, mark, passed)
    return last - time - ROUNDING * max(abs(t), abs(time)) if last > float("-inf") else -1.0


def passed_at(time: float, t: float, breaks: Array, mark: Array, passed: float) -> float:
    """Number of breaks passed at a delayed time, counted from the previous number."""
    while ahead(time, t, breaks, mark, passed) >= 0.0:
        passed += 1.0
    while delay_past_break(time, t, breaks, mark, passed) > 0.0:
        passed -= 1.0
    return passed


def beyond_break(time: float, t: float, breaks: Array, mark: Array, passed: float) -> float:
    """Distance of a delayed time beyond the next break, or back before the last one; negative: neither."""
    return max(ahead(time, t, breaks, mark, passed), delay_past_break(time, t, breaks, mark, passed))


def passed_by(time: float, t: float, breaks: Array, mark: Array, passed: float) -> float:
    """The number of breaks passed just after a delayed time has passed one, forwards or back."""
    if ahead(time, t, breaks, mark, passed) >= delay_past_break(time, t, breaks, mark, passed):
        return passed_at(time, t, breaks, mark, passed + 1.0)
    return passed_at(time, t, breaks, mark, passed - 1.0)


def keep(
    t: float, u: Array, watched: int, delay: float, shortest: float, longest: float, column: int,
    history: Array, breaks: Array, levels: Array, mark: Array, passed: float,
) -> int:  # fmt: skip
    """Record the signal at a time: the next node of a step, or the first value of a new piece.

    The first `watched` elements decide on breaks, which are recorded in `column` by the beginning of their
    piece. If `column` belongs to the element after those instead of to time, a piece in which this element is
    constant is overwritten.

    FULL if pieces or breaks do not fit, TOO_LONG if a step is too long.
    """
    level = mark[LEVEL]
    mark[LEVEL] = -1.0
    if level < -1.0:
        return SAME  # a query to delays that may be shorter than a step
    row = int(mark[NEWEST])
    if t != mark[LAST] and mark[PIECES] > 0.0:
        if t - history[row, BEGIN] > shortest + ROUNDING * (abs(t) + shortest):
            return TOO_LONG
        _add(t, u, history, row, mark)
        if mark[QUIET] == 0.0 or _rests(history, row, 0, watched):
            return SAME
        mark[QUIET] = 0.0
        _break(mark[PENDING], column, history, breaks, levels, mark)
        return CHANGED
    if mark[BREAKS] + 1.0 - passed >= history.shape[0]:
        return FULL
    if mark[PIECES] == 0.0 or history[row, COUNT] > 1.0:
        still = column != BEGIN and mark[PIECES] > 0.0 and _rests(history, row, watched, watched + 1)
        if not _begin(t, u, longest, still, history, mark):
            return FULL
        if level >= 0.0 or still:
            _judge(u[:watched], level, column, history, breaks, levels, mark)
    else:
        for i in range(u.shape[0]):
            history[row, FIRST + NODES * i] = u[i]
        if level >= 0.0 and mark[BROKE] != t:
            _judge(u[:watched], level, column, history, breaks, levels, mark)
    mark[HINT] = float(max(piece(history, mark, passed, t - delay), 0))
    return CHANGED


def _begin(t: float, u: Array, longest: float, again: bool, history: Array, mark: Array) -> bool:
    """A new piece, in the row of the newest if `again`; False if it would replace a needed piece."""
    size = history.shape[0]
    row = int(mark[NEWEST])
    if mark[PIECES] > 0.0 and not again:
        row = following(row, size)
    if not again and mark[PIECES] >= size and history[following(row, size), BEGIN] > t - longest:
        return False
    history[row, BEGIN] = t
    history[row, SEGMENT] = mark[BREAKS]
    history[row, COUNT] = 1.0
    for j in range(OFFSETS, history.shape[1]):
        history[row, j] = 0.0
    for i in range(u.shape[0]):
        history[row, FIRST + NODES * i] = u[i]
    if mark[PIECES] == 0.0:
        mark[BEGAN] = t
    if not again:
        mark[PIECES] += 1.0
    mark[NEWEST] = float(row)
    mark[LAST] = t
    mark[QUIET] = 0.0
    return True


def _add(t: float, u: Array, history: Array, row: int, mark: Array) -> None:
    """One more node: Newton's next divided difference."""
    count = int(history[row, COUNT])
    s = t - history[row, BEGIN]
    product = 1.0
    for j in range(count):
        product *= s - history[row, OFFSETS + j]
    for i in range(u.shape[0]):
        history[row, FIRST + NODES * i + count] = (u[i] - value(history, row, i, t)) / product
    history[row, OFFSETS + count] = s
    history[row, COUNT] = count + 1.0
    mark[LAST] = t


def _judge(
    u: Array, level: float, column: int, history: Array, breaks: Array, levels: Array, mark: Array
) -> None:
    """Begin a break at the newest piece if there is one; it stays pending while the signal is constant.

    With a `level` below 0 only a jump is a break: the signal changed while the flow was at rest.
    """
    row = int(mark[NEWEST])
    before = row - 1 if row > 0 else history.shape[0] - 1
    end = history[before, BEGIN] + history[before, OFFSETS + max(int(history[before, COUNT]) - 1, 0)]
    jumps = mark[PIECES] == 1.0
    for i in range(u.shape[0] if not jumps else 0):
        was = value(history, before, i, end)
        jumps = jumps or abs(u[i] - was) > JUMP * max(abs(u[i]), abs(was))
    if jumps:
        _break(0.0, column, history, breaks, levels, mark)
    elif level >= 0.0 and _rests(history, before, 0, u.shape[0]):
        mark[QUIET] = 1.0
        mark[PENDING] = level
    elif level >= 0.0:
        _break(level, column, history, breaks, levels, mark)


def _rests(history: Array, row: int, first: int, last: int) -> bool:
    """True if the elements from `first` to before `last` are constant over a piece."""
    for i in range(first, last):
        for j in range(1, int(history[row, COUNT])):
            if history[row, FIRST + NODES * i + j] != 0.0:
                return False
    return True


def _break(level: float, column: int, history: Array, breaks: Array, levels: Array, mark: Array) -> None:
    """Register a break where the newest piece begins, unless the last break is at the same place."""
    if level > MOST:
        return
    number, row = mark[BREAKS], int(mark[NEWEST])
    at = int(number) % breaks.shape[0]
    if number > 0.0 and breaks[at] == history[row, column]:
        levels[at] = min(levels[at], level)
    else:
        number += 1.0
        at = int(number) % breaks.shape[0]
        breaks[at] = history[row, column]
        levels[at] = level
    history[row, SEGMENT] = number
    mark[BREAKS] = number
    mark[BROKE] = history[row, BEGIN]
