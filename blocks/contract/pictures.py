"""Pictures: small drawings by name, and the icon of a block, of a text and of a subsystem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import BlockdynError
from .errors import BlockError
from .icon import SHAPES, Icon, Polyline, words
from .marks import arc

if TYPE_CHECKING:
    from .block import Block


def icon_of(block: Block) -> Icon:
    """The icon of a block with its parameters.

    While parameters are still expressions, an icon that needs their numbers is the type's icon. Raises
    BlockError if a user's `symbol` gives none.
    """
    try:
        return as_icon(block.symbol(), block.kind())
    except Exception as error:
        if block.open_parameters():
            return as_icon(block.icon, block.kind())
        if isinstance(error, BlockdynError):
            raise
        raise BlockError(f"{block.kind()}.symbol fails: {type(error).__name__}: {error}") from error


def as_icon(icon: Icon | str, name: str = "") -> Icon:
    """The Icon that a block or subsystem declares: itself, a picture by its name, text, or `name`.

    Raises BlockError for anything else.
    """
    if isinstance(icon, Icon):
        return icon
    if not isinstance(icon, str):
        raise BlockError(f"the icon of {name} is {icon!r}\nexpected: an Icon, or text")
    return pictures().get(icon) or Icon(icon or words(name))


@cache
def pictures() -> dict[str, Icon]:
    """All drawings of pictures.txt, by name."""
    text = Path(__file__).with_name("pictures.txt").read_text(encoding="utf-8")
    drawn = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, marks = line.partition(":")
            drawn[name.strip()] = _parse_marks(marks)
    return drawn


def _parse_marks(marks: str) -> Icon:
    """An Icon from the marks of a line, in the format given at the top of pictures.txt."""
    icon = Icon()
    curves: dict[str, list[Polyline]] = {"lines": [], "faint": [], "fills": []}
    for mark in marks.split("|"):
        kind, *given = mark.split()
        if kind in SHAPES:
            icon = replace(icon, shape=kind, size=(0.0, 0.0))
        elif kind == "fraction":
            icon = Icon(fraction=(given[0], given[1]))
        elif kind == "text":
            icon = replace(icon, text=" ".join(given).replace("\\n", "\n"), size=(0.0, 0.0))
        else:
            field, draw = _KINDS[kind]
            curves[field].append(draw([float(number) for number in given]))
    if not any(curves.values()):
        return icon
    return Icon(icon.text, icon.shape, curves["lines"], curves["faint"], curves["fills"])


def _line(numbers: list[float]) -> Polyline:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _stairs(numbers: list[float]) -> Polyline:
    """Heights at equal distances, each held until the next."""
    width = 1.0 / len(numbers)
    return [(min(1.0, (i + side) * width), y) for i, y in enumerate(numbers) for side in (0, 1)]


def _even(numbers: list[float]) -> Polyline:
    """Heights at equal distances, from left to right."""
    return [(i / (len(numbers) - 1), y) for i, y in enumerate(numbers)]


def _smooth(numbers: list[float]) -> Polyline:
    """A smooth curve through points, by Catmull and Rom's cubics."""
    points = _line(numbers)
    ends = [points[0], *points, points[-1]]
    curve = [points[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for i in range(1, 7):
            t = i / 6
            curve.append((_cubic(a[0], b[0], c[0], d[0], t), _cubic(a[1], b[1], c[1], d[1], t)))
    return [(min(1.0, max(0.0, x)), min(1.0, max(0.0, y))) for x, y in curve]


def _cubic(a: float, b: float, c: float, d: float, t: float) -> float:
    return round(b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))), 4)


_KINDS: dict[str, tuple[str, Callable[[list[float]], Any]]] = {
    "line": ("lines", _line), "smooth": ("lines", _smooth), "even": ("lines", _even),
    "stairs": ("lines", _stairs), "arc": ("lines", lambda numbers: arc(*numbers)), "faint": ("faint", _line),
    "ring": ("faint", lambda numbers: arc(*numbers)),
    "fill": ("fills", _line), "dot": ("fills", lambda numbers: arc(*numbers)),
}  # fmt: skip
