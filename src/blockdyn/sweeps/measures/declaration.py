"""An entry of `measures:` declares one measure, and is checked here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from ...base.location import Location
from ...base.schema import is_number
from ...base.words import nearest, short
from ...diagrams.model.diagram_error import listed
from ...diagrams.model.section import Section
from ..errors import SweepError
from . import kinds
from .kinds import ABSOLUTE, NEGATE


@dataclass(frozen=True)
class Kind:
    """A kind of measure: its code for the kernel, its flags, its options, the kind of its subject."""

    code: int
    flags: int = 0
    options: tuple[str, ...] = ()
    of: str = "signal"  # or "block", "measures", "measure", "loop", "run"


_STEP = ("target", "from")
WINDOW = ("after", "before")
KINDS: dict[str, Kind] = {
    "max": Kind(kinds.HIGHEST),
    "min": Kind(kinds.HIGHEST, NEGATE),
    "peak_to_peak": Kind(kinds.RANGE),
    "mean": Kind(kinds.MEAN),
    "rms": Kind(kinds.RMS),
    "integral": Kind(kinds.INTEGRAL),
    "absolute": Kind(kinds.INTEGRAL, ABSOLUTE),
    "itae": Kind(kinds.ITAE, ABSOLUTE),
    "initial": Kind(kinds.INITIAL),
    "final": Kind(kinds.FINAL),
    "overshoot": Kind(kinds.OVERSHOOT, options=_STEP),
    "settling_time": Kind(kinds.SETTLING, options=("band", "tolerance", *_STEP)),
    "rise_time": Kind(kinds.RISE, options=("low", "high", *_STEP)),
    "time_to": Kind(kinds.TIME_TO, options=("above", "below")),
    "count": Kind(kinds.COUNT, options=("above", "below")),
    "time_above": Kind(kinds.SHARE, options=("level",)),
    "time_below": Kind(kinds.SHARE, NEGATE, options=("level",)),
    "saturated": Kind(kinds.SATURATED, of="block"),
    "end_time": Kind(kinds.END_TIME, of="run"),
    "steps": Kind(kinds.STEPS, of="run"),
    "value": Kind(kinds.VALUE, of="measures"),
    "gradient": Kind(kinds.VALUE, options=("to",), of="measure"),
    "gain_margin": Kind(kinds.VALUE, options=("at",), of="loop"),
    "phase_margin": Kind(kinds.VALUE, options=("at",), of="loop"),
    "delay_margin": Kind(kinds.VALUE, options=("at",), of="loop"),
    "modulus_margin": Kind(kinds.VALUE, options=("at",), of="loop"),
}
GRADIENT = "gradient"
MARGINS = {kind: kind.removesuffix("_margin") for kind in KINDS if KINDS[kind].of == "loop"}
"""Kinds that are margins of a loop, with their names in `analysis`."""
ELSEWHERE = {
    "peak": "max", "maximum": "max", "highest": "max", "minimum": "min", "lowest": "min", "average": "mean",
    "iae": "absolute", "last": "final", "first": "initial", "settling": "settling_time", "rise": "rise_time",
}  # fmt: skip
"""Kinds under other names."""
_EVENTS = {"time_to": kinds.EVENT_TIME, "count": kinds.EVENT_COUNT}
_DEFAULTS = {"after": -inf, "before": inf, "band": 0.02, "low": 0.1, "high": 0.9}


@dataclass(frozen=True)
class Measure:
    """One measure as declared: kind and subject, its numbers by option, its place in the file.

    `to` is the path of the parameter of a gradient.
    """

    name: str
    kind: str
    of: str
    options: Mapping[str, float]
    location: Location | None = None
    to: str = ""

    @property
    def code(self) -> int:
        """The kernel's code of the kind, or of events if no level is given."""
        if self.kind in _EVENTS and not self.options.keys() & {"above", "below"}:
            return _EVENTS[self.kind]
        return KINDS[self.kind].code

    @property
    def flags(self) -> int:
        return NEGATE if "below" in self.options else KINDS[self.kind].flags

    @property
    def looks_at(self) -> str:
        """The kind of its subject: "signal", "block", "events", "measures", "measure", "loop" or "run"."""
        return "events" if self.code in _EVENTS.values() else KINDS[self.kind].of

    def number(self, option: str) -> float:
        """The value of an option, or its default; NaN if it has none."""
        return self.options.get(option, _DEFAULTS.get(option, float("nan")))

    @property
    def level(self) -> float:
        """The level that the kernel compares with; its negative, for the negative signal, if it must fall."""
        level = self.number("level")
        for option in ("above", "below"):
            level = self.options.get(option, level)
        return -level if self.flags & NEGATE else level

    def wrong(self, actual: str, *lines: str) -> SweepError:
        """An error of this measure."""
        return SweepError(f"measure `{self.name}`: {actual}", *lines, path=self.name, location=self.location)


