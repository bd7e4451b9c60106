"""Switch from an explicit method to an implicit one, and back.

Stiff is what makes h lambda, the step times the size of the Jacobian along the solution, stay near the
bound of stability: both slopes at the end of a step show it. The implicit method goes on as long as one of
its steps saves more explicit ones than it costs: as many as h times the spectral radius of the Jacobian has
that bound in it. Both must last, so that no method comes and goes within a few steps.

The bound of an undamped mode is a third of a damped mode's. A mode that the solution follows may come
near it, too; one that only limits the step stays there at any tolerance. Slopes of an undamped mode are
perpendicular to its states, in the mean over its phases.

The first switch compiles tangents, and a trial that wins nothing costs its steps. So the explicit method
first takes as many steps at the bound as a trial would cost, and some more; after one that won nothing,
twice as many as before. A run with many times that number of steps to come at the bound switches for the
first time as soon as the bound is met. An attempt that is refused shows it too, and early: beyond the bound
errors of what has settled grow. Steps that go on there feed an undamped mode, which no method could then
take for settled.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II (1996), section IV.2; L. Petzold, SIAM
Journal on Scientific and Statistical Computing 4(1) (1983) 136-148, doi:10.1137/0904010, on going to and fro.
"""

from __future__ import annotations

import numpy as np

from ...native.pieces import mark_cold
from ..backend import Backend, Code, Margin
from ..fields import Floats
from ..layout import DenseJacobian, Memory, Switching, Work
from ..methods.method import Family, Method, Steps
from .control import LOG_LEAST

SOONER = 16  # steps from one look to the next while nothing is suspected
STIFF = 0.8
"""Of the stability bound, 3.3 for Dormand-Prince. The code DOPRI5 has 0.98: at tight tolerances, and where
the fast poles are complex, step-size control comes to rest below that, and nothing would ever be noticed."""
LOOSE = 1e-6
"""An rtol below which it is stiff from less of that bound on. Explicit steps get shorter over a fast pole
that is settled, too, whose error is one of a low power of the step. Those over an oscillation get shorter
with the root of the tolerance that belongs to the method's order, and so does this: they stay at a tenth."""
UNDAMPED = 0.8
"""Of h lambda, at tight tolerances; the bound of Dormand-Prince on the imaginary axis is 1.0."""
FOLLOWED = 0.56  # h lambda of a harmonic oscillation that is followed at an rtol of 1e-4: measured
PERPENDICULAR = 0.15  # the largest mean cosine, of 99 degrees, from where on the bound is three times as high
UNHURRIED = 1.0 / 16.0  # weight of a look in these means
QUIET = 0.1  # h lambda that a mean of its logarithms takes for less
AHEAD = 3.0  # times the patience: with that many steps at the bound to come, the first switch need not wait
INSURANCE = 0.2  # of the cost of these steps: the budget of a first trial
SUSPICIONS, RELIEFS = 15, 6  # steps beyond it until it is stiff; steps in a row below that take it back
PATIENCE = 100  # steps beyond it until the first switch, besides those that a trial costs
EASY = 0.6  # of its price: an implicit step that saves fewer explicit ones
TRIAL = 30  # steps that save nothing, after which it is given up; twice as many where it nearly paid
CLEAR = 100.0  # times the price of a trial: savings beyond this certainly pay for one
FADING = 0.8  # weight of the steps before in the spectral radius
LEAST_SIZE = 1e-300  # a Jacobian that is smaller is 0
MOST_STATES = 100  # whose equations are solved as one dense system


def join_families(explicit: Family, implicit: Family) -> Family:
    """The steps of two families for one loop, which takes those of the second where a run is stiff."""

    def make_steps(backend: Backend, margin: Margin) -> Steps:
        first, second = explicit(backend, margin), implicit(backend, margin)
        take_first, prepare_first, interpolate_first = first[:3]
        take_second, prepare_second, interpolate_second = second[:3]

        @backend.jit
        def take(code: Code, m: Memory, s: Work, target: float) -> int:
            if s.implicit == 1:
                return int(take_second(code, m, s, target))
            return int(take_first(code, m, s, target))

        @backend.jit
        def prepare(code: Code, m: Memory, s: Work) -> int:
            if s.implicit == 1:
                return int(prepare_second(code, m, s))
            return int(prepare_first(code, m, s))

        @backend.jit
        def interpolate(m: Memory, s: Work, theta: float, out: Floats) -> None:
            if s.implicit == 1:
                interpolate_second(m, s, theta, out)
            else:
                interpolate_first(m, s, theta, out)

        return Steps(take, prepare, interpolate, explicit=first.explicit)

    make_steps.__name__ = f"{explicit.__name__} {implicit.__name__}"
    return make_steps


def gives_way(method: Method, states: int) -> bool:
    """True if another method takes over for this number of stiff states."""
    return method.stiff is not None and states <= MOST_STATES


def stand_by(s: Switching, method: Method, states: int) -> None:
    """Make a run ready for the method that takes over."""
    assert method.stiff is not None
    other = method.stiff.data.arrays()
    s.switching, s.next_look, s.lost, s.price = 1, SOONER, -1.0, price(states)
    s.patience, s.trial = PATIENCE + int(TRIAL * s.price), TRIAL
    shorter = min(1.0, (s.tightest / LOOSE) ** (1.0 / s.estimate_order))
    s.stiff_from = STIFF * method.data.stability * shorter
    s.undamped_from = max(UNDAMPED, 1.5 * FOLLOWED * (s.tightest / 1e-4) ** (1.0 / s.estimate_order))
    s.log_size, s.along = np.log(QUIET), -1.0
    s.other_stages, s.other_estimate_order = other.stages, other.estimate_order
    s.other_nodes[: other.C.size] = other.C


