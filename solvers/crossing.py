"""Zero crossings: seen on the stages and the dense output of a step, located in time to the last bits.

Root finding: Chandrupatla, Advances in Engineering Software 28(3), 1997, 145-149,
doi:10.1016/S0965-9978(96)00051-8, stopped by the spacing of doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import layout

PARTS = 8  # a step is sampled at its eighths once something is suspected


def make_margin(jit: Callable[[Any], Any]) -> tuple[Any, Any]:
    @jit
    def margin(s: Any, g: Any, q: int) -> float:
        """How far crossing q is from its event: negative beyond it, huge where it cannot fire."""
        v = g[q] - s.shift[q]
        side = s.side[q]
        if side == 0:
            if v == 0.0 or (s.direction[q] != 0 and v * s.direction[q] < 0.0):
                return 1.0
            return float(-abs(v))
        if s.direction[q] != 0 and s.direction[q] == side:
            return np.inf
        return float(side * v)

    @jit
    def turn(s: Any, g: Any) -> None:
        """Note the sides of crossings that changed without an event."""
        for q in range(g.size):
            v = g[q] - s.shift[q]
            if s.side[q] * v < 0.0 or s.side[q] == 0:
                s.side[q] = int(v > 0.0) - int(v < 0.0)
            if s.side[q] * g[q] > 0.0:
                s.shift[q] = 0.0

    return margin, turn


def make_height(jit: Callable[[Any], Any], margin: Any) -> Any:
    @jit
    def height(s: Any, g: Any, q: int) -> float:
        """The margin, or, where the crossing waits on its far side, how far it is from coming back."""
        if s.side[q] != 0 and s.direction[q] == s.side[q]:
            return float(s.side[q] * (g[q] - s.shift[q]))
        return float(margin(s, g, q))

    return height


def make_suspicious(jit: Callable[[Any], Any], height: Any) -> Any:
    @jit
    def dips(c0: float, v0: float, c1: float, v1: float, c2: float, v2: float) -> bool:
        """Whether the parabola through three margins comes close to zero between the first and the last."""
        d0 = (v1 - v0) / (c1 - c0)
        d1 = (v2 - v1) / (c2 - c1)
        curve = (d1 - d0) / (c2 - c0)
        if curve <= 0.0:
            return False
        c = 0.5 * (c0 + c1) - 0.5 * d0 / curve
        if c <= c0 or c >= c2:
            return False
        low = v0 + d0 * (c - c0) + curve * (c - c0) * (c - c1)
        spread = max(v0, v1, v2) - min(v0, v1, v2)
        return low <= 0.3 * spread

    @jit
    def suspicious(s: Any, guards: int) -> bool:
        """Whether a crossing may fire within the step, judged by its values at the stages."""
        last = s.I[layout.STAGES] - 1
        for q in range(guards):
            c1 = 0.0
            v1 = height(s, s.G[0], q)
            c0 = -1.0
            v0 = 0.0
            if v1 < 0.0:
                return True
            for j in range(1, last + 1):
                c = s.C[j]
                v = height(s, s.G[j], q)
                if v < 0.0:
                    return True
                if c <= c1:
                    continue
                if c0 >= 0.0 and dips(c0, v0, c1, v1, c, v):
                    return True
                c0, v0, c1, v1 = c1, v1, c, v
        return False

    return suspicious


def make_locate(jit: Callable[[Any], Any], interpolate: Any, derivative: Any, margin: Any) -> tuple[Any, Any]:
    @jit
    def look(code: Any, m: Any, s: Any, time: float) -> int:
        """The zero crossings at a time within the step, into m.g."""
        interpolate(m, s, (time - s.F[layout.T]) / s.F[layout.H_TAKEN], s.x_trial)
        s.I[layout.EVALUATIONS] += 1
        return int(derivative(code, time, s.x_trial, s.scratch, m))

    @jit
    def least(s: Any, g: Any) -> float:
        """The smallest margin of all crossings: positive before the first event, negative after it."""
        low = np.inf
        for q in range(g.size):
            value = margin(s, g, q)
            if value < low:
                low = value
                if value < 0.0:
                    s.I[layout.LAST_GUARD] = q
        return low

    @jit
    def locate(code: Any, m: Any, s: Any, low: float, high: float, at_low: float, at_high: float) -> float:
        """The first double at which an event has happened, between `low` (not yet) and `high` (already)."""
        a, fa = high, at_high  # the newest point
        b, fb = low, at_low
        c, fc = low, at_low
        step = 0.5
        floor = abs(high - low)
        for _ in range(200):
            before = max(abs(a), abs(b))
            if abs(a - b) <= 2.220446049250313e-16 * max(before, floor):
                break
            t = a + step * (b - a)
            near = 1.2e-16 * before
            t = min(max(t, min(a, b) + near), max(a, b) - near)
            outcome = look(code, m, s, t)
            if outcome < 0:
                return t  # a block refuses there: the run ends where it does
            if outcome != 0:
                break
            ft = least(s, m.g)
            if (ft < 0.0) == (fa < 0.0):
                c, fc = a, fa
            else:
                c, fc = b, fb
                b, fb = a, fa
            a, fa = t, ft
            tolerance = 2.220446049250313e-16 * max(abs(a), abs(b)) / max(abs(b - a), 1e-300)
            step = 0.5
            if np.isfinite(fa) and np.isfinite(fb) and np.isfinite(fc) and fb != fc and b != c:
                xi = (a - b) / (c - b)
                phi = (fa - fb) / (fc - fb)
                if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
                    step = fa / (fb - fa) * fc / (fb - fc)
                    step += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            if not tolerance < 0.5:
                step = 0.5
            else:
                step = min(1.0 - tolerance, max(tolerance, step))
        return a if fa < 0.0 else b

    return look, (least, locate)


def make_detect(jit: Callable[[Any], Any], prepare: Any, interpolate: Any, derivative: Any) -> Any:
    margin, turn = make_margin(jit)
    height = make_height(jit, margin)
    suspicious = make_suspicious(jit, height)
    look, (least, locate) = make_locate(jit, interpolate, derivative, margin)

    @jit
    def dip(code: Any, m: Any, s: Any, q: int, left: float, right: float) -> float:
        """A time between two samples at which the height of crossing q is negative, or `right` + 1."""
        golden = 0.3819660112501051
        a, b = left, right
        c, d = a + golden * (b - a), b - golden * (b - a)
        look(code, m, s, c)
        fc = height(s, m.g, q)
        look(code, m, s, d)
        fd = height(s, m.g, q)
        for _ in range(40):
            if fc < 0.0:
                return c
            if fd < 0.0:
                return d
            if fc < fd:
                b, d, fd = d, c, fc
                c = a + golden * (b - a)
                look(code, m, s, c)
                fc = height(s, m.g, q)
            else:
                a, c, fc = c, d, fd
                d = b - golden * (b - a)
                look(code, m, s, d)
                fd = height(s, m.g, q)
        return right + 1.0

    @jit
    def lowest(s: Any, k: int, q: int) -> bool:
        """Whether the margin of crossing q has a finite local minimum at sample k."""
        v = height(s, s.samples[k], q)
        before = height(s, s.samples[k - 1], q)
        after = height(s, s.samples[k + 1], q)
        return bool(v <= before and v <= after and v < 0.5 * max(before, after))

    @jit
    def scan(code: Any, m: Any, s: Any) -> float:
        """The time of the first event in the step, or infinity."""
        t = s.F[layout.T]
        h = s.F[layout.H_TAKEN]
        t_new = s.F[layout.T_NEW]
        last = s.I[layout.STAGES] - 1
        guards = m.g.size
        prepare(code, m, s)
        for q in range(guards):
            s.samples[0, q] = s.G[0, q]
            s.samples[PARTS, q] = s.G[last, q]
        for k in range(1, PARTS):
            look(code, m, s, t + h * k / PARTS)
            for q in range(guards):
                s.samples[k, q] = m.g[q]
        for k in range(1, PARTS + 1):
            low = t + h * (k - 1) / PARTS
            high = t_new if k == PARTS else t + h * k / PARTS
            found = least(s, s.samples[k])
            if found < 0.0:
                return float(locate(code, m, s, low, high, least(s, s.samples[k - 1]), found))
            if k < PARTS:
                for q in range(guards):
                    if lowest(s, k, q):
                        right = t_new if k + 1 == PARTS else t + h * (k + 1) / PARTS
                        time = dip(code, m, s, q, low, right)
                        if time <= right:
                            look(code, m, s, time)
                            found = least(s, m.g)
                            if found < 0.0:
                                before = least(s, s.samples[k - 1])
                                return float(locate(code, m, s, low, time, before, found))
                            turn(s, m.g)  # back on the near side, to leave it again before `right`
                            at_right = least(s, s.samples[k + 1])
                            if at_right < 0.0:
                                return float(locate(code, m, s, time, right, found, at_right))
            turn(s, s.samples[k])
        return np.inf

    @jit
    def detect(code: Any, m: Any, s: Any) -> float:
        """The time of the first event in the step just taken, or infinity; x_new is then moved to it."""
        guards = m.g.size
        if s.I[layout.FORCED] == 1:
            s.I[layout.STALE] = 1
            return float(s.F[layout.T_NEW])
        if not suspicious(s, guards):
            turn(s, s.G[s.I[layout.STAGES] - 1])
            return np.inf
        time = scan(code, m, s)
        if time < np.inf:
            s.I[layout.STALE] = 1
            if time < s.F[layout.T_NEW]:
                interpolate(m, s, (time - s.F[layout.T]) / s.F[layout.H_TAKEN], s.x_new)
                s.F[layout.T_NEW] = time
            return float(time)
        last = s.I[layout.STAGES] - 1
        for q in range(guards):
            m.g[q] = s.G[last, q]
        return np.inf

    return detect, margin, turn
