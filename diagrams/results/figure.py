"""Figures of a result: signals over time, or one against another."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine

from ...base.checked import checked
from . import canvas
from .compared import check_runs, curves, with_runs
from .curve import draw_panel
from .errors import ResultError, bad_argument
from .flights import Track, draw_tracks, flight_panels, tracks
from .marks import mark_events
from .panel import Panel, draw, panels
from .smooth import smoothed
from .style import COLUMN, PAGE, PRINTED, TEXT, WIDTH, Style, quiet

if TYPE_CHECKING:
    from .result import Result

_MOST_PANELS = 32
_TRACKS = 3.0  # inches: the height of tracks
_CURVE = 1.6  # inches that a row with curves is higher
_FLAT = 0.8  # of the height, in a paper


@checked(bad_argument)
def plot(
    result: Result,
    paths: str | Sequence[str | Sequence[str]] | None = None,
    *,
    compare: Any = None,
    events: bool = True,
    file: str | PathLike[str] | None = None,
    show: bool | None = None,
    style: Style = "screen",
) -> Figure:
    """The work of `Result.plot`."""
    fine = smoothed(result)
    flown = tracks(fine) if paths is None and compare is None else []
    chosen = [panel for panel in panels(fine, paths) if panel.traces]
    if compare is not None:
        check_runs(compare)
        chosen = with_runs(result, chosen, compare, of_scopes=paths is None and bool(result.scopes))
    elif paths is None:
        chosen = sorted([*flight_panels(fine), *chosen], key=lambda panel: panel.form == "xy")
    if not chosen and not flown:
        raise ResultError("nothing to plot: no signal was logged; name signals under 'log' or add a Scope")
    shown = chosen[:_MOST_PANELS]
    columns = 1 if len(shown) <= 6 else 2 if len(shown) <= 16 else 3
    rows = -(-len(shown) // columns)
    height = 0.7 + rows * (2.6 if rows == 1 else 1.75 if rows <= 3 else 1.45)
    height += _CURVE * (rows - sum(panel.form != "xy" for panel in shown) // columns)
    figure_width = WIDTH * (1.0, 1.4, 1.9)[columns - 1]
    tracks_height = _TRACKS * bool(flown)
    if style == "paper":
        figure_width = COLUMN if columns == 1 else PAGE
        height, tracks_height = height * _FLAT, tracks_height * figure_width / WIDTH
    figure = canvas.new((figure_width, height + tracks_height), show)
    place = _with_tracks(figure, flown, tracks_height, height) if flown else figure
    timed = sum(panel.form != "xy" for panel in shown)
    all_axes = _grid_of_axes(figure, place, len(shown), columns, timed)
    start, stop = _span(shown)
    width = (figure.get_figwidth() / columns - 0.8) / (PRINTED if style == "paper" else 1.0)
    for axes, panel in zip(all_axes, shown):
        if panel.form == "xy":
            draw_panel(axes, panel, width=width)
        else:
            draw(axes, panel, stop=stop, width=width)
    figure.align_ylabels(all_axes)
    if timed:
        all_axes[0].set_xlim(start, stop if stop > start else start + 1.0)
        marked = [event for event in result.events if start <= event.time <= stop]
        mark_events(figure, all_axes[:timed], marked if events and compare is None else [])
    few = f"{len(shown)} of {len(chosen)} signals" if len(shown) < len(chosen) else ""
    _title(figure, result, few)
    return canvas.finished(figure, file, show, style)


@checked(bad_argument)
def plot_xy(
    result: Result, x: str, y: str, *, compare: Any = None,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """The work of `Result.plot_xy`."""
    panel = curves(result, x, y, compare)
    figure = canvas.new((4.6, 4.2) if style == "screen" else (COLUMN, 3.0), show)
    axes = figure.add_subplot()
    quiet(axes)
    draw_panel(axes, panel, width=figure.get_figwidth() - 0.8)
    _title(figure, result, "")
    return canvas.finished(figure, file, show, style)


def _with_tracks(figure: Figure, flown: Sequence[Track], above: float, height: float) -> SubplotSpec:
    """Draw tracks in the upper part of the figure; the part below them, of that height, for the others."""
    grid = figure.add_gridspec(2, 1, height_ratios=(above, height))
    halves = grid[0].subgridspec(1, 2)
    pair = [figure.add_subplot(halves[i]) for i in range(2)]
    for axes in pair:
        quiet(axes)
    draw_tracks(pair[0], pair[1], flown, width=figure.get_figwidth() / 2 - 0.8)
    return grid[1]


def _grid_of_axes(
    figure: Figure, place: Figure | SubplotSpec, count: int, columns: int, timed: int
) -> list[Axes]:
    """Axes filled row by row, the first `timed` of them on one time axis: its label is below the lowest."""
    engine = figure.get_layout_engine()
    if columns > 1 and isinstance(engine, ConstrainedLayoutEngine):
        engine.set(w_pad=0.12)
    if not count:
        return []
    rows = -(-count // columns)
    divide = place.add_gridspec if isinstance(place, Figure) else place.subgridspec
    grid = divide(
        rows, columns, height_ratios=[1.0 if (row + 1) * columns <= timed else 1.9 for row in range(rows)]
    )
    all_axes: list[Axes] = []
    for number in range(count):
        first = all_axes[0] if all_axes and number < timed else None
        axes = figure.add_subplot(grid[divmod(number, columns)], sharex=first)
        quiet(axes)
        if number + columns < timed:
            axes.tick_params(labelbottom=False)
        elif number < timed:
            axes.set_xlabel("time (s)", fontsize=TEXT)
            axes.xaxis.set_in_layout(number // columns == (timed - 1) // columns)
        all_axes.append(axes)
    return all_axes


def _span(shown: Sequence[Panel]) -> tuple[float, float]:
    times = [trace.time for panel in shown for trace in panel.traces if trace.samples]
    return (min(float(t[0]) for t in times), max(float(t[-1]) for t in times)) if times else (0.0, 1.0)


def _title(figure: Figure, result: Result, note: str) -> None:
    """A title only where the reader must be told something: the run is not whole, or not all is shown."""
    notes = [note] if note else []
    if not result.complete:
        notes.insert(0, f"incomplete: {result.provenance.cut_short}")
    if notes:
        name = result.provenance.diagram or "run"
        title = textwrap.fill(
            f"{name} ({'; '.join(notes)})", int(figure.get_figwidth() * 72.0 / (TEXT * 0.55))
        )
        figure.suptitle(title, fontsize=TEXT, x=0.01, ha="left", parse_math=False)
