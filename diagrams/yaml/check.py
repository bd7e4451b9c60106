"""Check: a document against its model, with every complaint at its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.yaml.positions import Node, place
from ..model.gathered import Errors
from ..model.section import Steps
from .errors import MissingKey, UnknownKey, WrongType, WrongVersion, YamlError, quoted

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

_EXPECTED = {
    "string_type": "text", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_type": "a number", "bool_type": "true or false", "list_type": "a list", "dict_type": "a mapping",
    "model_type": "a mapping", "finite_number": "a finite number", "model_attributes_type": "a mapping",
}  # fmt: skip
_SIGNS = {"gt": "greater than", "ge": "at least", "lt": "less than", "le": "at most"}
_MEANING = {"type": "the block's type", "from": "the output", "to": "the input, or a list of inputs"}


def check(node: Node, model: type[BaseModel], inside: str, errors: Errors, path: str = "") -> set[Steps]:
    """Gather what is wrong with a node, as YamlErrors with their lines; returns the steps to what is wrong.

    Raises WrongType for what is no mapping.
    """
    from pydantic import ValidationError

    if not isinstance(node.value, dict):
        raise WrongType(
            f"{node.describe()} as {inside}", "a mapping of keys to values", path=path, location=node.at
        )
    try:
        model.model_validate(_shallow(node, model))
    except ValidationError as error:
        groups: dict[Steps, list[ErrorDetails]] = {}
        found = error.errors(include_url=False, include_input=False)
        for one in sorted(found, key=lambda one: _order(node, one)):
            groups.setdefault(tuple(_steps(node, one)), []).append(one)
        misspelt = {steps[:-1] for steps, same in groups.items() if same[0]["type"] == "extra_forbidden"}
        for steps, same in groups.items():
            if same[0]["type"] != "missing" or steps[:-1] not in misspelt:  # that says more
                with errors:
                    raise _translated(node, model, same, inside, path) from None
        return set(groups)
    return set()


def check_version(node: Node, errors: Errors) -> None:
    """Gather WrongVersion where the document does not say `blockdyn: 1`, raise it where it says another."""
    if not isinstance(node.value, dict):
        raise WrongType(
            f"{node.describe()} as the whole document",
            "a mapping that begins with `blockdyn: 1`",
            location=node.at,
        )
    entry = node.entries.get("blockdyn")
    if entry is None:
        with errors:
            raise WrongVersion(
                "the file does not say which version of the format it is written in",
                "the line `blockdyn: 1`",
                key="blockdyn",
                location=node.at,
            )
        return
    value = entry.node.value
    if isinstance(value, bool) or value != 1 or not isinstance(value, int):
        later = "; a later blockdyn may read it" if isinstance(value, int) and value > 1 else ""
        raise WrongVersion(
            f"`blockdyn` is {entry.node.describe()}",
            f"the version of the format, 1{later}",
            key="blockdyn",
            location=entry.node.at,
        )


def _shallow(node: Node, model: type[BaseModel]) -> dict[str, Any]:
    """The document's plain values, without what the model leaves to others (blocks, wires, parameters)."""
    found: dict[str, Any] = {}
    for key, entry in node.entries.items():
        value = entry.node.value
        if value is None and key in model.model_fields and not model.model_fields[key].is_required():
            continue  # `wires:` with nothing below is an empty section
        if key in ("blocks", "parameters", "diagram") and isinstance(value, dict):
            found[key] = dict.fromkeys(value)
        elif key == "wires" and isinstance(value, list):
            found[key] = [None] * len(value)
        else:
            found[key] = entry.node.plain()
    return found


def _steps(node: Node, error: ErrorDetails) -> list[str | int]:
    """The error's place without the names that pydantic adds for the branches of a union."""
    steps: list[str | int] = []
    for step in error["loc"]:
        if isinstance(step, str) and steps and step not in node.entries and not _is_key(node, [*steps, step]):
            if error["type"] in ("extra_forbidden", "missing"):
                steps.append(step)
            continue
        steps.append(step)
    return steps


def _is_key(node: Node, steps: list[str | int]) -> bool:
    inner = node
    for step in steps:
        if isinstance(step, str) and step in inner.entries:
            inner = inner.entries[step].node
        elif isinstance(step, int) and step < len(inner.items):
            inner = inner.items[step]
        else:
            return False
    return True


def _order(node: Node, error: ErrorDetails) -> tuple[bool, int, int]:
    """By place; a missing key last, for a misspelt one says more."""
    at = place(node, _steps(node, error))
    return error["type"] == "missing", at.line or 0, at.column or 0


def _translated(
    node: Node, model: type[BaseModel], errors: list[ErrorDetails], inside: str, path: str
) -> YamlError:
    """The error of one place; it has several when the place may hold several kinds of value."""
    error = errors[0]
    steps = _steps(node, error)
    key = next((str(step) for step in reversed(steps) if isinstance(step, str)), "")
    kind = error["type"]
    if kind == "extra_forbidden":
        fields = _fields(model, steps[:-1])
        owner = f"`{steps[-2]}`" if len(steps) > 1 else inside
        return UnknownKey(key, fields, inside=owner, location=place(node, steps, key=True))
    if kind == "missing":
        return MissingKey(key, _MEANING.get(key, "..."), inside=inside, path=path, location=node.at)
    at = place(node, steps)
    inner = node
    for step in steps:
        inner = inner.entries[step].node if isinstance(step, str) else inner.items[step]
    found = (
        f"`{key}` is {inner.describe()}" if isinstance(steps[-1], str) else f"{inner.describe()} in `{key}`"
    )
    expected = " or ".join(dict.fromkeys(map(_expected, errors)))
    hint = quoted(inner) if "text" in expected else ""
    return WrongType(found, expected, hint, key=key, path=path, location=at)


def _expected(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    for sign, words in _SIGNS.items():
        if sign in context:
            return f"a number {words} {context[sign]:g}"
    if "expected" in context:
        return str(context["expected"])
    return error["msg"][:1].lower() + error["msg"][1:]


def _fields(model: type[BaseModel], steps: list[str | int]) -> list[str]:
    """The keys of the model, or of the one below it that `steps` leads to."""
    from pydantic import BaseModel

    for step in steps:
        field = model.model_fields.get(str(step))
        inner = [
            part for part in getattr(field and field.annotation, "__args__", ()) if isinstance(part, type)
        ]
        model = next((part for part in inner if issubclass(part, BaseModel)), model)
    return [field.alias or name for name, field in model.model_fields.items()]
