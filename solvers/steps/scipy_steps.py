"""SciPy's stiff methods (Radau, BDF, LSODA) as steps of the loop: the same events, ticks and results."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import layout
from ..backend import Backend
from ..layout import Floats, Memory, Work
from ..methods.method import Steps

GAMMA = 3 + 3 ** (2 / 3) - 3 ** (1 / 3)  # the real eigenvalue of Radau IIA's inverse matrix
INSIDE = (0.25, 0.85)  # of a step: a place where its polynomial's slope is bad, and one where it is itself


EXPONENT = 0.25  # the error of a polynomial of degree 3 grows with the fourth power of the step
SAFETY = 0.9  # of a step that the estimate allows, as in Radau itself (Hairer, Wanner, section IV.8)
SHRINKS = 0.1  # at most, from one step to the next: an estimate says little about steps far from its own
NO_ERROR = 1e-8  # an estimate below counts as that, which allows a step ninety times as long
SHORTEST = 1e3  # spacings of t: no shorter step is asked for, because rounding would decide its defect
SAME = 1e-10  # relative, of slopes: algebraic loops are solved to 1e-12, from where they were solved last


class _Failed(Exception):
    """The program's own function failed; its number tells how."""


class ScipySteps:
    """Steps of one solver of SciPy's over a program's functions, for one run."""

    def __init__(self, solver: str, backend: Backend) -> None:
        self._name, self._derivative, self._evaluate = solver, backend.derivative, backend.evaluate
        self._solver: Any = None
        self._dense: Any = None
        self._misfit: Any = None
        self._end: tuple[float, Floats, Floats] | None = None
        self._span = (np.inf, np.inf)  # of the step that `_dense` holds for
        self._before: tuple[Any, ...] = ()  # held values when it was taken
        self._step = 0.0
        self._counted = 0
        self._code: Any = None

    def prepare(self, code: Any, m: Memory, s: Work) -> int:
        """Dense output needs no further stages."""
        return 0

    def interpolate(self, m: Memory, s: Work, theta: float, out: Any) -> None:
        """x(t + theta h) by SciPy's own dense output, made to join the steps' ends."""
        if self._dense is None or theta == 1.0:
            out[:] = s.x_new
            return
        out[:] = self._at(s.t + theta * s.h_taken)

    def _at(self, time: float) -> Floats:
        begin, end = self._span
        part = (time - begin) / (end - begin)
        at_begin, at_end = self._misfit
        state: Floats = self._dense(time) + (1.0 - part) * at_begin + part * at_end
        return state

    def take_step(self, code: Any, m: Memory, s: Work, target: float) -> int:
        """The next accepted step, at most to `target`; 0, or the reason of failure."""
        t, self._code = float(s.t), code
        try:
            if m.x.size == 0:
                t_new = min(target, t + s.h_max)
            elif self._within(s) and self._undisturbed(code, m, s):
                t_new = min(target, self._span[1])
                s.x_new[:] = self._solver.y if t_new == self._span[1] else self._at(t_new)
            else:
                if not self._goes_on(s, m):
                    self._restart(t, m, s, target)
                while True:
                    if not self._advance(t, m, s, target):
                        return layout.COLLAPSED
                    factor = self._fit(t, m)
                    if factor >= 1.0:
                        break
                    self._step = factor * (self._solver.t - t)
                    self._restart(t, m, s, target)
                    s.rejected += 1
                t_new = float(self._solver.t)
                self._solver.max_step = min(float(s.h_max), factor * (t_new - t))
                s.x_new[:] = self._solver.y
                self._misfit = (m.x - self._dense(t), s.x_new - self._dense(t_new))
                self._span, self._before = (t, t_new), _constant_values(m)
        except _Failed as failed:
            s.detail = failed.args[0]
            return layout.KERNEL_FAILED
        except (ValueError, FloatingPointError, np.linalg.LinAlgError):
            s.t_bad = t
            return layout.NONFINITE
        return self._arrive(code, m, s, t, t_new)

    def _advance(self, t: float, m: Memory, s: Work, target: float) -> bool:
        """One step of SciPy's solver; False where it fails."""
        self._solver.t_bound, self._solver.status = target, "running"
        if self._name == "LSODA":  # its Fortran knows the bound as its critical time
            self._solver._lsoda_solver._integrator.rwork[0] = target
        self._solver.step()
        s.evaluations += self._solver.nfev - self._counted
        self._counted = self._solver.nfev
        if self._solver.status == "failed" or self._solver.t <= t:
            return False
        self._dense = self._solver.dense_output()
        return True

    def _fit(self, t: float, m: Memory) -> float:
        """Factor by which the step may be longer for its dense output to be as exact as its end; below 1, the
        step is too long.

        Radau's polynomial of degree 3 has order 3 within a step, whose end has order 5: where the solution is
        smooth and stiff, steps become far too long for what lies between. Its error at some points is
        estimated as Radau estimates that of the end, from the defect: e = (gamma / h - J)^-1 (f(p) - p').
        BDF and LSODA control the polynomial that they interpolate with.

        Source: Hairer, Wanner, Solving Ordinary Differential Equations II (1996), section IV.8.
        """
        if self._name != "Radau":
            return float(np.inf)
        dense, solver = self._dense, self._solver
        h = dense.h
        defects, scales = [], []
        for theta in INSIDE:
            x = dense(t + theta * h)
            slope = dense.Q @ np.array([1.0, 2.0 * theta, 3.0 * theta**2]) / h
            defects.append(solver.fun(t + theta * h, x) - slope)
            scales.append(solver.atol + solver.rtol * np.abs(x))
        errors = np.linalg.solve(GAMMA / h * np.eye(m.x.size) - solver.J, np.transpose(defects))
        worst = float(np.sqrt(np.mean((errors.T / scales) ** 2, axis=1)).max())
        if worst <= 1.0 or h <= SHORTEST * np.spacing(max(abs(t), h)):
            return float(max(1.0, SAFETY * max(worst, NO_ERROR) ** -EXPONENT))
        return float(max(SHRINKS, min(SAFETY, SAFETY * worst**-EXPONENT)))

    def _arrive(self, code: Any, m: Memory, s: Work, t: float, t_new: float) -> int:
        """Look at the zero crossings along the step, and at everything at its end."""
        s.t_new, s.h_taken = t_new, t_new - t
        if t == self._span[0]:
            self._step = t_new - t
        if m.g.size:
            for j in range(1, s.C.size - 1):
                self.interpolate(m, s, float(s.C[j]), s.x_trial)
                if self._derivative(code, t + float(s.C[j]) * (t_new - t), s.x_trial, s.scratch, m) < 0:
                    return layout.KERNEL_FAILED
                s.G[j] = m.g
        failed = self._evaluate(code, t_new, s.x_new, s.K[-1], m)
        s.G[-1] = m.g
        if failed < 0:
            s.detail = failed
            return layout.KERNEL_FAILED
        if failed > 0 or not np.all(np.isfinite(s.x_new)) or not np.all(np.isfinite(s.K[-1])):
            s.t_bad = t_new
            return layout.NONFINITE
        self._end = (t_new, s.x_new.copy(), s.K[-1].copy())
        return 0

    def _within(self, s: Work) -> bool:
        """True if the run stands at an event within the step that the solver has taken."""
        begin, end = self._span
        return bool(begin < s.t < end)

    def _undisturbed(self, code: Any, m: Memory, s: Work) -> bool:
        """True if the event has changed no state, and no slope along the rest of the step.

        A solver that starts afresh there starts off the slow manifold, by an error within the tolerance:
        where the flow is stiff the solution falls back onto it, and may pass the level of the event again.
        Slopes are looked at here, halfway to the end and at the end, with what is held now and with what was
        held before the event. At a corner, such as that of `abs`, they are the same here only.
        """
        if not np.array_equal(m.x, s.x_new):
            return False
        t, end = float(s.t), self._span[1]
        middle = 0.5 * (t + end)
        points = [(t, m.x), (middle, self._at(middle)), (end, self._solver.y)]
        after, g = _constant_values(m), m.g.copy()
        slopes = []
        for held in (self._before, after):
            _hold(m, held)
            for time, x in points:
                slopes.append(np.empty_like(x))
                failed = self._derivative(code, time, x, slopes[-1], m)
                s.evaluations += 1
                if failed < 0:
                    raise _Failed(failed)
        _hold(m, after)
        m.g[:] = g
        were, are = slopes[: len(points)], slopes[len(points) :]
        return bool(np.allclose(were, are, rtol=SAME, atol=0.0))

    def _goes_on(self, s: Work, m: Memory) -> bool:
        """True if the solver stands where the run stands, undisturbed by an event."""
        if self._solver is None or self._end is None:
            return False
        t, x, slope = self._end
        return t == s.t and np.array_equal(x, m.x) and np.array_equal(slope, s.K[0])

    def _restart(self, t: float, m: Memory, s: Work, target: float) -> None:
        import scipy.integrate

        def slope(time: float, x: Any) -> Any:
            dx = np.empty(x.size)
            failed = self._derivative(self._code, float(time), np.ascontiguousarray(x), dx, m)
            if failed < 0:
                raise _Failed(failed)
            return dx

        first = min(self._step or float(s.h_first), target - t) or None
        method = getattr(scipy.integrate, self._name)
        self._solver = method(
            slope, t, m.x.copy(), target, first_step=first, max_step=float(s.h_max),
            rtol=s.rtol if self._name == "LSODA" else s.tightest, atol=s.atol,
        )  # fmt: skip
        if self._name != "LSODA":
            self._solver.rtol = np.maximum(s.rtol, self._solver.rtol)  # Newton's tolerance is one number
        self._counted = 0


def _constant_values(m: Memory) -> tuple[Any, ...]:
    """Values that are constant between events, and the signals that sampled blocks hold."""
    return m.modes.copy(), m.z.copy(), m.w.copy()


def _hold(m: Memory, held: tuple[Any, ...]) -> None:
    m.modes[:], m.z[:], m.w[:] = held


def make_steps(solver: str, backend: Backend) -> Steps:
    """The steps of `Radau`, `BDF` or `LSODA`, for one run."""
    steps = ScipySteps(solver, backend)
    return Steps(steps.take_step, steps.prepare, steps.interpolate, adjustable=False)
