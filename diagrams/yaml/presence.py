"""Blocks under `when` are present only if an option of the diagram says so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...base.words import nearest
from ...base.yaml.positions import Node
from ..model.diagram import Diagram
from ..model.errors import UnknownBlock
from ..model.gathered import EVERYTHING, Errors
from .errors import YamlError

FORM = "an option that is true or false, several of which one has to be true, or {option: value}"


def absent_blocks(
    node: Node, blocks: Collection[str], diagram: Diagram, values: Mapping[str, Node], errors: Errors
) -> set[str]:
    """The blocks that the options of a diagram leave out; `values` are the options' values."""
    absent = set()
    for name, entry in node.entries.items():
        with errors:
            if name not in blocks:
                if EVERYTHING in errors.spoilt(diagram):
                    continue
                raise UnknownBlock(name, list(blocks), location=entry.at)
            if not _holds(name, entry.node, diagram, values):
                absent.add(name)
            continue
        errors.spoil(diagram, name)
    return absent


def _holds(name: str, node: Node, diagram: Diagram, values: Mapping[str, Node]) -> bool:
    """True if a condition holds. Raises YamlError for one without an option."""
    if isinstance(node.value, dict):
        wanted = [(key, entry.node, entry.node.plain()) for key, entry in node.entries.items()]
        return all(_value(name, key, at, diagram, values) in _several(value) for key, at, value in wanted)
    items = node.items if isinstance(node.value, list) else [node]
    given = [_value(name, item.value, item, diagram, values) for item in items]
    for item, value in zip(items, given, strict=True):
        if value is not None and not isinstance(value, bool):
            found = f"when.{name}: the option `{item.value}` is {value!r}, not true or false"
            raise YamlError(found, f"{{{item.value}: {value}}}", key="when", location=item.at)
    return any(given)


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _value(name: str, option: Any, at: Node, diagram: Diagram, values: Mapping[str, Node]) -> Any:
    """The value of an option; None if it is not given."""
    if option not in diagram.options:
        hint = nearest(str(option), list(diagram.options))
        raise YamlError(
            f"when.{name}: `{option}` is not an option of the diagram{hint}", FORM, key="when", location=at.at
        )
    return values[option].plain() if option in values else None


def pieces(chain: list[Any], absent: Collection[str]) -> Iterator[list[Any]]:
    """The parts of a wire that join blocks that are there."""
    piece: list[Any] = []
    for end in chain:
        there = [one for one in _several(end) if _block(str(one)) not in absent]
        if there:
            piece.append(there if isinstance(end, list) else end)
            continue
        if len(piece) > 1:
            yield piece
        piece = []
    if len(piece) > 1:
        yield piece


def _block(end: str) -> str:
    return end.partition(".")[0].partition("[")[0].strip()
