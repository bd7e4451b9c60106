"""Where the rotors of a multirotor sit and which way they turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..mechanics.work import Array


class Rotors(NamedTuple):
    """Hub positions in the body frame, m (a row each), and the signs of rotation about the body's z axis."""

    hubs: Array
    spins: Array


def ring(count: int, arm: float, hub_height: float) -> Rotors:
    """Rotors evenly around the body: the first on +x, clockwise seen from above, turning +, -, +, - ...

    With z down, hub i stands at the angle 2 pi i / count about z, at z = hub_height.
    """
    angles = 2.0 * np.pi * np.arange(count) / count
    hubs = np.column_stack([arm * np.cos(angles), arm * np.sin(angles), np.full(count, hub_height)])
    hubs[np.abs(hubs) < 1e-15 * arm] = 0.0
    return Rotors(hubs, np.where(np.arange(count) % 2 == 0, 1.0, -1.0))


def allocation(rotors: Rotors, thrust: float, drag: float) -> Array:
    """The 4 x N matrix from squared rotor speeds to (roll, pitch, yaw torque, total thrust).

        tau = sum_i D_i x (0, 0, -b w_i^2) - k w_i |w_i| e_z,  T = sum_i b w_i^2

    with thrust coefficient b and drag coefficient k.
    """
    x, y, _ = rotors.hubs.T
    return np.array([-thrust * y, thrust * x, -drag * rotors.spins, np.full(x.size, thrust)])
