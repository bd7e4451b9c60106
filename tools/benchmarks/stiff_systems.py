"""Stiff systems of the literature: as diagrams, by hand in numba with sympy's Jacobian, as text for diffsol.

Solutions: F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008); for
Robertson at 1e5 s, SciPy's Radau at a tolerance of 1e-12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class System:
    """Laws of the states y1, y2 ... and of the rates in them, as expressions; the states at 0 and `stop`."""

    laws: Sequence[str]
    start: Sequence[float]
    stop: float
    solution: Sequence[float]
    rates: Mapping[str, str] = field(default_factory=dict)

    @property
    def states(self) -> list[str]:
        return [f"y{i + 1}" for i in range(len(self.laws))]

    def diagram(self) -> Any:
        """An Integrator a state, an Expression a law and a rate."""
        import blockdyn as bd

        d = bd.Diagram("stiff")
        for name, value in zip(self.states, self.start, strict=True):
            d.add(name, bd.Integrator(value))
        laws = {f"d{name}": law for name, law in zip(self.states, self.laws, strict=True)} | dict(self.rates)
        for name, law in laws.items():
            d.add(name, bd.Expression(law))
        for name, law in laws.items():
            for read in sorted(set(re.findall(r"\b[yr]\d+", law))):
                d.connect(read, d[name][read])
        for name in self.states:
            d.connect(f"d{name}", name)
        return d

    def by_hand(self) -> tuple[Callable[[Any, Any], None], Callable[[Any, Any], None]]:
        """slope(x, dx) and jacobian(x, J), the entries that are not 0, written out and compiled."""
        import sympy

        rates = {name: sympy.sympify(law) for name, law in self.rates.items()}
        laws = [sympy.sympify(law).subs(rates) for law in self.laws]
        slopes = [f"{name} = {law}" for name, law in self.rates.items()]
        slopes += [f"out[{i}] = {law}" for i, law in enumerate(self.laws)]
        entries = [
            f"out[{i}, {j}] = {entry}"
            for i, law in enumerate(laws)
            for j, name in enumerate(self.states)
            if (entry := sympy.diff(law, sympy.Symbol(name))) != 0
        ]
        return self._compiled(slopes), self._compiled(entries)

    def _compiled(self, lines: list[str]) -> Callable[[Any, Any], None]:
        from numba import njit

        reads = [f"{name} = x[{i}]" for i, name in enumerate(self.states)]
        names: dict[str, Any] = {}
        exec("\n    ".join(["def function(x, out):", *reads, *lines]), names)
        compiled: Callable[[Any, Any], None] = njit(error_model="numpy")(names["function"])
        return compiled

    def diffsl(self) -> str:
        """The text that diffsol compiles."""
        start = ", ".join(f"{name} = {value!r}" for name, value in zip(self.states, self.start, strict=True))
        rates = "\n".join(f"{name} {{ {law} }}" for name, law in self.rates.items())
        laws = ",\n".join(law.replace("**", "^") for law in self.laws)
        return f"u_i {{ {start} }}\n{rates}\nF_i {{\n{laws}\n}}"


_POLLUTED = {1: 0.2, 3: 0.04, 6: 0.1, 7: 0.3, 8: 0.01, 16: 0.007}

SYSTEMS = {
    "robertson": System(
        ["1e4 * y2 * y3 - 0.04 * y1", "0.04 * y1 - 1e4 * y2 * y3 - 3e7 * y2 * y2", "3e7 * y2 * y2"],
        (1.0, 0.0, 0.0), 1e5, (0.017865917, 7.2747507e-08, 0.98213401),
    ),
    "van_der_pol_1000": System(
        ["1 * y2", "1e3 * (1 - y1 * y1) * y2 - y1"], (2.0, 0.0), 2000.0,
        (1.706167732170483, -0.8928097010247975e-3),
    ),
    "orego": System(
        ["77.27 * (y2 + y1 * (1 - 8.375e-6 * y1 - y2))", "(y3 - (1 + y1) * y2) / 77.27", "0.161 * (y1 - y3)"],
        (1.0, 2.0, 3.0), 360.0, (1.000814870318523, 1228.178521549917, 132.0554942846706),
    ),
    "hires": System(
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
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057), 321.8122,
        (
            0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
            0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
        ),
        {"r1": "280 * y6 * y8"},
    ),
    "pollution": System(
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
            "1 * r9",
            "r10 - r11",
            "r12 - r13",
            "1 * r14",
            "r16 - r18 - r19",
            "-r20",
            "1 * r20",
            "r23 + r25 - r21 - r22 - r24",
            "r24 - r25",
        ],
        [_POLLUTED.get(i, 0.0) for i in range(20)], 60.0,
        (
            0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2,
            0.2018977262302196e-6, 0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018,
            0.7494013383880406e-2, 0.1622293157301561e-7, 0.1135863833257075e-7, 0.2230505975721359e-2,
            0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2, 0.4352846369330103e-17,
            0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4,
        ),
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
