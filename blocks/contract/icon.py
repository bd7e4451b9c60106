"""Describe the picture inside a drawn block, as plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from .errors import BlockError

Polyline = Sequence[tuple[float, float]]

SHAPES = ("box", "round", "circle", "triangle", "bar", "bus")
LETTER, LINE, MARGIN, GRAPH = (
    6.0,
    13.0,
    16.0,
    44.0,
)  # px, for type 10 px high: width and height of text; margin; size of a picture
LEAST = {
    "box": (44.0, 36.0), "round": (36.0, 22.0), "circle": (28.0, 28.0), "triangle": (44.0, 40.0),
    "bar": (6.0, 44.0), "bus": (6.0, 44.0),
}  # fmt: skip

_SCRIPT = re.compile(
    r"([\^_])(?:\{([^{}]*)\}|([+-]?[^\W_]+(?:\.\d+)?))"
)  # ^ or _, and the raised or lowered text


@dataclass(frozen=True)
class Icon:
    """The picture in a block: a shape with text, curves, a fraction or a matrix in it.

        Icon("PI")          Icon(fraction=("1", "s"))          Icon(lines=[[(0, 0), (0.4, 0.8), (1, 1)]])

    Points lie in the unit square, x to the right and y up, which is drawn with `size`, in px, in the middle
    of the block. Text below curves is a caption. In text, fractions and matrices `^` and `_` raise and lower
    what follows: `z^-1`, `K_p`, `x^{n+1}`. Raises BlockError if it cannot be drawn.
    """

    text: str = ""
    shape: str = "box"
    lines: Sequence[Polyline] = ()
    faint: Sequence[Polyline] = ()
    fills: Sequence[Polyline] = ()
    fraction: tuple[str, str] | None = None
    matrix: Sequence[Sequence[str]] = ()
    inputs: Sequence[str] | None = None
    outputs: Sequence[str] | None = None
    size: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        try:
            _check_texts(self)
        except (TypeError, ValueError):
            raise BlockError(
                "Icon: text, fraction, matrix, inputs or outputs is not text\nexpected: text"
            ) from None
        if not isinstance(self.shape, str) or self.shape not in SHAPES:
            raise BlockError(f"Icon.shape is {self.shape!r}\nexpected: one of {', '.join(SHAPES)}")
        for field in ("lines", "faint", "fills"):
            object.__setattr__(self, field, _polylines(field, getattr(self, field)))
        for field in ("inputs", "outputs"):
            labels = getattr(self, field)
            object.__setattr__(self, field, None if labels is None else _to_tuple(field, labels))
        if self.fraction is not None:
            object.__setattr__(self, "fraction", _to_tuple("fraction", self.fraction))
        rows = _to_tuple("matrix", self.matrix)
        object.__setattr__(self, "matrix", tuple(_to_tuple("matrix", row) for row in rows))
        try:
            width, height = map(float, self.size)
        except (TypeError, ValueError, OverflowError):
            width = -1.0
        if not (0 <= width < 2000 and 0 <= height < 2000):
            raise BlockError(f"Icon.size is {self.size!r}\nexpected: a width and a height in px, below 2000")
        least = _least(self)
        object.__setattr__(self, "size", (width or least[0], height or least[1]))

    @property
    def has_picture(self) -> bool:
        """True if there are points to draw."""
        return bool(self.lines or self.faint or self.fills)


def _to_tuple(field: str, value: Any) -> tuple[Any, ...]:
    try:
        return tuple(value)
    except TypeError:
        raise BlockError(f"Icon.{field} is {value!r:.80}\nexpected: a list") from None


def scripts(text: str) -> tuple[tuple[str, int], ...]:
    """A text in parts, each with its level: 1 raised, -1 lowered, 0 neither."""
    parts: list[tuple[str, int]] = []
    end = 0
    for mark in _SCRIPT.finditer(text):
        if mark.start() > end:
            parts.append((text[end : mark.start()], 0))
        inner = mark[2] if mark[2] is not None else mark[3]
        parts.append((inner, 1 if mark[1] == "^" else -1))
        end = mark.end()
    if end < len(text):
        parts.append((text[end:], 0))
    return tuple(part for part in parts if part[0])


def text_width(text: str) -> float:
    """Approximate width of a text at 10 px, in px; raised and lowered parts are smaller."""
    lines = text.split("\n")
    return max(
        sum(len(part) * LETTER * (0.75 if level else 1) for part, level in scripts(line)) for line in lines
    )


def words(name: str) -> str:
    """A type's name as lines of text: `DiscreteTransferFunction` in three, `PID2DOF` in one."""
    parts = re.findall(r"[A-Z]+\d*[A-Z]*(?![a-z])|[A-Z]?[a-z]+(?:\d+[A-Z]?)?|\d+[A-Z]?|[^\W\d_A-Za-z]+", name)
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) <= 7:
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return "\n".join(lines) or name


