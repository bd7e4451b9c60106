"""DiscreteFilter: a filter of samples, by its coefficients or in sections of second order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ..contract.errors import ParameterError
from ..contract.icon import Icon
from ..contract.marks import polynomial
from ..contract.parameter import Array, Real, parameter
from ..contract.port import Like, Port
from .samples import Samples

SECTION = 6  # coefficients b0, b1, b2, a0, a1, a2, as in SciPy


class DiscreteFilter(Samples):
    """Linear filter of samples, for each element of u.

        a[0] y_k = b[0] u_k + b[1] u_{k-1} + ... - a[1] y_{k-1} - ...

    With `a` = 1, the default, the impulse response is finite: it is b. `sos` gives second-order sections in
    place of b and a, with a row b0, b1, b2, a0, a1, a2 for each, which keeps filters of high order accurate.
    scipy.signal designs such arrays: butter(4, 10, fs=100, output="sos"). The structure is direct form II
    transposed. `initial` is the constant u before the first tick. u feeds through to y directly, unless b[0]
    = 0.
    Raises ParameterError if neither or both of b and sos are given; for a[0] = 0; and for a nonzero `initial`
    without a steady response.
    Source: Oppenheim, Schafer, Discrete-Time Signal Processing (2010), chapter 6.

    Example:
        {type: DiscreteFilter, sample_time: 0.01, b: [0.2, 0.2], a: [1.0, -0.6]}
    """

    outputs: ClassVar[tuple[Port, ...]] = (Port("y", like=Like(("u",), exact=False), flat=True),)
    held_initial: ClassVar[str] = "before"

    b: Real | None = parameter(
        default=None, unit="[y]/[u]", doc="coefficients of u, latest first", dimensions=(0, 1)
    )
    a: Real = parameter(default=1.0, unit="1", doc="coefficients of y, latest first", dimensions=(0, 1))
    sos: Real | None = parameter(
        default=None, unit="[y]/[u], 1", doc="sections of second order, n x 6", dimensions=(2,)
    )

    def symbol(self) -> Icon:
        if self.sos is not None:
            return Icon(f"{len(np.atleast_2d(self.sos))}\nsections")  # type: ignore[arg-type]
        over, under = (polynomial(c, "z", inverse=True) for c in (1.0 if self.b is None else self.b, self.a))
        return Icon(over) if under == "1" else Icon(fraction=(over, under))

    def sections(self) -> Array:
        """Rows of b and a, padded and divided by a0: (sections, 2, n)."""
        if (self.b is None) == (self.sos is None):
            raise ParameterError(self.kind(), "b", self.b, "either b (with a), or sos")
        if self.sos is None:
            b, a = (np.atleast_1d(np.asarray(v, np.float64)) for v in (self.b, self.a))
            rows = np.zeros((1, 2, max(b.size, a.size, 2)))
            rows[0, 0, : b.size], rows[0, 1, : a.size] = b, a
        else:
            sos = np.asarray(self.sos, np.float64)
            if sos.shape[1] != SECTION:
                raise ParameterError(self.kind(), "sos", self.sos, "rows b0, b1, b2, a0, a1, a2")
            rows = sos.reshape(-1, 2, 3)
        if not np.all(rows[:, 1, 0]):
            name = "a" if self.sos is None else "sos"
            raise ParameterError(
                self.kind(), name, getattr(self, name), "a first coefficient a0 that is not 0"
            )
        return np.asarray(rows / rows[:, 1:, :1])

    def check(self) -> None:
        self.constants()

    def rows(self) -> int:
        count, _, n = self.sections().shape
        return int(count * (n - 1))

    def constants(self) -> Mapping[str, Any]:
        sections = self.sections()
        steady, gain = steady_response(sections)
        if np.any(self.initial) and not np.all(np.isfinite(steady)):  # type: ignore[arg-type]
            expected = "0: a filter with a pole at z = 1 has no constant response to another u"
            raise ParameterError(self.kind(), "initial", self.initial, expected)
        steady, gain = np.where(np.isfinite(steady), steady, 0.0), (gain if np.isfinite(gain) else 0.0)
        start = np.outer(steady, np.asarray(self.initial, np.float64))
        silent = np.flatnonzero(sections[:, 0, 0] == 0.0)  # u of this tick has no effect after these sections
        return {
            "forward": sections[:, 0], "back": sections[:, 1], "start": start,
            "before": gain * np.asarray(self.initial), "first": float(silent[-1]) if silent.size else 0.0,
        }  # fmt: skip

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        feeds = np.all(self.sections()[:, 0, 0])
        return {"output": output if feeds else delayed_output, "update": update}


def steady_response(sections: Array) -> tuple[Array, float]:
    """The steady states for a constant u of 1, and the resulting y; not finite if they do not exist."""
    value, states = 1.0, []
    for forward, back in sections:
        with np.errstate(all="ignore"):
            y = value * np.sum(forward) / np.sum(back)
            parts = forward[1:] * value - back[1:] * y
        states.append(np.cumsum(parts[::-1])[::-1])
        value = y
    return np.concatenate(states), float(value)


def output(u: Array, x: Array, forward: Array, y: Array) -> None:
    n = forward.shape[1] - 1
    for k in range(y.shape[0]):
        value = u[k]
        for s in range(forward.shape[0]):
            value = forward[s, 0] * value + x[s * n, k]
        y[k] = value


def delayed_output(x: Array, forward: Array, first: float, y: Array) -> None:
    n = forward.shape[1] - 1
    for k in range(y.shape[0]):
        value = 0.0
        for s in range(int(first), forward.shape[0]):
            value = forward[s, 0] * value + x[s * n, k]
        y[k] = value


def update(u: Array, x: Array, forward: Array, back: Array, next_x: Array) -> None:
    n = forward.shape[1] - 1
    for k in range(u.shape[0]):
        value = u[k]
        for s in range(forward.shape[0]):
            y = forward[s, 0] * value + x[s * n, k]
            for i in range(n):
                later = x[s * n + i + 1, k] if i < n - 1 else 0.0
                next_x[s * n + i, k] = forward[s, i + 1] * value + later - back[s, i + 1] * y
            value = y
