"""Iterations done in Python: a body over and over, as long as its While block says."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...solvers.layout import Memory
from .instructions.instruction import Instruction, Iterate
from .plan.iterations import Iteration


def iterate(
    m: Memory,
    instruction: Iterate,
    perform: Callable[[Iterable[Instruction]], None],
    holds: Callable[[], bool],
) -> None:
    """Do the body and the updates while the condition `holds`; what becomes of the states lies in w."""
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
    _put(m, iteration, before)


def advance(m: Memory, iteration: Iteration) -> None:
    """The states become what the iterations have left."""
    size = sum(size for _, size in iteration.states)
    _put(m, iteration, [*m.w[iteration.end : iteration.end + size]])


def _states(m: Memory, iteration: Iteration) -> list[float]:
    return [float(value) for at, size in iteration.states for value in m.z[at : at + size]]


def _put(m: Memory, iteration: Iteration, values: list[float]) -> None:
    start = 0
    for at, size in iteration.states:
        m.z[at : at + size] = values[start : start + size]
        start += size
