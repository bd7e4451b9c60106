"""Ten thousand flights of the quadrotor of case `quadrotor`, 10 s, from places and headings of their own."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

from ..contract import Candidate, Row, Settings
from ..measure import Sample, build
from ..peers import ATOL, RTOL
from ..quadrotor_model import STOP
from ..rounds import against, alone, interleaved, ratio, threads
from . import quadrotor

TITLE = "10 000 quadrotor flights of 10 s, rtol 1e-6"
CASE = "sweep_quadrotor"
FLIGHTS = 10_000
SINGLES = 20  # flights that are timed alone
SINGLE = 1 / 1.5  # least time of a flight alone / (threads x time of a flight of many)
PEERS = {"bdsim": quadrotor.bdsim, "bdsim_no_flapping": quadrotor.bdsim_no_flapping}
FASTER = 1000.0  # least time of a peer's flight / time of one of ours


def sweep(count: int) -> Any:
    import blockdyn as bd

    ranges = {"px": 0.5, "py": 0.5, "yaw": 0.05}  # about nought; with more yaw at the start, rotors saturate
    axes = {f"{state}.x": {"uniform": {"low": -most, "high": most}} for state, most in ranges.items()}
    measures = {"height": {"final": "pz"}, "sway": {"rms": "px"}}
    return bd.Sweep(
        quadrotor.diagram(), axes, measures, number=count, seed=1, stop=STOP, method="dopri5", rtol=RTOL,
        atol=ATOL,
    )  # fmt: skip


def flown_alone() -> Callable[[], object]:
    """One flight after another, from Python: the last row and no more is kept."""
    program = quadrotor.diagram().compile()

    def run() -> None:
        for _ in range(SINGLES):
            program.simulate(stop=STOP, method="dopri5", rtol=RTOL, atol=ATOL, log=["pz", "px"])

    return run


def per(sample: Sample, count: int) -> Sample:
    """The time of one of `count`."""
    return Sample([t / count for t in sample.wall], [t / count for t in sample.cpu])


def rows(settings: Settings) -> list[Row]:
    count, workers = FLIGHTS // 50 if settings.quick else FLIGHTS, threads()
    many = sweep(count)
    runs = {"many": lambda: many.run(workers=workers, progress=False), "single": flown_alone()}
    measured: list[Row] = []
    for name, factory in ({} if settings.quick else PEERS).items():
        peer = build(factory, name)
        if isinstance(peer, Candidate):
            runs[name] = peer.run
        else:
            measured.append(Row(CASE, name, required=f">= {FASTER:g}", note=peer))
    times = interleaved(runs, min(settings.runs, 3))
    flight, single = per(times["many"], count), per(times["single"], SINGLES)
    rate = 1.0 / median(flight.wall)
    share = ratio(single, flight) / workers
    ours = alone(
        CASE, f"ours: a flight of {count}", flight, note=f"{rate:.0f} flights/s on {workers} threads"
    )
    compared = Row(
        CASE, "ours: a flight alone", wall=1e3 * median(single.wall), cpu=1e3 * median(single.cpu),
        ratio=share, cpu_ratio=ratio(single, flight, cpu=True), required=f">= {SINGLE:.3g}",
        met=share >= SINGLE, runs=len(single.wall),
        note=f"time alone / ({workers} x time of a flight of many); processor time alone / of many",
    )  # fmt: skip
    peers = [against(CASE, name, times[name], flight, FASTER) for name in PEERS if name in times]
    return [ours, compared, *peers, *measured]
