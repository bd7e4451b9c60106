"""Memory: a run of 10 million logged samples, and 1000 diagrams built and dropped."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from ..contract import Row, Settings
from .startup import declare

TITLE = "memory"
CASE = "memory"
SAMPLES = 10_000_000
STEP = 1e-3  # s
DIAGRAMS = 1000
SETTLED = 200  # diagrams after which the interpreter's own caches no longer grow
LOG_FACTOR = 2.5  # peak growth over the bytes of the log: the log, one copy while it grows, and change
STREAM_LIMIT = 256.0  # MB: growth of a run whose log goes to disk
LEAK_LIMIT = 8.0  # kB a diagram
MB = 1e-6


def resident() -> float:
    """Memory in use now, bytes."""
    fields = Path("/proc/self/statm").read_text().split()
    import resource

    return float(fields[1]) * resource.getpagesize()


def peak() -> float:
    """Most memory ever in use, bytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def _logged(samples: int, target: str | None) -> dict[str, float]:
    import blockdyn as bd

    d = bd.Diagram("oscillator")
    d.add("x", bd.Integrator(initial=1.0))
    d.add("v", bd.Integrator(initial=0.0))
    d.add("spring", bd.Gain(k=-1.0))
    d.connect("v", "x", "spring", "v")
    program = d.compile()
    program.simulate(stop=100 * STEP, method="rk4", step=STEP, log=["x"])
    before = resident()
    more = {} if target is None else {"stream": target}
    result = program.simulate(stop=samples * STEP, method="rk4", step=STEP, log=["x"], states=False, **more)
    signal = result.trace("x") if target is None else None
    count = float(samples if signal is None else signal.values.shape[0])
    size = 0.0 if signal is None else float(signal.values.nbytes + signal.time.nbytes)
    return {"samples": count, "log": size, "grown": peak() - before}


def logged(samples: int) -> dict[str, float]:
    return _logged(samples, None)


def streamed(samples: int) -> dict[str, float]:
    with TemporaryDirectory() as folder:
        return _logged(samples, str(Path(folder) / "run.parquet"))


def dropped(count: int) -> dict[str, float]:
    """Bytes kept a diagram that was built, compiled, run and dropped."""
    settled = min(SETTLED, count // 2)
    for k in range(count):
        if k == settled:
            gc.collect()
            before = resident()
        declare(20).compile().simulate(stop=1.0)
    gc.collect()
    return {"kept": (resident() - before) / (count - settled)}


def apart(task: Callable[[int], dict[str, float]], count: int) -> dict[str, float]:
    """The task in a process of its own, so that its peak is its own."""
    name, module = task.__name__, task.__module__
    code = f"import json; from {module} import {name}; print(json.dumps({name}({count})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"exit {done.returncode}: {last}")
    report: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return report


def log_row(count: int) -> Row:
    report = apart(logged, count)
    ratio = report["grown"] / report["log"]
    note = f"{report['samples']:.0f} samples, log of {report['log'] * MB:.0f} MB; ratio is growth / log"
    name = f"ours: {count / 1e6:g} M samples, peak growth"
    met = ratio <= LOG_FACTOR
    grown = report["grown"] * MB
    return Row(
        CASE, name, wall=grown, unit="MB", ratio=ratio, required=f"<= {LOG_FACTOR:g}", met=met, note=note
    )


def stream_row(count: int) -> Row:
    grown = apart(streamed, count)["grown"] * MB
    name = f"ours: {count / 1e6:g} M samples to disk"
    return Row(
        CASE, name, wall=grown, unit="MB", required=f"<= {STREAM_LIMIT:g} MB", met=grown <= STREAM_LIMIT
    )


def leak_row(count: int) -> Row:
    leaked = apart(dropped, count)["kept"] / 1000
    name = f"ours: {count} diagrams dropped, kept each"
    note = f"counted after the first {min(SETTLED, count // 2)}"
    return Row(
        CASE,
        name,
        wall=leaked,
        unit="kB",
        required=f"<= {LEAK_LIMIT:g} kB",
        met=leaked <= LEAK_LIMIT,
        note=note,
    )


def rows(settings: Settings) -> list[Row]:
    samples, diagrams = (SAMPLES // 20, DIAGRAMS // 10) if settings.quick else (SAMPLES, DIAGRAMS)
    if not Path("/proc/self/statm").exists():
        return [Row(CASE, "ours", note="skipped: memory is read from /proc, which this system does not have")]
    measured = []
    for measure, count in ((log_row, samples), (stream_row, samples), (leak_row, diagrams)):
        try:
            measured.append(measure(count))
        except Exception as failure:  # the table must still come out
            measured.append(Row(CASE, f"ours: {measure.__name__}", note=f"failed to run: {failure}"))
    return measured
