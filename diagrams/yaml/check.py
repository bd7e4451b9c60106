"""Check: a part of a document against its JSON Schema, with every complaint at its line.

A walk of our own over the few words of JSON Schema that ours uses: a validator takes 20 to 90 ms to import,
knows no lines, and says `is not valid under any of the given schemas` of what may be one of several kinds.
What stands behind a `$ref` is left to its own reader, which knows more of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ...base.annotations import Schema, in_words
from ...base.words import nearest
from ...base.yaml.positions import Node, place
from ..model.gathered import Errors
from ..model.section import Steps
from .document import FINITE
from .errors import YamlError, missing_key, quoted, unknown_key

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int,
    "number": (int, float),
}  # fmt: skip


def check(
    node: Node, schema: Schema, inside: str, errors: Errors, *, path: str = "", key: str = ""
) -> set[Steps]:
    """Gather what is wrong with a node, as YamlErrors with their lines; returns the steps to what is wrong.

    Raises YamlError for what is no mapping.
    """
    if not isinstance(node.value, dict):
        problem = f"`{key}` is {node.describe()}" if key else f"{node.describe()} as {inside}"
        raise YamlError(problem, "a mapping of keys to values", key=key, path=path, location=node.at)
    wrong = set()
    for steps, error in _Walk(node, inside, path).through(node, schema, ()):
        wrong.add(steps)
        with errors:
            raise error
    return wrong


def check_version(node: Node, errors: Errors) -> None:
    """Gather YamlError where the document does not say `blockdyn: 1`, raise it where it says another."""
    if not isinstance(node.value, dict):
        raise YamlError(
            f"{node.describe()} as the whole document",
            "a mapping that begins with `blockdyn: 1`",
            location=node.at,
        )
    entry = node.entries.get("blockdyn")
    if entry is None:
        with errors:
            raise YamlError(
                "the file does not say which version of the format it is written in",
                "the line `blockdyn: 1`",
                key="blockdyn",
                location=node.at,
            )
        return
    value = entry.node.value
    if isinstance(value, bool) or value != 1 or not isinstance(value, int):
        later = "; a later blockdyn may read it" if isinstance(value, int) and value > 1 else ""
        raise YamlError(
            f"`blockdyn` is {entry.node.describe()}",
            f"the version of the format, 1{later}",
            key="blockdyn",
            location=entry.node.at,
        )


class _Walk:
    """The errors of a node and of what is in it, each with the steps that lead there."""

    def __init__(self, root: Node, inside: str, path: str) -> None:
        self.root, self.inside, self.path = root, inside, path

    def through(self, node: Node, schema: Schema, steps: Steps) -> Iterator[tuple[Steps, YamlError]]:
        if "$ref" in schema:
            return
        kinds = schema.get("anyOf", [schema])
        if any("$ref" in kind for kind in kinds):
            return
        alike = next((kind for kind in kinds if _is_of_type(node.value, kind)), None)
        if alike is None or not _is_within(node, alike):
            yield steps, self._wrong(node, kinds if alike is None else [alike], steps)
        elif isinstance(node.value, dict):
            yield from self._mapping(node, alike, steps)
        else:
            for i, item in enumerate(node.items):
                yield from self.through(item, alike.get("items", {}), (*steps, i))

    def _mapping(self, node: Node, schema: Schema, steps: Steps) -> Iterator[tuple[Steps, YamlError]]:
        """The errors in a mapping; a missing key only if none is misspelt, which is the better hint."""
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        required = schema.get("required", ())
        misspelt = False
        for key, entry in node.entries.items():
            inner = properties.get(key, others)
            if inner is False:
                misspelt = True
                inside = f"`{steps[-1]}`" if steps else self.inside
                yield (*steps, key), unknown_key(key, list(properties), inside=inside, location=entry.at)
            elif entry.node.value is not None or key in required or key not in properties:
                yield from self.through(entry.node, inner, (*steps, key))  # a key without a value is left out
        for key in () if misspelt else required:
            if key not in node.entries:
                meaning = properties[key].get("description", "...")
                yield (
                    (*steps, key),
                    missing_key(key, meaning, inside=self.inside, path=self.path, location=node.at),
                )

    def _wrong(self, node: Node, kinds: list[Schema], steps: Steps) -> YamlError:
        key = next((str(step) for step in reversed(steps) if isinstance(step, str)), "")
        what = node.describe()
        problem = f"`{key}` is {what}" if isinstance(steps[-1], str) else f"{what} in `{key}`"
        expected = " or ".join(
            _describe_expected(kind, node.value) for kind in kinds if kind.get("type") != "null"
        )
        words = [word for kind in kinds for word in kind.get("enum", ())]
        near = nearest(node.value, words) if isinstance(node.value, str) and words else ""
        hint = quoted(node) if "text" in expected else ""
        at = place(self.root, steps)
        return YamlError(problem + near, expected, hint, key=key, path=self.path, location=at)


def _is_of_type(value: Any, schema: Schema) -> bool:
    """True if a value has the type that a schema without alternatives requires."""
    if "type" not in schema:
        words = schema.get("enum", [schema["const"]] if "const" in schema else ())
        return not words or any(type(value) is type(word) for word in words)
    kind = schema["type"]
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _is_within(node: Node, schema: Schema) -> bool:
    """True if a value of the right type is one of the words, within the bounds and long enough."""
    value: Any = node.value
    if "const" in schema or "enum" in schema:
        return any(value == word for word in schema.get("enum", [schema.get("const")]))
    if isinstance(value, list):
        return bool(schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", math.inf))
    if not isinstance(value, (int, float)):
        return True
    return bool(
        (schema.get("format") != FINITE or math.isfinite(value))
        and value >= schema.get("minimum", -math.inf)
        and value <= schema.get("maximum", math.inf)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
    )


def _describe_expected(schema: Schema, value: Any) -> str:
    """The values of a schema without alternatives, in words; an upper bound only for a value beyond it."""
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        *first, last = map(repr, schema["enum"])
        return " or ".join([", ".join(first), last]) if first else last
    items = schema.get("items", {})
    words = in_words({"type": schema["type"], "items": {} if "$ref" in items else items})
    if "maxItems" in schema:
        words += f", {schema['maxItems']} of them"
    elif schema.get("minItems"):
        words += ", one item or more"
    if "exclusiveMinimum" in schema:
        words += f" greater than {schema['exclusiveMinimum']:g}"
    elif "minimum" in schema:
        words += f", at least {schema['minimum']:g}"
    if isinstance(value, (int, float)) and value > schema.get("maximum", math.inf):
        words += f", at most {schema['maximum']}"
    if isinstance(value, float) and not math.isfinite(value) and schema.get("format") == FINITE:
        words = words.replace("a number", "a finite number")
    return words
