"""Make the JSON Schema of a sweep's declaration from the tables that read it."""

from __future__ import annotations

from typing import Any

from ...base.schema import (
    POSITIVE,
    TEXT,
    TEXTS,
    fits,
    in_words,
    integer,
    mapping,
    optional,
    reference,
    table,
    without_none,
)
from ...base.words import nearest, short
from ...diagrams.model.gathered import Errors
from ...diagrams.model.section import Section
from ..errors import SweepError
from .axes import explicit
from .distributions import FORMS as DISTRIBUTIONS
from .sampling import METHODS

_NUMBER = {"type": "number"}
_NUMBERS = {"type": "array", "items": _NUMBER, "minItems": 1}
_ANY = {"type": ["number", "string", "array", "object", "boolean"]}
_LIST = {"type": "array", "items": _ANY, "minItems": 1}


def _range(scale: str) -> dict[str, Any]:
    return {
        "type": "array",
        "prefixItems": [_NUMBER, _NUMBER, integer(1)],
        "minItems": 3,
        "maxItems": 3,
        "description": f"[first, last, how many], at even distances on a {scale} scale",
    }


def _distribution(name: str) -> dict[str, Any]:
    """The numbers of a distribution, by the annotations of its class."""
    form = DISTRIBUTIONS[name]
    kinds: dict[str, Any] = {"float": _NUMBER, "tuple[float, ...]": _NUMBERS}
    rows = {"type": "array", "items": _NUMBERS, "minItems": 1}
    numbers = {number: kinds.get(form.kind.__annotations__[number], rows) for number in form.numbers}
    return mapping(form.about, **numbers) | {"required": list(form.numbers)}


_EXPLICIT = {
    "values": _LIST,
    "linspace": _range("linear"),
    "logspace": _range("logarithmic"),
    "count": integer(1) | {"description": "0, 1, ... n - 1"},
}
FORMS: dict[str, Any] = {
    **{name: _EXPLICIT[name] for name in explicit.FORMS},
    **{name: _distribution(name) for name in DISTRIBUTIONS},
    "paths": {
        "type": "array",
        "items": TEXT,
        "minItems": 1,
        "description": "paths that get the value, if the axis has a name of its own",
    },
}
"""What an axis may say, by key."""
AXIS = {"anyOf": [_LIST, {"type": "object", "properties": FORMS, "additionalProperties": False}]}
_KEEP = mapping(
    "The trajectories that a sweep keeps, at common times.",
    signals=optional(
        {"anyOf": [TEXTS, {"type": "string", "const": "all"}]}, "the signals to keep, or all logged"
    ),
    every=optional(POSITIVE, "distance of the common times, s"),
    worst=optional(integer(1), "number of scenarios; default: all"),
    by=optional(TEXT, "the measure whose largest values are the worst"),
)
SWEEP = mapping(
    "Scenarios of the diagram: axes that vary, and measures of each scenario.",
    number=optional(integer(1), "samples of the axes that are drawn"),
    seed=optional(integer(0), "of everything drawn"),
    sampling=optional(
        {"type": "string", "enum": list(METHODS)}, "how the axes with a distribution are drawn"
    ),
    axes=optional(table(reference("Axis")), "the axes, by path or by a name of their own"),
    zip=optional({"type": "array", "items": TEXTS}, "groups of axes that go together, not crossed"),
    file=optional(TEXT, "scenarios in CSV or Parquet, one column a path"),
    common_random_numbers=optional({"type": "boolean"}, "whether noise is the same in all scenarios"),
    measures=optional(table({"anyOf": [{"type": "object"}, TEXT]}), "measures of each scenario, by name"),
    keep=optional(_KEEP, "trajectories to keep"),
    chunk=optional(integer(1), "scenarios that are stored together"),
)


def value_of(section: Section, *keys: str, otherwise: Any = None) -> Any:
    """The value at the end of the keys, by its rule; `otherwise` if there is none. Raises SweepError."""
    rule, about = SWEEP, ""
    value: Any = section.data
    for key in keys:
        about = rule["properties"][key].get("description", "")
        rule, value = without_none(rule["properties"][key]), value.get(key)
    if value is None:
        return otherwise
    if rule.get("type") == "integer" and explicit.is_whole(value):
        value = int(value)
    if fits(value, rule):
        return value
    near = nearest(str(value), rule["enum"]) if "enum" in rule else ""
    problem = f"`{keys[-1]}` is {short(value)}{near}"
    raise SweepError(problem, f"expected: {in_words(rule)}: {about}", location=section.at(*keys))


def check_keys(section: Section, errors: Errors, *keys: str) -> None:
    """Gather SweepError for unknown keys of the declaration, or of a mapping in it."""
    rule, data = SWEEP, section.data
    for key in keys:
        rule, data = without_none(rule["properties"][key]), data[key]
    names = tuple(rule["properties"])
    for key in data:
        with errors:
            if key not in names:
                problem = f"{f'`{keys[-1]}`' if keys else 'a sweep'} has no `{key}`{nearest(str(key), names)}"
                at = section.at(*keys, key, key=True)
                raise SweepError(problem, f"expected: one of {', '.join(names)}", location=at)
