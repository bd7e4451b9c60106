"""Linear models: the exact derivatives of a program's slopes and outputs by its states and inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...native.tangent.code import LANES
from ...native.tangent.refused import NotDifferentiable
from ...solvers.layout import Floats
from ..compiler.program import Program
from ..compiler.tangents import Shadows, Tangents
from ..compiler.variables import Variable
from .evaluation import IDLE, Arrays, Evaluation, Point


@dataclass(frozen=True)
class LinearModel:
    """The derivatives of x' = f(t, x, u) and y = g(t, x, u) at one point:

        dx' = A dx + B du + f_t dt        dy = C dx + D du + g_t dt

    A (n, n), B (n, m), C (p, n), D (p, m), f_t (n,), g_t (p,), each in the units of what changes by those of
    what it changes with. `states`, `inputs` and `outputs` name the elements: "arm.q[2]".
    `differences` are the paths of blocks that Python runs, whose part is a difference (1e-11 or so) and not
    exact.
    """

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    f_t: Floats
    g_t: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    differences: tuple[str, ...] = ()


class Jacobians:
    """The Jacobians of a program; every call has arrays of its own, so that threads may call at once."""

    def __init__(self, program: Program, evaluation: Evaluation) -> None:
        self._program, self._evaluation = program, evaluation
        self._tangents = Tangents(program)
        self._idle: deque[Shadows] = deque(maxlen=IDLE)
        given = [place for place, _ in self._tangents.loops]
        self._cuts = np.array(given, np.int64)
        self._computed = np.array([place for _, place in self._tangents.loops], np.int64)
        self._outputs = np.array(
            [i for _, at, _ in evaluation.output_places for i in range(at.start, at.stop)], np.int64
        )
        self._names = names(program.states), names(program.inputs), names(program.output_ports)

    def at(self, t: float, x: Point, u: Point, held: Mapping[str, Any] | None) -> LinearModel:
        """See `Program.jacobian`."""
        arrays = self._evaluation.at(t, x, u, held)
        try:
            shadows = self._idle.pop()
        except IndexError:
            shadows = Shadows(arrays.memory)
        rows = self._columns(float(t), arrays, shadows)
        self._idle.append(shadows)
        self._evaluation.give_back(arrays)
        n, m, k = len(self._names[0]), len(self._names[1]), len(self._cuts)
        if k:
            rows = self._closed(rows, k)
        parts = (rows[:, :n], rows[:, n : n + m], rows[:, n + m])
        by_states, by_inputs, by_time = (part.copy() for part in parts)
        return LinearModel(
            by_states[:n], by_inputs[:n], by_states[n:], by_inputs[n:], by_time[:n], by_time[n:],
            *self._names, self._tangents.differences,
        )  # fmt: skip

    def _columns(self, t: float, arrays: Arrays, shadows: Shadows) -> Floats:
        """Slopes, outputs and computed cut signals by states, inputs, the time and cut signals.

        The shape is (n + p + k, n + m + 1 + k).
        """
        x, slopes, memory, _ = arrays.addresses
        n, inputs, cuts = arrays.memory.x.size, self._evaluation.inputs, self._cuts
        state_d, slope_d, time_d = np.zeros((n + 1, LANES)), np.zeros((n + 1, LANES)), np.zeros(LANES)
        number_d, signal_d = shadows.of("p"), shadows.of("w")
        seeds = [(state_d, i) for i in range(n)] + [(number_d, i) for i in inputs]
        seeds += [(time_d[None], 0)] + [(signal_d, i) for i in cuts]
        result = np.empty((n + self._outputs.size + cuts.size, len(seeds)))
        function, signals = self._tangents.evaluate, arrays.memory.w.copy()
        for first in range(0, len(seeds), LANES):
            directions = seeds[first : first + LANES]
            signal_d[:] = 0.0
            for lane, (array, i) in enumerate(directions):
                array[i, lane] = 1.0
            arrays.memory.w[:] = signals
            status = function(
                t, time_d.ctypes.data, x, state_d.ctypes.data, slopes, slope_d.ctypes.data,
                memory, shadows.address,
            )  # fmt: skip
            if status < 0:
                raise NotDifferentiable("a block that failed beside the point asked for")
            for lane, (array, i) in enumerate(directions):
                array[i, lane] = 0.0
            columns = result[:, first : first + len(directions)]
            changed = np.concatenate([slope_d[:n], signal_d[self._outputs], signal_d[self._computed]])
            columns[:] = changed[:, : len(directions)]
        return result

    @staticmethod
    def _closed(rows: Floats, k: int) -> Floats:
        """The rows with the cut signals v solved for: v = F(v, u) changes by dv = (I - F_v)^-1 F_u du."""
        open_rows, computed = rows[:-k], rows[-k:]
        try:
            change = np.linalg.solve(np.eye(k) - computed[:, -k:], computed[:, :-k])
        except np.linalg.LinAlgError:
            raise NotDifferentiable("an algebraic loop whose equations are singular here") from None
        closed: Floats = open_rows[:, :-k] + open_rows[:, -k:] @ change
        return closed


def names(variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """The names of their elements, in C order."""
    return tuple(
        variable.name + (f"[{', '.join(map(str, index))}]" if index else "")
        for variable in variables
        for index in np.ndindex(variable.shape)
    )
