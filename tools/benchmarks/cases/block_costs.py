"""What an evaluation of a table over two signals, and of an enabled subsystem, costs over a plain block's."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from ..contract import Row, Settings
from ..rounds import interleaved

CASE = "costs of blocks"
COUNT = 8  # of the blocks in a diagram
STOP, STEPS, STAGES = 10.0, 50_000, 4  # of rk4
EVEN = np.linspace(-1.0, 1.0, 21)
UNEVEN = np.sign(EVEN) * np.abs(EVEN) ** 1.5
TABLE_LIMIT, ENABLE_LIMIT = 15.0, 1.0  # ns, an evaluation; the second is what noise is


def program(make: Callable[[], Any]) -> Any:
    """Blocks of two inputs, each reading two sines, summed and integrated."""
    import blockdyn as bd

    d = bd.Diagram("costs")
    first, second = d.add("first", bd.Sine(frequency=1.0)), d.add("second", bd.Sine(frequency=1.37))
    total = d.add("total", bd.Sum("+" * COUNT))
    for i in range(COUNT):
        block = d.add(f"block{i}", make())
        scaled = d.add(f"scaled{i}", bd.Gain(1.0 - 0.01 * i))
        d.connect(first, scaled, block[0])
        d.connect(second, block[1])
        d.connect(block, total[i])
    d.connect(total, d.add("x", bd.Integrator()))
    return d.compile()


def table(points: np.ndarray) -> Any:
    import blockdyn as bd

    return bd.Lookup2D(rows=points, columns=points, table=np.outer(points, points))


def product(*, enabled: bool) -> Any:
    """A product in a subsystem, which a constant enables."""
    import blockdyn as bd

    d = bd.Diagram("part")
    times = d.add("times", bd.Product())
    for i, name in enumerate(("u0", "u1")):
        d.connect(d.add(name, bd.Inport()), times[i])
    d.connect(times, d.add("y", bd.Outport()))
    if not enabled:
        return d
    d.add("enable", bd.Enable())
    holder = bd.Diagram("holder")
    part = holder.add("part", d)
    for i, name in enumerate(("u0", "u1")):
        holder.connect(holder.add(name, bd.Inport()), part[i])
    holder.connect(holder.add("on", bd.Constant(1.0)), part["enable"])
    holder.connect(part, holder.add("y", bd.Outport()))
    return holder


def rows(settings: Settings) -> list[Row]:
    import blockdyn as bd

    kinds: dict[str, tuple[Callable[[], Any], str, float]] = {
        "a 2-D table, even": (lambda: table(EVEN), "a product", TABLE_LIMIT),
        "a 2-D table, uneven": (lambda: table(UNEVEN), "a product", TABLE_LIMIT),
        "an enabled product": (lambda: product(enabled=True), "a product", ENABLE_LIMIT),
    }
    programs = {"a product": program(bd.Product)} | {name: program(kind[0]) for name, kind in kinds.items()}
    runs = {
        name: lambda made=made: made.simulate(
            stop=STOP, method="rk4", step=STOP / STEPS, log=["x"], states=False
        )
        for name, made in programs.items()
    }
    samples = interleaved(runs, max(settings.runs, 3))
    measured = []
    for name, (_, plain, limit) in kinds.items():
        more = median(a - b for a, b in zip(samples[name].cpu, samples[plain].cpu, strict=True))
        cost = 1e9 * more / COUNT / (STEPS * STAGES)
        measured.append(
            Row(CASE, f"ours: {name}", cpu=cost, unit="ns", required=f"<= {limit:g} ns", met=cost <= limit,
                runs=settings.runs, note="an evaluation, more than that of a product")
        )  # fmt: skip
    return measured
