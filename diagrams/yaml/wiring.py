"""Wiring: wires of a diagram's text made, cut and led elsewhere, in the lines where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...base.yaml.positions import Node
from ..model.section import Steps
from .errors import EditError
from .wires import Chain, mapping_chain, wire_chain

if TYPE_CHECKING:
    from .editing import DiagramText


def connect(text: DiagramText, source: str, destinations: Sequence[str | Sequence[str]]) -> None:
    """Add one line, `source -> destination -> [destination, ...]`."""
    inside = _inside(source)
    chain: Chain = [source.rpartition("/")[2]]
    for end in destinations:
        ends = [end] if isinstance(end, str) else list(end)
        for each in ends:
            _check_inside(each, inside, source)
            text.block(block_of(each))
        names = [each.rpartition("/")[2] for each in ends]
        chain.append(names[0] if isinstance(end, str) else names)
    text.insert(*text.section(inside, "wires"), value=chain_text(chain))


def disconnect(text: DiagramText, source: str, destination: str, to: str | None = None) -> None:
    """Cut the wire between two ends, or lead it to another one."""
    inside = _inside(source)
    _check_inside(destination, inside, source)
    start, end = source.rpartition("/")[2], destination.rpartition("/")[2]
    new = None
    if to is not None:
        _check_inside(to, inside, source)
        new = to.rpartition("/")[2]
        text.block(block_of(to))
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
    found = f"there is no wire from `{source}` to `{destination}`"
    raise EditError(found, "both ends as the file names them", key="wires", location=(wires or text.root).at)


def _cut(chain: Chain, at: int, end: str, new: str | None) -> list[Chain]:
    """What is left of a chain without the wire behind place `at` to an end, or with it led to `new`."""
    following = chain[at + 1]
    if isinstance(following, list):
        ends = [new if each == end else each for each in following if each != end or new is not None]
        kept = [each for each in ends if each is not None]
        return joined([[*chain[: at + 1], *([kept] if len(kept) > 1 else kept)]])
    return joined([[*chain[: at + 1], *([] if new is None else [new])], chain[at + 1 :]])


def chains(text: DiagramText, steps: Steps) -> Iterator[tuple[int, Chain]]:
    """The wires of a section, each with its place in the list; those that cannot be read are passed over."""
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
    """Chains that are wires: of two ends at least."""
    return [chain for chain in pieces if len(chain) > 1]


def put(text: DiagramText, steps: Steps, pieces: Sequence[Chain]) -> None:
    """Chains in place of one."""
    if not pieces:
        text.remove(*steps)
        return
    *around, i = steps
    text.set(*steps, to=chain_text(pieces[0]))
    for chain in reversed(pieces[1:]):
        text.insert(*around, value=chain_text(chain), after=i)


def chain_text(chain: Chain) -> str:
    """A chain as a line has it."""
    return " -> ".join(end if isinstance(end, str) else f"[{', '.join(end)}]" for end in chain)


def block_of(end: str) -> str:
    """The block that an end of a wire names."""
    return end.partition(".")[0].partition("[")[0].strip()


def _inside(end: str) -> str:
    return end.rpartition("/")[0]


def _check_inside(end: str, inside: str, source: str) -> None:
    if _inside(end) != inside:
        found = f"a wire from `{source}` to `{end}`"
        raise EditError(found, "two ends in one diagram, through Inport and Outport", path=end)
