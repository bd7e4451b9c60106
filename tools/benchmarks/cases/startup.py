"""Time to first result: compiling 50 and 2000 blocks, importing, a whole process, an empty cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from random import SystemRandom
from statistics import median
from time import perf_counter
from typing import Any

from ..contract import Candidate, NotInstalled, Row, Settings
from . import mass_spring

TITLE = "time to first result"
CASE = "startup"
COMPILE_LIMITS = {50: 50.0, 500: None, 2000: 1000.0}  # blocks: ms
LINEAR = 1.5  # the cost of a block among 2000 over that among 500: 1 is linear, and some noise
IMPORT_LIMIT, PROCESS_LIMIT, FIRST_LIMIT = 500.0, 1500.0, 20_000.0  # ms
PEERS_IMPORTS = {
    "bdsim": "import bdsim",
    "pathsim": "import pathsim",
    "jaxonomy": "import jaxonomy, jaxonomy.library",
    "drake": "import pydrake.systems.analysis, pydrake.systems.primitives",
}
PEERS_BUILD: Mapping[str, Callable[[], Candidate]] = {
    "bdsim": mass_spring.bdsim,
    "pathsim": mass_spring.pathsim,
    "drake": mass_spring.drake,
    "jaxonomy": mass_spring.jaxonomy,
}


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for measure in (compile_rows, import_rows, process_rows):
        try:
            measured += measure(settings)
        except ImportError as missing:
            measured.append(
                Row(CASE, f"ours: {measure.__name__}", note=f"skipped: blockdyn is not installed ({missing})")
            )
        except NotInstalled as missing:
            measured.append(Row(CASE, f"ours: {measure.__name__}", note=f"skipped: {missing}"))
        except Exception as failure:  # the table must still come out
            note = f"failed to run: {type(failure).__name__}: {failure}"
            measured.append(Row(CASE, f"ours: {measure.__name__}", note=note))
    return [*measured, *peer_imports(settings), *peer_builds(settings)]


def limited(engine: str, milliseconds: float, limit: float | None, note: str = "", runs: int = 1) -> Row:
    required = "" if limit is None else f"<= {limit:g} ms"
    met = None if limit is None else milliseconds <= limit
    return Row(CASE, engine, wall=milliseconds, required=required, met=met, note=note, runs=runs)


def declare(blocks: int, *, new: bool = False) -> Any:
    """A diagram of lags, each a Sum, a Gain and an Integrator, behind one Step.

    If `new`, the signs of random lags are the other way round: a structure that no store has.
    """
    import blockdyn as bd

    random = SystemRandom()

    d = bd.Diagram(f"lags{blocks}")
    before = d.add("step", bd.Step(time=0.5, initial=0.0, final=1.0))
    for k in range((blocks - 1) // 3):
        total = d.add(f"sum{k}", bd.Sum(signs="-+" if new and random.random() < 0.5 else "+-"))
        gain = d.add(f"gain{k}", bd.Gain(k=10.0))
        lag = d.add(f"lag{k}", bd.Integrator(initial=0.0))
        d.connect(before, f"sum{k}[0]")
        d.connect(lag, f"sum{k}[1]")
        d.connect(total, gain, lag)
        before = lag
    return d


def compile_rows(settings: Settings) -> list[Row]:
    declare(4).compile().simulate(stop=1.0)  # the process's first compilation loads the caches
    measured, cost = [], {}
    for blocks, limit in COMPILE_LIMITS.items():
        declaring, compiling = [], []
        for _ in range(settings.runs):
            start = perf_counter()
            diagram = declare(blocks, new=True)
            declared = perf_counter()
            _ = diagram.compile().addresses
            compiling.append(1e3 * (perf_counter() - declared))
            declaring.append(1e3 * (declared - start))
        cost[blocks] = median(compiling) / blocks
        note = "a declared Diagram, of a structure not met before, to machine code; kernels in the store"
        measured.append(
            limited(f"ours: compile {blocks} blocks", median(compiling), limit, note, settings.runs)
        )
        measured.append(limited(f"ours: declare {blocks} blocks", median(declaring), None, "", settings.runs))
    growth = cost[2000] / cost[500]
    measured.append(
        Row(
            CASE,
            "ours: cost of a block, 2000 / 500",
            wall=growth,
            unit="",
            required=f"<= {LINEAR:g}",
            met=growth <= LINEAR,
        )
    )
    return measured


def process(command: list[str], environment: Mapping[str, str] | None = None) -> float:
    """Wall time of a whole process, ms."""
    start = perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {last}")
    return 1e3 * (perf_counter() - start)


def import_time(statement: str, runs: int) -> float:
    """Median over processes, ms, less a bare Python's start."""
    process([sys.executable, "-c", statement])  # bytecode written, files read once
    differences = [
        process([sys.executable, "-c", statement]) - process([sys.executable, "-c", "pass"])
        for _ in range(runs)
    ]
    return median(differences)


def import_rows(settings: Settings) -> list[Row]:
    note = "whole process less that of a bare Python"
    return [
        limited(
            "ours: import",
            import_time("import blockdyn; blockdyn.Diagram", settings.runs),
            IMPORT_LIMIT,
            note,
            settings.runs,
        )
    ]


def command_line() -> list[str]:
    script = shutil.which("blockdyn")
    return [script] if script else [sys.executable, "-m", "blockdyn"]


def process_rows(settings: Settings) -> list[Row]:
    """The main job: first with nothing cached, then as every later process."""
    run = [*command_line(), "run", "quadrotor"]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"BLOCKDYN_CACHE": os.path.join(folder, "cache")}
        first = process(run, environment)
        later = [process(run, environment) for _ in range(settings.runs)]
    return [
        limited("ours: first run, empty cache", first, FIRST_LIMIT, "whole `blockdyn run quadrotor`"),
        limited(
            "ours: every later process",
            median(later),
            PROCESS_LIMIT,
            "whole `blockdyn run quadrotor`",
            settings.runs,
        ),
    ]


def peer_imports(settings: Settings) -> list[Row]:
    measured = []
    for peer, statement in PEERS_IMPORTS.items():
        try:
            measured.append(
                limited(f"{peer}: import", import_time(statement, settings.runs), None, runs=settings.runs)
            )
        except RuntimeError as missing:
            measured.append(Row(CASE, f"{peer}: import", note=f"skipped: {missing}"))
    return measured


def peer_builds(settings: Settings) -> list[Row]:
    """The 101 blocks of the mass-spring chain, built; for jaxonomy the first run compiles."""
    measured = []
    for peer, factory in PEERS_BUILD.items():
        compiled = peer == "jaxonomy"
        if compiled and settings.quick:
            measured.append(Row(CASE, f"{peer}: build", note="skipped: slow, not run with --quick"))
            continue
        try:
            factory()  # imports
            start = perf_counter()
            candidate = factory()
            if compiled:
                candidate.run()
            note = "mass-spring chain, built" + (" and compiled by its first run" if compiled else "")
            measured.append(limited(f"{peer}: build", 1e3 * (perf_counter() - start), None, note))
        except ImportError as missing:
            measured.append(Row(CASE, f"{peer}: build", note=f"skipped: {peer} is not installed ({missing})"))
        except Exception as failure:  # a peer may fail in any way
            measured.append(Row(CASE, f"{peer}: build", note=f"failed: {type(failure).__name__}: {failure}"))
    return measured
