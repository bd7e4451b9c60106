"""A panel is one axes of a figure: its lines over time, or one signal over another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ...diagrams.results.lines import break_line, thin_line, wraps
from ...diagrams.results.provenance import ScopeFigure
from ...diagrams.results.trace import FloatArray, Trace, merged_time
from ..style import COLORS, SMALL, TEXT, legend_above, line_styles, with_unit
from .dense import band, draw_band, draw_crowd, faint, in_window, is_dense, key_of_bands

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Form
    from ...diagrams.results.result import Result

_MOST_NAMES = 12
_MOST_PATHS = 6
_ROUNDING = {"rad": 1e-9, "deg": 1e-7}  # a thousandth of the accuracy of an angle in a run
_MOST_WRAPS = 15  # wraps of an angle that is drawn as an ordinary line
_Entry: TypeAlias = "tuple[str, str, Trace, FloatArray]"


@dataclass(frozen=True)
class Panel:
    """Traces that share an axes. `names` has one entry per trace, or is empty to use the paths.

    `unit` is one unit for all traces, or one for each, separated by commas; empty to use the traces' units.
    With the form "xy", traces are ordered as in a ScopeFigure. `stops` are the end times of the run of each
    trace, for several runs.
    """

    traces: tuple[Trace, ...]
    title: str = ""
    names: tuple[str, ...] = ()
    unit: str = ""
    form: Form = "time"
    stops: tuple[float, ...] = ()


def panels(result: Result, paths: str | Sequence[str | Sequence[str]] | None) -> list[Panel]:
    """The panels to draw: the named signals, signals of a list in one panel, else the Scopes, else, without
    flying vehicles, every logged signal in its own panel.
    """
    if isinstance(paths, str):
        paths = [paths]
    scopes = [scope for scope in result.scopes if scope.form in ("time", "xy")]
    if paths is None and (scopes or result.flights):
        return [_of_scope(result, scope) for scope in scopes]
    together = [[each] if isinstance(each, str) else each for each in (paths or result.signals)]
    return [Panel(tuple(map(result.trace, each))) for each in together]


def draw(axes: Axes, panel: Panel, *, stop: float, width: float) -> None:
    """Draw the panel's lines, its legend, title and vertical label; `width` of the axes in inches.

    A signal with too many elements for lines is an image or bands, one that oscillates too fast for a
    line is a band with its mean; in a window, which can be enlarged, it is a pale line with its mean.
    """
    if len(panel.traces) == 1 and is_dense(panel.traces[0], stop):
        draw_crowd(axes, panel.traces[0], stop=stop, width=width)
        return
    panel, entries = _short(panel, _entries(panel))
    units = list(dict.fromkeys(unit for _, unit, *_ in entries))
    shared = units[0] if len(units) == 1 else ""
    styles = line_styles()
    handles: list[Any] = []
    names: list[str] = []
    height = _height([values for *_, values in entries])
    banded, closer = False, in_window(axes)
    stops = dict(zip(map(id, panel.traces), panel.stops))
    for name, unit, trace, values in entries:
        names.append(with_unit(name, "" if shared else unit))
        style, end = next(styles), stops.get(id(trace), stop)
        noise = band(trace.time, values, trace.kind == "discrete", width)
        if noise is not None and noise.hides(height) and not wraps(values, unit).size:
            handles.append(draw_band(axes, names[-1], noise, style, len(entries), filled=not closer))
            banded = True
            if closer:
                pale = style | {"alpha": faint(len(entries)), "zorder": 1.8}
                _line(axes, "_samples", trace, values, unit, end, pale)
        else:
            handles.append(_line(axes, names[-1], trace, values, unit, end, style))
    if len(handles) > _MOST_NAMES:
        names[_MOST_NAMES - 1 :] = [f"and {len(handles) - _MOST_NAMES + 1} more"]
        handles[_MOST_NAMES - 1 :] = [Line2D([], [], linestyle="none")]
    if banded:
        key, said = key_of_bands()
        handles, names = [*handles, key], [*names, said]
    rows = legend_above(axes, handles, names, width=width)
    if panel.title:
        pad = 10.5 * rows + 4.0
        axes.set_title(panel.title, fontsize=TEXT, fontweight="bold", loc="left", pad=pad, parse_math=False)
    if shared:
        axes.set_ylabel(with_unit("", shared), fontsize=TEXT, parse_math=False)
    _room_for_constants(axes, [values for *_, values in entries], _ROUNDING.get(shared, 0.0))


def _of_scope(result: Result, scope: ScopeFigure) -> Panel:
    traces = tuple(result.trace(path) for path in scope.traces)
    return Panel(traces, scope.title or scope.path, scope.labels, scope.unit, scope.form)


def _short(panel: Panel, entries: list[_Entry]) -> tuple[Panel, list[_Entry]]:
    """Many elements of one signal have their path once, in the title, and their names in the legend."""
    trace = panel.traces[0]
    if panel.title or panel.names or len(panel.traces) > 1 or trace.size <= _MOST_PATHS:
        return panel, entries
    named = [(entry[0][len(trace.path) + 1 : -1], *entry[1:]) for entry in entries]
    return replace(panel, title=trace.path), named


def _entries(panel: Panel) -> list[_Entry]:
    """Name, unit, trace and values (n,) of every line."""
    entries = []
    units = _given_units(panel)
    for number, trace in enumerate(panel.traces):
        names: tuple[str, ...] = trace.names
        if panel.names:
            called = panel.names[number]
            names = tuple(called + name[len(trace.path) :] for name in names)
        entries += [
            (name, units[number] or unit, trace, trace.flat[:, i])
            for i, (name, unit) in enumerate(zip(names, trace.units))
        ]
    return entries


def _given_units(panel: Panel) -> tuple[str, ...]:
    """For each trace its unit in the panel, empty to use the units of the trace."""
    count = len(panel.traces)
    if "," not in panel.unit:
        return (panel.unit,) * count
    units = tuple(unit.strip() for unit in panel.unit.split(","))
    agreed = any(trace.unit == panel.unit for trace in panel.traces)
    return ("",) * count if agreed or len(units) != count else units


def _line(
    axes: Axes, label: str, trace: Trace, values: FloatArray, unit: str, stop: float, style: dict[str, Any]
) -> Line2D:
    time = trace.time
    discrete = trace.kind == "discrete"
    if discrete and time.size and time[-1] < stop:
        time, values = np.append(time, stop), np.append(values, values[-1])
    if not discrete:
        gaps = wraps(values, unit)
        gaps = gaps[time[gaps] > time[gaps - 1]]  # at an event both limits exist, and are joined
        values, time = (*break_line(gaps, values), np.insert(time, gaps, time[gaps]))
    time, values = thin_line(time, values)
    drawstyle = "steps-post" if discrete else "default"
    (line,) = axes.plot(time, values, label=label, linewidth=1.2, drawstyle=drawstyle, **style)
    if not discrete and gaps.size > _MOST_WRAPS:  # below the others, which it would cover
        line.set(linewidth=0.5, zorder=1.9)
    return line


def _height(lines: list[FloatArray]) -> float:
    """The range from the lowest to the highest of all values."""
    finite = np.concatenate([line[np.isfinite(line)] for line in lines])
    return float(np.ptp(finite)) if finite.size else 0.0


def _room_for_constants(axes: Axes, lines: list[FloatArray], rounding: float) -> None:
    """Prevent rounding noise on a constant from filling the axes; values below `rounding` are 0."""
    finite = [line[np.isfinite(line)] for line in lines]
    lowest = min((float(line.min()) for line in finite if line.size), default=0.0)
    highest = max((float(line.max()) for line in finite if line.size), default=0.0)
    scale = max(abs(lowest), abs(highest))
    if highest - lowest <= 1e-9 * scale or scale <= rounding:
        room = 1.0 if scale <= rounding else 0.5 * scale
        axes.set_ylim(lowest - room, highest + room)


def draw_curve_panel(axes: Axes, panel: Panel, *, width: float) -> None:
    """Draw the curves of an XYScope, the second half of its traces over the first; `width` in inches."""
    count = len(panel.traces) // 2
    units = [unit.strip() for unit in panel.unit.split(",")]
    labels, names = panel.names[:2], list(panel.names[2:])
    lines = draw_curves(axes, panel.traces[:count], panel.traces[count:], labels, units)
    pad = None
    if names:
        ends = [line for line in axes.lines if line.get_label() in ("start", "end")]
        names += [str(line.get_label()) for line in ends]
        rows = legend_above(axes, [*lines, *ends], names, width=width)
        pad = 10.5 * rows + 4.0
    if panel.title:
        axes.set_title(panel.title, fontsize=TEXT, fontweight="bold", loc="left", pad=pad, parse_math=False)


def draw_curves(
    axes: Axes, xs: Sequence[Trace], ys: Sequence[Trace], labels: Sequence[str], units: Sequence[str]
) -> list[Line2D]:
    """Draw each y over its x. Equal units get equal scales; a line has a gap where an angle wraps."""
    axes.margins(0.06)
    lines = []
    for number, (x, y) in enumerate(zip(xs, ys)):
        color = COLORS[number % len(COLORS)]
        horizontal, vertical = _sampled_together(x, y)
        gaps = np.union1d(wraps(horizontal, units[0]), wraps(vertical, units[1]))
        lines += axes.plot(*break_line(gaps, horizontal, vertical), color=color, linewidth=1.2, zorder=2)
        ends = COLORS[1] if len(xs) == 1 else color
        for at, name, face in ((0, "start", "white"), (-1, "end", ends)) if horizontal.size else ():
            dot: dict[str, Any] = {
                "marker": "o", "markersize": 5.0, "markeredgecolor": ends, "linestyle": "none",
                "label": name if number == 0 else f"_{name}",
            }  # fmt: skip
            axes.plot([horizontal[at]], [vertical[at]], markerfacecolor=face, zorder=3, **dot)
    axes.legend(fontsize=SMALL, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    put_label: tuple[Callable[..., Any], ...] = (axes.set_xlabel, axes.set_ylabel)
    for put, label, unit in zip(put_label, labels, units):
        put(with_unit(label, unit), fontsize=TEXT, parse_math=False)
    if units[0] and units[0] == units[1]:
        axes.set_aspect("equal", adjustable="datalim")
    return lines


def _sampled_together(x: Trace, y: Trace) -> tuple[FloatArray, FloatArray]:
    if x.samples == y.samples and np.array_equal(x.time, y.time):
        return x.values, y.values
    times = np.unique(merged_time([x.time, y.time]))
    return x.at(times, "interpolate"), y.at(times, "interpolate")
