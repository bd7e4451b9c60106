"""Calls of functions of arrays, passed by address, and calls into Python with all arrays in one buffer."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ....blocks.contract.errors import BlockError
from ....blocks.contract.formula import Formula
from ....blocks.contract.owned import Foreign
from ....blocks.contract.port import Shape
from ....native.compiling import kernel
from ....native.front_end import ReturnsArray
from ....native.groups import gather_groups, parts_of
from ..plan import binding
from ..plan.binding import Argument
from ..plan.unit import Unit, role_name
from .body import Body, spread
from .callbacks import words
from .writer import InMemory, Scalars, Value, write


def writing(function: Callable[..., Any], count: int, shape: Shape) -> Callable[..., Any]:
    """`f(a0, a1, ..., out)`, which writes the result of `function(a0, a1, ...)` into `out`."""
    names = ", ".join(f"a{i}" for i in range(count))
    kinds: dict[str, Any] = {}

    def joined(kind: type, items: list[str]) -> str:
        name = f"k{len(kinds)}"
        kinds[name] = kind
        return f"{name}({', '.join(items)})"

    passed = ", ".join(gather_groups(parts_of(function), names.split(", "), joined)) or names
    wrong = f"it returned another number of values than {prod(shape)}, those of its output"
    text = "\n".join([
        f"def write({names}{', ' if names else ''}out):",
        f"    answer = inner({passed})",
        f"    if answer.size != {prod(shape)}:",
        f"        raise ValueError({wrong!r})",
        "    numbers, i = out.ravel(), 0",
        "    for number in answer.flat:",
        "        numbers[i] = number",
        "        i += 1",
    ])  # fmt: skip
    space: dict[str, Any] = {**kinds, "inner": function}
    exec(text, space)  # the text has only generated names
    write: Callable[..., Any] = space["write"]
    write.allocates = True  # type: ignore[attr-defined]
    return write


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


def call_in_python(
    body: Body,
    unit: Unit,
    role: str,
    arguments: list[Argument],
    requested: list[tuple[str, Any]],
    reason: str,
) -> dict[str, Value]:
    """Call the Python form of a function that cannot be machine code, for a reason that is kept."""
    return call_back(body, unit, role, body.callbacks.replace(unit, role, reason), arguments, requested)


Requested = list[tuple[str, Any]]


def call_array(
    body: Body, unit: Unit, role: str, arguments: list[Argument], requested: Requested,
    places: dict[str, tuple[str, int]],
) -> dict[str, Value]:  # fmt: skip
    """The results by name; targets are at `places`, if given.

    Raises CannotCompile if numba cannot compile the function.
    """
    writer = body.writer
    letters: list[str] = []
    typed: list[str] = []
    values: dict[str, Value] = {}
    function = unit.functions[role]
    foreign = isinstance(function, Foreign)
    passed = _bare if foreign else spread
    for place, a in enumerate(arguments):
        if a.kind == binding.CROSSED and a.shape:
            letters.append("i1")
            typed += passed(writer.at("%fired", unit.crossing_slots[a.name].start, "i64"), a.shape)
        elif a.kind in binding.INTEGERS:
            letters.append("i")
            typed.append(f"i64 {body.integer(unit, a, 0)}")
        elif a.kind == binding.SCRATCH:
            letters.append(f"d{len(a.shape)}")
            typed += passed(body.room(place, prod(a.shape)), a.shape)
        elif a.kind == binding.TARGET:
            if a.shape == ():
                raise BlockError(f"{unit.block.kind()}.{role}: `{a.name}` is a scalar; return it instead")
            base = (
                writer.at(*places[a.name]) if a.name in places else writer.slot(f"[{prod(a.shape)} x double]")
            )
            values[a.name] = InMemory(a.shape, base, placed=a.name in places)
            letters.append(f"d{len(a.shape)}")
            typed += passed(base, a.shape)
        elif a.shape == ():
            letters.append("d")
            typed.append(f"double {body.value(unit, a).element(writer, 0)}")
        else:
            letters.append(f"d{len(a.shape)}")
            typed += passed(body.value(unit, a).pointer(writer), a.shape)
    if isinstance(function, Formula):
        raise BlockError(f"{unit.block.kind()}.{role}: formulas need an elementwise block")
    numbers = [name for name in requested if name[0] not in values]
    if foreign:
        result = body.call_foreign(unit, role, typed, "double" if numbers else "void")
        return values | _distribute(unit, role, [result] if result else [], numbers)
    try:
        compiled = kernel(function, tuple(letters))
    except ReturnsArray:
        return _call_returning_array(body, unit, role, requested, letters, typed)
    if not compiled.results and len(values) < len(requested):
        return call_in_python(body, unit, role, arguments, requested, "it returns nothing")
    results = body.call(compiled, typed, integer=role == "mode")
    return values | _distribute(unit, role, results, numbers)


def _bare(base: str, shape: Shape) -> list[str]:
    """An array in the form that a C function takes."""
    return [f"ptr {base}"]


def _call_returning_array(
    body: Body, unit: Unit, role: str, requested: Requested, letters: list[str], typed: list[str]
) -> dict[str, Value]:
    """A function that returns an array, which is copied to memory of the output's size."""
    (name, shape), *others = requested
    if others or shape == ():
        raise BlockError(
            f"{unit.path}: function `{role}` of {unit.block.kind()} returns an array\n"
            f"expected: numbers for {', '.join(n for n, _ in requested)} (a vector needs the block's `size`)"
        )
    base = body.writer.slot(f"[{prod(shape)} x double]")
    compiled = kernel(writing(unit.functions[role], len(letters), shape), (*letters, f"d{len(shape)}"))
    body.call(compiled, [*typed, *spread(base, shape)])
    return {name: InMemory(shape, base)}


def _distribute(unit: Unit, role: str, results: list[str], requested: Requested) -> dict[str, Value]:
    needed = sum(prod(shape) for _, shape in requested)
    if len(results) != needed:
        listed = ", ".join(f"{name} {shape or ''}".strip() for name, shape in requested)
        raise BlockError(
            f"{unit.path}: function `{role}` of {unit.block.kind()} gives {len(results)} numbers\n"
            f"expected: {needed}, for {listed}; see {role_name(role, unit.functions[role])}"
        )
    values: dict[str, Value] = {}
    start = 0
    for name, shape in requested:
        values[name] = Scalars(shape, results[start : start + prod(shape)])
        start += prod(shape)
    return values
