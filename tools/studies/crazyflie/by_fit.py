"""The same translation as a block, its numbers found by `Diagram.fit` from many short runs at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.spatial.transform import Rotation

import blockdyn as bd
from blockdyn.blocks.contract.parameter import Array

from .flights import GRAVITY, STEP, Flight
from .thrust import lagged
from .translation import Model

if TYPE_CHECKING:
    from blockdyn.gradients.fitted import Fit

SPAN = 2.0  # s: of each run, behind which errors of the measured attitude outweigh those of the model
SHOWN = 5  # readings from one that is compared to the next: 0.05 s
LAG = 0.04  # s: with which the motors' commands are filtered where a run begins
NAMES = tuple(field.name for field in fields(Model))


class Translation(bd.Block):
    """A point mass under the thrust of four motors and a linear drag, in blockdyn's axes.

        T/m = k1 sum_i x_i + k2 sum_i x_i^2,     x = u V,    lag du/dt = command - u
        dv/dt = g e_z + R (T/m (trim_x, trim_y, -1) - d R^T v)

    The position that comes out is that of the tracked point, at `tracked` e_z of the body.
    """

    inputs: ClassVar = (
        bd.Port("quaternion", 4, "", "measured attitude, scalar first"),
        bd.Port("command", 4, "", "of the motors, 0 to 1"),
        bd.Port("voltage", 1, "V"),
    )
    outputs: ClassVar = (bd.Port("position", 3, "m"),)
    states: ClassVar = (bd.State("p", "rest", "m"), bd.State("v", "rest", "m/s"), bd.State("u", "first"))

    k1: bd.Real = bd.parameter(default=Model.k1, unit="m/s2/V", doc="thrust over mass, linear")
    k2: bd.Real = bd.parameter(default=Model.k2, unit="m/s2/V2", doc="thrust over mass, quadratic")
    drag_x: bd.Real = bd.parameter(default=Model.drag_x, unit="1/s", doc="drag over mass")
    drag_y: bd.Real = bd.parameter(default=Model.drag_y, unit="1/s", doc="drag over mass")
    drag_z: bd.Real = bd.parameter(default=Model.drag_z, unit="1/s", doc="drag over mass")
    trim_x: bd.Real = bd.parameter(default=Model.trim_x, unit="rad", doc="of the thrust's axis")
    trim_y: bd.Real = bd.parameter(default=Model.trim_y, unit="rad", doc="of the thrust's axis")
    lag: bd.Real = bd.parameter(default=Model.lag, unit="s", doc="of the motors", above=0)
    tracked: bd.Real = bd.parameter(default=Model.tracked, unit="m", doc="z of the tracked point")

    def constants(self) -> dict[str, Array]:
        return {"rest": np.zeros(3), "first": np.full(4, 0.5)}

    @staticmethod
    def output_position(quaternion: Array, p: Array, tracked: float, position: Array) -> None:
        s, x, y, z = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
        r = tracked / (s * s + x * x + y * y + z * z)  # between two readings it is not quite 1
        position[0] = p[0] + 2.0 * r * (x * z + s * y)
        position[1] = p[1] + 2.0 * r * (y * z - s * x)
        position[2] = p[2] + r * (s * s - x * x - y * y + z * z)

    @staticmethod
    def derivative(
        quaternion: Array, command: Array, voltage: float, v: Array, u: Array, k1: float, k2: float,
        drag_x: float, drag_y: float, drag_z: float, trim_x: float, trim_y: float, lag: float,
        d_p: Array, d_v: Array, d_u: Array,
    ) -> None:  # fmt: skip
        s, x, y, z = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
        n = s * s + x * x + y * y + z * z
        xx, xy, xz = (s * s + x * x - y * y - z * z) / n, 2.0 * (x * y - s * z) / n, 2.0 * (x * z + s * y) / n
        yx, yy, yz = 2.0 * (x * y + s * z) / n, (s * s - x * x + y * y - z * z) / n, 2.0 * (y * z - s * x) / n
        zx, zy, zz = 2.0 * (x * z - s * y) / n, 2.0 * (y * z + s * x) / n, (s * s - x * x - y * y + z * z) / n
        thrust = 0.0
        for i in range(4):
            a = u[i] * voltage
            thrust += k1 * a + k2 * a * a
            d_u[i] = (command[i] - u[i]) / lag
        ahead = thrust * trim_x - drag_x * (xx * v[0] + yx * v[1] + zx * v[2])
        right = thrust * trim_y - drag_y * (xy * v[0] + yy * v[1] + zy * v[2])
        below = -thrust - drag_z * (xz * v[0] + yz * v[1] + zz * v[2])
        for i in range(3):
            d_p[i] = v[i]
        d_v[0] = xx * ahead + xy * right + xz * below
        d_v[1] = yx * ahead + yy * right + yz * below
        d_v[2] = zx * ahead + zy * right + zz * below + GRAVITY


def translation() -> bd.Diagram:
    """The block with Inports for what was measured."""
    d = bd.Diagram("translation")
    body = d.add("body", Translation())
    d.connect(d.add("quaternion", bd.Inport(default=[1.0, 0.0, 0.0, 0.0])), body["quaternion"])
    d.connect(d.add("command", bd.Inport(default=[0.5] * 4)), body["command"])
    d.connect(d.add("voltage", bd.Inport(default=3.8, unit="V")), body["voltage"])
    d.log(body["position"])
    return d


def experiments(flight: Flight) -> list[bd.Experiment]:
    """A flight in runs of two seconds, each with a position and a velocity of its own to begin with."""
    attitude = Rotation.from_matrix(flight.attitude).as_quat(scalar_first=True)
    for k in range(1, len(attitude)):
        attitude[k] *= np.sign(attitude[k] @ attitude[k - 1])
    filtered, rows, runs = lagged(flight.command, LAG), round(SPAN / STEP), []
    for k in range(0, len(attitude) - rows, rows):
        part, t = slice(k, k + rows + 1), STEP * np.arange(rows + 1)
        measured = {"quaternion": attitude, "command": flight.command, "voltage": flight.voltage}
        begins = {"p": flight.position[k], "v": flight.velocity[k]}
        runs.append(
            bd.Experiment(
                {"time": t[::SHOWN], "body.position": flight.position[part][::SHOWN]},
                inputs={name: {"times": t, "values": values[part]} for name, values in measured.items()},
                set={"body.u": filtered[k]},
                unknown={f"body.{s}[{i}]": float(at[i]) for s, at in begins.items() for i in range(3)},
            )
        )
    return runs


def fitted(flights: Sequence[Flight]) -> tuple[Model, Fit]:
    """The numbers that the runs of these flights tell, and how well they do."""
    runs = [run for flight in flights for run in experiments(flight)]
    paths = [f"body.{name}" for name in NAMES]
    answer = translation().fit(runs, paths, bounds={"body.lag": (0.005, 0.2)}, rtol=1e-6)
    return Model(*(answer[path] for path in paths)), answer
