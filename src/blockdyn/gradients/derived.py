"""Derivatives of each kind of measure, from the derivatives of its signal at a few instants.

extreme      derivative of the signal at the extreme: the shift of its time has no effect
passage      of a level L at T:  dT = (dL - S) / y'
integral     derivative of the integral, which is a state
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..solvers.layout import Floats
from ..sweeps.measures.declaration import Measure
from .panels import BEFORE, BETWEEN, FIXED, INSIDE, JUMP, STOPPED, TOUCH, UNTIL, Instant, Series
from .sensitivity_run import Rows
from .study import AGREE, UNSEEN, Study

BESIDE = 1e-5  # of the run: distance from an event at which one-sided limits are read
SLOW = 1e-6  # of a value: its largest change along a step in which it is constant
ROOM = 0.1  # of the smooth interval next to an instant: the largest distance from the instant


class Probe(NamedTuple):
    """A signal at an instant: value, rate along time, and derivatives with respect to the paths, (n,).

    At an event these are total derivatives, which include the derivative `move` of the instant. Between two
    steps, `before` is the limit from the step that ends.
    """

    instant: Instant
    value: float
    rate: float
    slope: Floats
    move: Floats
    before: Probe | None = None

    def moved(self, level: Floats) -> Floats:
        """Derivative of the instant at which the signal passes a level with these derivatives.

        NaN if it only touches the level, or has a kink there with different derivatives on both sides.
        """
        if self.instant.kind in (JUMP, TOUCH):
            return self.move
        moves = (level - self.slope) / self.rate
        if self.before is not None:
            others = self.before.moved(level)
            size = np.maximum(np.abs(moves), np.abs(others))
            bound = AGREE * np.maximum(size, UNSEEN * size.max(initial=0.0))
            moves = np.where(np.abs(moves - others) <= bound, moves, np.nan)
        return moves


def read_probes(
    study: Study, numbers: tuple[Floats, Mapping[str, Any] | None], asked: Sequence[tuple[Instant, int]]
) -> tuple[list[Probe], Rows]:
    """Signals of a run at instants, each with its element, and all rows that were read."""
    values, fixed = numbers
    reach = BESIDE * (study.stop - study.start)
    times = [_times(instant, min(reach, ROOM * instant.room), study.stop) for instant, _ in asked]
    all_times = np.unique(np.array([time for each in times for time in each]))
    rows = study.rows_as_met(values, all_times, fixed, rates=True, stops=True)
    return [*_probes(rows, all_times, asked, times)], rows


def _probes(
    rows: Rows, all_times: Floats, asked: Sequence[tuple[Instant, int]], times: Sequence[list[float]]
) -> Iterator[Probe]:
    for (instant, element), mine in zip(asked, times, strict=True):
        at = np.searchsorted(all_times, mine)
        y, rate, slopes = rows.values[at, element], rows.rates[at, element], rows.slopes[at, element]
        move = rows.moves[at[-1]]
        if instant.kind == STOPPED:
            yield Probe(instant, y[0], rate[0], slopes[0] + _carry_signal(rate[0], move, y[0], instant), move)
        elif instant.kind == TOUCH:
            yield Probe(instant, y[0], rate[0], slopes[0], np.full_like(move, np.nan))
        elif instant.kind in (INSIDE, FIXED, JUMP):
            yield Probe(instant, y[0], rate[0], slopes[0], move)
        elif instant.kind in (UNTIL, BETWEEN):
            before = Probe(instant, y[0], _limit(rate), _limit(slopes), move)
            behind = Probe(instant, y[-1], _limit(rate[-3:]), _limit(slopes[-3:]), move, before)
            yield behind if instant.kind == BETWEEN else before
        else:
            moved = _carry_signal(_limit(rate), move, y[0], instant)
            yield Probe(instant, y[0], rate[0], _limit(slopes) + moved, move)


def _carry_signal(rate: float, move: Floats, value: float, instant: Instant) -> Floats:
    """The change of a signal when an instant moves: 0 if the signal is constant."""
    still = abs(rate * instant.room) <= SLOW * abs(value)
    return np.where(np.isnan(move) & still, 0.0, rate * move)


def _limit(values: Floats) -> Any:
    """The limit at an instant, extrapolated by a parabola from values at one, two and three steps from it."""
    return 3.0 * values[0] - 3.0 * values[1] + values[2]


def _times(instant: Instant, reach: float, stop: float) -> list[float]:
    """The times at which an instant is read, s: first times for its limit, then times after an event."""
    t, kind = instant.time, instant.kind
    before, behind = ([t + way * k * reach for k in (1.0, 2.0, 3.0)] for way in (-1.0, 1.0))
    if kind == STOPPED:
        return [stop]
    if kind in (INSIDE, FIXED, TOUCH):
        return [t]
    if kind == JUMP:
        return [min(t + reach, stop)]
    if kind == BEFORE:
        return [*before, min(t + reach, stop)]
    return {UNTIL: before, BETWEEN: before + behind}.get(kind, behind)


INTEGRALS = {
    "integral": "{y}", "mean": "{y}", "rms": "({y})**2", "absolute": "abs({y})",
    "itae": "(t - {a})*abs({y})",
}  # fmt: skip
"""Integrands of the signal y from the time a."""


class Window(NamedTuple):
    """A measure with its signal between two times, the element of the signal or its integral, and a flag for
    an event at the end that stops the run.
    """

    measure: Measure
    series: Series
    begin: float
    end: float
    element: int
    value: float
    moves: bool


class Question(NamedTuple):
    """Instants at which elements are read, and the function that derives the measure from the values."""

    instants: tuple[Instant, ...]
    elements: tuple[int, ...]
    answer: Callable[[Sequence[Probe]], Floats]


def _make_question(
    w: Window, instants: Sequence[Instant], answer: Callable[[Sequence[Probe]], Any]
) -> Question:
    return Question(tuple(instants), (w.element,) * len(instants), answer)


def _ends(w: Window) -> list[Instant]:
    return [w.series.first, w.series.last]


def _initial(w: Window) -> Question:
    return _make_question(w, _ends(w)[:1], lambda p: p[0].slope)


def _final(w: Window) -> Question:
    return _make_question(w, _ends(w)[1:], lambda p: p[0].slope)


def _integral(w: Window) -> Question:
    factor, level = 1.0, 0.0
    if w.measure.kind == "mean":
        factor, level = 1.0 / (w.end - w.begin), w.value
    elif w.measure.kind == "rms":
        factor = 0.5 / (w.value * (w.end - w.begin)) if w.value else np.nan
        level = w.value**2
    return _make_question(
        w, _ends(w), lambda p: factor * (p[1].slope - p[0].slope - level * _longer(w, p[1]))
    )


def _longer(w: Window, end: Probe) -> Floats:
    """Derivative of the window's length."""
    return end.move if w.moves else np.zeros_like(end.move)


