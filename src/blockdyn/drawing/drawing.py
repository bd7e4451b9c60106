"""Drawings are displayed in notebooks and saved to files.

A notebook displays a diagram as its drawing, with tables of its parameters, blocks and wires.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from os import PathLike
from pathlib import Path

from ..base.errors import BlockdynError
from ..base.extras import remedy
from ..base.files import replacing
from ..base.shown import lines, page, table
from ..base.words import short
from ..blocks.contract.block import Block
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.diagram_error import DiagramError
from ..diagrams.model.errors import AlgebraicLoop, MissingInput
from ..diagrams.results.result import Result
from ..diagrams.yaml import loads
from .after_run import Run, run_of, size_of_label
from .elk import DrawingError
from .facts import Fact, Facts, facts_of
from .figure import raster
from .graph import LABEL
from .layout import lay_out
from .marks import Picture, Point, width_of
from .paint import paint
from .sketch import (
    EAST,
    NORTH,
    OUTSIDE,
    SOUTH,
    WEST,
    Line,
    Part,
    Pin,
    Sketch,
    owner,
    signal_at,
    sketch,
    tag_of,
)  # fmt: skip
from .svg import svg

__all__ = [
    "Drawing",
    "DrawingError",
    "check_file",
    "draw",
    "draw_block",
    "draw_error",
    "draw_run",
    "draw_unread",
    "html",
]

KINDS = (".svg", ".png", ".pdf")
_MOST_ROWS, _LONGEST, _MOST_DRAWN = 100, 120, 200  # rows, characters, blocks in a notebook


class Drawing:
    """A drawing: `svg` is its text, `save("loop.png")` writes it, and a notebook displays it.

    `error` is the error of the diagram, None if the diagram passes its checks.
    """

    def __init__(self, picture: Picture, error: BlockdynError | None = None) -> None:
        self.picture = picture
        self.error = error

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG, for light and dark pages."""
        return svg(self.picture)

    def save(self, file: str | PathLike[str]) -> Path:
        """Write an .svg, .png or .pdf file. Raises DrawingError, FileError."""
        path = check_file(file)
        writers: dict[str, Callable[[], bytes]] = {
            ".svg": lambda: self.svg.encode("utf-8"),
            ".png": lambda: raster(self.picture, "png"), ".pdf": lambda: raster(self.picture, "pdf"),
        }  # fmt: skip
        content = writers[path.suffix.lower()]()
        with replacing(path) as out:
            out.write(content)
        return path

    def into(self, file: str | PathLike[str] | None) -> Drawing:
        """This drawing, also written to a file if one is given."""
        if file is not None:
            self.save(file)
        return self

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing {self.picture.title}: {self.picture.width:.0f} by {self.picture.height:.0f} px>"


def check_file(file: str | PathLike[str]) -> Path:
    """The path of a picture. Raises DrawingError if the value is not a path or its ending is unknown."""
    if not isinstance(file, (str, PathLike)):
        raise DrawingError(f"file is {short(file)}\nexpected: the name of a picture, such as loop.svg")
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise DrawingError(
            f"`{file}` is not a known image format\nexpected: a name that ends with {', '.join(KINDS)}"
        )
    return path


def draw(
    diagram: Diagram,
    file: str | PathLike[str] | None = None, *,
    open: bool | Collection[str] = False, units: bool = False, sizes: bool = False,
) -> Drawing:  # fmt: skip
    """The diagram as a picture, which a notebook shows and `file` keeps (.svg, .png, .pdf).

    `open` lists the paths of subsystems that are drawn with their contents, or is True for all; `units`
    and `sizes` are shown at the wires. Raises DrawingError, also if mini-racer is not installed.
    """
    return _draw_sketch(diagram, None, open, units, sizes).into(file)


