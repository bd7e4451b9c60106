"""Print iterations and algebraic loops as LLVM text, with bodies that are evaluated repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from ....native.compiling import kernel
from ....native.kernel import Kernel
from ....solvers.equations.loop_equation import (
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
from ....solvers.equations.newton import AGAIN, FAILED, HEAD, SOLVED, room
from ..instructions.instruction import Advance, Instruction, Iterate, Open, Solve
from ..plan.iterations import Iteration
from ..plan.unit import Source
from .body import BASES, Body, spread
from .writer import InMemory, Value, copy, double


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
    """Set the states to the values that the iterations have left."""
    _copy_states(body, instruction.iteration, instruction.iteration.end, out=False)


def _goes_on(body: Body, iteration: Iteration, count: str) -> str:
    """Truth value: the condition holds, the limit is not reached, and nothing has failed."""
    writer = body.writer
    true = writer.do(f"fcmp ogt double {body.input(iteration.unit, 'u').element(writer, 0)}, 0.5")
    below = writer.do(f"icmp slt i64 {writer.load(count, 0, 'i64')}, {iteration.most}")
    sound = writer.do(f"icmp eq i32 {writer.load(body.status, 0, 'i32')}, 0")
    return writer.do(f"and i1 {writer.do(f'and i1 {true}, {below}')}, {sound}")


def _copy_states(body: Body, iteration: Iteration, place: int, *, out: bool) -> None:
    """Copy states from z to this place in w, or back."""
    for at, size in iteration.states:
        source, target = (("%z", at), ("%w", place)) if out else (("%w", place), ("%z", at))
        copy(body.writer, InMemory((size,), *source), *target)
        place += size


@cache
def next_trial_kernel() -> Kernel:
    """Newton's method, for all algebraic loops."""
    return kernel(next_trial, ("d1", "d1", "d1", "i", "d1", "i", "i"))


def select_status(body: Body, result: str) -> str:
    """Result of a function with loops: 2 if one was not solved."""
    writer = body.writer
    failed = writer.do(f"fcmp une double {writer.load('%w', body.plan.unsolved_at)}, 0.0")
    return writer.do(f"select i1 {failed}, i64 2, i64 {result}")


def solve(body: Body, instruction: Solve, write: Callable[[Body, Iterable[Instruction]], None]) -> None:
    """Newton's method around the body, which `write` prints; signals that are not solved become NaN."""
    writer, plan, loop = body.writer, body.plan, instruction.loop
    if not body.solving:
        writer.store(double(0.0), "%w", plan.unsolved_at)  # nothing has failed yet
        body.solving = True
    unknowns = instruction.unknowns
    count = sum(size for _, _, size in unknowns)
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
    body.free_modes |= bool(instruction.modes)
    writer.put(f"br label %{again}")
    writer.begin(again)
    body.values = dict(before)
    write(body, instruction.body)
    computed_at = plan.newton_at + workspace(count)
    at = computed_at
    for source, _, size in unknowns:
        copy(writer, body.values[source], "%w", at)
        at += size
    body.values = before
    action = _call(body, instruction, count, computed_at)
    free = _free(body, instruction)
    more = writer.do(f"icmp eq i64 {action}, {AGAIN}")
    status = writer.load(body.status, 0, "i32")
    sound = writer.do(f"icmp eq i32 {status}, 0")
    writer.put(f"br i1 {writer.do(f'and i1 {more}, {sound}')}, label %{again}, label %{after}")
    writer.begin(after)
    _end_free(body, instruction, free)
    good, bad, end = writer.label(), writer.label(), writer.label()
    writer.put(f"br i1 {writer.do(f'icmp eq i64 {action}, {FAILED}')}, label %{bad}, label %{good}")
    writer.begin(bad)
    _note_failure(body, instruction, end)
    writer.begin(good)
    if instruction.stored:
        for at, place, value in places:
            copy(writer, InMemory(value.shape, "%w", at), "%w", place)
        writer.store(double(1.0), "%w", loop.starts_at)
    writer.put(f"br label %{end}")
    writer.begin(end)


