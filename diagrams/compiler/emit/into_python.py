"""A call into Python: all arguments in one buffer, all results in another."""

from __future__ import annotations

from math import prod
from typing import Any

from ..plan import binding
from ..plan.binding import Argument
from ..plan.unit import Unit
from .body import Body
from .callbacks import words
from .writer import InMemory, Scalars, Value, write


def call_back(
    body: Body,
    unit: Unit,
    role: str,
    function: Any,
    arguments: list[Argument],
    requested: list[tuple[str, Any]],
) -> dict[str, Value]:
    """Call a Callback from machine code; its results by name."""
    writer = body.writer
    arguments = [a for a in arguments if a.kind not in (binding.TARGET, binding.SCRATCH)]
    size = sum(map(words, arguments))
    buffer = writer.slot(f"[{max(size, 1)} x double]")
    place = 0
    for a in arguments:
        if a.kind in binding.IN_PLACE:
            writer.store(body.value(unit, a).pointer(writer), buffer, place, "ptr")
            place += 1
            continue
        if a.kind in binding.INTEGERS:
            for i in range(prod(a.shape)):
                writer.store(writer.do(f"sitofp i64 {body.integer(unit, a, i)} to double"), buffer, place + i)
        else:
            write(writer, body.value(unit, a), buffer, place)
        place += prod(a.shape)
    total = sum(prod(shape) for _, shape in requested)
    result = writer.slot(f"[{max(total, 1)} x double]")
    address = body.callbacks.address(unit, role, function, arguments, requested)
    status = writer.do(f"call i64 inttoptr (i64 {address} to ptr)(ptr {buffer}, ptr {result})")
    body.note(writer.do(f"trunc i64 {status} to i32"))
    values: dict[str, Value] = {}
    start = 0
    for name, shape in requested:
        if role == "mode":
            numbers = [writer.load(result, start + i) for i in range(prod(shape))]
            values[name] = Scalars(shape, [writer.do(f"fptosi double {n} to i64") for n in numbers])
        else:
            values[name] = InMemory(shape, result, start)
        start += prod(shape)
    return values


def call_replaced(
    body: Body,
    unit: Unit,
    role: str,
    arguments: list[Argument],
    requested: list[tuple[str, Any]],
    reason: str,
) -> dict[str, Value]:
    """Call the Python form of a function that cannot be machine code, for a reason that is kept."""
    return call_back(body, unit, role, body.callbacks.replace(unit, role, reason), arguments, requested)
