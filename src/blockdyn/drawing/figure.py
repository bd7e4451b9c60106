"""A picture is rendered as PNG or PDF by matplotlib."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from ..base.words import visible
from .marks import PALE, PALETTE, STYLES, Path, Picture, Text

_POINT = 0.75  # points per px
_BEARING = 0.06  # fraction of the font size, on both sides of a letter's outline
_NARROW = 0.88  # DejaVu Sans, which comes with matplotlib everywhere, is wider than Helvetica


def raster(picture: Picture, kind: str, *, scale: float = 2.0) -> bytes:
    """The picture as the bytes of a PNG or PDF file, in light colours; `scale` is PNG pixels per px."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(picture.width / 96, picture.height / 96), facecolor=PALETTE["paper"][0])
    FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.set_axis_off()
    order = 0
    for group in picture.groups:
        for mark in group.marks:
            order += 1
            if isinstance(mark, Path):
                _path(axes, mark, order, PALE if group.pale else 1.0)
            else:
                _text(axes, mark, order, PALE if group.pale else 1.0)
    out = BytesIO()
    facts: Any = (
        {"Title": picture.title, "CreationDate": None}
        if kind == "pdf"
        else {"Title": picture.title, "Software": None}
    )
    figure.savefig(out, format=kind, dpi=96 * scale, metadata=facts)
    return out.getvalue()


def _path(axes: Any, mark: Path, order: int, alpha: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    codes: list[Any] = []
    points: list[tuple[float, float]] = []
    for letter, numbers in mark.steps:
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True)) or [points[0]]
        points += pairs
        codes += {
            "M": [Outline.MOVETO],
            "L": [Outline.LINETO],
            "C": [Outline.CURVE4] * 3,
            "Z": [Outline.CLOSEPOLY],
        }[letter]
    stroke, fill, width, dashes = STYLES[mark.kind]
    style: Any = (0, tuple(float(part) for part in dashes.split())) if dashes else "-"
    axes.add_patch(
        PathPatch(
            Outline(points, codes), edgecolor=_colour(stroke), facecolor=_colour(fill),
            linewidth=width * _POINT, linestyle=style, zorder=order, joinstyle="round", capstyle="butt",
            alpha=alpha,
        )
    )  # fmt: skip


def _text(axes: Any, mark: Text, order: int, alpha: float) -> None:
    if mark.width:
        from matplotlib.patches import PathPatch

        axes.add_patch(
            PathPatch(
                outlines(mark), facecolor=_colour(mark.colour), edgecolor="none", zorder=order, alpha=alpha
            )
        )
        return
    side = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
    axes.text(
        mark.x, mark.y, visible(mark.text), fontsize=_NARROW * mark.size * _POINT, ha=side, va="baseline",
        zorder=order, alpha=alpha,
        color=_colour(mark.colour), parse_math=False, family="DejaVu Sans",
    )  # fmt: skip


def outlines(mark: Text) -> Any:
    """A part of a formula as outlines, scaled to the width that the formula provides."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    font = FontProperties(family="DejaVu Sans")
    letters = TextPath((0, 0), visible(mark.text), size=_NARROW * mark.size, prop=font)
    box = letters.get_extents()
    space = mark.width - 2 * _BEARING * mark.size
    place = Affine2D().translate(-box.x0, 0).scale(space / (box.width or space), -1)
    return letters.transformed(place.translate(mark.x + _BEARING * mark.size, mark.y))


def _colour(name: str) -> str:
    return "none" if name == "none" else PALETTE[name][0]
