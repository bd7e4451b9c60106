"""Distributions of an axis: each is its quantile function, applied to points of the unit interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...base.location import Location
from ...base.words import short
from ..errors import SweepError
from .sampling import factor

Array: TypeAlias = NDArray[np.float64]
_SMALLEST, _LARGEST = 2.0**-54, 1.0 - 2.0**-53  # the interval without its ends, where quantiles are infinite


@dataclass(frozen=True)
class Normal:
    """x = mean + sd Phi^-1(u), Phi the distribution function of the standard normal; sd = 0 is the mean."""

    mean: float
    sd: float
    width: ClassVar = 1

    def quantile(self, u: Array) -> Array:
        """Values for points (n, 1) of the unit interval."""
        return self.mean + self.sd * standard(u)


@dataclass(frozen=True)
class LogNormal:
    """x = exp(mean + sd Phi^-1(u)): mean and standard deviation of log x."""

    mean: float
    sd: float
    width: ClassVar = 1

    def quantile(self, u: Array) -> Array:
        return np.asarray(np.exp(self.mean + self.sd * standard(u)))


@dataclass(frozen=True)
class Uniform:
    """x = low + (high - low) u."""

    low: float
    high: float
    width: ClassVar = 1

    def quantile(self, u: Array) -> Array:
        return np.clip(self.low * (1.0 - u) + self.high * u, self.low, self.high)


@dataclass(frozen=True)
class Truncated:
    """The normal distribution of mean and sd, truncated to [low, high].

        x = mean + sd Phi^-1(Phi(a) + u (Phi(b) - Phi(a)))      a = (low - mean)/sd      b = (high - mean)/sd

    If both ends lie above the mean, x is computed from the upper tail, which keeps its digits.
    """

    mean: float
    sd: float
    low: float
    high: float
    width: ClassVar = 1

    def quantile(self, u: Array) -> Array:
        from scipy.special import ndtri

        (first, last), side = self._tails()
        middle = ndtri(first * (1.0 - u) + last * u)
        return np.clip(self.mean + self.sd * side * middle, self.low, self.high)

    def _tails(self) -> tuple[tuple[float, float], float]:
        """Phi at both ends, or 1 - Phi there and a changed sign."""
        from scipy.special import ndtr

        a, b = (self.low - self.mean) / self.sd, (self.high - self.mean) / self.sd
        side = -1.0 if a > 0.0 else 1.0
        return (float(ndtr(side * a)), float(ndtr(side * b))), side

    def possible(self) -> bool:
        """True if the probability between the ends is above 0 in double precision."""
        first, last = self._tails()[0]
        return first != last


@dataclass(frozen=True)
class Gaussian:
    """Correlated normal values: x = mean + L Phi^-1(u), covariance = L L'.

    L is lower triangular, so that component i depends only on the first i + 1 points; a covariance without
    full rank is allowed. Sums run in order of the components: the result does not depend on the number drawn.
    """

    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]

    @property
    def width(self) -> int:
        """The number of elements of one value."""
        return len(self.mean)

    def quantile(self, u: Array) -> Array:
        z, L = standard(u), factor(np.array(self.covariance))
        x = np.empty_like(z)
        for i, mean in enumerate(self.mean):
            x[:, i] = mean
            for j in range(i + 1):
                x[:, i] += L[i, j] * z[:, j]
        return x


Distribution: TypeAlias = "Normal | LogNormal | Uniform | Truncated | Gaussian"


class Form(NamedTuple):
    """The schema of an axis with a distribution."""

    kind: type[Any]
    about: str

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(each.name for each in fields(self.kind))


FORMS = {
    "normal": Form(Normal, "mean and standard deviation"),
    "uniform": Form(Uniform, "between low and high, all values alike"),
    "truncated": Form(Truncated, "normal, of its values between low and high"),
    "lognormal": Form(LogNormal, "mean and standard deviation of the logarithm"),
    "gaussian": Form(Gaussian, "correlated: one mean a path, and their covariance"),
}


def standard(u: Array) -> Array:
    """Phi^-1(u), of points moved off the ends of the interval."""
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(u, _SMALLEST, _LARGEST)))


def distribution(form: str, declared: Mapping[str, Any], axis: str, at: Location | None) -> Distribution:
    """A distribution from its numbers, by name. Raises SweepError."""
    names = FORMS[form].numbers
    for name in names:
        if name not in declared:
            raise _axis_error(axis, f"`{form}` has no `{name}`", f"the numbers {', '.join(names)}", at)
    if form == "gaussian":
        return _gaussian(declared, axis, at)
    numbers = {name: _number(declared[name], axis, f"{form}, {name}", at) for name in names}
    if numbers.get("sd", 0.0) < 0.0 or (form == "truncated" and numbers["sd"] == 0.0):
        least = "greater than 0" if form == "truncated" else "0 or greater"
        raise _axis_error(axis, f"`sd` is {numbers['sd']:g}", f"a standard deviation, {least}", at)
    if "low" in numbers and not numbers["low"] < numbers["high"]:
        problem = f"`low` is {numbers['low']:g} and `high` {numbers['high']:g}"
        raise _axis_error(axis, problem, "low below high", at)
    drawn: Distribution = FORMS[form].kind(**numbers)
    if isinstance(drawn, Truncated) and not drawn.possible():
        problem = f"nothing of the normal distribution lies between {drawn.low:g} and {drawn.high:g}"
        raise _axis_error(axis, problem, "limits within 37 standard deviations of the mean", at)
    return drawn


def _gaussian(declared: Mapping[str, Any], axis: str, at: Location | None) -> Gaussian:
    mean = _array(declared["mean"], axis, "mean", 1, at)
    covariance = _array(declared["covariance"], axis, "covariance", 2, at)
    n = mean.size
    if covariance.shape != (n, n):
        rows, columns = covariance.shape
        problem = f"a covariance of {rows} x {columns} for {n} means"
        raise _axis_error(axis, problem, f"{n} rows of {n} numbers", at)
    if np.abs(covariance - covariance.T).max() > 1e-12 * np.abs(covariance).max():
        raise _axis_error(axis, "the covariance is not symmetric", "c[i][j] equal to c[j][i]", at)
    least, greatest = np.linalg.eigvalsh(covariance)[[0, -1]]
    if least < -1e-12 * max(abs(greatest), abs(least)):
        problem = f"the covariance is not positive semidefinite: an eigenvalue is {least:.4g}"
        raise _axis_error(
            axis, problem, "variances on the diagonal, and |c[i][j]| <= sqrt(c[i][i] c[j][j])", at
        )
    return Gaussian(tuple(mean.tolist()), tuple(map(tuple, covariance.tolist())))


def _number(value: Any, axis: str, name: str, at: Location | None) -> float:
    plain = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not plain or not math.isfinite(value):
        raise _axis_error(axis, f"{name} is {short(value)}", "a finite number", at)
    return float(value)


def _array(value: Any, axis: str, name: str, dimensions: int, at: Location | None) -> Array:
    expected = "a list of finite numbers" if dimensions == 1 else "a list of rows of finite numbers"
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _axis_error(axis, f"{name} is {short(value)}", expected, at) from None
    if array.ndim != dimensions or not array.size or not np.isfinite(array).all():
        raise _axis_error(axis, f"{name} is {short(value)}", expected, at)
    return array


def _axis_error(axis: str, problem: str, expected: str, at: Location | None) -> SweepError:
    return SweepError(f"axis `{axis}`: {problem}", f"expected: {expected}", path=axis, location=at)
