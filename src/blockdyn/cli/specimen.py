"""A block of a given type is made from the example in its documentation."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from ..base.errors import BlockdynError
from ..blocks.contract.block import Block
from ..blocks.contract.parameter import Rule
from ..blocks.contract.port import Port, Size
from ..blocks.contract.registry import type_name
from ..diagrams.yaml import loads

SAMPLES = Path(__file__).parent / "samples"  # the files that examples name


def documentation(kind: type) -> tuple[str, str]:
    """The docstring, and the example below it, which may be empty."""
    text, _, example = (inspect.getdoc(kind) or "").partition("\nExample:")
    return text.strip(), inspect.cleandoc(example).strip()


def specimen(kind: type[Block]) -> Block:
    """The block of the example; without one, with the default of every parameter.

    Raises BlockdynError if the example is wrong, TypeError if a parameter without a default is missing.
    """
    example = documentation(kind)[1]
    if not example.startswith("{"):
        return kind()
    written = example.replace(f"type: {kind.kind()}", f"type: '{type_name(kind)}'", 1)
    text = f"blockdyn: 1\nblocks:\n  example: {written}\n"
    block = loads(text, folder=SAMPLES, trust=True).blocks["example"]
    assert isinstance(block, Block)
    return block


def specimen_or_type(kind: type[Block]) -> Block | type[Block]:
    """The block of the example; the type if it has no example and parameters without a default."""
    required = any(field.default is dataclasses.MISSING for field in dataclasses.fields(kind))  # type: ignore[arg-type]
    return kind if required and not documentation(kind)[1] else specimen(kind)


def describe_ports(
    block: Block | type[Block], side: Literal["input_ports", "output_ports"]
) -> list[tuple[str, str, str, str]]:
    """Name, size, unit and meaning of the ports on one side, then of ports that an option adds."""
    if isinstance(block, type):
        rows = [(port, "") for port in (block.inputs if side == "input_ports" else block.outputs)]
    else:
        ports: Iterable[Port] = getattr(block, side)()
        rows = [(port, "") for port in ports] + conditional(block, side)
    return [
        (port.name, _size(port, block), _unit(port), "; ".join(filter(None, (_meaning(port), when))))
        for port, when in rows
    ]


def conditional(block: Block, side: Literal["input_ports", "output_ports"]) -> list[tuple[Port, str]]:
    """The ports that the block would have with another value of an option, and that value."""
    present = {port.name for port in getattr(block, side)()}
    extra: dict[str, tuple[Port, list[str]]] = {}
    for name, rule in block.rules().items():
        for value, written in _values(rule, getattr(block, name)):
            for port in _ports_with(block, name, value, side):
                if port.name not in present:
                    place = extra.setdefault(f"{name} {port.name}", (port, []))
                    place[1].append(f"{name}: {written}" if not place[1] else written)
    return [(port, "with " + " or ".join(values)) for port, values in extra.values()]


def _ports_with(block: Block, name: str, value: object, side: str) -> tuple[Port, ...]:
    """The ports with this value of a parameter, and the block's other values or their defaults."""
    for make in (block.with_parameters, type(block)):
        try:
            return tuple(getattr(make(**{name: value}), side)())
        except (BlockdynError, TypeError):  # a value that needs other parameters too
            continue
    return ()


def _values(rule: Rule, value: object) -> list[tuple[Any, str]]:
    """Other values of a parameter that may add ports, each with its text."""
    if rule.number:
        return [(None, "none")] if rule.optional and value is not None else []
    if rule.choices:
        return [(choice, str(choice)) for choice in rule.choices]
    if isinstance(value, bool):
        return [(not value, str(not value).lower())]
    counts = {"type": "integer"} in rule.schema.get("anyOf", [rule.schema])
    return [(1, "1 or more")] if counts and value in (None, 0) else []


def _unit(port: Port) -> str:
    if port.unit or port.like is None:
        return port.unit
    power = port.like.seconds
    seconds = {0: "", 1: " times s", -1: " over s"}.get(power, f" times s^{power}")
    return f"that of {', '.join(port.like.inputs)}{seconds}"


def _size(port: Port, block: Block | type[Block]) -> str:
    """The rule of a port's size, or the size that every block of the type has."""
    size = port.fixed()
    if port.size_rule or size is None:
        return port.size_rule or _size_from_inputs(port.name, block)
    return f"bus of {len(size.fields)}" if size.fields else str(size)


def _size_from_inputs(name: str, block: Block | type[Block]) -> str:
    """The size of an output that inputs of any size determine, found with inputs of two sizes."""
    if isinstance(block, type) or name not in {port.name for port in block.output_ports()}:
        return "any"
    inputs = block.input_ports()
    free = [port.name for port in inputs if port.fixed() is None]
    if not free:
        return "as the parameters"
    same = block.elementwise or all(_gives(block, name, Size((length,))) for length in (3, 4))
    return ("as the inputs" if len(free) > 1 else f"as {free[0]}") if same else "any"


def _gives(block: Block, name: str, size: Size) -> bool:
    """True if an output has this size when all inputs of any size have it."""
    try:
        return block.sizes({port.name: port.fixed() or size for port in block.input_ports()})[name] == size
    except BlockdynError:
        return False


def _meaning(port: Port) -> str:
    size = port.fixed()
    fields = ", ".join(name for name, _ in size.fields) if size is not None else ""
    default = f"{port.default:g} if unconnected" if port.default is not None else ""
    return "; ".join(filter(None, (port.doc, fields, default)))
