"""Iterations in LLVM text: a body over and over, as long as its While block says."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..instructions.instruction import Advance, Instruction, Iterate
from ..plan.iterations import Iteration
from .body import BASES, Body
from .writer import InMemory, copy


def iterate(body: Body, instruction: Iterate, write: Callable[[Body, Iterable[Instruction]], None]) -> None:
    """The loop around the body, which `write` prints; a function that fails ends it."""
    writer, iteration = body.writer, instruction.iteration
    _copy_states(body, iteration, iteration.begin, out=True)
    for base, at, size, source in iteration.beginnings:
        copy(writer, InMemory((size,), "%p", source), BASES[base], at)
    count = writer.slot("i64")
    writer.store("0", count, 0, "i64")
    again, turn, after = writer.label(), writer.label(), writer.label()
    writer.put(f"br label %{again}")
    writer.begin(again)
    values = dict(body.values)
    write(body, instruction.body)
    if iteration.before:
        writer.put(f"br i1 {_goes_on(body, iteration, count)}, label %{turn}, label %{after}")
        writer.begin(turn)
    write(body, instruction.updates)
    writer.store(writer.do(f"add i64 {writer.load(count, 0, 'i64')}, 1"), count, 0, "i64")
    if iteration.before:
        writer.put(f"br label %{again}")
    else:
        writer.put(f"br i1 {_goes_on(body, iteration, count)}, label %{again}, label %{after}")
    writer.begin(after)
    body.values = values
    _copy_states(body, iteration, iteration.end, out=True)
    _copy_states(body, iteration, iteration.begin, out=False)


def advance(body: Body, instruction: Advance) -> None:
    """The states become what the iterations have left."""
    _copy_states(body, instruction.iteration, instruction.iteration.end, out=False)


def _goes_on(body: Body, iteration: Iteration, count: str) -> str:
    """Whether the condition holds, the limit is not reached, and nothing has failed."""
    writer = body.writer
    true = writer.do(f"fcmp ogt double {body.input(iteration.unit, 'u').element(writer, 0)}, 0.5")
    below = writer.do(f"icmp slt i64 {writer.load(count, 0, 'i64')}, {iteration.most}")
    sound = writer.do(f"icmp eq i32 {writer.load(body.status, 0, 'i32')}, 0")
    return writer.do(f"and i1 {writer.do(f'and i1 {true}, {below}')}, {sound}")


def _copy_states(body: Body, iteration: Iteration, place: int, *, out: bool) -> None:
    """States from z to this place in w, or back."""
    for at, size in iteration.states:
        source, target = (("%z", at), ("%w", place)) if out else (("%w", place), ("%z", at))
        copy(body.writer, InMemory((size,), *source), *target)
        place += size
