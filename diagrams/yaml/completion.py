"""Completions propose what may be written at a position of a diagram's text, which may be unfinished there.

Keys, choices and types come from the JSON Schema, ends of wires and signals from the ports of the blocks.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from ...base.schema import NOTHING, Schema, in_words
from ...blocks.contract.formula import CONSTANTS, FUNCTIONS
from ...blocks.contract.registry import UnknownBlockType, block_type, names
from .document import CHECK, PARAMETER, SUBSYSTEM, WIRE
from .finding import packaged
from .machines import ROBOT, VEHICLE, robot_schema, vehicle_schema
from .masks import outside
from .schema import block_schema, packaged_schema
from .sections import INPUT, SIMULATE, every_section, with_sections

ITEM = "[]"
"""The step to an item of a list."""
_KEY = re.compile(r"""(?P<quote>['"]?)(?P<name>[^\s:{}\[\],#'"-][^:{}\[\],#]*?)(?P=quote)\s*:(?=\s|$)""")
_TYPE = re.compile(r"""(?<![\w-])type\s*:\s*['"]?([\w:./-]+)""")
_WORD = re.compile(r"[\w./:=-]*(?:\[\w*)?$")
_NAME = re.compile(r"\w*$")


@dataclass(frozen=True)
class Proposal:
    """A word that may stand at the position, its kind in a few words, and its meaning."""

    label: str
    detail: str = ""
    info: str = ""
    text: str = ""  # where it differs from the label


@dataclass(frozen=True)
class Completion:
    """The proposals for a position, and the number of characters before it that each replaces."""

    proposals: list[Proposal]
    back: int = 0


@dataclass(frozen=True)
class Names:
    """The names of a diagram: its parameters, and the inputs and outputs of each block."""

    parameters: Sequence[str] = ()
    inputs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    outputs: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass
class _Step:
    """A key on the way to the position, and the text of its value as far as it is written."""

    name: str
    extent: str


def complete(before: str, after: str, names: Names) -> Completion:
    """Proposals at the end of `before`, where `after` follows."""
    steps, text, is_key = _locate(before, after)
    path = [step.name for step in steps]
    if "#" in text and re.search(r"(^|\s)#", text):
        return Completion([])
    if path and "wires" in path[-3:]:
        return _wire_ends(text, path, names)
    if text.lstrip().startswith("=") and not is_key:
        word = _NAME.search(text)
        assert word is not None
        return Completion([*_expression_words(names)], len(word.group()))
    word = _WORD.search(text)
    typed = word.group() if word else ""
    schemas = _schemas(steps)
    if not steps:
        steps = [_Step("", re.sub(r"(?m)^[ #-].*$", "", before + after))]
    proposals = [*_keys(schemas, steps, names)] if is_key else [*_values(schemas, path, names)]
    return Completion(proposals, len(typed))


# ---- the position ----


def _locate(before: str, after: str) -> tuple[list[_Step], str, bool]:
    """The keys that lead to a position, the text of the value or key there, and if a key is written there."""
    lines, ending = before.split("\n"), after.split("\n")
    line = lines[-1]
    indent = len(line) - len(line.lstrip(" "))
    steps = _block_steps(lines, ending, indent, dash=line.lstrip(" ").startswith("-"))
    content = line.lstrip(" ")
    while re.match(r"-( |$)", content):
        steps.append(_Step(ITEM, ""))
        content = content[1:].lstrip(" ")
    match = _KEY.match(content)
    if match is None and content[:1] not in ("{", "["):
        in_list = bool(steps) and steps[-1].name == ITEM
        return steps, content, not in_list
    if match is not None:
        below = _below([], ending, indent)
        steps.append(_Step(match["name"], content[match.end() :] + below))
        content = content[match.end() :].lstrip(" ")
    return _flow_steps(steps, content, ending[0])


def _block_steps(lines: list[str], ending: list[str], indent: int, *, dash: bool) -> list[_Step]:
    """The keys of the lines above that hold the last one."""
    steps: list[_Step] = []
    for number in range(len(lines) - 2, -1, -1):
        line = lines[number]
        content = line.lstrip(" ")
        at = len(line) - len(content)
        is_item = content.startswith("- ")
        if not content.strip() or content.startswith("#") or at > indent or (at == indent and not dash):
            continue
        if at == indent and is_item:
            continue
        if is_item:
            steps.append(_Step(ITEM, ""))
            key = _KEY.match(content[1:].lstrip(" "))
            if key is not None and indent > at + 2:
                steps.insert(len(steps) - 1, _Step(key["name"], ""))
            indent, dash = at, True
        elif (key := _KEY.match(content)) is not None:
            steps.append(_Step(key["name"], content[key.end() :] + _below(lines[number + 1 :], ending, at)))
            indent, dash = at, False
        if indent == 0 and not dash:
            break
    return steps[::-1]


def _below(lines: list[str], ending: list[str], indent: int) -> str:
    """The lines that are indented further, up to the next one that is not."""
    body = [*lines, *ending[1:]] if not lines else [*lines[:-1], lines[-1] + ending[0], *ending[1:]]
    chosen = [] if lines else [ending[0]]
    for line in body:
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        chosen.append(line)
    return "\n".join(["", *chosen]) if lines else "\n".join(chosen)


def _flow_steps(steps: list[_Step], content: str, ending: str) -> tuple[list[_Step], str, bool]:
    """Like `_block_steps`, but within braces and brackets on the line."""
    stack: list[tuple[str, int]] = []  # open braces and brackets, and the number of steps before each
    word, quote, is_key = "", "", False
    for i, letter in enumerate(content):
        if quote:
            quote = "" if letter == quote else quote
            word += letter
        elif letter in "'\"":
            quote = letter
            word += letter
        elif letter in "{[":
            if letter == "[" and word[-1:].strip():  # an index
                word += letter
                continue
            stack.append((letter, len(steps)))
            if letter == "[":
                steps.append(_Step(ITEM, ""))
            word, is_key = "", letter == "{"
        elif letter in "}]" and stack and not (letter == "]" and "[" in word):
            _, count = stack.pop()
            del steps[count:]
            word, is_key = "", False
        elif letter == "," and stack:
            kind, count = stack[-1]
            is_key = kind == "{"
            del steps[count if is_key else count + 1 :]
            word = ""
        elif letter == ":" and is_key and content[i + 1 : i + 2] in ("", " "):
            steps.append(_Step(word.strip().strip("'\""), content[i + 1 :] + ending))
            word, is_key = "", False
        else:
            word += letter
    return steps, word.lstrip(" "), is_key


# ---- the schema there ----


@cache
def _definitions() -> dict[str, Schema]:
    others = every_section()
    definitions = {
        "Diagram": with_sections(others), "Simulate": SIMULATE, "Input": INPUT, "Wire": WIRE,
        "Subsystem": SUBSYSTEM, "Parameter": PARAMETER, "Check": CHECK,
        ROBOT: robot_schema(), VEHICLE: vehicle_schema(),
    }  # fmt: skip
    for section in others.values():
        definitions |= {section.name: section.schema, **section.definitions}
    return definitions


def _block(extent: str) -> Schema:
    """The schema of a block whose entry is this text: of its type if it has one."""
    match = _TYPE.search(extent)
    kind = match.group(1) if match else ""
    if kind == "Subsystem":
        return SUBSYSTEM
    if kind in packaged():
        return packaged_schema(kind, outside(packaged()[kind], kind))
    try:
        return block_schema(kind, block_type(kind))
    except UnknownBlockType:
        return {"type": "object", "properties": {"type": {}}}


def _schemas(steps: Sequence[_Step]) -> list[Schema]:
    """The alternatives of the schema at the end of the steps."""
    schemas = _alternatives({"$ref": "#/$defs/Diagram"}, "")
    for step in steps:
        inner: list[Schema] = []
        for schema in schemas:
            more = schema.get("additionalProperties")
            if step.name == ITEM:
                inner.append(schema.get("items", {}))
            elif step.name in schema.get("properties", {}):
                inner.append(schema["properties"][step.name])
            elif isinstance(more, dict):
                inner.append(more)
        schemas = [part for schema in inner for part in _alternatives(schema, step.extent)]
    return schemas


def _alternatives(schema: Schema, extent: str) -> list[Schema]:
    if "anyOf" in schema:
        about = {key: schema[key] for key in ("description", "default") if key in schema}
        return [about | part for inner in schema["anyOf"] for part in _alternatives(inner, extent)]
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name == "Block":
            return [_block(extent)]
        target = _definitions().get(name)
        return [] if target is None else _alternatives(target, extent)
    return [schema]


# ---- proposals ----


def _keys(schemas: Sequence[Schema], steps: Sequence[_Step], names: Names) -> Iterator[Proposal]:
    if [step.name for step in steps[-1:]] in (["view"], ["when"]):
        yield from (Proposal(name, "a block", text=f"{name}: ") for name in names.outputs)
    extent = steps[-1].extent if steps else ""
    for schema in schemas:
        for key, value in schema.get("properties", {}).items():
            if re.search(rf"(?<![\w-]){re.escape(key)}\s*:", extent):
                continue
            default = f"default: {value['default']}" if "default" in value else ""
            info = "\n".join(filter(None, (value.get("description", ""), default)))
            yield Proposal(key, _kind(value), info, f"{key}: ")


def _kind(schema: Schema) -> str:
    """The accepted values in a few words."""
    words: dict[str, None] = {}
    for part in schema.get("anyOf", [schema]):
        if "enum" in part or "const" in part:
            words[in_words(part)] = None
        elif part != NOTHING and isinstance(part.get("type"), str):
            words[in_words({"type": part["type"]})] = None
    text = " or ".join(words)
    return text if len(text) <= 40 else text[:39] + "…"


def _values(schemas: Sequence[Schema], path: Sequence[str], names: Names) -> Iterator[Proposal]:
    if path[-1:] == ["type"] and len(path) > 2 and path[-3] == "blocks":
        yield from _types()
        return
    if "log" in path[-2:] or (len(path) > 1 and path[-2] == "signals"):
        yield from _ends(names.outputs, "signal")
        return
    seen: set[str] = set()
    for schema in schemas:
        words = schema.get("enum", [schema["const"]] if "const" in schema else [])
        words = [True, False] if schema.get("type") == "boolean" else words
        for word in words:
            text = str(word).lower() if isinstance(word, bool) else str(word)
            if text not in seen:
                seen.add(text)
                yield Proposal(text, info=schema.get("description", ""))
    if any(schema.get("type") in ("number", "array") for schema in schemas):
        yield from (Proposal(f"={name}", "a parameter of the diagram") for name in names.parameters)


@cache
def _types() -> tuple[Proposal, ...]:
    titles = [(name, (inspect.getdoc(block_type(name)) or "").partition("\n")[0]) for name in names()]
    others = [Proposal(name, "a subsystem") for name in (*packaged(), "Subsystem")]
    return (*(Proposal(name, title[:80]) for name, title in titles), *others)


def _expression_words(names: Names) -> Iterator[Proposal]:
    yield from (Proposal(name, "a parameter of the diagram") for name in names.parameters)
    yield from (Proposal(name, "a function or constant") for name in sorted({**FUNCTIONS, **CONSTANTS}))


def _wire_ends(text: str, path: Sequence[str], names: Names) -> Completion:
    """Outputs before the first arrow of a wire, and inputs or both after it."""
    word = re.search(r"[\w./]*(?:\[\w*)?$", text)
    typed = word.group() if word else ""
    earlier = text[: len(text) - len(typed)].rstrip()
    branches = path[path.index("wires") :].count(ITEM) > 1
    if branches or path[-1] == "to" or earlier.endswith(("->", ",", "[")):
        return Completion([*_ends(names.inputs, "input")], len(typed))
    if path[-1] == "from" or not earlier:
        return Completion([*_ends(names.outputs, "output")], len(typed))
    return Completion([Proposal("->", "to")], len(typed))


def _ends(ports: Mapping[str, Sequence[str]], side: str) -> Iterator[Proposal]:
    """The blocks with one port alone, the others with each of their ports."""
    for block, labels in ports.items():
        if len(labels) == 1:
            yield Proposal(block, f"{side} {labels[0]}")
        for label in labels if len(labels) > 1 else ():
            yield Proposal(f"{block}.{label}", side)
