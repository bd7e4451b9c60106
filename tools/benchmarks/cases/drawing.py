"""Drawing a diagram of 200 blocks drawn at random from the library, and one of the gallery, as SVG."""

from __future__ import annotations

from statistics import median
from time import perf_counter, process_time
from typing import Any

from ..contract import Row, Settings
from .compile_random import declare

CASE = "drawing"
BLOCKS = 200
LIMIT = 5000.0  # ms of the processor


def drawn(diagram: Any) -> tuple[float, float]:
    """The time to the text of the picture, and that of the processor, ms."""
    wall, cpu = perf_counter(), process_time()
    _ = diagram.draw().svg
    return 1e3 * (perf_counter() - wall), 1e3 * (process_time() - cpu)


def rows(settings: Settings) -> list[Row]:
    try:
        import py_mini_racer  # noqa: F401
    except ImportError:
        return [Row(CASE, "ours", note='skipped: pip install "blockdyn[drawing]"')]
    import blockdyn as bd

    drawn(declare(10, 0))  # the layout engine is loaded once in a process
    measured = []
    for name, diagrams in (
        (f"{BLOCKS} random blocks", [declare(BLOCKS, seed) for seed in range(settings.runs)]),
        ("gallery: quadrotor", [bd.load("quadrotor") for _ in range(settings.runs)]),
    ):
        wall, cpu = (median(times) for times in zip(*map(drawn, diagrams), strict=True))
        blocks, wires = len(diagrams[0].blocks), len(diagrams[0].wires)
        measured.append(
            Row(
                CASE, f"ours: {name}", wall=wall, cpu=cpu, required=f"{LIMIT:g} ms", met=cpu <= LIMIT,
                note=f"{blocks} blocks, {wires} wires", runs=settings.runs,
            )
        )  # fmt: skip
    return measured
