"""What pictures of an ensemble say in words: labels with units, and what is not shown."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ....base.counted import counted
from ....diagrams.results.style import SMALL, TEXT, with_unit
from ..factors import FAILED, unit_of

if TYPE_CHECKING:
    from ..ensemble import Ensemble


def label(ensemble: Ensemble, name: str) -> str:
    """The name with its unit in brackets."""
    if name == FAILED and name not in ensemble.measures:
        return "fraction of scenarios that failed"
    return with_unit(name, unit_of(ensemble, name))


def label_axes(axes: Axes, x: str, y: str) -> None:
    """Write both labels as they are, without reading $ as mathematics."""
    axes.set_xlabel(x, fontsize=TEXT, parse_math=False)
    axes.set_ylabel(y, fontsize=TEXT, parse_math=False)


def left_out(ensemble: Ensemble) -> str:
    """How many scenarios failed or were not run, in words; '' where none."""
    gathered = ensemble.gathered
    failed = int(np.count_nonzero(gathered.failed))
    waiting = int(np.count_nonzero(gathered.outcome < 0))
    parts = [f"{failed} of {counted(len(ensemble), 'scenario')} failed"] if failed else []
    parts += [f"{waiting} not run"] if waiting else []
    return ", ".join(parts)


def title(figure: Figure, *notes: str) -> None:
    """A title only where the reader must be told something that the axes do not say."""
    remark = "; ".join(note for note in notes if note)
    if remark:
        text = textwrap.fill(remark, int(figure.get_figwidth() * 72.0 / (TEXT * 0.52)))
        figure.suptitle(text, fontsize=TEXT, x=0.01, ha="left", parse_math=False)


def whisper(axes: Axes, text: str) -> None:
    """A small remark in the upper right corner above the axes."""
    axes.set_title(text, fontsize=SMALL, loc="right", color="#404040", parse_math=False)
