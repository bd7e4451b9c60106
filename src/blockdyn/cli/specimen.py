"""Specimen: a block of a given type as its own documentation declares it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from ..blocks.block import Block
from ..blocks.port import Port, Size
from ..blocks.registry import type_name
from ..diagrams.yaml import loads


def documentation(kind: type) -> tuple[str, str]:
    """What the docstring says, and the example below it, which may be empty."""
    text, _, example = (inspect.getdoc(kind) or "").partition("\nExample:")
    return text.strip(), inspect.cleandoc(example).strip()


def specimen(kind: type[Block]) -> Block:
    """The block of the example; without one, with the default of every parameter.

    Raises BlockdynError where the example is wrong, TypeError where a parameter without default lacks.
    """
    example = documentation(kind)[1]
    if not example.startswith("{"):
        return kind()
    written = example.replace(f"type: {kind.kind()}", f"type: '{type_name(kind)}'", 1)
    block = loads(f"blockdyn: 1\nblocks:\n  example: {written}\n", trust=True).blocks["example"]
    assert isinstance(block, Block)
    return block


def described(ports: Iterable[Port]) -> list[tuple[str, str, str, str]]:
    """Name, size, unit and meaning of ports."""
    return [(port.name, _size(port.fixed()), port.unit, _meaning(port)) for port in ports]


def _size(size: Size | None) -> str:
    if size is None:
        return "any"
    return f"bus of {len(size.fields)}" if size.fields else str(size)


def _meaning(port: Port) -> str:
    size = port.fixed()
    fields = ", ".join(name for name, _ in size.fields) if size is not None else ""
    default = f"{port.default:g} where it is open" if port.default is not None else ""
    return "; ".join(filter(None, (port.doc, fields, default)))
