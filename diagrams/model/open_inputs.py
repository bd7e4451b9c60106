"""Open inputs: every input without a default needs a wire; those of the outermost diagram the run gives."""

from __future__ import annotations

from ...blocks.routing.inport import Inport
from .argument_errors import InputNotGiven
from .coefficient import coefficient_hint
from .errors import MissingInput
from .flat import FlatDiagram
from .gathered import EVERYTHING, WIRES, Errors
from .scope import Node, Scope


def require_inputs(scopes: list[Scope], errors: Errors, *, tell: bool = True) -> None:
    """Gather MissingInput, one error for all inputs without a default that are open, if it is to be told."""
    missing: list[tuple[Node, str]] = []
    for scope in scopes:
        if not errors.spoilt(scope.diagram).isdisjoint((WIRES, EVERYTHING)):
            continue
        for node in scope.nodes.values():
            if isinstance(node.block, Inport):
                _open(node, scope, errors, sized=tell)
            elif len(node.drivers) < len(node.inputs) and node.path not in errors.unsure:
                open_ports = (p for p in node.inputs if p.name not in node.drivers and p.default is None)
                missing.extend((node, port.name) for port in open_ports)
    if not missing:
        return
    missing.sort(key=lambda item: item[0].path)
    errors.unsure.update(node.path for node, _ in missing)
    if not tell:
        return
    node, port = missing[0]
    others = [f"{other.path}.{name}" for other, name in missing[1:]]
    places = [other.location if other.location != node.location else None for other, _ in missing[1:]]
    scope = next(scope for scope in scopes if scope.nodes.get(node.name) is node)
    of_node = (name for other, name in missing if other is node)
    hint = coefficient_hint(node.block, of_node, scope.diagram)
    with errors:
        raise MissingInput(node.path, port, others, places=places, hint=hint, location=node.location)


def require_given(flat: FlatDiagram, names: frozenset[str] = frozenset()) -> None:
    """Raise InputNotGiven for inputs that neither have a value nor are among `names`."""
    for block in flat.blocks:
        source = block.block
        is_open = isinstance(source, Inport) and source.default is None
        if is_open and block.path in flat.inputs and block.path not in names:
            raise InputNotGiven(block.path, block.location)


def _open(node: Node, scope: Scope, errors: Errors, *, sized: bool) -> None:
    """Make an Inport that nothing drives the source of its signal, whose size is known if `sized`."""
    assert isinstance(node.block, Inport)
    if scope.owner is None:
        if not sized:
            errors.unsure.add(node.path)
    elif node.block.default is not None:
        node.gate = node.gate and node.name in scope.owner.drivers
