"""An ensemble of Van der Pol oscillators: mu and the first position vary, T = 100."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..contract import Row, Settings
from ..peers import ATOL, RTOL
from ..rounds import against, alone, interleaved, ratio, threads

TITLE = "2000 Van der Pol oscillators, T=100, rtol 1e-6, atol 1e-9"
CASE = "sweep_van_der_pol"
SCENARIOS = 2000
STOP = 100.0
BY_HAND = 1 / 1.5  # least peer time / our time, same number of threads
EFFICIENCY = 0.85  # least time on one thread / (threads x time on all of them)
FINAL = {"x": {"final": "x"}, "y": {"final": "y"}}
MOST = {"most": {"max": "x"}, "rms": {"rms": "y"}}


def sweep(measures: dict[str, Any], count: int, chunk: int = 256) -> Any:
    import blockdyn as bd

    d = bd.Diagram("van-der-pol", parameters={"mu": 1.0})
    x = d.add("x", bd.Integrator(initial=2.0))
    y = d.add("y", bd.Integrator(initial=0.0))
    damping = d.add("damping", bd.Gain(k=bd.expression("mu")))
    y >> x
    d.connect((1 - x * x) * y, damping)
    d.connect(damping - x, y)
    axes = {
        "mu": {"uniform": {"low": 0.5, "high": 1.5}},
        "x.x": {"uniform": {"low": 1.0, "high": 3.0}},
    }
    return bd.Sweep(
        d, axes, measures, number=count, seed=1, chunk=chunk, stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL
    )


def by_hand(numbers: Any) -> Callable[[], Any]:
    from ..by_hand.ensemble import last_states

    mu, x = (np.array(numbers[name], dtype=float) for name in ("mu", "x.x"))
    return lambda: last_states(mu, x, STOP, RTOL, ATOL)


def rows(settings: Settings) -> list[Row]:
    import numba

    count = SCENARIOS // 10 if settings.quick else SCENARIOS
    workers = threads()
    final, most = sweep(FINAL, count), sweep(MOST, count)
    hand = by_hand(final.design.columns(0, count))
    numba.set_num_threads(workers)
    times = interleaved(
        {
            "final": lambda: final.run(workers=workers, progress=False),
            "hand": hand,
            "most": lambda: most.run(workers=workers, progress=False),
            "single": lambda: final.run(workers=1, progress=False),
        },
        settings.runs,
    )
    theirs = hand()
    dataset = final.run(workers=workers, progress=False).dataset
    apart = max(float(np.max(np.abs(dataset[name] - theirs[:, i]))) for i, name in enumerate("xy"))
    note = f"numba, parallel, DOPRI5 in scalars, nothing stored; {workers} threads, as ours"
    extremes = "the same against max and rms of a signal, which look into every step"
    measured = [
        alone(CASE, f"ours: {count} final states", times["final"], note=f"{workers} threads"),
        against(CASE, "numba_by_hand", times["hand"], times["final"], BY_HAND, note=note, error=apart),
        alone(CASE, f"ours: {count} max and rms", times["most"], note=f"{workers} threads"),
        against(CASE, "numba_by_hand, max and rms", times["hand"], times["most"], None, note=extremes),
    ]
    if workers > 1:
        share = ratio(times["single"], times["final"]) / workers
        said = f"time on one / ({workers} x time on {workers}); processor time on one / on {workers}"
        measured.append(
            Row(
                CASE, f"ours: efficiency of {workers} threads", ratio=share,
                cpu_ratio=ratio(times["single"], times["final"], cpu=True), required=f">= {EFFICIENCY:g}",
                met=share >= EFFICIENCY, note=said, runs=settings.runs,
            )
        )  # fmt: skip
    return measured
