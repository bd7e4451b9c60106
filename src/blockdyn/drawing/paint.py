"""The layout of a sketch becomes marks: wires below, blocks above, labels, and the legend of the rates."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.words import inflect
from ..blocks.contract.icon import Icon, scripts
from .after_run import Run, badge, label, sentence
from .facts import Fact, Facts
from .graph import LABEL, NAME
from .layout import PartPlacement, SketchLayout
from .marks import Group, Path, Picture, Point, Text, cut, line, lines_of, rounded_rectangle, width_of
from .sketch import EAST, NORTH, OUTSIDE, SOUTH, WEST, Line, Pin, Sketch, signal_at

_RATES = 6  # colours
_HEAD = 6.0  # px of an arrowhead
_FAULTS = 8  # errors that are listed below
_MARGIN = 4.0
_LEADING = 12.0
_SCRIPT = 0.75  # relative size of superscripts and subscripts


def paint(
    drawn: Sketch,
    laid: SketchLayout,
    facts: Facts,
    *,
    units: bool = False,
    sizes: bool = False,
    run: Run | None = None,
) -> Picture:
    """The picture of a diagram, or of a run of it."""
    frames = [_frame(placed) for placed in laid.parts if placed.part.open]
    wires, beside = Group(), Group(pale=True)
    targets = {line.target: line for line, _ in laid.wires}
    for pale, group in ((False, wires), (True, beside)):
        group.marks += _wires([each for each in laid.wires if each[0].pale == pale], facts)
    for wire, at in laid.junctions:
        (beside if wire.pale else wires).marks.append(
            rounded_rectangle(at[0] - 2.2, at[1] - 2.2, 4.4, 4.4, 2.2, "dot")
        )
    wires.marks += _at_wires(laid, facts, units=units, sizes=sizes)
    blocks = [block_group(placed, facts, targets) for placed in laid.parts if not placed.part.open]
    if run is not None:
        blocks += _of_run(laid, run)
    height, extra = laid.height, []
    if used := _clocks_of(laid, facts):
        extra.append(_key(facts, used, height))
        height += 18
    if run is not None:
        extra.append(_key_of_run(run, height))
        height += 18
    faults = [str(fault).splitlines()[0] for fault in drawn.faults[:_FAULTS]]
    if len(drawn.faults) > _FAULTS:
        faults.append(f"and {len(drawn.faults) - _FAULTS} more")
    height = max(height, NAME if faults else 0.0)  # a file that cannot be parsed has no blocks
    for fault in faults:
        for text in lines_of(fault, max(laid.width, 348.0) - 28, NAME):
            extra.append(Group(marks=[Text(14, height + 4, text, NAME, "start", "fault")]))
            height += 14
    width = max(laid.width, 348.0) if extra else laid.width
    count = f"{inflect(len(drawn.diagram.blocks), 'block')}, {inflect(len(drawn.diagram.wires), 'wire')}"
    about = f"{count}. {drawn.diagram.doc}".strip()
    return Picture(
        width,
        height,
        drawn.diagram.name,
        about,
        [*frames, *filter(lambda group: group.marks, (beside,)), wires, *blocks, *extra],
    )


def _frame(placed: PartPlacement) -> Group:
    """An open subsystem."""
    box = rounded_rectangle(placed.x, placed.y, placed.width, placed.height, 4.0, "frame")
    return Group(placed.part.path, _title(placed), [box, *_pins(placed, None), _name(placed)])


def block_group(placed: PartPlacement, facts: Facts, targets: dict[str, Line]) -> Group:
    """A folded block; if it or the diagram is faulty, inputs without a wire have dashes."""
    part = placed.part
    clock = facts.blocks.get(part.path, -1)
    kind = "fault" if part.fault else f"block{clock % _RATES}" if clock >= 0 else "block"
    marks = [*marks_of(placed, kind)]
    if part.kind == "Subsystem" and part.icon.shape == "box":
        marks.append(
            rounded_rectangle(
                placed.x + 2.5, placed.y + 2.5, placed.width - 5, placed.height - 5, 1.0, "hollow"
            )
        )
    faulty = (facts.error is not None or part.fault) and not part.pale
    marks += _pins(placed, targets if faulty else None)
    if part.name:
        marks.append(_name(placed))
    return Group(part.path if part.name else "", _title(placed), marks, part.pale)


def _title(placed: PartPlacement) -> str:
    return f"{placed.part.path}: {placed.part.kind}" if placed.part.name else ""


def _name(placed: PartPlacement) -> Text:
    text = cut(placed.part.name, max(130.0, placed.width), NAME)
    low = placed.y + placed.height
    if placed.part.name_beside:
        return Text(placed.x + placed.width + 2, low - 1, text, NAME, "start")
    return Text(placed.x + placed.width / 2, low + NAME + 1, text, NAME)


def _pins(placed: PartPlacement, targets: dict[str, Line] | None) -> Iterator[Path | Text]:
    """Labels at pins; unwired required inputs if the diagram has an error."""
    for pin in placed.part.pins:
        x, y = placed.pins[pin.key]
        if pin.label:
            left = x < placed.x + placed.width / 2
            outside = placed.part.icon.shape in OUTSIDE
            yield from _label(pin, x, y, outside=outside, left=left, above=placed.part.open)
        outward = (EAST, SOUTH, WEST, NORTH)[placed.part.turn]
        if targets is not None and pin.side != outward and pin.key not in targets:
            dx, dy = {WEST: (-12, 0), EAST: (12, 0), NORTH: (0, -12), SOUTH: (0, 12)}[pin.side]
            yield line([(x + dx, y + dy), (x, y)], "open")


def _label(pin: Pin, x: float, y: float, *, outside: bool, left: bool, above: bool) -> Iterator[Text]:
    """Label of a pin: inside a box, in an open one above the wire, outside of smaller shapes."""
    if outside and pin.label in "+-":
        sign: dict[str, Point] = {
            WEST: (-7, -3),
            EAST: (6, -3),
            NORTH: (7, -4),
            SOUTH: (-7 if left else 7, 11),
        }
        dx, dy = sign[pin.side]
        yield Text(x + dx, y + dy, pin.label.replace("-", "−"), 11.0)
        return
    if outside and pin.side in (NORTH, SOUTH):
        yield Text(x + 3, y + (-4 if pin.side == NORTH else 9), pin.label, LABEL, "start")
        return
    if outside:
        yield Text(
            x + (4 if pin.side == EAST else -8),
            y - 2.5,
            pin.label,
            LABEL,
            "start" if pin.side == EAST else "end",
        )
        return
    wide = width_of(pin.label, LABEL) / 2 + 3
    level = -4.0 if above else 2.6
    inside: dict[str, Point] = {WEST: (wide, level), EAST: (-wide, level), NORTH: (0, 9), SOUTH: (0, -4)}
    dx, dy = inside[pin.side]
    yield Text(x + dx, y + dy, pin.label, LABEL, "middle")


def _wires(wires: list[tuple[Line, list[Point]]], facts: Facts) -> Iterator[Path]:
    """Wires with their arrows, double lines for buses; wires of a loop on top.

    The wires of one output are one mark, so that nothing is darker where they run together.
    """
    marks: dict[tuple[str, str], Path] = {}
    heads = []
    for wire, corners in sorted(wires, key=lambda each: each[0].fault):
        points = _straight(corners)
        (ax, ay), (bx, by) = points[-2], points[-1]
        length = max(abs(bx - ax), abs(by - ay), 1e-9)
        dx, dy = (bx - ax) / length, (by - ay) / length
        short = [*points[:-1], (bx - 0.7 * _HEAD * dx, by - 0.7 * _HEAD * dy)]
        for kind in _kinds(wire, facts.signals.get(wire.signal, Fact())):
            before = marks.get((wire.source, kind))
            mark = line(short, kind)
            marks[wire.source, kind] = mark if before is None else Path(before.steps + mark.steps, kind)
        heads.append(arrow_head((ax, ay), (bx, by)))
    yield from marks.values()
    yield from heads


def _kinds(wire: Line, fact: Fact) -> tuple[str, ...]:
    if wire.fault:
        return ("loop",)
    if fact.bus:
        return ("bus", "core")
    return (f"rate{fact.clock % _RATES}" if fact.clock >= 0 else "wire",)


def arrow_head(start: Point, tip: Point) -> Path:
    """The head of an arrow that comes from a point, horizontally or vertically."""
    length = max(abs(tip[0] - start[0]), abs(tip[1] - start[1]), 1e-9)
    dx, dy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    x, y = tip[0] - _HEAD * dx, tip[1] - _HEAD * dy
    side = 0.45 * _HEAD
    return line([tip, (x - side * dy, y + side * dx), (x + side * dy, y - side * dx)], "arrow", closed=True)


def _straight(points: list[Point]) -> list[Point]:
    """The corners at which a line changes direction."""
    corners = points[:1]
    for here, after in zip(points[1:], [*points[2:], None], strict=True):
        if after is not None and (
            corners[-1][0] == here[0] == after[0] or corners[-1][1] == here[1] == after[1]
        ):
            continue
        if here != corners[-1]:
            corners.append(here)
    return corners if len(corners) > 1 else [points[0], points[-1]]


def _at_wires(laid: SketchLayout, facts: Facts, *, units: bool, sizes: bool) -> Iterator[Text]:
    """Sizes and units at the start of wires, once for each signal."""
    labelled = set()
    beside = {
        pin.key: width_of(pin.label, LABEL) + 6
        for placed in laid.parts
        for pin in placed.part.pins
        if pin.label and placed.part.icon.shape in OUTSIDE
    }
    for wire, points in laid.wires:
        text = facts.signals.get(wire.signal, Fact()).text(units=units, sizes=sizes)
        if text and wire.source not in labelled:
            labelled.add(wire.source)
            x, y = points[0]
            way = -1 if points[1][0] < x else 1  # from a flipped block to the left
            place = x + way * (3 + beside.get(wire.source, 0.0))
            below = 12 if points[1][1] > y else 0  # from a block with its outputs at the bottom
            yield Text(place, y - 3 + below, text, LABEL, "start" if way > 0 else "end", "accent")


def _of_run(laid: SketchLayout, run: Run) -> Iterator[Group]:
    """Curves and values at outputs, and the number of events of each block."""
    for placed in laid.parts:
        for pin in placed.part.pins:
            trace = run.trace(signal_at(pin.key))
            if trace is not None and pin.key in laid.labels:
                yield Group(title=sentence(trace), marks=[*label(trace, laid.labels[pin.key], run.span)])
        events = run.events_of(placed.part.path) if placed.part.name and not placed.part.open else None
        if events:
            title = f"{placed.part.path}: {', '.join(f'{count} {kind}' for kind, count in events.items())}"
            marks = badge(events.total(), placed.x, placed.y)
            yield Group(title=title, marks=marks)


def _key_of_run(run: Run, y: float) -> Group:
    """Legend of curves, values and badges."""
    text = f"curves from {run.span[0]:g} s to {run.span[1]:g} s, with final values"
    if not run.events:
        return Group(marks=[Text(14, y + 2, text, NAME, "start")])
    total = sum(each.total() for each in run.events.values())
    return Group(marks=[*badge(total, 24, y - 1), Text(38, y + 2, f"events; {text}", NAME, "start")])


def _clocks_of(laid: SketchLayout, facts: Facts) -> set[int]:
    """The sample times whose colours are in the picture."""
    blocks = {facts.blocks.get(placed.part.path, -1) for placed in laid.parts if not placed.part.open}
    wires = {facts.signals.get(wire.signal, Fact()).clock for wire, _ in laid.wires}
    return (blocks | wires) - {-1}


def _key(facts: Facts, used: set[int], y: float) -> Group:
    """Legend of the colours of sample times."""
    marks: list[Path | Text] = []
    x = 14.0
    for number, (period, offset) in enumerate(facts.clocks):
        if number in used:
            text = f"{period:g} s" + (f" + {offset:g} s" if offset else "")
            marks.append(line([(x, y - 1), (x + 16, y - 1)], f"rate{number % _RATES}"))
            marks.append(Text(x + 20, y + 2, text, NAME, "start"))
            x += 34 + width_of(text, NAME)
    return Group(marks=marks)


def marks_of(placed: PartPlacement, kind: str = "block") -> Iterator[Path | Text]:
    """The marks of a folded block: its shape of a kind, and its icon."""
    icon = placed.part.icon
    x, y, width, height = placed.x, placed.y, placed.width, placed.height
    yield _shape(icon, x, y, width, height, kind, placed.part.turn)
    left, right = _room(placed, WEST), _room(placed, EAST)
    x, width = x + left, width - left - right
    if placed.part.turn % 2 and icon.shape not in OUTSIDE:
        top, low = (LABEL + 3 if _room(placed, side) else 0.0 for side in (NORTH, SOUTH))
        y, height = y + top, height - top - low
    centre, middle = x + width / 2, y + height / 2
    if icon.has_picture:
        yield from _picture(icon, x, y, width, height)
    elif icon.fraction is not None:
        wide = max(_width(text) for text in icon.fraction)
        yield from formula(icon.fraction[0], centre, middle - 5)
        yield line([(centre - wide / 2 - 2, middle), (centre + wide / 2 + 2, middle)], "curve")
        yield from formula(icon.fraction[1], centre, middle + 12)
    elif icon.matrix:
        yield from _matrix(icon, centre, middle)
    elif icon.text and icon.shape not in ("bar", "bus"):
        if icon.shape == "triangle":
            across, down = ((0.38, 0.5), (0.5, 0.3), (0.62, 0.5), (0.5, 0.7))[placed.part.turn]
            centre, middle = x + across * width, y + down * height
        rows = icon.text.split("\n")
        top = middle + 3.5 - _LEADING * (len(rows) - 1) / 2
        if not placed.part.kind:
            yield Text(centre, middle + 3.5, icon.text)
            return
        for i, row in enumerate(rows):
            yield from formula(row, centre, top + _LEADING * i)


def formula(text: str, centre: float, y: float, size: float = 10.0) -> Iterator[Text]:
    """A centred line of text with superscripts and subscripts."""
    parts = scripts(text)
    if len(parts) == 1:
        yield Text(centre, y, text.strip(), size)
        return
    x = centre - _width(text, size) / 2
    for part, level in parts:
        type_size = size * _SCRIPT if level else size
        seen = part.strip()  # spaces at the ends are not drawn in SVG
        begin = part[: len(part) - len(part.lstrip())]
        yield Text(
            x + width_of(begin, type_size),
            y - 0.4 * size * level if level > 0 else y + 0.2 * size * (level != 0),
            seen,
            type_size,
            "start",
            width=width_of(seen, type_size),
        )
        x += width_of(part, type_size)


def _width(text: str, size: float = 10.0) -> float:
    return sum(width_of(part, size * _SCRIPT if level else size) for part, level in scripts(text))


def _room(placed: PartPlacement, side: str) -> float:
    """The space for the labels at a side of a box."""
    icon = placed.part.icon
    if icon.shape in OUTSIDE:
        return 0.0
    widest = max((width_of(pin.label, LABEL) for pin in placed.part.pins if pin.side == side), default=0.0)
    return widest + 4 if widest else 0.0


def _shape(icon: Icon, x: float, y: float, width: float, height: float, kind: str, turn: int) -> Path:
    if icon.shape == "circle":
        return rounded_rectangle(x, y, width, height, max(width, height) / 2, kind)
    if icon.shape == "triangle":
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        back, last = corners[turn], corners[turn - 1]  # clockwise, from the upper left
        tip = [
            (x + width, y + height / 2),
            (x + width / 2, y + height),
            (x, y + height / 2),
            (x + width / 2, y),
        ][turn]
        return line([back, tip, last], kind, closed=True)
    if icon.shape in ("bar", "bus"):
        return rounded_rectangle(x, y, width, height, 0.0, "bar")
    radius = height / 2 if icon.shape == "round" else 2.0
    return rounded_rectangle(x, y, width, height, radius, kind)


def _picture(icon: Icon, x: float, y: float, width: float, height: float) -> Iterator[Path | Text]:
    """Curves of the unit square, in a square in the middle; text below as a caption."""
    if icon.text:
        height -= 10
        yield from formula(icon.text, x + width / 2, y + height + 6, 9.0)
    side = min(width, height, *icon.size) - 2 * _MARGIN
    left, low = x + (width - side) / 2, y + (height + side) / 2
    for curves, kind, closed in (
        (icon.faint, "faint", False),
        (icon.fills, "fill", True),
        (icon.lines, "curve", False),
    ):
        for curve in curves:
            yield line(((left + side * u, low - side * v) for u, v in curve), kind, closed=closed)


def _matrix(icon: Icon, centre: float, middle: float) -> Iterator[Path | Text]:
    columns = [max(map(_width, column)) + 8 for column in zip(*icon.matrix, strict=True)]
    wide, tall = sum(columns), 13.0 * len(icon.matrix)
    left, top = centre - wide / 2, middle - tall / 2
    for i, row in enumerate(icon.matrix):
        x = left
        for entry, column in zip(row, columns, strict=True):
            yield from formula(entry, x + column / 2, top + 13 * i + 10)
            x += column
    for edge, inward in ((left - 1, 3), (left + wide + 1, -3)):
        yield line(
            [(edge + inward, top), (edge, top), (edge, top + tall), (edge + inward, top + tall)], "curve"
        )
