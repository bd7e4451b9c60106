"""Programs for bdsim, in bdsim and here: `python -m tools.benchmarks.bdsim_programs FOLDER` prints a table.

bdsim runs with its own defaults (RK45, rtol 1e-3, steps of at most T/100), without graphics, reports and
progress; here rtol is 1e-6. Times are those of the processor, medians of runs that take turns, with all
results read. The first run here reads the diagram and compiles it, with the machine code of blocks and
functions kept from an earlier process.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

LONG, SHORT = 3.0, 0.01  # s: what takes longer is run once; what takes less, ten times in a row


def runs_of(program: Path) -> list[tuple[Any, Any, float, float | None, dict[str, Any]]]:
    """The session, diagram and arguments of every `sim.run` of a program."""
    import bdsim

    from blockdyn.interop.bdsim import BDSim

    runs: list[Any] = []

    class Recorded(BDSim):  # type: ignore[misc,valid-type]
        def run(self, bd: Any, T: float = 5.0, dt: float | None = None, **options: Any) -> dict[str, Any]:
            runs.append((self, bd, T, dt, options))
            return {}

    original, arguments = bdsim.BDSim, sys.argv
    bdsim.BDSim, sys.argv = Recorded, [str(program)]  # type: ignore[misc]
    sys.path.insert(0, str(program.parent))
    try:
        runpy.run_path(str(program), run_name="__main__")
    finally:
        bdsim.BDSim, sys.argv = original, arguments  # type: ignore[misc]
        sys.path.remove(str(program.parent))
    return runs


def medians(*runs: Callable[[], object]) -> list[float]:
    """The median time of each of these runs, which take turns, s."""
    rounds: list[list[float]] = []
    while not rounds or (len(rounds) < 9 and sum(map(sum, rounds)) < LONG):
        rounds.append([timed(run) for run in runs])
    return [median(column) for column in zip(*rounds, strict=True)]


def timed(run: Callable[[], object]) -> float:
    """The processor time of a run, s; of a short one that of ten in a row, divided."""
    begin = process_time()
    run()
    spent = process_time() - begin
    if spent > SHORT:
        return spent
    begin = process_time()
    for _ in range(10):
        run()
    return (process_time() - begin) / 10


def read(out: Any) -> None:
    """Look at all results of a run here, which are put together only then; bdsim's `stats` are not timed."""
    for name, entry in out.items():
        if not name.startswith(".") and hasattr(entry, "items"):
            len(entry)


def lines(folder: Path) -> Iterator[str]:
    import bdsim

    from blockdyn.interop.bdsim import from_bdsim

    models = ModuleType("RVC3.models")
    sys.modules.update({"RVC3": ModuleType("RVC3"), "RVC3.models": models})
    if (folder / "RVC3" / "quad_model.py").is_file():
        sys.modules["RVC3.models.quad_model"] = ModuleType("quad_model")
        vars(sys.modules["RVC3.models.quad_model"]).update(
            runpy.run_path(str(folder / "RVC3" / "quad_model.py"))
        )
    yield "| program | bdsim | first run here | run here | times faster | in Python |"
    yield "|---|---|---|---|---|---|"
    for program in sorted(folder.rglob("*.py")):
        name = str(program.relative_to(folder)).removesuffix(".py")
        try:
            ((sim, bd, T, dt, options),) = runs_of(program)
        except (
            Exception
        ):  # a main program of a .bd file, a part of another, or an argument of an older version
            continue
        theirs = {key: value for key, value in options.items() if key == "solver"}
        begin = process_time()
        imported = from_bdsim(bd)
        out = imported.simulate(T)
        first = process_time() - begin
        there, here = medians(
            lambda: bdsim.BDSim.run(sim, bd, T=T, dt=dt, **theirs),  # noqa: B023
            lambda: read(imported.simulate(T)),  # noqa: B023
        )
        called = (key for key in out.result.statistics if key.startswith("python "))
        python = ", ".join(key.removeprefix("python ") for key in called)
        row = name, f"{1e3 * there:.1f} ms", f"{1e3 * first:.0f} ms", f"{1e3 * here:.2f} ms"
        yield f"| {' | '.join(row)} | {there / here:.1f} | {python} |"


def main(arguments: list[str]) -> None:
    os.environ["MPLBACKEND"] = "Agg"
    warnings.simplefilter("ignore")
    folder = Path(arguments[0]) if arguments else Path(__file__).parents[2].parent / "shared" / "bdsim"
    rows = lines(folder)
    while True:
        with contextlib.redirect_stdout(io.StringIO()):
            row = next(rows, None)
        if row is None:
            return
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
