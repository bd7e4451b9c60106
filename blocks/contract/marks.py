"""Marks: curves, numbers and polynomials as icons write them."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Any

import numpy as np

from .block import is_open
from .icon import Icon, Polyline

SIGNS = {">=": "≥", "<=": "≤", "==": "=", "!=": "≠"}  # comparisons as they are printed
EDGE = 0.06  # fraction of the unit square, free around a graph


def label(value: Any, name: str = "") -> str:
    """A number in three digits, an expression as written, or a short vector; otherwise the name."""
    if is_open(value):
        text = str(value.formula.text) if hasattr(value, "formula") else name
        return text if len(text) <= 12 else name
    numbers = np.asarray(value, np.float64)
    if numbers.ndim == 0:
        return digits(float(numbers))
    written = "[" + " ".join(map(digits, numbers)) + "]" if numbers.ndim == 1 else ""
    return written if 0 < len(written) <= 12 else name


def digits(number: float) -> str:
    """A number in three digits: `0.333`, `1.2e6`, `-0.5`."""
    mantissa, e, power = f"{number + 0.0:.3g}".partition("e")
    return mantissa + (f"e{int(power)}" if e else "")


def first(value: Any) -> float:
    """A parameter's number, the first one of an array."""
    return float(np.ravel(value)[0])


def factor(value: Any, name: str) -> str:
    """A number before a letter, omitted if it is 1; the name for anything else."""
    if is_open(value) or np.ndim(value):
        return f"{name} "
    return "" if float(value) == 1 else f"{digits(float(value))} "


def polynomial(coefficients: Any, variable: str = "s", *, inverse: bool = False) -> str:
    """`s^2 + 2s + 1` of (1, 2, 1); with `inverse`, `1 + 2z^-1 + z^-2`. Long ones are cut in the middle."""
    numbers = [float(c) for c in np.atleast_1d(np.asarray(coefficients, np.float64))]
    last = len(numbers) - 1
    terms = []
    for i, number in enumerate(numbers):
        power = -i if inverse else last - i
        if number or (last == 0):
            terms.append((number, power))
    terms = terms or [(0.0, 0)]
    if len(terms) > 4:
        terms = [*terms[:2], (0.0, 99), terms[-1]]
    text = ""
    for number, power in terms:
        sign = "-" if number < 0 else "+"
        text += (f" {sign} " if text else sign.strip("+")) + _term(abs(number), power, variable)
    return text


def _term(number: float, power: int, variable: str) -> str:
    if power == 99:
        return "..."
    if power == 0:
        return digits(number)
    raised = variable if power == 1 else f"{variable}^{power}"
    return raised if number == 1 else digits(number) + raised


def factors(roots: Any, variable: str = "s") -> str:
    """`(s + 1)(s + 2)` of the roots (-1, -2); `1` without roots; beyond three roots only their number."""
    values = np.atleast_1d(np.asarray(roots, np.complex128))
    if values.size > 3 or np.any(values.imag):
        return polynomial(np.real(np.poly(values)), variable)
    parts = [
        variable
        if root.real == 0
        else f"({variable} {'-' if root.real > 0 else '+'} {digits(abs(root.real))})"
        for root in values
    ]
    return "".join(parts) or "1"


def graph(*curves: Any, text: str = "", axes: bool = True, faint: Iterable[Any] = ()) -> Icon:
    """An icon of curves in their own coordinates, points (x, y), scaled to fit.

    Axes go through zero, unless zero lies so far away that the curves would shrink to nothing.
    """
    behind = [_points(curve) for curve in faint]
    drawn = [_points(curve) for curve in curves]
    every = np.concatenate([*drawn, *behind])
    low, high = every.min(axis=0), every.max(axis=0)
    through = axes & (np.minimum(abs(low), abs(high)) <= 2 * (high - low))  # axis by axis
    low, high = np.where(through, np.minimum(low, 0.0), low), np.where(through, np.maximum(high, 0.0), high)
    span = np.where(high - low > 0, high - low, 1.0)
    shift = np.where(high - low > 0, 0.0, 0.5 - EDGE)

    def scaled(points: Any) -> Polyline:
        inside = EDGE + shift + (1 - 2 * EDGE) * ((np.asarray(points) - low) / span)
        return [(float(x), float(y)) for x, y in np.clip(inside, 0.0, 1.0)]

    cross = [((low[0], 0.0), (high[0], 0.0))] if through[1] else []
    cross += [((0.0, low[1]), (0.0, high[1]))] if through[0] else []
    levels = [scaled(line) for line in [*cross, *behind]]
    return Icon(text, lines=[scaled(points) for points in drawn], faint=levels)


def _points(curve: Any) -> Any:
    points = np.asarray(curve, np.float64).reshape(-1, 2)
    return points[np.isfinite(points).all(axis=1)]


def column(values: Any) -> Any:
    """The values of a table, the first of each row."""
    array = np.asarray(values, np.float64)
    return array.reshape(len(array), -1)[:, 0]


def stairs(times: Any, values: Any) -> list[tuple[float, float]]:
    """The points of a curve that holds each value until the next time."""
    points = [(times[0], values[0])]
    for time, value in zip(times[1:], values[1:], strict=False):
        points += [(time, points[-1][1]), (time, value)]
    return points


def arc(x: float, y: float, radius: float, start: float = 0.0, stop: float = 360.0) -> Polyline:
    """Points of a circle, from one angle to another, in degrees."""
    count = max(4, round(abs(stop - start) / 15))
    angles = [(start + (stop - start) * i / count) * pi / 180 for i in range(count + 1)]
    return [(round(x + radius * cos(a), 4), round(y + radius * sin(a), 4)) for a in angles]
