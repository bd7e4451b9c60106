"""The operating point of `blockdyn linearize` and `bode`: --at, --trim, or the start of the run."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from .changes import named_values
from .trim import numbers_text

if TYPE_CHECKING:
    from ..analysis.point import At
    from ..diagrams.compiler.program import Program


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
    found = {**point.inputs, **point.states}
    values = ", ".join(f"{name} = {numbers_text(value)}" for name, value in found.items())
    return point, ": ".join(filter(None, (f"at the operating point {', '.join(texts)}".rstrip(), values)))


def _kind(program: Program, name: str) -> str:
    """The argument of `trim` that takes a value of this name."""
    if name in program.flat.inputs:
        return "inputs"
    return "states" if any(name == state.name for state in program.states) else "outputs"
