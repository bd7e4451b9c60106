"""A FlatDiagram has blocks and direct wires for the compiler, without subsystems or names to look up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...base.location import Location
from ...blocks.contract.block import Block
from .errors import BadWire, UnknownBlock, UnknownPort
from .gathered import EVERYTHING, Errors
from .values import Number

_PATH = re.compile(r"\s*([^\W\d]\w*(?:/[^\W\d]\w*)*)\s*(?:\.([^\W\d]\w*)|\[(\d{1,9})\])?\s*")


@dataclass(frozen=True, slots=True)
class FlatBlock:
    """A block with numbers for parameters, and the source of each input.

    `sources` holds every input port: the path and output port of the block that drives it, or None where
    an input with a default is unconnected. `conditions` are the paths of the Enable and Trigger blocks that
    control it, nearest first; `iteration` is the path of the While block that runs it repeatedly.
    """

    path: str
    block: Block
    sources: Mapping[str, tuple[str, str] | None]
    location: Location | None
    wire_locations: Mapping[str, Location | None]
    conditions: tuple[str, ...] = ()
    iteration: str = ""


@dataclass(frozen=True, slots=True)
class Tap:
    """A signal to keep: its name for the user, and the block and port that drive it."""

    name: str
    path: str
    port: str


@dataclass(frozen=True)
class FlatDiagram:
    """Blocks sorted by path, so that nothing depends on the order of declaration.

    `ports` holds the output ports of every block and subsystem, `aliases` the true origin of signals that
    have another path too: outputs of subsystems (`plant.y`), ports inside them, named signals. `scopes` are
    the paths of the Scope blocks in the order of declaration, in which they are drawn; `changed` are
    values of single blocks, set by path; `stated_units` are units that Inports and Outports give to signals.
    `overriding` are the values that replace the diagram's own parameters.
    `inputs` and `outputs` are the names of the Inports and Outports of the outermost diagram, in their order.
    """

    name: str
    blocks: tuple[FlatBlock, ...]
    parameters: Mapping[str, Number]
    taps: tuple[Tap, ...]
    ports: Mapping[str, tuple[str, ...]] = field(repr=False)
    aliases: Mapping[str, tuple[str, str]] = field(repr=False)
    simulation: Mapping[str, Any]
    scopes: tuple[str, ...] = ()
    changed: Mapping[str, Any] = field(default_factory=dict)
    stated_units: Mapping[tuple[str, str], str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    overriding: Mapping[str, Any] = field(default_factory=dict)

    @property
    def logged(self) -> tuple[tuple[str, str], ...]:
        """Block path and port of every signal that the result keeps, each once."""
        return tuple(dict.fromkeys((tap.path, tap.port) for tap in self.taps))

    def with_log(
        self,
        paths: Iterable[str],
        locations: Mapping[str, Location | None] | None = None,
        errors: Errors | None = None,
        spoilt: Mapping[str, Collection[str]] | None = None,
    ) -> FlatDiagram:
        """A copy of the diagram with other signals to keep.

        Raises the errors of `find`, or gathers them in `errors`; skips names in `spoilt`, by subsystem.
        """
        gathered = Errors() if errors is None else errors
        groups: list[tuple[Tap, ...]] = []
        for path in paths:
            with gathered:
                if not spoilt or not _is_spoilt(path, spoilt):
                    groups.append(self.find(path, (locations or {}).get(path)))
        if errors is None:
            gathered.finish()
        return replace(self, taps=tuple({tap.name: tap for taps in groups for tap in taps}.values()))

    def find(self, path: str, location: Location | None = None) -> tuple[Tap, ...]:
        """The signals that `block`, `sub/block.port`, `block[0]` or a signal's name stands for.

        Raises UnknownBlock, UnknownPort, BadWire (when it cannot be read).
        """
        try:
            return find(path, self.ports, self.aliases, location)
        except UnknownPort as error:
            block = next((flat.block for flat in self.blocks if flat.path == error.path), None)
            if block is None:  # a subsystem
                raise
            states = [state.name for state in block.states]
            asked: str | int = int(error.port) if error.port.isdecimal() else error.port
            where, ports = (error.path, block.kind(), asked, "output"), error.choices
            raise UnknownPort(*where, ports, location=location, states=states) from None


def _is_spoilt(path: str, spoilt: Mapping[str, Collection[str]]) -> bool:
    """True if a path leads through a name that has an error."""
    steps = path.partition(".")[0].partition("[")[0].strip().split("/")
    inside = ""
    for step in steps:
        names = spoilt.get(inside, ())
        if step in names or EVERYTHING in names:
            return True
        inside = f"{inside}/{step}" if inside else step
    return False


def find(
    path: str,
    ports: Mapping[str, tuple[str, ...]],
    aliases: Mapping[str, tuple[str, str]],
    location: Location | None = None,
) -> tuple[Tap, ...]:
    """The taps that a path stands for: all outputs of a block when it names none."""
    read = _PATH.fullmatch(path)
    if read is None:
        expected = "`block`, `subsystem/block.port` or `block[0]`"
        raise BadWire(f"`{path[:60]}` is not a path", expected, location=location)
    block, port, index = read.groups()
    if block in aliases and port is None and index is None:
        return (Tap(block, *aliases[block]),)
    if block not in ports:
        inside, _, name = block.rpartition("/")
        near = [p.rpartition("/")[2] for p in ports if p.rpartition("/")[0] == inside]
        if not near:
            raise UnknownBlock(block, list(ports), location=location)
        raise UnknownBlock(name, near, inside=inside, location=location)
    names = ports[block]
    if index is not None and int(index) < len(names):
        port = names[int(index)]
    elif index is not None or (port is not None and port not in names) or not names:
        asked = port if index is None else int(index)
        raise UnknownPort(block, "block", asked, "output", names, location=location)
    return all_taps([block], ports, aliases) if port is None else _tap(block, port, aliases)


def all_taps(
    blocks: Iterable[str], ports: Mapping[str, tuple[str, ...]], aliases: Mapping[str, tuple[str, str]]
) -> tuple[Tap, ...]:
    """A tap for every output of these blocks."""
    return tuple(tap for block in blocks for port in ports[block] for tap in _tap(block, port, aliases))


def _tap(block: str, port: str, aliases: Mapping[str, tuple[str, str]]) -> tuple[Tap]:
    name = f"{block}.{port}"
    path, origin = aliases.get(name, (block, port))
    return (Tap(name, path, origin),)
