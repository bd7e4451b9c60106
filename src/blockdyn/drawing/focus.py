"""Focus on the faulty part of a diagram that has errors, with the blocks wired to it, pale."""

from __future__ import annotations

from collections.abc import Collection

from ..base.errors import BlockdynError
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.errors import AlgebraicLoop, MissingInput
from .sketch import Part, Sketch, owner


def loop_of(error: BlockdynError | None) -> tuple[str, ...]:
    """The ports on the algebraic loops that an error names, by path."""
    several = error.errors if error is not None else ()
    return tuple(port for each in several if isinstance(each, AlgebraicLoop) for port in each.cycle)


def paths_of(error: DiagramError) -> tuple[str, ...]:
    """The blocks that an error is about."""
    paths = [port.rpartition(".")[0] for port in loop_of(error)]
    for each in error.errors:
        paths += [each.path] if each.path else []
        if isinstance(each, MissingInput):
            paths += [port.rpartition(".")[0] for port in each.also_open]
    return tuple(dict.fromkeys(paths))


def mark(drawn: Sketch, ports: Collection[str]) -> None:
    """Mark the blocks and wires of algebraic loops, through subsystems too."""
    blocks = {port.rpartition(".")[0] for port in ports}
    around = blame(drawn, blocks)
    for line in drawn.lines:
        ends = owner(line.source), owner(line.target)
        ways = {key.replace(">", ".").replace("<", ".") for key in (line.source, line.target)}
        on = all(end in blocks or end in around for end in ends)
        line.fault = line.fault or (on and (bool(ways & set(ports)) or not blocks.isdisjoint(ends)))


def blame(drawn: Sketch, paths: Collection[str]) -> set[str]:
    """Mark blocks by their paths, and folded subsystems that hold them; returns the paths around them."""
    around = {path[:i] for path in paths for i, c in enumerate(path) if c == "/"}
    for part in _all_parts(drawn.parts):
        part.fault = part.fault or (not part.open and (part.path in paths or part.path in around))
    return around


def focus(drawn: Sketch, paths: Collection[str]) -> None:
    """Leave the blocks of some paths, pale those that are wired with them, and nothing else."""
    drawn_paths = {part.path for part in _all_parts(drawn.parts)}
    shown = {path for path in paths if path in drawn_paths}
    for part in _all_parts(drawn.parts):
        part.fault = part.fault or (part.path in shown and not part.open)
    if not shown:
        return  # the error is in no drawn block: everything is shown
    near = set(shown)
    for line in drawn.lines:
        ends = {owner(line.source), owner(line.target)}
        if ends & shown:
            near |= ends
    drawn.parts = _reduce_parts(drawn.parts, shown, near)
    left_paths = {part.path for part in _all_parts(drawn.parts)}
    drawn.lines = [line for line in drawn.lines if {owner(line.source), owner(line.target)} <= left_paths]
    for line in drawn.lines:
        line.pale = not line.fault


def _reduce_parts(parts: list[Part], shown: Collection[str], near: Collection[str]) -> list[Part]:
    left_parts = []
    for part in parts:
        part.inside = _reduce_parts(part.inside, shown, near)
        if part.path in near or part.inside:
            part.pale = part.path not in shown and not part.inside
            left_parts.append(part)
    return left_parts


def _all_parts(parts: list[Part]) -> list[Part]:
    return [each for part in parts for each in (part, *_all_parts(part.inside))]
