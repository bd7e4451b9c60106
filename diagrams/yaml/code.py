"""A trusted file names Python functions and block classes, which are imported."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ...base.location import Location
from ...base.words import nearest
from ...blocks.contract.block import Block
from ...blocks.user.declared import DeclaredBlock
from .errors import YamlError, YamlFileError

Locate = Callable[[str], Path]
Modules = dict[Path, ModuleType]
"""The Python files that the files of a diagram have named, each run once."""

_Named = TypeVar("_Named")
_names: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def name_of(value: Any) -> str | None:
    """The name under which a file may have a function or a class; None if no file has named it."""
    with suppress(TypeError):  # NumPy's functions do not support weak references
        return _names.get(value)
    return None


def callable_named(name: str, locate: Locate, modules: Modules, at: Location) -> Callable[..., Any]:
    """The function `module:name` or `file.py:name`; only for text that the caller trusts.

    For a function decorated with `@block`, it is the function itself.

    Raises YamlError if there is no such callable, chaining what the code itself raised.
    """
    where, function = _member(name, locate, modules, at, "a function", callable)
    if isinstance(function, type) and issubclass(function, DeclaredBlock):
        return _remember(function.equation, where)
    return _remember(function, where)  # type: ignore[no-any-return]


def block_class_named(name: str, locate: Locate, modules: Modules, at: Location) -> type[Block]:
    """The block class `module:Name` or `file.py:Name`, also one that `@block` made of a function.

    Raises YamlError if there is none, chaining what the code itself raised.
    """
    where, kind = _member(name, locate, modules, at, "a block class", _is_block_class)
    return _remember(kind, where)  # type: ignore[no-any-return]


def _is_block_class(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Block) and not vars(value).get("abstract", False)


def _remember(value: _Named, name: str) -> _Named:
    with suppress(TypeError):
        _names[value] = name
    return value


def _member(
    name: str, locate: Locate, modules: Modules, at: Location, expected: str, fits: Callable[[Any], bool]
) -> tuple[str, Any]:
    """The object of a name, and its name with the whole path of its file."""
    where, colon, inner = name.rpartition(":")
    if not colon or not where or not inner.isidentifier():
        raise YamlError(f"`{name}`", "`module:name` or `file.py:name`", location=at)
    path = locate(where) if where.endswith(".py") else None
    try:
        module = importlib.import_module(where) if path is None else _from_file(path, name, modules, at)
    except YamlError:
        raise
    except Exception as error:
        importable = "code that can be imported"
        if isinstance(error, ModuleNotFoundError) and path is not None:
            importable += (
                "; another file of its folder is found where the variable PYTHONPATH names the folder"
            )
        found = f"importing {where} failed: {type(error).__name__}: {error}"
        raise YamlFileError(found, importable, location=at) from error
    value = getattr(module, inner, None)
    if not fits(value):
        close = nearest(inner, [key for key, other in vars(module).items() if fits(other)])
        problem = f"{where} has no {expected.partition(' ')[2]} `{inner}`{close}"
        if isinstance(value, type):
            expected += ": a class derived from blockdyn.Block, and not abstract"
        elif callable(value):
            problem = f"`{inner}` in {where} is a function, not a block class"
            expected = f'a block class, or {{type: Function, function: "{name}"}}'
        raise YamlError(problem, expected, location=at)
    return f"{where if path is None else path}:{inner}", value


def _from_file(path: Path, name: str, modules: Modules, at: Location) -> ModuleType:
    if path in modules:
        return modules[path]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise YamlFileError(f"`{name}`: there is no file {path}", "a Python file", location=at)
    module = importlib.util.module_from_spec(spec)
    with _known_as(spec.name, module):
        spec.loader.exec_module(module)
    modules[path] = module
    return module


@contextmanager
def _known_as(name: str, module: ModuleType) -> Iterator[None]:
    """The module under its name while it runs: dataclasses need it; afterwards the name is restored."""
    others = sys.modules.get(name)
    sys.modules[name] = module
    try:
        yield
    finally:
        if others is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = others
