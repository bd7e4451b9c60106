"""The arguments of a run: named, defaulted, checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.annotations import real_array
from ...base.memory import excess
from ...blocks.contract.errors import nearest
from ...solvers.loop.run import Settings
from ...solvers.loop.scipy_methods import EVERY
from ...solvers.loop.scipy_methods import NAMES as SCIPY
from ...solvers.methods import METHODS, UnknownMethod
from ...solvers.methods import method as find_method
from ..compiler.plan.unit import HELD
from ..compiler.program import Program
from ..model.bdsim import argument
from ..model.run_errors import RunArgumentError
from .arguments import check_kinds, number, tolerances
from .span import check_ticks, last_time


@dataclass(frozen=True)
class Request:
    """The arguments of a run as they were given."""

    stop: float
    start: float = 0.0
    method: str = "dopri5"
    rtol: float = 1e-6
    atol: float | Sequence[float] = 1e-9
    max_step: float | None = None
    first_step: float | None = None
    max_steps: int | None = None
    max_log: float | None = None
    max_time: float | None = None
    step: float | None = None
    times: Any = None
    every: float | None = None
    refine: int = 1
    log: Sequence[str] | None = None
    states: bool = True
    compiled: bool = True
    progress: bool | None = None
    seed: int | None = None
    scenario: int = 0
    on_zeno: str = "error"
    loops: str = "error"
    stream: str | os.PathLike[str] | None = None
    initial: Mapping[str, Any] | None = None


NAMES = tuple(Request.__dataclass_fields__)
FIXED = tuple(name for name, tableau in METHODS.items() if not tableau.adaptive)
OWN = tuple(name for name in NAMES if name not in ("stream", "scenario"))
"""What a diagram may say of its runs: where files go, and which scenario it is, is the caller's to say;
`loops` is read by `compile`."""


def make_request(program: Program, given: dict[str, Any]) -> Request:
    """The diagram's own settings, overridden by the arguments. Raises RunArgumentError."""
    for name in given:
        if name not in NAMES:
            raise RunArgumentError(name, given[name], f"one of {', '.join(NAMES)}{argument(name, NAMES)}")
    for name, value in program.flat.simulation.items():
        if name not in OWN:
            expected = f"a diagram's settings to be among {', '.join(OWN)}{nearest(name, OWN)}"
            raise RunArgumentError(name, value, expected)
    given = {k: v for k, v in given.items() if v is not None}
    merged = overriding(program.flat.simulation, given)
    if "stop" not in merged and merged.get("times") is not None:
        merged["stop"] = last_time(merged["times"])
    if "stop" not in merged:
        expected = "the end of the run in s: simulate(stop=10), --stop 10, in YAML `simulate: {stop: 10}`"
        raise RunArgumentError("stop", None, expected)
    check_kinds(merged)
    return Request(**merged)


