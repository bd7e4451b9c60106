"""Limited demand: output of a drive within limits of value and rate, branch by branch.

The branch is one number, 0 to 17: ramp + 3 beyond + 9 backwards, with ramp 0: y follows the demand, 1: y
rises at its maximum rate, 2: y falls at it; beyond 1: the demand is above the maximum, 2: below the minimum;
backwards 1: y < 0.
"""

from __future__ import annotations

from math import inf
from typing import TypeAlias

SAME = 1e-12  # relative to two values, a ramp's change in 1 s and in the time: a smaller jump is rounding
EDGE, TIME = 2.0**-50, 2.0**-52  # relative to two values, to 1 s and the time: rounding where a ramp begins
BRANCHES = 18
Drive: TypeAlias = tuple[float, float, float, float, float, float]
"""The demand, the output so far, minimum and maximum, and the rates at which |x| may grow and shrink."""


def clip_demand(branch: int, u: float, least: float, greatest: float) -> float:
    """The demand held between two limits."""
    beyond = branch // 3 % 3
    return greatest if beyond == 1 else (least if beyond == 2 else u)


def driven(branch: int, u: float, x: float, least: float, greatest: float) -> float:
    """Output of the drive: the demand, or x while it ramps towards the demand."""
    return clip_demand(branch, u, least, greatest) if branch % 3 == 0 else x


def ramp(branch: int, gain: float, loss: float) -> float:
    """dx/dt, by the rates at which |x| may grow and shrink."""
    if branch % 3 == 0:
        return 0.0
    if branch % 3 == 1:
        return loss if branch >= 9 else gain
    return -gain if branch >= 9 else -loss


def limits(
    branch: int, t: float, u: float, x: float, least: float, greatest: float, gain: float, loss: float
) -> tuple[float, float, float, float, float, float]:
    """The crossings: maximum, minimum, demand reached, demand too fast up or down, zero."""
    demand = clip_demand(branch, u, least, greatest)
    above = u - greatest if greatest < inf else -1.0
    below = least - u if least > -inf else -1.0
    if branch % 3 != 0:
        # rates of both directions, which change roles at 0
        rates = (gain if gain < inf else 0.0) + (loss if loss < inf else 0.0)
        edge = EDGE * (abs(x) + abs(demand)) + TIME * (1.0 + abs(t)) * rates
        meets = (x - demand if branch % 3 == 1 else demand - x) - edge
        shrinks = (branch % 3 == 1) == (branch >= 9)
        return above, below, meets, 0.0, 0.0, (x if gain != loss and shrinks else 1.0)
    up = loss if branch >= 9 else gain
    down = gain if branch >= 9 else loss
    fast = demand - up * t if up < inf else 0.0
    slow = demand + down * t if down < inf else 0.0
    return above, below, -1.0, fast, slow, (demand if gain != loss else 1.0)


def next_branch(
    branch: int, t: float, drive: Drive, ramped: float, last: float, met: int, fast: int, slow: int
) -> int:
    """The next branch; `ramped` is not 0 if the branch was a ramp, `last` is the output so far."""
    u, x, least, greatest, gain, loss = drive
    beyond = 1 if u > greatest else (2 if u < least else 0)
    demand = clip_demand(3 * beyond, u, least, greatest)
    y = x if ramped != 0.0 else last
    gap = demand - y
    backwards = 1 if y < 0.0 or (y == 0.0 and gap < 0.0) else 0
    up = loss if backwards == 1 else gain
    down = gain if backwards == 1 else loss
    rises = 1 if up < inf else 0
    falls = 2 if down < inf else 0
    way = branch % 3
    if ((way == 1 and gap > 0.0) or (way == 2 and gap < 0.0)) and met == 0:
        chosen = rises if way == 1 else falls
    elif abs(gap) <= SAME * (
        abs(demand) + abs(y) + (1.0 + abs(t)) * ((up if rises else 0.0) + (down if falls else 0.0))
    ):
        chosen = way
        if met == 1 or way == 0:
            chosen = rises if fast == 1 else (falls if slow == 1 else 0)
    else:
        chosen = rises if gap > 0.0 else falls
    return chosen + 3 * beyond + 9 * backwards


def start_of_ramp(branch: int, x: float, ramped: float, last: float) -> float:
    """x just after an event: a ramp begins at the last output."""
    return last if ramped == 0.0 and branch % 3 != 0 else x
