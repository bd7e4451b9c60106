"""A record holds a result except its numbers, as one JSON text in every file format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from .provenance import EventRecord, FlightFigure, Provenance, ScopeFigure
from .result import Result
from .trace import FloatArray, Kind, Trace

FORMAT = "blockdyn-result"
VERSION = 1


@dataclass(frozen=True)
class Heading:
    """A trace without its samples."""

    path: str
    shape: tuple[int, ...]
    unit: str
    labels: tuple[str, ...]
    kind: Kind
    samples: int

    def trace(self, time: FloatArray, flat: FloatArray) -> Trace:
        """The trace with these samples: times (n,), values (n, size). ValueError if n is not `samples`."""
        if len(time) != self.samples:
            raise ValueError(f"{self.path} has {len(time)} samples of {self.samples}")
        return self.filled(time, flat)

    def filled(self, time: FloatArray, flat: FloatArray) -> Trace:
        """The trace with these samples, of any number."""
        return Trace(self.path, time, flat.reshape(len(time), *self.shape), self.unit, self.labels, self.kind)

    def recorded(self, time: FloatArray, flat: FloatArray) -> Trace:
        """The trace of a run's log, which needs no checks: see `Trace.recorded`."""
        values = flat.reshape(len(time), *self.shape)
        return Trace._recorded(self.path, time, values, self.unit, self.labels, self.kind)


@dataclass(frozen=True)
class Record:
    """Content of a file besides numbers; `headings` are the signals first, then the states."""

    provenance: Provenance
    events: tuple[EventRecord, ...]
    scopes: tuple[ScopeFigure, ...]
    signals: tuple[Heading, ...]
    states: tuple[Heading, ...]
    finals: Mapping[str, FloatArray] = field(default_factory=dict)
    flights: tuple[FlightFigure, ...] = ()

    @property
    def headings(self) -> tuple[Heading, ...]:
        return self.signals + self.states

    def result(self, traces: Sequence[Trace]) -> Result:
        """The result with these traces, one for each heading."""
        split = len(self.signals)
        signals = {trace.path: trace for trace in traces[:split]}
        states = {trace.path: trace for trace in traces[split:]}
        record = (self.events, self.provenance, self.scopes, None, self.finals)
        return Result(signals, states, *record, flights=self.flights)


def write_record(
    result: Result, *, indent: int | None = None, headings: tuple[list[Heading], list[Heading]] | None = None
) -> str:
    """The record of a result as JSON; `headings` describe signals and states that are not in memory."""
    events = result.events
    signals, states = headings or (
        [_heading(trace) for trace in result.signals.values()],
        [_heading(trace) for trace in result.states.values()],
    )
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "provenance": asdict(result.provenance),
            "signals": [asdict(heading) for heading in signals],
            "states": [asdict(heading) for heading in states],
            "scopes": [asdict(scope) for scope in result.scopes],
            "flights": [asdict(flight) for flight in result.flights],
            "events": [list(vars(event).values()) for event in events],
            "finals": {path: value.tolist() for path, value in result.finals.items()},
        },
        indent=indent,
    )


def read(text: str) -> Record:
    """The record in a JSON text. Raises ValueError, KeyError or TypeError if it is not such a record."""
    data = json.loads(text)
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise ValueError("its record does not belong to a blockdyn result")
    if data["version"] != VERSION:
        raise ValueError(f"it is of version {data['version']}, this blockdyn reads version {VERSION}")
    return Record(
        Provenance(**data["provenance"]),
        tuple(EventRecord(float(time), *words) for time, *words in data["events"]),
        tuple(_scope(scope) for scope in data["scopes"]),
        tuple(_read_heading(heading) for heading in data["signals"]),
        tuple(_read_heading(heading) for heading in data["states"]),
        {path: np.array(value, np.float64) for path, value in data.get("finals", {}).items()},
        tuple(FlightFigure(**flight) for flight in data.get("flights", ())),
    )


def _heading(trace: Trace) -> Heading:
    return Heading(trace.path, trace.shape, trace.unit, trace.labels, trace.kind, trace.samples)


def _read_heading(data: Mapping[str, Any]) -> Heading:
    return Heading(
        data["path"], tuple(data["shape"]), data["unit"], tuple(data["labels"]), data["kind"], data["samples"]
    )


def _scope(data: Mapping[str, Any]) -> ScopeFigure:
    return ScopeFigure(
        data["path"], data["title"], tuple(data["traces"]), tuple(data["labels"]), data["unit"],
        data.get("form", "time"),
    )  # fmt: skip
