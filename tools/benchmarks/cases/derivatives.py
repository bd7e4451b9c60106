"""Measure the cost of derivatives: a gradient with respect to twelve numbers, and many linear models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..contract import Row, Settings
from ..rounds import alone, interleaved, ratio

CASE = "derivatives"
ROUNDS = 9  # at least
GAINS = ["Kp", "Kv", "Ki", *(f"{gain}[{i}]" for gain in ("Kq", "Kw") for i in range(3))]
TO = [*(f"control.{gain}" for gain in GAINS), "pace", "breeze", "payload"]
ERROR = "norm(quadrotor.position - eight.position)"
MEASURES = {"far": {"max": ERROR}, "rms": {"rms": ERROR}, "end": {"final": "quadrotor.position[0]"}}
NEARBY = 1e-4  # relative
INSTANTS = np.linspace(0.015, 15.0, 1000)  # s


def rows(settings: Settings) -> list[Row]:
    """The gallery's quadrotor, with other values each time. What is compiled once for many values, as in a
    tuning, is made before.
    """
    import blockdyn as bd
    from blockdyn.gradients.measure_derivatives import MeasureDerivatives

    diagram = bd.load("quadrotor")
    program = diagram.compile()
    measured, random = MeasureDerivatives(diagram, MEASURES, TO, {}), np.random.default_rng(0)

    def gradient() -> object:
        return measured.run(measured.values * (1.0 + NEARBY * random.standard_normal(len(TO))))

    runs: dict[str, Callable[[], object]] = {
        "flight": program.simulate,
        "gradient with respect to 12 numbers": gradient,
        "1000 linear models": lambda: diagram.linearize_along(INSTANTS),
    }
    samples = interleaved(runs, max(settings.runs, ROUNDS))
    flight = samples["flight"]

    def row(run: str) -> Row:
        flights = f"{ratio(samples[run], flight, cpu=True):.2f} flights, in processor time"
        return alone(CASE, f"ours: {run}", samples[run], note="" if run == "flight" else flights)

    return [row(run) for run in runs]