def _note_failure(body: Body, instruction: Solve, end: str) -> None:
    """Keep the facts of a failed loop for errors, unless another loop failed before it."""
    writer, plan = body.writer, body.plan
    first = writer.label()
    before = writer.do(f"fcmp une double {writer.load('%w', plan.unsolved_at)}, 0.0")
    writer.put(f"br i1 {before}, label %{end}, label %{first}")
    writer.begin(first)
    for offset, number in enumerate((double(1.0), double(float(instruction.number)), "%t")):
        writer.store(number, "%w", plan.unsolved_at + offset)
    at, count = plan.newton_at + HEAD, sum(size for _, _, size in instruction.unknowns)
    for _, place, size in instruction.unknowns:
        for way, target in ((0, plan.iterate_at), (count, plan.computed_at)):
            copy(writer, InMemory((size,), "%w", at + way), "%w", target + place)
        at += size
    writer.put(f"br label %{end}")


def open_up(body: Body, instruction: Open, write: Callable[[Body, Iterable[Instruction]], None]) -> None:
    """Print the body once; the signals that it computes from the cut signals are not available after it."""
    loop, at = instruction.loop, instruction.loop.values_at
    cuts: dict[Source, Value] = {}
    for source, _, size in instruction.unknowns:
        cuts[source] = InMemory(body.plan.units[source.unit].out_sizes[source.port].shape, "%w", at)
        at += size
    before = body.values | cuts
    body.values = dict(before)
    write(body, instruction.body)
    for source, place, _ in instruction.unknowns:
        copy(body.writer, body.values[source], "%w", loop.opened_at + place)
    body.values = before


def _call(body: Body, instruction: Solve, count: int, computed_at: int) -> str:
    """Call Newton's method and return its next request."""
    writer, plan, loop = body.writer, body.plan, instruction.loop
    start = writer.do(f"fptosi double {writer.load('%w', loop.starts_at)} to i64")
    arrays = (computed_at, count), (loop.values_at, count), (plan.newton_at, workspace(count))
    typed = [part for at, size in arrays for part in spread(writer.at("%w", at), (size,))]
    former = spread(writer.at("%w", loop.former_at), (room(loop.count(plan.units)),))
    assert plan.joint is not None
    use = writer.do(f"select i1 {body.jointly}, i64 {JOINT}, i64 {instruction.matrix}")
    arguments = [*typed, f"i64 {start}", *former, f"i64 {use}", f"i64 {_same_modes(body, instruction)}"]
    return body.call(next_trial_kernel(), arguments, integer=True)[0]


def _same_modes(body: Body, instruction: Solve) -> str:
    """True if the modes equal the modes at the start of the function."""
    writer, same = body.writer, "true"
    if not instruction.modes:
        return str(NO_MODES)
    for slot in instruction.modes:
        equal = writer.do(f"icmp eq i64 {writer.load('%m', slot, 'i64')}, {body.modes[slot]}")
        same = writer.do(f"and i1 {same}, {equal}")
    return writer.do(f"select i1 {same}, i64 {SAME}, i64 {OTHERS}")


def _free(body: Body, instruction: Solve) -> str:
    """Free the modes for the next evaluation, if requested; return FREE of `solve_loop`."""
    writer, plan = body.writer, body.plan
    if not instruction.modes or plan.joint is None:
        return ""
    sets = writer.load("%w", plan.newton_at + SETS)
    free = writer.do(f"fcmp oeq double {sets}, {double(1.0)}")
    writer.store(writer.do(f"zext i1 {free} to i64"), "%m", plan.joint.mode_at, "i64")
    _take_back(body, instruction, writer.do(f"fcmp oeq double {sets}, {double(RESTORES)}"))
    return writer.load("%w", plan.newton_at + FREE)


def _end_free(body: Body, instruction: Solve, free: str) -> None:
    """Restore the modes, unless only others have a solution: these hold to the function's end."""
    writer, plan = body.writer, body.plan
    if not instruction.modes or plan.joint is None:
        return
    writer.store(writer.do(f"zext i1 {body.jointly} to i64"), "%m", plan.joint.mode_at, "i64")
    _take_back(body, instruction, writer.do(f"fcmp oeq double {free}, {double(float(SOLVED))}"))


def _take_back(body: Body, instruction: Solve, back: str) -> None:
    """Restore the modes at the start of the function if `back` is true."""
    writer = body.writer
    for slot in instruction.modes:
        mode = writer.load("%m", slot, "i64")
        writer.store(writer.do(f"select i1 {back}, i64 {body.modes[slot]}, i64 {mode}"), "%m", slot, "i64")
