"""Write the instructions under Enable blocks, and the consequences of a change of one, as LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import NamedTuple

from ....solvers.layout import ENABLED
from ..instructions.instruction import IfEnabled, Instruction, UpdateEnable, made_known
from ..plan.conditions import FALSE, TRUE, Copy
from ..plan.layout import SMALL
from ..plan.unit import Source
from .body import BASES, Body
from .writer import InMemory, LazyElements, Scalars, Value, Writer, copy, double


class _Result(NamedTuple):
    """A signal after a branch: its elements, or their address, from both paths."""

    shape: tuple[int, ...]
    kind: str  # "double", or "ptr"
    inside: list[str]
    otherwise: list[str]


def when(body: Body, instruction: IfEnabled, write: Callable[[Body, Iterable[Instruction]], None]) -> None:
    """A branch; both paths make the same signals available."""
    writer = body.writer
    body.watch_changes()
    true = _all_true(body, instruction)
    sources = list(dict.fromkeys(made_known(instruction.body)))
    totals, checks = list(body.totals), body.checks
    inside, leaving, otherwise, skipping, after = (writer.label() for _ in range(5))
    writer.put(f"br i1 {true}, label %{inside}, label %{otherwise}")
    writer.begin(inside)
    write(body, instruction.body)
    results = {source: _leave(body, source) for source in sources if not _lies_in_w(body, source)}
    writer.put(f"br label %{leaving}")
    writer.begin(leaving)
    writer.put(f"br label %{after}")
    writer.begin(otherwise)
    write(body, instruction.otherwise)
    for source, result in results.items():
        held = InMemory(result.shape, "%w", body.plan.units[source.unit].signals_at[source.port])
        if result.kind == "ptr":
            result.otherwise.append(held.pointer(writer))
        else:
            result.otherwise.extend(held.element(writer, i) for i in range(len(result.inside)))
    writer.put(f"br label %{skipping}")
    writer.begin(skipping)
    writer.put(f"br label %{after}")
    writer.begin(after)

    def merged(kind: str, a: str, b: str) -> str:
        return a if a == b else writer.do(f"phi {kind} [{a}, %{leaving}], [{b}, %{skipping}]")

    if body.checks > checks:
        body.totals = [merged("double", a, b) for a, b in zip(body.totals, totals, strict=True)]
    for source, (shape, kind, one, other) in results.items():
        names = [merged(kind, a, b) for a, b in zip(one, other, strict=True)]
        body.values[source] = InMemory(shape, names[0]) if kind == "ptr" else Scalars(shape, names)


def _all_true(body: Body, instruction: IfEnabled) -> str:
    writer, true = body.writer, "true"
    for unit in instruction.enables:
        if instruction.settled:
            is_true = writer.do(f"fcmp oeq double {writer.load('%w', unit.settled_at)}, {double(TRUE)}")
        else:
            is_true = writer.do(f"icmp ne i64 {writer.load('%m', unit.mode_at, 'i64')}, 0")
        true = writer.do(f"and i1 {true}, {is_true}")
    return true


def _lies_in_w(body: Body, source: Source) -> bool:
    value = body.values[source]
    at = body.plan.units[source.unit].signals_at.get(source.port, -1)
    return isinstance(value, InMemory) and (value.base, value.offset) == ("%w", at)


def _leave(body: Body, source: Source) -> _Result:
    """A signal at the end of its branch, merged from both paths."""
    value: Value = body.values[source]
    writer, count = body.writer, prod(value.shape)
    if isinstance(value, Scalars):
        return _Result(value.shape, "double", list(value.names), [])
    if isinstance(value, LazyElements) and count <= SMALL:
        return _Result(value.shape, "double", [value.element(writer, i) for i in range(count)], [])
    return _Result(value.shape, "ptr", [value.pointer(writer)], [])


def mark(writer: Writer, slot: int, bits: str) -> None:
    """Note the changes, as bits, of the block of a crossing."""
    before = writer.load("%fresh", slot, "i64")
    writer.store(writer.do(f"or i64 {before}, {bits}"), "%fresh", slot, "i64")


def settle(body: Body, instruction: UpdateEnable) -> None:
    """Note whether an Enable block is true, and apply the consequences of a change."""
    unit, writer = instruction.unit, body.writer
    body.watch_changes()
    mode = writer.load("%m", unit.mode_at, "i64")
    before = writer.load("%w", unit.settled_at)
    now = writer.do(f"fadd double {writer.do(f'sitofp i64 {mode} to double')}, {double(FALSE)}")
    inside, after = writer.label(), writer.label()
    different = writer.do(f"fcmp une double {before}, {now}")
    writer.put(f"br i1 {different}, label %{inside}, label %{after}")
    writer.begin(inside)
    body.change("true")
    writer.store(now, "%w", unit.settled_at)
    for member in instruction.members:
        for slots in member.crossing_slots.values():
            for slot in slots:
                mark(writer, slot, str(ENABLED))
    _copy_where(body, instruction.beginnings, before, FALSE)
    _copy_where(body, instruction.endings, before, TRUE)
    writer.put(f"br label %{after}")
    writer.begin(after)


def _copy_where(body: Body, copies: tuple[Copy, ...], before: str, state: float) -> None:
    """Copy numbers if the block had this state before."""
    if not copies:
        return
    writer = body.writer
    inside, after = writer.label(), writer.label()
    was = writer.do(f"fcmp oeq double {before}, {double(state)}")
    writer.put(f"br i1 {was}, label %{inside}, label %{after}")
    writer.begin(inside)
    for base, at, count, source in copies:
        copy(writer, InMemory((count,), "%p", source), BASES[base], at)
    writer.put(f"br label %{after}")
    writer.begin(after)
