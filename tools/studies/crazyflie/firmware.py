"""The cascaded controller that a Crazyflie flies with, at its rates and with its limits."""

from __future__ import annotations

from math import asin, atan2, cos, degrees, pi, sin
from typing import ClassVar

import numpy as np

import blockdyn as bd
from blockdyn.blocks.contract.parameter import Array

SLOWER = 5  # ticks of attitude and rates, at 500 Hz, for each of position and velocity, at 100 Hz
FULL = 65535.0  # motor commands are numbers of 16 bits
HOVER, LEAST = 36000.0, 20000.0  # of the collective command: what is added, and its lower limit
# A row for each loop: P, I, D, limit of the integral, limit of the output (0: none). Loops of positions are
# in m and m/s, of angles and their rates in degrees, as in the firmware.
GAINS = np.array(
    [
        [2.0, 0.0, 0.0, 5000.0, 1.1],  # x, y: m to m/s
        [2.0, 0.0, 0.0, 5000.0, 1.1],
        [2.0, 0.5, 0.0, 5000.0, 1.1],  # z
        [25.0, 1.0, 0.0, 5000.0, 20.0],  # velocity x, y: m/s to degrees of pitch and roll
        [25.0, 1.0, 0.0, 5000.0, 20.0],
        [25.0, 15.0, 0.0, 5000.0, 32.767],  # velocity z: to thousands of the command
        [6.0, 3.0, 0.0, 20.0, 0.0],  # roll, pitch, yaw: degrees to degrees a second
        [6.0, 3.0, 0.0, 20.0, 0.0],
        [6.0, 1.0, 0.35, 360.0, 0.0],
        [250.0, 500.0, 2.5, 33.3, 32767.0],  # rates of roll, pitch, yaw: to the command
        [250.0, 500.0, 2.5, 33.3, 32767.0],
        [120.0, 16.7, 0.0, 166.7, 32767.0],
    ]
)
COUNT, PITCH, ROLL, THRUST = 0, 1, 2, 3  # places in the state `outer`


def pid(loops: Array, gains: Array, i: int, error: float, measured: float, dt: float) -> float:
    """One of the loops: the derivative is that of the measured value, integral and output are limited.

    loops[i] holds the integral and the last measured value.
    """
    rate = -(measured - loops[i, 1]) / dt
    loops[i, 1] = measured
    loops[i, 0] = min(max(loops[i, 0] + error * dt, -gains[i, 3]), gains[i, 3])
    output = gains[i, 0] * error + gains[i, 1] * loops[i, 0] + gains[i, 2] * rate
    if gains[i, 4] > 0.0:
        output = min(max(output, -gains[i, 4]), gains[i, 4])
    return output  # type: ignore[no-any-return]


