"""Key: which colour is which of the bodies of an animation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .style import SMALL, letter

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def key(figure: Figure, colors: Sequence[str], names: Sequence[str], top: float) -> float:
    """Write names beside colours in rows that end at `top`, a share of the figure; returns their height.

    As many columns as the width holds.
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