def _highest(w: Window) -> Question:
    return _make_question(w, [w.series.highest()], lambda p: p[0].slope)


def _lowest(w: Window) -> Question:
    return _make_question(w, [w.series.highest(-1.0)], lambda p: p[0].slope)


def _range(w: Window) -> Question:
    return _make_question(w, [w.series.highest(), w.series.highest(-1.0)], lambda p: p[0].slope - p[1].slope)


class Step(NamedTuple):
    """A step response: its initial and final value, and their derivatives."""

    origin: float
    target: float
    of_origin: Floats
    of_target: Floats


def _levels(w: Window) -> tuple[float, float]:
    """The ends of a step in the run."""
    origin, target = w.measure.number("from"), w.measure.number("target")
    first, last = w.series.ends()
    return first if np.isnan(origin) else origin, last if np.isnan(target) else target


def _step(w: Window, probes: Sequence[Probe]) -> Step:
    """The step, from probes at the start and end of the window."""
    origin, target = _levels(w)
    still = np.zeros_like(probes[0].slope)
    free = [np.isnan(w.measure.number(name)) for name in ("from", "target")]
    slopes = [probe.slope if moves else still for probe, moves in zip(probes, free, strict=False)]
    return Step(origin, target, slopes[0], slopes[1])


def _overshoot(w: Window) -> Question:
    origin, target = _levels(w)
    sign = 1.0 if target > origin else -1.0
    ends = _ends(w)
    if w.value == 0.0:
        return _make_question(w, ends, lambda p: np.zeros_like(p[0].slope))

    def answer(p: Sequence[Probe]) -> Floats:
        step = _step(w, p)
        size, of_size = step.target - step.origin, step.of_target - step.of_origin
        return (p[2].slope - step.of_target) / size - w.value * of_size / size

    return _make_question(w, [*ends, w.series.highest(sign)], answer)