class Firmware(bd.Block):
    """Position (100 Hz), velocity (100 Hz), attitude (500 Hz) and rates (500 Hz), each a PID; then the mixer.

    What comes in is in blockdyn's axes, z down; the loops are in the firmware's, z up. Where a motor is asked
    for more than it has, all are lowered by the excess.
    Source: crazyflie-firmware by Bitcraze, position_controller_pid.c, attitude_pid_controller.c, pid.c,
    power_distribution_quadrotor.c and platform_defaults_cf2.h.
    """

    inputs: ClassVar = (
        bd.Port("target", 3, "m", "set point of the position"),
        bd.Port("target_yaw", 1, "rad"),
        bd.Port("position", 3, "m"),
        bd.Port("velocity", 3, "m/s", "in the world"),
        bd.Port("quaternion", 4, "", "attitude, scalar first"),
        bd.Port("rates", 3, "rad/s", "in body axes"),
    )
    outputs: ClassVar = (bd.Port("command", 4, "", "of the motors, 0 to 1"),)
    states: ClassVar = (bd.State("loops", "loops0"), bd.State("outer", "outer0"), bd.State("last", "last0"))
    sampled: ClassVar = True

    sample_time: bd.Real = bd.parameter(default=0.002, unit="s", doc="of attitude and rates", above=0)
    offset: bd.Real = bd.parameter(default=0.0, unit="s", doc="first tick", minimum=0)

    def constants(self) -> dict[str, Array]:
        outer = np.array([0.0, 0.0, 0.0, HOVER])
        return {"gains": GAINS, "loops0": np.zeros((12, 2)), "outer0": outer, "last0": np.zeros(4)}

    @staticmethod
    def output_command(last: Array, command: Array) -> None:
        for i in range(4):
            command[i] = last[i]

    @staticmethod
    def update(
        target: Array, target_yaw: float, position: Array, velocity: Array, quaternion: Array, rates: Array,
        loops: Array, outer: Array, gains: Array, sample_time: float,
        next_loops: Array, next_outer: Array, next_last: Array,
    ) -> None:  # fmt: skip
        for i in range(12):
            next_loops[i, 0] = loops[i, 0]
            next_loops[i, 1] = loops[i, 1]
        s, x, y, z = quaternion[0], quaternion[1], -quaternion[2], -quaternion[3]
        roll = degrees(atan2(2.0 * (s * x + y * z), s * s - x * x - y * y + z * z))
        pitch = degrees(asin(min(max(2.0 * (s * y - x * z), -1.0), 1.0)))
        yaw = degrees(atan2(2.0 * (s * z + x * y), s * s + x * x - y * y - z * z))
        tilt, bank, thrust = outer[PITCH], outer[ROLL], outer[THRUST]
        if outer[COUNT] == 0.0:
            slow = SLOWER * sample_time
            c, n = cos(yaw * pi / 180.0), sin(yaw * pi / 180.0)
            ahead, left = position[0] * c - position[1] * n, -position[0] * n - position[1] * c
            ahead_error = target[0] * c - target[1] * n - ahead
            left_error = -target[0] * n - target[1] * c - left
            u = pid(next_loops, gains, 0, ahead_error, ahead, slow)
            v = pid(next_loops, gains, 1, left_error, left, slow)
            w = pid(next_loops, gains, 2, position[2] - target[2], -position[2], slow)
            forward, sideways = velocity[0] * c - velocity[1] * n, -velocity[0] * n - velocity[1] * c
            tilt = pid(next_loops, gains, 3, u - forward, forward, slow)
            bank = -pid(next_loops, gains, 4, v - sideways, sideways, slow)
            thrust = HOVER + 1000.0 * pid(next_loops, gains, 5, w + velocity[2], -velocity[2], slow)
            thrust = min(max(thrust, LEAST), FULL)
        turn = -target_yaw * 180.0 / pi - yaw
        turn -= 360.0 * round(turn / 360.0)
        roll_rate = pid(next_loops, gains, 6, bank - roll, roll, sample_time)
        pitch_rate = pid(next_loops, gains, 7, tilt - pitch, pitch, sample_time)
        yaw_rate = pid(next_loops, gains, 8, turn, yaw, sample_time)
        p, q, r = degrees(rates[0]), -degrees(rates[1]), -degrees(rates[2])
        a = 0.5 * pid(next_loops, gains, 9, roll_rate - p, p, sample_time)
        b = 0.5 * pid(next_loops, gains, 10, pitch_rate - q, q, sample_time)
        d = pid(next_loops, gains, 11, yaw_rate - r, r, sample_time)
        # Motors 1 to 4: right ahead, right behind, left behind, left ahead; 1 and 3 turn counter-clockwise.
        next_last[0] = thrust - a - b - d
        next_last[1] = thrust - a + b + d
        next_last[2] = thrust + a + b - d
        next_last[3] = thrust + a - b + d
        excess = max(next_last[0], next_last[1], next_last[2], next_last[3], FULL) - FULL
        for i in range(4):
            next_last[i] = max(next_last[i] - excess, 0.0) / FULL
        next_outer[COUNT] = (outer[COUNT] + 1.0) % SLOWER
        next_outer[PITCH], next_outer[ROLL], next_outer[THRUST] = tilt, bank, thrust
