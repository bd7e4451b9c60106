"""Beside: the same signals of several runs in one axes, each run by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .errors import ResultError, UnknownSignal, bad_argument
from .panel import Panel
from .smooth import smoothed
from .trace import Trace

if TYPE_CHECKING:
    from .result import Result

_EXAMPLE = 'other runs by name, such as beside={"kp = 2": other}'
_THIS = "this run"


def refuse_results(paths: object) -> None:
    """Raise ResultError for a run in the place of paths."""
    from .result import Result

    if isinstance(paths, Result):
        raise bad_argument("paths", "found a Result", f"text, or a list of text; {_EXAMPLE}")


def check_beside(beside: object) -> None:
    """Raise ResultError for what is no mapping from names to results."""
    from .result import Result

    right = isinstance(beside, Mapping) and all(
        isinstance(name, str) and isinstance(one, Result) for name, one in beside.items()
    )
    if not right:
        raise bad_argument("beside", f"found {beside!r:.80}", _EXAMPLE)


def with_runs(
    result: Result, panels: Sequence[Panel], beside: Mapping[str, Result], *, of_scopes: bool
) -> list[Panel]:
    """Panels with the lines of other runs behind those of the result, which may have a name among them.

    A panel of one signal has its path as a title, and lines by the names of runs; of several, by both.
    Raises ResultError for a signal that a run does not have.
    """
    this = next((name for name, one in beside.items() if one is result), "")
    others = {_shown(name, one): smoothed(one) for name, one in beside.items() if one is not result}
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
        raise ResultError(f"beside {name!r}: {error}") from None
