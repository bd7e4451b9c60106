"""`python -m tools.benchmarks`: every case in a process of its own, one table at the end."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from .contract import Row, Settings
from .measure import measure_case
from .table import as_json, machine, table

CASES = (
    "van_der_pol",
    "fmu",
    "fmu_short",
    "quadrotor",
    "flight",
    "flight_sensors",
    "mass_spring",
    "sum_gain_integrator",
    "pid",
    "sampled_1khz",
    "stiff",
    "heat_rod",
    "delay",
    "block_costs",
    "compile_random",
    "drawing",
    "bouncing_ball",
    "computed_torque",
    "modern_robotics",
    "arm_calls",
    "arm_rows",
    "arm_code",
    "rrt",
    "shortest_curves",
    "localization",
    "live",
    "run_again",
    "derivatives",
    "startup",
    "memory",
    "sweep_van_der_pol",
    "sweep_quadrotor",
    "sweep_overhead",
    "sweep_dask",
    "sweep_million",
)
ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, slow peers left out")
    parser.add_argument("--only", choices=CASES, action="append", metavar="NAME", help=", ".join(CASES))
    parser.add_argument("--runs", type=int, metavar="N", help="rounds a peer (default 5; 1 with --quick)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows and the machine here")
    parser.add_argument("--in-process", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.runs is None:
        options.runs = 1 if options.quick else 5
    if options.runs < 1:
        parser.error("--runs needs at least 1")
    return options


def run_case(name: str, settings: Settings) -> list[Row]:
    case = import_module(f".cases.{name}", __package__)
    if hasattr(case, "rows"):
        rows: list[Row] = case.rows(settings)
        return rows
    return measure_case(name, case, settings)  # a module, seen as a RatioCase


def run_apart(name: str, settings: Settings) -> list[Row]:
    """One case in a child process: no peer's threads, imports or garbage reach the next case."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "tools.benchmarks", "--in-process"]
        command += ["--only", name, "--json", str(out)]
        command += ["--runs", str(settings.runs), *(["--quick"] if settings.quick else [])]
        child = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment()
        )
        if not out.exists():
            last = (child.stderr.strip().splitlines() or ["no message"])[-1]
            return [Row(name, "-", note=f"failed: exit {child.returncode}: {last}")]
        return [Row(**row) for row in json.loads(out.read_text())["rows"]]


def environment() -> dict[str, str]:
    """The caller's, with this checkout's packages importable, one thread a library and no pictures."""
    source = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH", ""))))
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return os.environ | single | {"PYTHONPATH": source, "MPLBACKEND": "Agg", "BDSIM_NO_TOOLBOXES": "1"}


def main() -> int:
    options = arguments()
    settings = Settings(options.runs, options.quick)
    rows: list[Row] = []
    for name in options.only or CASES:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += run_case(name, settings) if options.in_process else run_apart(name, settings)
    if options.json:
        options.json.write_text(as_json(rows))
    about = machine()
    print(f"{about['processor']}, {about['cores']} cores, load {about['load']}, Python {about['python']}")
    print(", ".join(f"{name} {version}" for name, version in about["packages"].items()))  # type: ignore[attr-defined]
    print()
    print(table(rows))
    return 1 if any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
