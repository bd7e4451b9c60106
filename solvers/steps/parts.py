"""Near the bound of stability, dense output comes from three steps of a third of the length.

A polynomial through the stages of a step multiplies what decays fast in it: DOP853's, as published, by 25
where h times the Jacobian is 6.4, at which the step itself is just stable. There the step is taken again in
thirds, and the polynomial of degree 7 that meets their four ends in value and slope takes its place: order 8,
and nothing is multiplied.

Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), section II.6.
"""

from __future__ import annotations

from collections.abc import Callable

from ...native.pieces import mark_cold
from ..backend import Backend, Code, PhaseOf
from ..fields import Floats
from ..layout import Explicit, Memory

NEAR = 0.25  # of `stability.stable_length`: below, the published interpolant is as good as the step
THIRDS = 2  # value of DENSE if the parts are there


def make_parts(backend: Backend, stages: Callable[..., int]) -> PhaseOf[Explicit]:
    @backend.apart
    def take_parts(code: Code, m: Memory, s: Explicit) -> int:
        """The first two thirds of the step, each a step of its own; 0, or the program's status."""
        last = s.stages - 1
        base = s.stages + s.extra
        ends = base + s.stages
        h = s.h_taken / 3.0
        for i in range(m.x.size):
            s.K[ends + 2, i] = s.x_new[i]
            s.K[base, i] = s.K[0, i]
        for part in range(2):
            x = m.x if part == 0 else s.K[ends]
            failed = stages(code, m, s, x, s.t + part * h, h, base, 1, last + 1, False)
            if failed != 0:
                return int(failed)
            for i in range(m.x.size):
                s.K[ends + part, i] = s.x_trial[i]
                s.K[base, i] = s.K[ends + 3 + part, i] = s.K[base + last, i]
        s.dense = THIRDS
        return 0

    return take_parts


@mark_cold
def hermite(m: Memory, s: Explicit, theta: float, out: Floats) -> None:
    """x(t + theta h) by the polynomial of degree 7 through the ends of the parts."""
    ends = 2 * s.stages + s.extra
    h = s.h_taken
    for i in range(m.x.size):
        out[i] = 0.0
    for node in range(4):
        here = node / 3.0
        weight = 1.0
        tilt = 0.0
        for other in range(4):
            if other != node:
                weight *= (3.0 * theta - other) / (node - other)
                tilt += 3.0 / (node - other)
        weight *= weight
        value = weight * (1.0 - 2.0 * tilt * (theta - here))
        slope = weight * (theta - here) * h
        row = s.stages - 1 if node == 3 else (0 if node == 0 else ends + 2 + node)
        for i in range(m.x.size):
            out[i] += slope * s.K[row, i]
            if node > 0:
                out[i] += value * (s.K[ends + node - 1, i] - m.x[i])
    for i in range(m.x.size):
        out[i] += m.x[i]
