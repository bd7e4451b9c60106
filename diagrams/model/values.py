"""Evaluate parameters, which may be expressions over one another, and put their values into blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from ...base.location import Location
from ...blocks.contract.block import Block
from ...blocks.contract.constant_formula import constant
from ...blocks.contract.errors import BlockError, FormulaError, ParameterError
from ...blocks.contract.formula import Formula, constant_hint
from ...blocks.contract.parameter import Array, Rule, as_number
from ...blocks.contract.parameter_expression import Parameter, expression, join_expressions
from ...blocks.contract.port import Size
from .errors import BadExpression, BadParameter, UnknownName, UnknownParameter
from .gathered import Errors

if TYPE_CHECKING:
    from .scope import Scope


Number: TypeAlias = "float | Array"
Value: TypeAlias = "float | Array | Parameter"

_RULE = Rule(True, infinite=True)
_LIBRARY = __name__.partition(".")[0] + "."
_concrete: WeakKeyDictionary[Block, tuple[Any, Block]] = WeakKeyDictionary()
"""Blocks with numbers for their expressions, by the declared block: its last numbers, and the block."""


def as_value(value: object, owner: str, name: str, location: Location | None = None) -> Value:
    """A number, vector or matrix, or the expression in a text that begins with `=`.

    Raises BadParameter, BadExpression.
    """
    value = join_expressions(value)
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

    Raises UnknownName for a name that is not a parameter, with a remedy if the enclosing diagram has it,
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
        reason = f"its parts have incompatible sizes{f': {sizes}' if sizes else ''}"
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
    """The error for a name in an expression that is not a parameter of its diagram."""
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
    """All parameters as numbers, in order of dependence; parameters with an error are left out.

    Gathers UnknownName, BadExpression (also for parameters that use one another in a cycle), BadParameter.
    `lost` are names that an error has reported: parameters that use them are left out too.
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
    while failed:  # and their users
        name = failed.pop()
        if waiting.pop(name, None) is not None or name not in declared:
            failed += users.get(name, ())
    if waiting:
        circle = _circle(waiting)
        text = waiting[circle[0]].formula.text
        reason = f"parameters use one another in a cycle: {' -> '.join([*circle, circle[0]])}"
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
    """One cycle among parameters that all depend on another of them."""
    position: dict[str, int] = {}
    name = min(waiting)
    while name not in position:
        position[name] = len(position)
        name = next(used for used in waiting[name].formula.names if used in waiting)
    return list(position)[position[name] :]


def concrete(
    block: Block,
    scope: Scope,
    path: str,
    location: Location | None,
    changed: Mapping[str, Any] | None = None,
) -> Block:
    """The block with a number for every expression; the block itself when it has none.

    As long as the numbers stay, a block of the library is one object, because some compute much when they
    are made; a user's block may warn.
    Raises UnknownParameter, UnknownName, BadExpression, BadParameter.
    """
    values = concrete_values(block, scope, path, location, changed)
    if not values:
        return block
    key = _key_of(values) if not changed and type(block).__module__.startswith(_LIBRARY) else None
    last = _concrete.get(block)
    if key is not None and last is not None and last[0] == key:
        return last[1]
    try:
        made = block.with_parameters(**values)
        if key is not None:
            _concrete[block] = key, made
        return made
    except ParameterError as error:
        at = written_at(scope, path, error.parameter, changed) or location
        raise BadParameter(path, error.parameter, error, location=at) from None
    except BlockError as error:
        raise BadParameter(path, "", error, location=location) from None


def _key_of(values: Mapping[str, Any]) -> Any:
    """Distinguishes values to the last bit; None for objects that may change unseen."""
    try:
        return _bits(values)
    except TypeError:
        return None


def _bits(value: Any) -> Any:
    """Raises TypeError for other objects."""
    if isinstance(value, Mapping):
        return tuple((name, _bits(each)) for name, each in value.items())
    if type(value) in (list, tuple):
        return type(value), *map(_bits, value)
    if value is None or type(value) in (str, bool, int):
        return type(value), value
    if type(value) is float:
        return value.hex()
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "bif":
        return type(value), value.dtype.str, value.shape, value.tobytes()
    raise TypeError(type(value))


def concrete_values(
    block: Block,
    scope: Scope,
    path: str,
    location: Location | None,
    changed: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """Values of a block's expressions, and values changed by the caller, by parameter; or `only` some.

    Raises UnknownParameter, UnknownName, BadExpression.
    """
    values = {name: value for name, value in vars(block).items() if isinstance(value, Parameter)}
    if changed:
        values.update({name: as_setting(value, path, name) for name, value in changed.items()})
    if only is not None:
        values = {name: value for name, value in values.items() if name in only}
    rules = block.rules()
    for name, value in values.items():
        if name not in rules:
            raise UnknownParameter(path, block.kind(), name, list(rules), location=location)
        if isinstance(value, Parameter):
            outer = scope.parent.numbers if scope.parent else None
            at = written_at(scope, path, name, changed) or location
            number = evaluate(value, scope.numbers, f"{path}.{name}", location=at, outer=outer)
            values[name] = value.finished(number if rules[name].number else _as_integers(number))
    return values


def written_at(
    scope: Scope, path: str, name: str, changed: Mapping[str, Any] | None = None
) -> Location | None:
    """The place of the expression of a block's or subsystem's parameter, unless the caller has changed it."""
    if changed and name in changed:
        return None
    return scope.diagram.expression_locations.get((path.rpartition("/")[2], name))


def as_setting(value: Any, path: str, name: str) -> Any:
    """A value from outside: text that begins with `=` is an expression; the block checks other values."""
    return as_value(value, path, name) if isinstance(value, str) and value.lstrip().startswith("=") else value


def _as_integers(value: Any) -> Any:
    """Whole numbers as integers: counts and indices are options, and expressions give floats."""
    if isinstance(value, list):
        return [_as_integers(item) for item in value]
    if hasattr(value, "tolist"):
        return _as_integers(value.tolist())
    return int(value) if isinstance(value, float) and value.is_integer() else value
