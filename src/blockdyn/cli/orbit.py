"""`blockdyn orbit`: a periodic orbit of a diagram, and its Floquet multipliers."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.text_table import Table
from .console import show, show_json
from .diagrams import compile_named, compiling, named_values
from .outputs import prepare_picture
from .trim import numbers_text

if TYPE_CHECKING:
    from ..gradients.orbit import Orbit


def orbit(arguments: Namespace) -> int:
    """Print the orbit, and draw it; a diagram without one raises BlockdynError."""
    from ..gradients.shooting import periodic_orbit

    begin = named_values("--near", arguments.near)
    advances = named_values("--advance", arguments.advances)
    if arguments.plot:
        prepare_picture(arguments.plot)
    program = compile_named(arguments)
    with compiling():
        cycle = periodic_orbit(program, arguments.period, begin or arguments.at, advances, {})
    if arguments.plot:
        cycle.plot(file=arguments.plot, show=False, style=arguments.style)
    if arguments.json:
        show_json(_plain(cycle))
    else:
        show(*_parts(cycle, arguments.plot))
    return 0


def _plain(cycle: Orbit) -> dict[str, Any]:
    return {
        "period": cycle.period, "time": cycle.time, "kind": cycle.kind, "autonomous": cycle.autonomous,
        "initial": {name: np.asarray(value).tolist() for name, value in cycle.initial.items()},
        "multipliers": [[value.real, value.imag] for value in cycle.multipliers.tolist()],
        "residual": cycle.residual,
    }  # fmt: skip


def _parts(cycle: Orbit, picture: str | None) -> list[str | Table]:
    states = [(name, numbers_text(value)) for name, value in cycle.initial.items()]
    along = cycle.autonomous
    multipliers = [
        (
            f"{value.real:.8g}",
            f"{value.imag:.8g}",
            f"{abs(value):.8g}",
            "trivial" if along and k == 0 else "",
        )
        for k, value in enumerate(cycle.multipliers)
    ]
    parts: list[str | Table] = [
        f"{cycle.kind}, with a period of {cycle.period:.12g} s; residual {cycle.residual:.1e}", "",
        Table(f"State at {cycle.time:.6g} s", ("state", "value"), states), "",
        Table("Floquet multipliers", ("real", "imaginary", "magnitude", ""), multipliers),
    ]  # fmt: skip
    return [*parts, f"  written: {picture}"] if picture else parts
