"""Functions that return an array, turned into kernels that write one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....blocks.contract.port import Shape
from ....native.groups import gathered, parts_of


def writing(function: Callable[..., Any], count: int, shape: Shape) -> Callable[..., Any]:
    """`f(a0, a1, ..., out)`, which writes what `function(a0, a1, ...)` returns into `out`."""
    from numba import njit

    names = ", ".join(f"a{i}" for i in range(count))
    kinds: dict[str, Any] = {}

    def joined(kind: type, items: list[str]) -> str:
        name = f"k{len(kinds)}"
        kinds[name] = kind
        return f"{name}({', '.join(items)})"

    passed = ", ".join(gathered(parts_of(function), names.split(", "), joined)) or names
    place = ", ".join(":" for _ in shape)
    text = f"def write({names}{', ' if names else ''}out):\n    out[{place}] = inner({passed})\n"
    space: dict[str, Any] = {**kinds, "inner": njit(function, error_model="numpy")}
    exec(text, space)  # the text holds nothing but generated names
    write: Callable[..., Any] = space["write"]
    write.allocates = True  # type: ignore[attr-defined]
    return write
