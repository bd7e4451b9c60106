"""A kernel as something Python calls with numbers and arrays, without numba in the process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np

from . import cache
from .compiling import compile_kernel
from .engine import Code, load_object, object_of
from .entry import entry_of
from .front_end import Type
from .pieces import Pieces


class Native:
    """One compiled function; arrays go in by address, so it writes where its Python original would.

    The call releases the interpreter lock. Arguments are `(value, ...)` as the types say; the first
    result, an integer, comes back.
    """

    def __init__(
        self,
        make: Callable[[Pieces], Callable[..., Any]],
        key: str,
        arguments: tuple[Type, ...],
        *,
        rows: bool = False,
    ) -> None:
        """`make` gives the function, cut into pieces, when the store holds nothing under `key`.

        rows: it can be called for the rows of its arrays as well, one after the other, by `rows_address`.
        """
        self.arguments = arguments
        names = ["entry", "rows"] if rows else ["entry"]
        data = cache.read(f"{key}.object")
        if data is None:
            pieces = Pieces()
            compiled = compile_kernel(make(pieces), arguments)
            kernels = [compiled, *pieces.kernels()]
            if any(part.runtime for part in kernels):
                raise RuntimeError(f"{compiled.symbol} calls into numba; it could not be loaded without it")
            data = object_of(entry_of(compiled, rows=rows), kernels, names, level=3)
            cache.write(f"{key}.object", data)
        self._code: Code = load_object(data, names)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self._code.addresses["entry"])

    @property
    def address(self) -> int:
        """Where its machine code begins: `i64 entry(block)`, for compiled code that calls it."""
        return self._code.addresses["entry"]

    @property
    def rows_address(self) -> int:
        """Where its loop over rows begins, for `native.repeat`."""
        return self._code.addresses["rows"]

    def pack(self, *values: Any) -> tuple[int, np.ndarray, list[Any]]:
        """The argument block and what must stay alive while it is used."""
        words: list[int] = []
        for letter, value in zip(self.arguments, values, strict=True):
            if len(letter) > 1:
                words += [value.ctypes.data, value.size, *value.shape, *value.strides]
            elif letter == "a":
                words.append(value.address)
            else:
                words.append(int(np.array(value, np.float64).view(np.int64)) if letter == "d" else int(value))
        block = np.array(words, np.int64)
        return block.ctypes.data, block, list(values)

    def words(self, *values: Any) -> list[int]:
        """Where each value's words begin in the argument block; an array's first one is its address."""
        kinds = zip(self.arguments, values, strict=True)
        sizes = (2 + 2 * value.ndim if len(letter) > 1 else 1 for letter, value in kinds)
        return [0, *accumulate(sizes)][:-1]

    def run(self, block: tuple[int, np.ndarray, list[Any]]) -> int:
        """Call with a packed argument block."""
        return self._call(block[0])  # type: ignore[no-any-return]

    def __call__(self, *values: Any) -> int:
        return self.run(self.pack(*values))
