"""Returned: the classes that public functions and methods return, and the members of a class."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from importlib.util import resolve_name
from typing import Any

from blockdyn.base.door import door
from blockdyn.blocks.contract.block import Block
from blockdyn.blocks.contract.registry import library

INSIDE = {
    "Body": {"shape"},
    "DiagramText": {"part", "root"},
    "Ensemble": {"gathered"},
    "Formula": {"root"},
    "LiveRun": {"named", "recorder"},
    "Margins": {"table"},
    "Method": {"data", "steps"},
    "Program": {
        "addresses", "callbacks", "code", "differentiated", "flat", "instructions", "memory", "plan",
        "prepared", "problem", "room", "source", "text", "timers",
    },
    "Result": {"deferred"},
    "Sensitivity": {"table"},
    "Sweep": {"declaration", "measures", "overrides", "prepared", "targets", "task"},
    "Tableau": {"arrays"},
}  # fmt: skip
"""Members that other packages of blockdyn call, and nobody else, by class."""


def members(kind: type) -> list[str]:
    """Names of the documented members: its own, then those of its bases that are blockdyn's."""
    names: dict[str, None] = {}
    for base in kind.__mro__:
        shared = base.__name__ in ("Block", "Wiring") and base is not kind  # told once, there
        if base.__module__.startswith("blockdyn") and not shared:
            names |= dict.fromkeys(name for name in [*vars(base)] if _documented(name, _member(base, name)))
    return [name for name in names if name not in INSIDE.get(kind.__name__, ())]


def returned(seeds: Iterable[object]) -> list[type]:
    """The classes that the seeds (functions, classes) return, that the methods of these return, and so on."""
    found: dict[type, None] = {}
    reached: set[object] = set()
    ahead = list(seeds)
    while ahead:
        thing = ahead.pop()
        if thing in reached:
            continue
        reached.add(thing)
        for text, names in _annotations(thing):
            kinds = _kinds(text, names)
            found |= dict.fromkeys(kinds)
            ahead += kinds
    return sorted(found, key=lambda kind: kind.__name__)


def _member(kind: type, name: str) -> Any:
    """A member as its class has it; of a door the method to which it leads."""
    value = vars(kind)[name]
    return getattr(kind, name) if isinstance(value, door) else value


def _documented(name: str, value: Any) -> bool:
    doc = getattr(_function(value) or value, "__doc__", None)
    return _function(value) is not None and not name.startswith("_") and bool(doc)


def _function(value: Any) -> Callable[..., Any] | None:
    """The function of a method or a property of any kind."""
    inner = value
    for name in ("__func__", "fget", "func"):
        inner = getattr(inner, name, inner)
    return inspect.unwrap(inner) if inspect.isfunction(inner) else None


def _annotations(thing: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What a function returns, or the members and fields of a class; each with the names known there."""
    if isinstance(thing, type):
        functions = [_function(inspect.getattr_static(thing, name)) for name in members(thing)]
        hidden = INSIDE.get(thing.__name__, ())
        for base in filter(_has_fields, thing.__mro__):
            for name, text in vars(base).get("__annotations__", {}).items():
                if not name.startswith("_") and name not in hidden:
                    yield str(text), _names(base.__module__)
    else:
        functions = [_function(thing)]
    for function in functions:
        if function is not None:
            yield str(function.__annotations__.get("return")), _names(function.__module__)


def _has_fields(kind: type) -> bool:
    """Whether annotations in the class are those of its instances: of a dataclass, say."""
    return kind.__module__.startswith("blockdyn") and (is_dataclass(kind) or "__init__" not in vars(kind))


def _kinds(text: str, names: Mapping[str, Any]) -> list[type]:
    """The public classes of blockdyn, but for blocks and errors, that an annotation names."""
    values = (names.get(word) for word in re.findall(r"[A-Za-z_]\w*", text) if word[0] != "_")
    return [kind for kind in values if isinstance(kind, type) and _told(kind)]


def _told(kind: type) -> bool:
    block = kind in library().values() or kind is Block
    return kind.__module__.startswith("blockdyn") and not block and not issubclass(kind, BaseException)


@functools.cache
def _names(module: str) -> Mapping[str, Any]:
    """What a module knows, and what it imports for types only, by name."""
    names = dict(vars(sys.modules[module]))
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for each in (part for part in node.body if isinstance(part, ast.ImportFrom)):
                origin = "." * each.level + (each.module or "")
                package = sys.modules[module].__package__ if each.level else None
                if (not each.level and not origin.startswith("blockdyn")) or origin.endswith(".doors"):
                    continue  # another library, or the stub
                source = import_module(resolve_name(origin, package))
                names |= {alias.asname or alias.name: getattr(source, alias.name) for alias in each.names}
    return names
