"""`blockdyn trim` prints an operating point; other commands find theirs by --at and --trim."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.text_table import Table
from .console import show, show_json
from .diagrams import compile_named, compiling, named_values

if TYPE_CHECKING:
    from ..analysis.point import At
    from ..analysis.trim import Trim
    from ..diagrams.compiler.program import Program


def trim(arguments: Namespace) -> int:
    """Print the point; a diagram without one raises BlockdynError."""
    from ..analysis.trim import trimmed_point

    asked: dict[str, Any] = {
        name: named_values(f"--{option}", getattr(arguments, name))
        for name, option in (
            ("states", "state"), ("inputs", "input"), ("outputs", "output"), ("slopes", "slope"),
            ("bounds", "bound"),
        )
    }  # fmt: skip
    begin = named_values("--near", arguments.near)
    program = compile_named(Namespace(**{**vars(arguments), "inputs": None}))
    with compiling():
        point = trimmed_point(program, **asked, at=begin or arguments.at, time=None)
    if arguments.json:
        show_json(_plain(point))
    else:
        show(*_parts(point))
    return 0


def _plain(point: Trim) -> dict[str, Any]:
    groups = {name: getattr(point, name) for name in ("states", "inputs", "held", "outputs")}
    plain = {
        name: {key: np.asarray(value).tolist() for key, value in values.items()}
        for name, values in groups.items()
    }
    return {**plain, "residual": point.residual, "floating": list(point.floating)}


def _parts(point: Trim) -> list[str | Table]:
    parts: list[str | Table] = [f"every equation is met to {max(point.residual, 1e-16):.1e}"]
    for title, values in (
        ("States", point.states), ("Inputs", point.inputs), ("Held", point.held), ("Outputs", point.outputs)
    ):  # fmt: skip
        if values:
            body = [(name, numbers_text(value)) for name, value in values.items()]
            parts += ["", Table(title, ("signal", "value"), body)]
    if point.floating:
        parts += ["", f"undetermined by the equations, near the start: {', '.join(point.floating)}"]
    return parts


def numbers_text(value: Any) -> str:
    """A number, or the numbers of an array, in ten digits."""
    return ", ".join(f"{float(number):.10g}" for number in np.ravel(value))


def operating_point(program: Program, arguments: Namespace) -> tuple[At, str]:
    """The point for a linear model, and a line that describes it. Raises BlockdynError."""
    if arguments.trim is None:
        if arguments.at is not None:
            return arguments.at, f"at {arguments.at:g} s of a run"
        begin = float(program.flat.simulation.get("start") or 0.0)
        return None, f"at the start of the run, t = {begin:g} s"
    from ..analysis.trim import trimmed_point

    fixed: dict[str, dict[str, Any]] = {"states": {}, "inputs": {}, "outputs": {}}
    texts = [text for text in arguments.trim if text]
    for name, value in named_values("--trim", texts).items():
        fixed[_kind(program, name.partition("[")[0])][name] = value
    point = trimmed_point(program, **fixed, slopes=None, bounds=None, at=arguments.at, time=None)
    point_values = {**point.inputs, **point.states}
    values = ", ".join(f"{name} = {numbers_text(value)}" for name, value in point_values.items())
    return point, ": ".join(filter(None, (f"at the operating point {', '.join(texts)}".rstrip(), values)))


def _kind(program: Program, name: str) -> str:
    """The argument of `trim` that takes a value of this name."""
    if name in program.flat.inputs:
        return "inputs"
    return "states" if any(name == state.name for state in program.states) else "outputs"
