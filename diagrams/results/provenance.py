"""Provenance records the diagram, parameters, solver, versions, seed and outcome of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...base.hints import AttributeHints
from ...base.shown import lines, page, table
from ...base.words import inflect

if TYPE_CHECKING:
    from ...blocks.contract.capabilities import Form

DIRECTIONS = {1: "rising", -1: "falling", 0: ""}
"""What an event says of the way that a zero crossing went."""


@dataclass(frozen=True)
class EventRecord(AttributeHints):
    """One event that the run located.

    time       instant, s
    path       of the block that caused it
    kind       "zero crossing", "time", "sample", "mode", "reset", "stop" ...; "touch" for a
               change by the caller, without a path
    detail     in words: "Forward -> Off", "k = 12"; for a zero crossing its name: "hit", "upper"; for a
               touch the changed paths
    direction  of a zero crossing, "rising" or "falling": the direction of its value, which is the signal
               minus the level for HitCrossing, Saturation and the like; otherwise empty, also if the value
               differs between modes: CoulombFriction, Backlash, limits of an Integrator
    """

    time: float
    path: str
    kind: str
    detail: str = ""
    direction: str = ""


@dataclass(frozen=True)
class ScopeFigure:
    """Figure of one sink: the traces that share axes, or are printed or written.

    path     of the Scope, XYScope, Display or ToFile
    title    text above the axes; name of a value or of a file
    traces   paths of signals, or of elements of signals (`arm.q[0]`, `uav.position[x]`)
    labels   names in the legend, one for each trace, or none to use the paths
    unit     of the vertical axis, or of each trace, separated by commas; empty to use the traces' own
    form     "time": drawn over time; "xy": the second half of the traces over the first, with one label and
             unit for each half, then names of the curves or none; "value": the last value is printed;
             "file": `write_files` writes them
    """

    path: str
    title: str = ""
    traces: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    unit: str = ""
    form: Form = "time"


def file_names(figures: Sequence[ScopeFigure]) -> list[str]:
    """The files that ToFile blocks name."""
    return [figure.title for figure in figures if figure.form == "file"]


@dataclass(frozen=True)
class FlightFigure:
    """The signals and states that show how a vehicle flies, in a world with z down; empty if not logged.

    path       of the vehicle's block
    position   actual position, (3,), m
    reference  reference position, (3,), m
    attitude   a quaternion, scalar first, from body to world
    speeds     of its rotors, rad/s
    """

    path: str
    position: str = ""
    reference: str = ""
    attitude: str = ""
    speeds: str = ""


@dataclass(frozen=True)
class Provenance:
    """The data needed to run a diagram again, and the end of the run.

    Mappings are reduced to values of JSON (arrays to lists, tuples to lists, unknown objects to their repr),
    so that a result read from a file has the same provenance as the written one.

    diagram      name
    description  the diagram as YAML, or None if it contains Python callables
    parameters   of the diagram, by name
    changed      parameters of single blocks and subsystems that the run was given, by path
    solver       method, tolerances, span and every other argument of the run
    versions     of blockdyn and of the libraries with which it computes
    seed         of all random streams, None if nothing is random
    statistics   steps, rejected, evaluations, events, wall time
    complete     whether the run reached its stop time or a Stop block
    stopped_by   path of the Stop block, or the cause of an interruption
    message      the run's end in one sentence
    notices      facts of the run that may be unintended: rows left out, steps cut short; one sentence each
    """

    diagram: str = ""
    description: str | None = field(default_factory=lambda: None)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    solver: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
    stopped_by: str | None = None
    message: str = ""
    changed: Mapping[str, Any] = field(default_factory=dict)
    notices: Sequence[str] = ()
    source: ClassVar[Any] = None  # the Diagram that was run, unless the result comes from a file

    def __post_init__(self) -> None:
        for name in ("parameters", "changed", "solver", "versions", "statistics"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        object.__setattr__(self, "notices", tuple(self.notices))

    @property
    def cut_short(self) -> str:
        """The reason why a run did not reach its end, in one line: the first line of an error."""
        reason = self.message or self.stopped_by or "stopped before its end"
        return reason.strip().partition("\n")[0].rstrip(":")

    def described(self, describe: Callable[[], str | None], source: object) -> Provenance:
        """A copy with the Diagram that was run, and a description made at first use."""
        described = copy(self)
        described.__dict__["source"] = source
        del described.__dict__["description"]
        described.__dict__["_describe"] = describe
        return described

    @property
    def untimed(self) -> dict[str, Any]:
        """All provenance except the time that the computer took."""
        facts = self.__getstate__()
        times = {name for name in self.statistics if name == "wall time" or name.startswith("python ")}
        facts["statistics"] = {name: self.statistics[name] for name in self.statistics if name not in times}
        return facts

    if not TYPE_CHECKING:  # type checkers shall see the fields alone

        def __getattr__(self, name: str) -> Any:
            describe = self.__dict__.get("_describe")
            if name != "description" or describe is None:
                raise AttributeError(f"a Provenance has no attribute {name!r}")
            self.__dict__["description"] = describe()
            self.__dict__["_describe"] = None
            return self.__dict__["description"]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


SCALARS = frozenset((str, int, float, bool, type(None)))


def plain(value: object) -> Any:
    """The value in JSON types: dict, list, str, int, float, bool and None."""
    if type(value) in SCALARS:
        return value
    if value is None or (isinstance(value, (str, bool, int, float)) and not isinstance(value, np.generic)):
        return value
    if isinstance(value, np.generic):
        return plain(value.item()) if not isinstance(value.item(), np.generic) else str(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [plain(item) for item in value]
    return repr(value)


_EVENT_HEADER = ("time (s)", "block", "kind", "detail", "direction")
_MOST_ROWS = 40


class EventList(tuple[EventRecord, ...]):
    """The events of a result in order, shown as a table in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = [(f"{e.time:.9g}", e.path, e.kind, e.detail, e.direction) for e in self[:_MOST_ROWS]]
        hidden = len(self) - _MOST_ROWS
        more = [f"and {inflect(hidden, 'more event')}"] if hidden > 0 else []
        return page(inflect(len(self), "event"), table(_EVENT_HEADER, rows), lines(more))
