"""The fingerprint of a Python function: its code and everything its code refers to, never a file's date."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

FORMAT = 6  # raised when the meaning of stored code changes


@cache
def toolchain() -> str:
    """What else the compiled code depends on: the compilers and the processor."""
    import llvmlite.binding as llvm

    features = ",".join(sorted(k for k, on in llvm.get_host_cpu_features().items() if on))
    return "|".join(
        [
            f"format {FORMAT}",
            f"python {sys.version_info.major}.{sys.version_info.minor}",
            f"numba {version('numba')}",
            f"llvmlite {version('llvmlite')}",
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            features,
        ]
    )


def fingerprint(function: Callable[..., Any], *extra: object) -> str:
    """SHA-256 over a function's code, constants, closure and the functions and values it names."""
    digest = hashlib.sha256(toolchain().encode())
    for item in extra:
        digest.update(repr(item).encode())
    _function(digest, function, set())
    return digest.hexdigest()


def fingerprint_of_sources(modules: list[str], *extra: object) -> str:
    """SHA-256 over the source texts of modules, without importing them."""
    from importlib.util import find_spec

    digest = hashlib.sha256(toolchain().encode())
    for item in extra:
        digest.update(repr(item).encode())
    for name in modules:
        spec = find_spec(name)
        source = spec.loader.get_source(name) if spec and hasattr(spec.loader, "get_source") else None  # type: ignore[union-attr]
        digest.update((source or name).encode())
    return digest.hexdigest()


def _function(digest: Any, function: Any, seen: set[int]) -> None:
    function = getattr(function, "py_func", getattr(function, "_defn", function))
    if not isinstance(function, FunctionType):
        name = getattr(function, "__qualname__", repr(type(function)))
        digest.update(f"{getattr(function, '__module__', '')}.{name}".encode())
        return
    if id(function) in seen:
        return
    seen.add(id(function))
    _code(digest, function.__code__)
    digest.update(repr(function.__defaults__).encode())
    for cell in function.__closure__ or ():
        _value(digest, cell.cell_contents, seen)
    for name in _global_names(function.__code__):
        if name in function.__globals__:
            digest.update(name.encode())
            value = function.__globals__[name]
            _value(digest, value, seen)
            if isinstance(value, ModuleType):  # and what the function may read of it: numbers are compiled in
                _attributes(digest, value, function.__code__, seen)


def _attributes(digest: Any, module: ModuleType, code: CodeType, seen: set[int]) -> None:
    for name in _global_names(code):
        if name in vars(module) and not isinstance(vars(module)[name], ModuleType):
            digest.update(name.encode())
            _value(digest, vars(module)[name], seen)


def _code(digest: Any, code: CodeType) -> None:
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _code(digest, constant)
        elif isinstance(constant, frozenset):
            digest.update(repr(sorted(map(repr, constant))).encode())
        else:
            digest.update(repr(constant).encode())


def _global_names(code: CodeType) -> list[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= set(_global_names(constant))
    return sorted(names)


def _value(digest: Any, value: Any, seen: set[int]) -> None:
    if isinstance(value, ModuleType):
        digest.update(value.__name__.encode())
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif callable(value):
        _function(digest, value, seen)
    else:
        digest.update(repr(value).encode())
