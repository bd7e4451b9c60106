"""Figures of a result show signals of one or several runs over time, or against each other."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from ...base.checked import checked
from ...diagrams.results.errors import ResultError, UnknownSignal, bad_argument
from ...diagrams.results.provenance import EventRecord
from ...diagrams.results.smooth import FINE, smooth_curves
from ...diagrams.results.trace import FloatArray, Trace
from .. import canvas
from ..style import COLUMN, GREY, PAGE, PRINTED, SMALL, TEXT, WIDTH, Style, letter, quiet
from .flights import Track, draw_tracks, flight_panels, tracks
from .panel import Panel, draw, draw_curve_panel, panels

if TYPE_CHECKING:
    from ...diagrams.results.result import Result

_MOST_PANELS = 32
_TRACKS = 3.0  # inches: the height of tracks
_CURVE = 1.6  # additional inches of a row with curves
_FLAT = 0.8  # of the height, for a paper
_MOST_LINES = 20
_MOST_TICKS = 400
_HIDDEN = 0.003  # of the axes' width, where the vertical axis covers a line
_EDGES = ((0.965, 1.0), (0.0, 0.035))  # shares of the height, for ticks
_DASHES = {
    "zero crossing": (0, (5, 3)),
    "time": (0, (1, 2)),
    "stop": (0, (7, 2, 1, 2)),
    "reset": (0, (3, 3)),
    "mode": (0, (9, 3)),
    "sample": (0, (1, 4)),
}
_COLORS = {"zero crossing": "#8E6BB0", "time": "#404040", "touch": "#0A7D54"}
_OTHER = (0, (7, 2, 1, 2, 1, 2))


def _bad_argument(name: str, actual: str, expected: str) -> ResultError:
    """The error of an argument of `plot`; for a run as an argument, with an example of `compare`."""
    return bad_argument(name, actual, f"{expected}; {_EXAMPLE}" if name in ("paths", "compare") else expected)


@checked(_bad_argument)
def plot(
    result: Result,
    paths: str | Sequence[str | Sequence[str]] | None = None, *,
    compare: Mapping[str, Result] | None = None, events: bool = True,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Plot signals over time: the `paths`, else flights and Scopes, else every logged signal.
    Paths in a nested list share one axes: `plot([["reference", "speed"], "torque"])`.

    The curves of XYScopes, one signal over another, come last.

    Flying vehicles: tracks from above and from the side, with the reference if a controller reads
    one; attitudes as roll, pitch, yaw; rotor speeds without signs. One axes for each path or Scope;
    names in legends, units in brackets. Discrete signals are steps; a jump between the two limits at an
    event is a vertical line; events are marked; a line has a gap where an angle wraps between two
    instants. Noise is a band with its mean, more than 28 elements of a signal are an image, or one colour per
    column. Continuous signals are drawn from the dense output if available. The title marks a run that
    did not reach its end. Of more than 32 axes the first 32 are drawn, which the title mentions.

    compare other runs by name, with lines in the same axes: {"kp = 2": other}. The result itself
            may be among them to get a name. Without `paths` the Scopes over time are drawn; events are not
            marked
    events  False: instants of events are not marked
    file    also write it there (.png at 200 dpi, .pdf, .svg), completely or not at all
    show    open a window; None: only if matplotlib is interactive (`plt.ion()`) and has a display
    style   "paper": as wide as a column of a two-column paper, or as its page for more than
            six axes, in letters of 8 pt

    Returns the matplotlib Figure. Raises UnknownSignal, ResultError if nothing was logged,
    ResultFileError if the file cannot be written.
    """
    fine = smooth_curves(result)
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
            draw_curve_panel(axes, panel, width=width)
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
    result: Result,
    x: str, y: str, *, compare: Mapping[str, Result | tuple[str, str]] | None = None,
    file: str | PathLike[str] | None = None, show: bool | None = None, style: Style = "screen",
) -> Figure:  # fmt: skip
    """Plot the scalar signal `y` against the scalar signal `x`, from a ring (start) to a dot (end).

    Equal units get equal scales. If an angle wraps, for example from pi to -pi, the line has a gap. Signals
    with different sample times are drawn at the instants of both, with values between samples as in
    `Trace.at`. A rate against its coordinate is a phase portrait. `file`, `show`, `style` and errors are
    as for `plot`.

    compare other curves by name in the same axes: the same signals of another run,
            {"kp = 2": other}, or two signals of this one, {"reference": ("path.x", "path.y")}
    """
    panel = curves(result, x, y, compare)
    figure = canvas.new((4.6, 4.2) if style == "screen" else (COLUMN, 3.0), show)
    axes = figure.add_subplot()
    quiet(axes)
    draw_curve_panel(axes, panel, width=figure.get_figwidth() - 0.8)
    _title(figure, result, "")
    return canvas.finished(figure, file, show, style)