def _least(icon: Icon) -> tuple[float, float]:
    width, height = LEAST[icon.shape]
    text = (
        (text_width(icon.text) + MARGIN, LINE * (icon.text.count("\n") + 1) + 10) if icon.text else (0.0, 0.0)
    )
    if icon.has_picture:
        return max(GRAPH, text[0]), GRAPH + (LINE if icon.text else 0)
    if icon.fraction is not None:
        return max(width, MARGIN + max(map(text_width, icon.fraction))), max(height, 44.0)
    if icon.matrix:
        columns = [max(map(text_width, column)) for column in zip(*icon.matrix, strict=True)]
        return max(width, 2 * MARGIN + sum(columns) + 8 * len(columns)), max(
            height, 12 + LINE * len(icon.matrix)
        )
    if icon.shape == "triangle":
        tall = max(height, text[1] + 16)
        inside = text[0] - MARGIN + 6 if icon.text else 0.0
        return max(width, inside / (1 - (text[1] - 11) / tall)), tall  # width at the end of the text
    return max(width, text[0]), max(height, text[1])


def _check_texts(icon: Icon) -> None:
    texts: dict[str, Any] = {
        "text": (icon.text,), "fraction": () if icon.fraction is None else icon.fraction,
        "inputs": icon.inputs or (), "outputs": icon.outputs or (),
    }  # fmt: skip
    for field, parts in texts.items():
        if isinstance(parts, str) or not all(isinstance(part, str) for part in parts):
            raise BlockError(f"Icon.{field} is {getattr(icon, field)!r}\nexpected: text")
    if icon.fraction is not None and len(icon.fraction) != 2:
        raise BlockError(
            f"Icon.fraction is {icon.fraction!r}\nexpected: two formulas, above and below the bar"
        )
    rows = icon.matrix
    if (
        isinstance(rows, str)
        or any(isinstance(row, str) for row in rows)
        or len({len(row) for row in rows}) > 1
    ):
        raise BlockError(f"Icon.matrix is {rows!r}\nexpected: rows of text, equally long")
    if any(not isinstance(entry, str) for row in rows for entry in row):
        raise BlockError(f"Icon.matrix is {rows!r}\nexpected: rows of text, equally long")


def _polylines(field: str, curves: Any) -> tuple[tuple[tuple[float, float], ...], ...]:
    try:
        read = tuple(tuple((float(x), float(y)) for x, y in curve) for curve in curves)
    except (TypeError, ValueError, OverflowError):
        raise BlockError(f"Icon.{field} is not a list of curves\nexpected: [[(x, y), ...], ...]") from None
    for curve in read:
        for x, y in curve:
            if not (isfinite(x) and isfinite(y) and 0 <= x <= 1 and 0 <= y <= 1):
                raise BlockError(f"Icon.{field} has the point ({x:g}, {y:g})\nexpected: numbers from 0 to 1")
        if len(curve) < 2:
            raise BlockError(f"Icon.{field} has a curve of {len(curve)} points\nexpected: two or more")
    return read
