"""Keep the machine code of a text by content, in memory and in the store."""

from __future__ import annotations

import struct
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256

import numpy as np

from ...native import cache
from ...native.engine import Code, load_object, object_of
from ...native.fingerprint import toolchain
from ...native.kernel import Kernel
from ...robots.equations.specialise import FLAGS, key_of, load, specialise, traceable
from ...robots.mechanics.bodies import Array
from ...robots.model.table import WIDTH
from .emit.functions import Text
from .plan.layout import Plan

_codes: OrderedDict[str, Code] = OrderedDict()
_lock = threading.Lock()
FINE, MEDIUM = 40, 250  # output functions up to which LLVM works at levels 2 and 1
TRACED = 2  # robots of programs with one text that get their own code
_robots: dict[str, list[bytes]] = {}  # their tables, by the key of the text
KEPT = 128  # programs whose machine code stays loaded although nothing runs it


def compile_text(
    text: Text, names: Sequence[str], make: Callable[[str, list[Kernel], int], bytes] | None = None
) -> Code:
    """The machine code of a text's functions: from memory, the store, or LLVM.

    `make` makes it differently from text, kernels and level; `names` are then part of the key in the store.
    """
    kernels = list(text.kernels.values())
    runtime = any(kernel.runtime for kernel in kernels)
    digest = sha256(text.text.encode())
    for symbol in sorted(text.kernels):
        digest.update(symbol.encode())
    if make is not None:
        digest.update(" ".join(names).encode())
    digest.update(toolchain().encode())
    arms, flags = _arms(text.plan, digest.hexdigest()) if make is None else ([], {})
    if arms:
        digest.update(key_of(arms, flags).encode())
    key = digest.hexdigest()
    with _lock:
        if key in _codes:
            _codes.move_to_end(key)
            return _codes[key]
    data = None if len(text.callbacks) else cache.read(f"{key}.program")
    if data is not None and arms:
        data = _with_objects(data)
    if data is None:
        level = _level(len(text.plan.order))
        if make is not None:
            data = make(text.text, kernels, level)
        else:
            kernels, objects = specialise(kernels, arms, flags) if arms else (kernels, [])
            data = object_of(text.text, kernels, list(names), level=level)
        if not len(text.callbacks):
            cache.write(f"{key}.program", _head(objects) + data if arms else data)
    code = load_object(data, names, runtime=runtime)
    with _lock:
        _codes[key] = code
        while len(_codes) > KEPT:
            _codes.popitem(last=False)
    return code


def _arms(plan: Plan, key: str) -> tuple[list[Array], dict[str, list[int]]]:
    """The tables of robots that get their own code, and numbers that blocks pass on as integers.

    Programs of one text that differ in their robots, as in a loop over perturbed models, get it for the first
    few: later ones run the general code, which already exists.
    """
    numbers = [unit.numbers for unit in plan.units if "arm" in unit.numbers]
    tables = traceable(each["arm"] for each in numbers if np.shape(each["arm"])[1:] == (WIDTH,))
    if not tables:
        return [], {}
    mark = b"".join(arm.tobytes() for arm in tables)
    with _lock:
        marks = _robots.setdefault(key, [])
        if mark not in marks:
            if len(marks) == TRACED:
                return [], {}
            marks.append(mark)
    return tables, {name: sorted({int(each[name]) for each in numbers if name in each}) for name in FLAGS}


def _head(objects: Sequence[str]) -> bytes:
    """The objects that a program needs, as they stand before its machine code in the store."""
    names = " ".join(objects).encode()
    return struct.pack("<I", len(names)) + names


def _with_objects(data: bytes) -> bytes | None:
    """A program's machine code after its objects were loaded; None if one of them is missing."""
    (size,) = struct.unpack_from("<I", data)
    return data[4 + size :] if load(data[4 : 4 + size].decode().split()) else None


def _level(tasks: int) -> int:
    """LLVM's level by a diagram's size: small diagrams compile at once, and large ones run fast enough."""
    return 2 if tasks <= FINE else 1 if tasks <= MEDIUM else 0
