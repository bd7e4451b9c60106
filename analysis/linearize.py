"""Linearize: the linear model of a diagram between any of its signals, at a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ..diagrams.compiler.plan.unit import HELD
from ..diagrams.compiler.program import Program
from ..native.tangent.refused import NotDifferentiable
from .errors import AnalysisError
from .models.linear_model import LinearModel
from .opening import IN, OUT, Signal, opened, signals
from .point import At, OperatingPoint, point_of

Names: TypeAlias = "str | Iterable[str] | None"


def linearize(
    program: Program, inputs: Names, outputs: Names, *, at: At, time: float | None, open: Names,
    sample_time: float | None,
) -> LinearModel:  # fmt: skip
    """See `Diagram.linearize`."""
    _refuse_delays(program)
    point = point_of(program, at, time)
    ports = {variable.name for variable in program.inputs}
    states = {variable.name: variable for variable in program.states}
    entries = _listed(program.flat.inputs if inputs is None else inputs)
    exits = _listed(program.flat.outputs if outputs is None else outputs)
    added = signals("inputs", [name for name in entries if name not in ports], program.flat)
    cuts = signals("open", _listed(open or ()), program.flat)
    read = signals(
        "outputs", [n for n in exits if n not in program.flat.outputs and n not in states], program.flat
    )
    if cuts:
        point = _held_at(program, cuts, point)
    of_diagram = opened(program, added, read, cuts) if added or read or cuts else program
    if sample_time is None and not (_ticking(program) or _shows_held(of_diagram)):
        sample_time = 0.0
    model = _model(of_diagram, point, sample_time)
    model = _with_states(model, [n for n in exits if n in states])
    chosen = _names(entries, added, IN, ports), _names(exits, read, OUT, {*program.flat.outputs, *states})
    model = model.part(inputs=[*chosen[0]], outputs=[*chosen[1]])
    return replace(
        model,
        inputs=tuple(name.replace(IN, "") for name in model.inputs),
        outputs=tuple(name.replace(OUT, "") for name in model.outputs),
    )


def _model(program: Program, point: OperatingPoint, sample_time: float | None) -> LinearModel:
    if sample_time == 0.0:
        return program.jacobian(point.time, point.states, point.inputs, held=point.held)
    from .sampled import sampled_model

    return sampled_model(program, point, sample_time)


def _ticking(program: Program) -> bool:
    """Whether there are clocks, and something flows from what ticks by them."""
    return any(i not in program.plan.reading for i in range(len(program.plan.clocks)))


def _shows_held(program: Program) -> bool:
    """Whether there are clocks, and an output that changes at ticks alone."""
    outputs = {unit.path: unit for unit in program.plan.units if unit.path in program.flat.outputs}
    return bool(program.plan.clocks) and any(unit.rate["y"] == HELD for unit in outputs.values())


def _refuse_delays(program: Program) -> None:
    delays = [unit.path for unit in program.plan.units if "remember" in unit.functions]
    if delays:
        raise NotDifferentiable("a history along time, which is no finite number of states", delays)


def _listed(names: str | Iterable[str]) -> list[str]:
    listed = [names] if isinstance(names, str) else list(names)
    if len(set(listed)) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise AnalysisError(f"{twice!r} is named twice", "each name once")
    return listed


def _names(asked: Sequence[str], added: Sequence[Signal], suffix: str, ports: Iterable[str]) -> Iterable[str]:
    """The names in the program, in the order asked for; a block stands for all its signals."""
    names = {*ports}
    for name in asked:
        if name in names:
            yield name
        else:
            yield from (s.name + suffix for s in added if s.name == name or s.name.startswith(f"{name}."))


def _held_at(program: Program, cuts: Sequence[Signal], point: OperatingPoint) -> OperatingPoint:
    """The point with the inputs that take the place of cut signals at the values that these have there."""
    closed = opened(program, (), cuts, ())
    values = closed.outputs(point.time, point.states, point.inputs, held=point.held)
    return point.with_inputs({cut.name + IN: values[cut.name + OUT] for cut in cuts})


def _with_states(model: LinearModel, names: Sequence[str]) -> LinearModel:
    """The model with states among its outputs."""
    rows = [i for name in names for i, each in enumerate(model.states) if each.partition("[")[0] == name]
    if not rows:
        return model
    return replace(
        model,
        C=np.vstack([model.C, np.eye(len(model.states))[rows]]),
        D=np.vstack([model.D, np.zeros((len(rows), len(model.inputs)))]),
        g_t=np.concatenate([model.g_t, np.zeros(len(rows))]),
        outputs=(*model.outputs, *(model.states[i] for i in rows)),
    )