def _with_tracks(figure: Figure, flown: Sequence[Track], above: float, height: float) -> SubplotSpec:
    """Draw tracks in the upper part of the figure; return the lower part, of this height, for others."""
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
    """Axes row by row; the first `timed` of them share a time axis with its label below the lowest."""
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
    """Write a title only if it is necessary: the run is incomplete, or not all signals are shown."""
    notes = [note] if note else []
    if not result.complete:
        notes.insert(0, f"incomplete: {result.provenance.cut_short}")
    if notes:
        name = result.provenance.diagram or "run"
        title = textwrap.fill(
            f"{name} ({'; '.join(notes)})", int(figure.get_figwidth() * 72.0 / (TEXT * 0.55))
        )
        figure.suptitle(title, fontsize=TEXT, x=0.01, ha="left", parse_math=False)


_EXAMPLE = 'other runs by name, such as compare={"kp = 2": other}'
_CURVES = 'other runs, or pairs of signals, by name: compare={"kp = 2": other, "reference": ("x", "y")}'
_THIS = "this run"


def check_runs(compare: object) -> None:
    """Raise ResultError for values that are not mappings from names to results."""
    from ...diagrams.results.result import Result

    right = isinstance(compare, Mapping) and all(
        isinstance(name, str) and isinstance(one, Result) for name, one in compare.items()
    )
    if not right:
        raise bad_argument("compare", f"found {compare!r:.80}", _EXAMPLE)


