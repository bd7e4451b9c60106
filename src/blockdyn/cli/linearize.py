"""`blockdyn linearize`: the linear model of a diagram, its poles and margins."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.counted import counted
from ..base.text_table import Table
from .compiling import compiling
from .console import show, show_json
from .diagrams import compiled
from .point import operating_point

if TYPE_CHECKING:
    from ..analysis.models.linear_model import LinearModel


def linearize(arguments: Namespace) -> int:
    """Print the model; a diagram without one raises BlockdynError."""
    from ..analysis.linearize import linear_model

    program = compiled(arguments)
    with compiling():
        at, place = operating_point(program, arguments)
        model = linear_model(
            program, arguments.entries or None, arguments.exits or None, at=at, time=None,
            open=arguments.open, sample_time=arguments.sample_time,
        )  # fmt: skip
    if arguments.json:
        show_json(_plain(model) | {"point": place})
    else:
        show(place, *_parts(model))
    return 0


def _plain(model: LinearModel) -> dict[str, Any]:
    """The model in lists and numbers."""
    plain = _listed(asdict(model))
    if model.delays is not None:
        return plain
    del plain["delays"]
    return plain | {"poles": [[pole.real, pole.imag] for pole in model.poles().tolist()]}


def _listed(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray)
        else _listed(value) if isinstance(value, dict) else value
        for name, value in values.items()
    }  # fmt: skip


def _parts(model: LinearModel) -> list[str | Table]:
    from ..analysis.models.text import stability

    time = f"in steps of {model.sample_time:g} s" if model.sample_time else "in continuous time"
    sizes = {"state": model.states, "input": model.inputs, "output": model.outputs}
    counts = ", ".join(counted(len(names), noun) for noun, names in sizes.items())
    parts: list[str | Table] = [f"{counts}, {time}; {stability(model)}"]
    for title, matrix, rows, columns in (
        ("A", model.A, model.states, model.states), ("B", model.B, model.states, model.inputs),
        ("C", model.C, model.outputs, model.states), ("D", model.D, model.outputs, model.inputs),
    ):  # fmt: skip
        if rows and columns:
            body = [
                (name, *(f"{value:.6g}" for value in row)) for name, row in zip(rows, matrix, strict=True)
            ]
            parts += ["", Table(title, ("", *columns), body)]
    delays = model.delays
    if delays is not None:
        body = [(name, f"{time:.6g}") for name, time in zip(delays.names, delays.times, strict=True)]
        parts += ["", Table("Delays, not included in these matrices", ("signal", "delay (s)"), body)]
    poles = [
        (f"{p.value:.6g}", f"{p.frequency:.6g}", f"{p.damping:.6g}", f"{p.time_constant:.6g}")
        for p in (model.damping() if delays is None else ())
    ]
    if poles:
        heads = ("pole", "frequency (rad/s)", "damping ratio", "time constant (s)")
        parts += ["", Table("Poles", heads, poles)]
    if model.differences:
        parts += ["", f"by differences: {', '.join(model.differences)}"]
    if model.kinks:
        parts += ["", f"at a kink, of one side: {'; '.join(model.kinks)}"]
    if model.held:
        parts += ["", f"kept at events, constant here: {', '.join(model.held)}"]
    return parts
