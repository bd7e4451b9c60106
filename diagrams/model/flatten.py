"""Resolve subsystems, their ports and named signals into blocks and direct wires."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...blocks.contract.block import Block
from ...blocks.contract.port import Size
from ...blocks.routing.inport import Inport
from ...blocks.routing.outport import Outport
from ...blocks.switching.condition import Condition
from ...blocks.switching.enable import Enable
from ...blocks.switching.merge import Merge
from .diagram import Diagram
from .errors import BadWire
from .flat import FlatBlock, FlatDiagram, Tap, all_taps
from .gathered import Errors
from .inputs import require_inputs
from .routes import NOWHERE, Tracer, connect, origin, signal_origins
from .scope import Node, Scope, open_scopes
from .subsystem import ports as ports_of

__all__ = ["FlatBlock", "FlatDiagram", "Tap", "flatten", "gather"]


def flatten(
    diagram: Diagram,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    log: Sequence[str] | None = None,
) -> FlatDiagram:
    """A snapshot of a diagram for the compiler; later changes of the diagram do not reach it.

    `parameters` overrides diagram parameters, `set` parameters of blocks and subsystems by path
    (`{"plant/arm.mass": 2.0}`; text that begins with `=` is an expression), `log` the signals to keep.
    Raises the DiagramError family.
    """
    errors = Errors()
    flat = gather(diagram, errors, parameters, set, log)
    errors.finish()
    return flat


def gather(
    diagram: Diagram,
    errors: Errors,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    log: Sequence[str] | None = None,
    *,
    complete: bool = True,
) -> FlatDiagram:
    """A snapshot with gathered errors: complete if there are none, otherwise without the faulty parts.

    If the diagram is not yet `complete`, inputs may be unconnected.
    """
    scopes = open_scopes(diagram, parameters, set, errors)
    for scope in scopes:
        connect(scope, errors)
    require_inputs(scopes, errors, tell=complete)
    tracer = Tracer(scopes)
    aliases = signal_origins(scopes, tracer, errors)
    nodes = [node for scope in scopes for node in scope.nodes.values()]
    ports = {node.path: tuple(port.name for port in node.outputs) for node in nodes}
    blocks = size_inports(
        _flat(node, scope, tracer, errors)
        for scope in scopes
        for node in scope.nodes.values()
        if isinstance(node.block, Block) and not node.gate
    )
    blocks = number_merges(blocks, errors)
    flat = FlatDiagram(
        name=diagram.name,
        blocks=tuple(sorted(blocks, key=lambda flat: flat.path)),
        parameters=scopes[0].numbers,
        taps=(
            *all_taps(sorted(scopes[0].nodes), {node.path: _default_log(node) for node in nodes}, aliases),
            *(Tap(f"{path}.y", path, "y") for path in _shown_conditions(scopes)),
        ),
        ports=ports,
        aliases=aliases,
        simulation=dict(diagram.simulation),
        scopes=tuple(flat.path for flat in blocks if flat.block.figure() is not None),
        changed=dict(set or {}),
        stated_units={
            origin(tracer, node, "y", errors): unit
            for node in nodes
            if (node.gate or isinstance(node.block, Inport)) and (unit := _unit(node))
        },
        inputs=_of_the_program(scopes[0], Inport),
        outputs=_of_the_program(scopes[0], Outport),
        overriding=dict(parameters or {}),
    )
    spoilt = {scope.path: errors.spoilt(scope.diagram) for scope in scopes} if errors.gathered else {}
    if log is not None:
        return flat.with_log(log, errors=errors, spoilt=spoilt)
    if diagram.logged is None:
        return flat
    return flat.with_log(diagram.logged, diagram.log_locations, errors, spoilt)


def _shown_conditions(scopes: list[Scope]) -> list[str]:
    """The conditions of the outermost diagram's subsystems: a result shows when these were active."""
    inside = [scope for scope in scopes if scope.parent is scopes[0]]
    return sorted(path for scope in inside for path in scope.conditions if path.startswith(f"{scope.path}/"))


def _of_the_program(outermost: Scope, kind: type[Inport] | type[Outport]) -> tuple[str, ...]:
    """The names of the inputs, or of the outputs, of the outermost diagram, in their order."""
    return tuple(port.name for port in ports_of(outermost.diagram, kind) if port.name in outermost.nodes)


