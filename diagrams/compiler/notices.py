"""Report parts of a diagram that are allowed but may be unintended.

Among them are functions of a user's own that jump without an event, or write to objects that outlive a run.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import TYPE_CHECKING

from ...blocks.contract.block import Block
from ...blocks.contract.equations import argument_paths
from ...blocks.contract.parameter_expression import Parameter
from .jumps import Branch, branches, plain_python, syntax_of
from .plan.unit import HELD, Unit
from .program import Program

if TYPE_CHECKING:
    from ..model.diagram import Diagram

SHOWN = 3  # places of one block
CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "add", "discard")
)
"""Methods of containers that change them."""


def find_notices(program: Program) -> Iterator[str]:
    """One sentence each: place, fact, remedy."""
    flat, units = program.flat, program.plan.units
    if "stop" not in flat.simulation and "times" not in flat.simulation:
        yield "the diagram has no stop time: give one for each run (`stop` under `simulate`, or --stop)"
    if not flat.taps:
        yield "nothing is logged: name signals under `log`, or add a Scope"
    for path, names in _unused_parameters(program.source, ""):
        owner = f"subsystem {path}" if path else "the diagram"
        listed = ", ".join(f"`{name}`" for name in names)
        yield f"{owner} declares {listed} and does not use it: remove it, or write `=name` where it belongs"
    for text in program.plan.signal_units.contradictions:
        yield f"{text}: one of them is wrong, or a Gain with a `unit` is missing between them"
    read = {source[0] for block in flat.blocks for source in block.sources.values() if source is not None}
    read |= {tap.path for tap in flat.taps}
    for unit in units:
        if unit.output_ports and unit.path not in read:
            yield f"{unit.path} is unused: no block reads it and nothing logs it"
        for port, source in unit.inputs.items():
            default = unit.input_ports[port].default
            if source is None and default is not None:
                yield f"input {unit.path}.{port} is open and takes {default:g}"
    yield from branch_notices(program)
    yield from memory_notices(program)


def _unused_parameters(diagram: Diagram, path: str) -> Iterator[tuple[str, list[str]]]:
    used: set[str] = set()
    inner: list[tuple[str, Diagram]] = []
    for name, block in diagram.blocks.items():
        if isinstance(block, Block):
            values = [getattr(block, key) for key in block.rules()]
        else:
            values = list(block.overrides.values())
            inner.append((f"{path}/{name}" if path else name, block.diagram))
        used.update(_names(values))
    used.update(_names(diagram.parameters.values()))
    unused = [name for name in diagram.parameters if name not in used]
    if unused:
        yield path, unused
    for where, below in inner:
        yield from _unused_parameters(below, where)


def _names(values: object) -> Iterator[str]:
    for value in values:  # type: ignore[attr-defined]
        if isinstance(value, Parameter):
            yield from value.formula.names


def branch_notices(program: Program) -> Iterator[str]:
    """One sentence for every block whose own functions jump where the solver sees no event."""
    for unit, places in branching(program):
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        yield (
            f"{unit.path} branches on {', '.join(map(str, places[:SHOWN]))}{more}: no event marks that"
            " place, so that steps go across it and shrink there; write it with what has events"
            " (Expression, Switch, Compare, Relay), or as a class with a mode and a crossing"
        )


def branching(program: Program) -> Iterator[tuple[Unit, list[Branch]]]:
    """The blocks whose own functions jump where the solver sees no event, and the places."""
    if not program.plan.states:
        return  # no state, no error control: no step is shortened
    for unit in program.plan.units:
        places = list(dict.fromkeys(_branches_of(unit)))
        if places:
            yield unit, places


def _branches_of(unit: Unit) -> Iterator[Branch]:
    block = unit.block
    if type(block).__module__.startswith("blockdyn.") and not written_functions(unit):
        return
    if unit.ticked or unit.mode_count or unit.crossing_slots:
        return
    names = {*unit.inputs, *(state.name for state in block.states), "t"}
    flows = any(rate != HELD for rate in unit.rate.values())
    for role, function in written_functions(unit).items():
        if role == "derivative" or (role.startswith("output") and flows):
            paths = argument_paths(unit.functions[role])
            yield from branches(function, {path for path, name in paths if name in names})


def written_functions(unit: Unit) -> dict[str, FunctionType]:
    """The functions that a user wrote, by role."""
    plain = {role: plain_python(function) for role, function in unit.functions.items()}
    return {role: function for role, function in plain.items() if function is not None}


def memory_notices(program: Program) -> Iterator[str]:
    """One sentence for every block whose function, run by Python, writes to something outside of it."""
    for unit in program.plan.units:
        written: dict[str, int] = {}
        for function in unit.functions.values():
            written |= dict(_find_writes(getattr(function, "function", function)))
        if written and unit.path in program.callbacks.reasons:
            places = ", ".join(f"`{name}` (line {line})" for name, line in written.items())
            yield (
                f"{unit.path} writes to {places}, which outlives the run: a run, or a scenario of a sweep,"
                " may depend on those before it; keep it in a state of a block, see docs/writing-blocks.md"
            )


def _find_writes(function: object) -> Iterator[tuple[str, int]]:
    """Names that a function writes to, except its own variables, with their lines."""
    owner = ""
    if not isinstance(function, FunctionType):  # an object that is called, or a method
        if _module(type(function)) in ("blockdyn", "numpy", "numba"):
            return
        method = function if inspect.ismethod(function) else vars(type(function)).get("__call__")
        function = getattr(method, "__func__", method)
        owner = "self"
    if not isinstance(function, FunctionType) or _module(function) == "blockdyn":
        return
    syntax = syntax_of(function)
    if syntax is None:
        return
    code = function.__code__
    local_names = {*code.co_varnames[bool(owner) :], *code.co_cellvars}
    for node in ast.walk(syntax):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from ((name, node.lineno) for name in node.names)
        for target in _targets(node):
            base = target
            while isinstance(base, (ast.Subscript, ast.Attribute)):
                base = base.value
            if base is not target and isinstance(base, ast.Name) and base.id not in local_names:
                yield base.id, target.lineno


def _module(definition: object) -> str:
    """The package of a function or a type; empty if it was made from text."""
    return (definition.__module__ or "").partition(".")[0]


def _targets(node: ast.AST) -> list[ast.expr]:
    """Expressions that a piece of a function assigns to, or changes."""
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return [node.target]
    call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING
    return [node.func] if call and isinstance(node, ast.Call) else []
