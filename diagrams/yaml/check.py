"""Check a part of a document against its JSON Schema, and report every violation at its line.

This walk covers the few keywords that our schema uses: a validator takes 20 to 90 ms to import, reports no
lines, and gives only `is not valid under any of the given schemas` for a value of several possible kinds.
The target of a `$ref` is left to its own reader, which checks more.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.schema import NOTHING, Schema, fits, in_words
from ...base.words import nearest
from ...base.yaml.positions import Node, place
from ..model.gathered import Errors
from ..model.section import Steps
from .errors import YamlError, missing_key, quoted, unknown_key

_INNER = ("items", "properties", "required", "additionalProperties")  # checked separately


def check(
    node: Node, schema: Schema, inside: str, errors: Errors, *, path: str = "", key: str = ""
) -> set[Steps]:
    """Gather the errors of a node as YamlErrors with their lines; returns the steps to the wrong parts.

    Raises YamlError if the node is not a mapping.
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
    """Gather YamlError if the document lacks `blockdyn: 1`; raise it for another version."""
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
                "the file does not state the version of its format",
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
    """The errors of a node and its content, each with the steps that lead there."""

    def __init__(self, root: Node, inside: str, path: str) -> None:
        self.root, self.inside, self.path = root, inside, path

    def through(self, node: Node, schema: Schema, steps: Steps) -> Iterator[tuple[Steps, YamlError]]:
        if "$ref" in schema:
            return
        kinds = schema.get("anyOf", [schema])
        if any("$ref" in kind for kind in kinds):
            return
        alike = next((kind for kind in kinds if fits(node.value, _of_type(kind))), None)
        if alike is None or not fits(node.value, _shallow(alike)):
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
        expected = " or ".join(in_words(kind) for kind in kinds if kind != NOTHING)
        words = [word for kind in kinds for word in kind.get("enum", ())]
        near = nearest(node.value, words) if isinstance(node.value, str) and words else ""
        hint = quoted(node) if "text" in expected else ""
        at = place(self.root, steps)
        return YamlError(problem + near, expected, hint, key=key, path=self.path, location=at)


def _of_type(schema: Schema) -> Schema:
    """The rule without bounds."""
    return {"type": schema["type"]} if "type" in schema else schema


def _shallow(schema: Schema) -> Schema:
    """The rule without its parts for items and keys."""
    return {word: said for word, said in schema.items() if word not in _INNER}
