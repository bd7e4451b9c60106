"""Keep signals of some scenarios, at common times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.words import nearest
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.flatten import flatten
from ...diagrams.model.gathered import Errors
from ...diagrams.model.section import Section
from ..errors import SweepError
from .schema import check_keys, value_of


@dataclass(frozen=True)
class Keep:
    """Signals on the common times start + k every; of all scenarios, or of the `worst` by a measure.

    `signals` is None if everything that the diagram logs is kept; `worst` is 0 if all scenarios are.
    For the worst, `every` may be None: their whole results are kept, at the solver's own steps.
    """

    signals: tuple[str, ...] | None
    every: float | None
    worst: int = 0
    by: str = ""

    def described(self) -> dict[str, Any]:
        """The kept signals and scenarios as JSON data."""
        signals = "all" if self.signals is None else list(self.signals)
        description: dict[str, Any] = {"signals": signals, "every": self.every}
        return description | ({"worst": self.worst, "by": self.by} if self.worst else {})


def read_keep(section: Section, measures: Mapping[str, Any]) -> Keep | None:
    """The value of the key `keep`. Raises SweepError for a measure that is not declared."""
    declared = value_of(section, "keep", otherwise={})
    if not declared:
        return None
    errors = Errors(SweepError)
    check_keys(section, errors, "keep")
    every, signals, worst, by = None, "all", None, None
    with errors:
        every = value_of(section, "keep", "every")
        if every is None and declared.get("worst") is None:
            expected = "expected: the spacing of the common times, s: `every: 0.01`"
            raise SweepError("`every` is missing", expected, location=section.at("keep"))
    with errors:
        signals = value_of(section, "keep", "signals", otherwise="all")
        if not signals:
            at = section.at("keep", "signals")
            raise SweepError("`signals` is empty", "expected: a list of paths, or all", location=at)
    with errors:
        worst, by = value_of(section, "keep", "worst"), value_of(section, "keep", "by")
        _check_worst(section, worst, by, measures)
    errors.finish()
    paths = None if signals == "all" else tuple(dict.fromkeys(signals))
    return Keep(paths, None if every is None else float(every), int(worst or 0), str(by or ""))


def check_signals(diagram: Diagram, section: Section, errors: Errors) -> None:
    """Gather UnknownBlock, UnknownPort, BadWire for missing signals, at their places."""
    keep = section.data.get("keep")
    names: Any = keep.get("signals") if isinstance(keep, Mapping) else None
    if _is_paths(names):
        with errors:
            places = {n: section.at("keep", "signals", i) for i, n in enumerate(names)}
            flatten(diagram).with_log(names, places, errors)


def _is_paths(signals: Any) -> bool:
    return isinstance(signals, (list, tuple)) and bool(signals) and all(isinstance(s, str) for s in signals)


def _check_worst(section: Section, worst: Any, by: Any, measures: Mapping[str, Any]) -> None:
    if (worst is None) != (by is None):
        key, other = ("worst", "by") if by is None else ("by", "worst")
        problem = f"`keep` has `{key}`, and no `{other}`"
        raise SweepError(problem, "expected: both, such as {worst: 10, by: rms}", location=section.at("keep"))
    if by is not None and by not in measures:
        problem = f"`by` is `{by}`, which is not a measure{nearest(str(by), list(measures))}"
        expected = f"one of {', '.join(measures) or 'the measures, but the sweep has none'}"
        raise SweepError(problem, f"expected: {expected}", location=section.at("keep", "by"))
