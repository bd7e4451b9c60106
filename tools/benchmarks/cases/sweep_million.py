"""A million scenarios with five measures, stored on disk: what it takes in memory."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from ..contract import Row, Settings
from ..rounds import threads
from .memory import MB, apart, peak

TITLE = "a million scenarios in memory"
CASE = "sweep_million"
SCENARIOS = 1_000_000
CHUNK = 10_000
LIMIT = 2.0 * 1024**3 * MB  # MB: two GiB


def million(count: int) -> dict[str, float]:
    """Decay from many heights at many rates, for a second; the store is read again for the summary."""
    import blockdyn as bd

    d = bd.Diagram("decay")
    x = d.add("x", bd.Integrator(initial=1.0))
    d.connect(x, d.add("rate", bd.Gain(k=-1.0)), x)
    axes = {
        "rate.k": {"uniform": {"low": -2.0, "high": -0.5}},
        "x.x": {"normal": {"mean": 1.0, "sd": 0.1}},
    }
    measures = {name: {kind: "x"} for name, kind in zip("abcde", ("final", "max", "rms", "integral", "mean"))}
    sweep = bd.Sweep(d, axes, measures, number=count, seed=1, chunk=CHUNK, stop=1.0)
    with TemporaryDirectory() as folder:
        begin = perf_counter()
        ensemble = sweep.run(workers=threads(), store=Path(folder) / "store", progress=False)
        taken = perf_counter() - begin
        ensemble.summary()
    return {"peak": peak(), "seconds": taken}


def rows(settings: Settings) -> list[Row]:
    count = SCENARIOS // 20 if settings.quick else SCENARIOS
    name = f"ours: {count} scenarios, peak of the process"
    try:
        report = apart(million, count)
    except Exception as failure:  # the table must still come out
        return [Row(CASE, name, note=f"failed to run: {failure}")]
    most = report["peak"] * MB
    rate = count / report["seconds"]
    note = f"five measures, chunks of {CHUNK}, {rate:.0f} scenarios/s on {threads()} threads with the store"
    return [
        Row(CASE, name, wall=most, unit="MB", required=f"<= {LIMIT:.0f} MB", met=most <= LIMIT, note=note)
    ]
