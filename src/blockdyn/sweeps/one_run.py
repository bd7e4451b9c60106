"""The measures of a sweep, for a single run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..base.checked import checked
from ..base.words import short
from ..blocks.contract.errors import FormulaError
from ..blocks.contract.formula import parse
from ..diagrams.model.arguments import mapping
from ..diagrams.model.diagram import Diagram
from ..diagrams.model.errors import RunArgumentError
from ..diagrams.model.section import Section
from ..diagrams.model.subsystem import copied
from ..diagrams.results.errors import bad_argument
from ..diagrams.results.result import Result
from ..diagrams.yaml import loads
from .declare.acceptance import RUN
from .errors import SweepError
from .measures.declared import Measures
from .measures.recorded import NOT_RECORDED, measure_recorded
from .store.part import OUTCOMES, SUCCESSES
from .sweep import Sweep

MEASURES = 'expected: measures by name, such as {"over": {"overshoot": "motor"}}'
EXAMPLE = '{"motor.gain": 2.0}'
TAKEN = (*RUN, "initial", "inputs", "parameters", "set")


def measure(
    diagram: Diagram,
    measures: Mapping[str, Any] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    **simulation: Any,
) -> dict[str, float]:
    """Measures of one run, by name: `measure({"over": {"overshoot": "motor"}}, stop=10)["over"]`.

    measures   by name, as in a sweep: {"rise": {"rise_time": "motor"}}; None: the measures that the
               diagram's file has under `sweep`

    `parameters`, `set` and the other arguments are the arguments of `simulate`. A sweep computes the same
    numbers for the same run, from the dense output of every step; NaN if a measure is undefined in
    the run. `docs/measures.md` lists the kinds. Raises SweepError, and the errors of `simulate`.
    """
    remaining = dict(simulation)
    for name, value in remaining.items():
        if name not in TAKEN:
            raise RunArgumentError(name, value, f"one of {', '.join(TAKEN)}")
    overrides = {"parameters": parameters, "set": set, "initial": remaining.pop("initial", None)}
    fixed = {
        path: one
        for name, values in overrides.items()
        for path, one in mapping(name, values, EXAMPLE).items()
    }
    inputs = remaining.pop("inputs", None)
    if inputs is not None:
        diagram = copied(diagram)
        diagram.settings(inputs={**diagram.simulation.get("inputs", {}), **inputs})
    seed = remaining.pop("seed", None)
    axes = {"simulate.seed": [diagram.simulation.get("seed", 0) if seed is None else seed]}
    sweep = Sweep(diagram, axes, measures, set=fixed, keep={}, **remaining)
    if not sweep.measures.names:
        raise SweepError("nothing is measured", MEASURES)
    part = sweep.task.run(0, 1)
    if part.outcome[0] >= SUCCESSES:
        sweep.simulate(0)  # raises the error that ended the run
        raise SweepError(f"the run failed: {OUTCOMES[part.outcome[0]]}", part.reason[0])
    return dict(zip(sweep.measures.names, part.measures[0].tolist(), strict=True))


@checked(bad_argument)
def measure_result(
    result: Result, measures: Mapping[str, Any] | None = None, *, diagram: Diagram | None = None
) -> dict[str, float]:
    """Numbers of this run, by name: `r.measure({"over": {"overshoot": "motor"}})["over"]`.

    measures   by name, as `Diagram.measure` takes them; None: the measures of `sweep` in the diagram's file
    diagram    the diagram that was run; needed if it has Python functions and the result is from a file

    Nothing runs again: between its samples a continuous signal is a cubic spline, except at events, and
    a sampled one is held. `Diagram.measure` computes the same from the dense output of every step.
    Gradients, margins and `saturated` are not in samples. Raises SweepError, UnknownSignal for a signal
    that was not logged, SweepError if the result does not hold its diagram.
    """
    diagram = _diagram_of(result) if diagram is None else diagram
    if not isinstance(diagram, Diagram):
        raise bad_argument("diagram", short(diagram), "the diagram that was run")
    section = None
    if measures is None:
        declared = diagram.sections.get("sweep") or Section({})
        measures, section = declared.data.get("measures", {}), declared
    if not measures:
        raise SweepError("nothing is measured", MEASURES)
    return measure_recorded(result, Measures(measures, diagram, section), diagram)


def declared_figures(result: Result, diagram: Diagram) -> dict[str, float]:
    """The measures of a result that its diagram's file declares, except those that need more than samples."""
    section = diagram.sections.get("sweep") or Section({})
    declared = dict(section.data.get("measures", {}))
    while True:
        names = {name for name, measure in declared.items() if not _has_samples(measure, declared)}
        if not names:
            return measure_result(result, declared, diagram=diagram) if declared else {}
        declared = {name: measure for name, measure in declared.items() if name not in names}


def _has_samples(measure: object, declared: Mapping[str, Any]) -> bool:
    """True if samples suffice for a measure, and if it is a formula, `declared` has all that it names."""
    if not isinstance(measure, Mapping):
        return True
    if "value" in measure and isinstance(measure["value"], str):
        with suppress(FormulaError):
            return set(parse(measure["value"]).names) <= set(declared)
    return not set(measure) & set(NOT_RECORDED)


def _diagram_of(result: Result) -> Diagram:
    """The diagram of a result."""
    if result.provenance.source is not None:
        source: Diagram = result.provenance.source
        return source
    if result.provenance.description is None:
        problem = "the result does not hold its diagram, which has Python functions or objects"
        raise SweepError(problem, "expected: result.measure(..., diagram=...)")
    return loads(result.provenance.description)
