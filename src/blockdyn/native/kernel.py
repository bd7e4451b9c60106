"""A kernel: the bitcode of one function, and the store where kernels are kept by content."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from . import cache
from .front_end import Type


@dataclass(frozen=True)
class Kernel:
    """Bitcode of one function: `symbol(result*, exception*, arguments...) -> status`, as numba lays it out.

    An array argument is spread over 5 + 2 n values: owner, parent, items, item size, data, shape, strides.
    """

    symbol: str
    arguments: tuple[Type, ...]
    results: tuple[Type, ...]
    bitcode: bytes
    fails: bool  # may end with a status other than 0
    runtime: bool  # needs numba itself in the process (allocation, BLAS, exceptions)
    parts: tuple[str, ...] = ()  # keys of the kernels that it calls, in their turn as well
    name: str = ""  # qualified name of the function in Python


_kernels: dict[str, Kernel] = {}


def stored_kernel(key: str) -> Kernel | None:
    """The kernel of this key with all its parts at hand: from memory, or from the store."""
    if key not in _kernels:
        kernel = _load(key)
        parts = {part: _kernels.get(part) or _load(part) for part in kernel.parts} if kernel else {}
        if kernel is None or None in parts.values():
            return None
        _kernels.update({name: part for name, part in parts.items() if part is not None})
        _kernels[key] = kernel
    return _kernels[key]


def keep(key: str, kernel: Kernel) -> None:
    """Remember a kernel, for this process and in the store."""
    _kernels[key] = kernel
    facts = kernel.symbol, kernel.arguments, kernel.results, kernel.fails, kernel.runtime, kernel.parts
    head = json.dumps([*facts, kernel.name]).encode()
    cache.write(f"{key}.kernel", struct.pack("<I", len(head)) + head + kernel.bitcode)


def fetch_kernel(key: str) -> Kernel:
    """The kernel of a key that was stored or loaded before."""
    return _kernels[key]


def with_parts(kernels: Iterable[Kernel]) -> list[Kernel]:
    """The kernels and the parts that they call, each once."""
    by_symbol = {kernel.symbol: kernel for kernel in kernels}
    for kernel in list(by_symbol.values()):
        for key in kernel.parts:
            part = fetch_kernel(key)
            by_symbol[part.symbol] = part
    return list(by_symbol.values())


def _load(key: str) -> Kernel | None:
    data = cache.read(f"{key}.kernel")
    if not data or len(data) < 4:
        return None
    (size,) = struct.unpack_from("<I", data)
    try:
        symbol, arguments, results, fails, runtime, parts, name = json.loads(data[4 : 4 + size])
    except (ValueError, UnicodeDecodeError):
        return None
    code = data[4 + size :]
    types = tuple(arguments), tuple(results)
    return Kernel(symbol, *types, code, bool(fails), bool(runtime), tuple(parts), str(name))
