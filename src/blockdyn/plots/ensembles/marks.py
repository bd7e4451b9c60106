"""Figures of ensembles share their titles, labels and quantiles."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ...base.words import inflect
from ...sweeps.answer.factors import FAILED, unit_of
from ...sweeps.answer.gathered import EnsembleData
from ..style import SMALL, TEXT, with_unit

if TYPE_CHECKING:
    from ...sweeps.answer.ensemble import Ensemble


def label(ensemble: Ensemble, name: str) -> str:
    """The name with its unit in brackets."""
    if name == FAILED and name not in ensemble.measures:
        return "fraction of scenarios that failed"
    return with_unit(name, unit_of(ensemble, name))


def label_axes(axes: Axes, x: str, y: str) -> None:
    """Write both labels literally, without interpreting $ as mathematics."""
    axes.set_xlabel(x, fontsize=TEXT, parse_math=False)
    axes.set_ylabel(y, fontsize=TEXT, parse_math=False)


def left_out(ensemble: Ensemble) -> str:
    """Number of scenarios that failed or were not run, in words; '' for 0."""
    gathered = ensemble.gathered
    failed = int(np.count_nonzero(gathered.failed))
    waiting = int(np.count_nonzero(gathered.outcome < 0))
    parts = [f"{failed} of {inflect(len(ensemble), 'scenario')} failed"] if failed else []
    parts += [f"{waiting} not run"] if waiting else []
    return ", ".join(parts)


def title(figure: Figure, *notes: str) -> None:
    """Write a title only if it adds information to the axes."""
    remark = "; ".join(note for note in notes if note)
    if remark:
        text = textwrap.fill(remark, int(figure.get_figwidth() * 72.0 / (TEXT * 0.52)))
        figure.suptitle(text, fontsize=TEXT, x=0.01, ha="left", parse_math=False)


def whisper(axes: Axes, text: str) -> None:
    """Write a small remark in the upper right corner above the axes."""
    axes.set_title(text, fontsize=SMALL, loc="right", color="#404040", parse_math=False)


_BYTES = 2**27


def over_scenarios(
    gathered: EnsembleData, name: str, chosen: NDArray[np.bool_], levels: Sequence[float]
) -> NDArray[np.float64]:
    """Quantiles of a stored signal over the chosen scenarios: (levels, times, elements), NaN after all end.

    Instants are read in parts that fit into 128 MB.
    """
    times, *shape = gathered.signals[name]
    elements = int(np.prod(shape))
    bands = np.full((len(levels), times, elements), np.nan)
    at_once = max(1, _BYTES // (8 * max(1, gathered.count * elements)))
    for first in range(0, times, at_once):
        values = gathered.slices(name, slice(first, first + at_once))[chosen]
        bands[:, first : first + at_once] = quantiles(values.reshape(*values.shape[:2], elements), levels)
    return bands


def quantiles(values: NDArray[np.float64], levels: Sequence[float]) -> NDArray[np.float64]:
    """Quantiles over the first axis without NaN, linear between the ordered values."""
    ordered = np.sort(values, axis=0)  # NaN last
    count = np.count_nonzero(~np.isnan(values), axis=0)
    last = np.maximum(count - 1, 0)
    table = np.full((len(levels), *values.shape[1:]), np.nan)
    if not len(values):
        return table
    for row, level in zip(table, levels):
        place = level * last
        low = np.floor(place).astype(np.intp)
        high = np.minimum(low + 1, last)
        below, above = (np.take_along_axis(ordered, i[None], axis=0)[0] for i in (low, high))
        row[...] = below + (place - low) * (above - below)
    return table
