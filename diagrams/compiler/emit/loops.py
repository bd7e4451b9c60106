"""Algebraic loops in LLVM text: their blocks evaluated over and over, as Newton's method asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ....native.compiling import kernel
from ....native.kernel import Kernel
from ....solvers.steps.newton import AGAIN, FAILED, HEAD, make_newton, workspace
from ..plan.loops import Loop
from ..plan.order import Task
from ..plan.unit import Source
from .body import Body, spread
from .writer import InMemory, Value, copy, double


@cache
def _newton() -> Kernel:
    import numba

    njit: Any = numba.njit  # it takes options that its types do not list
    plain = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return kernel(make_newton(njit(**plain)), ("d1", "d1", "d1", "i"))


def begin(body: Body) -> None:
    """Nothing has failed yet."""
    if body.plan.loops:
        body.writer.store(double(0.0), "%w", body.plan.unsolved_at)


def outcome(body: Body, result: str = "0") -> str:
    """What the function returns: 2 when a loop was not solved."""
    if not body.plan.loops:
        return result
    writer = body.writer
    failed = writer.do(f"fcmp une double {writer.load('%w', body.plan.unsolved_at)}, 0.0")
    return writer.do(f"select i1 {failed}, i64 2, i64 {result}")


def solve(
    body: Body, loop: Loop, tasks: list[Task], evaluate: Callable[[Task], object], *, keep: bool
) -> dict[Source, Value]:
    """Find the cut signals that some tasks of a loop give; `evaluate` writes one task.

    What comes back counts instead of what those tasks compute from it: a high gain amplifies rounding. The
    outputs of sampled blocks are left to them. The solution becomes the next start value where `keep` says
    so; what is not solved becomes NaN.
    """
    writer, plan = body.writer, body.plan
    unknowns = loop.unknowns(plan.units, tasks)
    count = sum(size for _, _, size in unknowns)
    if count == 0:
        return {}
    cuts: dict[Source, Value] = {}
    places = []
    at = loop.values_at
    for source, place, size in unknowns:
        shape = plan.units[source.unit].out_sizes[source.port].shape
        cuts[source] = InMemory(shape, "%w", at)
        places.append((at, loop.starts_at + 1 + place, InMemory((size,), "%w", loop.starts_at + 1 + place)))
        at += size
    for at, _, start in places:
        copy(writer, start, "%w", at)
    for i in range(HEAD):
        writer.store(double(0.0), "%w", plan.newton_at + i)
    before = body.values | cuts
    again, after = writer.label(), writer.label()
    writer.put(f"br label %{again}")
    writer.begin(again)
    body.values = dict(before)
    for task in tasks:
        evaluate(task)
    computed_at = plan.newton_at + workspace(count)
    at = computed_at
    for source, _, size in unknowns:
        copy(writer, body.values[source], "%w", at)
        at += size
    body.values = before
    action = _call(body, loop, count, computed_at)
    more = writer.do(f"icmp eq i64 {action}, {AGAIN}")
    status = writer.load(body.status, 0, "i32")
    sound = writer.do(f"icmp eq i32 {status}, 0")
    writer.put(f"br i1 {writer.do(f'and i1 {more}, {sound}')}, label %{again}, label %{after}")
    writer.begin(after)
    good, bad, end = writer.label(), writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp eq i64 {action}, {FAILED}')}, label %{bad}, label %{good}")
    writer.begin(bad)
    for offset, number in enumerate((1.0, float(plan.loops.index(loop) + 1))):
        writer.store(double(number), "%w", plan.unsolved_at + offset)
    writer.store("%t", "%w", plan.unsolved_at + 2)
    writer.put(f"br label %{end}")
    writer.begin(good)
    if keep:
        for at, place, kept in places:
            copy(writer, InMemory(kept.shape, "%w", at), "%w", place)
        writer.store(double(1.0), "%w", loop.starts_at)
    writer.put(f"br label %{end}")
    writer.begin(end)
    return {source: value for source, value in cuts.items() if not plan.units[source.unit].block.sampled}


def _call(body: Body, loop: Loop, count: int, computed_at: int) -> str:
    """What Newton's method wants next."""
    writer, plan = body.writer, body.plan
    known = writer.do(f"fptosi double {writer.load('%w', loop.starts_at)} to i64")
    arrays = (computed_at, count), (loop.values_at, count), (plan.newton_at, workspace(count))
    typed = [part for at, size in arrays for part in spread(writer.at("%w", at), (size,))]
    return body.call(_newton(), [*typed, f"i64 {known}"], integer=True)[0]
