"""Larger problems of the Test Set for IVP Solvers, as functions of the whole state.

Equations and solutions: F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4
(2008); E. Hairer and G. Wanner, Solving Ordinary Differential Equations II (1996), section IV.10, for CUSP.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, exp, pi, sin
from typing import Any, NamedTuple

import numpy as np

import blockdyn as bd

from . import emep

Solution = Mapping[int, float]


class Problem(NamedTuple):
    """x' = slope(x, sources..., t) from `begin` to `stop`; states of the solution there, by number from 1."""

    slope: Callable[..., Any]
    start: Any
    stop: float
    solution: Solution
    small: float = 1.0  # atol over rtol
    begin: float = 0.0
    sources: Mapping[str, bd.Block] = {}  # what the slope reads besides the state, and where it jumps

    def run(self, rtol: float, **settings: Any) -> bd.Result:
        """A run without a longest step."""
        d = bd.Diagram()
        start = np.array(self.start, float)
        x = d.add("x", bd.Integrator(start.tolist()))
        f = d.add("f", bd.Function(self.slope, size=[start.size]))
        d.connect(x, f[0])
        d.connect(f, x)
        for name, source in self.sources.items():
            d.connect(d.add(name, source), f[name])
        settings = {"max_step": np.inf, "atol": rtol * self.small, "log": ["x"]} | settings
        return d.simulate(start=self.begin, stop=self.stop, rtol=rtol, times=[self.stop], **settings)

    def errors(self, result: bd.Result) -> np.ndarray:
        """Those of the states with a published solution."""
        end = result.final("x")
        return np.array([end[number - 1] - right for number, right in self.solution.items()])


def e5(x):
    """Four reactions of a pyrolysis."""
    a, b = 7.89e-10 * x[0], 1.1e7 * x[0] * x[2]
    c, e = 1.13e9 * x[1] * x[2], 1.13e3 * x[3]
    second, fourth = a - c, b - e
    return np.array([-a - b, second, second - fourth, fourth])


def pleiades(x):
    """Seven stars of masses 1 to 7 in a plane: places x, y, then velocities."""
    f = np.zeros(28)
    for i in range(7):
        f[i], f[7 + i] = x[14 + i], x[21 + i]
        for j in range(7):
            if j != i:
                r = ((x[i] - x[j]) ** 2 + (x[7 + i] - x[7 + j]) ** 2) ** 1.5
                f[14 + i] += (j + 1) * (x[j] - x[i]) / r
                f[21 + i] += (j + 1) * (x[7 + j] - x[7 + i]) / r
    return f


def ring_modulator(y, t):
    """Voltages and currents of a ring modulator with four diodes."""
    low, high = 0.5 * sin(2e3 * pi * t), 2.0 * sin(2e4 * pi * t)
    d1 = 40.67286402e-9 * (exp(17.7493332 * (y[2] - y[4] - y[6] - high)) - 1.0)
    d2 = 40.67286402e-9 * (exp(17.7493332 * (-y[3] + y[5] - y[6] - high)) - 1.0)
    d3 = 40.67286402e-9 * (exp(17.7493332 * (y[3] + y[4] + y[6] + high)) - 1.0)
    d4 = 40.67286402e-9 * (exp(17.7493332 * (-y[2] - y[5] + y[6] + high)) - 1.0)
    return np.array([
        (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / 25e3) / 1.6e-8,
        (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / 25e3) / 1.6e-8,
        (y[9] - d1 + d4) / 2e-12, (-y[10] + d2 - d3) / 2e-12,
        (y[11] + d1 - d3) / 2e-12, (-y[12] - d2 + d4) / 2e-12,
        (-y[6] / 50.0 + d1 + d2 - d3 - d4) / 1e-8, -y[0] / 4.45, -y[1] / 4.45,
        (0.5 * y[0] - y[2] - 17.3 * y[9]) / 5e-4, (-0.5 * y[0] + y[3] - 17.3 * y[10]) / 5e-4,
        (0.5 * y[1] - y[4] - 17.3 * y[11]) / 5e-4, (-0.5 * y[1] + y[5] - 17.3 * y[12]) / 5e-4,
        (-y[0] + low - 86.3 * y[13]) / 2e-3, (-y[1] - 636.3 * y[14]) / 2e-3,
    ])  # fmt: skip


def beam(x, t):
    """An elastic beam of 40 links, clamped at one end, pulled at the other to t = pi: angles, rates."""
    n = 40
    v, w, s, c = np.zeros(n), np.zeros(n), np.zeros(n + 1), np.zeros(n + 1)
    force = 1.5 * sin(t) ** 2 if t <= pi else 0.0
    for i in range(1, n):
        s[i], c[i] = sin(x[i] - x[i - 1]), cos(x[i] - x[i - 1])
    for i in range(n):
        before = -x[0] if i == 0 else x[i - 1]
        after = x[i] if i == n - 1 else x[i + 1]
        v[i] = n**4 * (before - 2.0 * x[i] + after) + n**2 * force * (cos(x[i]) + sin(x[i]))
    diagonal, f = np.full(n, 2.0), np.zeros(2 * n)
    diagonal[0], diagonal[n - 1] = 1.0, 3.0
    for i in range(n):
        w[i] = x[n + i] ** 2
        if i > 0:
            w[i] -= s[i] * v[i - 1]
        if i < n - 1:
            w[i] += s[i + 1] * v[i + 1]
    for i in range(1, n):
        factor = -c[i] / diagonal[i - 1]
        diagonal[i] += factor * c[i]
        w[i] -= factor * w[i - 1]
    w[n - 1] /= diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        w[i] = (w[i] + c[i + 1] * w[i + 1]) / diagonal[i]
    for i in range(n):
        f[i] = x[n + i]
        f[n + i] = (1.0 if i == 0 else 3.0 if i == n - 1 else 2.0) * v[i]
        if i > 0:
            f[n + i] -= c[i] * v[i - 1] + s[i] * w[i - 1]
        if i < n - 1:
            f[n + i] -= c[i + 1] * v[i + 1] - s[i + 1] * w[i + 1]
    return f


