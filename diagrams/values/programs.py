"""Programs of a diagram as it is, and with new values wherever `set` names them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.errors import BlockdynError
from ..compiler.compile import compile_diagram
from ..compiler.kept import fails, find_program, is_kept, keep, keep_failure
from ..compiler.program import Program
from ..model.arguments import mapping
from ..model.diagram import Diagram
from ..model.scope import outermost_numbers
from ..model.subsystem import Subsystem
from ..runs.settings import overriding
from .change import Change
from .reach import Reach
from .target import Overrides
from .view import View

WARNED = "warned"
"""Key of the warnings of a program that is compiled before it is requested."""


def compile_with_values(
    diagram: Diagram,
    *,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    log: Sequence[str] | None = None,
    loops: str | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Program:
    """The program of a diagram with other parameters, and with other values at the paths of `set`.

    Paths are those of a sweep's axes, see `resolve`. Raises DiagramError, RunArgumentError.
    """
    parameters = mapping("parameters", parameters, '{"kp": 2.0}')
    set = mapping("set", set, '{"plant/motor.gain": 2.0}')
    if not parameters and not set and log is None and inputs is None:
        return _compile_as_is(diagram, loops)
    numbers = are_numbers([*parameters.values(), *set.values()])
    base = _find_shared_program(diagram, loops) if log is None and inputs is None and numbers else None
    if all(names_parameter(diagram, path) for path in set):
        new = Overrides({**parameters}, {**set})
    else:
        from .overrides import changes  # late: most runs change whole parameters

        new = changes(diagram, parameters, set, view=None if base is None else _view(base))
    again = None if base is None else _with_numbers(base, new, set)
    if again is not None:
        return again
    run = new.simulate | ({"initial": new.initial} if new.initial else {})
    return compile_diagram(
        diagram, parameters=new.parameters, set=new.set, log=log, loops=loops, changed=set,
        settings=overriding(diagram.simulation, run) if run else None, inputs=inputs,
    )  # fmt: skip


def _with_numbers(program: Program, new: Overrides, changed: Mapping[str, Any]) -> Program | None:
    """A program with the same code and new numbers, all for whole parameters; None if the code differs.

    `changed` is the record of `set` in its results. Errors in the values are found later, when the
    diagram is compiled with them.
    """
    diagram = program.source
    if new.simulate or new.initial:
        return None
    if not diagram.parameters.keys() >= new.parameters.keys():
        return None
    key = "change", *new.parameters, None, *new.set
    if key not in program.shared:
        reach = Reach(diagram, new.parameters, new.set)
        if not reach.complete or not program.plan.by_path.keys() >= {*reach.blocks}:
            return None
        program.shared[key] = reach, Change(program, reach).likeness  # not the program itself: no circle
    reach, likeness = program.shared[key]
    try:
        blocks, _ = reach.changed(new.parameters, new.set)
        numbers = outermost_numbers(diagram, new.parameters)
    except BlockdynError:
        return None
    return program.with_blocks(
        blocks, likeness, parameters=numbers, changed=dict(changed), overriding=dict(new.parameters)
    )


def _compile_as_is(diagram: Diagram, loops: str | None) -> Program:
    """The program of a diagram with its own values, the same as long as nothing changes."""
    program = find_program(diagram, loops)
    if program is None:
        return keep(diagram, loops, compile_diagram(diagram, loops=loops))
    for each in program.shared.pop(WARNED, ()):
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return program


def _find_shared_program(diagram: Diagram, loops: str | None) -> Program | None:
    """The program whose text others share; None if the diagram is valid only with other values.

    Warnings about its own values are kept until these are used. Also None if there are such warnings,
    since other values may cause the same ones.
    """
    if not is_kept(diagram) or fails(diagram, loops):
        return None
    program = find_program(diagram, loops)
    if program is not None and "text" in vars(program):
        return program
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            program = program or keep(diagram, loops, compile_diagram(diagram, loops=loops))
            program.text  # noqa: B018  made here, so that it is shared
        except Exception:  # noqa: BLE001  blocks of users may raise anything
            keep_failure(diagram, loops)
            return None
    if warned:
        program.shared[WARNED] = warned
        return None
    return program


def _view(program: Program) -> View:
    """The diagram of a program, opened once."""
    if "view" not in program.shared:
        program.shared["view"] = View(program.source)
    view: View = program.shared["view"]
    return view


def names_parameter(diagram: Diagram, path: str) -> bool:
    """True if a path names a diagram's parameter or, whole, a parameter of a block or subsystem."""
    owner, dot, name = path.rpartition(".")
    if not dot:
        return path in diagram.parameters
    *outer, last = owner.split("/")
    for part in outer:
        inner = diagram.blocks.get(part)
        if not isinstance(inner, Subsystem):
            return False
        diagram = inner.diagram
    block = diagram.blocks.get(last)
    if isinstance(block, Subsystem):
        return name in block.diagram.parameters
    return block is not None and name in block.rules()


def program_of(
    diagram: Diagram,
    parameters: Mapping[str, Any] | None = None,
    set: Mapping[str, Any] | None = None,
    *,
    loops: str | None = None, inputs: Mapping[str, Any] | None = None,
) -> Program:  # fmt: skip
    """The program of the diagram as it is now.

    `parameters` gives diagram parameters other values, `set` whatever an axis of a sweep may name:
    `{"plant/arm.mass": 2.0, "gain.k[0]": 1.0, "arm.robot.payload.mass": 1.5, "x.x": [1.0, 0.0],
    "simulate.rtol": 1e-8}`. Different numbers need no recompilation; a different shape of a parameter
    acts as if it were declared so. `inputs` gives the signals of its Inports, see
    `docs/open-diagrams.md`. Algebraic loops are errors, or with `loops="solve"` equations that Newton's
    method solves at every evaluation.
    """
    return compile_with_values(diagram, parameters=parameters, set=set, loops=loops, inputs=inputs)


def are_numbers(value: object) -> bool:
    """True if a value is a number, an array, or a list of such."""
    if isinstance(value, (list, tuple)):
        return all(map(are_numbers, value))
    return isinstance(value, (int, float, np.ndarray))
