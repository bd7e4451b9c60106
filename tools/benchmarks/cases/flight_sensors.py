"""An X-4 with every effect along a figure eight, 10 s, and six sensors that nothing listens to."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..contract import Row, Settings
from ..peers import ATOL, RTOL
from ..rounds import interleaved

CASE = "flight with six sensors, 10 s, rtol 1e-6"
LIMIT = 10.0  # ms, with the IMU at 100 Hz
VEHICLE = {
    "name": "x4", "linear_drag": [0.4, 0.4, 0.6],
    "rotor": {"time_up": 0.05, "time_down": 0.05, "fastest": 1300.0, "in_plane_drag": 1.19e-4},
    "battery": {"full": 12.6, "empty": 10.5, "resistance": 0.02, "capacity": 2.2, "efficiency": 0.6},
}  # fmt: skip
RATES = {"ours: no sensors": 0, "ours: IMU at 100 Hz": 100, "ours: IMU at 500 Hz": 500}


def diagram(rate: int) -> Any:
    """Flight, cascade, mixer, vehicle, wind; sensors, with the IMU at `rate`, Hz."""
    import blockdyn as bd

    d = bd.Diagram("flight")
    eight = bd.FigureEight(length=6, width=3, frequency=1.2, ramp=2.0, centre=[0, 0, -2])
    control = d.add("control", bd.CascadeControl(VEHICLE, against_drag=True))
    mixer = d.add("mixer", bd.MotorMixer(VEHICLE))
    vehicle = bd.NRotor(
        VEHICLE, motors=True, rotor_drag=True, body_drag=True, flapping="published", ground_effect=True,
        battery=True, initial_position=[0, 0, -2],
    )  # fmt: skip
    d.connect(d.add("vehicle", vehicle)["*"], control["*"])
    d.connect(d.add("eight", eight)["*"], control["*_ref"])
    d.connect(control["*"], mixer["*"])
    d.connect(mixer["omega"], d["vehicle"]["omega"])
    d.connect(d.add("wind", bd.Constant([3.0, 1.0, 0.0])), d["vehicle"]["wind"])
    others = (bd.GPS, bd.Barometer, bd.Magnetometer, bd.MotionCapture, bd.RangeFinder)
    for sensor in (bd.IMU(sample_time=1.0 / rate), *(kind() for kind in others)) if rate else ():
        d.connect(d["vehicle"]["*"], d.add(type(sensor).__name__.lower(), sensor)["*"])
    return d


def rows(settings: Settings) -> list[Row]:
    runs = {}
    for name, rate in RATES.items():
        log = ["vehicle.position", *(["imu.gyroscope"] if rate else [])]
        program = diagram(rate).compile()
        runs[name] = lambda program=program, log=log: program.simulate(
            stop=10.0, method="dopri5", rtol=RTOL, atol=ATOL, log=log
        )
    measured = []
    for name, sample in interleaved(runs, settings.runs).items():
        wall, cpu = 1e3 * median(sample.wall), 1e3 * median(sample.cpu)
        asked = f"<= {LIMIT:g} ms" if "100 Hz" in name else ""
        met = cpu <= LIMIT if asked else None
        measured.append(Row(CASE, name, wall=wall, cpu=cpu, required=asked, met=met, runs=settings.runs))
    return measured
