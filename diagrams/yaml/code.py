"""Code: the Python callable that a trusted file names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from ...base.location import Location
from ...base.nearest import nearest
from ...blocks.user.declared import Declared
from .errors import YamlError, YamlFileError


def callable_named(name: str, locate: Callable[[str], Path], at: Location) -> Callable[..., Any]:
    """What `module:name` or `file.py:name` stands for; only for text that the caller trusts.

    Of a function decorated with `@block` it is the function.

    Raises YamlError where there is no such callable, chaining what the code itself raised.
    """
    where, colon, inner = name.rpartition(":")
    if not colon or not where or not inner.isidentifier():
        raise YamlError(f"`{name}`", "`module:name` or `file.py:name`", location=at)
    try:
        module = (
            _from_file(locate(where), name, at) if where.endswith(".py") else importlib.import_module(where)
        )
    except YamlError:
        raise
    except Exception as error:
        expected = "code that can be imported"
        if isinstance(error, ModuleNotFoundError) and where.endswith(".py"):
            expected += "; another file of its folder is found where the variable PYTHONPATH names the folder"
        found = f"importing {where} failed: {type(error).__name__}: {error}"
        raise YamlFileError(found, expected, location=at) from error
    function = getattr(module, inner, None)
    if not callable(function):
        callables = [key for key, value in vars(module).items() if callable(value)]
        raise YamlError(
            f"{where} has no function `{inner}`{nearest(inner, callables)}", "a function", location=at
        )
    if isinstance(function, type) and issubclass(function, Declared):
        return function.equation
    return function  # type: ignore[no-any-return]


def _from_file(path: Path, name: str, at: Location) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise YamlFileError(f"`{name}`: there is no file {path}", "a Python file", location=at)
    module = importlib.util.module_from_spec(spec)
    with _known_as(spec.name, module):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _known_as(name: str, module: ModuleType) -> Iterator[None]:
    """The module under its name while it runs: dataclasses ask for it; afterwards the name is as it was."""
    others = sys.modules.get(name)
    sys.modules[name] = module
    try:
        yield
    finally:
        if others is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = others
