"""Turbulence: random wind of a standard spectrum."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import ClassVar

import numpy as np

from ...solvers.events.timer import Timer
from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import Array, Real, option, parameter
from ..contract.port import XYZ, Port, State
from ..contract.random_numbers import normal
from .spectra import FOOT, STATES, block_diagonal, low_altitude, turbulence_filter

LOW, HIGH = 10.0 * FOOT, 1000.0 * FOOT  # m, where the standard's low-altitude model holds


class Turbulence(Block):
    """Turbulence of the air by the spectra of Dryden or of von Karman, as a velocity in the world frame.

    The component u is along the mean wind, which blows towards `direction` (from the world's x axis about z),
    v across it, and w along z. Their spectra follow MIL-F-8785C, 3.7.2:

        dryden       2 s^2 L / (pi V (1 + x^2)),   s^2 L (1 + 3 x^2) / (pi V (1 + x^2)^2) across
        von-karman   2 s^2 L / (pi V (1 + (1.339 x)^2)^(5/6)), and so on,   x = L w / V

    one-sided, over the angular frequency w. V is the airspeed of the vehicle, or the mean wind if the vehicle
    hovers. By default `sigma` and `length`, for u, v and w, follow from `height` and the wind at 20 ft,
    `wind`, by the standard's low-altitude model (3.7.3), from 10 to 1000 ft above ground.

    Samples are drawn every `sample_time` from the filter's exact discrete equivalent, and joined by straight
    lines: below 0.05 / sample_time Hz the spectrum agrees with the standard within 5 %. The first sample is
    drawn from the stationary distribution of the filter. The wind depends on the seed of the run, its
    scenario, the block's path and the time alone. Every sample is a time event.
    Raises ParameterError for a height outside the model's range, or if only one of sigma and length is given.
    Source: MIL-F-8785C, Flying Qualities of Piloted Airplanes, 1980, sections 3.7.2 and 3.7.3.

    Example:
        {type: Turbulence, spectrum: dryden, height: 10.0, wind: 5.0, airspeed: 5.0}
    """

    icon = "wind"
    inputs: ClassVar = ()
    outputs: ClassVar = (Port("y", 3, "m/s", "velocity of the air, in the world frame", elements=XYZ),)
    states: ClassVar = (
        State("drawn", "none", held=True),
        State("before", "rest", held=True),
        State("after", "rest", held=True),
    )
    random: ClassVar = True

    spectrum: str = option(default="dryden", doc="the spectrum", choices=tuple(STATES))
    height: Real = parameter(default=10.0, unit="m", doc="height above ground", above=0, dimensions=(0,))
    wind: Real = parameter(default=5.0, unit="m/s", doc="mean wind at 20 ft", minimum=0, dimensions=(0,))
    direction: Real = parameter(
        default=0.0, unit="rad", doc="direction in which the mean wind blows", dimensions=(0,)
    )
    airspeed: Real = parameter(
        default=5.0, unit="m/s", doc="speed of the vehicle through the air", above=0, dimensions=(0,)
    )
    sigma: Real | None = parameter(
        default=None, unit="m/s", doc="intensities of u, v, w", minimum=0, dimensions=(1,)
    )
    length: Real | None = parameter(
        default=None, unit="m", doc="scale lengths of u, v, w", above=0, dimensions=(1,)
    )
    sample_time: Real = parameter(
        default=0.02, unit="s", doc="time between samples", above=0, dimensions=(0,)
    )

    def check(self) -> None:
        for name in ("sigma", "length"):
            value = getattr(self, name)
            if value is not None and np.shape(value) != (3,):
                raise ParameterError(self.kind(), name, value, "three numbers: along, across and vertical")
            if value is None and (self.sigma is None) != (self.length is None):
                raise ParameterError(self.kind(), name, value, "both `sigma` and `length`, or neither")
        if self.sigma is None and not LOW <= float(self.height) <= HIGH:  # type: ignore[arg-type]
            expected = f"{LOW:.4g} to {HIGH:.4g} m, or `sigma` and `length`"
            raise ParameterError(self.kind(), "height", self.height, expected)

    def constants(self) -> Mapping[str, Array | float]:
        sigma, length = low_altitude(float(self.height), float(self.wind))  # type: ignore[arg-type]
        if self.sigma is not None:
            sigma, length = np.asarray(self.sigma), np.asarray(self.length)
        filters = [
            turbulence_filter(
                self.spectrum, i > 0, sigma[i], length[i],
                float(self.airspeed), float(self.sample_time),  # type: ignore[arg-type]
            )
            for i in range(3)
        ]  # fmt: skip
        c, s = cos(float(self.direction)), sin(float(self.direction))  # type: ignore[arg-type]
        to_world = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        transition, noise, start, output = (block_diagonal(*parts) for parts in zip(*filters, strict=True))
        return {
            "transition": transition,
            "noise": noise,
            "begin": start,
            "components": to_world @ output,
            "none": -1.0,
            "rest": np.zeros(STATES[self.spectrum]),
        }

    def timers(self) -> Timer:
        return Timer(period=self.sample_time, offset=self.sample_time)  # type: ignore[arg-type]

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"z": (STATES[self.spectrum],)}

    # The mode counts the samples that have passed. `drawn` is the index of the sample in `before`: at an
    # event of another block it equals the mode, and nothing changes; a run that starts late catches up.

    @staticmethod
    def jump(
        mode: int, drawn: float, before: Array, after: Array, stream: Array,
        transition: Array, noise: Array, begin: Array, z: Array, next_before: Array, next_after: Array,
    ) -> float:  # fmt: skip
        for i in range(z.size):
            next_before[i] = before[i]
            next_after[i] = after[i]
        if drawn < 0.0:
            for i in range(z.size):
                z[i] = normal(stream[0], stream[1], 0.0, i)
            for i in range(z.size):
                next_after[i] = 0.0
                for j in range(z.size):
                    next_after[i] += begin[i, j] * z[j]
        while drawn < mode:
            drawn += 1.0
            for i in range(z.size):
                next_before[i] = next_after[i]
                z[i] = normal(stream[0], stream[1], drawn + 1.0, i)
            for i in range(z.size):
                next_after[i] = 0.0
                for j in range(z.size):
                    next_after[i] += transition[i, j] * next_before[j] + noise[i, j] * z[j]
        return drawn

    @staticmethod
    def output(
        t: float, mode: int, before: Array, after: Array, components: Array, sample_time: float, y: Array
    ) -> None:
        part = t / sample_time - mode
        for k in range(3):
            y[k] = 0.0
            for i in range(before.size):
                y[k] += components[k, i] * (before[i] + part * (after[i] - before[i]))
