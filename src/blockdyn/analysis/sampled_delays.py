"""Sampled delays: transport delays in models over a period, exact also for a fraction of it.

A delay of T = (d + f) h, 0 <= f < 1, of a signal z that changes only at ticks has the output z[k-d-1] up to
the time f h of a period, and z[k-d] after it. A delay that is read only at ticks outputs its input at the
time (1 - f) h of the period d + 1 periods before. Source: Astrom and Wittenmark, Computer-Controlled Systems,
3rd
ed. (1997), section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import TypeAlias

import numpy as np

from ..diagrams.compiler.program import Program
from ..native.tangent.frame import NotDifferentiable
from .delayed import FED, LONG, MOST_SAMPLES, NEARLY, SHOWN, stays
from .loop_sampling import read_at
from .models.delays import realized, samples, with_delays
from .models.linear_model import LinearModel, Matrix
from .opening import OUT
from .sampled import ticks

Model: TypeAlias = Callable[[tuple[Fraction, ...]], LinearModel]
"""The model over a period whose inputs change, and whose outputs are read, at these instants."""


@dataclass(frozen=True)
class _Sampled:
    """A delay: whole periods, the rest as a time, and whether its input or its output is a sequence."""

    name: str
    count: int
    rest: Fraction
    held: bool


def with_sampled_delays(
    program: Program, model: Model, times: Matrix, names: list[str], sample_time: float | None,
    paths: Collection[str] | None, begin: Fraction,
) -> LinearModel:  # fmt: skip
    """A model over a period whose delays, the last inputs, are states: their last samples.

    If `paths` are given, only of these blocks. The period begins at an instant. Raises
    NotDifferentiable for delays of signals that flow between ticks and are read there too.
    """
    instants, period = ticks(program, sample_time, paths)
    once = [instant for instant, clocks in instants.items() if clocks] in ([], [begin])
    units = program.plan.by_path
    delays, late = list[_Sampled](), list[str]()
    for name, time in zip(names, times.tolist(), strict=True):
        unit = units[name.partition("[")[0]]
        held = stays(program.plan.units, unit.inputs["u"])
        if paths is not None and unit.path not in paths:
            continue
        read = None if held else read_at(program, unit.path)
        count, remainder = _periods(time, period)
        if not once or count > MOST_SAMPLES or not (held or read):
            late.append(unit.path)
        delays.append(_Sampled(name, count, remainder, held))
    if late:
        reason = f"a delay across ticks, every {float(period):g} s, of a signal that flows between them"
        expected = (
            "sample_time=0, the model between ticks; `frequency_response`, by sines; or a delay of a signal"
            " that ticks put out, or that is read at ticks alone, in a diagram with one clock"
        )
        raise NotDifferentiable(reason, list(dict.fromkeys(late)), expected)
    changes = sorted({Fraction(0), *(_instant(delay, period) for delay in delays)})
    several = model(tuple((begin + change) % period for change in changes))
    return _with_samples(several, delays, names, changes, period)


def _periods(time: float, period: Fraction) -> tuple[int, Fraction]:
    """The number of whole periods and the remaining time, 0 for a multiple within rounding."""
    periods = time / float(period)
    if abs(periods - round(periods)) <= NEARLY * max(1.0, periods):
        return round(periods), Fraction(0)
    return floor(periods), Fraction(time) - floor(periods) * period


def _instant(delay: _Sampled, period: Fraction) -> Fraction:
    return delay.rest if delay.held else -delay.rest % period


def _with_samples(
    model: LinearModel, delays: list[_Sampled], names: list[str], changes: list[Fraction], period: Fraction
) -> LinearModel:
    """Inputs that are constant over all instants, delays that output a new sample from one instant on, and
    outputs at the first one.
    """
    n, q, several = len(model.states), len(names), len(changes)
    m, p = len(model.inputs) // several, len(model.outputs) // several
    inputs, outputs = (
        [name if several == 1 else name.rpartition("[")[0] for name in listed]
        for listed in (model.inputs[: m - q], model.outputs[:p])
    )
    by = np.vstack([model.B, model.D]).reshape(n + len(model.outputs), several, m)
    of = np.hstack([model.C, by[n:].reshape(len(by) - n, -1), model.g_t[:, None]])
    columns = [by[:, :, : m - q].sum(axis=1)]
    shown: dict[str, int] = {}  # number of samples read from each delay
    fed = [i for i, name in enumerate(outputs) if FED + OUT in name]
    ends = [i for i, name in enumerate(outputs) if not any(f"{s}{OUT}" in name for s in (FED, SHOWN, LONG))]
    rows, orders = [*ends], list[int]()
    for delay in delays:
        k, place = names.index(delay.name), changes.index(_instant(delay, period))
        column = by[:, :, m - q + k]
        late = delay.held and delay.rest
        columns.append(column[:, place if late else 0 :].sum(axis=1)[:, None])
        orders.append(delay.count + (1 if delay.rest and not delay.held else 0))
        shown[delay.name] = len(orders) - 1
        rows.append(fed[k] + (0 if delay.held else place * p))
    older = [delay for delay in delays if delay.held and delay.rest]
    for delay in older:
        k, place = names.index(delay.name), changes.index(_instant(delay, period))
        columns.append(by[:, :place, m - q + k].sum(axis=1)[:, None])
        orders.append(1)
    matrix = np.hstack(columns)
    state_rows = [n + row for row in rows]
    D = np.vstack([matrix[state_rows], np.zeros((len(older), matrix.shape[1]))])
    for i, delay in enumerate(older):
        D[len(rows) + i, m - q + shown[delay.name]] = 1.0
    listed = [*(delay.name for delay in delays), *(f"{delay.name}.older" for delay in older)]
    made = replace(
        model,
        B=matrix[:n], C=np.vstack([of[rows, :n], np.zeros((len(older), n))]), D=D,
        g_t=np.append(model.g_t[rows], np.zeros(len(older))), inputs=(*inputs, *listed),
        outputs=(*(outputs[i] for i in ends), *listed),
    )  # fmt: skip
    if not listed:
        return made
    times = np.ones(len(listed))
    return realized(with_delays(made, listed, times), [samples(order) for order in orders], "sample")
