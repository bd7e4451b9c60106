"""What a delay costs: x' = -x + eight times the delayed x, or x itself, in many small steps."""

from __future__ import annotations

from itertools import product
from statistics import median
from typing import Any

from ..contract import Row, Settings
from ..rounds import interleaved

CASE = "delays, 20 000 steps of dopri5"
COUNT = 8
STOP, STEP = 20.0, 1e-3
MORE = 20  # rows per step, each an evaluation
LIMIT = 20.0  # ns, an evaluation


def program(delays: int) -> Any:
    import blockdyn as bd

    d = bd.Diagram("delays")
    x = d.add("x", bd.Integrator(1.0))
    total = d.add("total", bd.Sum("+" * (COUNT + 1)))
    for i in range(COUNT):
        block = bd.TransportDelay(1.0, initial=1.0, buffer=1100.0) if i < delays else bd.Gain(0.1)
        d.connect(x, d.add(f"late{i}", block), total[i])
    d.connect(d.add("minus", bd.Gain(-1.0)), total[COUNT])
    d.connect(x, d["minus"])
    d.connect(total, d.add("less", bd.Gain(0.01)), x)
    return d.compile()


def rows(settings: Settings) -> list[Row]:
    runs = {}
    for delays, refine in product((0, COUNT), (1, MORE)):
        made = program(delays)
        runs[f"{delays} {refine}"] = lambda made=made, refine=refine: made.simulate(
            stop=STOP, method="dopri5", max_step=STEP, refine=refine, log=["x"], states=False
        )
    cpu = {name: median(sample.cpu) for name, sample in interleaved(runs, settings.runs).items()}
    each = {
        refine: 1e9 * (cpu[f"{COUNT} {refine}"] - cpu[f"0 {refine}"]) / COUNT / (STOP / STEP)
        for refine in (1, MORE)
    }
    evaluation = (each[MORE] - each[1]) / (MORE - 1)
    history = each[1] - 7 * evaluation
    return [
        Row(CASE, "ours: an evaluation", cpu=evaluation, unit="ns", required=f"<= {LIMIT:g} ns",
            met=evaluation <= LIMIT, runs=settings.runs, note="by rows within steps"),
        Row(CASE, "ours: the history, a step", cpu=history, unit="ns", runs=settings.runs,
            note="nine values of the input, and its polynomial"),
    ]  # fmt: skip