def medical(y, t):
    """Medical Akzo Nobel: an antibody penetrates a tissue, 200 points with two concentrations each."""
    n = 200
    f = np.zeros(2 * n)
    for j in range(n):
        u, v = y[2 * j], y[2 * j + 1]
        before = (2.0 if t <= 5.0 else 0.0) if j == 0 else y[2 * j - 2]
        after = y[2 * j] if j == n - 1 else y[2 * j + 2]
        place = (j + 1.0) / n - 1.0
        f[2 * j] = 2.0 * place**3 / 16.0 * (after - before) * n / 2.0 - 100.0 * u * v
        f[2 * j] += place**4 / 16.0 * (before - 2.0 * u + after) * n**2
        f[2 * j + 1] = -100.0 * u * v
    return f


def cusp(x):
    """Threshold nerves coupled by diffusion on a ring: 32 points with y, a and b each."""
    n, f = 32, np.zeros(96)
    for i in range(n):
        y, a, b = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        u = (y - 0.7) * (y - 1.3)
        v = u / (u + 0.1)
        before, after = 3 * ((i - 1) % n), 3 * ((i + 1) % n)
        f[3 * i] = -1e4 * (y**3 + a * y + b)
        f[3 * i + 1] = b + 0.07 * v
        f[3 * i + 2] = (1.0 - a**2) * b - a - 0.4 * y + 0.035 * v
        for k in range(3):
            f[3 * i + k] += n**2 / 144.0 * (x[before + k] - 2.0 * x[3 * i + k] + x[after + k])
    return f


ANGLES = 2.0 * np.pi * np.arange(1, 33) / 32.0
PLEIADES = [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0]
PROBLEMS = {
    "e5": Problem(
        e5, [1.76e-3, 0.0, 0.0, 0.0], 1e13, {2: 0.8867655517642120e-22, 3: 0.8854814626268838e-22}, 1e-18
    ),
    "pleiades": Problem(
        pleiades, PLEIADES, 3.0,
        {
            1: 0.3706139143970502, 2: 3.237284092057233, 3: -3.222559032418324, 4: 0.6597091455775310,
            5: 0.3425581707156584, 6: 1.562172101400631, 7: -0.7003092922212495, 8: -3.943437585517392,
            9: -3.271380973972550, 10: 5.225081843456543, 11: -2.590612434977470, 12: 1.198213693392275,
            13: -0.2429682344935824, 14: 1.091449240428980,
        },
    ),
    "ring modulator": Problem(
        ring_modulator, [0.0] * 15, 1e-3,
        {
            1: -0.2339057358486745e-1, 2: -0.7367485485540825e-2, 3: 0.2582956709291169,
            4: -0.4064465721283450, 5: -0.4039455665149794, 6: 0.2607966765422943, 7: 0.1106761861269975,
            8: 0.2939904342435596e-6, 9: -0.2840029933642329e-7, 10: 0.7267198267264553e-3,
            11: 0.7929487196960840e-3, 12: -0.7255283495698965e-3, 13: -0.7941401968526521e-3,
            14: 0.7088495416976114e-4, 15: 0.2390059075236570e-4,
        }, 1e-3,
    ),
    "beam": Problem(
        beam, [0.0] * 80, 5.0,
        {
            1: -0.5792366591285007e-2, 10: -0.9119134654647947e-1, 20: -0.1483595472463012,
            30: -0.1725821847462537, 40: -0.1767201761075488, 41: 0.3747362681329794e-1,
            50: 0.5987609702624270, 60: 0.9868747821728363, 70: 1.156792132004482, 80: 1.186724615113034,
        },
    ),
    "medical akzo nobel": Problem(
        medical, [0.0, 1.0] * 200, 20.0,
        {
            1: 0.5113983840919909e-5, 79: 0.2339942217046434e-3, 133: 0.3576835958481664e-3,
            171: 0.3085949832350532e-3, 199: 0.1173741304462833e-3, 208: 0.1548747348410801,
            212: 0.6649744834198490, 220: 0.9890204872799944,
        },
    ),
    "cusp": Problem(
        cusp, np.stack([np.zeros(32), -2.0 * np.cos(ANGLES), 2.0 * np.sin(ANGLES)], 1).ravel(), 1.1, {}
    ),
    "emep": Problem(
        emep.emep, emep.START, emep.STOP, dict(enumerate(emep.SOLUTION, 1)), begin=emep.SUNRISE,
        sources={
            "daylight": bd.Pulse(period=emep.DAY, width=emep.SUNSET - emep.SUNRISE, delay=emep.SUNRISE),
            "clock": bd.Sawtooth(period=emep.DAY, amplitude=emep.DAY / 2.0, bias=emep.DAY / 2.0),
        },
    ),
}  # fmt: skip