def read_measure(name: Any, entry: Any, section: Section) -> Measure:
    """One entry of `measures`. Raises SweepError."""
    at = section.at("measures", name)
    here = section.at("measures", name, key=True)
    if not isinstance(name, str) or not name.isidentifier():
        problem, expected = f"{short(name)} cannot be the name of a measure", "letters, digits and _"
        raise SweepError(problem, f"expected: {expected}, not beginning with a digit", location=here)
    if isinstance(entry, str) and entry in KINDS and KINDS[entry].of == "run":
        entry = {entry: True}
    if not isinstance(entry, Mapping):
        problem = f"measure `{name}` is {short(entry)}"
        raise SweepError(problem, "expected: a kind and a signal, such as {max: plant.y}", location=at)
    chosen = [key for key in entry if key in KINDS]
    if len(chosen) != 1:
        raise _no_kind(name, entry, chosen, at)
    kind = chosen[0]
    options = {}
    for key, value in entry.items():
        if key != kind and (kind, key) != (GRADIENT, "to"):
            options[key] = _option(name, kind, key, value, section)
    to = _read_path(name, entry, section) if kind == GRADIENT else ""
    measure = Measure(name, kind, _read_subject(name, kind, entry[kind], section), options, at, to)
    _check(measure)
    return measure


def _no_kind(name: str, entry: Mapping[Any, Any], chosen: list[str], at: Location | None) -> SweepError:
    if chosen:
        problem = f"measure `{name}` has {len(chosen)} kinds: {listed(chosen)}"
        return SweepError(problem, "expected: one; give each a measure of its own", path=name, location=at)
    called = next((f", called `{ELSEWHERE[key]}` here" for key in entry if key in ELSEWHERE), "")
    hint = called or next((near for key in entry if (near := nearest(str(key), KINDS))), "")
    problem = f"measure `{name}` has no kind, only {listed(entry)}{hint}"
    return SweepError(problem, f"expected: one of {', '.join(KINDS)}", path=name, location=at)


def _read_subject(name: str, kind: str, value: object, section: Section) -> str:
    subject = KINDS[kind].of
    if subject == "run":
        if value is None or value is True:
            return ""
        expected = f"`{name}: {kind}`: it names no signal"
    elif isinstance(value, str) and value.strip():
        return value.strip()
    else:
        expected = {
            "signal": "a signal such as plant.y, or a formula of signals",
            "block": "a block",
            "measures": "a formula of measures",
            "measure": "the name of another measure",
            "loop": "the wire at which the loop is opened, such as controller.y",
        }[subject]
    problem = f"measure `{name}`: {kind} is {short(value)}"
    raise SweepError(problem, f"expected: {expected}", path=name, location=section.at("measures", name, kind))


def _read_path(name: str, entry: Mapping[str, Any], section: Section) -> str:
    value = entry.get("to")
    if isinstance(value, str) and value.strip():
        return value.strip()
    problem = f"measure `{name}`: to is {short(value)}" if "to" in entry else f"measure `{name}` has no `to`"
    expected = f"the path of a number of the diagram: `{name}: {{{GRADIENT}: ..., to: controller.kp}}`"
    at = section.at("measures", name, "to") if "to" in entry else section.at("measures", name)
    raise SweepError(problem, f"expected: {expected}", path=name, location=at)


def _option(name: str, kind: str, key: Any, value: Any, section: Section) -> float:
    options_here = (*KINDS[kind].options, *(WINDOW if KINDS[kind].of in ("signal", "block") else ()))
    if key not in options_here:
        problem = f"measure `{name}`: {kind} has no option `{key}`{nearest(str(key), options_here)}"
        expected = f"one of {listed(options_here)}" if options_here else "none"
        at = section.at("measures", name, key, key=True)
        raise SweepError(problem, f"expected: {expected}", path=name, location=at)
    number = float(value) if is_number(value) else float("nan")
    if not isfinite(number):
        problem = f"measure `{name}`: {key} is {short(value)}"
        at = section.at("measures", name, key)
        raise SweepError(problem, "expected: a finite number", path=name, location=at)
    return number


def _check(measure: Measure) -> None:
    """Raise SweepError for numbers that contradict one another."""
    has = measure.options
    if not measure.number("after") < measure.number("before"):
        problem = f"the window from {has['after']:g} s to {has['before']:g} s is empty"
        raise measure.wrong(problem, "expected: `before` after `after`")
    if "above" in has and "below" in has:
        raise measure.wrong("`above` and `below` together", "expected: one of them")
    if "level" in KINDS[measure.kind].options and "level" not in has:
        raise measure.wrong(f"{measure.kind} needs a level", f"expected: `{measure.kind}: ..., level: 1.0`")
    if "band" in has and "tolerance" in has:
        raise measure.wrong("`band` and `tolerance` together", "expected: a share, or a distance")
    for option in ("band", "tolerance"):
        if option in has and not has[option] > 0.0:
            raise measure.wrong(f"{option} is {has[option]:g}", "expected: a number greater than 0")
    if not measure.number("low") < measure.number("high"):
        low, high = measure.number("low"), measure.number("high")
        raise measure.wrong(f"low is {low:g} and high is {high:g}", "expected: low below high")
