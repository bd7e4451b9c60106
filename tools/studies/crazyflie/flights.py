"""Measured flights, read and put on one grid of time, in blockdyn's axes: x forward, y right, z down."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.signal import savgol_filter
from scipy.spatial.transform import Rotation, Slerp

Array = NDArray[np.float64]

STEP = 0.01  # s: the flights were logged at 100 Hz, with single readings left out
FILES = {
    "circle": "B2_circle_slow_rep1.csv",
    "figure eight": "B3_figure8_fast_rep1.csv",
    "helix": "B5_helix_fast_rep1.csv",
    "Lissajous": "B10_lissajous_fast_rep1.csv",
}
FLIP = np.array([1.0, -1.0, -1.0])  # from axes with y left and z up
GRAVITY = 9.81
SMOOTHED = 21  # readings, 0.2 s: over these a cubic gives the velocity


class Flight(NamedTuple):
    """What was measured while the vehicle flew, a row every 10 ms."""

    t: Array  # s
    position: Array  # (n, 3), m, of the marker that the cameras follow
    velocity: Array  # (n, 3), m/s, of the same
    attitude: Array  # (n, 3, 3), from body to world
    rates: Array  # (n, 3), rad/s, in body axes, from the attitude
    command: Array  # (n, 4), motor commands, 0 to 1
    voltage: Array  # (n,), V
    accelerometer: Array  # (n, 3), m/s2
    target: Array  # (n, 3), m, set points of the position
    target_yaw: Array  # (n,), rad


def read(folder: Path, name: str) -> Flight:
    """One of the flights in `folder`.

    Raises FileNotFoundError if the file is missing and ValueError where a column is.
    """
    path = folder / FILES[name]
    data = np.genfromtxt(path, delimiter=",", names=True)
    columns = data.dtype.names or ()

    def take(*names: str) -> Array:
        missing = [column for column in names if column not in columns]
        if missing:
            raise ValueError(f"{path}: no column {', '.join(missing)}")
        return np.stack([data[column] for column in names], axis=-1)

    command = take("pwm_1", "pwm_2", "pwm_3", "pwm_4") / 65535.0
    height = data["pz"]
    flying = np.flatnonzero((height > 0.3) & (command.sum(axis=1) > 1.6))
    measured = data["t"]
    t = np.arange(measured[flying[0]], measured[flying[-1]], STEP)

    def on_grid(values: Array) -> Array:
        return np.stack([np.interp(t, measured, column) for column in values.T], axis=-1)

    turned = Rotation.from_quat(take("qw", "qx", "qy", "qz") * [1.0, 1.0, -1.0, -1.0], scalar_first=True)
    attitude = Slerp(measured, turned)(t).as_matrix()
    spin = np.einsum("nji,njk->nik", attitude, np.gradient(attitude, STEP, axis=0))
    position = on_grid(take("px", "py", "pz") * FLIP)
    held = np.maximum(np.searchsorted(measured, t, side="right") - 1, 0)
    return Flight(
        t=t - t[0],
        position=position,
        velocity=savgol_filter(position, SMOOTHED, 3, 1, STEP, axis=0),
        attitude=attitude,
        rates=savgol_filter(np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1), 11, 2, axis=0),
        command=on_grid(command),
        voltage=np.interp(t, measured, data["battery"]),
        accelerometer=on_grid(take("acc_x", "acc_y", "acc_z") * FLIP) * GRAVITY,
        target=(take("target_x", "target_y", "target_z") * FLIP)[held],
        target_yaw=-np.radians(data["target_yaw"][held]),
    )