def draw_run(
    result: Result,
    diagram: Diagram | None = None, *,
    file: str | PathLike[str] | None = None, open: bool | Collection[str] = False,
    units: bool = False, sizes: bool = False,
) -> Drawing:  # fmt: skip
    """The diagram, drawn as by `Diagram.draw`, with the results of the run.

    Every logged signal has its curve and final value at its output, and every block that caused events
    shows their number; `file` writes the picture. A result cannot hold a diagram with Python functions:
    pass it as `diagram`. Raises DrawingError.
    """
    if diagram is None:
        diagram = _carried_diagram(result)
    elif not isinstance(diagram, Diagram):
        raise DrawingError(
            f"diagram is {short(diagram)}\nexpected: the Diagram that was run; `file` names the image file"
        )
    return _draw_sketch(diagram, result, open, units, sizes).into(file)


def draw_error(error: DiagramError, file: str | PathLike[str] | None = None) -> Drawing:
    """The faulty part of the diagram as a picture: an algebraic loop, or blocks with wrong wires.

    Blocks wired to them are pale, and all others are left out. Raises DrawingError.
    """
    diagram = _diagram_of(error)
    paths = paths_of(error)
    around = {path.rpartition("/")[0] for path in paths if "/" in path}
    drawn = sketch(diagram, open=around, strict=False, met=_of_reading(error))
    drawn.faults = drawn.faults or [*error.errors]
    mark(drawn, loop_of(error))
    focus(drawn, paths)
    return Drawing(paint(drawn, lay_out(drawn), Facts(error=error)), error).into(file)


def draw_unread(
    error: DiagramError, *, open: bool | Collection[str] = False, units: bool = False, sizes: bool = False
) -> Drawing:
    """Draw all of a diagram whose reading has ended with an error, with the faulty parts marked.

    Raises DrawingError if the error came before there was a diagram.
    """
    return _draw_sketch(_diagram_of(error), None, open, units, sizes, error)


def _diagram_of(error: DiagramError) -> Diagram:
    diagram: Diagram | None = getattr(error, "diagram", None)  # unset if the error was copied
    if diagram is None:
        raise DrawingError("this error holds no diagram: it was raised before there was one")
    return diagram


def _of_reading(error: DiagramError) -> tuple[DiagramError, ...]:
    """The errors because of which blocks are missing."""
    unread = _diagram_of(error).unread
    return error.errors if unread else ()


def _draw_sketch(
    diagram: Diagram, result: Result | None, open: bool | Collection[str], units: bool, sizes: bool,
    unread: DiagramError | None = None,
) -> Drawing:  # fmt: skip
    for name, flag in (("units", units), ("sizes", sizes)):
        if not isinstance(flag, bool):
            raise DrawingError(f"{name} is {short(flag)}\nexpected: true or false")
    drawn = sketch(diagram, open=open, met=() if unread is None else _of_reading(unread))
    facts = facts_of(diagram, units=units) if unread is None else Facts(error=unread)
    if isinstance(facts.error, DiagramError) and not drawn.faults:
        drawn.faults = [*facts.error.errors]
    if isinstance(facts.error, DiagramError):
        blame(drawn, paths_of(facts.error))
    mark(drawn, loop_of(facts.error))
    run = None if result is None else run_of(result, facts)
    labels = dict(_texts_of(drawn.parts, facts, units=units, sizes=sizes))
    laid = lay_out(drawn, labels if run is None else labels | labels_of(drawn.parts, run))
    picture = paint(drawn, laid, facts, units=units, sizes=sizes, run=run)
    return Drawing(picture, facts.error)


def _texts_of(parts: list[Part], facts: Facts, *, units: bool, sizes: bool) -> Iterator[tuple[str, Point]]:
    """The sizes of units and sizes at outputs, by pin."""
    for part in parts:
        for pin in part.pins:
            text = facts.signals.get(signal_at(pin.key), Fact()).text(units=units, sizes=sizes)
            if pin.side == EAST and text:
                beside = width_of(pin.label, LABEL) + 6 if part.icon.shape in OUTSIDE else 0.0
                yield pin.key, (width_of(text, LABEL) + 6 + beside, LABEL)
        yield from _texts_of(part.inside, facts, units=units, sizes=sizes)