def with_runs(
    result: Result, panels: Sequence[Panel], compare: Mapping[str, Result], *, of_scopes: bool
) -> list[Panel]:
    """Panels with the lines of other runs after the result's lines, which may have a name.

    A panel of one signal has its path as title, and lines named by runs; for several signals, by both.
    Raises ResultError for a signal that a run does not have.
    """
    this = next((name for name, one in compare.items() if one is result), "")
    others = {_label_run(name, one): smooth_curves(one) for name, one in compare.items() if one is not result}
    stops = [float(run.time[-1]) if run.time.size else 0.0 for run in (result, *others.values())]
    together = [_panel(panel, this, others, of_scopes) for panel in panels if panel.form == "time"]
    return [
        replace(panel, stops=tuple(np.repeat(stops, len(panel.traces) // len(stops)).tolist()))
        for panel in together
    ]


def _label_run(name: str, run: Result) -> str:
    return name if run.complete else f"{name} (incomplete)"


def _panel(panel: Panel, this: str, others: Mapping[str, Result], of_scopes: bool) -> Panel:
    traces, labels = panel.traces, panel.names or tuple(trace.path for trace in panel.traces)
    if len(traces) == 1:
        names = [this or _THIS, *others]
        title = panel.title if of_scopes else traces[0].path
    else:
        names = [f"{label}, {this}" if this else label for label in labels]
        names += [f"{label}, {run}" for run in others for label in labels]
        title = panel.title
    lines = [_trace(run, trace.path, name) for name, run in others.items() for trace in traces]
    units = panel.unit.split(",")
    several = len(units) == len(traces) > 1 and all(trace.unit != panel.unit for trace in traces)
    unit = ",".join(units * (1 + len(others))) if several else panel.unit
    return replace(panel, traces=(*traces, *lines), names=tuple(names), title=title, unit=unit)


def _trace(run: Result, path: str, name: str) -> Trace:
    try:
        return run.trace(path)
    except UnknownSignal as error:
        raise ResultError(f"compare {name!r}: {error}") from None


def curves(result: Result, x: str, y: str, compare: object) -> Panel:
    """The curve of y over x, and others by name: of other runs, or of two other signals of this one.

    Raises ResultError for other values, and for signals that are not scalars.
    """
    from ...diagrams.results.result import Result

    pairs = {_THIS: _pair(result, x, y)}
    if compare is not None and not isinstance(compare, Mapping):
        raise bad_argument("compare", f"found {compare!r:.80}", _CURVES)
    for name, other in (compare or {}).items():
        if isinstance(other, Result):
            pairs |= {name: _pair(other, x, y)} if other is not result else {}
        elif isinstance(other, (tuple, list)) and len(other) == 2:
            pairs[name] = _pair(result, *other)
        else:
            raise bad_argument("compare", f"found {name!r}: {other!r:.80}", _CURVES)
    this = next((name for name, other in (compare or {}).items() if other is result), _THIS)
    traces = [[pair[i] for pair in pairs.values()] for i in (0, 1)]
    axes = [trace.path for trace in pairs[_THIS]]
    names = (this, *list(pairs)[1:]) if compare else ()
    unit = ",".join(trace.unit for trace in pairs[_THIS])
    return Panel((*traces[0], *traces[1]), "", (*axes, *names), unit, "xy")


def _pair(result: Result, x: str, y: str) -> tuple[Trace, Trace]:
    fine = smooth_curves(result, FINE)
    pair = fine.trace(x), fine.trace(y)
    for trace in pair:
        if trace.shape:
            raise ResultError(
                f"plot_xy: {trace.path} has shape {trace.shape};"
                f" name one element, for example {trace.names[0]!r}"
            )
        if not trace.samples:
            raise ResultError(f"plot_xy: {trace.path} has no samples")
    return pair


def mark_events(figure: Figure, all_axes: Sequence[Axes], events: Sequence[EventRecord]) -> None:
    """Mark the instants of every kind of event in all axes, and name the kinds below the figure.

    Each kind has the same style in every figure. Zero crossings are violet. Time events are dark grey;
    many of them are ticks on the lower edge. Lines that the vertical axis would hide are omitted.
    """
    handles = [Line2D([], [], linestyle="none")]
    left, right = all_axes[0].get_xlim()
    kinds = []
    for kind in sorted({event.kind for event in events}):
        times = np.unique([event.time for event in events if event.kind == kind])
        many = times.size > _MOST_LINES
        if not many:
            times = times[times - left > _HIDDEN * (right - left)]
        if not times.size:
            continue
        kinds.append(kind)
        style = {"linestyle": "-", "linewidth": 0.6} if many else _line_style(kind)
        style["color"] = _COLORS.get(kind, GREY)
        for axes in all_axes:
            bottom, top = _EDGES[kind == "time"] if many else (0.0, 1.0)
            _uprights(axes, _spread(times) if many else times, bottom, top, style)
        handles.append(_handle(many, style))
    if kinds:
        legend = figure.legend(
            handles,
            ["name"] * len(handles),
            loc="outside lower right",
            ncols=len(handles),
            fontsize=SMALL,
            labelcolor="#505050",
            frameon=False,
            handlelength=1.8,
            columnspacing=1.2,
            borderpad=0.0,
            borderaxespad=0.4,
        )
        letter(legend, ["events:", *kinds])


def _line_style(kind: str) -> dict[str, Any]:
    return {"linestyle": _DASHES.get(kind, _OTHER), "linewidth": 0.7}


def _uprights(axes: Axes, times: FloatArray, bottom: float, top: float, style: dict[str, Any]) -> None:
    across = axes.get_xaxis_transform()
    axes.vlines(times, bottom, top, transform=across, zorder=1.5, label="_event", **style)


def _spread(times: FloatArray) -> FloatArray:
    """One instant in each of 400 spans: more ticks would only blacken the edge."""
    if times.size <= _MOST_TICKS:
        return times
    edges = np.linspace(times[0], times[-1], _MOST_TICKS + 1)[:-1]
    return times[np.unique(np.searchsorted(times, edges))]


def _handle(many: bool, style: dict[str, Any]) -> Line2D:
    if many:
        return Line2D([], [], color=style["color"], linestyle="none", marker="|", markersize=5.0)
    return Line2D([], [], **style)
