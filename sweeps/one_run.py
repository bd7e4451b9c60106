"""One run: what a sweep measures of each scenario, of a single run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.things import Named
from ..diagrams.model.argument_errors import RunArgumentError
from ..diagrams.model.arguments import mapping
from ..diagrams.model.copying import copied
from ..diagrams.model.diagram import Diagram
from .declare.given import RUN
from .errors import SweepError
from .store.part import OUTCOMES, SUCCESSES
from .sweep import Sweep

EXAMPLE = '{"motor.gain": 2.0}'
TAKEN = (*RUN, "initial", "inputs", "parameters", "set")


def measure(
    diagram: Diagram, measures: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None,
    set: Mapping[str, Any] | None, simulation: Mapping[str, Any],
) -> dict[str, float]:  # fmt: skip
    """See `Diagram.measure`: a sweep of one scenario, whose only axis has one value."""
    remaining = dict(simulation)
    for name, value in remaining.items():
        if name not in TAKEN:
            raise RunArgumentError(name, value, f"one of {', '.join(TAKEN)}")
    given = {"parameters": parameters, "set": set, "initial": remaining.pop("initial", None)}
    fixed = {
        path: one for name, values in given.items() for path, one in mapping(name, values, EXAMPLE).items()
    }
    inputs = remaining.pop("inputs", None)
    if inputs is not None:
        diagram = copied(diagram)
        diagram.settings(inputs={**diagram.simulation.get("inputs", {}), **inputs})
    seed = remaining.pop("seed", None)
    axes = {"simulate.seed": [diagram.simulation.get("seed", 0) if seed is None else seed]}
    sweep = Sweep(diagram, axes, measures, set=fixed, keep={}, **remaining)
    if not sweep.measures.names:
        problem = "nothing is measured"
        raise SweepError(problem, 'expected: measures by name, such as {"over": {"overshoot": "motor"}}')
    part = sweep.task.run(0, 1)
    if part.outcome[0] >= SUCCESSES:
        sweep.simulate(0)  # raises what ended the run
        raise SweepError(f"the run failed: {OUTCOMES[part.outcome[0]]}", part.reason[0])
    return Named(zip(sweep.measures.names, part.measures[0].tolist(), strict=True))
