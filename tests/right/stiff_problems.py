"""Stiff problems with published solutions, as diagrams of integrators and expressions.

Solutions: F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008).
Scaled Van der Pol equation: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

import blockdyn as bd


class Problem(NamedTuple):
    """y1', y2' ... as expressions of y1, y2 ... and of `rates`; the solution at `stop`."""

    slopes: Sequence[str]
    start: Sequence[float]
    stop: float
    solution: Sequence[float]
    rates: Mapping[str, str] = {}

    def diagram(self) -> bd.Diagram:
        """An integrator a state, an expression a slope or rate."""
        d = bd.Diagram()
        for i, value in enumerate(self.start, 1):
            d.add(f"y{i}", bd.Integrator(value))
        laws = {f"slope{i}": slope for i, slope in enumerate(self.slopes, 1)} | dict(self.rates)
        for name, law in laws.items():
            d.add(name, bd.Expression(law))
        for name, law in laws.items():
            for read in sorted(set(re.findall(r"\b[yr]\d+", law))):
                d.connect(read, d[name][read])
        for i in range(1, len(self.slopes) + 1):
            d.connect(f"slope{i}", f"y{i}")
        return d

    def final(self, **settings: object) -> np.ndarray:
        """The states where a run ends."""
        return self.end(self.diagram().simulate(stop=self.stop, max_step=np.inf, **settings))

    def end(self, result: bd.Result) -> np.ndarray:
        """The states at the end of a run."""
        return np.array([result.final(f"y{i}") for i in range(1, len(self.start) + 1)])


SCALED_VAN_DER_POL = np.array([  # at t = 1, 2 ... 11
    [-1.863646254808130, 0.7535430865435460], [1.706167732170456, -0.8928097010248257],
    [-1.510606936744095, 1.178380000730945], [1.194414677695905, -2.799585996540082],
    [1.890428596416747, -0.7345118680166940], [-1.737716306805883, 0.8604008653025923],
    [1.551614645548223, -1.102382892533321], [-1.278631984330405, 2.013890883009155],
    [-1.916552949489830, 0.7169573003463228], [1.768163792391936, -0.8315276407898496],
    [-1.590150544829062, 1.040279389212485],
])  # fmt: skip
POLLUTED = np.zeros(20)
POLLUTED[[1, 3, 6, 7, 8, 16]] = 0.2, 0.04, 0.1, 0.3, 0.01, 0.007
PROBLEMS = {
    "robertson": Problem(
        ["1e4 * y2 * y3 - 0.04 * y1", "0.04 * y1 - 1e4 * y2 * y3 - 3e7 * y2 * y2", "3e7 * y2 * y2"],
        [1.0, 0.0, 0.0], 1e11, [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050],
    ),
    "van_der_pol": Problem(
        ["y2", "1e3 * (1 - y1 * y1) * y2 - y1"], [2.0, 0.0], 2000.0,
        [1.706167732170483, -0.8928097010247975e-3],
    ),
    "van_der_pol_scaled": Problem(
        ["y2", "1e6 * ((1 - y1 * y1) * y2 - y1)"], [2.0, 0.0], 2.0, SCALED_VAN_DER_POL[1].tolist(),
    ),
    "orego": Problem(
        ["77.27 * (y2 + y1 * (1 - 8.375e-6 * y1 - y2))", "(y3 - (1 + y1) * y2) / 77.27", "0.161 * (y1 - y3)"],
        [1.0, 2.0, 3.0], 360.0, [1.000814870318523, 1228.178521549917, 132.0554942846706],
    ),
    "hires": Problem(
        [
            "0.0007 - 1.71 * y1 + 0.43 * y2 + 8.32 * y3",
            "1.71 * y1 - 8.75 * y2",
            "0.43 * y4 + 0.035 * y5 - 10.03 * y3",
            "8.32 * y2 + 1.71 * y3 - 1.12 * y4",
            "0.43 * y6 + 0.43 * y7 - 1.745 * y5",
            "0.69 * y4 + 1.71 * y5 - 0.43 * y6 + 0.69 * y7 - r1",
            "r1 - 1.81 * y7",
            "1.81 * y7 - r1",
        ],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057], 321.8122,
        [
            0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
            0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
        ],
        {"r1": "280 * y6 * y8"},
    ),
    "pollution": Problem(
        [
            "r2 + r3 + r9 + r11 + r12 + r22 + r25 - r1 - r10 - r14 - r23 - r24",
            "r1 + r21 - r2 - r3 - r9 - r12",
            "r1 + r17 + r19 + r22 - r15",
            "r15 - r2 - r16 - r17 - r23",
            "2 * r4 + r6 + r7 + r13 + r20 - r3",
            "r3 + 2 * r18 - r6 - r8 - r14 - r20",
            "r13 - r4 - r5 - r6",
            "r4 + r5 + r6 + r7",
            "-r7 - r8",
            "r7 + r9 - r12",
            "r8 + r11 - r9 - r10",
            "r9",
            "r10 - r11",
            "r12 - r13",
            "r14",
            "r16 - r18 - r19",
            "-r20",
            "1 * r20",
            "r23 + r25 - r21 - r22 - r24",
            "r24 - r25",
        ],
        POLLUTED.tolist(), 60.0,
        [
            0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2,
            0.2018977262302196e-6, 0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018,
            0.7494013383880406e-2, 0.1622293157301561e-7, 0.1135863833257075e-7, 0.2230505975721359e-2,
            0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2, 0.4352846369330103e-17,
            0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4,
        ],
        {
            "r1": "0.35 * y1", "r2": "26.6 * y2 * y4", "r3": "1.23e4 * y5 * y2", "r4": "8.6e-4 * y7",
            "r5": "8.2e-4 * y7", "r6": "1.5e4 * y7 * y6", "r7": "1.3e-4 * y9", "r8": "2.4e4 * y9 * y6",
            "r9": "1.65e4 * y11 * y2", "r10": "9e3 * y11 * y1", "r11": "0.022 * y13",
            "r12": "1.2e4 * y10 * y2", "r13": "1.88 * y14", "r14": "1.63e4 * y1 * y6", "r15": "4.8e6 * y3",
            "r16": "3.5e-4 * y4", "r17": "0.0175 * y4", "r18": "1e8 * y16", "r19": "4.44e11 * y16",
            "r20": "1240 * y17 * y6", "r21": "2.1 * y19", "r22": "5.78 * y19", "r23": "0.0474 * y1 * y4",
            "r24": "1.78e3 * y19 * y1", "r25": "3.12 * y20",
        },
    ),
}  # fmt: skip
