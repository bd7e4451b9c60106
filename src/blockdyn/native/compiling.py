"""From a Python function to its kernel: remembered, kept in the store, or compiled by numba."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from .fingerprint import fingerprint
from .front_end import CannotCompile, Type, extract, first_words, letters, signature_of, through_numba
from .kernel import Kernel, keep, stored_kernel
from .pieces import Pieces

_announce: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> None:
    """Call `listener` with a function's name before each compilation that the store could not spare."""
    _announce.append(listener)


def announce(name: str) -> None:
    """Pass the name of a function that is compiled now to the listeners."""
    for listener in _announce:
        listener(name)


def kernel(function: Callable[..., Any], arguments: tuple[Type, ...]) -> Kernel:
    """The compiled form of `function` for these argument types: from memory, the store, or numba.

    Plain Python functions that it calls are compiled with it. A function that numba has refused is refused
    again at once, as long as all that it refers to is the same.

    Raises CannotCompile when numba refuses the function.
    """
    key = _key(function, arguments)
    compiled = stored_kernel(key)
    if compiled is None:
        refusals = _refusals.setdefault(function, {}) if isinstance(function, FunctionType) else {}
        if key in refusals:
            kind, words = refusals[key]
            raise kind(words)
        try:
            compiled = compile_kernel(function, arguments)
        except CannotCompile as error:
            refusals[key] = type(error), str(error)
            raise
        keep(key, compiled)
    return compiled


_refusals: WeakKeyDictionary[FunctionType, dict[str, tuple[type[CannotCompile], str]]] = WeakKeyDictionary()
"""Numba's messages about functions that it refused, by fingerprint."""
_keys: WeakKeyDictionary[Callable[..., Any], dict[tuple[Type, ...], str]] = WeakKeyDictionary()


def _key(function: Callable[..., Any], arguments: tuple[Type, ...]) -> str:
    """The fingerprint, cached for functions of the library except closures: these may hold a user's function,
    and values that it reads may change.
    """
    ours = str(getattr(function, "__module__", "")).startswith("blockdyn.")
    if not ours or getattr(function, "__closure__", None):
        return fingerprint(function, arguments)
    keys = _keys.setdefault(function, {})
    if arguments not in keys:
        keys[arguments] = fingerprint(function, arguments)
    return keys[arguments]


def compile_kernel(function: Callable[..., Any], arguments: tuple[Type, ...]) -> Kernel:
    """The compiled form of `function`, afresh. Raises CannotCompile."""
    from numba.core.errors import NumbaError

    name = getattr(function, "__qualname__", "")
    announce(name or "a function")
    key = fingerprint(function, arguments)
    function = getattr(function, "py_func", function)
    signature = signature_of(function, arguments)
    pieces = Pieces()
    linked = pieces.linked(function)
    try:
        try:
            result = through_numba(linked, signature, lean=not getattr(function, "allocates", False))
        except (NumbaError, TypeError):  # it allocates: allowed, at a price, for its callees as well
            pieces = Pieces()
            result = through_numba(pieces.linked(function), signature, lean=False)
    except Exception as error:  # numba's front end raises anything on code that it does not support
        raise CannotCompile(first_words(error)) from error
    symbol, code, fails, runtime = extract(result, key)
    runtime = runtime or any(part.runtime for part in pieces.kernels())
    results = letters(result.signature.return_type)
    return Kernel(symbol, arguments, results, code, fails, runtime, pieces.keys(), name)
