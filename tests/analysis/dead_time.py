"""Loops with dead time, and what is asked of their models."""

from __future__ import annotations

from typing import Any

import numpy as np

import blockdyn as bd

OMEGA = np.geomspace(0.05, 60.0, 50)
S = 1j * OMEGA


def loop(num: list[float], den: list[float], delay: float, **more: Any) -> bd.Diagram:
    """num/den exp(-s delay) with its output fed back."""
    d = bd.Diagram("loop")
    error = d.add("error", bd.Sum("+-"))
    d.connect(d.add("r", bd.Inport(default=0.5)), error[0])
    plant = d.add("plant", bd.TransferFunction(num=num, den=den))
    d.connect(
        error, plant, d.add("late", bd.TransportDelay(delay, **more)), [error[1], d.add("y", bd.Outport())]
    )
    return d


def transfer(d: bd.Diagram, wire: str = "late") -> Any:
    return -d.linearize(wire, wire, open=wire)


def G(model: Any) -> Any:
    return model.frequency_response(OMEGA)[:, 0, 0]
