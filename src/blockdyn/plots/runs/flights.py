"""Figures of flights show tracks from above and from the side, attitudes and rotor speeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ...diagrams.results.provenance import FlightFigure
from ...diagrams.results.trace import FloatArray, Trace
from ..style import COLORS, GREY, TEXT, few_ticks, legend_above
from .panel import Panel

if TYPE_CHECKING:
    from ...diagrams.results.result import Result

_AXES = ("x", "y", "height")
_LEAST, _LEAST_PART = 1e-3, 0.02  # the least width of a track's axes: m, and relative to the full flight


@dataclass(frozen=True)
class Track:
    """Actual and reference position of a vehicle, (n, 3), m: x forward, y right, height up.

    `reference_path` is the signal of the reference position.
    """

    path: str
    flown: FloatArray
    reference_path: str = ""
    reference: FloatArray | None = None


def tracks(result: Result) -> list[Track]:
    """The tracks of all vehicles with a logged position."""
    return [
        Track(
            flight.path,
            _upwards(result.trace(flight.position)),
            flight.reference,
            _upwards(result.trace(flight.reference)) if flight.reference else None,
        )
        for flight in result.flights
        if flight.position and result.trace(flight.position).samples
    ]


def _upwards(trace: Trace) -> FloatArray:
    return np.asarray(trace.flat * [1.0, 1.0, -1.0])


def flight_panels(result: Result) -> list[Panel]:
    """Attitude and rotor speeds over time, for each vehicle."""
    panels = []
    for flight in result.flights:
        whose = f" of {flight.path}" if len(result.flights) > 1 else ""
        panels.append(Panel(tuple(_angles(result, flight)), f"Attitude{whose}"))
        panels.append(Panel(tuple(_speeds(result, flight)), f"Rotor speeds{whose}"))
    return [panel for panel in panels if panel.traces]


def _angles(result: Result, flight: FlightFigure) -> list[Trace]:
    """Roll, pitch and yaw, R = Rz(yaw) Ry(pitch) Rx(roll), of the attitude."""
    if not flight.attitude:
        return []
    trace = result.trace(flight.attitude)
    s, x, y, z = (trace.flat / np.linalg.norm(trace.flat, axis=1, keepdims=True)).T
    angles = {
        "roll": np.arctan2(2 * (s * x + y * z), 1 - 2 * (x * x + y * y)),
        "pitch": np.arcsin(np.clip(2 * (s * y - x * z), -1.0, 1.0)),
        "yaw": np.arctan2(2 * (s * z + x * y), 1 - 2 * (y * y + z * z)),
    }
    return [Trace(name, trace.time, angle, "rad", kind=trace.kind) for name, angle in angles.items()]


def _speeds(result: Result, flight: FlightFigure) -> list[Trace]:
    """The unsigned speeds of the rotors."""
    if not flight.speeds:
        return []
    trace = result.trace(flight.speeds)
    return [
        replace(trace, path=f"rotor {i}", values=np.abs(column), unit="rad/s", labels=())
        for i, column in enumerate(trace.flat.T, start=1)
    ]


def draw_tracks(above: Axes, side: Axes, drawn: Sequence[Track], *, width: float) -> None:
    """Draw tracks from above and from the side, on the axis x or y along which they are longer; `width` of
    each in inches. A motion within a hundredth of the flight is a point, not an enlarged rounding error.
    """
    points = np.concatenate([track.flown for track in drawn])
    spans, middle = np.ptp(points, axis=0), (points.min(axis=0) + points.max(axis=0)) / 2.0
    least = max(_LEAST, _LEAST_PART * float(spans.max()))
    for axes, title, across, up in (
        (above, "Trajectory, top view", 1, 0),
        (side, "Trajectory, side view", int(spans[1] > spans[0]), 2),
    ):
        handles, names = map(list, zip(*_lines(axes, drawn, across, up)))
        rows = legend_above(axes, handles, names, width=width)
        axes.set_title(title, fontsize=TEXT, fontweight="bold", loc="left", pad=10.5 * rows + 4.0)
        axes.set_xlabel(f"{_AXES[across]} (m)", fontsize=TEXT)
        axes.set_ylabel(f"{_AXES[up]} (m)", fontsize=TEXT)
        axes.margins(0.06)
        few_ticks(axes, width)
        axes.update_datalim(middle[[across, up]] + np.array([[-0.5], [0.5]]) * least)
        axes.set_aspect("equal", adjustable="datalim")


def _lines(axes: Axes, drawn: Sequence[Track], across: int, up: int) -> Iterator[tuple[Any, str]]:
    """Draw references, dashed, each once, under the actual tracks, from ring to dot; returns names."""
    paths = [track.reference_path for track in drawn]
    for number, track in enumerate(drawn):
        color = COLORS[number % len(COLORS)]
        several = f" {track.path}" if len(drawn) > 1 else ""
        if track.reference is not None and track.reference_path not in paths[:number]:
            alone = len({*paths}) == 1
            line = axes.plot(
                track.reference[:, across], track.reference[:, up], color=GREY if alone else color,
                linewidth=1.0, linestyle=(0, (4, 2)), zorder=1,
            )  # fmt: skip
            yield line[0], "reference" if alone else f"reference{several}"
        x, y = track.flown[:, across], track.flown[:, up]
        yield axes.plot(x, y, color=color, linewidth=1.2, zorder=2)[0], f"actual{several}"
        for at, face in ((0, "white"), (-1, color)):
            axes.plot(x[at], y[at], marker="o", markersize=4.0, color=color, markerfacecolor=face, zorder=3)
