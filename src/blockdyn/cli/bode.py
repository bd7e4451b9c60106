"""`blockdyn bode`: the frequency response of a diagram, as a picture or in numbers, and margins of a loop."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.text_table import Table
from .compiling import compiling
from .console import show, show_json
from .diagrams import compiled
from .outputs import prepare_picture

if TYPE_CHECKING:
    from ..analysis.models.linear_model import LinearModel

ROWS = 13  # of the table


class OneOfTwo(BlockdynError):
    """Options that exclude each other."""

    def __init__(self) -> None:
        found = "--loop together with --from, --to or --open"
        super().__init__(f"{found}\nexpected: --loop PATH alone, the loop that closes there, or the others")


def bode(arguments: Namespace) -> int:
    """Print the response, and draw it; raises BlockdynError."""
    from ..analysis.linearize import linearize

    entries, exits, cut = arguments.entries, arguments.exits, arguments.open
    if arguments.loop is not None:
        if entries or exits or cut:
            raise OneOfTwo
        entries = exits = cut = [arguments.loop]
    if arguments.plot:
        prepare_picture(arguments.plot)
    program = compiled(arguments)
    with compiling():
        model = linearize(
            program, entries or None, exits or None, at=arguments.at, time=None, open=cut,
            sample_time=arguments.sample_time,
        )  # fmt: skip
    if arguments.loop is not None:
        model = -model
    if arguments.plot:
        model.bode(file=arguments.plot, show=False, style=arguments.style)
    if arguments.json:
        show_json(_plain(model, arguments))
    else:
        show(*_parts(model, arguments))
    return 0


def _response(model: LinearModel) -> tuple[Any, Any, Any]:
    from ..analysis.models.bode import decibels, grid_of, phase

    grid = grid_of(model)
    response = model.frequency_response(grid)
    gain, angle = np.empty(response.shape), np.empty(response.shape)
    for i, j in np.ndindex(response.shape[1:]):
        gain[:, i, j], angle[:, i, j] = decibels(response[:, i, j]), phase(response[:, i, j])
    return grid, gain, angle


def _plain(model: LinearModel, arguments: Namespace) -> dict[str, Any]:
    grid, gain, angle = _response(model)
    plain = {
        "inputs": list(model.inputs), "outputs": list(model.outputs), "omega": grid.tolist(),
        "gain": gain.tolist(), "phase": angle.tolist(),
    }  # fmt: skip
    return plain | ({"margins": model.margins()._asdict()} if arguments.loop is not None else {})


def _parts(model: LinearModel, arguments: Namespace) -> list[str | Table]:
    grid, gain, angle = _response(model)
    rows = np.unique(np.searchsorted(grid, np.geomspace(grid[0], grid[-1], ROWS)).clip(0, grid.size - 1))
    parts: list[str | Table] = []
    for i, j in np.ndindex(gain.shape[1:]):
        name = f"loop at {arguments.loop}" if arguments.loop else f"{model.inputs[j]} to {model.outputs[i]}"
        body = [(f"{grid[k]:.4g}", f"{gain[k, i, j]:.2f}", f"{angle[k, i, j]:.1f}") for k in rows]
        parts += [Table(name, ("frequency, rad/s", "gain, dB", "phase, deg"), body), ""]
    if arguments.loop is not None:
        m = model.margins()
        found = [
            ("gain", f"{m.gain:.4g}", "", f"{m.gain_frequency:.4g}"),
            ("phase", f"{m.phase:.4g}", "deg", f"{m.phase_frequency:.4g}"),
            ("delay", f"{m.delay:.4g}", "s", f"{m.phase_frequency:.4g}"),
            ("modulus", f"{m.modulus:.4g}", "", f"{m.modulus_frequency:.4g}"),
        ]
        parts += [Table("Margins", ("", "value", "unit", "at, rad/s"), found), ""]
    if arguments.plot:
        parts += [f"wrote {arguments.plot}"]
    return parts
