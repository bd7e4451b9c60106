"""Functions of arrays: they go in by address; named targets are written in place."""

from __future__ import annotations

from math import prod
from typing import Any

from ....blocks.contract.errors import BlockError
from ....blocks.contract.formula import Formula
from ....blocks.contract.owned import Foreign
from ....blocks.contract.port import Shape
from ....native.compiling import kernel
from ....native.front_end import ReturnsArray
from ..plan import binding
from ..plan.binding import Argument
from ..plan.unit import Unit, role_name
from .body import Body, spread
from .into_python import call_replaced
from .returned import writing
from .writer import InMemory, Scalars, Value

Requested = list[tuple[str, Any]]


def call_array(
    body: Body, unit: Unit, role: str, arguments: list[Argument], requested: Requested,
    places: dict[str, tuple[str, int]],
) -> dict[str, Value]:  # fmt: skip
    """The results by name; those of targets lie at `places`, where there is one.

    Raises CannotCompile when numba does not take the function.
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
        return _returned(body, unit, role, requested, letters, typed)
    if not compiled.results and len(values) < len(requested):
        return call_replaced(body, unit, role, arguments, requested, "it returns nothing")
    results = body.call(compiled, typed, integer=role == "mode")
    return values | _distribute(unit, role, results, numbers)


def _bare(base: str, shape: Shape) -> list[str]:
    """An array as a function in C takes it."""
    return [f"ptr {base}"]


def _returned(
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
