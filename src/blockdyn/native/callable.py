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
from .front_end import Type
from .kernel import Kernel
from .pieces import Pieces

_LLVM = {"d": "double", "i": "i64", "b": "i8", "a": "i64"}

# entry(block) -> the kernel's integer result.
_ONCE = """
declare i32 @{symbol}({declared})
define i64 @entry(ptr %block) {{
  %result = alloca i64
  store i64 0, ptr %result
  %exception = alloca ptr
{loads}
  %status = call i32 @{symbol}({passed})
  %value = load i64, ptr %result
  ret i64 %value
}}
"""

# rows(block, steps, count, stop, done) -> the last call's result: calls with the addresses of the arrays
# moved by `steps` bytes, one for each array, after each call; `count` calls, or with `stop` until one gives
# 0 or more. done: the number of calls before that one. The kernel stands in the loop itself, not after it.
_ROWS = """
declare i32 @{symbol}({declared})
@still = internal constant [{arrays} x i64] zeroinitializer
define i64 @rows(ptr %block, ptr %steps, i64 %count, i64 %stop, ptr %done) {{
begin:
  %result = alloca i64
  store i64 0, ptr %result
  %exception = alloca ptr
{loads}
{strides}
  %stops = icmp ne i64 %stop, 0
  br label %next
next:
  %k = phi i64 [ 0, %begin ], [ %k1, %move ]
{places}
  %more = icmp slt i64 %k, %count
  br i1 %more, label %call, label %end
call:
  %status = call i32 @{symbol}({passed})
  %value = load i64, ptr %result
  %told = icmp sge i64 %value, 0
  %ends = and i1 %told, %stops
  br i1 %ends, label %end, label %move
move:
  %k1 = add i64 %k, 1
{moves}
  br label %next
end:
  store i64 %k, ptr %done
  %last = load i64, ptr %result
  ret i64 %last
}}
define i64 @entry(ptr %block) {{
  %done = alloca i64
  %value = call i64 @rows(ptr %block, ptr @still, i64 1, i64 0, ptr %done)
  ret i64 %value
}}
"""


def entry_of(compiled: Kernel, *, rows: bool) -> str:
    """The text of `entry`, and with `rows` of that too, for `native.callable` and `native.repeat`."""
    loads: list[str] = []
    strides: list[str] = []
    places: list[str] = []
    moves: list[str] = []
    types: list[str] = []
    values: list[str] = []
    word = 0

    def load(kind: str) -> str:
        nonlocal word
        loads.append(f"  %a{word} = getelementptr i64, ptr %block, i64 {word}")
        loads.append(f"  %v{word} = load {kind}, ptr %a{word}")
        word += 1
        return f"%v{word - 1}"

    for letter in compiled.arguments:
        if len(letter) > 1:
            first, items = load("ptr"), load("i64")
            n = len(places)
            strides.append(f"  %s{n} = getelementptr i64, ptr %steps, i64 {n}")
            strides.append(f"  %by{n} = load i64, ptr %s{n}")
            places.append(f"  %p{n} = phi ptr [ {first}, %begin ], [ %q{n}, %move ]")
            moves.append(f"  %q{n} = getelementptr i8, ptr %p{n}, i64 %by{n}")
            data = f"%p{n}" if rows else first
            spread = [("ptr", "null"), ("ptr", "null"), ("i64", items), ("i64", "8"), ("ptr", data)]
            spread += [("i64", load("i64")) for _ in range(2 * int(letter[1:]))]
        else:
            spread = [(_LLVM[letter], load(_LLVM[letter]))]
        types += [kind for kind, _ in spread]
        values += [f"{kind} {value}" for kind, value in spread]
    return (_ROWS if rows else _ONCE).format(
        symbol=compiled.symbol,
        declared=", ".join(["ptr", "ptr", *types]),
        passed=", ".join(["ptr %result", "ptr %exception", *values]),
        arrays=len(places),
        loads="\n".join(loads),
        strides="\n".join(strides),
        places="\n".join(places),
        moves="\n".join(moves),
    )


class Native:
    """One compiled function; arrays go in by address, so it writes where its Python original would.

    The call releases the interpreter lock. Arguments are `(value, ...)` of the types declared; the first
    result, an integer, is returned.
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
            pieces = Pieces(plain=True)
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
        """Address of its machine code: `i64 entry(block)`, for compiled code that calls it."""
        return self._code.addresses["entry"]

    @property
    def rows_address(self) -> int:
        """Address of its loop over rows, for `native.repeat`."""
        return self._code.addresses["rows"]

    def pack(self, *values: Any) -> tuple[int, np.ndarray, list[Any]]:
        """The argument block, and the values that must stay alive while it is used."""
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
        """Positions of each value's words in the argument block; an array's first word is its address."""
        kinds = zip(self.arguments, values, strict=True)
        sizes = (2 + 2 * value.ndim if len(letter) > 1 else 1 for letter, value in kinds)
        return [0, *accumulate(sizes)][:-1]

    def run(self, block: tuple[int, np.ndarray, list[Any]]) -> int:
        """Call with a packed argument block."""
        return self._call(block[0])  # type: ignore[no-any-return]

    def __call__(self, *values: Any) -> int:
        return self.run(self.pack(*values))
