"""A rod heated at one end, of 1000 and 10 000 elements: bdf against CVODE with a function in Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

import blockdyn as bd

from ..contract import Candidate, Row, Settings
from ..measure import measure_case
from .stiff import Comparison

TITLE = "heat rod"
CASE = "heat_rod"
SIZES = (1000, 10_000)
REQUIRED = {"CVODE, Python's loop": 20.0, "CVODE, whole arrays": 1.0}
STOP = 0.3  # s, where the slowest sine has fallen to 5 %
TOLERANCES: dict[str, Any] = {"rtol": 1e-6, "atol": 1e-9}


class Rod(bd.Block):
    """Temperatures between an end held at 1 and an end held at 0: a band of three."""

    outputs: ClassVar = (bd.Port("y", 1),)
    states: ClassVar = (bd.State("T", "initial"),)
    initial: bd.Real = bd.parameter(doc="temperatures at the start", dimensions=(1,))
    k: bd.Real = bd.parameter(doc="conduction between neighbours, 1/s")

    @staticmethod
    def output(T: np.ndarray) -> float:
        return T[len(T) // 2]  # type: ignore[no-any-return]

    @staticmethod
    def derivative(T: np.ndarray, k: float, d_T: np.ndarray) -> None:
        n = T.size
        for i in range(n):
            left = 1.0 if i == 0 else T[i - 1]
            right = 0.0 if i == n - 1 else T[i + 1]
            d_T[i] = k * (left - 2.0 * T[i] + right)


def middle(n: int) -> float:
    """The temperature of element n // 2 at STOP, by the sines of the discrete Laplacian."""
    j, place = np.arange(1, n + 1), np.arange(1, n + 1) / (n + 1)
    rates = -4.0 * (n + 1) ** 2 * np.sin(np.pi * j / (2 * (n + 1))) ** 2
    seen = j[rates * STOP > -50.0]
    sines = np.sin(np.pi * np.outer(seen, place))
    parts = 2.0 / (n + 1) * (sines @ (1.0 - place)) * np.exp(rates[: seen.size] * STOP)
    return float(1.0 - place[n // 2] - parts @ sines[:, n // 2])


def ours(n: int, method: str = "bdf") -> Candidate:
    d = bd.Diagram("rod")
    d.add("rod", Rod(initial=np.zeros(n), k=float((n + 1) ** 2)))
    program = d.compile()
    last: list[Any] = [None]

    def run() -> None:
        last[0] = program.simulate(
            stop=STOP, method=method, max_step=np.inf, log=["rod"], states=False, **TOLERANCES
        )

    return Candidate(run, lambda: [float(last[0].final("rod"))])


def by_cvode(n: int, whole: bool) -> Candidate:
    """With the slopes of whole arrays, or of one element after the other."""
    from sksundae.cvode import CVODE  # type: ignore[import-not-found,import-untyped,unused-ignore]

    k = float((n + 1) ** 2)

    def by_elements(t: float, T: Any, d_T: Any) -> None:
        for i in range(n):
            d_T[i] = k * ((T[i - 1] if i > 0 else 1.0) - 2.0 * T[i] + (T[i + 1] if i < n - 1 else 0.0))

    def by_arrays(t: float, T: Any, d_T: Any) -> None:
        d_T[:] = (-2.0 * k) * T
        d_T[1:] += k * T[:-1]
        d_T[:-1] += k * T[1:]
        d_T[0] += k

    slopes = by_arrays if whole else by_elements
    solver = CVODE(slopes, linsolver="band", lband=1, uband=1, max_num_steps=100_000, **TOLERANCES)
    start, last = np.zeros(n), list[Any]([None])

    def run() -> None:
        last[0] = solver.solve(np.array([0.0, STOP]), start)

    note = "CVODE: BDF, told that the matrix is a band of three; keeps every state"
    return Candidate(run, lambda: [float(last[0].y[-1, n // 2])], note=note)


def rows(settings: Settings) -> list[Row]:
    measured: list[Row] = []
    for n in SIZES:
        engines = {
            "ours": lambda n=n: ours(n),
            "CVODE, Python's loop": lambda n=n: by_cvode(n, False),
            "CVODE, whole arrays": lambda n=n: by_cvode(n, True),
            "ours, radau5": lambda n=n: ours(n, "radau5"),
        }
        case = Comparison(TITLE, [middle(n)], REQUIRED, engines)
        measured += [
            replace(row, engine=f"{row.engine}, {n} states") for row in measure_case(CASE, case, settings)
        ]
    return measured
