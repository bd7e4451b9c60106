"""Foreign systems: linear systems of python-control and SciPy in the place of a block's numbers."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BlockError

_FORMS = {
    "StateSpace": ("ss", "sys.A, sys.B, sys.C, sys.D"),
    "TransferFunction": ("tf", "sys.num, sys.den"),
    "ZeroPoleGain": ("zpk", "sys.zeros, sys.poles, sys.gain"),
}
"""Blocks, with the functions that make such a system there, and its numbers."""
_OF_CONTROL = {
    "TransferFunction": "sys.num[0][0].tolist(), sys.den[0][0].tolist()",
    "ZeroPoleGain": "sys.zeros(), sys.poles(), gain",
}


def check_no_system(kind: str, values: Iterable[object]) -> None:
    """Raise BlockError where one of the values is a system of another library: what to take from it."""
    base = kind.removeprefix("Discrete")
    if base not in _FORMS:
        return
    for value in values:
        library = type(value).__module__.partition(".")[0]
        if library not in ("scipy", "control") or not hasattr(value, "dt"):
            continue
        form, numbers = _FORMS[base]
        if library == "control":
            made, numbers = f"control.{form}(sys)", _OF_CONTROL.get(base, numbers)
        else:
            made = f"sys.to_{form}()"
        clock = ", sample_time=sys.dt" if kind != base else ""
        shown = f"{library}'s {type(value).__name__}"
        needed = "" if _has(value, base) else f", with sys = {made}"
        raise BlockError(f"{kind} is given {shown}\nexpected: {kind}({numbers}{clock}){needed}")


def _has(value: object, kind: str) -> bool:
    """Whether a system is in the form of the block."""
    return kind in type(value).__name__.replace("ZerosPolesGain", "ZeroPoleGain")
