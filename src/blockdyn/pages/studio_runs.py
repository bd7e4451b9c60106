"""The studio runs its diagram for each browser, in the form that a page takes."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from ..base.errors import BlockdynError
from .finished.scopes import declared_scopes
from .live.host import Host
from .live.moment import thinned
from .live.run import LiveRun
from .serving import Send
from .studio_scene import Message, Reading, describe_error

if TYPE_CHECKING:
    from ..diagrams.compiler.program import Program
    from ..diagrams.results.result import Result
    from ..diagrams.results.trace import Trace
    from ..solvers.layout import Floats

LONGEST_RUN = 20.0  # s of wall-clock time
SAMPLES, NUMBERS = 1500, 120_000  # of a signal, and of all signals together, that a page gets
SMALLEST = 1e-290  # whose digits are counted: powers of ten end at 1e308
QUICK_SAMPLES, QUICK_NUMBERS = 500, 30_000  # the same of a run that follows a change


class LiveSession:
    """A live run for one browser by the host of the live page, whose messages are in messages `live`."""

    def __init__(self, program: Program, stop: float | None, send: Send) -> None:
        arguments: dict[str, Any] = {} if stop is None else {"stop": stop}
        self._host = Host(LiveRun(program, **arguments))

        def wrapped(message: Message | bytes) -> None:
            send(message if isinstance(message, bytes) else {"type": "live", "message": message})

        self._viewer = self._host.join(wrapped)
        self._host.live.playing = True

    @property
    def going(self) -> bool:
        """True if time passes for the run."""
        return self._host.going and not self._host.ended

    def heard(self, message: Any) -> None:
        """Handle a message of the page."""
        self._host.heard(self._viewer, message)
        self._host.tick(0.0)
        if self._host.ended:
            self._host.farewell("the live run has ended")

    def tick(self, seconds: float) -> None:
        """Let wall-clock time pass."""
        self._host.tick(seconds)

    def end(self) -> None:
        """The page is closed."""
        self._host.leave(self._viewer)


class Browser:
    """A browser that shows the diagram, or the subsystem at the path `level`.

    `asked` is the number of the message that is being answered, None in between.
    """

    def __init__(self, send: Send) -> None:
        self.send, self.level = send, ""
        self.asked: int | None = None
        self.live: LiveSession | None = None

    def answer(self, message: Message) -> None:
        """Send what answers its message."""
        self.send(message if self.asked is None else {**message, "answers": self.asked})


def run_reading(reading: Reading, version: int, stop: float | None, *, quick: bool = False) -> Message:
    """Run a diagram, and the answer for the page; of a failed run the samples so far."""
    begin = clock.perf_counter()
    if reading.program is None:
        errors = [describe_error(error) for error in reading.errors]
        message = errors[0]["message"] if errors else "the diagram has errors"
        return _result(version, None, message, errors, begin, quick=quick)
    errors, result, message = [], None, ""
    try:
        arguments: dict[str, Any] = {} if stop is None else {"stop": stop}
        result = reading.program.simulate(max_time=LONGEST_RUN, **arguments)
    except BlockdynError as error:
        result, message = getattr(error, "partial", None), str(error)
        errors = [describe_error(each) for each in error.errors]
    return _result(version, result, message, errors, begin, quick=quick)


def _result(
    version: int, result: Result | None, message: str, errors: list[Message], begin: float, *, quick: bool
) -> Message:
    times, signals = ({}, []) if result is None else samples_of(result, quick=quick)
    events = [] if result is None else result.events[:SAMPLES]
    return {
        "type": "result", "version": version, "complete": result is not None and result.complete,
        "message": message or ("" if result is None else result.provenance.message), "errors": errors,
        "time": times, "signals": signals, "scopes": [] if result is None else scopes_of(result),
        "events": [
            {"time": event.time, "path": event.path, "kind": event.kind, "detail": event.detail}
            for event in events
        ],
        "seconds": clock.perf_counter() - begin,
    }  # fmt: skip


class _Lines:
    """Takes the place of the lines of a finished page: the path of each, and its name in a scope."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self._paths: dict[str, list[str]] = {}

    def add(self, trace: Trace, element: int, name: str, _unit: str) -> int:
        """The number of the line of one element of a trace."""
        if trace.path not in self._paths:
            self._paths[trace.path] = [path for path, _ in _elements(trace)]
        self.lines.append((self._paths[trace.path][element], name))
        return len(self.lines) - 1