def labels_of(parts: list[Part], run: Run) -> dict[str, Point]:
    """The sizes of labels at outputs, by pin."""
    labels = {}
    for part in parts:
        for pin in part.pins:
            if pin.side == EAST and (trace := run.trace(signal_at(pin.key))) is not None:
                outside = pin.label and part.icon.shape in OUTSIDE
                labels[pin.key] = size_of_label(trace, named=bool(outside))
        labels |= labels_of(part.inside, run)
    return labels


def _carried_diagram(result: Result) -> Diagram:
    """The diagram that a result carries."""
    text = result.provenance.description
    if result.provenance.source is not None:
        source: Diagram = result.provenance.source
        return source
    if text is None:
        raise DrawingError(
            "the result does not hold its diagram, which has Python functions or objects\n"
            "to do: give it, result.draw(diagram)"
        )
    try:
        return loads(text)
    except BlockdynError as error:
        raise DrawingError(f"the diagram in the result cannot be opened: {error}") from error


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
    """Draw only the blocks of some paths, with pale ones for the blocks that are wired to them."""
    drawn_paths = {part.path for part in _all_parts(drawn.parts)}
    shown = {path for path in paths if path in drawn_paths}
    for part in _all_parts(drawn.parts):
        part.fault = part.fault or (part.path in shown and not part.open)
    if not shown:
        return  # the error is not in a drawn block: everything is shown
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


# ---- one block ----


def draw_block(block: Block) -> Drawing:
    """A block whose inputs and outputs each have a tag with its name.

    Raises DrawingError.
    """
    diagram = Diagram(block.kind())
    diagram.add(block.kind(), block)
    drawn = sketch(diagram)
    drawn.faults = []
    part = drawn.parts[0]
    part.name = ""
    keys = {pin.key for pin in part.pins}
    ends = [(f"{part.path}<{port.name}", WEST) for port in block.input_ports()]
    ends += [(f"{part.path}>{port.name}", EAST) for port in block.output_ports()]
    part.pins += [Pin(key, side) for key, side in ends if key not in keys]
    for pin in list(part.pins):
        _tag(drawn, part, pin)
    return Drawing(paint(drawn, lay_out(drawn), Facts()))


def _tag(drawn: Sketch, part: Part, pin: Pin) -> None:
    """A tag with the name of a port, wired to it, so that the pin needs no name."""
    name = pin.key[len(part.path) + 1 :]
    if pin.label == name:
        pin.label = ""
    inward = pin.side in (WEST, NORTH, SOUTH)
    key = f"{pin.key}#"
    end = f"{key}>" if inward else f"{key}<"
    drawn.parts.append(tag_of(key, name, Pin(end, EAST if inward else WEST)))
    source, target = (end, pin.key) if inward else (pin.key, end)
    drawn.lines.append(Line(source, target, (part.path, name)))


# ---- a diagram in a notebook ----


def html(diagram: Diagram) -> str:
    """One line for the diagram, then its first blocks and wires."""
    parameters = [(name, _one_line(value)) for name, value in diagram.parameters.items()]
    blocks = [(name, *_describe_block(block)) for name, block in diagram.blocks.items()]
    wires = [(str(wire.source), str(wire.destination)) for wire in diagram.wires]
    tables = (
        (("parameter", "value"), parameters),
        (("block", "type", "parameters"), blocks),
        (("from", "to"), wires),
    )
    parts = []
    for header, rows in tables:
        hidden = len(rows) - _MOST_ROWS
        more = [f"and {hidden} more"] if hidden > 0 else []
        parts.append(table(header, rows[:_MOST_ROWS]) + lines(more))
    return page(repr(diagram).strip("<>"), _picture(diagram), *parts)


def _picture(diagram: Diagram) -> str:
    """The drawing of the diagram; empty if it cannot be drawn or is too large to read."""
    if remedy("py_mini_racer") or not 0 < len(diagram.blocks) <= _MOST_DRAWN:
        return ""
    try:
        return f'<div style="overflow-x:auto">{draw(diagram).svg}</div>'
    except (DiagramError, DrawingError):
        return ""


def _describe_block(block: object) -> tuple[str, str]:
    if isinstance(block, Block):
        inside = repr(block).partition("(")[2].removesuffix(")")
        return block.kind(), _one_line(inside)
    return "Subsystem", _one_line(block)


def _one_line(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