def _rise(w: Window) -> Question:
    origin, target = _levels(w)
    parts = [w.measure.number(name) for name in ("low", "high")]
    reached = [_first_passage(w, origin + part * (target - origin), target > origin) for part in parts]

    def answer(p: Sequence[Probe]) -> Floats:
        step = _step(w, p)
        moves, k = [], 2
        for part, instant in zip(parts, reached, strict=True):
            level = step.of_origin + part * (step.of_target - step.of_origin)
            moves.append(p[k].moved(level) if instant is not None else np.zeros_like(level))
            k += instant is not None
        return moves[1] - moves[0]

    return _make_question(w, [*_ends(w), *(each for each in reached if each is not None)], answer)


def _first_passage(w: Window, level: float, upwards: bool) -> Instant | None:
    """The instant at which the signal first reaches a level; None if it starts there."""
    sign = 1.0 if upwards else -1.0
    if sign * (w.series.ends()[0] - level) >= 0.0:
        return None
    return next((instant for instant, way in w.series.passages(level) if way == sign), None)


def _settling(w: Window) -> Question:
    origin, target = _levels(w)
    band, tolerance = w.measure.number("band"), w.measure.number("tolerance")
    width = band * abs(target - origin) if np.isnan(tolerance) else tolerance
    last = w.begin + w.value
    edges = [
        (abs(instant.time - last), sign, instant)
        for sign in (1.0, -1.0)
        for instant, _ in w.series.passages(target + sign * width)
    ]
    if w.value == 0.0 or not edges:
        return _make_question(w, _ends(w), lambda p: np.zeros_like(p[0].slope))
    _, edge, instant = min(edges)

    def answer(p: Sequence[Probe]) -> Floats:
        step = _step(w, p)
        grows = np.sign(target - origin) * band * (step.of_target - step.of_origin)
        return p[2].moved(step.of_target + (edge * grows if np.isnan(tolerance) else 0.0))

    return _make_question(w, [*_ends(w), instant], answer)


def _time_to(w: Window) -> Question:
    level = w.measure.options.get("above", w.measure.options.get("below", np.nan))
    passed = [instant for instant, _ in w.series.passages(level)]
    if w.value == 0.0 or not passed:
        return _make_question(w, _ends(w)[:1], lambda p: np.zeros_like(p[0].slope))
    instant = min(passed, key=lambda each: abs(each.time - w.begin - w.value))
    return _make_question(w, [instant], lambda p: p[0].moved(np.zeros_like(p[0].slope)))


def _share(w: Window) -> Question:
    level = w.measure.number("level")
    way = 1.0 if w.measure.kind == "time_above" else -1.0
    passed = [(instant, way * side) for instant, side in w.series.passages(level)]
    return _part(w, passed, way * (w.series.ends()[1] - level) > 0.0)


def _saturation(w: Window) -> Question:
    return _part(w, list(w.series.departures()), w.series.ends()[1] != 0.0)


def _part(w: Window, passed: Sequence[tuple[Instant, float]], counts: bool) -> Question:
    """The fraction of time that counts: from instants with 1 to instants with -1, or the window's end.

    `counts` is true if the full window counts without such instants.
    """
    counts = passed[-1][1] > 0.0 if passed else counts

    def answer(p: Sequence[Probe]) -> Floats:
        still, longer = np.zeros_like(p[0].slope), _longer(w, p[0])
        moves = [-way * probe.moved(still) for (_, way), probe in zip(passed, p[1:], strict=True)]
        return np.asarray((sum(moves, still) + (counts - w.value) * longer) / (w.end - w.begin))

    return _make_question(w, [w.series.last, *(instant for instant, _ in passed)], answer)


def passing(instant: Instant) -> Question:
    """The time of an event, for any element."""
    return Question((instant,), (0,), lambda p: p[0].move)


STILL = Question((), (), lambda p: np.zeros(1))
"""A measure whose derivatives are zero."""


DERIVED: dict[str, Callable[[Window], Question]] = {
    "initial": _initial, "final": _final, "max": _highest, "min": _lowest, "peak_to_peak": _range,
    "integral": _integral, "mean": _integral, "rms": _integral, "absolute": _integral, "itae": _integral,
    "overshoot": _overshoot, "rise_time": _rise, "settling_time": _settling, "time_to": _time_to,
    "time_above": _share, "time_below": _share, "saturated": _saturation,
}  # fmt: skip
"""Kinds of measures with derivatives; the other kinds are counts."""
