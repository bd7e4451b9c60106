"""Figures share one style: colours for colour-blind readers, print sizes, plain axes, legends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

# Okabe and Ito, Color Universal Design (2008), without yellow, which is invisible on paper.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)))
GREY = "#808080"
TEXT = 9.0
SMALL = 8.0
WIDTH = 6.4
RASTER_DPI = 200
COLUMN, PAGE = 3.45, 7.1  # inches: a column and the full width of a two-column page
PRINTED = 8.0 / TEXT  # labels of 8 pt in a paper
Style = Literal["screen", "paper"]
_LABEL = 0.55  # inches: a tick label with its distance to the next
_OFFSET = -0.015  # end of the factor of the tick labels, left of the legend above the axes
_TWO_DECADES, _FEW_DIGITS = 100.0, 5.0  # shorter logarithmic axes: labels at 2 and 5, or at every digit
_RAISED = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def line_styles() -> Iterator[dict[str, Any]]:
    """Seven colours with solid lines, then dashed, dotted and dash-dotted lines, and again."""
    while True:
        for dashes, color in product(DASHES, COLORS):
            yield {"color": color, "linestyle": dashes}


def quiet(axes: Axes) -> None:
    """Draw only left and bottom spines, a light grid in the background, small digits."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(color="#404040", linewidth=0.7)
    axes.grid(True, color="#E4E4E4", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=SMALL, color="#404040", width=0.7, length=3.0)
    axes.margins(x=0.0, y=0.08)
    axes.ticklabel_format(axis="y", useMathText=True)
    axes.yaxis.get_offset_text().set(fontsize=SMALL, horizontalalignment="right", x=_OFFSET)


def few_ticks(axes: Axes, width: float) -> None:
    """Limit the ticks to the space on horizontal axes of this width, inches; labels may be `-0.025`."""
    axes.locator_params(axis="x", nbins=int(np.clip(width / _LABEL, 2, 9)))


def logarithmic(axes: Axes, way: Literal["x", "y"]) -> None:
    """Set a logarithmic axis with legible labels: over few decades 1, 2 and 5 of each, in plain digits."""
    horizontal = way == "x"
    axis = axes.xaxis if horizontal else axes.yaxis
    (axes.set_xscale if horizontal else axes.set_yscale)("log")
    powers = axis.get_major_formatter()

    def span() -> float:
        low, high = axes.get_xlim() if horizontal else axes.get_ylim()
        return high / low

    def major(value: float, place: int | None) -> str:
        return f"{value:g}" if span() < _TWO_DECADES else powers(value, place)

    def minor(value: float, place: int | None) -> str:
        digits = "23456789" if span() < _FEW_DIGITS else "25" if span() < _TWO_DECADES else ""
        return f"{value:g}" if f"{value:e}"[0] in digits else ""

    axis.set_major_formatter(FuncFormatter(major))
    axis.set_minor_formatter(FuncFormatter(minor))
    axis.set_tick_params(which="minor", labelsize=SMALL)


def legend_above(axes: Axes, handles: list[Any], names: list[str], *, width: float) -> int:
    """Write names in a frameless block above the axes; returns the number of rows at `width` inches."""
    rows, columns = _rows_and_columns([0.42 + len(name) * SMALL * 0.60 / 72.0 for name in names], width)
    order = [i for column in range(columns) for i in range(column, len(handles), columns)]  # read row by row
    legend = axes.legend(
        [handles[i] for i in order],
        ["name"] * len(handles),
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=columns,
        fontsize=SMALL,
        frameon=False,
        borderaxespad=0.15,
        borderpad=0.1,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=1.2,
        labelspacing=0.25,
    )
    letter(legend, [names[i] for i in order])
    return rows


def _rows_and_columns(widths: Sequence[float], room: float) -> tuple[int, int]:
    """The fewest rows that hold entries of these widths, each column as wide as its widest entry."""
    count = len(widths)
    for rows in range(1, count):
        columns = -(-count // rows)
        if sum(max(widths[column::columns]) for column in range(columns)) <= room:
            return rows, columns
    return count, 1


def letter(legend: Legend, names: Sequence[str]) -> None:
    """Write the names literally: matplotlib hides names with a leading _ and reads $ as mathematics."""
    for text, name in zip(legend.get_texts(), names):
        text.set_parse_math(False)
        text.set_text(name)


def with_unit(name: str, unit: str) -> str:
    """`name (unit)`, powers raised: kg m^2 as kg m²; a name or a unit alone is unchanged."""
    raised = re.sub(r"\^(-?[0-9]+)", lambda power: power[1].translate(_RAISED), unit)
    return f"{name} ({raised})" if name and raised else name or raised


def for_paper(figure: Figure) -> None:
    """Set letters of 8 and 7 pt, thinner lines and tight spacing, for a column of a two-column paper."""
    for text in figure.findobj(Text):
        text.set_fontsize(float(text.get_fontsize()) * PRINTED)
    for line in figure.findobj(Line2D):
        line.set_linewidth(line.get_linewidth() * PRINTED)
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.set(w_pad=0.02, h_pad=0.02)


def key(figure: Figure, colors: Sequence[str], names: Sequence[str], top: float) -> float:
    """Write names next to colours in rows below `top`, a fraction of the figure; returns their height.

    The width determines the number of columns.
    """
    from matplotlib.patches import Patch

    handles = [Patch(color=color) for color in colors]
    width, height = figure.get_size_inches() * figure.dpi
    for columns in range(len(names), 0, -1):
        legend = figure.legend(
            handles,
            ["name"] * len(names),
            loc="upper left",
            bbox_to_anchor=(0.0, top),
            ncols=columns,
            fontsize=SMALL,
            frameon=False,
            borderaxespad=0.0,
            borderpad=0.35,
            handlelength=1.0,
            handleheight=0.8,
            handletextpad=0.5,
            columnspacing=1.4,
            labelspacing=0.3,
        )
        letter(legend, names)
        legend.set_in_layout(False)
        figure.draw_without_rendering()
        box = legend.get_window_extent()
        if box.width <= width or columns == 1:
            return float(box.height / height)
        legend.remove()
    return 0.0
