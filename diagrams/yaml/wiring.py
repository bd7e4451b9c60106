"""Check, add, cut and reroute wires in the lines of a diagram's text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...base.words import nearest
from ...base.yaml.positions import Node
from ...blocks.contract.block import Block
from ..model.chain import chain_wires
from ..model.diagram import Diagram
from ..model.errors import DiagramError, UnknownBlock, UnknownPort
from ..model.gathered import Errors
from ..model.routes import starred
from ..model.scope import open_scopes
from ..model.section import Steps
from ..model.subsystem import Subsystem
from ..model.wire import End, read_end
from .build import Chain, declared_block, mapping_chain, part_of_diagram, wire_chain
from .errors import EditError
from .source import TEXT, Source

if TYPE_CHECKING:
    from .editing import DiagramText


def check_end(text: DiagramText, inside: str, end: End, *, output: bool) -> None:
    """Raise UnknownBlock or UnknownPort for an invalid end of a wire in a diagram.

    A block that is not sound may have any port.
    """
    blocks = (*text.level(inside), "blocks")
    node = text.part((*blocks, end.block))
    if node is None:
        signals = signals_of(text, blocks[:-1]) if output else []
        if end.block in signals:
            return
        section = text.part(blocks)
        candidates = [*(section.entries if section is not None else ()), *signals]
        raise UnknownBlock(end.block, candidates, inside=inside, location=(section or text.root).at)
    path = f"{inside}/{end.block}" if inside else end.block
    block = sound_block(text, (*blocks, end.block), path)
    if block is None:
        return
    names = [port.name for port in (block.output_ports() if output else block.input_ports())]
    if end.port in names or (names and end.port is None) or "*" in str(end.port):
        return
    if not isinstance(end.port, int) or end.port >= len(names):
        side = "output" if output else "input"
        raise UnknownPort(path, block.kind(), end.port, side, names, location=node.at)


def signals_of(text: DiagramText, level: Steps) -> list[str]:
    """The named signals of a diagram and of the diagrams around it."""
    places = [level[:i] for i in range(0, len(level) + 1, 3)]  # each level is `blocks`, a name, `diagram`
    sections = [text.part((*place, "signals")) for place in reversed(places)]
    return [name for section in sections if section is not None for name in section.entries]


def sound_block(text: DiagramText, steps: Steps, path: str) -> Block | Subsystem | None:
    """The block at some steps, with numbers for its expressions, if it is sound."""
    source = _source(text)
    try:
        block = declared_block(text.node(*steps), path, source)
    except DiagramError:
        return None
    if source.errors.gathered:
        return None
    return _evaluate_block(text, path) if isinstance(block, Block) and block.open_parameters() else block


def _evaluate_block(text: DiagramText, path: str) -> Block | Subsystem | None:
    """A block with numbers from the parameters of its diagram; None if they cannot be evaluated."""
    source = _source(text)
    try:
        diagram = part_of_diagram(text.text, source)
        scopes = [] if diagram is None else open_scopes(diagram, None, None, Errors())
    except DiagramError:
        return None
    nodes = (node for scope in scopes for node in scope.nodes.values() if node.path == path)
    return next((node.block for node in nodes), None)


def _source(text: DiagramText) -> Source:
    return Source(TEXT) if text.path is None else Source.of_file(text.path, False)


def connect(text: DiagramText, source: str, destinations: Sequence[str | Sequence[str]]) -> None:
    """Add one line, `source -> destination -> [destination, ...]`."""
    inside = _inside(source)
    chain = [_local(source, source), *(_local(end, source) for end in destinations)]
    for wire in chain_wires(Diagram("diagram"), chain[0], chain[1:], None):
        check_end(text, inside, wire.source, output=True)
        check_end(text, inside, wire.destination, output=False)
    text.insert(*text.section(inside, "wires"), value=chain_text(chain))


def disconnect(text: DiagramText, source: str, destination: str, to: str | None = None) -> None:
    """Cut the wire between two ends, or lead it to another one."""
    inside = _inside(source)
    start, end = _local(source, source), _local(destination, source)
    new = None
    if to is not None:
        new = _local(to, source)
        check_end(text, inside, read_end(new), output=False)
    steps = (*text.level(inside), "wires")
    for i, chain in chains(text, steps):
        for at in range(len(chain) - 1):
            following = chain[at + 1]
            if chain[at] == start and (
                end == following or (end in following and isinstance(following, list))
            ):
                put(text, (*steps, i), _cut(chain, at, end, new))
                return
    wires = text.part(steps)
    present = [wire for _, chain in chains(text, steps) for wire in single(chain)]
    near = nearest(f"{start} -> {end}", present)
    problem = f"there is no wire from `{source}` to `{destination}`{near}"
    raise EditError(
        problem, "both ends as the file names them", key="wires", location=(wires or text.root).at
    )


def _cut(chain: Chain, at: int, end: str, new: str | None) -> list[Chain]:
    """A chain without the wire after place `at` to an end, or with this wire led to `new`."""
    following = chain[at + 1]
    if isinstance(following, list):
        ends = [new if each == end else each for each in following if each != end or new is not None]
        branches = [each for each in ends if each is not None]
        return joined([[*chain[: at + 1], *([branches] if len(branches) > 1 else branches)]])
    return joined([[*chain[: at + 1], *([] if new is None else [new])], chain[at + 1 :]])


def chains(text: DiagramText, steps: Steps) -> Iterator[tuple[int, Chain]]:
    """The wires of a section, each with its place in the list; wires that cannot be read are skipped."""
    section = text.part(steps)
    for i, item in enumerate(section.items if section is not None else ()):
        chain = _chain(item)
        if chain:
            yield i, chain


def _chain(item: Node) -> Chain:
    if isinstance(item.value, str) and "->" in item.value:
        return wire_chain(item.value, item.at)
    return mapping_chain(item) if {"from", "to"} <= item.entries.keys() else []


def joined(pieces: Sequence[Chain]) -> list[Chain]:
    """Chains with at least two ends."""
    return [chain for chain in pieces if len(chain) > 1]


def put(text: DiagramText, steps: Steps, pieces: Sequence[Chain]) -> None:
    """Replace a chain by others; in a wire written as a mapping, its ends."""
    if not pieces:
        text.remove(*steps)
        return
    wire = text.node(*steps)
    if wire.entries:
        (source, ends), several = pieces[0], wire.entries["to"].node.items
        text.set(*steps, "from", to=source)
        text.set(*steps, "to", to=[ends] if several and isinstance(ends, str) else ends)
        return
    *around, i = steps
    text.set(*steps, to=chain_text(pieces[0]))
    for chain in reversed(pieces[1:]):
        text.insert(*around, value=chain_text(chain), after=i)


def single(chain: Chain) -> Iterator[str]:
    """The wires of a chain, each by itself."""
    for start, following in pairwise(chain):
        for end in [following] if isinstance(following, str) else following:
            yield f"{start} -> {end}"


def chain_text(chain: Chain) -> str:
    """A chain in the form of a line."""
    return " -> ".join(end if isinstance(end, str) else f"[{', '.join(end)}]" for end in chain)


def steps_of(chain: Chain) -> Iterator[tuple[str, list[str]]]:
    """Every output of a chain with its destinations."""
    for source, following in pairwise(chain):
        if isinstance(source, str):
            yield source, [following] if isinstance(following, str) else list(following)


def ends_of(chain: Chain) -> Iterator[str]:
    """Every end that a chain names."""
    for each in chain:
        yield from [each] if isinstance(each, str) else each


def is_middle(end: str | list[str]) -> bool:
    """True for an end that a chain may pass through: a block without a port."""
    return isinstance(end, str) and "." not in end and "[" not in end


def extend(pieces: list[Chain], source: str, ends: Sequence[str], *, mid: bool = True) -> None:
    """Lead the last of some chains on, or begin another one; `mid` if a chain may pass through the source."""
    if not ends:
        return
    branch: str | list[str] = ends[0] if len(ends) == 1 else list(ends)
    if mid and pieces and pieces[-1][-1] == source and is_middle(source):
        pieces[-1].append(branch)
    else:
        pieces.append([source, branch])


def wire_item(chain: Chain) -> str:
    """A chain as a line of `wires`."""
    return f"- {chain_text(chain)}"


def port_names(text: DiagramText, inside: str, block: str, *, output: bool) -> list[str]:
    """The names of a block's ports on one side; none if the block is not sound."""
    steps, path = (*text.level(inside), "blocks", block), f"{inside}/{block}" if inside else block
    sound = sound_block(text, steps, path) if text.part(steps) is not None else None
    ports = () if sound is None else sound.output_ports() if output else sound.input_ports()
    return [port.name for port in ports]


