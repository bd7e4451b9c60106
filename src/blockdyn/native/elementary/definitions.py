"""Definitions of the elementary functions as LLVM bitcode, optimised once and kept in the store.

sin(x), cos(x) -> parts of sincos(x), so that LLVM computes the two of one angle together
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any

from .. import cache as store
from ..fingerprint import toolchain
from .names import ATTRIBUTES, OF_ONE, OF_TWO, PREFIX

HOMES = {
    "exponential": ("exp", "exp2", "expm1", "sinh", "cosh", "tanh"),
    "logarithm": ("log", "log2", "log10", "log1p", "pow"),
    "trigonometric": ("sincos", "tan"),
    "inverse": ("asin", "acos", "atan", "atan2", "hypot"),
    "doubles": ("fmod",),
}
"""Modules and their functions: imported when one is compiled, as they compute tables."""

_FUNCTION = """
declare i32 @{symbol}(ptr, ptr, {kinds})
define {result} @{name}({arguments}) noinline {attributes} {{
  %result = alloca {result}
  %exception = alloca ptr
  %status = call i32 @{symbol}(ptr %result, ptr %exception, {arguments})
  %value = load {result}, ptr %result
  ret {result} %value
}}
"""
_PART = """
declare {{ double, double }} @{prefix}sincos(double) {attributes}
define double @{prefix}{name}(double %a0) alwaysinline {attributes} {{
  %both = call {{ double, double }} @{prefix}sincos(double %a0)
  %value = extractvalue {{ double, double }} %both, {place}
  ret double %value
}}
"""
PARTS = ("sin", "cos")


def link(module: Any) -> None:
    """Put the definitions of the functions of ours that a module declares into it."""
    import llvmlite.binding as llvm

    declared = {item.name for item in module.functions if item.is_declaration}
    called = {name for name in (*OF_ONE, *OF_TWO) if PREFIX + name in declared}
    for name in sorted(called | ({"sincos"} if called.intersection(PARTS) else set())):
        _link_one(llvm, module, name)


def _link_one(llvm: Any, module: Any, name: str) -> None:
    symbol = PREFIX + name
    if name in PARTS:
        text = _PART.format(prefix=PREFIX, name=name, place=PARTS.index(name), attributes=ATTRIBUTES)
        part = llvm.parse_assembly(text)
    else:
        part = llvm.parse_bitcode(bitcode(name))
    part.triple, part.data_layout = module.triple, module.data_layout
    module.link_in(part)
    module.get_function(symbol).linkage = "internal"


@cache
def bitcode(name: str) -> bytes:
    """Optimised bitcode of a function: from the store, or compiled."""
    key = sha256(f"{toolchain()} {name}".encode()).hexdigest()
    data = store.read(f"{key}.elementary")
    if data is None:
        data = _compile(name)
        store.write(f"{key}.elementary", data)
    return data


def function_of(name: str) -> Callable[..., Any]:
    """The function in Python."""
    home = next(home for home, names in HOMES.items() if name in names)
    return getattr(import_module(f"{__package__}.{home}"), name)  # type: ignore[no-any-return]


def _compile(name: str) -> bytes:
    from ..compiling import kernel
    from ..engine import join_module
    from ..target import host, optimise

    count = 2 if name in OF_TWO else 1
    compiled = kernel(function_of(name), ("d",) * count)
    text = _FUNCTION.format(
        symbol=compiled.symbol,
        kinds=", ".join(["double"] * count),
        name=PREFIX + name,
        result="{ double, double }" if len(compiled.results) == 2 else "double",
        arguments=", ".join(f"double %a{i}" for i in range(count)),
        attributes=ATTRIBUTES,
    )
    machine = host().machine(3)
    module = join_module(text, [compiled], [PREFIX + name], host(), machine)
    optimise(module, machine, 3, loops=False)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.name != PREFIX + name:
            item.name = f"{PREFIX}{name}.{item.name}"
    return bytes(module.as_bitcode())
