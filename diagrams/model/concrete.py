"""Concrete: a block with a number for each of its expressions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from ...base.location import Location
from ...blocks.contract.block import Block
from ...blocks.contract.errors import BlockError, ParameterError
from ...blocks.contract.parameter_expression import Parameter
from .errors import BadParameter, UnknownParameter
from .values import as_value, evaluate

if TYPE_CHECKING:
    from .scope import Scope


def concrete(
    block: Block,
    scope: Scope,
    path: str,
    location: Location | None,
    changed: Mapping[str, Any] | None = None,
) -> Block:
    """The block with a number for every expression; the block itself when it has none.

    Raises UnknownParameter, UnknownName, BadExpression, BadParameter.
    """
    values = concrete_values(block, scope, path, location, changed)
    if not values:
        return block
    try:
        return block.with_parameters(**values)
    except ParameterError as error:
        at = written_at(scope, path, error.parameter, changed) or location
        raise BadParameter(path, error.parameter, error, location=at) from None
    except BlockError as error:
        raise BadParameter(path, "", error, location=location) from None


def concrete_values(
    block: Block,
    scope: Scope,
    path: str,
    location: Location | None,
    changed: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """What a block's expressions come to, and what the caller has changed, by parameter; or `only` some.

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
    """Where the expression of a block's or subsystem's parameter stands, unless the caller has changed it."""
    if changed and name in changed:
        return None
    return scope.diagram.expression_locations.get((path.rpartition("/")[2], name))


def as_setting(value: Any, path: str, name: str) -> Any:
    """A value from outside: text that begins with `=` is an expression, the rest is left to the block."""
    return as_value(value, path, name) if isinstance(value, str) and value.lstrip().startswith("=") else value


def _as_integers(value: Any) -> Any:
    """Whole numbers as integers: counts and indices are options, and expressions give floats."""
    if isinstance(value, list):
        return [_as_integers(item) for item in value]
    if hasattr(value, "tolist"):
        return _as_integers(value.tolist())
    return int(value) if isinstance(value, float) and value.is_integer() else value