def price(states: int) -> float:
    """The cost of an implicit step, in explicit ones.

    Both take some slopes; a Jacobian is as many again as there are states, and its factors are products of
    three states. Measured on chains of 5 to 100 states, and on a quadrotor with its controller.
    """
    return 2.0 + 0.3 * states + states**2 / 360.0


def size(m: Memory, s: Switching) -> tuple[float, float]:
    """h lambda of the last attempt, whose last two stages both lie at its end, and the cosine."""
    last = s.stages - 1
    slopes = states = both = 0.0
    K, A, atol, rtol = s.K, s.A, s.atol, s.rtol
    for i in range(m.x.size):
        apart = 0.0
        for j in range(last):
            apart += (A[last, j] - A[last - 1, j]) * K[j, i]
        scale = atol[i] + rtol[i] * abs(s.x_new[i])
        slope = (K[last, i] - K[last - 1, i]) / scale
        slopes += slope**2
        states += (apart / scale) ** 2
        both += slope * apart / scale
    h_lambda = np.sqrt(slopes / max(states, LEAST_SIZE))
    return h_lambda, both / max(np.sqrt(slopes * states), LEAST_SIZE)


def lasts(s: Switching, h_lambda: float) -> bool:
    """True if a first switch would pay for long, if lambda stayed as it is; and its trial."""
    bound = s.undamped_from if abs(s.along) < PERPENDICULAR else s.stable
    to_come = (s.t_end - s.t) / s.h_taken * h_lambda / bound
    if s.switches > 0 or to_come < AHEAD * s.patience:
        return False
    s.trial = max(s.trial, INSURANCE * to_come / s.price)
    return True


def suspect(m: Memory, s: Switching) -> None:
    """Look at the step just taken."""
    stands_for = 1 if s.suspicions > 0 else SOONER
    s.looked += stands_for
    h_lambda, cosine = size(m, s)
    s.log_size += UNHURRIED * (np.log(max(h_lambda, QUIET)) - s.log_size)
    s.along += UNHURRIED * (cosine - s.along)
    undamped = s.log_size > np.log(s.undamped_from) and abs(s.along) < PERPENDICULAR
    if h_lambda > s.stiff_from or undamped:
        s.reliefs = 0
        s.suspicions += 1
        s.limited += stands_for
        s.waited += stands_for
        if s.suspicions >= SUSPICIONS and (s.waited >= s.patience or lasts(s, h_lambda)):
            s.leave = 1
    elif s.suspicions > 0:
        s.reliefs += 1
        if s.reliefs >= RELIEFS:
            s.suspicions = 0
    s.next_look = s.steps + (1 if s.suspicions > 0 else SOONER)


@mark_cold
def refuse(m: Memory, s: Switching) -> None:
    """Look at an attempt that was refused."""
    if s.switching == 1 and s.switches == 0:
        h_lambda, _ = size(m, s)
        if h_lambda > s.stable and lasts(s, h_lambda):
            s.leave = 1


def ease(m: Memory, s: DenseJacobian) -> None:
    """One step of the power method: J times the direction in which the steps before grew most.

    The geometric mean of the growths tends to the spectral radius, also for a complex pair.
    """
    n, v, product, J = m.x.size, s.fastest, s.scratch, s.J
    if s.lost < 0.0:
        for i in range(n):
            v[i] = 1.0 / np.sqrt(n * (1.0 + i))
    for i in range(n):
        product[i] = 0.0
    for j in range(n):
        part = v[j]
        for i in range(n):
            product[i] += J[j, i] * part
    total = 0.0
    for i in range(n):
        total += product[i] * product[i]
    size = max(np.sqrt(total), LEAST_SIZE)
    if total > 0.0:
        for i in range(n):
            v[i] = product[i] / size
    before = s.log_radius if s.lost >= 0.0 else np.log(size)
    s.log_radius = FADING * before + (1.0 - FADING) * np.log(size)
    saved = s.h_taken * np.exp(s.log_radius) * STIFF / s.stable
    s.won += saved - s.price
    if s.won > CLEAR * TRIAL * s.price:
        s.trial = TRIAL
    s.lost = max(0.0, max(s.lost, 0.0) + EASY * s.price - saved)
    if s.lost >= s.trial * EASY * s.price:
        s.leave = 1


@mark_cold
def exchange(s: Switching) -> None:
    """Replace the coefficients of one method by the next method's, between two steps."""
    s.stages, s.other_stages = s.other_stages, s.stages
    s.estimate_order, s.other_estimate_order = s.other_estimate_order, s.estimate_order
    s.written_out, s.other_written_out = s.other_written_out, s.written_out
    for j in range(s.C.size):
        s.C[j], s.other_nodes[j] = s.other_nodes[j], s.C[j]
    if s.switches == 0:
        s.t_switched = s.t
    if s.implicit == 1:
        s.patience = SUSPICIONS if s.won > 0.0 else 2 * s.patience
        if 0.0 < s.won < CLEAR * TRIAL * s.price:
            s.trial = 2.0 * s.trial
    s.won, s.waited = 0.0, 0
    s.switches += 1
    s.implicit = 1 - s.implicit
    s.leave = s.suspicions = s.reliefs = s.dense = s.rejected_last = 0
    s.lost = -1.0
    s.log_size, s.along = np.log(QUIET), -1.0
    s.h_after = 0.0
    s.log_error = LOG_LEAST
    s.next_look = s.steps
