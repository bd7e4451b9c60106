"""A result holds every logged signal and state of a run, its events, and its provenance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.door import door
from ...base.hints import AttributeHints, unknown_attribute
from ...base.words import article
from .errors import ResultError, UnknownSignal, bad_argument
from .lookup import find, holds
from .provenance import EventList, EventRecord, FlightFigure, Provenance, ScopeFigure
from .trace import FloatArray, Trace, merged_time

if TYPE_CHECKING:
    import xarray as xr

    from ...doors import Result as Doors
    from .logged_rows import LoggedRows
else:
    Doors = object

Resample: TypeAlias = Callable[[FloatArray], Mapping[str, FloatArray]]


def read_only(values: Mapping[str, FloatArray]) -> Mapping[str, FloatArray]:
    """A read-only copy."""
    arrays = {path: np.array(value, np.float64) for path, value in values.items()}
    for array in arrays.values():
        array.flags.writeable = False
    return MappingProxyType(arrays)


def _with_dense(traces: Mapping[str, Trace], resample: Resample | None) -> dict[str, Trace]:
    """The traces, each with its values between samples if there are any."""
    if resample is None:
        return dict(traces)
    return {path: trace._between(partial(_resample_path, resample, path)) for path, trace in traces.items()}


def _resample_path(resample: Resample, path: str, times: FloatArray) -> FloatArray:
    return resample(times)[path]


def _return_none() -> Any:
    return None


@dataclass(frozen=True, eq=False, repr=False)
class Result(AttributeHints, Doors):
    """The result of a run. Immutable; its arrays are read-only.

    signals      logged outputs by path
    states       continuous states by path; discrete ones are in `final_states()` and in their blocks' outputs
    events       in the order in which they happened
    provenance   the diagram, its parameters, solver, versions, seed, statistics
    scopes       figures of the diagram's Scopes, XYScopes, Displays and ToFiles
    resample     from instants (m,) to signals and states by path, (m, *shape) each, exact to the
                 solver's tolerance (dense output, limits from the right): `to_dataset(dt=0.01)`,
                 `to_pandas(dt=0.01)` and `trace("motor").at(times)` use it; lost in files and pickles
    finals       every state and held output at the end of the run, by path: see `final_states`
    flights      signals that describe the flight of the diagram's vehicles
    file         the file of the rows, if the run streamed them to disk; then no trace is in memory

    `r["motor.y"]` is the signal as an xarray.DataArray; `r["motor"]` too if the block logged one
    output; `r["arm.q[0]"]`, `r["uav.position[x]"]` and `r["plant.bus", "speed"]` are elements.
    """

    signals: Mapping[str, Trace]
    states: Mapping[str, Trace] = field(default_factory=dict)
    events: tuple[EventRecord, ...] = field(default_factory=tuple)
    provenance: Provenance = field(default_factory=Provenance)
    scopes: tuple[ScopeFigure, ...] = field(default_factory=tuple)
    resample: Resample | None = field(default_factory=_return_none)
    finals: Mapping[str, FloatArray] = field(default_factory=dict)
    file: str | None = field(default_factory=_return_none)
    flights: tuple[FlightFigure, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        check_kinds(self)
        for name in ("signals", "states"):
            traces = dict(getattr(self, name))
            for path, trace in traces.items():
                if path != trace.path:
                    raise ResultError(f"{name}: the trace of {trace.path!r} is filed under {path!r}")
            object.__setattr__(self, name, MappingProxyType(_with_dense(traces, self.resample)))
        object.__setattr__(self, "finals", read_only(self.finals))
        object.__setattr__(self, "events", EventList(self.events))
        object.__setattr__(self, "scopes", tuple(self.scopes))
        object.__setattr__(self, "flights", tuple(self.flights))

    @classmethod
    def deferred(cls, build: Callable[[], Result], logged: LoggedRows | None = None) -> Result:
        """A result whose rows become traces at first use; `logged` are these rows, in one piece."""
        result = object.__new__(cls)
        result.__dict__.update(_build=build, _logged=logged)
        return result

    @classmethod
    def _recorded(
        cls, signals: dict[str, Trace], states: dict[str, Trace], resample: Resample | None,
        **later: Callable[[], Any],
    ) -> Result:  # fmt: skip
        """Make a result of a run's log, with fields that are computed at first use."""
        result = object.__new__(cls)
        result.__dict__.update(
            signals=MappingProxyType(_with_dense(signals, resample)),
            states=MappingProxyType(_with_dense(states, resample)),
            resample=resample, file=None, _later=later,
        )  # fmt: skip
        return result

    if not TYPE_CHECKING:  # type checkers see only the fields

        def __getattr__(self, name: str) -> Any:
            later = self.__dict__.get("_later", {}).get(name)
            if later is not None:
                self.__dict__[name] = EventList(later()) if name == "events" else later()
                self.__dict__["_later"].pop(name, None)
                return self.__dict__[name]
            build = self.__dict__.get("_build")
            if build is None or name not in self.__dataclass_fields__:
                raise unknown_attribute(self, name, self._hint)
            made = build()
            self.__dict__.update(made.__dict__)
            self.__dict__["_build"] = None
            return getattr(self, name)

    def _hint(self, name: str) -> str:
        is_signal = name not in self.__dataclass_fields__ and name in self
        return f"\nuse result[{name!r}], the signal" if is_signal else ""

    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]:
        record = (self.events, self.provenance, self.scopes, None, dict(self.finals))
        return Result, (dict(self.signals), dict(self.states), *record, self.file, self.flights)

    @cached_property
    def time(self) -> FloatArray:
        """All logged instants, s; the instant of an event occurs once for each sample."""
        return merged_time([t.time for t in (*self.signals.values(), *self.states.values())])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the rows, in base 16: equal if all times, signals and states are equal, to the bit.

        For each signal, then each state, in the alphabetical order of their paths: the path in UTF-8, a zero
        byte, the number of its rows as an integer, its times, its values row by row; 8 bytes each, the least
        significant first. Every NaN has the bits 0x7ff8000000000000.
        """
        if self.file is not None:
            raise ResultError(f"its rows are on disk\nuse blockdyn.load_result({self.file!r}).digest")
        digest = sha256()
        for traces in (self.signals, self.states):
            for path, trace in sorted(traces.items()):
                digest.update(path.encode() + b"\0" + len(trace.time).to_bytes(8, "little"))
                for array in (trace.time, trace.values):
                    numbers = np.where(np.isnan(array), np.nan, array)
                    digest.update(numbers.astype("<f8").tobytes())
        return digest.hexdigest()

    @property
    def complete(self) -> bool:
        """True if the run reached its stop time or a Stop block."""
        return self.provenance.complete

    @property
    def statistics(self) -> Mapping[str, Any]:
        """Steps, rejections, evaluations, events, wall time."""
        return self.provenance.statistics

    @property
    def notices(self) -> Sequence[str]:
        """Facts of the run that may be unintended, one sentence each: omitted rows, short steps."""
        return self.provenance.notices

    @property
    def touched(self) -> Sequence[Mapping[str, Any]]:
        """The touches of the run, for `simulate(touches=...)`: instants `at`, s, and values `set`."""
        return self.provenance.solver.get("touches") or ()

    def trace(self, path: str) -> Trace:
        """The trace of a signal, a state, or an element of one. Raises UnknownSignal."""
        if self.file is not None and not self.signals and not self.states:
            raise UnknownSignal(path, (), hint=f"its rows are on disk: blockdyn.load_result({self.file!r})")
        trace = (self.signals.get(path) or self.states.get(path)) if isinstance(path, str) else None
        return trace or find(path, self.signals, self.states, self.finals)

    def __getitem__(self, path: str | tuple[str, str | int]) -> xr.DataArray:
        if isinstance(path, tuple) and len(path) == 2:
            return self.trace(path[0]).element(path[1]).to_xarray()
        return self.trace(path).to_xarray()

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __len__(self) -> int:
        return len(self.signals)

    def __contains__(self, path: object) -> bool:
        return holds(path, self.signals, self.states)

    def final(self, path: str) -> FloatArray | float:
        """Last value of a signal: a float for a scalar, else an array of the signal's shape."""
        value = self.trace(path).final
        return value if value.ndim else float(value)

    def final_states(self) -> dict[str, FloatArray]:
        """States at the end of the run and held outputs of sampled blocks, by path: `{"plant.x": array}`.

        `simulate(start=r.statistics["end"], initial=r.final_states())` continues from there. Modes are not
        kept: a Relay, a friction or a limit begins as in any run; nor is a block's own `memory`. A
        tick at the end happens in both runs; for sampled blocks to continue exactly, end the run
        between two ticks.
        """
        return {path: np.array(value) for path, value in self.finals.items()}

    def identical(self, other: Result) -> bool:
        """True if both hold the same traces to the bit, the same events, Scopes and provenance.

        The computing time is not compared.
        """
        return (
            isinstance(other, Result)
            and all(
                list(mine) == list(theirs) and all(mine[path].identical(theirs[path]) for path in mine)
                for mine, theirs in ((self.signals, other.signals), (self.states, other.states))
            )
            and (self.events, self.scopes, self.flights) == (other.events, other.scopes, other.flights)
            and self.provenance.untimed == other.provenance.untimed
        )

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.runs.figure:plot")
        plot_xy = door("plots.runs.figure:plot_xy")
        plot_spectrum = door("plots.runs.spectrum:plot_spectrum")
        page = door("pages.finished.page:write_page")
        animate = door("plots.films.animate:animate")
        strip = door("plots.films.animate:strip")
        draw = door("drawing.drawing:draw_run")
        measure = door("sweeps.one_run:measure_result")
        __repr__ = door("diagrams.results.table:text")
        _repr_html_ = door("diagrams.results.table:html")
        to_dataset = door("diagrams.results.dataset:to_dataset")
        to_pandas = door("diagrams.results.frame:to_pandas")
        save = door("diagrams.results.files:save")
        write_files = door("diagrams.results.sink_files:write_files")


def check_kinds(result: Result) -> None:
    """Raise ResultError for a part of the wrong type."""
    mappings: dict[str, type] = {"signals": Trace, "states": Trace, "finals": object}
    for name, kind in mappings.items():
        value = getattr(result, name)
        if not isinstance(value, Mapping) or not all(isinstance(item, kind) for item in value.values()):
            raise bad_argument(
                name, f"found {value!r:.80}", f"a mapping from paths to {article(kind.__name__)} each"
            )
    lists: dict[str, type] = {"events": EventRecord, "scopes": ScopeFigure, "flights": FlightFigure}
    for name, kind in lists.items():
        value = getattr(result, name)
        if not isinstance(value, (tuple, list)) or not all(isinstance(item, kind) for item in value):
            raise bad_argument(name, f"found {value!r:.80}", f"a list of {kind.__name__}s")
    if not isinstance(result.provenance, Provenance):
        raise bad_argument("provenance", f"found {result.provenance!r:.80}", "a Provenance")
