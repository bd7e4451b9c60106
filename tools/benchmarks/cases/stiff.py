"""Stiff systems of the literature, against Rodas5P by hand, diffsol and SciPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..contract import Candidate, Row, Settings
from ..measure import measure_case
from ..stiff_systems import SYSTEMS, System

TITLE = "stiff systems"
CASE = "stiff"
REQUIRED = {
    "by hand": 0.4,  # of our time: by hand no rows are kept and no events seen
    "diffsol, bdf": 1.0,
}
TOLERANCES: dict[str, Any] = {"rtol": 1e-6, "atol": 1e-10}
FIRST = 1e-4  # s


def ours(system: System, method: str = "rodas5p") -> Candidate:
    program = system.diagram().compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(
            stop=system.stop,
            method=method,
            max_step=np.inf,
            log=system.states,
            states=False,
            **TOLERANCES,
        )

    return Candidate(run, lambda: [float(last[0].final(name)) for name in system.states])


def by_hand(system: System) -> Candidate:
    from ..by_hand.rodas5p import solver

    solve = solver(*system.by_hand())
    start, last = np.array(system.start), list[Any]([None])

    def run() -> None:
        last[0] = solve(start, system.stop, FIRST, TOLERANCES["rtol"], TOLERANCES["atol"])

    return Candidate(run, lambda: last[0][0].tolist())


def by_diffsol(system: System, method: str) -> Candidate:
    import pydiffsol  # type: ignore[import-not-found,import-untyped,unused-ignore]

    solver = pydiffsol.Ode(system.diffsl())
    solver.rtol, solver.atol = TOLERANCES["rtol"], TOLERANCES["atol"]
    solver.ode_solver = getattr(pydiffsol, method)
    none, last = np.zeros(0), list[Any]([None])

    def run() -> None:
        last[0] = solver.solve(none, system.stop)

    return Candidate(
        run, lambda: last[0].ys[:, -1].tolist(), note="diffsol: machine code by LLVM, every step kept"
    )


def by_scipy(system: System) -> Candidate:
    from scipy.integrate import solve_ivp

    slope, _ = system.by_hand()
    start, last = np.array(system.start), list[Any]([None])

    def slopes(t: float, x: Any) -> Any:
        d = np.empty_like(x)
        slope(x, d)
        return d

    def run() -> None:
        last[0] = solve_ivp(slopes, (0.0, system.stop), start, "Radau", **TOLERANCES)

    return Candidate(run, lambda: last[0].y[:, -1].tolist())


@dataclass
class Comparison:
    """One system as a case of its own."""

    TITLE: str
    REFERENCE: Sequence[float]
    REQUIRED: Mapping[str, float]
    ENGINES: Mapping[str, Callable[[], Candidate]]
    SLOW: frozenset[str] = frozenset({"Radau of scipy"})


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for name, system in SYSTEMS.items():
        engines = {
            "ours": lambda system=system: ours(system), "by hand": lambda system=system: by_hand(system),
            "diffsol, bdf": lambda system=system: by_diffsol(system, "bdf"),
            "diffsol, esdirk34": lambda system=system: by_diffsol(system, "esdirk34"),
            "ours, auto": lambda system=system: ours(system, "auto"),
            "ours, radau5": lambda system=system: ours(system, "radau5"),
            "Radau of scipy": lambda system=system: by_scipy(system),
        }  # fmt: skip
        case = Comparison(TITLE, system.solution, REQUIRED, engines)
        measured += [
            replace(row, engine=f"{row.engine} {name}") for row in measure_case(CASE, case, settings)
        ]
    return measured
