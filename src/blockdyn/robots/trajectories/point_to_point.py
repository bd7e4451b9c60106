"""Joints move from one point to another in a given time: cubic, quintic or trapezoidal."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...base.checked import checked_numbers
from .motion import Piece, Pieces, TrajectoryError, Values, assemble, instants, numbers, refusal, vectors

Array = NDArray[np.float64]

Method = Literal["quintic", "cubic", "trapezoidal"]
METHODS: tuple[Method, ...] = get_args(Method)


@checked_numbers(refusal)
def point_to_point(
    q0: Any, qf: Any, duration: float, *, start: float = 0.0, method: Method = "quintic",
    qd0: Any = 0.0, qdf: Any = 0.0, qdd0: Any = 0.0, qddf: Any = 0.0,
    speed: Any = None, blend_time: Any = None, acceleration: Any = None,
) -> Pieces:  # fmt: skip
    """The polynomials of a motion from q0 to qf, at rest before and after it.

    cubic, quintic: with the rates qd0 and qdf at the ends, quintic also with the accelerations qdd0 and qddf.
    trapezoidal: a constant speed between two parabolas; one of `speed`, `blend_time` and `acceleration` may
    be given, otherwise speed = 1.5 |qf - q0| / duration. Raises TrajectoryError.
    """
    if numbers("duration", duration).ndim or not duration > 0:
        raise TrajectoryError("duration", duration, "a time greater than 0 s")
    limits = {"speed": speed, "blend_time": blend_time, "acceleration": acceleration}
    limits = {name: value for name, value in limits.items() if value is not None}
    options = {"qd0": qd0, "qdf": qdf, "qdd0": qdd0, "qddf": qddf} | limits
    _refuse_unused_limits(method, options)
    if len(limits) > 1:
        first, second = [*limits][:2]
        raise TrajectoryError(second, limits[second], f"nothing together with {first}: give one of them")
    scalar, v = vectors(q0=q0, qf=qf, **options)
    joints: list[list[Piece]] = []
    for i in range(v["q0"].size):
        values = {name: float(value[i]) for name, value in v.items()}
        if method == "trapezoidal":
            joint = trapezoid(
                i, float(duration), values["q0"], values["qf"], **{name: values[name] for name in limits}
            )
        else:
            joint = [(0.0, _coefficients(method, float(duration), values))]
        pieces = [(start + begin, c) for begin, c in joint]
        joints.append([*pieces, (start + float(duration), (values["qf"],))])
    room = 2 + 2 * len(joints) if method == "trapezoidal" else 2
    return assemble(v["q0"].tolist(), joints, scalar=scalar, room=room)


_TAKES = {
    "quintic": ("qd0", "qdf", "qdd0", "qddf"),
    "cubic": ("qd0", "qdf"),
    "trapezoidal": ("speed", "blend_time", "acceleration"),
}


def _refuse_unused_limits(method: str, limits: dict[str, Any]) -> None:
    for name, value in limits.items():
        if name not in _TAKES[method] and (name in _TAKES["trapezoidal"] or np.any(value)):
            takers = " or ".join(m for m in METHODS if name in _TAKES[m])
            expected = f"not given with the method {method}, which has none; {takers} takes it"
            raise TrajectoryError(name, value, expected)


def _coefficients(method: str, T: float, v: dict[str, float]) -> tuple[float, ...]:
    try:
        if method == "cubic":
            coefficients = cubic_coefficients(T, v["q0"], v["qf"], v["qd0"], v["qdf"])
        else:
            coefficients = quintic_coefficients(T, v["q0"], v["qf"], v["qd0"], v["qdf"], v["qdd0"], v["qddf"])
    except (OverflowError, ZeroDivisionError):
        coefficients = (inf,)
    if not all(map(isfinite, coefficients)):
        raise TrajectoryError("duration", T, "a time, in s, long enough for finite velocities")
    return coefficients


def cubic_coefficients(T: float, q0: float, qf: float, qd0: float, qdf: float) -> tuple[float, ...]:
    """c0 ... c3 of the cubic with given ends and rates.

    Source: Craig, Introduction to Robotics (3rd ed., 2005), equation 7.11.
    """
    d = qf - q0
    return q0, qd0, (3.0 * d / T - 2.0 * qd0 - qdf) / T, (qd0 + qdf - 2.0 * d / T) / (T * T)


def quintic_coefficients(
    T: float, q0: float, qf: float, qd0: float, qdf: float, qdd0: float, qddf: float
) -> tuple[float, ...]:
    """c0 ... c5 of the quintic with given ends, rates and accelerations.

    Source: Craig, Introduction to Robotics (3rd ed., 2005), equation 7.18.
    """
    d, v0, v1, a0, a1 = qf - q0, qd0 * T, qdf * T, qdd0 * T * T, qddf * T * T
    c3 = 10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1
    c5 = 6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)
    return (
        q0,
        qd0,
        0.5 * qdd0,
        c3 / T / T / T,
        c4 / T / T / T / T,
        c5 / T / T / T / T / T,
    )  # so that no power overflows


def trapezoid(joint: int, T: float, q0: float, qf: float, **limit: float) -> list[Piece]:
    """A line of speed V between two parabolas of duration t_b, with |qf - q0| = V (T - t_b).

    t_b lies between 0 and T / 2, so V is between |qf - q0| / T and twice this. Raises TrajectoryError.
    """
    d = qf - q0
    if d == 0.0:
        return [(0.0, (q0,))]
    V = _cruise(joint, T, abs(d), **limit)
    V = V if d > 0 else -V
    tb = min(T - d / V, 0.5 * T)
    half = 0.5 * V / tb
    moved = 0.5 * V * tb
    return [
        (0.0, (q0, 0.0, half)),
        (tb, (q0 + moved, V)),
        (T - tb, (qf - moved, V, -half)),
    ]


def _cruise(
    joint: int, T: float, d: float, *,
    speed: float | None = None, blend_time: float | None = None, acceleration: float | None = None,
) -> float:  # fmt: skip
    """The speed between the parabolas."""
    where = f"joint {joint}, which moves by {d:.6g} in {T:.6g} s"
    if blend_time is not None:
        if not 0.0 < blend_time <= 0.5 * T:
            expected = f"greater than 0 and at most {0.5 * T:.6g} s, half of the time"
            raise TrajectoryError("blend_time", blend_time, expected)
        return d / (T - blend_time)
    if acceleration is not None:
        least = 4.0 * d / (T * T)
        if acceleration < least * (1.0 - 1e-12):
            shortest = 2.0 * sqrt(d / acceleration) if acceleration > 0.0 else inf
            longer = f", or a duration of at least {shortest:.6g} s" if shortest < inf else ""
            raise TrajectoryError("acceleration", acceleration, f"at least {least:.6g} for {where}{longer}")
        return 2.0 * d / (T + sqrt(max(T * T - 4.0 * d / acceleration, 0.0)))
    if speed is None:
        return 1.5 * d / T
    if not d / T * (1.0 + 1e-12) < speed <= 2.0 * d / T * (1.0 + 1e-12):
        expected = f"greater than {d / T:.6g} and at most {2.0 * d / T:.6g} for {where}"
        longer = f", or a duration between {d / speed:.6g} and {2.0 * d / speed:.6g} s" if speed > 0 else ""
        raise TrajectoryError("speed", speed, f"{expected}{longer}")
    return speed


@checked_numbers(refusal)
def cubic(
    q0: ArrayLike,
    qf: ArrayLike,
    duration: float,
    times: ArrayLike = 101,
    *,
    start: float = 0.0,
    qd0: ArrayLike = 0.0,
    qdf: ArrayLike = 0.0,
) -> Values:
    """The cubic from q0 to qf with rates qd0 and qdf, at `times` (or this number of even instants).

        q = q0 + (3 s^2 - 2 s^3) (qf - q0),  s = (t - start) / duration        from rest to rest

    q0 and qf (n,) or numbers, in rad or m; the result's q, qd, qdd, jerk (k, n), or (k,) for numbers. Before
    and after the motion, which includes both its ends, the joints are at rest. Source: Lynch, Park, Modern
    Robotics (2017), section 9.2.2.1. Raises TrajectoryError.
    """
    pieces = point_to_point(q0, qf, duration, start=start, method="cubic", qd0=qd0, qdf=qdf)
    return pieces.at(instants(times, start, start + duration))


@checked_numbers(refusal)
def quintic(
    q0: ArrayLike, qf: ArrayLike, duration: float, times: ArrayLike = 101, *, start: float = 0.0,
    qd0: ArrayLike = 0.0, qdf: ArrayLike = 0.0, qdd0: ArrayLike = 0.0, qddf: ArrayLike = 0.0,
) -> Values:  # fmt: skip
    """The quintic from q0 to qf with given rates and accelerations at the ends; otherwise as `cubic`.

        q = q0 + (10 s^3 - 15 s^4 + 6 s^5) (qf - q0)        from rest to rest

    The highest speed is then 15/8 (qf - q0) / duration. Source: Modern Robotics, section 9.2.2.2.
    """
    rates = {"qd0": qd0, "qdf": qdf, "qdd0": qdd0, "qddf": qddf}
    pieces = point_to_point(q0, qf, duration, start=start, method="quintic", **rates)
    return pieces.at(instants(times, start, start + duration))


@checked_numbers(refusal)
def trapezoidal(
    q0: Any, qf: Any, duration: float, times: Any = 101, *, start: float = 0.0,
    speed: Any = None, blend_time: Any = None, acceleration: Any = None,
) -> Values:  # fmt: skip
    """A line with parabolic blends (LSPB) from q0 to qf; otherwise as `cubic`.

    Give one of the speed V, the time t_b and the acceleration a of the blends (default: V = 1.5 |qf - q0| /
    T); the others follow from |qf - q0| = V (T - t_b), V = a t_b. The speed has to satisfy |qf - q0| / T < V
    <= 2 |qf - q0| / T. A number applies to every joint. Source: Paul, Robot Manipulators (1981), section 5.2;
    Craig, Introduction to Robotics (2005), section 7.3.
    """
    limits = {"speed": speed, "blend_time": blend_time, "acceleration": acceleration}
    pieces = point_to_point(q0, qf, duration, start=start, method="trapezoidal", **limits)
    return pieces.at(instants(times, start, start + duration))
