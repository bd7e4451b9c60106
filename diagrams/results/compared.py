"""Compared: signals of several runs in one axes, and curves of one or several runs, each by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ResultError, UnknownSignal, bad_argument
from .panel import Panel
from .smooth import FINE, smoothed
from .trace import Trace

if TYPE_CHECKING:
    from .result import Result

_EXAMPLE = 'other runs by name, such as compare={"kp = 2": other}'
_CURVES = 'other runs, or pairs of signals, by name: compare={"kp = 2": other, "reference": ("x", "y")}'
_THIS = "this run"


def refuse_results(paths: object) -> None:
    """Raise ResultError for a run in the place of paths."""
    from .result import Result

    if isinstance(paths, Result):
        raise bad_argument("paths", "found a Result", f"text, or a list of text; {_EXAMPLE}")


def check_runs(compare: object) -> None:
    """Raise ResultError for what is no mapping from names to results."""
    from .result import Result

    right = isinstance(compare, Mapping) and all(
        isinstance(name, str) and isinstance(one, Result) for name, one in compare.items()
    )
    if not right:
        raise bad_argument("compare", f"found {compare!r:.80}", _EXAMPLE)


def with_runs(
    result: Result, panels: Sequence[Panel], compare: Mapping[str, Result], *, of_scopes: bool
) -> list[Panel]:
    """Panels with the lines of other runs behind those of the result, which may have a name among them.

    A panel of one signal has its path as a title, and lines by the names of runs; of several, by both.
    Raises ResultError for a signal that a run does not have.
    """
    this = next((name for name, one in compare.items() if one is result), "")
    others = {_shown(name, one): smoothed(one) for name, one in compare.items() if one is not result}
    stops = [float(run.time[-1]) if run.time.size else 0.0 for run in (result, *others.values())]
    together = [_panel(panel, this, others, of_scopes) for panel in panels if panel.form == "time"]
    return [
        replace(panel, stops=tuple(np.repeat(stops, len(panel.traces) // len(stops)).tolist()))
        for panel in together
    ]


def _shown(name: str, run: Result) -> str:
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


def curves(result: Result, x: str, y: str, compare: Any) -> Panel:
    """The curve of y over x, and others by name: those of other runs, or of two other signals of this one.

    Raises ResultError for what is neither, and for signals that are not scalars.
    """
    from .result import Result

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
    fine = smoothed(result, FINE)
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