def unstarred(
    text: DiagramText, inside: str, source: str, ends: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """The wires that a starred wire stands for."""
    start = read_end(source)
    outward = starred(start)
    outputs = port_names(text, inside, start.block, output=True)
    for end in map(read_end, ends):
        inward, inputs = starred(end), port_names(text, inside, end.block, output=False)
        if outward is None or inward is None or not inputs or not outputs:
            raise EditError(
                f"the wire `{source} -> {end}` stands for several and would be divided",
                "wires with the names of both ports",
            )
        for name in outputs:
            stem = name.removeprefix(outward[0]).removesuffix(outward[1])
            if stem.join(outward) == name and stem.join(inward) in inputs:
                yield f"{start.block}.{name}", [f"{end.block}.{stem.join(inward)}"]


def block_of(end: str) -> str:
    """The block that an end of a wire names."""
    return end.partition(".")[0].partition("[")[0].strip()


def _inside(end: str) -> str:
    return end.rpartition("/")[0]


def _local(end: Any, source: str) -> Any:
    """An end, or a list of them, without the path of the diagram that it shares with the source."""
    if isinstance(end, (list, tuple)):
        return [_local(each, source) for each in end]
    if isinstance(end, str) and _inside(end) != _inside(source):
        problem = f"a wire from `{source}` to `{end}`"
        raise EditError(problem, "two ends in one diagram, through Inport and Outport", path=end)
    return end.rpartition("/")[2] if isinstance(end, str) else end
