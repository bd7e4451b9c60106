"""A root locus holds the poles of a loop as a function of its gain, or of a diagram as a function of a
parameter."""

from __future__ import annotations

import cmath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...base.door import door
from ...base.hints import AttributeHints
from ...base.schema import is_number
from ...base.shown import NotebookText
from ..errors import AnalysisError
from .edge import beyond_edge, eigenvalues
from .frequency import at_points
from .linear_model import Complex, LinearModel, Matrix
from .loci import lifted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...doors import RootLocus as Doors
else:
    Doors = object


POINTS = 200  # gains to begin with
DECADES = 3.0  # beyond the gains at which branches meet or leave their poles
CLOSE = 0.02  # of the picture's size: if poles move farther between two gains, one is inserted
MOST = 4000  # gains
REAL = 1e-6  # relative: an imaginary part that is rounding, for double roots its square root
PADE = re.compile(r"\.pade\[(\d+)\]$")  # a state of an approximant
TIGHT = 1e-12  # relative: a gain at which poles cross the edge of stability


class BreakPoint(NamedTuple):
    """A point at which branches meet: the double pole `s`, and the gain."""

    s: complex
    gain: float


class Crossing(NamedTuple):
    """A crossing of the imaginary axis, or the unit circle, by a branch: the pole `s`, and the gain."""

    s: complex
    gain: float


@dataclass(frozen=True, eq=False, repr=False)
class RootLocus(AttributeHints, NotebookText, Doors):
    """Poles by branch: of a loop 1 + k L(s) over the gain k, or of a diagram over a parameter.

    gains         (k,), increasing
    poles         (k, n): each column continues from one gain to the next
    zeros         of L, at which branches end
    break_points  where branches of a loop meet and leave at another angle
    crossings     where poles become stable or unstable
    centre        where the asymptotes of a loop meet, and `angles`, rad, their directions
    name          of the parameter; `sample_time` of the model, s
    pade          the order of the approximants that stand for transport delays, 0 without: far from 0 the
                  poles belong to them, and not to the delays
    """

    gains: Matrix
    poles: Complex
    crossings: tuple[Crossing, ...]
    zeros: Complex
    break_points: tuple[BreakPoint, ...] = ()
    centre: float = 0.0
    angles: Matrix = None  # type: ignore[assignment]
    name: str = "k"
    sample_time: float = 0.0
    pade: int = 0

    @property
    def stable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """True for each gain at which all poles are stable."""
        return np.asarray(beyond_edge(self.poles, self.sample_time).max(axis=1) < 0.0)

    def _figure(self) -> Figure:
        return self.plot(show=False)

    def __repr__(self) -> str:
        first, last = self.gains[0], self.gains[-1]
        count = self.poles.shape[1]
        lines = [f"RootLocus of {count} pole{'s' * (count != 1)}, {self.name} from {first:.6g} to {last:.6g}"]
        lines += [f"  delays by Padé approximants of order {self.pade}"] if self.pade else []
        for label, points in (
            ("branches meet", self.break_points),
            ("on the edge of stability", self.crossings),
        ):
            lines += [f"  {label} at {_text(point.s)}, {self.name} = {point.gain:.6g}" for point in points]
        if self.angles is not None and self.angles.size:
            degrees = ", ".join(f"{angle:g}" for angle in np.round(np.degrees(self.angles), 6))
            lines.append(f"  asymptotes from {self.centre:.6g} at {degrees} degrees")
        return "\n".join(lines)

    if not TYPE_CHECKING:  # see doors.pyi
        plot = door("plots.models.planes:plot_locus")


