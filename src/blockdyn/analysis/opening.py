"""Add inputs and outputs to a diagram at any of its signals, and cut its wires."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..blocks.contract.port import Size
from ..blocks.mathematics.sum import Sum
from ..blocks.routing.inport import Inport
from ..blocks.routing.outport import Outport
from ..diagrams.compiler.compile import compile_flat
from ..diagrams.compiler.program import Program
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.flat import FlatBlock, FlatDiagram, Tap, find
from .errors import AnalysisError, UnknownVariable

End = tuple[str, str]  # path of a block, and one of its ports
IN, OUT, SUM = "@in", "@out", "@sum"  # after the paths of added blocks: no declared name has an @


@dataclass(frozen=True)
class Signal:
    """A signal by its requested name: its source, and the inputs to which it is wired."""

    name: str
    source: End
    readers: tuple[End, ...]


def signals(argument: str, names: str | Iterable[str], flat: FlatDiagram) -> tuple[Signal, ...]:
    """The signals with these names.

    `block.port` is an output with all its wires, `block` all outputs of a block, and `block.input` the wire
    into that input. Raises UnknownVariable.
    """
    return tuple(
        signal
        for name in ([names] if isinstance(names, str) else names)
        for signal in _signals(argument, name, flat)
    )


def _signals(argument: str, name: object, flat: FlatDiagram) -> list[Signal]:
    if not isinstance(name, str):
        raise AnalysisError(f"{argument}: {name!r} is not a name", 'the path of a signal, such as "plant.y"')
    blocks = {block.path: block for block in flat.blocks}
    path, _, port = name.rpartition(".")
    into = blocks.get(path)
    if into is not None and into.sources.get(port) and port not in flat.ports.get(path, ()):
        source = into.sources[port]
        assert source is not None
        return [Signal(name, source, ((path, port),))]
    ports: Mapping[str, tuple[str, ...]] = flat.ports
    if name in flat.outputs and (source := blocks[name].sources["u"]) is not None:
        return [Signal(name, source, _readers(flat, source))]
    try:
        taps = find(name, ports, flat.aliases)
    except DiagramError as error:
        raise _unknown(argument, name, flat) from error
    ends = {name if len(taps) == 1 else tap.name: (tap.path, tap.port) for tap in taps}
    return [Signal(each, source, _readers(flat, source)) for each, source in ends.items()]


def _unknown(argument: str, name: str, flat: FlatDiagram) -> UnknownVariable:
    names = [*flat.inputs, *flat.outputs]
    names += [f"{b.path}.{port}" for b in flat.blocks for port in (*flat.ports.get(b.path, ()), *b.sources)]
    return UnknownVariable(argument, name, dict.fromkeys(names), "signal")


def _readers(flat: FlatDiagram, source: End) -> tuple[End, ...]:
    return tuple(
        (block.path, port) for block in flat.blocks for port, end in block.sources.items() if end == source
    )


def require_loop(wire: str, flat: FlatDiagram) -> None:
    """Raise UnknownVariable for an unknown wire, AnalysisError if it does not lie on a loop."""
    followers: dict[str, list[str]] = {block.path: [] for block in flat.blocks}
    for block in flat.blocks:
        for before in (*(end[0] for end in block.sources.values() if end), *block.conditions):
            followers[before].append(block.path)
    named = signals("loop", wire, flat)
    ahead = [path for signal in named for path, _ in signal.readers]
    reached = {*ahead}
    while ahead:
        following = [path for path in followers[ahead.pop()] if path not in reached]
        reached.update(following)
        ahead += following
    if all(signal.source[0] not in reached for signal in named):
        actual = f"`{wire}` is not part of a loop: no block that it drives leads back to it"
        raise AnalysisError(actual, "a signal in a loop, or an input in one")


def opened(
    program: Program, inputs: Sequence[Signal], outputs: Sequence[Signal], cuts: Sequence[Signal]
) -> Program:
    """The program with an input added to each of `inputs`, an output at each of `outputs`, and `cuts` open.

    An input, `name@in`, is added to its signal after the source; if the signal is cut, the input replaces it.
    An output, `name@out`, is the signal as it leaves its source.
    """
    flat, sizes = program.flat, {unit.path: unit.out_sizes for unit in program.plan.units}
    changed = {block.path: block for block in flat.blocks}
    open_names = {cut.name for cut in cuts}
    places = {signal.name: signal for signal in (*inputs, *cuts)}
    taken: dict[End, str] = {}
    for signal in places.values():
        size = sizes[signal.source[0]][signal.source[1]]
        _refuse_bus(signal, size)
        _add(changed, signal.name + IN, Inport(default=0.0, size=list(size.shape) if size.shape else 1), {})
        begin = (signal.name + IN, "y")
        if signal.name not in open_names:
            added = {"u0": signal.source, "u1": begin}
            _add(changed, signal.name + SUM, Sum("++"), added)
            begin = (signal.name + SUM, "y")
        for reader in signal.readers:
            if reader in taken:
                expected = "each wire once: a signal, or one of the inputs that it goes to"
                raise AnalysisError(f"{taken[reader]} and {signal.name} change the same wire", expected)
            taken[reader] = signal.name
            block = changed[reader[0]]
            changed[reader[0]] = replace(block, sources={**block.sources, reader[1]: begin})
    for signal in outputs:
        _add(changed, signal.name + OUT, Outport(), {"u": signal.source})
    flat = replace(
        flat,
        blocks=tuple(changed[path] for path in sorted(changed)),
        inputs=(*flat.inputs, *(name + IN for name in places)),
        outputs=(*flat.outputs, *(signal.name + OUT for signal in outputs)),
    )
    return compile_flat(flat, program.source)


def with_blocks(program: Program, added: Mapping[str, tuple[Any, Mapping[str, End]]]) -> Program:
    """The program with additional blocks, given by path with the sources of their inputs; their outputs are
    logged."""
    flat = program.flat
    changed = {block.path: block for block in flat.blocks}
    for path, (block, sources) in added.items():
        _add(changed, path, block, sources)
    names = [(path, port.name) for path, (block, _) in added.items() for port in block.output_ports()]
    taps = [Tap(f"{path}.{port}", path, port) for path, port in names]
    blocks = tuple(changed[path] for path in sorted(changed))
    return compile_flat(replace(flat, blocks=blocks, taps=(*flat.taps, *taps)), program.source)


def _add(blocks: dict[str, FlatBlock], path: str, block: Any, sources: Mapping[str, End]) -> None:
    blocks[path] = FlatBlock(path, block, sources, None, {})


def _refuse_bus(signal: Signal, size: Size) -> None:
    if size.fields:
        names = ", ".join(name for name, _ in size.fields)
        expected = f"a signal of numbers, such as the output of a block that selects a part of it ({names})"
        raise AnalysisError(f"{signal.name} is a bus, to which nothing can be added", expected)
