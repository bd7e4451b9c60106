"""Functions that return an array, turned into kernels that write one."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ....blocks.contract.port import Shape
from ....native.groups import gathered, parts_of


def writing(function: Callable[..., Any], count: int, shape: Shape) -> Callable[..., Any]:
    """`f(a0, a1, ..., out)`, which writes what `function(a0, a1, ...)` returns into `out`."""
    names = ", ".join(f"a{i}" for i in range(count))
    kinds: dict[str, Any] = {}

    def joined(kind: type, items: list[str]) -> str:
        name = f"k{len(kinds)}"
        kinds[name] = kind
        return f"{name}({', '.join(items)})"

    passed = ", ".join(gathered(parts_of(function), names.split(", "), joined)) or names
    wrong = f"it returned another number of values than {prod(shape)}, those of its output"
    text = "\n".join([
        f"def write({names}{', ' if names else ''}out):",
        f"    answer = inner({passed})",
        f"    if answer.size != {prod(shape)}:",
        f"        raise ValueError({wrong!r})",
        "    numbers, i = out.ravel(), 0",
        "    for number in answer.flat:",
        "        numbers[i] = number",
        "        i += 1",
    ])  # fmt: skip
    space: dict[str, Any] = {**kinds, "inner": function}
    exec(text, space)  # the text holds nothing but generated names
    write: Callable[..., Any] = space["write"]
    write.allocates = True  # type: ignore[attr-defined]
    return write