def root_locus(model: LinearModel, gains: ArrayLike | None = None) -> RootLocus:
    """The poles of this loop transfer L, closed by 1 / (1 + k L), over the gain k: see `RootLocus`.

    `gains` increase; None: from 0 to far beyond those at which branches meet, closer where poles move fast.
    Raises AnalysisError unless there is one input and one output, and a state.

    Source: Evans, Trans. AIEE 67 (1948) 547-551; Franklin, Powell and Emami-Naeini, Feedback Control of
    Dynamic Systems (2019), chapter 5.
    """
    several = lifted(model)
    model = model.finite(".root_locus()")
    n, one = len(model.states), np.eye(len(model.D))
    if not n:
        raise AnalysisError("a model without states, which has no poles", "a loop with dynamics")

    def poles_at(gain: float) -> Complex:
        try:
            back = np.linalg.solve(one + gain * model.D, gain * model.C)
        except np.linalg.LinAlgError:
            actual = f"at k = {gain:g} the loop has no solution: 1 + k D = 0"
            raise AnalysisError(actual, "other gains") from None
        return eigenvalues(model.A - model.B @ back, model.sample_time)

    zeros = model.zeros()
    break_points = () if several else _break_points(model, zeros)
    centre, angles = (0.0, np.zeros(0)) if several else _asymptotes(model, zeros)
    if gains is None:
        table = _refine_gains(poles_at, _default_gains(model, break_points, zeros), [*model.poles(), *zeros])
    else:
        table = over(poles_at, growing("gains", gains))
    low, high = table[0][0], table[0][-1]
    inside = tuple(point for point in break_points if low <= point.gain <= high)
    crossings = edges(poles_at, *table, model.sample_time)
    pade = 1 + max((int(match[1]) for name in model.states if (match := PADE.search(name))), default=-1)
    return RootLocus(
        *table, crossings, zeros, inside, centre, angles, sample_time=model.sample_time, pade=pade
    )


