"""What a scenario costs beside its steps: a constant and an integrator over a millisecond."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..contract import Row, Settings
from ..rounds import interleaved

TITLE = "overhead of a scenario"
CASE = "sweep_overhead"
SCENARIOS = 100_000
LIMIT = 20.0  # us a scenario, on one thread


def sweep(kind: str, count: int) -> Any:
    import blockdyn as bd

    d = bd.Diagram("trivial")
    source = bd.RandomNumber(sample_time=1.0) if kind == "noise" else bd.Constant(1.0)
    d.connect(d.add("source", source), d.add("x", bd.Integrator(initial=0.0)))
    measures = {"last": {"final": "x"}}
    if kind == "grid":
        side = round(count**0.5)
        values = {"linspace": [0.0, 1.0, side]}
        return bd.Sweep(d, {"source.value": values, "x.x": values}, measures, stop=1e-3)
    if kind == "noise":
        return bd.Sweep(d, {"simulate.seed": {"count": count}}, measures, stop=1e-3)
    axes = {"source.value": {"uniform": {"low": 0.0, "high": 1.0}}}
    return bd.Sweep(d, axes, measures, number=count, seed=1, stop=1e-3)


KINDS = {"axis": "one drawn axis", "grid": "a grid of two axes", "noise": "a seed of its own for its noise"}


def rows(settings: Settings) -> list[Row]:
    count = SCENARIOS // 10 if settings.quick else SCENARIOS
    sweeps = {kind: sweep(kind, count) for kind in KINDS}
    runs = {kind: lambda s=s: s.run(workers=1, progress=False) for kind, s in sweeps.items()}
    measured = []
    for kind, sample in interleaved(runs, settings.runs).items():
        each = 1e6 / len(sweeps[kind])
        wall, cpu = each * median(sample.wall), each * median(sample.cpu)
        measured.append(
            Row(
                CASE, f"ours: {KINDS[kind]}", wall=wall, cpu=cpu, unit="us", required=f"<= {LIMIT:g} us",
                met=cpu <= LIMIT, runs=settings.runs,
                note="a scenario, all included, on one thread: its processor time counts",
            )
        )  # fmt: skip
    return measured
