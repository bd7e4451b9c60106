"""Specimen: a block of a given type as its own documentation declares it."""

from __future__ import annotations

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
    text = f"blockdyn: 1\nblocks:\n  example: {written}\n"
    block = loads(text, folder=SAMPLES, trust=True).blocks["example"]
    assert isinstance(block, Block)
    return block


def described(block: Block, side: Literal["input_ports", "output_ports"]) -> list[tuple[str, str, str, str]]:
    """Name, size, unit and meaning of the ports on one side, then of those that an option brings."""
    ports: Iterable[Port] = getattr(block, side)()
    rows = [(port, "") for port in ports] + conditional(block, side)
    return [
        (port.name, _size(port.fixed()), _unit(port), "; ".join(filter(None, (_meaning(port), when))))
        for port, when in rows
    ]


def conditional(block: Block, side: Literal["input_ports", "output_ports"]) -> list[tuple[Port, str]]:
    """The ports that the block has not, but would have with another value of an option, and that value."""
    present = {port.name for port in getattr(block, side)()}
    extra: dict[str, tuple[Port, list[str]]] = {}
    for name, rule in block.rules().items():
        for value in () if rule.number else _values(rule, getattr(block, name)):
            try:
                ports = getattr(block.with_parameters(**{name: value}), side)()
            except BlockdynError:  # a value that needs other parameters too
                continue
            written = str(value).lower() if isinstance(value, bool) else str(value)
            for port in ports:
                if port.name not in present:
                    place = extra.setdefault(f"{name} {port.name}", (port, []))
                    place[1].append(f"{name}: {written}" if not place[1] else written)
    return [(port, "with " + " or ".join(values)) for port, values in extra.values()]


def _values(rule: Rule, value: Any) -> tuple[Any, ...]:
    return rule.choices or ((not value,) if isinstance(value, bool) else ())


def _unit(port: Port) -> str:
    if port.unit or port.like is None:
        return port.unit
    power = port.like.seconds
    seconds = {0: "", 1: " times s", -1: " over s"}.get(power, f" times s^{power}")
    return f"that of {', '.join(port.like.inputs)}{seconds}"


def _size(size: Size | None) -> str:
    if size is None:
        return "any"
    return f"bus of {len(size.fields)}" if size.fields else str(size)


def _meaning(port: Port) -> str:
    size = port.fixed()
    fields = ", ".join(name for name, _ in size.fields) if size is not None else ""
    default = f"{port.default:g} where it is open" if port.default is not None else ""
    return "; ".join(filter(None, (port.doc, fields, default)))
