"""Sample points of the unit cube, one coordinate for each number that an axis draws.

Saltelli, Computer Physics Communications 145 (2002) 280-297, doi:10.1016/S0010-4655(02)00280-1, in the
form of Saltelli et al., Computer Physics Communications 181 (2010) 259-270, doi:10.1016/j.cpc.2009.09.018.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.errors import PrintableText

_ROUNDING = 1e-14  # of the largest variance: a smaller remaining variance is zero


def factor(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """L with L L' = C for a positive semidefinite C; a column without remaining variance is zero.

        L_jj = sqrt(C_jj - sum_k<j L_jk^2)      L_ij = (C_ij - sum_k<j L_ik L_jk) / L_jj

    Cholesky's method, written out so that its bits are the same with every linear algebra library.
    Source: Golub, Van Loan, Matrix Computations (2013), section 4.2.8.
    """
    n = len(covariance)
    L = np.zeros((n, n))
    smallest = _ROUNDING * float(np.abs(covariance).max())
    for j in range(n):
        pivot = float(covariance[j, j]) - sum(float(L[j, k]) ** 2 for k in range(j))
        if pivot <= smallest:
            continue
        L[j, j] = math.sqrt(pivot)
        for i in range(j + 1, n):
            inside = sum(float(L[i, k] * L[j, k]) for k in range(j))
            L[i, j] = (float(covariance[i, j]) - inside) / L[j, j]
    return L


def draw(names: Sequence[str], number: int, seed: int) -> NDArray[np.float64]:
    """Points of the unit cube (N (d + 2), d): for each of N base points d + 2 rows.

    Of two points a and b, the halves of one point of a scrambled Sobol sequence in 2d dimensions:

        a,     a with coordinate j of b, for j = 1 ... d,     b

    names   of the d coordinates
    number  N, best a power of two, for which a Sobol sequence is balanced
    seed    of the scrambling; the same seed gives the same points
    """
    columns = len(names)
    both = [f"{half}{place}" for half in "ab" for place in range(columns)]
    base = sobol(tuple(both), number, seed).cube
    a, b = base[:, :columns], base[:, columns:]
    crossed = [np.where(np.arange(columns) == j, b, a) for j in range(columns)]
    return np.stack([a, *crossed, b], axis=1).reshape(-1, columns)


Array: TypeAlias = NDArray[np.float64]
_DRAWS = 4  # 64-bit numbers that one count of Philox 4x64 makes


class SamplingWarning(PrintableText, UserWarning):
    """A design that is accepted although another one would be better."""


class Points(Protocol):
    """`count` points of the unit cube; the names of its coordinates are the keys of their random streams."""

    @property
    def count(self) -> int: ...

    def column(self, name: str, start: int, stop: int) -> Array:
        """Coordinate `name` of the points [start, stop)."""
        ...


class Random:
    """Independent uniform numbers from a counter: point k does not need the points before it.

    Each coordinate has its own stream (Philox 4x64, Salmon et al., SC 2011), keyed by the seed and its
    name: other axes and other numbers of points do not change it.
    """

    def __init__(self, names: tuple[str, ...], number: int, seed: int) -> None:
        self.count, self.seed = number, seed

    def column(self, name: str, start: int, stop: int) -> Array:
        stream = np.random.Philox(key(self.seed, name))
        stream.advance(start // _DRAWS)
        skipped = start % _DRAWS
        return np.random.Generator(stream).random(skipped + stop - start)[skipped:]


class LatinHypercube:
    """One point in each of n strata of equal probability, along every coordinate.

    The strata are shuffled separately for each coordinate, keyed as in Random: other axes do not change it.
    Source: McKay, Beckman, Conover, Technometrics 21(2), 1979, 239-245; scipy.stats.qmc.LatinHypercube.
    """

    def __init__(self, names: tuple[str, ...], number: int, seed: int) -> None:
        self.count, self.seed = number, seed
        self._columns: dict[str, Array] = {}

    def column(self, name: str, start: int, stop: int) -> Array:
        if name not in self._columns:
            from scipy.stats.qmc import LatinHypercube

            stream = np.random.Generator(np.random.Philox(key(self.seed, name)))
            engine = LatinHypercube(1, **_seed_argument(LatinHypercube, stream))
            self._columns[name] = engine.random(self.count)[:, 0]
        return self._columns[name][start:stop]


class JointPoints:
    """Points that are drawn together: an additional coordinate changes all of them."""

    def __init__(self, names: tuple[str, ...], cube: Array) -> None:
        self.count, self.cube = len(cube), cube
        self._place = {name: i for i, name in enumerate(names)}

    def column(self, name: str, start: int, stop: int) -> Array:
        return np.ascontiguousarray(self.cube[start:stop, self._place[name]])


def sobol(names: tuple[str, ...], number: int, seed: int) -> JointPoints:
    """Sobol' points, scrambled by the seed; a power of two of them is balanced in every coordinate.

    Coordinates are taken in order of declaration, and are scrambled together.
    Source: Owen, Scrambling Sobol' and Niederreiter-Xing points, J. Complexity 14, 1998; Joe, Kuo, SIAM J.
    Sci. Comput. 30(5), 2008; scipy.stats.qmc.Sobol.
    """
    from scipy.stats.qmc import Sobol

    stream = np.random.Generator(np.random.Philox(key(seed, "sobol")))
    engine = Sobol(len(names), scramble=True, **_seed_argument(Sobol, stream))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the number of points: see `remark`
        return JointPoints(names, np.asarray(engine.random(number)))


def saltelli(names: tuple[str, ...], number: int, seed: int) -> JointPoints:
    """The points from which Sobol' indices are estimated: `number` of them in each of several matrices.

    Source: Saltelli et al., Computer Physics Communications 181(2), 2010, 259-270; SALib.
    """
    return JointPoints(names, np.asarray(draw(names, number, seed)))


METHODS: dict[str, Callable[[tuple[str, ...], int, int], Points]] = {
    "random": Random,
    "latin-hypercube": LatinHypercube,
    "sobol": sobol,
    "saltelli": saltelli,
}
"""How points are drawn, for coordinates of these names, a number of points and a seed."""


def key(seed: int, name: str) -> np.random.SeedSequence:
    """The key of the stream of one name."""
    words = np.frombuffer(sha256(name.encode("utf-8", "surrogatepass")).digest(), np.dtype("<u4"))
    return np.random.SeedSequence(seed, spawn_key=tuple(int(word) for word in words))


def remark(method: str, number: int) -> str:
    """A notice about a number of points; usually empty."""
    if method in ("sobol", "saltelli") and number & (number - 1):
        below = 2 ** math.floor(math.log2(number))
        return (
            f"{number} Sobol' points are not balanced: powers of two are\n"
            f"take number: {below} or {2 * below}, or sampling: latin-hypercube, balanced for any number"
        )
    return ""


def _seed_argument(engine: Any, stream: np.random.Generator) -> dict[str, Any]:
    """The generator under the name that SciPy's engine has for it: `rng` since 1.15."""
    name = "rng" if "rng" in inspect.signature(engine.__init__).parameters else "seed"
    return {name: stream}
