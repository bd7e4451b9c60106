"""Random algebraic loops with limits and kinks that have one solution, against SciPy's bracketing."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

import blockdyn as bd

STOP = 3.0
TIMES = np.linspace(0.0, STOP, 31)
ALLOWED = 1e-7  # of the largest value
SHOWN = 20

Make = Callable[[np.random.Generator], tuple[Any, Callable[[float], float]]]


def _dead_zone(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    low, high = np.sort(rng.normal(size=2)).tolist()
    return bd.DeadZone(lower=low, upper=high), lambda v: v - min(max(v, low), high)


def _saturation(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    low, high = np.sort(rng.normal(size=2)).tolist()
    return bd.Saturation(lower=low, upper=high), lambda v: min(max(v, low), high)


def _table(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    x, y = np.cumsum(rng.uniform(0.1, 1.0, (2, 6)), axis=1) - 2.0
    events = bool(rng.random() < 0.5)
    block = bd.Lookup1D(breakpoints=x, table=y, outside="extrapolate", events=events)
    slopes = np.diff(y) / np.diff(x)

    def value(v: float) -> float:
        if v < x[0]:
            return float(y[0] + slopes[0] * (v - x[0]))
        return float(y[-1] + slopes[-1] * (v - x[-1]) if v > x[-1] else np.interp(v, x, y))

    return block, value


def _steeper(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    a, b, c = (*rng.uniform(0.1, 3.0, 2), rng.normal())
    pick = rng.choice(["max", "min"])
    return bd.Expression(f"{pick}({a} * a, {b} * a + {c})"), lambda v: {"max": max, "min": min}[pick](
        a * v, b * v + c
    )


def _square(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    return bd.Expression("a * abs(a)"), lambda v: v * abs(v)


def _root(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    return bd.Expression("sign(a) * sqrt(abs(a))"), lambda v: float(np.sign(v) * np.sqrt(abs(v)))


def _diode(rng: np.random.Generator) -> tuple[Any, Callable[[float], float]]:
    size = float(rng.uniform(0.02, 0.5))
    return (
        bd.Expression(f"1e-6 * (exp(a / {size}) - 1)"),
        lambda v: 1e-6 * (float(np.exp(min(v / size, 700.0))) - 1.0),
    )


KINDS: tuple[Make, ...] = (_dead_zone, _saturation, _table, _steeper, _square, _root, _diode)


def _source(rng: np.random.Generator) -> tuple[Any, Callable[[Any], Any]]:
    size, w, phase = float(rng.uniform(0.5, 5.0)), float(rng.uniform(0.5, 6.0)), float(rng.uniform(0.0, 6.0))
    if rng.random() < 0.3:
        time, low, high = float(rng.uniform(0.3, 2.5)), float(rng.normal() * 3.0), float(rng.normal() * 3.0)
        return bd.Step(time=time, initial=low, final=high), lambda t: np.where(t < time, low, high)
    return bd.Sine(amplitude=size, frequency=w, phase=phase), lambda t: size * np.sin(w * t + phase)


def one_loop(rng: np.random.Generator) -> tuple[bd.Diagram, str, Callable[[Any], Any]]:
    """e = u - k f(e), or f(k e) in its place, or by an AlgebraicConstraint; e is the solution over time."""
    block, f = KINDS[rng.integers(len(KINDS))](rng)
    source, u = _source(rng)
    k = float(10.0 ** rng.uniform(-1.0, 2.5))
    d = bd.Diagram()
    s, g = d.add("u", source), d.add("g", bd.Gain(k=k))
    way = rng.integers(3)
    if way == 2:  # 0 = u - v - k f(v)
        e, v = d.add("sum", bd.Sum("+--")), d.add("e", bd.AlgebraicConstraint())
        d.connect(s, e[0])
        d.connect(v, e[1])
        d.connect(v, d.add("f", block), g, e[2])
        d.connect(e, v)
    else:
        e = d.add("e", bd.Sum("+-"))
        d.connect(s, e[0])
        d.connect(e, *((d.add("f", block), g) if way == 0 else (g, d.add("f", block))), e[1])
    x = d.add("x", bd.Integrator())
    d.connect(v if way == 2 else e, x)

    def root(value: float) -> float:
        from scipy.optimize import brentq

        def residual(e: float) -> float:
            return e - value + (f(k * e) if way == 1 else k * f(e))

        width = 1.0
        while residual(-width) > 0.0 or residual(width) < 0.0:
            width *= 2.0
        return float(brentq(residual, -width, width, xtol=1e-300, rtol=1e-15, maxiter=2000))

    return d, "e", lambda t: np.array([root(float(value)) for value in np.ravel(u(t))])


def several_loops(rng: np.random.Generator) -> tuple[bd.Diagram, str, Callable[[Any, Any], Any]]:
    """e = u - A f(e), A positive definite and each f monotone: one solution, by its residual."""
    n = int(rng.integers(2, 5))
    R = rng.normal(size=(n, n))
    A = R @ R.T + 0.1 * np.eye(n) + (S := rng.normal(size=(n, n))) - S.T
    d = bd.Diagram()
    e = d.add("e", bd.Sum("+-"))
    sources = [_source(rng) for _ in range(n)]
    mux, back = d.add("mux", bd.Mux(n)), d.add("back", bd.Mux(n))
    parts = d.add("parts", bd.Demux([1] * n))
    fs = []
    for i, (source, _) in enumerate(sources):
        block, f = KINDS[rng.integers(len(KINDS) - 1)](rng)
        fs.append(f)
        d.connect(d.add(f"u{i}", source), mux[i])
        d.connect(parts[i], d.add(f"f{i}", block), back[i])
    d.connect(mux, e[0])
    d.connect(e, parts)
    d.connect(back, d.add("A", bd.MatrixGain(A)), e[1])
    d.connect(e, d.add("x", bd.Integrator(initial=np.zeros(n))))

    def residual(t: Any, found: Any) -> Any:
        u = np.column_stack([of(t) * np.ones_like(t) for _, of in sources])
        values = np.array([[f(v) for f, v in zip(fs, row, strict=True)] for row in found])
        return found - u + values @ A.T, np.abs(found) + np.abs(u) + np.abs(values) @ np.abs(A).T

    return d, "e", residual


def check_loop(seed: int) -> str:
    """One random loop; a sentence about what is wrong, or nothing."""
    rng = np.random.default_rng(seed)
    several = rng.random() < 0.3
    d, path, solution = (several_loops if several else one_loop)(rng)  # type: ignore[operator]
    r = d.simulate(stop=STOP, loops="solve", compiled=bool(rng.random() < 0.95), max_step=0.1)
    t = np.setdiff1d(TIMES, [event.time for event in r.events])
    found = r.trace(path).at(t)
    if several:
        left, size = solution(t, found)
        off = float(np.max(np.abs(left) / (1.0 + size)))
    else:
        expected = solution(t)
        off = float(np.max(np.abs(found - expected) / (1.0 + np.abs(expected))))
    return f"off by {off:.2g}" if off > ALLOWED else ""


def fuzz_loops(count: int, seed: int) -> int:
    """0 when every loop had its solution."""
    bad = 0
    for k in range(count):
        try:
            wrong = check_loop(seed + k)
        except bd.BlockdynError as error:
            wrong = f"{type(error).__name__}: {error}"
        except Exception:  # noqa: BLE001  a fault too
            wrong = traceback.format_exc()
        if wrong:
            bad += 1
            if bad <= SHOWN:
                sys.stdout.write(f"loop of seed {seed + k}: {wrong}\n")
    sys.stdout.write(f"{count} loops, {bad} without their solution\n")
    return int(bad > 0)
