"""`blockdyn linearize`, `bode`, `trim` and `orbit` print linear models, operating points and periodic orbits.

Other commands find their operating points by --at and --trim.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import BlockdynError
from ..base.text_table import Table
from ..base.words import inflect
from .console import show, show_json
from .diagrams import compile_named, compiling, named_values
from .outputs import prepare_picture

if TYPE_CHECKING:
    from ..analysis.models.frequency_response import FrequencyResponse
    from ..analysis.models.linear_model import LinearModel
    from ..analysis.point import At
    from ..analysis.trim import Trim
    from ..diagrams.compiler.program import Program
    from ..gradients.orbit import Orbit


def linearize(arguments: Namespace) -> int:
    """Print the model; a diagram without one raises BlockdynError."""
    from ..analysis.linearize import linear_model

    program = compile_named(arguments)
    with compiling():
        at, place = operating_point(program, arguments)
        model = linear_model(
            program, arguments.entries or None, arguments.exits or None, at=at, time=None,
            open=arguments.open, sample_time=arguments.sample_time,
        )  # fmt: skip
    if arguments.json:
        show_json(plain_model(model) | {"point": place})
    else:
        show(place, *model_parts(model), *_missing_ends(model))
    return 0


def plain_model(model: LinearModel) -> dict[str, Any]:
    """The model as lists and numbers."""
    plain = _convert_arrays(asdict(model))
    if model.delays is not None:
        return plain
    del plain["delays"]
    return plain | {"poles": [[pole.real, pole.imag] for pole in model.poles().tolist()]}


def _convert_arrays(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray)
        else _convert_arrays(value) if isinstance(value, dict) else value
        for name, value in values.items()
    }  # fmt: skip


def _missing_ends(model: LinearModel) -> list[str]:
    """A line for each side on which the model has no signals, with the option that selects one."""
    lines = []
    if not model.inputs:
        lines.append("  the diagram has no Inports: select an input with --from PATH, a signal or a wire")
    if not model.outputs:
        lines.append("  the diagram has no Outports: select an output with --to PATH, a signal or a state")
    return ["", *lines] if lines else []


def model_parts(model: LinearModel) -> list[str | Table]:
    """Sizes, matrices and poles."""
    from ..analysis.models.text import stability

    time = f"in steps of {model.sample_time:g} s" if model.sample_time else "in continuous time"
    sizes = {"state": model.states, "input": model.inputs, "output": model.outputs}
    counts = ", ".join(inflect(len(names), noun) for noun, names in sizes.items())
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


ROWS = 13  # of the table


def bode(arguments: Namespace) -> int:
    """Print the response, and draw it; raises BlockdynError."""
    from ..analysis.linearize import linear_model
    from ..analysis.opening import require_loop

    entries, exits, cut = arguments.entries, arguments.exits, arguments.open
    if arguments.loop is not None:
        if entries or exits or cut:
            raise BlockdynError(
                "--loop together with --from, --to or --open\n"
                "expected: --loop PATH alone, the loop that closes there, or the others"
            )
        entries = exits = cut = [arguments.loop]
    if arguments.plot:
        prepare_picture(arguments.plot)
    program = compile_named(arguments)
    if arguments.loop is not None:
        require_loop(arguments.loop, program.flat)
    with compiling():
        at, place = operating_point(program, arguments)
        model = linear_model(
            program, entries or None, exits or None, at=at, time=None, open=cut,
            sample_time=arguments.sample_time,
        )  # fmt: skip
        swept = _swept(program, model, at, arguments) if arguments.sine is not None else None
    if arguments.loop is not None:
        model, swept = -model, None if swept is None else -swept
    if arguments.plot:
        loop = arguments.loop is not None
        (swept or model).bode(margins=loop, file=arguments.plot, show=False, style=arguments.style)
    if arguments.json:
        show_json(_plain_response(model, swept, arguments) | {"point": place})
    else:
        show(place, "", *response_parts(model, swept, arguments))
    return 0


def _swept(program: Program, model: LinearModel, at: At, arguments: Namespace) -> FrequencyResponse:
    """Frequency response from runs with sines, at the frequencies of the table."""
    from ..analysis.models.turning import grid_of
    from ..analysis.sine_sweep import PERIODS, SETTLED, response_to_sines

    if len(model.inputs) != 1:
        names = ", ".join(model.inputs) or "none"
        raise BlockdynError(f"--sine with {len(model.inputs)} inputs: {names}\nexpected: one, --from PATH")
    cut = [arguments.loop] if arguments.loop is not None else arguments.open
    grid = grid_of(model)
    return response_to_sines(
        program, grid[_rows(grid)], model.inputs[0], [arguments.loop] if arguments.loop else arguments.exits
        or None, amplitude=arguments.sine, at=at, time=None, open=cut, settled=SETTLED,
        periods=PERIODS, simulation={},
    )  # fmt: skip


def _response(model: LinearModel) -> tuple[Any, Any, Any]:
    from ..analysis.models.frequency_response import decibels, phase
    from ..analysis.models.turning import grid_of

    grid = grid_of(model)
    response = model.frequency_response(grid)
    gain, angle = np.empty(response.shape), np.empty(response.shape)
    for i, j in np.ndindex(response.shape[1:]):
        gain[:, i, j], angle[:, i, j] = decibels(response[:, i, j]), phase(response[:, i, j])
    return grid, gain, angle


def _rows(grid: Any) -> Any:
    return np.unique(np.searchsorted(grid, np.geomspace(grid[0], grid[-1], ROWS)).clip(0, grid.size - 1))


def _plain_response(
    model: LinearModel, swept: FrequencyResponse | None, arguments: Namespace
) -> dict[str, Any]:
    grid, gain, angle = _response(model)
    plain = {
        "inputs": list(model.inputs), "outputs": list(model.outputs), "omega": grid.tolist(),
        "gain": gain.tolist(), "phase": angle.tolist(),
    }  # fmt: skip
    if swept is not None:
        plain["sines"] = {
            "amplitude": swept.amplitude, "omega": swept.omega.tolist(), "real": swept.values.real.tolist(),
            "imaginary": swept.values.imag.tolist(), "distortion": swept.distortion.tolist(),
        }  # fmt: skip
    return plain | ({"margins": model.margins()._asdict()} if arguments.loop is not None else {})


def response_parts(
    model: LinearModel, swept: FrequencyResponse | None = None, arguments: Namespace | None = None
) -> list[str | Table]:
    """Gain and phase at some frequencies, the response to sines, the margins of a loop."""
    loop = None if arguments is None else arguments.loop
    grid, gain, angle = _response(model)
    rows = _rows(grid)
    parts: list[str | Table] = [*_missing_ends(model)[1:]]
    for i, j in np.ndindex(gain.shape[1:]):
        name = f"loop at {loop}" if loop and gain[0].size == 1 else f"{model.inputs[j]} to {model.outputs[i]}"
        body = [(f"{grid[k]:.4g}", f"{gain[k, i, j]:.2f}", f"{angle[k, i, j]:.1f}") for k in rows]
        parts += [Table(name, ("frequency (rad/s)", "magnitude (dB)", "phase (deg)"), body), ""]
    if swept is not None:
        parts += [str(swept), ""]
    if loop is not None:
        parts += [model.margins().table(), ""]
    if arguments is not None and arguments.plot:
        parts += [f"  written: {arguments.plot}"]
    return parts


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
        show_json(_plain_point(point))
    else:
        show(*point_parts(point))
    return 0


def _plain_point(point: Trim) -> dict[str, Any]:
    groups = {name: getattr(point, name) for name in ("states", "inputs", "held", "outputs")}
    plain = {
        name: {key: np.asarray(value).tolist() for key, value in values.items()}
        for name, values in groups.items()
    }
    return {**plain, "residual": point.residual, "floating": list(point.floating)}


def point_parts(point: Trim) -> list[str | Table]:
    """States, inputs and outputs of an operating point."""
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
        show_json(_plain_orbit(cycle))
    else:
        show(*_orbit_parts(cycle, arguments.plot))
    return 0


def _plain_orbit(cycle: Orbit) -> dict[str, Any]:
    return {
        "period": cycle.period, "time": cycle.time, "kind": cycle.kind, "autonomous": cycle.autonomous,
        "initial": {name: np.asarray(value).tolist() for name, value in cycle.initial.items()},
        "multipliers": [[value.real, value.imag] for value in cycle.multipliers.tolist()],
        "residual": cycle.residual,
    }  # fmt: skip


def _orbit_parts(cycle: Orbit, picture: str | None) -> list[str | Table]:
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
