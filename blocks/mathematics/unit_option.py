"""The option `unit`: what a factor makes of the unit of a signal."""

from __future__ import annotations

from ..contract.errors import ParameterError


def check_unit(block: str, unit: object) -> None:
    """Raise ParameterError unless it is text."""
    if not isinstance(unit, str):
        raise ParameterError(block, "unit", unit, 'text such as "N m"')
