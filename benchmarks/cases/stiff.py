"""Stiff systems: Robertson, Van der Pol and HIRES by three methods, against Rodas5P by hand and SciPy."""

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


def hires(x: Any, d: Any) -> None:
    r = 280.0 * x[5] * x[7]
    d[0] = 0.0007 - 1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2]
    d[1] = 1.71 * x[0] - 8.75 * x[1]
    d[2] = 0.43 * x[3] + 0.035 * x[4] - 10.03 * x[2]
    d[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3]
    d[4] = 0.43 * x[5] + 0.43 * x[6] - 1.745 * x[4]
    d[5] = 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6] - r
    d[6] = r - 1.81 * x[6]
    d[7] = 1.81 * x[6] - r


def by_hires(x: Any, J: Any) -> None:
    J[0, 0], J[0, 1], J[0, 2] = -1.71, 0.43, 8.32
    J[1, 0], J[1, 1] = 1.71, -8.75
    J[2, 2], J[2, 3], J[2, 4] = -10.03, 0.43, 0.035
    J[3, 1], J[3, 2], J[3, 3] = 8.32, 1.71, -1.12
    J[4, 4], J[4, 5], J[4, 6] = -1.745, 0.43, 0.43
    J[5, 3], J[5, 4], J[5, 5], J[5, 6] = 0.69, 1.71, -0.43 - 280.0 * x[7], 0.69
    J[5, 7] = -280.0 * x[5]
    J[6, 5], J[6, 6], J[6, 7] = 280.0 * x[7], -1.81, 280.0 * x[5]
    J[7, 5], J[7, 6], J[7, 7] = -280.0 * x[7], 1.81, -280.0 * x[5]


SYSTEMS = {
    "hires": System(
        {
            "a": "0.0007 - 1.71 * a + 0.43 * b + 8.32 * c",
            "b": "1.71 * a - 8.75 * b",
            "c": "0.43 * k + 0.035 * l - 10.03 * c",
            "k": "8.32 * b + 1.71 * c - 1.12 * k",
            "l": "0.43 * m + 0.43 * n - 1.745 * l",
            "m": "0.69 * k + 1.71 * l - 0.43 * m + 0.69 * n - 280 * m * o",
            "n": "280 * m * o - 1.81 * n",
            "o": "1.81 * n - 280 * m * o",
        },
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057), 321.8122,
        (
            0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
            0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
        ), hires, by_hires,
    ),
    "robertson": System(
        {"a": "1e4 * b * c - 0.04 * a", "b": "0.04 * a - 1e4 * b * c - 3e7 * b * b", "c": "3e7 * b * b"},
        (1.0, 0.0, 0.0), 1e5, (0.017865917, 7.2747507e-08, 0.98213401), robertson, by_robertson,
    ),
    "van_der_pol_1000": System(
        {"a": "1 * b", "b": "1e3 * (1 - a * a) * b - a"}, (2.0, 0.0), 2000.0,
        (1.706167732170483, -0.8928097010247975e-3), van_der_pol, by_van_der_pol,
    ),
}  # fmt: skip


def ours(system: System, method: str = "rodas5p") -> Candidate:
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
            method=method,
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


def by_scipy(system: System) -> Candidate:
    from numba import njit
    from scipy.integrate import solve_ivp

    slope = njit(error_model="numpy")(system.slope)
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
    SLOW: frozenset[str] = frozenset()


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for name, system in SYSTEMS.items():
        engines = {
            "ours": lambda system=system: ours(system), "by hand": lambda system=system: by_hand(system),
            "ours, auto": lambda system=system: ours(system, "auto"),
            "ours, radau5": lambda system=system: ours(system, "radau5"),
            "Radau of scipy": lambda system=system: by_scipy(system),
        }  # fmt: skip
        case = Comparison(TITLE, system.solution, {"by hand": REQUIRED}, engines)
        measured += [
            replace(row, engine=f"{row.engine} {name}") for row in measure_case(CASE, case, settings)
        ]
    return measured
