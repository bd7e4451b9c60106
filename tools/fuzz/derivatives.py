"""Derivatives: sensitivities of the gallery's runs against central differences, number by number.

A difference says nothing where two steps of it disagree, as where the run jumps with the number, or where
those to both sides do, as where the number is at its limit. It is off by as much as that of half the step
differs from it: at a speed that a car already has, what lies behind it grows with the square of the change,
another one to each side.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np

import blockdyn as bd
from blockdyn.base.errors import BlockdynError
from blockdyn.diagrams.model.diagram import Diagram
from blockdyn.diagrams.yaml.finding import gallery_files

TIGHT: dict[str, Any] = {"method": "dopri5", "rtol": 1e-11, "atol": 1e-13}
STEP = 1e-4  # of the number
AGREES = 1e-6  # of the largest derivative
KINK = 0.01  # of it: by so much differences to both sides differ
LONGEST, SHARE = 3.0, 0.15  # s of a run, and of its length


def check_gallery(count: int, seed: int) -> int:
    """So many numbers of each diagram; 1 where a derivative is wrong."""
    wrong = 0
    for name in sorted(gallery_files()):
        diagram, random = bd.load(name), Random(f"{seed} {name}")
        paths = numbers_of(diagram)
        for path in random.sample(paths, min(count, len(paths))):
            try:
                verdict = compared(diagram, path)
            except BlockdynError as error:
                verdict = f"refused: {str(error).partition(chr(10))[0]}"
            wrong += verdict.startswith("wrong")
            sys.stdout.write(f"{name:26} {path:32} {verdict}\n")
    return int(wrong > 0)


def numbers_of(diagram: Diagram) -> list[str]:
    """Paths of scalars that are not 0, of the diagram and of its blocks."""
    flat = diagram.compile().flat
    paths = [path for path, value in diagram.parameters.items() if type(value) is float and value]
    for each in flat.blocks:
        for name, rule in each.block.rules().items():
            value = getattr(each.block, name)
            if (
                rule.number
                and name != "sample_time"
                and type(value) is float
                and value
                and np.isfinite(value)
            ):
                paths.append(f"{each.path}.{name}")
    return paths


def compared(diagram: Diagram, path: str) -> str:
    """What a number's derivatives are beside differences of order 4, over all logged signals."""
    stop = min(SHARE * float(diagram.compile().flat.simulation["stop"]), LONGEST)
    times = np.linspace(0.3, 0.973, 5) * stop
    s = diagram.sensitivities(path, None, times, **TIGHT)
    value = s.values[path]

    def moved(k: float) -> Any:
        return diagram.sensitivities(path, None, times, set={path: value * (1.0 + k * STEP)}, **TIGHT).signals

    at = {k: moved(k) for k in (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)}
    worst, unclear = 0.0, ""
    for signal, trace in s.derivatives[path].items():
        values = {k: signals[signal].values for k, signals in at.items()}
        wide, narrow = (
            (8.0 * (values[k] - values[-k]) - (values[2.0 * k] - values[-2.0 * k]))
            / (12.0 * k * STEP * value)
            for k in (1.0, 0.5)
        )
        size = np.abs(wide).max(initial=0.0)
        rounding = 10.0 * (TIGHT["rtol"] * np.abs(values[1.0]).max(initial=0.0) + 1e-13) / abs(STEP * value)
        kink = np.abs(values[1.0] - 2.0 * s.signals[signal].values + values[-1.0]).max(initial=0.0)
        apart = kink > KINK * size * abs(STEP * value) + rounding * abs(STEP * value)
        if apart or np.abs(wide - narrow).max(initial=0.0) > AGREES * size + rounding:
            unclear = f", differences of {signal} disagree"
            continue
        off = np.abs(trace.values - narrow) - np.abs(wide - narrow)
        worst = max(worst, off.max(initial=0.0) / (size + rounding / AGREES))
    return f"{'wrong' if worst > AGREES else 'right'} to {worst:.0e}{unclear}"
