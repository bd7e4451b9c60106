"""Units of measures, from that of the signal."""

from __future__ import annotations

from .declaration import Measure

_TIMES = ("settling_time", "rise_time", "time_to", "end_time", "delay_margin")
_SIGNAL_UNIT = ("max", "min", "peak_to_peak", "mean", "rms", "initial", "final")


def unit_of(measure: Measure, unit: str) -> str:
    """The unit of a measure of a signal in `unit`; nothing where the signal has none."""
    if measure.kind == "phase_margin":
        return "deg"
    if measure.kind in _TIMES:
        return "s"
    if measure.kind in _SIGNAL_UNIT:
        return unit
    if measure.kind in ("integral", "absolute") and unit:
        return f"{unit} s"
    return f"{unit} s2" if measure.kind == "itae" and unit else ""
