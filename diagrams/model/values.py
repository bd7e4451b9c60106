"""Values of diagram parameters: numbers, or expressions over one another, evaluated in their order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ...base.location import Location
from ...blocks.contract.constant_formula import constant
from ...blocks.contract.errors import FormulaError, ParameterError
from ...blocks.contract.formula import Formula, constant_hint
from ...blocks.contract.parameter import Array, Rule, as_number
from ...blocks.contract.parameter_expression import Parameter, expression, joined
from ...blocks.contract.port import Size
from .errors import BadExpression, BadParameter, UnknownName
from .gathered import Errors

Number: TypeAlias = "float | Array"
Value: TypeAlias = "float | Array | Parameter"

_RULE = Rule(True, infinite=True)


def as_value(value: object, owner: str, name: str, location: Location | None = None) -> Value:
    """A number, vector or matrix, or the expression that a text beginning with `=` holds.

    Raises BadParameter, BadExpression.
    """
    value = joined(value)
    if isinstance(value, Parameter):
        return value
    if isinstance(value, str) and value.lstrip().startswith("="):
        text = value.strip()[1:]
        try:
            return expression(text)
        except FormulaError as error:
            raise BadExpression(f"{owner}.{name}", text, error, location=location) from None
    try:
        return as_number(owner, name, value, _RULE)
    except ParameterError as error:
        raise BadParameter(owner, name, error, location=location) from None


def evaluate(
    value: Parameter,
    names: Mapping[str, Number],
    place: str,
    *,
    location: Location | None = None,
    outer: Mapping[str, Number] | None = None,
) -> Any:
    """The number or list of an expression.

    Raises UnknownName for a name that is no parameter, with what to do when the enclosing diagram has it,
    and BadExpression.
    """
    formula = value.formula
    for name in formula.names:
        if name not in names:
            raise unknown(name, formula, names, place, outer=outer, location=location)
    try:
        return constant(formula, names)
    except FormulaError as error:
        raise BadExpression(place, formula.text, error, location=location) from None
    except (ValueError, TypeError):
        sizes = ", ".join(f"{name} is {Size(np.shape(names[name]))}" for name in formula.names)
        reason = f"its parts are of sizes that do not go together{f': {sizes}' if sizes else ''}"
        raise BadExpression(place, formula.text, reason, location=location) from None


def unknown(
    name: str,
    formula: Formula,
    choices: Iterable[str],
    place: str,
    *,
    outer: Mapping[str, Number] | None = None,
    location: Location | None = None,
) -> UnknownName:
    """The error for a name in an expression that is no parameter of its diagram."""
    names = sorted(choices)
    hint = "declare it among the parameters of its diagram" + constant_hint(name)
    if outer is not None and name in outer:
        hint = f"the enclosing diagram has `{name}`: declare it here too and pass it on, `{name}: ={name}`"
    return UnknownName(
        name, f"`={formula.text}` for {place}", names, hint=hint, path=place, location=location
    )


def resolve(
    declared: Mapping[str, Value],
    errors: Errors,
    *,
    outer: Mapping[str, Number] | None = None,
    path: str = "",
    locations: Mapping[str, Location | None] | None = None,
    lost: Collection[str] = (),
) -> dict[str, Number]:
    """All parameters as numbers, each after those that it uses; those with an error are left out.

    Gathers UnknownName, BadExpression (also for parameters that use one another in a circle), BadParameter.
    `lost` are names that an error has been told of: what uses them is left out too.
    """
    done: dict[str, Number] = {n: v for n, v in declared.items() if not isinstance(v, Parameter)}
    waiting = {n: v for n, v in declared.items() if isinstance(v, Parameter)}
    users: dict[str, list[str]] = {}
    missing: dict[str, int] = {}
    where = locations or {}
    for name, value in waiting.items():
        needed = [used for used in value.formula.names if used in waiting or used not in declared]
        missing[name] = len(needed)
        for used in needed:
            users.setdefault(used, []).append(name)
            if used not in declared and used not in lost:
                with errors:
                    place = f"{path}.{name}" if path else name
                    raise unknown(used, value.formula, declared, place, outer=outer, location=where.get(name))
    failed = [used for used in users if used not in declared]
    ready = [name for name, count in missing.items() if not count]
    while ready:
        name = ready.pop()
        with errors:
            done[name] = _number(name, waiting[name], done, path, where.get(name))
        if name not in done:
            failed.append(name)
            continue
        del waiting[name]
        for user in users.get(name, ()):
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    while failed:  # and what uses them
        name = failed.pop()
        if waiting.pop(name, None) is not None or name not in declared:
            failed += users.get(name, ())
    if waiting:
        circle = _circle(waiting)
        text = waiting[circle[0]].formula.text
        reason = f"parameters use one another in a circle: {' -> '.join([*circle, circle[0]])}"
        with errors:
            place = f"{path}.{circle[0]}" if path else circle[0]
            raise BadExpression(place, text, reason, location=where.get(circle[0]))
    return {name: done[name] for name in declared if name in done}


def _number(
    name: str, value: Parameter, done: Mapping[str, Number], path: str, at: Location | None
) -> Number:
    result = evaluate(value, done, f"{path}.{name}" if path else name, location=at)
    try:
        return as_number(path or "diagram", name, result, _RULE)
    except ParameterError as error:
        raise BadParameter(path, name, error, location=at) from None


def _circle(waiting: Mapping[str, Parameter]) -> list[str]:
    """One circle among parameters that all wait for another one of them."""
    position: dict[str, int] = {}
    name = min(waiting)
    while name not in position:
        position[name] = len(position)
        name = next(used for used in waiting[name].formula.names if used in waiting)
    return list(position)[position[name] :]
