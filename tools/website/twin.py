"""Twin: the Python that declares what a diagram's file declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ruamel.yaml import YAML

WIDTH = 100


def python_of(text: str) -> str:
    """The program for a diagram's YAML; it makes the same diagram, which a test compares."""
    data = YAML(typ="safe", pure=True).load(text)
    return "\n".join(["import blockdyn as bd", "", *_diagram("d", data), "", *_run(data)]) + "\n"


def _run(data: Mapping[str, Any]) -> Iterator[str]:
    if "log" in data:
        yield f"d.log({', '.join(map(repr_, data['log']))})"
    if "simulate" in data:
        yield f"d.settings({_keywords(data['simulate'])})"
    yield "r = d.simulate()"


def _diagram(variable: str, data: Mapping[str, Any], name: str = "") -> Iterator[str]:
    parameters = data.get("parameters")
    given = f", parameters={_value(parameters, plain=True)}" if parameters else ""
    yield from _folded(f"{variable} = bd.Diagram({repr_(data.get('name', name))}{given})")
    for block, entry in data.get("blocks", {}).items():
        yield from _added(variable, block, entry)
    for signal, source in data.get("signals", {}).items():
        yield f"{variable}.signal({repr_(signal)}, {repr_(source)})"
    if data.get("wires"):
        yield ""
    for wire in data.get("wires", ()):
        yield f"{variable}.connect({', '.join(_ends(wire))})"
    if data.get("view"):
        yield from _folded(f"{variable}.positions.update({_value(data['view'], plain=True)})")


def _added(variable: str, name: str, entry: Mapping[str, Any]) -> Iterator[str]:
    options = {key: value for key, value in entry.items() if key != "type"}
    kind = entry["type"]
    if kind == "Subsystem":
        inner = re.sub(r"\W", "_", name)
        yield ""
        yield from _diagram(inner, options["diagram"], name)
        parameters = options.get("parameters")
        made = f"bd.Subsystem({inner}, {_keywords(parameters)})" if parameters else inner
    elif "/" in kind or kind.endswith(".yaml"):
        made = f"bd.subsystem({', '.join([repr_(kind), *filter(None, [_keywords(options)])])})"
    else:
        made = f"bd.{kind}({_keywords(options)})"
    yield from _folded(f"{variable}.add({repr_(name)}, {made})")
    if kind == "Subsystem":
        yield ""


def _ends(wire: str) -> Iterator[str]:
    for end in (part.strip() for part in wire.split("->")):
        if end.startswith("["):
            inside = re.findall(r"[^,\[\]\s]+(?:\[\d+\])?", end[1:-1])
            yield "[" + ", ".join(map(repr_, inside)) + "]"
        else:
            yield repr_(end)


def _keywords(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={_value(value, plain=False)}" for key, value in options.items())


def _value(value: Any, *, plain: bool) -> str:
    """A value as Python; text that begins with = is an expression, which `plain` places take as text."""
    if isinstance(value, str) and value.startswith("=") and not plain:
        return f"bd.expression({repr_(value[1:].strip())})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{repr_(k)}: {_value(v, plain=plain)}" for k, v in value.items()) + "}"
    if isinstance(value, list) and not plain and "=" in str(value) and _computed(value):
        return f"bd.expression({repr_(_formula(value))})"
    if isinstance(value, list):
        return "[" + ", ".join(_value(item, plain=plain) for item in value) + "]"
    return repr_(value)


def _computed(value: list[Any]) -> bool:
    """Whether an element is an expression: then the whole list is written as one."""
    return any(
        _computed(item) if isinstance(item, list) else isinstance(item, str) and item.startswith("=")
        for item in value
    )


def _formula(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_formula, value)) + "]"
    return value[1:].strip() if isinstance(value, str) else repr(value)


def repr_(value: Any) -> str:
    """A value with the quotes that this project writes."""
    if isinstance(value, str) and '"' not in value and "\\" not in value:
        return f'"{value}"'
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return repr(value)


def _folded(line: str) -> list[str]:
    """A call that is too long for a line, broken after commas that stand in no text."""
    lines = [""]
    for part in re.findall(r'(?:"[^"]*"|\'[^\']*\'|[^,"\'])+(?:, )?', line):
        if len(lines[-1]) + len(part) > WIDTH and lines[-1].strip():
            lines[-1] = lines[-1].rstrip()
            lines.append("    ")
        lines[-1] += part
    return lines
