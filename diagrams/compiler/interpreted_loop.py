"""Run the iterations of a While block in Python, and solve algebraic loops by the compiled method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...solvers.equations.loop_equation import (
    FREE,
    JOINT,
    NO_MODES,
    OTHERS,
    RESTORES,
    SAME,
    SETS,
    next_trial,
    workspace,
)
from ...solvers.equations.newton import AGAIN, HEAD, SOLVED, room
from ...solvers.layout import Memory
from .instructions.instruction import Instruction, Iterate, Solve
from .plan.iterations import Iteration
from .plan.layout import Plan
from .plan.loops import Loop
from .plan.unit import Source


def iterate(
    m: Memory,
    instruction: Iterate,
    perform: Callable[[Iterable[Instruction]], None],
    holds: Callable[[], bool],
) -> None:
    """Execute the body and the updates while the condition `holds`; the new states are left in w."""
    iteration = instruction.iteration
    before = _states(m, iteration)
    for _, at, size, source in iteration.beginnings:
        m.z[at : at + size] = m.p[source : source + size]
    limit, count = iteration.most, 0
    while True:
        perform(instruction.body)
        if iteration.before and not (holds() and count < limit):
            break
        perform(instruction.updates)
        count += 1
        if not iteration.before and not (holds() and count < limit):
            break
    after = _states(m, iteration)
    m.w[iteration.end : iteration.end + len(after)] = after
    _write_states(m, iteration, before)


def advance(m: Memory, iteration: Iteration) -> None:
    """Set the states to the values that the iterations have left."""
    size = sum(size for _, size in iteration.states)
    _write_states(m, iteration, [*m.w[iteration.end : iteration.end + size]])


def _states(m: Memory, iteration: Iteration) -> list[float]:
    return [float(value) for at, size in iteration.states for value in m.z[at : at + size]]


def _write_states(m: Memory, iteration: Iteration, values: list[float]) -> None:
    start = 0
    for at, size in iteration.states:
        m.z[at : at + size] = values[start : start + size]
        start += size


Values = dict[Source, Any]
Unknowns = tuple[tuple[Source, int, int], ...]


class UnsolvedLoop(NamedTuple):
    """A loop, the time, the last iterate of Newton's method and the loop's values computed from it, by
    element.
    """

    loop: Loop
    time: float
    iterate: dict[str, float]
    computed: dict[str, float]
    blocks: tuple[str, ...]  # that are solved together
    constraint: bool  # whether it is intended: an equation of a block


def solve_loop(
    plan: Plan, instruction: Solve, t: float, m: Memory, evaluate: Callable[[Values], Values]
) -> tuple[Values, bool]:
    """The cut signals of a loop, and whether they are its solution: NaN if there is none.

    `evaluate` gives the signals of the loop's body for a trial. The modes change if only others have
    a solution.
    """
    loop, unknowns = instruction.loop, instruction.unknowns
    starts = m.w[loop.starts_at + 1 :]
    v = np.concatenate([starts[place : place + count] for _, place, count in unknowns])
    work = np.zeros(workspace(v.size))
    former = m.w[loop.former_at : loop.former_at + room(loop.count(plan.units))]
    assert plan.joint is not None
    slots, joint_at = list(instruction.modes), plan.joint.mode_at
    before, jointly = m.modes[slots], int(m.modes[joint_at])
    use = JOINT if jointly else instruction.matrix
    action = AGAIN
    while action == AGAIN:
        trial = evaluate(_signals(plan, unknowns, v))
        computed = np.concatenate([np.ravel(trial[source]) for source, _, _ in unknowns])
        modes = (SAME if np.array_equal(m.modes[slots], before) else OTHERS) if slots else NO_MODES
        with np.errstate(all="ignore"):
            action = next_trial(computed, v, work, int(m.w[loop.starts_at]), former, use, modes)
        m.modes[joint_at] = work[SETS] == 1.0
        if work[SETS] == RESTORES:
            m.modes[slots] = before
    m.modes[joint_at] = jointly
    if work[FREE] == SOLVED:
        m.modes[slots] = before
    solved = action == SOLVED
    if solved and instruction.stored:
        m.w[loop.starts_at] = 1.0
        _keep(unknowns, v, starts)
    elif not solved and m.w[plan.unsolved_at] == 0.0:
        m.w[plan.unsolved_at : plan.unsolved_at + 3] = 1.0, float(instruction.number), t
        _keep(unknowns, work[HEAD:], m.w[plan.iterate_at :])
        _keep(unknowns, work[HEAD + v.size :], m.w[plan.computed_at :])
    return _signals(plan, unknowns, v), solved


def unsolved_loop(plan: Plan, m: Memory) -> UnsolvedLoop:
    """Describe the last loop that was not solved."""
    number, time = (float(value) for value in m.w[plan.unsolved_at + 1 : plan.unsolved_at + 3])
    loop = plan.loops[int(number) - 1]
    names: list[str] = []
    for source in loop.cuts:
        unit = plan.units[source.unit]
        signal = f"{unit.path}.{unit.shown(source.port)}"
        for index in np.ndindex(unit.out_sizes[source.port].shape):
            names.append(signal + (f"[{', '.join(map(str, index))}]" if index else ""))
    parts = (m.w[at : at + len(names)].tolist() for at in (plan.iterate_at, plan.computed_at))
    iterate, computed = (dict(zip(names, part, strict=True)) for part in parts)
    constraint = any(source.port in plan.units[source.unit].unknowns for source in loop.cuts)
    blocks = tuple(dict.fromkeys(plan.units[task.unit].path for task in loop.tasks))
    return UnsolvedLoop(loop, time, iterate, computed, blocks, constraint)


def _keep(unknowns: Unknowns, values: Any, places: Any) -> None:
    """Copy values of the unknowns to their places among the unknowns of the whole loop."""
    at = 0
    for _, place, count in unknowns:
        places[place : place + count] = values[at : at + count]
        at += count


def _signals(plan: Plan, unknowns: Unknowns, v: Any) -> Values:
    """The unknowns as signals."""
    signals: Values = {}
    at = 0
    for source, _, count in unknowns:
        shape = plan.units[source.unit].out_sizes[source.port].shape
        signals[source] = v[at : at + prod(shape)].copy().reshape(shape)
        at += count
    return signals
