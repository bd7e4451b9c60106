"""Given: what a sweep is given beside its section: a diagram, fixed values, arguments of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...base.hints import nearest_word
from ...base.location import Location, caller
from ...base.short import short
from ...diagrams.model.diagram import Diagram
from ...diagrams.model.gathered import Errors
from ...diagrams.model.section import Section
from ...diagrams.model.settings import AXES, COMMON
from ..errors import SweepError

RUN = (*AXES, *COMMON)
"""The arguments of `Diagram.simulate` that a sweep takes for all of its scenarios."""
OWN = ("number", "seed", "sampling", "zip", "file", "keep", "chunk", "common_random_numbers", "set")
INSTEAD = {
    "initial": 'an axis over the state, such as {"plant.x": [[0.0, 1.0]]}',
    "inputs": "an axis or `set` over the input, or diagram.settings(inputs=...)",
}


def with_fixed(section: Section, values: Mapping[str, Any], at: Location | None) -> Section:
    """The section with an axis of one value for each path. Raises SweepError for one that varies."""
    if not isinstance(values, Mapping):
        raise SweepError(f"`set` is {short(values)}", "expected: a mapping of paths to values", location=at)
    axes = section.data.get("axes", {})
    if not values or not isinstance(axes, Mapping):
        return section
    for path in values:
        if path in axes:
            expected = "expected: other paths than those of the axes, or other `axes`"
            raise SweepError(f"set `{path}`, which an axis varies", expected, location=at)
    fixed = {path: [value] for path, value in values.items()}
    return replace(section, data={**section.data, "axes": {**axes, **fixed}})


def check_diagram(diagram: object) -> None:
    if not isinstance(diagram, Diagram):
        problem = f"a sweep of {type(diagram).__name__}"
        raise SweepError(problem, "expected: a Diagram; for a file, Sweep.load(path)", location=caller())


def check_run(simulation: Mapping[str, Any], at: Location | None, errors: Errors) -> None:
    for name in simulation:
        with errors:
            if name not in RUN:
                close = "" if name in INSTEAD else nearest_word(name, (*RUN, *OWN))
                expected = INSTEAD.get(name, f"one of {', '.join((*OWN, *RUN))}")
                raise SweepError(f"a sweep has no `{name}`{close}", f"expected: {expected}", location=at)
