"""Registers are sampled by bdsim's clocks: first all of them read, then all of them change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from ...blocks.continuous.system import System, state_space
from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Array, Real, option, parameter
from ...blocks.contract.port import Port, Size, State
from ...solvers.events.timer import Timer, fraction


class Linear(Block):
    """y = A x + B u, of vectors; without `direct` y = A x, without an input u."""

    outputs: ClassVar = (Port("y"),)

    A: Real = parameter(doc="factor of x", dimensions=(2,))
    B: Real = parameter(doc="factor of u", dimensions=(2,))
    direct: bool = option(default=True, doc="whether u counts")

    def input_ports(self) -> tuple[Port, ...]:
        x = Port("x", Size((np.shape(self.A)[1],)))  # type: ignore[arg-type]
        return (x, Port("u", Size((np.shape(self.B)[1],)))) if self.direct else (x,)  # type: ignore[arg-type]

    def output_ports(self) -> tuple[Port, ...]:
        return (Port("y", Size((np.shape(self.A)[0],))),)  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": of_both if self.direct else of_state}


def of_both(x: Array, u: Array, A: Array, B: Array, y: Array) -> None:
    linear(A, B, x, u, y)


def of_state(x: Array, A: Array, y: Array) -> None:
    for i in range(y.shape[0]):
        y[i] = 0.0
        for j in range(x.shape[0]):
            y[i] += A[i, j] * x[j]


def linear(A: Array, B: Array, x: Array, u: Array, result: Array) -> None:
    """A x + B u, into `result`."""
    for i in range(result.shape[0]):
        result[i] = 0.0
        for j in range(x.shape[0]):
            result[i] += A[i, j] * x[j]
        for j in range(u.shape[0]):
            result[i] += B[i, j] * u[j]


# A tick is a time event: `mode` counts them, and the held state `ticks` counts the answered ones.
# Where they differ a tick is being handled: all blocks are evaluated with their old states, and then their
# states jump together. Ticks are never in a block's past: a run of such a diagram starts at 0, as in
# bdsim.


class ClockedBlock(Block):
    """Base of all registers: ticks at offset + k sample_time, from k = 1 on.

    The first tick is one period after the offset, as bdsim has it: nothing is sampled at the start.
    """

    abstract: ClassVar = True
    inputs: ClassVar = (Port("u"),)

    _: KW_ONLY
    sample_time: Real = parameter(unit="s", doc="period", above=0, dimensions=(0,))
    offset: Real = parameter(default=0.0, unit="s", doc="the first tick is a period later", dimensions=(0,))

    def timers(self) -> Timer:
        period = fraction(self.sample_time)  # type: ignore[arg-type]
        return Timer(period=period, offset=fraction(self.offset) + period)  # type: ignore[arg-type]

    def constants(self) -> Mapping[str, Any]:
        return {"zero": 0.0}


class Register(ClockedBlock):
    """The input just before the last tick.

        y(t) = u(t_k -)  for t_k <= t < t_{k+1}

    u does not reach y at once, so registers on one clock pass values on like the cells of a shift register.
    """

    states: ClassVar = (State("x", "initial", held=True), State("ticks", "zero", held=True))

    initial: Real = parameter(default=0.0, doc="y before the first tick")

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": Size(np.shape(self.initial))}  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        scalar = np.ndim(self.initial) == 0  # type: ignore[arg-type]
        return {"output": shown, "jump": taken} if scalar else {"output": shown_row, "jump": taken_row}


def shown(x: float) -> float:
    return x


def taken(mode: int, u: float, x: float, ticks: float) -> tuple[float, float]:
    return (u, float(mode)) if mode > ticks else (x, ticks)


def shown_row(x: Array, y: Array) -> None:
    y[:] = x


def taken_row(mode: int, u: Array, x: Array, ticks: float, next_x: Array) -> float:
    next_x[:] = u if mode > ticks else x
    return float(mode)


class RegisterIntegrator(ClockedBlock):
    """The sum of samples, within limits.

        y(t) = x_{k+1} = min(max(x_k + gain sample_time u(t_k -), lower), upper)  for t_k <= t < t_{k+1}

    u does not reach y at once.
    """

    states: ClassVar = (State("x", "initial", held=True), State("ticks", "zero", held=True))

    initial: Real = parameter(default=0.0, doc="y before the first tick", dimensions=(0, 1))
    gain: Real = parameter(default=1.0, doc="factor of u", dimensions=(0,))
    lower: Real = parameter(default=-np.inf, doc="lower limit", infinite=True, dimensions=(0, 1))
    upper: Real = parameter(default=np.inf, doc="upper limit", infinite=True, dimensions=(0, 1))

    def constants(self) -> Mapping[str, Any]:
        shape = np.shape(self.initial)  # type: ignore[arg-type]
        low, high = (np.broadcast_to(np.asarray(v), shape) for v in (self.lower, self.upper))
        return {"zero": 0.0, "low": low, "high": high}

    def sizes(self, inputs: Mapping[str, Size | None]) -> Mapping[str, Size | None]:
        return {"y": Size(np.shape(self.initial))}  # type: ignore[arg-type]

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        scalar = np.ndim(self.initial) == 0  # type: ignore[arg-type]
        return {"output": shown, "jump": summed} if scalar else {"output": shown_row, "jump": summed_row}


def summed(
    mode: int, u: float, x: float, ticks: float, gain: float, sample_time: float, low: float, high: float
) -> tuple[float, float]:
    return (min(max(x + gain * sample_time * u, low), high), float(mode)) if mode > ticks else (x, ticks)


def summed_row(
    mode: int, u: Array, x: Array, ticks: float, gain: float, sample_time: float, low: Array, high: Array,
    next_x: Array,
) -> float:  # fmt: skip
    for i in range(x.shape[0]):
        next_x[i] = min(max(x[i] + gain * sample_time * u[i], low[i]), high[i]) if mode > ticks else x[i]
    return float(mode)


class RegisterDerivative(ClockedBlock):
    """The difference of samples, held.

        y(t) = gain (u(t_k -) - u(t_{k-1} -)) / sample_time  for t_k <= t < t_{k+1}

    At a tick u reaches y at once: registers on the same clock read the new difference. Between ticks it
    does not.
    """

    states: ClassVar = (
        State("last", "initial", held=True),
        State("held", "zero", held=True),
        State("ticks", "zero", held=True),
    )

    initial: Real = parameter(default=0.0, doc="u before the first tick", dimensions=(0,))
    gain: Real = parameter(default=1.0, doc="factor of the difference", dimensions=(0,))

    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = (Port("y", 1), Port("u_last", 1))

    @staticmethod
    def output_u_last(last: float) -> float:
        return last

    @staticmethod
    def output_y(
        mode: int, u: float, last: float, held: float, ticks: float, gain: float, sample_time: float
    ) -> float:
        return gain * (u - last) / sample_time if mode > ticks else held

    @staticmethod
    def jump(
        mode: int, u: float, last: float, held: float, ticks: float, gain: float, sample_time: float
    ) -> tuple[float, float, float]:
        if mode > ticks:
            return u, gain * (u - last) / sample_time, float(mode)
        return last, held, ticks


class RegisterStateSpace(ClockedBlock):
    """A sampled linear system.

        x_{k+1} = A x_k + B u(t_k -)
        without D   y(t) = C x_{k+1}                 for t_k <= t < t_{k+1}
        with D      y(t) = C x_k + D u(t_k -)        for t_k <= t < t_{k+1}

    Without D u does not reach y at once, and a new state is shown from its tick on. With D u reaches y at a
    tick, where registers on the same clock read the new value; between ticks y is held. u and y are
    vectors. Raises SizeError when the sizes disagree.
    """

    states: ClassVar = (
        State("x", "initial_x", held=True),
        State("held", "first", held=True),
        State("ticks", "zero", held=True),
    )

    A: Real = parameter(doc="state matrix")
    B: Real = parameter(doc="input matrix")
    C: Real = parameter(doc="output matrix")
    D: Real = parameter(default=0.0, doc="feedthrough matrix")
    initial: Real = parameter(default=0.0, doc="x at the start", dimensions=(0, 1))

    def system(self) -> System:
        """A, B, C, D as matrices and `initial` as a vector."""
        return state_space(self.A, self.B, self.C, self.D, self.initial)

    def check(self) -> None:
        self.system()

    def input_ports(self) -> tuple[Port, ...]:
        return (Port("u", Size((self.system().B.shape[1],))),)

    def output_ports(self) -> tuple[Port, ...]:
        C = self.system().C
        return (Port("y", Size((C.shape[0],))), Port("x_now", Size((C.shape[1],)), "", "the state"))

    def constants(self) -> Mapping[str, Any]:
        A, B, C, D, x = self.system()
        return {"A": A, "B": B, "C": C, "D": D, "initial_x": x, "first": C @ x, "zero": 0.0}

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        if np.any(self.system().D):
            return {"output_y": direct, "output_x_now": state_now, "jump": stepped_direct}
        return {"output_y": indirect, "output_x_now": state_now, "jump": stepped}


def state_now(x: Array, x_now: Array) -> None:
    x_now[:] = x


def indirect(held: Array, y: Array) -> None:
    y[:] = held


def direct(mode: int, u: Array, x: Array, held: Array, ticks: float, C: Array, D: Array, y: Array) -> None:
    y[:] = held
    if mode > ticks:
        linear(C, D, x, u, y)


def stepped(
    mode: int, u: Array, x: Array, held: Array, ticks: float, A: Array, B: Array, C: Array,
    next_x: Array, next_held: Array,
) -> float:  # fmt: skip
    next_x[:] = x
    next_held[:] = held
    if mode > ticks:
        linear(A, B, x, u, next_x)
        for i in range(held.shape[0]):
            next_held[i] = 0.0
            for j in range(x.shape[0]):
                next_held[i] += C[i, j] * next_x[j]
    return float(mode)


def stepped_direct(
    mode: int, u: Array, x: Array, held: Array, ticks: float, A: Array, B: Array, C: Array, D: Array,
    next_x: Array, next_held: Array,
) -> float:  # fmt: skip
    next_x[:] = x
    next_held[:] = held
    if mode > ticks:
        linear(A, B, x, u, next_x)
        linear(C, D, x, u, next_held)
    return float(mode)