def scopes_of(result: Result) -> list[Message]:
    """The scopes that the diagram declares: title, form, and path and name of each line."""
    lines: Any = _Lines()
    return [
        {"title": scope["title"], "form": scope["form"], "lines": [lines.lines[k] for k in scope["lines"]]}
        for scope in declared_scopes(result, lines)
    ]


def samples_of(result: Result, *, quick: bool = False) -> tuple[dict[str, list[float]], list[Message]]:
    """Axes of time by name, and every element of every signal with the name of its axis.

    Signals with many samples are thinned to the least and the greatest of each pixel.
    """
    import numpy as np

    groups: dict[tuple[int, float, float], list[Any]] = {}
    for trace in result.signals.values():
        if len(trace.time):
            key = (len(trace.time), float(trace.time[0]), float(trace.time[-1]))
            groups.setdefault(key, []).append(trace)
    lines = sum(math.prod(t.values.shape[1:]) for traces in groups.values() for t in traces)
    samples, numbers = (QUICK_SAMPLES, QUICK_NUMBERS) if quick else (SAMPLES, NUMBERS)
    most = max(100, min(samples, numbers // max(lines, 1)))
    times: dict[str, list[float]] = {}
    signals: list[Message] = []
    for traces in groups.values():
        same = [[traces[0]]]
        for trace in traces[1:]:
            group = next((g for g in same if np.array_equal(g[0].time, trace.time)), None)
            same.append([trace]) if group is None else group.append(trace)
        for group in same:
            axis = group[0].path
            rows = np.concatenate([t.values.reshape(len(t.time), -1).T for t in group])
            span = float(group[0].time[-1] - group[0].time[0])
            few, values = group[0].time, rows
            if len(few) > most:
                few, values = thinned(few, rows, span / (most // 2 - 1))
            times[axis] = few.tolist()
            names = [(t, *each) for t in group for each in _elements(t)]
            for (trace, path, unit), row in zip(names, _numbers(values), strict=True):
                signals.append({"path": path, "unit": unit, "kind": trace.kind, "time": axis, "values": row})
    order = {path: i for i, path in enumerate(result.signals)}
    signals.sort(key=lambda signal: order.get(signal["path"].partition("[")[0], 0))
    return times, signals


def _elements(trace: Any) -> list[tuple[str, str]]:
    """Path and unit of every element of a signal."""
    import numpy as np

    shape = trace.values.shape[1:]
    if not shape:
        return [(trace.path, trace.unit)]
    number = math.prod(shape)
    units = [unit.strip() for unit in trace.unit.split(",")]
    units = units if len(units) == number else [trace.unit] * number
    labels = trace.labels if len(trace.labels) == number else [
        ",".join(map(str, index)) for index in np.ndindex(*shape)
    ]  # fmt: skip
    return [(f"{trace.path}[{label}]", unit) for label, unit in zip(labels, units, strict=True)]


def _numbers(rows: Floats) -> list[list[float | None]]:
    """Numbers with seven digits; None for those that JSON lacks."""
    import numpy as np

    finite = np.isfinite(rows)
    sizes = np.abs(np.where(finite, rows, 0.0))
    scale = 10.0 ** (6.0 - np.floor(np.log10(np.where(sizes > SMALLEST, sizes, 1.0))))
    with np.errstate(invalid="ignore"):
        rounded = np.round(rows * scale) / scale
    numbers: list[list[float | None]] = np.where(finite, rounded, np.array(None)).tolist()
    return numbers


def work_on(tasks: SimpleQueue[Callable[[], None]]) -> None:
    """Do the work that is put into a queue, one after the other."""
    while True:
        tasks.get()()
