"""Ensembles with known answers, made of a design and a formula instead of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.declare.design import Axis, Design, Group
from blockdyn.sweeps.store.part import Part

TIMES = np.linspace(0.0, 2.0, 21)


class Named(NamedTuple):
    """Measures by name, with units."""

    names: tuple[str, ...]
    units: Sequence[str]


def explicit(**axes: Sequence[Any]) -> tuple[Group, ...]:
    """One dimension for each list; `_` in a name is `.`."""
    names = {name.replace("_", "."): list(values) for name, values in axes.items()}
    return tuple(Group(name, (Axis(name, (name,), "values", values),)) for name, values in names.items())


def uniform(low: float = 0.0, high: float = 1.0, **axes: None) -> tuple[Axis, ...]:
    """Axes that are drawn evenly between two limits."""
    return tuple(Axis(name, (f"plant.{name}",), "uniform", {"low": low, "high": high}) for name in axes)


def ensemble(
    design: Design,
    measures: Mapping[str, Callable[[Mapping[str, Any]], Any]],
    *,
    failed: Mapping[int, tuple[int, str]] | None = None,
    kept: Mapping[str, Callable[[Mapping[str, Any]], Any]] | None = None,
    info: Mapping[str, Any] | None = None,
    **more: Any,
) -> Ensemble:
    """Measures and kept signals as functions of the values of the axes, arrays over all scenarios."""
    return Ensemble(design, *whole(design, measures, failed=failed, kept=kept), info or {}, **more)


def whole(
    design: Design,
    measures: Mapping[str, Callable[[Mapping[str, Any]], Any]],
    *,
    failed: Mapping[int, tuple[int, str]] | None = None,
    kept: Mapping[str, Callable[[Mapping[str, Any]], Any]] | None = None,
) -> tuple[Named, list[Part]]:
    """The measures and one part with all scenarios."""
    count = design.count
    axes = design.coordinates(0, count)
    table = np.column_stack([np.broadcast_to(f(axes), count) for f in measures.values()])
    outcome, reason, end = np.zeros(count, np.int8), [""] * count, np.full(count, TIMES[-1])
    for k, (how, why) in (failed or {}).items():
        outcome[k], reason[k], end[k] = how, why, 0.5
    signals = {name: np.array(f(axes), np.float64) for name, f in (kept or {}).items()}
    part = Part(0, table, outcome, reason, end, np.full(count, 40), signals)
    return Named(tuple(measures), ("m",) * len(measures)), [part]


def cut(part: Part, *at: int) -> list[Part]:
    """The part in pieces that begin at 0 and at the given scenarios."""
    ends = [*at, part.stop]
    return [
        Part(
            a, part.measures[a:b], part.outcome[a:b], part.reason[a:b], part.end[a:b], part.steps[a:b],
            {name: values[a:b] for name, values in part.signals.items()},
        )
        for a, b in zip([0, *at], ends)
    ]  # fmt: skip
