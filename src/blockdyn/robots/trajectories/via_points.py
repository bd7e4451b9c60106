"""Joints pass several points on straight lines at constant speed, with blends at the corners."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...base.checked import checked_numbers
from .motion import Piece, Pieces, TrajectoryError, Values, assemble, instants, numbers, refusal, vectors

Array = NDArray[np.float64]

Blend = Literal["quintic", "parabolic"]
BLENDS: tuple[Blend, ...] = get_args(Blend)

LEAST = 1e-300  # a coefficient below it loses digits


@checked_numbers(refusal)
def segments(
    points: Any, *, speed: Any = None, segment_times: Any = None, blend_time: Any = 0.0,
    qd0: Any = 0.0, qdf: Any = 0.0, start: float = 0.0, blend: Blend = "quintic",
) -> Pieces:  # fmt: skip
    """The polynomials of a motion past `points` (m, n), or (m,) for a scalar motion; see `via_points`.

    Raises TrajectoryError.
    """
    P = numbers("points", points)
    if P.ndim not in (1, 2) or len(P) < 2:
        raise TrajectoryError("points", np.shape(points), "a row per point, at least 2 points")
    scalar, P = P.ndim == 1, P.reshape(len(P), -1)
    if (speed is None) == (segment_times is None):
        problem = "not given, nor speed" if speed is None else "given beside speed"
        raise TrajectoryError("segment_times", problem, "either segment_times or speed")
    _, ends = vectors(P.shape[1], qd0=qd0, qdf=qdf, speed=0.0 if speed is None else speed)
    _, blends = vectors(len(P), blend_time=blend_time)
    a = blends["blend_time"]
    if (a < 0.0).any():
        raise TrajectoryError("blend_time", a.tolist(), "zero or greater")
    need, durations = _line_times(P, a, ends["qd0"], ends["qdf"])
    if segment_times is None:
        D = _fastest(durations, ends, need, a)
    else:
        D = _check_times(vectors(len(P) - 1, segment_times=segment_times)[1]["segment_times"], need)
    return _pieces(P, D, a, ends["qd0"], ends["qdf"], float(start), blend, scalar)


def _line_times(P: Array, a: Array, qd0: Array, qdf: Array) -> tuple[Array, Array]:
    """Time of each segment within blends, and its distance at constant speed.

    Blends at inner points lie half before and half after them; blends at the ends lie within the motion.
    """
    before, after = 0.5 * a[:-1], 0.5 * a[1:]
    moved = np.diff(P, axis=0)
    moved[0] -= before[0] * qd0
    moved[-1] -= after[-1] * qdf
    need = before + after
    need[0] += before[0]
    need[-1] += after[-1]
    return need, moved


def _check_times(T: Array, need: Array) -> Array:
    for i, (time, least) in enumerate(zip(T.tolist(), need.tolist(), strict=True)):
        if time < least * (1.0 - 1e-12) or time <= 0.0:
            expected = (
                f"at least {least:.6g} s, which the blends of segment {i} take"
                if least > 0.0
                else "greater than 0 s"
            )
            remedy = "lengthen it or cut blend_time"
            raise TrajectoryError("segment_times", T.tolist(), f"{expected}; {remedy}")
    return T


def _fastest(moved: Array, ends: dict[str, Array], need: Array, a: Array) -> Array:
    """The shortest durations in which no joint exceeds its speed."""
    speed = ends["speed"]
    if not (speed > 0.0).all():
        raise TrajectoryError("speed", speed.tolist(), "greater than zero for every joint")
    for name in ("qd0", "qdf"):
        if (abs(ends[name]) > speed).any():
            raise TrajectoryError(name, ends[name].tolist(), f"at most the speed, {speed.tolist()}")
    D = np.max(abs(moved) / speed, axis=1)
    D[0] += 0.5 * a[0]
    D[-1] += 0.5 * a[-1]
    D = np.maximum(D, need)
    if (D <= 0.0).any():
        i = int(np.argmin(D))
        expected = f"points that differ, or a blend_time; points {i} and {i + 1} are one"
        raise TrajectoryError("points", moved[i].tolist(), expected)
    return np.asarray(D)


def _pieces(
    P: Array, D: Array, a: Array, qd0: Array, qdf: Array, start: float, blend: str, scalar: bool
) -> Pieces:
    """The polynomials, line by line and blend by blend."""
    right_side = D.copy()
    right_side[0] -= 0.5 * a[0]
    right_side[-1] -= 0.5 * a[-1]
    moved = _line_times(P, a, qd0, qdf)[1]
    V = np.vstack([qd0, moved / right_side[:, np.newaxis], qdf])
    via = start + np.concatenate([[0.0], np.cumsum(D)])
    begin = via - 0.5 * a  # start times of the blends
    begin[0], begin[-1] = start, via[-1] - a[-1]
    joints: list[list[Piece]] = []
    for j in range(P.shape[1]):
        q, pieces = float(P[0, j]), list[Piece]()
        for k in range(len(P)):
            v0, v1, time = float(V[k, j]), float(V[k + 1, j]), float(a[k])
            if k:
                q = float(P[k, j]) - v0 * 0.5 * time
            if k == len(P) - 1:
                q = float(P[k, j]) - 0.5 * (v0 + v1) * time
            if time > 0.0:
                pieces.append((float(begin[k]), _blend(blend, q, v0, v1, time)))
            if k < len(P) - 1:
                pieces.append((float(begin[k]) + time, (q + 0.5 * (v0 + v1) * time, v1)))
        joints.append([*pieces, (float(via[-1]), (float(P[-1, j]),))])
    return assemble(P[0].tolist(), joints, scalar=scalar, room=2 * len(P))


def _blend(kind: str, q: float, v0: float, v1: float, time: float) -> tuple[float, ...]:
    """A blend from speed v0 to v1 in `time` at their mean speed; quintic without acceleration at its ends."""
    change = v1 - v0
    if kind == "parabolic":
        return q, v0, 0.5 * change / time
    c3, c4 = change / time / time, -0.5 * change / time / time / time  # powers would overflow
    if change and abs(c4) < LEAST:
        raise TrajectoryError("blend_time", time, "a shorter one: no number holds its rates")
    return q, v0, 0.0, c3, c4


@checked_numbers(refusal)
def via_points(
    points: Any, times: Any = 101, *, speed: Any = None, segment_times: Any = None,
    blend_time: Any = 0.0, qd0: Any = 0.0, qdf: Any = 0.0, start: float = 0.0, blend: Blend = "quintic",
) -> Values:  # fmt: skip
    """Straight lines between `points` (m, n), at constant speed, rounded by blends of `blend_time`.

    Give either `speed`, the maximum of each joint (the slowest joint of a segment sets its time), or
    `segment_times` (m - 1). A blend changes the speed from one line's to the next line's:

        qdd = (v1 - v0) / t_a                        parabolic
        qdd = (v1 - v0) 6 s (1 - s) / t_a            quintic, s from 0 to 1 (its term of degree five is 0)

    so the speed stays between both. At inner points a blend lies half before and half after the
    point's time and passes it at the distance (v1 - v0) t_a / 8 (parabolic) or 3/32 (v1 - v0) t_a (quintic);
    the ends are met exactly, at the rates qd0 and qdf. With a blend time of 0 the speed jumps, and the
    unbounded acceleration is returned as 0. Segments with `speed` take longer if the blends do not fit.
    `times` and result as in `cubic`. Source: Taylor, IBM Journal of Research and Development 23(4),
    1979; Craig, Introduction to Robotics (2005), section 7.3. Raises TrajectoryError.
    """
    pieces = segments(
        points, speed=speed, segment_times=segment_times, blend_time=blend_time,
        qd0=qd0, qdf=qdf, start=start, blend=blend,
    )  # fmt: skip
    return pieces.at(instants(times, start, float(pieces.knots[-1])))
