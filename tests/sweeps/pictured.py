"""Ensembles of decays of random rates, and on a grid, with failures, for tests of pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from blockdyn.sweeps.answer.ensemble import Ensemble
from blockdyn.sweeps.declare.design import Design
from blockdyn.sweeps.store.part import OUTCOMES

from .ensembles import TIMES, ensemble, explicit, uniform

BAD = (OUTCOMES.index("not finite"), "plant is not finite at t = 0.5 s")


def decays(axes: Any) -> Any:
    return np.exp(-np.multiply.outer(np.asarray(axes["rate"]), TIMES))


def sampled(**more: Any) -> Ensemble:
    """Decays of random rates: e^(-rate t), with two failures."""
    design = Design((), uniform(1.0, 3.0, rate=None, mass=None), 200, 2, "latin-hypercube")
    measures = {"final": lambda axes: np.exp(-2.0 * axes["rate"]), "mean $x_1$": lambda axes: axes["rate"]}
    info = {"times": TIMES, "units": {"plant.y": "rad"}}
    settings = {"failed": {4: BAD, 90: BAD}, "kept": {"plant.y": decays}, "info": info} | more
    return ensemble(design, measures, **settings)


def grid() -> Ensemble:
    design = Design(explicit(kp=[1.0, 10.0, 100.0], kd=[0.0, 0.5, 1.0, 1.5]))
    failed = {0: BAD, 1: BAD}
    return ensemble(
        design, {"y": lambda axes: np.asarray(axes["kp"]) + np.asarray(axes["kd"])}, failed=failed
    )


PICTURES: dict[str, tuple[str, ...]] = {
    "envelope": ("plant.y",),
    "histogram": ("final",),
    "distribution": ("mean $x_1$",),
    "heat": ("final", "rate", "mass"),
    "tornado": ("final",),
    "parallel": (),
    "scatter": ("rate", "mean $x_1$"),
}
