"""ForwardDynamics of the Modern Robotics library, under its own name, against the original package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..contract import Candidate

TITLE = "modern_robotics.ForwardDynamics, 3 joints, one call"
# Lynch, Park, Modern Robotics: the worked example of the library's function
REFERENCE: Sequence[float] = (-0.97392907, 25.58466784, -32.91499212)
REQUIRED = {"original": 100.0}
SLOW: frozenset[str] = frozenset()
CALLS = 100  # a run is that many


def arguments() -> tuple[Any, ...]:
    M01 = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.089159], [0, 0, 0, 1.0]])
    M12 = np.array([[0, 0, 1, 0.28], [0, 1, 0, 0.13585], [-1, 0, 0, 0], [0, 0, 0, 1.0]])
    M23 = np.array([[1, 0, 0, 0], [0, 1, 0, -0.1197], [0, 0, 1, 0.395], [0, 0, 0, 1.0]])
    M34 = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.14225], [0, 0, 0, 1.0]])
    G1 = np.diag([0.010267, 0.010267, 0.00666, 3.7, 3.7, 3.7])
    G2 = np.diag([0.22689, 0.22689, 0.0151074, 8.393, 8.393, 8.393])
    G3 = np.diag([0.0494433, 0.0494433, 0.004095, 2.275, 2.275, 2.275])
    screws = np.array([[1, 0, 1, 0, 1, 0], [0, 1, 0, -0.089, 0, 0], [0, 1, 0, -0.089, 0, 0.425]]).T
    return (
        np.array([0.1, 0.1, 0.1]), np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.6, 0.7]),
        np.array([0, 0, -9.8]), np.ones(6), [M01, M12, M23, M34], [G1, G2, G3], screws,
    )  # fmt: skip


def _candidate(library: Any, note: str = "") -> Candidate:
    values = arguments()
    last: list[Any] = [None]

    def run() -> None:
        for _ in range(CALLS):
            last[0] = library.ForwardDynamics(*values)

    return Candidate(run, lambda: [float(value) for value in last[0]], note=note)


def ours() -> Candidate:
    import warnings

    from blockdyn import modern_robotics

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the book's first screw is not of unit length, on purpose
        return _candidate(modern_robotics, f"a run is {CALLS} calls")


def original() -> Candidate:
    import modern_robotics  # type: ignore[import-not-found,unused-ignore]

    return _candidate(modern_robotics)


ENGINES = {"ours": ours, "original": original}
