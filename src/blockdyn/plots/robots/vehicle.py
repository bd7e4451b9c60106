"""A multirotor is drawn from above and from the rear, with the spin of its rotors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...robots.model.poses import Array
from ...robots.shapes.multirotor import NEAR, disc_radius
from ...robots.vehicles.multirotor import Multirotor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLOCKWISE, COUNTER, BODY, AXIS = "#0072B2", "#D55E00", "#5B6470", "#8C9199"
ABOVE, SIDE = (1, 0), (1, 2)  # axes to the right and up: y and x from above, y and -z from the rear
SIZE, SHARES = (3.4, 4.6), (4.0, 1.5)  # inches, of a card on a page; relative heights of the two views


def notebook_picture(vehicle: Multirotor) -> Figure:
    """The picture for a notebook."""

    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    draw(vehicle, figure)
    return figure


def draw(vehicle: Multirotor, figure: Figure) -> None:
    """Draw the view from above (nose up) and the view from the rear into a figure."""
    axes = figure.subplots(2, 1, height_ratios=SHARES)
    radius = disc_radius(vehicle)
    for view, (across, up) in zip(axes, (ABOVE, SIDE)):
        sign = -1.0 if up == 2 else 1.0
        _booms(vehicle, view, across, up, sign)
        for i, rotor in enumerate(vehicle.rotors):
            color = CLOCKWISE if rotor.spin > 0 else COUNTER
            disc = _disc(vehicle.hubs[i], vehicle.axes[i], radius)
            view.fill(
                disc[:, across], sign * disc[:, up], facecolor=color, alpha=0.18, edgecolor=color, lw=1.0
            )
        view.set_aspect("equal", adjustable="datalim")
        view.margins(0.12)
        view.grid(color="#E4E4E4", lw=0.6)
        view.set_axisbelow(True)
        view.locator_params(nbins=4)
    above, behind = axes
    above.set_title("top view", fontsize=9, loc="left")
    behind.set_title("rear view", fontsize=9, loc="left")
    above.set_ylabel("x, forward (m)")
    behind.set_ylabel("-z, up (m)")
    behind.set_xlabel("y, right (m)")
    _turns(vehicle, above, radius)
    _thrusts(vehicle, behind, radius)


def _booms(vehicle: Multirotor, view: Any, across: int, up: int, sign: float) -> None:
    for hub in vehicle.hubs:
        view.plot(
            [0.0, hub[across]], [0.0, sign * hub[up]], color=BODY, lw=2.0, solid_capstyle="round", zorder=1
        )
    view.plot(0.0, 0.0, "o", color=BODY, ms=6, zorder=2)


def _disc(hub: Array, axis: Array, radius: float) -> Array:
    """The rim of a rotor's disc, (k, 3)."""
    first = np.cross(axis, [0.0, 1.0, 0.0] if abs(axis[1]) < 0.9 else [1.0, 0.0, 0.0])
    first /= np.linalg.norm(first)
    angles = np.linspace(0.0, 2.0 * np.pi, 49)[:, None]
    return np.asarray(hub + radius * (np.cos(angles) * first + np.sin(angles) * np.cross(axis, first)))


def _turns(vehicle: Multirotor, view: Any, radius: float) -> None:
    """Draw an arrow around each rotor; for coaxial rotors the lower arrow is inside."""
    size = float(np.abs(vehicle.hubs[:, :2]).max())
    for i, rotor in enumerate(vehicle.rotors):
        x, y, z = rotor.place
        near = bool(((_flat(vehicle, i) < NEAR * size) & (vehicle.hubs[:, 2] < z)).any())
        r = radius * (0.72 - 0.32 * near)
        angles = np.radians(np.linspace(60.0, 330.0, 40))
        color = CLOCKWISE if rotor.spin > 0 else COUNTER
        # clockwise on the page, with y to the right and x up
        ring = np.column_stack([y + r * np.sin(rotor.spin * angles), x + r * np.cos(rotor.spin * angles)])
        view.plot(*ring[:-2].T, color=color, lw=1.4)
        arrow = {"arrowstyle": "-|>", "color": color, "lw": 1.4, "shrinkA": 0, "shrinkB": 0}
        view.annotate("", ring[-1], ring[-3], arrowprops=arrow)
        shift = 0.3 * radius * (-1 if near else 1) if (_flat(vehicle, i) < NEAR * size).sum() > 1 else 0.0
        badge = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": color, "linewidth": 0.8}
        view.text(
            y + shift, x, str(i + 1), ha="center", va="center", color=color, fontsize=8, bbox=badge, zorder=4
        )
    view.annotate(
        "", (0.0, 0.45 * size), (0.0, 0.0), arrowprops={"arrowstyle": "-|>", "color": AXIS, "lw": 1.2}
    )


def _flat(vehicle: Multirotor, i: int) -> Array:
    """The distances from rotor i seen from above, m."""
    return np.asarray(np.linalg.norm(vehicle.hubs[:, :2] - vehicle.hubs[i, :2], axis=1))


def _thrusts(vehicle: Multirotor, view: Any, radius: float) -> None:
    for hub, axis in zip(vehicle.hubs, vehicle.axes):
        tip = hub + 0.8 * radius * axis
        arrow = {"arrowstyle": "-|>", "color": BODY, "lw": 1.0}
        view.annotate("", (tip[1], -tip[2]), (hub[1], -hub[2]), arrowprops=arrow)
