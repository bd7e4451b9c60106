"""The option `unit`: the unit of a signal after multiplication by a factor."""

from __future__ import annotations

from ..contract.errors import ParameterError


def check_unit(block: str, unit: object) -> None:
    """Raise ParameterError unless it is text."""
    if not isinstance(unit, str):
        raise ParameterError(block, "unit", unit, 'text such as "N m"')
