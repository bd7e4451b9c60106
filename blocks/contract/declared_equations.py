"""Declared equations: the functions of a block class against its ports, states and crossings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...base.words import nearest
from .block import Block
from .declared_arguments import check_arguments
from .declared_parts import Wrong, own_text
from .declared_slips import check_idle, check_result, check_strays, strays
from .equations import ROLES
from .wiring import Wiring

if TYPE_CHECKING:
    from .port import State

COMPUTED = {
    "inputs": "input_ports", "outputs": "output_ports", "crossings": "zero_crossings", "states": "states",
}  # fmt: skip


def check_equations(kind: type[Block]) -> None:
    """Raise Wrong if a function is missing, is never called, or has an argument that the block lacks."""
    if kind.functions is not Block.functions or issubclass(kind, Wiring):
        return
    functions = _static(kind)
    for role, function in functions.items():
        _check_function(role, function)
        check_result(role, function)
    open_facts = {fact for fact in COMPUTED if _is_computed(kind, fact)}
    if "outputs" not in open_facts:
        _check_outputs(kind, functions)
    if "states" not in open_facts:
        _check_states(kind, functions)
    check_strays(kind, ROLES)
    if "crossings" not in open_facts:
        _check_events(kind, functions)
    _check_sampling(kind)
    if not open_facts and kind.constants is Block.constants:
        _check_initials(kind)
        if kind.scratch is Block.scratch and kind.memory is Block.memory:
            numbers = [name for name, rule in kind.rules().items() if rule.number]
            check_arguments(kind, functions, (*kind.inputs, *kind.outputs), kind.crossings, numbers)


def _is_computed(kind: type[Block], fact: str) -> bool:
    """True if the class computes it from its parameters, so that it is known only for a block."""
    method = COMPUTED[fact]
    return not isinstance(getattr(kind, fact), tuple) or (
        method != fact and getattr(kind, method) is not getattr(Block, method)
    )


def _static(kind: type[Block]) -> Mapping[str, Callable[..., Any]]:
    """The functions by role. Raises Wrong for one that is not a static method."""
    outputs = [port.name for port in kind.outputs] if isinstance(kind.outputs, tuple) else []
    functions = {}
    for name in dir(kind):
        if name not in ROLES and not name.startswith("output_"):
            continue
        value = inspect.getattr_static(kind, name)
        if isinstance(value, staticmethod):
            functions[name] = value.__func__
        elif name in ROLES or name.removeprefix("output_") in outputs:
            description = "a method" if inspect.isfunction(value) else own_text(value)
            raise Wrong(
                name,
                description,
                "a static method: write @staticmethod above it; its arguments name the values that it needs",
            )
    return functions


def _check_function(role: str, function: Any) -> None:
    if not callable(function):
        raise Wrong(role, own_text(function), "a function")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        kind = "an async function" if inspect.iscoroutinefunction(function) else "a generator"
        raise Wrong(role, kind, "a plain function that returns numbers")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        mistake = f"{own_text(function)}, which does not declare its arguments"
        raise Wrong(role, mistake, "a function with named arguments") from None
    for argument in parameters:
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD, argument.KEYWORD_ONLY):
            expected = "plain arguments: the names of inputs, parameters, states"
            raise Wrong(role, f"argument `{argument.name}` is not a plain one", expected)


def _check_outputs(kind: type[Block], functions: Mapping[str, Any]) -> None:
    names = [port.name for port in kind.outputs]
    single = [role for role in functions if role.startswith("output_")]
    for role in single:
        if role.removeprefix("output_") not in names:
            choices = ", ".join(names) or "none"
            mistake = f"the block has no output `{role.removeprefix('output_')}`{nearest(role[7:], names)}"
            raise Wrong(role, mistake, f"output_NAME for one of its outputs: {choices}")
    missing = [name for name in names if f"output_{name}" not in functions]
    if missing and "output" not in functions:
        remedy = "`outputs = ()` where there is none, `abstract = True` in a base"
        expected = f"a static method `output`, or `output_{missing[0]}`; {remedy}"
        raise Wrong("outputs", f"nothing computes `{missing[0]}`{_instead(kind, 'output')}", expected)
    if "output" in functions and not missing:
        raise Wrong("output", "the block has no output for it", "an output in `outputs`")


def _check_states(kind: type[Block], functions: Mapping[str, Any]) -> None:
    flowing = [state for state in kind.states if not state.held]
    held = [state for state in kind.states if state.held and not state.fixed]
    if kind.sampled:
        _require_function(kind, kind.states, functions, "update", "of a sampled block")
    else:
        _require_function(
            kind, flowing, functions, "derivative", "that is continuous (`held=True` if it is not)"
        )
        _require_function(kind, held, functions, "jump", "that is held (`fixed=True` if it never changes)")
    uncalled = {
        "derivative": kind.sampled or not flowing,
        "update": not kind.sampled or not (kind.states or kind.memory is not Block.memory),
        "jump": not kind.states,
    }
    for role, useless in uncalled.items():
        if useless and role in functions:
            states = "states that flow" if role == "derivative" else "states or memory"
            sampled = "a sampled block (`sampled = True`) with " if role == "update" else ""
            raise Wrong(role, "it would never be called", f"{sampled}{states}, or no `{role}`")


def _require_function(
    kind: type[Block], states: Sequence[State], functions: Mapping[str, Any], role: str, which: str
) -> None:
    if states and role not in functions:
        mistake = f"no function changes `{states[0].name}`{_instead(kind, role)}"
        raise Wrong("states", mistake, f"a static method `{role}`, for a state {which}")


def _instead(kind: type[Block], role: str) -> str:
    """A function with a name similar to a missing one."""
    return next((f": `{name}`{near}" for name in strays(kind) if (near := nearest(name, [role]))), "")


def _check_events(kind: type[Block], functions: Mapping[str, Any]) -> None:
    if kind.crossings and "crossing" not in functions:
        mistake = f"nothing computes `{kind.crossings[0].name}`{_instead(kind, 'crossing')}"
        raise Wrong("crossings", mistake, "a static method `crossing` that gives their values")
    if "crossing" in functions and not kind.crossings:
        raise Wrong("crossing", "the block declares no crossings", 'crossings = (bd.Crossing("name"),)')
    check_idle(functions)
    if kind.crossings or kind.sampled or kind.timers is not Block.timers:
        return
    for role in ("jump", "mode"):
        if role in functions:
            expected = "crossings, or timers: there are no other events in a block"
            raise Wrong(role, "it is called at events, and the block has none", expected)


def _check_sampling(kind: type[Block]) -> None:
    numbers = [name for name, rule in kind.rules().items() if rule.number]
    for name in ("sample_time", "offset") if kind.sampled else ():
        if name not in numbers:
            expected = f'`{name}: bd.Real = bd.parameter(default=..., unit="s", dimensions=(0,))`'
            raise Wrong(name, "a sampled block that does not have it as a number", expected)
    held = kind.held_initial
    known = held in numbers or (kind.constants is not Block.constants and isinstance(held, str))
    if held != "" and not (kind.sampled and known):
        expected = f"in a sampled block, one of its parameters: {', '.join(numbers) or 'none'}"
        raise Wrong("held_initial", own_text(held), expected)


def _check_initials(kind: type[Block]) -> None:
    numbers = [name for name, rule in kind.rules().items() if rule.number]
    for state in kind.states:
        if state.initial not in numbers:
            close = nearest(state.initial, numbers)
            mistake = f"initial of `{state.name}` is `{state.initial}`, which the block does not have{close}"
            raise Wrong(
                "states", mistake, f"the name of a parameter: {', '.join(numbers) or 'there is none'}"
            )
