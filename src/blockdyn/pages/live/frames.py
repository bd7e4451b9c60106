"""Samples and poses are packed as bytes for the page (messages.ts in front/), thinned to pixels."""

from __future__ import annotations

import struct

import numpy as np

from ...solvers.layout import Floats

PICTURE, RANGE, PATH = 1, 2, 3
A_PIXEL = 2  # samples: its least and its greatest


def picture(number: int, time: float, computed: float, times: Floats, values: Floats, poses: object) -> bytes:
    """News since the picture before: times (n,), values (lines, n), positions of the bodies."""
    numbers = np.asarray(poses, "<f4")
    head = struct.pack("<4I3d", PICTURE, len(times), len(values), numbers.size, float(number), time, computed)
    return head + _body(times, values) + numbers.tobytes()


def stretch(number: int, start: float, end: float, times: Floats, values: Floats) -> bytes:
    """All samples of a stretch of time, the answer to question `number`."""
    head = struct.pack("<4I3d", RANGE, len(times), len(values), number, start, end, 0.0)
    return head + _body(times, values)


def path(times: Floats, tips: Floats) -> bytes:
    """The way that bodies have gone since the picture before: times (n,), coordinates (3 a body, n)."""
    return struct.pack("<4I3d", PATH, len(times), len(tips), 0, 0.0, 0.0, 0.0) + _body(times, tips)


def _body(times: Floats, values: Floats) -> bytes:
    return np.ascontiguousarray(times, "<f8").tobytes() + np.ascontiguousarray(values, "<f4").tobytes()


def thinned(times: Floats, values: Floats, pixel: float) -> tuple[Floats, Floats]:
    """At most two samples a pixel of `pixel` s: of every line its least and its greatest in it."""
    if len(times) <= A_PIXEL or pixel <= 0.0:
        return times, values
    cells = np.floor((times - times[0]) / pixel)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(cells)) + 1])
    if A_PIXEL * len(starts) >= len(times):
        return times, values
    ends = np.append(starts[1:], len(times)) - 1
    least, greatest = np.fmin.reduceat(values, starts, axis=1), np.fmax.reduceat(values, starts, axis=1)
    rising = values[:, ends] >= values[:, starts]
    few = np.empty((len(values), A_PIXEL * len(starts)))
    few[:, 0::2] = np.where(rising, least, greatest)
    few[:, 1::2] = np.where(rising, greatest, least)
    instants = np.empty(A_PIXEL * len(starts))
    instants[0::2], instants[1::2] = times[starts], times[ends]
    return instants, few
