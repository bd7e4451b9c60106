"""Icons give the shape of a block and its symbol, as marks."""

from __future__ import annotations

from collections.abc import Iterator

from ..blocks.contract.icon import Icon, scripts
from .graph import LABEL
from .layout import PartPlacement
from .marks import Path, Text, line, rounded
from .sketch import EAST, OUTSIDE, WEST
from .type_widths import width_of

_MARGIN = 4.0
_LEADING = 12.0
_SCRIPT = 0.75  # the size of raised and lowered type


def marks_of(placed: PartPlacement, kind: str = "block") -> Iterator[Path | Text]:
    """The marks of a folded block: its shape of a kind, and its icon."""
    icon = placed.part.icon
    x, y, width, height = placed.x, placed.y, placed.width, placed.height
    yield _shape(icon, x, y, width, height, kind)
    left, right = _room(placed, WEST), _room(placed, EAST)
    x, width = x + left, width - left - right
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
            centre = x + 0.38 * width
        rows = icon.text.split("\n")
        top = middle + 3.5 - _LEADING * (len(rows) - 1) / 2
        if not placed.part.kind:
            yield Text(centre, middle + 3.5, icon.text)
            return
        for i, row in enumerate(rows):
            yield from formula(row, centre, top + _LEADING * i)


def formula(text: str, centre: float, y: float, size: float = 10.0) -> Iterator[Text]:
    """A line of text with raised and lowered parts, about a centre."""
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
    """Room of the labels at a side of a box."""
    icon = placed.part.icon
    if icon.shape in OUTSIDE:
        return 0.0
    widest = max((width_of(pin.label, LABEL) for pin in placed.part.pins if pin.side == side), default=0.0)
    return widest + 4 if widest else 0.0


def _shape(icon: Icon, x: float, y: float, width: float, height: float, kind: str) -> Path:
    if icon.shape == "circle":
        return rounded(x, y, width, height, max(width, height) / 2, kind)
    if icon.shape == "triangle":
        return line([(x, y), (x + width, y + height / 2), (x, y + height)], kind, closed=True)
    if icon.shape in ("bar", "bus"):
        return rounded(x, y, width, height, 0.0, "bar")
    radius = height / 2 if icon.shape == "round" else 2.0
    return rounded(x, y, width, height, radius, kind)


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