def _default_log(node: Node) -> tuple[str, ...]:
    """The outputs of a block or a subsystem that are kept if the diagram names none."""
    chosen = node.block.logged() if isinstance(node.block, Block) else None
    return tuple(port.name for port in node.outputs) if chosen is None else tuple(chosen)


def _unit(node: Node) -> str:
    """The unit declared at a port of a subsystem."""
    return str(getattr(node.block, "unit", ""))


def _flat(node: Node, scope: Scope, tracer: Tracer, errors: Errors) -> FlatBlock:
    assert isinstance(node.block, Block)
    if isinstance(node.block, Condition):
        return _condition(node, scope, tracer, errors)
    sources: dict[str, tuple[str, str] | None] = {}
    places = {}
    for port in node.inputs:
        driver = node.drivers.get(port.name)
        source = None if driver is None else origin(tracer, driver[0], driver[1], errors)
        if source == NOWHERE:
            source = None
            errors.unsure.add(node.path)
        sources[port.name] = source
        places[port.name] = None if driver is None else driver[2]
    return FlatBlock(
        node.path, node.block, sources, node.location, places, tuple(scope.conditions), scope.iteration
    )


def _condition(node: Node, scope: Scope, tracer: Tracer, errors: Errors) -> FlatBlock:
    """An Enable or Trigger, driven by its subsystem's input and controlled by the conditions around it."""
    assert isinstance(node.block, Condition)
    driver = scope.owner.drivers.get(node.name) if scope.owner is not None else None
    source = None if driver is None else origin(tracer, driver[0], driver[1], errors)
    sources: dict[str, tuple[str, str] | None] = {port.name: None for port in node.inputs}
    sources["u"] = None if source == NOWHERE else source
    paths = list(scope.conditions)
    around = tuple(paths[paths.index(node.path) + 1 :] if node.path in paths else paths)
    if around and isinstance(node.block, Enable) and isinstance(scope.conditions[around[0]], Enable):
        sources["outer"] = (around[0], "y")
    iteration = "" if scope.parent is None else scope.parent.iteration
    places = {"u": driver and driver[2]}
    return FlatBlock(node.path, node.block, sources, node.location, places, around, iteration)


def size_inports(blocks: Iterable[FlatBlock]) -> list[FlatBlock]:
    """The blocks; an Inport without `size` and `default` gets the size that its readers require."""
    flats = list(blocks)
    required: dict[str, Size] = {}
    if not any(_is_unknown(flat) for flat in flats):
        return flats
    for flat in flats:
        for port in flat.block.input_ports():
            source, size = flat.sources[port.name], port.fixed()
            if source is not None and size is not None:
                required.setdefault(source[0], size)
    return [
        replace(flat, block=flat.block.with_parameters(size=required[flat.path].shape))
        if _is_unknown(flat) and flat.path in required
        else flat
        for flat in flats
    ]


def _is_unknown(flat: FlatBlock) -> bool:
    block = flat.block
    return isinstance(block, Inport) and block.size is None and block.default is None


def number_merges(blocks: Iterable[FlatBlock], errors: Errors) -> list[FlatBlock]:
    """The blocks, each Merge with the Enables of its signals. Gathers BadWire."""
    flats = list(blocks)
    if not any(isinstance(flat.block, Merge) for flat in flats):
        return flats
    by_path = {flat.path: flat for flat in flats}
    numbered = []
    for flat in flats:
        sources = dict(flat.sources)
        for i, port in enumerate(flat.block.signals() if isinstance(flat.block, Merge) else ()):
            with errors:
                sources[f"works{i}"] = _enable(flat, port.name, by_path)
        numbered.append(replace(flat, sources=sources) if sources != flat.sources else flat)
    return numbered


def _enable(merge: FlatBlock, port: str, by_path: Mapping[str, FlatBlock]) -> tuple[str, str] | None:
    """The output of the Enable that controls the source of an input."""
    source = merge.sources[port]
    flat = None if source is None else by_path.get(source[0])
    if source is None or flat is None:
        return None
    for path in flat.conditions:
        if path not in merge.conditions and isinstance(by_path[path].block, Enable):
            return path, "y"
    raise BadWire(
        f"{merge.path}.{port} comes from {source[0]}.{source[1]}, which is always active",
        "an output of a subsystem with an Enable block; Switch and MultiportSwitch choose between others",
        path=merge.path,
        location=merge.wire_locations.get(port) or merge.location,
    )