def overriding(settings: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with others in their place; states that begin elsewhere stay where the others name none."""
    merged = dict(settings)
    if "method" in given and "step" not in given and str(given["method"]).casefold() not in FIXED:
        merged.pop("step", None)  # it belongs to the diagram's own method
    if "times" in given or "every" in given:  # one of them takes the place of the other
        merged = {k: v for k, v in merged.items() if k not in ("times", "every")}
    states, others = merged.get("initial"), given.get("initial")
    merged |= given
    if isinstance(states, Mapping) and isinstance(others, Mapping):
        merged["initial"] = {**states, **others}
    return merged


def make_settings(
    program: Program, request: Request, *, allowed: float | None = None
) -> tuple[Settings, str | None]:
    """Checked settings, and the name of SciPy's method when one of those is asked for.

    `allowed` is the longest step, s, that the diagram's sources allow; the program knows it.
    """
    allowed = program.longest_step() if allowed is None else allowed
    start, stop = number("start", request.start), number("stop", request.stop)
    if stop < start:
        raise RunArgumentError("stop", stop, f"not earlier than start, {start} s")
    check_ticks(program, start)
    name = request.method
    if not isinstance(name, str):
        raise RunArgumentError("method", name, f"text, one of {', '.join(EVERY)}")
    implicit = next((s for s in SCIPY if s.lower() == name.lower()), None)
    try:
        tableau = find_method("bs32" if implicit else name)
    except UnknownMethod:
        expected = f"one of {', '.join(EVERY)}{nearest(name, EVERY)}"
        raise RunArgumentError("method", name, expected) from None
    rtol = number("rtol", request.rtol, above=0.0)
    for which, given in (("seed", request.seed), ("scenario", request.scenario)):
        if given is not None and (type(given) is not int or given < 0):
            raise RunArgumentError(which, given, "a whole number, 0 or greater")
    atol = tolerances(program.plan.states, request.atol)
    span = stop - start or 1.0  # a run of no length takes no step
    default = min(span / 50.0, allowed)
    longest = default
    if request.max_step is not None:
        longest = min(number("max_step", request.max_step, above=0.0, infinite=True), allowed)
    first = 0.0 if request.first_step is None else number("first_step", request.first_step, above=0.0)
    step = 0.0
    if tableau.adaptive and request.step is not None:
        raise RunArgumentError(
            "step", request.step,
            f"no step, because {implicit or tableau.name} chooses its own: bound it by `max_step`, begin with"
            " `first_step`, or take a fixed-step method, such as method='rk4'",
        )  # fmt: skip
    if not tableau.adaptive:
        if request.step is None:
            raise RunArgumentError("step", None, f"the step in s, which {tableau.name} needs: step=0.001")
        step = number("step", request.step, above=0.0)
    if type(request.refine) is not int or not 1 <= request.refine <= 1000:
        raise RunArgumentError("refine", request.refine, "a whole number from 1 to 1000")
    most = request.max_steps
    if most is not None and (type(most) is not int or not 1 <= most <= 2**62):
        raise RunArgumentError("max_steps", most, "a whole number of steps, 1 or greater")
    for which, bound in (("max_log", request.max_log), ("max_time", request.max_time)):
        if bound is not None:
            number(which, bound, above=0.0, infinite=True)
    if not isinstance(request.on_zeno, str) or request.on_zeno not in ("error", "stop"):
        raise RunArgumentError("on_zeno", request.on_zeno, "'error' or 'stop'")
    settings = Settings(
        start, stop, tableau, rtol, atol, min(longest, span), min(first, span), step,
        _grid(program, request, start, stop), request.refine, bool(request.states), most,
    )  # fmt: skip
    _check_rows(program, request, settings)
    return settings, implicit


def _check_rows(program: Program, request: Request, settings: Settings) -> None:
    """Raise RunArgumentError for steps too short for time to advance, or for memory to hold their rows.

    Every step is a row, unless the rows lie on a grid or go into a file.
    """
    name, shortest = ("max_step", request.max_step) if settings.tableau.adaptive else ("step", settings.step)
    if shortest is None:
        return
    shortest = float(shortest)
    spacing = float(np.spacing(max(abs(settings.start), abs(settings.stop))))
    if shortest < spacing:
        expected = f"at least {spacing:.3g} s, the spacing of the numbers at the times of this run"
        raise RunArgumentError(name, shortest, expected)
    if settings.times is not None or request.stream is not None:
        return
    too_many = excess((settings.stop - settings.start) / shortest, _width_of_steps(program, request))
    if too_many:
        expected = f"a longer step, or rows on a grid (`every`, `times`) or in a file (`stream`): {too_many}"
        raise RunArgumentError(name, shortest, expected)


def _width_of_steps(program: Program, request: Request) -> int:
    """The numbers that a step leaves in memory: of signals that change at events only, none."""
    units = {unit.path: unit for unit in program.plan.units}
    moving = [(units[path], port) for path, port in program.flat.logged if units[path].rate[port] != HELD]
    count = sum(unit.out_sizes[port].count for unit, port in moving)
    count += program.plan.states if request.states else 0
    return 1 + count if count else 0


def _width(program: Program, request: Request) -> int:
    """The numbers in a row of the result: the time, the signals, the states."""
    units = {unit.path: unit for unit in program.plan.units}
    logged = sum(units[path].out_sizes[port].count for path, port in program.flat.logged)
    return 1 + logged + (program.plan.states if request.states else 0)


def _grid(program: Program, request: Request, start: float, stop: float) -> Any:
    if request.times is None and request.every is None:
        return None
    if request.times is not None and request.every is not None:
        raise RunArgumentError("every", request.every, "either `times` or `every`, not both")
    if request.every is not None:
        every = number("every", request.every, above=0.0)
        if every > stop - start > 0.0:
            raise RunArgumentError("every", every, f"at most the span of the run, {stop - start:g} s")
        periods = np.floor((stop - start) / every * (1.0 + 1e-12))
        too_many = excess(periods + 1.0, 1 if request.stream is not None else _width(program, request))
        if too_many:
            raise RunArgumentError("every", every, f"a longer interval: {too_many}")
        return np.minimum(start + every * np.arange(int(periods) + 1), stop)
    try:
        times = real_array(request.times)
    except (TypeError, ValueError, OverflowError):
        raise RunArgumentError("times", request.times, "increasing times in s") from None
    inside = (
        times.ndim == 1 and times.size > 0 and np.all(np.isfinite(times)) and np.all(np.diff(times) > 0.0)
    )
    if not inside or times[0] < start or times[-1] > stop:
        raise RunArgumentError("times", request.times, f"increasing times within {start} ... {stop} s")
    return times