def growing(label: str, values: ArrayLike) -> Matrix:
    """At least two increasing numbers. Raises AnalysisError."""
    try:
        array: Matrix = np.asarray(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    right = array.ndim == 1 and array.size > 1 and bool(np.all(np.isfinite(array)))
    if not right or np.any(np.diff(array) <= 0.0):
        raise AnalysisError(f"{label} are {values!r:.80}", "at least two increasing numbers")
    return array


def over(poles_at: Callable[[float], Complex], gains: Matrix) -> tuple[Matrix, Complex]:
    """The poles at each gain, each branch in a column."""
    rows = [poles_at(gain) for gain in gains.tolist()]
    return gains, _follow_branches(rows)


def edges(
    poles_at: Callable[[float], Complex], gains: Matrix, poles: Complex, sample_time: float
) -> tuple[Crossing, ...]:
    """Points at which the number of unstable poles changes, by bisection."""

    def unstable(at: Complex) -> int:
        return int(np.sum(beyond_edge(at, sample_time) > 0.0))

    counts = [unstable(row) for row in poles]
    crossings = []
    for k in np.flatnonzero(np.diff(counts)).tolist():
        low, high = float(gains[k]), float(gains[k + 1])
        while high - low > TIGHT * max(abs(low), abs(high)):
            middle = (low + high) / 2.0
            if middle in (low, high):
                break
            low, high = (middle, high) if unstable(poles_at(middle)) == counts[k] else (low, middle)
        at = poles_at(high)
        nearest = at[np.argmin(np.abs(beyond_edge(at, sample_time)))]
        real = float(nearest.real) if sample_time else 0.0
        crossings.append(Crossing(complex(real, abs(nearest.imag)), high))
    return tuple(crossings)


def _follow_branches(rows: list[Complex]) -> Complex:
    """Order the poles of each row to continue the row before with the least total distance."""
    from scipy.optimize import linear_sum_assignment

    ordered = [rows[0][np.lexsort((rows[0].imag, rows[0].real))]]
    for row in rows[1:]:
        _, to = linear_sum_assignment(np.abs(ordered[-1][:, None] - row[None, :]))
        ordered.append(row[to])
    return np.array(ordered)


def _refine_gains(
    poles_at: Callable[[float], Complex], gains: Matrix, features: list[complex]
) -> tuple[Matrix, Complex]:
    """The poles at these gains and at those between which they move far within the picture."""
    sizes = [abs(each) for each in features if abs(each) > 0.0] or [1.0]
    rows = {gain: poles_at(gain) for gain in gains.tolist()}
    while len(rows) < MOST:
        listed = sorted(rows)
        poles = _follow_branches([rows[gain] for gain in listed])
        nearer = np.minimum(np.abs(poles[1:]), np.abs(poles[:-1]))
        far = np.abs(np.diff(poles, axis=0)) > CLOSE * np.clip(nearer, min(sizes), max(sizes))
        near = nearer < 4.0 * max(sizes)
        wide = [
            k for k in np.flatnonzero(np.any(far & near, axis=1)).tolist()
            if listed[k + 1] - listed[k] > REAL * listed[k + 1]
        ]  # fmt: skip
        if not wide:
            break
        rows |= {middle: poles_at(middle) for k in wide if (middle := (listed[k] + listed[k + 1]) / 2.0)}
    listed = sorted(rows)
    return np.array(listed), _follow_branches([rows[gain] for gain in listed])


def _default_gains(model: LinearModel, points: tuple[BreakPoint, ...], zeros: Complex) -> Matrix:
    """Gains from 0 to far beyond those at which branches meet and poles have left their starting points."""
    features = [abs(each) for each in (*model.poles(), *zeros) if abs(each) > 0.0] or [1.0]
    places = np.geomspace(min(features) / 2.0, max(features) * 2.0, 8)  # an even number: not at a single pole
    response = np.abs(model.frequency_response(places[places > 0.0])).max(axis=(1, 2))
    scales = [1.0 / value for value in response.tolist() if is_number(value) and 0.0 < value < np.inf]
    scales += [point.gain for point in points]
    low, high = min(scales, default=1.0), max(scales, default=1.0)
    grid = np.geomspace(low / 10.0**DECADES, high * 10.0**DECADES, POINTS)
    return np.unique(np.concatenate([[0.0], grid, [point.gain for point in points]]))


def _polynomials(model: LinearModel, zeros: Complex) -> tuple[Matrix, Matrix]:
    """L = N / D, from its zeros, its poles and its value at a point far from all of them."""
    poles = model.poles()
    place = 2.0 * max(np.abs([*poles, *zeros]).max(initial=0.0), 1.0)
    there = at_points(model, np.array([place], np.complex128))[0, 0, 0]
    level = float((there * np.prod(place - poles) / np.prod(place - zeros)).real)
    numerator, denominator = (
        np.asarray(np.atleast_1d(np.real(np.poly(roots))), np.float64) for roots in (zeros, poles)
    )
    return (level * numerator if level else np.zeros(0)), denominator


def _break_points(model: LinearModel, zeros: Complex) -> tuple[BreakPoint, ...]:
    """Points at which N' D - N D' = 0 with a real, positive gain -D / N."""
    numerator, denominator = _polynomials(model, zeros)
    if not numerator.size:
        return ()
    above: Any = np.poly1d(numerator)
    below: Any = np.poly1d(denominator)
    roots: Any = (above.deriv() * below - above * below.deriv()).roots
    points = []
    for s in roots.tolist():
        there = complex(above(s))
        gain = -complex(below(s)) / there if there else complex(np.inf)
        if cmath.isfinite(gain) and gain.real > 0.0 and abs(gain.imag) <= REAL * abs(gain):
            real = abs(s.imag) <= REAL * max(abs(s), 1.0)
            points.append(BreakPoint(complex(s.real) if real else complex(s), gain.real))
    return tuple(sorted(points, key=lambda point: (point.gain, point.s.imag)))


def _asymptotes(model: LinearModel, zeros: Complex) -> tuple[float, Matrix]:
    """Centre of the branches that reach infinity, and their angles."""
    poles = model.poles()
    count = len(poles) - len(zeros)
    numerator, _ = _polynomials(model, zeros)
    if count <= 0 or not numerator.size:
        return 0.0, np.zeros(0)
    centre = float((poles.sum() - zeros.sum()).real) / count
    first = 1 if numerator[0] > 0.0 else 0
    return centre, np.pi * (2.0 * np.arange(count) + first) / count


def _text(s: complex) -> str:
    return f"{s.real:.6g}" if s.imag == 0.0 else f"{s.real:.6g}{s.imag:+.6g}i"
