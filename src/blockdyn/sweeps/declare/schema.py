"""Schema: the JSON Schema of a sweep's declaration, made from the tables that it is read by."""

from __future__ import annotations

from typing import Any

from ...diagrams.yaml.document import POSITIVE, TEXT, TEXTS, mapping, optional, reference, table
from .axes import explicit
from .distributions import FORMS as DISTRIBUTIONS
from .sampling import METHODS

_NUMBER = {"type": "number"}
_NUMBERS = {"type": "array", "items": _NUMBER, "minItems": 1}
_ANY = {"type": ["number", "string", "array", "object", "boolean"]}
_LIST = {"type": "array", "items": _ANY, "minItems": 1}


def _whole_number(least: int, doc: str = "") -> dict[str, Any]:
    return {"type": "integer", "minimum": least} | ({"description": doc} if doc else {})


def _range(scale: str) -> dict[str, Any]:
    return {
        "type": "array",
        "prefixItems": [_NUMBER, _NUMBER, _whole_number(1)],
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
    "count": _whole_number(1, "0, 1, 2, ... so many"),
}
FORMS: dict[str, Any] = {
    **{name: _EXPLICIT[name] for name in explicit.FORMS},
    **{name: _distribution(name) for name in DISTRIBUTIONS},
    "paths": {
        "type": "array",
        "items": TEXT,
        "minItems": 1,
        "description": "what gets the value, where the axis has a name of its own",
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
    worst=optional(_whole_number(1), "of how many scenarios; all if not said"),
    by=optional(TEXT, "the measure whose largest values are the worst"),
)
SWEEP = mapping(
    "Scenarios of the diagram: what varies, and what is measured of each.",
    number=optional(_whole_number(1), "samples of the axes that are drawn"),
    seed=optional(_whole_number(0), "of everything drawn"),
    sampling=optional(
        {"type": "string", "enum": list(METHODS)}, "how the axes with a distribution are drawn"
    ),
    axes=optional(table(reference("Axis")), "what varies, by path or by a name of its own"),
    zip=optional({"type": "array", "items": TEXTS}, "groups of axes that go together, not crossed"),
    file=optional(TEXT, "scenarios in CSV or Parquet, one column a path"),
    common_random_numbers=optional({"type": "boolean"}, "whether noise is the same in all scenarios"),
    measures=optional(table({"anyOf": [{"type": "object"}, TEXT]}), "what is kept of each scenario, by name"),
    keep=optional(_KEEP, "trajectories to keep"),
    chunk=optional(_whole_number(1), "scenarios that are stored together"),
)
