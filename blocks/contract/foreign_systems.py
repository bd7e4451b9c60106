"""Foreign systems: linear systems of python-control and SciPy in the place of a block's numbers."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BlockError

_FORMS = {
    "StateSpace": ("ss", "A=sys.A, B=sys.B, C=sys.C, D=sys.D"),
    "TransferFunction": ("tf", "num=sys.num, den=sys.den"),
    "ZeroPoleGain": ("zpk", "poles=sys.poles, zeros=sys.zeros, k=sys.gain"),
}
"""Blocks, with the ends of the names of functions that make such a system there, and its numbers."""
_OF_CONTROL = {
    "TransferFunction": "num=sys.num[0][0].tolist(), den=sys.den[0][0].tolist()",
    "ZeroPoleGain": "poles=sys.poles(), zeros=sys.zeros(), k=sys.num[0][0][0] / sys.den[0][0][0]",
}

_CLASSES = {"ss": "StateSpace", "tf": "TransferFunction", "zpk": "ZerosPolesGain"}


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
            form, numbers = form.replace("zpk", "tf"), _OF_CONTROL.get(base, numbers)
        made = f"control.{form}(sys)" if library == "control" else f"sys.to_{form}()"
        clock = ", sample_time=sys.dt" if kind != base else ""
        needed = "" if _CLASSES[form] in type(value).__name__ else f", with sys = {made}"
        found = f"{kind} is given a {type(value).__name__} of {library}"
        raise BlockError(f"{found}\nexpected: {kind}({numbers}{clock}){needed}")
