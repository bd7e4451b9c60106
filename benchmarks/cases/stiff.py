"""Stiff systems: Robertson's reaction and Van der Pol's oscillator, against the same method by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..contract import Candidate, Row, Settings
from ..measure import measure_case

TITLE = "stiff systems"
CASE = "stiff"
REQUIRED = 0.4  # of the time by hand, which keeps no rows and sees no events
TOLERANCES: dict[str, Any] = {"rtol": 1e-6, "atol": 1e-10}
FIRST = 1e-4  # s


@dataclass(frozen=True)
class System:
    """Slopes as expressions; the same, and their Jacobian, by hand; the solution at `stop`."""

    laws: Mapping[str, str]
    start: Sequence[float]
    stop: float
    solution: Sequence[float]
    slope: Callable[[Any, Any], None]
    jacobian: Callable[[Any, Any], None]


def robertson(x: Any, d: Any) -> None:
    d[0] = -0.04 * x[0] + 1e4 * x[1] * x[2]
    d[2] = 3e7 * x[1] * x[1]
    d[1] = -d[0] - d[2]


def by_robertson(x: Any, J: Any) -> None:
    J[0, 0], J[0, 1], J[0, 2] = -0.04, 1e4 * x[2], 1e4 * x[1]
    J[2, 1] = 6e7 * x[1]
    J[1, 0], J[1, 1], J[1, 2] = 0.04, -1e4 * x[2] - 6e7 * x[1], -1e4 * x[1]


def van_der_pol(x: Any, d: Any) -> None:
    d[0] = x[1]
    d[1] = 1e3 * (1.0 - x[0] * x[0]) * x[1] - x[0]


def by_van_der_pol(x: Any, J: Any) -> None:
    J[0, 1] = 1.0
    J[1, 0], J[1, 1] = -2e3 * x[0] * x[1] - 1.0, 1e3 * (1.0 - x[0] * x[0])


SYSTEMS = {
    "robertson": System(
        {"a": "1e4 * b * c - 0.04 * a", "b": "0.04 * a - 1e4 * b * c - 3e7 * b * b", "c": "3e7 * b * b"},
        (1.0, 0.0, 0.0), 1e5, (0.017865917, 7.2747507e-08, 0.98213401), robertson, by_robertson,
    ),
    "van_der_pol_1000": System(
        {"a": "1 * b", "b": "1e3 * (1 - a * a) * b - a"}, (2.0, 0.0), 2000.0,
        (1.706167732170483, -0.8928097010247975e-3), van_der_pol, by_van_der_pol,
    ),
}  # fmt: skip


def ours(system: System) -> Candidate:
    import blockdyn as bd

    d = bd.Diagram("stiff")
    for (name, law), value in zip(system.laws.items(), system.start, strict=True):
        d.add(name, bd.Integrator(value))
        d.add(f"d{name}", bd.Expression(law))
    for name, law in system.laws.items():
        for reads in system.laws:
            if reads in law:
                d.connect(reads, d[f"d{name}"][reads])
        d.connect(f"d{name}", name)
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(
            stop=system.stop,
            method="rodas5p",
            max_step=np.inf,
            log=[*system.laws],
            states=False,
            **TOLERANCES,
        )

    return Candidate(run, lambda: [float(last[0].final(name)) for name in system.laws])


def by_hand(system: System) -> Candidate:
    from numba import njit

    from ..by_hand.rodas5p import solver

    solve = solver(njit(error_model="numpy")(system.slope), njit(error_model="numpy")(system.jacobian))
    start, last = np.array(system.start), list[Any]([None])

    def run() -> None:
        last[0] = solve(start, system.stop, FIRST, TOLERANCES["rtol"], TOLERANCES["atol"])

    return Candidate(run, lambda: last[0][0].tolist())


@dataclass
class Comparison:
    """One system as a case of its own."""

    TITLE: str
    REFERENCE: Sequence[float]
    REQUIRED: Mapping[str, float]
    ENGINES: Mapping[str, Callable[[], Candidate]]
    SLOW: frozenset[str] = frozenset()


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for name, system in SYSTEMS.items():
        engines = {
            "ours": lambda system=system: ours(system), "by hand": lambda system=system: by_hand(system)
        }  # fmt: skip
        case = Comparison(TITLE, system.solution, {"by hand": REQUIRED}, engines)
        measured += [
            replace(row, engine=f"{row.engine} {name}") for row in measure_case(CASE, case, settings)
        ]
    return measured
