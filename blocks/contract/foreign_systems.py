"""Foreign systems: linear systems of python-control and SciPy in place of a block's numbers."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BlockError

_NUMBERS = {
    "StateSpace": "A=sys.A, B=sys.B, C=sys.C, D=sys.D",
    "TransferFunction": "num=sys.num, den=sys.den",
}
_OF_CONTROL = {"TransferFunction": "num=sys.num[0][0].tolist(), den=sys.den[0][0].tolist()"}
_FUNCTIONS = {"StateSpace": "ss", "TransferFunction": "tf"}
"""Ways to make such a system from another one: `control.ss(sys)`, `sys.to_ss()`."""


def check_no_system(kind: str, values: Iterable[object]) -> None:
    """Raise BlockError, with a remedy, if one of the values is a system of another library."""
    discrete = "Discrete" if kind.startswith("Discrete") else ""
    base = kind.removeprefix("Discrete").replace("ZeroPoleGain", "TransferFunction")
    if base not in _NUMBERS:
        return
    for value in values:
        library = type(value).__module__.partition(".")[0]
        if library not in ("scipy", "control") or not hasattr(value, "dt"):
            continue
        of_control = library == "control"
        numbers = _OF_CONTROL.get(base, _NUMBERS[base]) if of_control else _NUMBERS[base]
        clock = ", sample_time=sys.dt" if discrete else ""
        made = f"control.{_FUNCTIONS[base]}(sys)" if of_control else f"sys.to_{_FUNCTIONS[base]}()"
        needed = "" if base in type(value).__name__ else f", with sys = {made}"
        found = f"{kind} is given a {type(value).__name__} of {library}"
        raise BlockError(f"{found}\nexpected: {discrete}{base}({numbers}{clock}){needed}")
