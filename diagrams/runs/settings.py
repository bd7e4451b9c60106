"""Combine the settings of a run, the caller's over the diagram's own, into settings of the solver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...base.annotations import of_truth, real_array
from ...base.hints import nearest_word
from ...base.memory import excess
from ...solvers.events.timer import shortest_period
from ...solvers.loop.run import Settings as SolverSettings
from ..compiler.plan.layout import Scales, scales_of_states
from ..compiler.plan.unit import HELD
from ..compiler.program import Program
from ..model.errors import RunArgumentError
from ..model.setting import Instants, Tolerances
from ..model.settings import NAMES, SETTINGS, Settings

ROUNDING = 2.0**-53  # of a number
PERIOD_ROUNDING = 1e-9  # of `every`: a row closer to the end of the run is the end
KINDS = ("log", "states", "compiled", "progress", "stream", "loops", "initial", "inputs")
"""What no other setting bears on; looked at first."""


def make_settings(program: Program, arguments: Mapping[str, Any]) -> Settings:
    """The diagram's own settings, overridden by the arguments. Raises RunArgumentError."""
    for name in arguments:
        if name not in SETTINGS:
            meant = nearest_word(name, NAMES).removeprefix(", did you mean ").removesuffix("?")
            expected = f"{f'{meant}, or ' if meant else ''}one of {', '.join(NAMES)}"
            if name in ("parameters", "set"):
                expected = (
                    f"diagram.simulate({name}=...) or diagram.compile({name}=...): a program has its numbers"
                )
            elif not meant:
                expected += "; numbers of the diagram are given by parameters={...} or set={...}"
            raise RunArgumentError(name, arguments[name], expected)
    arguments = {name: value for name, value in arguments.items() if value is not None}
    merged = overriding(program.flat.simulation, arguments)
    if "stop" not in merged and "times" in merged:
        merged["stop"] = last_time(merged["times"])
    check_end(merged)
    for name in KINDS:
        if name in merged:
            SETTINGS[name].read(merged[name])
    return Settings(**merged)


def check_end(settings: Mapping[str, Any]) -> None:
    """Raise RunArgumentError if settings do not give the end of a run."""
    if settings.get("stop") is None and settings.get("times") is None:
        expected = (
            "the end of the run in s: simulate(stop=10) or Sweep(..., stop=10), --stop 10,"
            " in YAML `simulate: {stop: 10}`"
        )
        raise RunArgumentError("stop", None, expected)


