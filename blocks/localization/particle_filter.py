"""ParticleFilter: a pose by weighted particles, from odometry and known landmarks, or scans of a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from math import cos, pi, sin, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...robots.localization.filters import moments, resample_particles, update_weights
from ...robots.localization.models import direction, moved_to
from ...robots.planning.occupancy_map import OccupancyMap
from ...robots.shapes.ground import needles
from ..contract.capabilities import Marks
from ..contract.errors import ParameterError, Refusal
from ..contract.parameter import Array, FileLike, Real, option, parameter
from ..contract.port import Port, Size, State
from ..contract.random_numbers import normal_pair, tick, uniforms
from ..estimation.covariance import covariance
from .clocked import check_count, root
from .dead_reckoning import COVARIANCE, ODOMETRY, POSE, Odometer
from .known_world import FRESH, KnownWorld, has_fix
from .lidar import beam_angles
from .map_option import map_of
from .range_bearing import W_PUBLISHED


class Start(NamedTuple):
    """Initial distribution of the particles."""

    start: Array
    spread: Array
    area: Array  # (3, 2): minimum and maximum of x, y, heading
    anywhere: float  # 1: particles start anywhere in the area


class LandmarkReadings(NamedTuple):
    """Readings of landmarks, and their weights."""

    ranges: Array
    bearings: Array
    seen: Array
    rows: Array
    information: Array  # W^-1


class PositionReading(NamedTuple):
    """A measured position, and its weight."""

    measured_position: Array
    exactness: Array  # inverse of the covariance of its error
    fixed: float


class ScanReading(NamedTuple):
    """A scan, and the log-likelihood of a beam that ends in a cell."""

    scan: Array
    angles: Array
    field: Array
    nothing: float  # log-likelihood of an end outside the map
    cell: float
    corner: Array
    maximum: float
    scans: float  # 0: without a map


class Cloud(NamedTuple):
    """Workspace for the particles before they are resampled."""

    cloud: Array  # rows x, y, heading
    turns: Array  # rows of cosines and sines of the headings
    logarithms: Array


class Outputs(NamedTuple):
    """Outputs except the effective number."""

    pose: Array
    covariance: Array
    particles: Array
    weights: Array


class Sensors(NamedTuple):
    """The readings of landmarks, of a position and of a scan."""

    seen: LandmarkReadings
    measured: PositionReading
    scanned: ScanReading


class ParticleFilter(KnownWorld):
    """The pose of a vehicle by particles, from odometry, known landmarks, measured positions and scans.

        particle_i <- f(particle_i, odometry + v_i),   v_i ~ N(0, V)
        w_i <- w_i exp(-(z - h)' W^-1 (z - h) / 2)                        for each reading of a landmark
        w_i <- w_i exp(-(z - p_i)' Q^-1 (z - p_i) / 2)                    for a measured position
        w_i <- w_i prod (hit exp(-d^2 / (2 scan_noise^2)) + 1 - hit)      over the beams of a scan

    d is the distance of a beam's end from the nearest occupied cell (the likelihood field); beams that read
    `maximum` are ignored. `landmarks` adds the inputs for a RangeBearing, `position_covariance` Q the input
    for a PlanarGPS without drift, at every `position_every`-th tick, and `map` the input for a Lidar with its
    `beams`, `field_of_view` and `maximum`. Particles start around `initial_pose` with the covariance P0, or
    evenly over `area`: rows of the smallest and largest x, y and heading. When the effective number 1 / sum
    w^2 falls below the share `resample`, they are resampled systematically. `pose` is the weighted mean (for
    headings, the circular mean) before resampling; `particles` and `weights` are the values after resampling.
    Raises ParameterError without landmarks, positions and map, and for matrices that are not covariances.
    Source: Thrun, Burgard, Fox, Probabilistic Robotics (2005), tables 4.3, 6.3 and 8.2.

    Example:
        {type: ParticleFilter, landmarks: [[10, 0], [0, 10]], count: 100, P0: [0.01, 0.01, 0.001]}
    """

    icon = "particles"
    random: ClassVar = True
    states: ClassVar = (State("poses", "no_poses"), State("w", "even"))

    _: KW_ONLY
    count: int = option(default=1000, doc="particles")
    W: Real = parameter(
        default=list(W_PUBLISHED), unit="m2, rad2", doc="covariance of a reading", dimensions=(0, 1, 2)
    )
    area: Real | None = parameter(
        default=None, unit="m, m, rad", doc="smallest and largest x, y, heading at the start", dimensions=(2,)
    )
    resample: Real = parameter(
        default=0.5, unit="1", doc="effective share of particles, below which they are resampled",
        minimum=0, maximum=1, dimensions=(0,),
    )  # fmt: skip
    map: FileLike | Mapping[str, Any] | OccupancyMap | None = option(
        default=None, doc="the map that the Lidar scans; default: no input"
    )
    beams: int = option(default=36, doc="number of beams in a scan")
    field_of_view: Real = parameter(
        default=2.0 * pi, unit="rad", doc="angle from the first beam to the last", minimum=0,
        maximum=2.0 * pi, dimensions=(0,),
    )  # fmt: skip
    maximum: Real = parameter(default=10.0, unit="m", doc="maximum range", above=0, dimensions=(0,))
    scan_noise: Real = parameter(
        default=0.2, unit="m", doc="deviation of a beam's end from the map", above=0, dimensions=(0,)
    )
    hit: Real = parameter(
        default=0.9, unit="1", doc="share of beams that end on the map", minimum=0, maximum=1, dimensions=(0,)
    )

    def input_ports(self) -> tuple[Port, ...]:
        ports = (ODOMETRY, *self.world_ports())
        if self.map is not None:
            ports += (
                Port(
                    "scan",
                    self.beams,
                    "m",
                    "distances, from right to left",
                    flat=True,
                    pace=FRESH,
                    size_rule="one per beam",
                ),
            )
        return ports

    def output_ports(self) -> tuple[Port, ...]:
        return (
            POSE,
            COVARIANCE,
            Port(
                "particles",
                Size((self.count, 3)),
                "",
                "rows x, y, heading",
                size_rule="count x 3, a row per particle",
            ),
            Port("weights", self.count, size_rule="one per particle"),
            Port("effective", 1, "", "1 / sum w^2, before resampling"),
        )

    def check(self) -> None:
        self.check_world("map")
        super().check()

    def constants(self) -> Mapping[str, Any]:
        check_count(self, "count", 2, 1_000_000)
        area = np.zeros((3, 2)) if self.area is None else np.asarray(self.area, np.float64)
        if area.shape != (3, 2) or not (area[:, 0] <= area[:, 1]).all():
            expected = "three rows, for x, y and heading: minimum, maximum"
            raise ParameterError(self.kind(), "area", self.area, expected)
        numbers = super().constants()
        return {
            **numbers, "spread": root(numbers["begin"]), "drift": root(numbers["drift"]),
            "area": area, "anywhere": float(self.area is not None),
            "information": np.linalg.inv(covariance(self, "W", 2, positive=True)),
            "no_poses": np.zeros((self.count, 3)), "even": np.full(self.count, 1.0 / self.count),
            "exactness": np.linalg.inv(numbers["blunt"]), **self._map(),
        }  # fmt: skip

    def _map(self) -> Mapping[str, Any]:
        miss = np.log(max(1.0 - float(self.hit), 1e-300))  # type: ignore[arg-type]
        if self.map is None:
            return {
                "scan": np.zeros(1), "angles": np.zeros(1), "field": np.zeros((1, 1)), "nothing": 0.0,
                "cell": 1.0, "corner": np.zeros(2), "scans": 0.0,
            }  # fmt: skip
        of = map_of(self)
        if not of.occupied.any():
            raise ParameterError(self.kind(), "map", self.map, "a map that has occupied cells")
        d = of.clearance / float(self.scan_noise)  # type: ignore[arg-type]
        worth = float(self.hit) * np.exp(-0.5 * d * d) + np.exp(miss)  # type: ignore[arg-type]
        return {
            "field": np.log(worth), "nothing": miss, "cell": of.resolution,
            "corner": np.array(of.origin, np.float64), "scans": 1.0,
            "angles": beam_angles(self, self.beams, self.field_of_view),
        }  # fmt: skip

    def scratch(self) -> Mapping[str, tuple[int, ...]]:
        return {"cloud": (3, self.count), "turns": (2, self.count), "logarithms": (self.count,)}

    def surroundings(self) -> OccupancyMap | None:
        return None if self.map is None else map_of(self)

    def marks(self) -> Iterator[Marks]:
        yield from super().marks()
        yield Marks(("particles",), lambda size, particles: needles(particles, 0.3 * size))

    @staticmethod
    def output(
        t: float, stream: Array, sample_time: float, offset: float, odometer: Odometer, begin: Start,
        sensors: Sensors, poses: Array, w: Array, resample: float, room: Cloud, shown: Outputs,
    ) -> float:  # fmt: skip
        odometry, drift = odometer.odometry, odometer.drift
        measured, scanned = sensors.measured, sensors.scanned
        count, n, weights = tick(t, offset, sample_time), w.shape[0], shown.weights
        for i in range(n):
            weights[i], room.logarithms[i] = w[i], 0.0
            if count == 0.0:
                initial_particle(stream, i, n, begin, room.cloud[:, i])
                c, s = cos(room.cloud[2, i]), sin(room.cloud[2, i])
            else:
                one, two = normal_pair(stream[0], stream[1], count, i + 1)
                d = odometry[0] + drift[0, 0] * one + drift[0, 1] * two
                turn = odometry[1] + drift[1, 0] * one + drift[1, 1] * two
                c, s = moved_to(poses[i], d, turn, room.cloud[:, i])
            room.turns[0, i], room.turns[1, i] = c, s
        weigh_landmarks(sensors.seen, room.cloud, room.turns, room.logarithms)
        if has_fix(measured.fixed, count):
            weigh_position(measured, room.cloud, room.logarithms)
        if scanned.scans == 1.0:
            weigh_scan(scanned, room.cloud, room.logarithms)
        effective = update_weights(weights, room.logarithms)
        if effective == 0.0:
            raise Refusal(
                "no particle explains the readings: begin with more particles, or with larger V or W"
            )
        moments(room.cloud, room.turns, weights, shown.pose, shown.covariance)
        if effective < resample * n:
            lot = uniforms(stream[0], stream[1], count, 0)[0]
            resample_particles(room.cloud, weights, lot, shown.particles)
        else:
            for i in range(n):
                for j in range(3):
                    shown.particles[i, j] = room.cloud[j, i]
        return effective

    @staticmethod
    def update(particles: Array, weights: Array, next_poses: Array, next_w: Array) -> None:
        for i in range(weights.shape[0]):
            next_w[i] = weights[i]
            for j in range(3):
                next_poses[i, j] = particles[i, j]


def initial_particle(stream: Array, i: int, n: int, begin: Start, particle: Array) -> None:
    """Initial pose of particle i of n."""
    if begin.anywhere == 1.0:
        one, two = uniforms(stream[0], stream[1], 0.0, n + 2 * i + 1)
        three, _ = uniforms(stream[0], stream[1], 0.0, n + 2 * i + 2)
    else:
        one, two = normal_pair(stream[0], stream[1], 0.0, n + 2 * i + 1)
        three, _ = normal_pair(stream[0], stream[1], 0.0, n + 2 * i + 2)
    for j in range(3):
        if begin.anywhere == 1.0:
            share = one if j == 0 else (two if j == 1 else three)
            particle[j] = begin.area[j, 0] + share * (begin.area[j, 1] - begin.area[j, 0])
        else:
            s = begin.spread
            particle[j] = begin.start[j] + s[j, 0] * one + s[j, 1] * two + s[j, 2] * three


def weigh_landmarks(seen: LandmarkReadings, cloud: Array, turns: Array, logarithms: Array) -> None:
    """Add the log-likelihood of each particle given the readings of landmarks."""
    a, b, c = seen.information[0, 0], seen.information[0, 1], seen.information[1, 1]
    for k in range(seen.seen.shape[0]):
        if seen.seen[k] < 0.5:
            continue
        x, y, distance = seen.rows[k, 0], seen.rows[k, 1], seen.ranges[k]
        cosine, sine = cos(seen.bearings[k]), sin(seen.bearings[k])
        for i in range(cloud.shape[1]):
            # the landmark in axes along the measured direction, so that no angle needs wrapping
            dx, dy = x - cloud[0, i], y - cloud[1, i]
            p = turns[0, i] * cosine - turns[1, i] * sine
            q = turns[1, i] * cosine + turns[0, i] * sine
            turn = -direction(dx * p + dy * q, dy * p - dx * q)
            e = distance - sqrt(dx * dx + dy * dy)
            logarithms[i] -= 0.5 * (a * e * e + 2.0 * b * e * turn + c * turn * turn)


def weigh_position(measured: PositionReading, cloud: Array, logarithms: Array) -> None:
    """Add the log-likelihood of each particle given a measured position."""
    a, b, c = measured.exactness[0, 0], measured.exactness[0, 1], measured.exactness[1, 1]
    for i in range(cloud.shape[1]):
        dx, dy = measured.measured_position[0] - cloud[0, i], measured.measured_position[1] - cloud[1, i]
        logarithms[i] -= 0.5 * (a * dx * dx + 2.0 * b * dx * dy + c * dy * dy)


def weigh_scan(scanned: ScanReading, cloud: Array, logarithms: Array) -> None:
    """Add the log-likelihood of each particle given a scan."""
    rows, columns = scanned.field.shape
    for i in range(cloud.shape[1]):
        x, y = (
            (cloud[0, i] - scanned.corner[0]) / scanned.cell, (cloud[1, i] - scanned.corner[1]) / scanned.cell
        )  # fmt: skip
        for k in range(scanned.scan.shape[0]):
            if scanned.scan[k] < scanned.maximum:
                angle, d = cloud[2, i] + scanned.angles[k], scanned.scan[k] / scanned.cell
                column, row = x + d * cos(angle), y + d * sin(angle)
                if 0.0 <= column < columns and 0.0 <= row < rows:
                    logarithms[i] += scanned.field[int(row), int(column)]
                else:
                    logarithms[i] += scanned.nothing
