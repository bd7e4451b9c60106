"""Compile a diagram: flatten it, find sizes, order and memory layout, and print code on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...base.memory import undisturbed
from ...blocks.contract.errors import BlockError
from ..model.arguments import mapping
from ..model.diagram_error import DiagramError
from ..model.errors import BadParameter, DuplicateName, RunArgumentError, Undetermined
from ..model.flat import FlatDiagram, Tap
from ..model.flatten import gather
from ..model.gathered import Errors
from ..model.settings import SETTINGS
from ..model.subsystem import copied
from .plan.layout import Plan, lay_out
from .plan.order import find_order, find_rates
from .plan.signal_units import SignalUnits
from .plan.sizes import infer_sizes
from .plan.unit import make_units
from .program import Program

if TYPE_CHECKING:
    from ..model.diagram import Diagram


def compile_diagram(
    diagram: Diagram,
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    log: Sequence[str] | None = None,
    loops: str | None = None,
    changed: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Program:
    """Check a diagram and turn it into a program.

    `parameters` replaces diagram parameters, `set` parameters of blocks and subsystems, whole (for all other
    paths see `values.programs`), `log` the signals to keep. `loops` is "error" or "solve"; without it the
    diagram's own setting counts, or "error". `changed` is the record of `set` in results, `settings` replaces
    the diagram's own. `inputs` are the signals of its Inports, instead of the ones in the diagram's settings.
    Raises DiagramError, RunArgumentError.
    """
    parameters = mapping("parameters", parameters, '{"kp": 2.0}')
    set = mapping("set", set, '{"plant/motor.gain": 2.0}')
    inputs = mapping("inputs", inputs, '{"u": 1.0}')
    try:
        with undisturbed():
            errors = Errors()
            flat = gather(diagram, errors, parameters, set, log)
            if not flat.blocks and not errors.gathered:
                raise DiagramError(
                    f"diagram `{diagram.name}` has no blocks",
                    'expected: at least one: add("x", Integrator()),'
                    " in YAML `blocks: {x: {type: Integrator}}`",
                    location=diagram.location,
                )
            flat = replace(flat, changed=dict(changed or set or flat.changed))
            if settings is not None:
                flat = replace(flat, simulation=dict(settings))
            if loops is not None:
                flat = replace(flat, simulation={**flat.simulation, "loops": loops})
            if inputs or flat.simulation.get("inputs"):
                flat = _driven(flat, set, inputs)
            with errors:
                flat = replace(flat, taps=(*flat.taps, *find_sink_taps(flat)))
            plan = gather_plan(flat, errors)
            errors.finish()
            assert plan is not None
            return Program(flat, plan, copied(diagram))
    except DiagramError as error:
        error.diagram = diagram
        raise


def _driven(flat: FlatDiagram, changed: Mapping[str, Any], inputs: Mapping[str, Any]) -> FlatDiagram:
    """A diagram with the inputs of its settings, unless `changed` replaces them, and with `inputs`."""
    from ..model.inputs import with_inputs  # late: most diagrams have none

    settled: Any = flat.simulation.get("inputs")
    if settled:
        others = {name: value for name, value in settled.items() if f"{name}.default" not in changed}
        simulation = {name: value for name, value in flat.simulation.items() if name != "inputs"}
        flat = with_inputs(replace(flat, simulation=simulation), others)
    driven = with_inputs(flat, inputs)
    for name in inputs:
        if f"{name}.default" in changed:
            expected = "either an input or another value of its Inport, not both"
            raise RunArgumentError(f"inputs[{name!r}]", inputs[name], expected)
    return driven


def survey(diagram: Diagram, errors: Errors) -> None:
    """Gather the errors of a diagram that is being read, in addition to the errors that are there already."""
    with undisturbed(), errors:
        gather_plan(gather(diagram, errors, complete=False), errors)


def compile_flat(flat: FlatDiagram, source: Diagram) -> Program:
    """A program for a flat diagram; `source` is the diagram as declared. Raises DiagramError."""
    flat = replace(flat, taps=(*flat.taps, *find_sink_taps(flat)))
    return Program(flat, make_plan(flat), source)


def find_sink_taps(flat: FlatDiagram) -> list[Tap]:
    """The signals that sinks keep: a Scope's under the names of their sources, a Record's under its own.

    Raises DuplicateName when two signals would have one name.
    """
    listed = {(tap.path, tap.port) for tap in flat.taps}
    taken = {tap.name: (tap.path, tap.port) for tap in flat.taps}
    names = set(taken)
    taps: list[Tap] = []
    for block in flat.blocks:
        if not block.block.logs:
            continue
        log_name = block.block.log_name(block.path)
        for source in filter(None, block.sources.values()):
            name = f"{source[0]}.{source[1]}" if log_name is None else log_name
            if taken.setdefault(name, source) != source:
                raise DuplicateName(name, "signal", location=block.location)
            if source not in listed or (log_name is not None and name not in names):
                taps.append(Tap(name, *source))
                listed.add(source)
                names.add(name)
    return taps


def make_plan(flat: FlatDiagram) -> Plan:
    """Sizes, order, rates and memory of a flat diagram. Raises DiagramError, RunArgumentError."""
    errors = Errors()
    plan = gather_plan(flat, errors)
    errors.finish()
    assert plan is not None
    return plan


def gather_plan(flat: FlatDiagram, errors: Errors) -> Plan | None:
    """The plan of a flat diagram, with errors gathered; None if there are errors. Raises RunArgumentError."""
    solve = SETTINGS["loops"].read(flat.simulation.get("loops", "error")) == "solve"
    with errors:
        try:
            units = make_units(flat.blocks)
            infer_sizes(units, errors)
            order = find_order(units, solve=solve)
            if errors.gathered:
                return None
            order = find_rates(units, order, solve=solve)
            read = [*flat.logged, *((name, "y") for name in flat.outputs)]
            plan = lay_out(flat.name, units, order, read)
            plan.signal_units = SignalUnits(units, flat.stated_units)
            return plan
        except Undetermined:
            if not errors.gathered:  # a missing wire otherwise
                raise
        except BlockError as error:
            raise BadParameter("", "", error) from None
    return None
