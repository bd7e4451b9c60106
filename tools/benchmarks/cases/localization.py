"""SLAM, particles and scans: 1000 steps of an estimator, and one scan of a large map."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

from ..contract import Row, Settings
from ..rounds import interleaved

CASE = "localization"
TITLE = "localization: estimators over 1000 steps, a scan of 1000 by 1000 cells"
SCANS = 1000
SLAM = "EKF SLAM, 50 landmarks, 1000 steps"
PARTICLES = "1000 particles, 20 landmarks at each of 1000 steps"
SCAN = "lidar scan, 360 beams, 1000 by 1000 cells"
LIMITS = {SLAM: 50.0, PARTICLES: 200.0, SCAN: 0.2}  # ms


def circling(estimator: Any, landmarks: Any, report: str) -> Any:
    """A car on a circle that reads one landmark, or all, at each step."""
    import blockdyn as bd

    d = bd.Diagram("circling")
    car = d.add("car", bd.Bicycle(wheelbase=1.0))
    d.connect(d.add("speed", bd.Constant(1.0)), car["v"])
    d.connect(d.add("steering", bd.Constant(0.2)), car["gamma"])
    odometry, sensor = (
        d.add("odometry", bd.Odometry()),
        d.add("sensor", bd.RangeBearing(landmarks, report=report)),
    )
    d.connect(car["*"], odometry["*"])
    d.connect(car["pose"], sensor)
    d.connect(odometry, d.add("estimator", estimator)["odometry"])
    d.connect(sensor["*"], d["estimator"]["*"])
    return d


def scanning() -> Any:
    """A lidar in the middle of 60 boxes between walls."""
    import blockdyn as bd
    from blockdyn.robots import planning

    rng, cells = np.random.default_rng(1), np.zeros((1000, 1000))
    cells[0] = cells[-1] = cells[:, 0] = cells[:, -1] = 1
    for row, column, height, width in zip(*rng.integers(2, 980, (2, 60)), *rng.integers(2, 40, (2, 60))):
        cells[row : row + height, column : column + width] = 1
    cells[480:520, 480:520] = 0
    d = bd.Diagram("scanning")
    lidar = bd.Lidar(planning.OccupancyMap(cells, 0.05), beams=360, maximum=60.0, sample_time=1.0)
    d.connect(d.add("pose", bd.Constant([25.0, 25.0, 0.3])), d.add("lidar", lidar))
    return d


def rows(settings: Settings) -> list[Row]:
    import blockdyn as bd

    rng = np.random.default_rng(1)
    many, few = rng.uniform(-10, 10, (50, 2)), rng.uniform(-10, 10, (20, 2))
    particles = bd.ParticleFilter(few, count=1000, P0=[0.01, 0.01, 0.001])
    diagrams = {
        SLAM: (circling(bd.EKFSLAM(50), many, "random"), 99.95, "estimator.pose"),
        PARTICLES: (circling(particles, few, "all"), 99.95, "estimator.pose"),
        SCAN: (scanning(), SCANS - 0.5, "lidar.scan"),
    }
    runs = {}
    for name, (d, stop, signal) in diagrams.items():
        program = d.compile()
        runs[name] = lambda program=program, stop=stop, signal=signal: program.simulate(
            stop=stop, log=[signal], times=[stop]
        )
    measured = []
    for name, sample in interleaved(runs, settings.runs).items():
        share = 1e3 / SCANS if name == SCAN else 1e3
        wall, cpu = share * median(sample.wall), share * median(sample.cpu)
        limit = LIMITS[name]
        measured.append(
            Row(
                CASE, name, wall=wall, cpu=cpu, required=f"<= {limit:g} ms", met=cpu <= limit,
                runs=settings.runs,
            )
        )  # fmt: skip
    return measured
