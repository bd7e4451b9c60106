"""Describe the parameters of a diagram for those who use it as a block."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.location import Location, caller
from ...base.schema import NUMBER, TEXT, fits, in_words
from ...base.words import short
from ...blocks.contract.errors import ParameterError
from ...blocks.contract.parameter import Rule, as_number
from ...blocks.contract.parameter_expression import Parameter
from ...blocks.contract.units import WRITTEN, is_readable
from .arguments import described, parameter_name, text_of
from .diagram_error import bad_argument
from .errors import BadParameter
from .gathered import Errors
from .values import Number, as_value, evaluate

if TYPE_CHECKING:
    from .diagram import Diagram


@dataclass(frozen=True)
class Requirement:
    """A condition on the parameters, and the message if it does not hold."""

    condition: Parameter
    message: str
    location: Location | None


@dataclass(frozen=True)
class Choice:
    """A parameter that is not a number, such as the name of a vehicle; it replaces `=name` in the file.

    `default` is plain data, or None if the user must give a value.
    """

    rule: Rule
    default: Any
    location: Location | None = None


DECLARED = {
    "unit": TEXT, "doc": TEXT, "minimum": NUMBER, "above": NUMBER, "maximum": NUMBER,
    "choices": {"type": "array", "items": NUMBER},
}  # fmt: skip
"""The parts of a number's declaration, by name."""


def rule_of(
    unit: str, doc: str, minimum: float | None, above: float | None, maximum: float | None,
    choices: Sequence[float],
) -> Rule:  # fmt: skip
    """The rule of a number, as declared. Raises DiagramError."""
    declared = {
        "unit": unit, "doc": doc, "minimum": minimum, "above": above, "maximum": maximum, "choices": choices,
    }  # fmt: skip
    for name, value in declared.items():
        if value is not None and not fits(value, DECLARED[name]):
            raise bad_argument(name, described(value), in_words(DECLARED[name]), caller())
    if not is_readable(unit):
        raise bad_argument("unit", described(unit), WRITTEN, caller())
    return Rule(True, unit, doc, minimum, above, True, choices=tuple(choices), maximum=maximum)


def requirement(owner: str, condition: str, message: str, at: Location | None) -> Requirement:
    """A condition on parameters, read from text. Raises DiagramError, BadExpression."""
    text = text_of("condition", condition, '"low < high"').strip().removeprefix("=")
    text_of("message", message, '"the limits are the wrong way round"')
    read = as_value(f"={text}", owner, "a check", at)
    assert isinstance(read, Parameter)
    return Requirement(read, message, at)


def declare(diagram: Diagram, key: str, value: Any, rule: Rule, at: Location | None) -> None:
    """Declare a parameter of a diagram; None means that the user must give a value.

    Raises BadName, BadParameter.
    """
    name = parameter_name(key, at)
    number = np.nan if value is None else as_value(value, diagram.name, name, at)
    diagram._parameters[name] = number
    diagram.parameter_locations[name] = at
    if rule != Rule(True, infinite=True):
        diagram.rules[name] = rule
    diagram.needed[:] = [other for other in diagram.needed if other != name]
    if value is None:
        diagram.needed.append(name)
    else:
        hold_one(diagram, name, number, "", at)


def missing(
    diagram: Diagram, supplied: Collection[str], errors: Errors, path: str, at: Location | None
) -> set[str]:
    """Required parameters without a value; gathers their errors."""
    names = {name for name in diagram.needed if name not in supplied}
    for name in diagram.needed:
        if name in names and f"={name}" not in errors.spoilt(diagram):
            rule = diagram.rules.get(name, Rule(True))
            meaning = f": {rule.doc}" if rule.doc else ""
            unit = f", in {rule.unit}" if rule.unit else ""
            reason = f"`{name}` is not given, and has no default{meaning}\nexpected: a number{unit}"
            with errors:
                raise BadParameter(path, name, reason, location=at)
            errors.spoil(diagram, f"={name}")
    return names


def hold(
    diagram: Diagram,
    numbers: dict[str, Number],
    errors: Errors,
    path: str,
    places: Mapping[str, Location | None],
    at: Location | None,
) -> None:
    """Gather BadParameter for numbers that break a rule, and for conditions among them that fail.

    Numbers that break a rule are removed.
    `places` are the locations of the numbers, `at` the location where the diagram is used.
    """
    for name in diagram.rules:
        if name in numbers:
            with errors:
                hold_one(diagram, name, numbers[name], path, places.get(name) or at)
                continue
            del numbers[name]  # so that its users are skipped
            errors.spoil(diagram, f"={name}")
    for requirement in diagram.requirements:
        names = requirement.condition.formula.names
        if any(f"={name}" in errors.spoilt(diagram) for name in names):
            continue
        before = len(errors.gathered)
        with errors:
            where = f"a check of {path or diagram.name}"
            if not np.all(evaluate(requirement.condition, numbers, where, location=requirement.location)):
                values = ", ".join(f"{name} is {short(numbers[name], 40)}" for name in names)
                text = f"{requirement.message}\nexpected: {requirement.condition.formula.text}; {values}"
                said = f"{text}{_declared_at(requirement.location, at)}"
                raise BadParameter(path, "", said, location=at or requirement.location)
        if len(errors.gathered) > before:  # users of these are skipped
            for name in names:
                numbers.pop(name, None)
                errors.spoil(diagram, f"={name}")


def hold_one(diagram: Diagram, name: str, value: Any, path: str, at: Location | None) -> None:
    """Raise BadParameter for a number that breaks its rule; an expression is checked once it has a number."""
    rule = diagram.rules.get(name)
    if rule is None or isinstance(value, Parameter):
        return
    try:
        as_number(diagram.name, name, value, rule)
    except ParameterError as error:
        expected = error.expected + (f", in {rule.unit}" if rule.unit else "")
        expected += _declared_at(diagram.parameter_locations.get(name), at)
        cause = ParameterError(diagram.name, name, error.actual, expected, element=error.element)
        raise BadParameter(path, name, cause, location=at) from None


def _declared_at(place: Location | None, reported: Location | None) -> str:
    """The place of the declaration, unless the error names it anyway."""
    return f" (declared at {place})" if place is not None and place != reported else ""