def overriding(settings: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Settings overridden by others; states and inputs that the others do not name are kept."""
    merged = dict(settings)
    if "method" in overrides and "step" not in overrides and _chooses_its_steps(overrides["method"]):
        merged.pop("step", None)  # it belongs to the diagram's own method
    if "times" in overrides or "every" in overrides:  # one of them replaces the other
        merged = {k: v for k, v in merged.items() if k not in ("times", "every")}
    both = {name: (merged.get(name), overrides.get(name)) for name in ("initial", "inputs")}
    merged |= overrides
    for name, (earlier, later) in both.items():
        if isinstance(earlier, Mapping) and isinstance(later, Mapping):
            merged[name] = {**earlier, **later}
    return merged


def _chooses_its_steps(method: object) -> bool:
    """True if a method has no fixed steps; an unknown method is rejected later."""
    try:
        return bool(SETTINGS["method"].read(method).adaptive)
    except RunArgumentError:
        return True


def solver_settings(
    program: Program, settings: Settings, *, allowed: float | None = None, scales: Scales | None = None
) -> SolverSettings:
    """Settings of the solver.

    `allowed` is the longest step, s, that the diagram's sources allow, and `scales` are the scales of states
    by unit, if they differ from the program's. Raises RunArgumentError for the first setting that is
    wrong, alone or together with the others.
    """
    allowed = program.longest_step() if allowed is None else allowed
    start, stop = _number(settings, "start"), _number(settings, "stop")
    if stop < start:
        raise RunArgumentError("stop", stop, f"not earlier than start, {start} s")
    check_ticks(program, start)
    method = SETTINGS["method"].read(settings.method)
    rtol = Tolerances().read("rtol", settings.rtol, program.plan.states)
    tightest = float(real_array(settings.rtol).min())
    if tightest < ROUNDING:
        raise RunArgumentError(
            "rtol", settings.rtol, f"at least {ROUNDING:.3g}: no result is more exact than its numbers"
        )
    for which in ("seed", "scenario"):
        _check(settings, which)
    atol = Tolerances().read("atol", settings.atol, program.plan.states)
    if np.ndim(settings.atol) == 0:
        atol *= scales_of_states(program.plan, scales or {})
    span = stop - start or 1.0  # a run of no length takes no step
    longest = min(_number(settings, "max_step", span / 50.0 or span), allowed)
    first = _number(settings, "first_step", 0.0)
    if method.adaptive and settings.step is not None:
        raise RunArgumentError(
            "step", settings.step,
            f"no step, because {method.name} chooses its own: bound it by `max_step`, begin with"
            " `first_step`, or take a fixed-step method, such as method='rk4'",
        )  # fmt: skip
    if not method.adaptive and settings.step is None:
        raise RunArgumentError("step", None, f"the step in s, which {method.name} needs: step=0.001")
    step = _number(settings, "step", 0.0)
    for which in ("refine", "max_steps", "max_log", "max_time", "on_zeno"):
        _check(settings, which)
    solver = SolverSettings(
        start, stop, method, rtol, tightest, atol, min(longest, span), min(first, span), step,
        _grid(program, settings, start, stop), settings.refine, bool(settings.states), settings.max_steps,
    )  # fmt: skip
    _check_rows(program, settings, solver)
    return solver


def _number(settings: Settings, name: str, otherwise: float | None = None) -> float:
    """The number of a setting, or another if it is not given."""
    value = getattr(settings, name)
    if value is None and otherwise is not None:
        return otherwise
    number: float = SETTINGS[name].read(value)
    return number


def _check(settings: Settings, name: str) -> None:
    value = getattr(settings, name)
    if value is not None:
        SETTINGS[name].read(value)


def _check_rows(program: Program, settings: Settings, solver: SolverSettings) -> None:
    """Raise RunArgumentError for steps too short for time to advance, or for memory to hold their rows.

    Every step is a row, unless the rows lie on a grid or go into a file.
    """
    name, shortest = ("max_step", settings.max_step) if solver.method.adaptive else ("step", solver.step)
    if shortest is None:
        return
    shortest = float(shortest)
    spacing = float(np.spacing(max(abs(solver.start), abs(solver.stop))))
    if shortest < spacing:
        expected = f"at least {spacing:.3g} s, the spacing of the numbers at the times of this run"
        raise RunArgumentError(name, shortest, expected)
    if solver.times is not None or settings.stream is not None:
        return
    too_many = excess((solver.stop - solver.start) / shortest, _width_of_steps(program, settings))
    if too_many:
        expected = f"a longer step, or rows on a grid (`every`, `times`) or in a file (`stream`): {too_many}"
        raise RunArgumentError(name, shortest, expected)


def _width_of_steps(program: Program, settings: Settings) -> int:
    """The numbers that a step adds to memory; none for signals that change only at events."""
    units = program.plan.by_path
    moving = [(units[path], port) for path, port in program.flat.logged if units[path].rate[port] != HELD]
    count = sum(unit.out_sizes[port].count for unit, port in moving)
    count += program.plan.states if settings.states else 0
    return 1 + count if count else 0


def _width(program: Program, settings: Settings) -> int:
    """The numbers in a row of the result: the time, the signals, the states."""
    units = program.plan.by_path
    logged = sum(units[path].out_sizes[port].count for path, port in program.flat.logged)
    return 1 + logged + (program.plan.states if settings.states else 0)


def _grid(program: Program, settings: Settings, start: float, stop: float) -> Any:
    if settings.times is None and settings.every is None:
        return None
    if settings.times is not None and settings.every is not None:
        raise RunArgumentError("every", settings.every, "either `times` or `every`, not both")
    if settings.every is not None:
        every = _number(settings, "every")
        if every > stop - start > 0.0:
            raise RunArgumentError("every", every, f"at most the span of the run, {stop - start:g} s")
        periods = np.floor((stop - start) / every * (1.0 + 1e-12))
        too_many = excess(periods + 1.0, 1 if settings.stream is not None else _width(program, settings))
        if too_many:
            raise RunArgumentError("every", every, f"a longer interval: {too_many}")
        rows = np.minimum(start + every * np.arange(int(periods) + 1), stop)
        at_end = stop - rows[-1] <= PERIOD_ROUNDING * every
        return np.append(rows[:-1] if at_end and periods else rows, stop) if stop > start else rows
    times = Instants().read("times", settings.times, start)
    if times[0] > stop:
        raise RunArgumentError("times", settings.times, f"one time of the run or more, {start} ... {stop} s")
    return times if times[-1] <= stop else np.unique(np.minimum(times, stop))


def last_time(times: ArrayLike) -> float:
    """The end of a run that is given only the times of its rows."""
    try:
        last = float(real_array(times).ravel()[-1])
    except (TypeError, ValueError, IndexError, OverflowError):
        raise RunArgumentError("times", times, "increasing times in s" + of_truth(times)) from None
    if not np.isfinite(last):
        raise RunArgumentError("times", times, "finite, increasing times in s")
    return last


def check_ticks(program: Program, start: float) -> None:
    """Raise RunArgumentError if the ticks of a clock are closer than the spacing of doubles at the start."""
    apart = float(np.spacing(abs(start)))
    period = shortest_period(program.timers)
    if period < apart:
        expected = f"nearer to 0 s: times lie {apart:.3g} s apart there, and ticks {period:.3g} s"
        raise RunArgumentError("start", start, expected)
