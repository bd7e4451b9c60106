"""Dense output gives the solution within the last step, by the method's own polynomial."""

from __future__ import annotations

from typing import Any

from .. import layout
from ..backend import Backend, Code, InterpolateOf, Jit, PhaseOf
from ..fields import Floats
from ..layout import Explicit, Memory
from ..methods import WRITTEN_OUT
from ..methods.tableau import Tableau, nested
from .parts import NEAR, THIRDS, hermite, make_parts
from .stability import fast
from .stages import make_stages


def make_written_out(hot: Jit, tableau: Tableau) -> Any:
    """`interpolate` for one method, its coefficients written into the code: the same bits in half the time.

    It takes some twenty points of the dense output to locate an event. Terms are summed up in the order of
    `interpolate`, those with a coefficient of zero left out.
    """
    rows = nested(tableau.dense)
    lines = ["def dense(m, s, theta, out):", "    h, K, x, p0 = s.h_taken, s.K, m.x, theta"]
    for k in range(1, len(rows[0])):
        lines.append(f"    p{k} = p{k - 1} * {'(1.0 - theta)' if k % 2 else 'theta'}")
    terms = ["theta * K[0, i]"]
    for j, row in enumerate(rows[1:], 1):
        products = [f"p{k} * {float(n)!r}" for k, n in enumerate(row) if n]
        if products:
            lines.append(f"    w{j} = {' + '.join(products)}")
            terms.append(f"w{j} * (K[{j}, i] - K[0, i])")
    lines += ["    for i in range(x.size):", f"        out[i] = x[i] + h * ({' + '.join(terms)})"]
    space: dict[str, Any] = {"layout": layout}
    exec("\n".join(lines), space)  # nothing but the tableau's numbers
    return hot(space["dense"])


def make_interpolate(backend: Backend) -> tuple[PhaseOf[Explicit], InterpolateOf[Explicit]]:
    jit = backend.jit
    _, stages = make_stages(backend.hot, backend.derivative)
    take_parts = make_parts(backend, stages)
    by_default = make_written_out(backend.hot, WRITTEN_OUT)

    @jit
    def prepare(code: Code, m: Memory, s: Explicit) -> int:
        """The stages that only dense output needs, once a step."""
        if s.dense > 0:
            return 0
        if s.extra > 0 and fast(m, s, s.K[s.stages - 2], NEAR):
            return int(take_parts(code, m, s))
        failed = stages(code, m, s, m.x, s.t, s.h_taken, 0, s.stages, s.stages + s.extra, False)
        if failed != 0:
            return int(failed)
        s.dense = 1
        return 0

    @jit
    def interpolate(m: Memory, s: Explicit, theta: float, out: Floats) -> None:
        """x(t + theta h) by the method's own polynomial; `prepare` comes first."""
        if s.written_out > 0:
            by_default(m, s, theta, out)
            return
        if s.dense == THIRDS:
            hermite(m, s, theta, out)
            return
        stages = s.stages + s.extra
        h = s.h_taken
        K, x = s.K, m.x
        for i in range(x.size):
            out[i] = theta * K[0, i]
        for j in range(1, stages):
            weight = 0.0
            product = theta
            for k in range(s.N.shape[1]):
                if k > 0:
                    product *= 1.0 - theta if k % 2 == 1 else theta
                weight += product * (s.NM[j, k] if s.back_used == 1 else s.N[j, k])
            if weight != 0.0:
                for i in range(x.size):
                    out[i] += weight * (K[j, i] - K[0, i])
        for i in range(x.size):
            out[i] = x[i] + h * out[i]

    return prepare, interpolate
