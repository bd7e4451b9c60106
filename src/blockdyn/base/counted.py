"""Counted: a number with the noun that it counts."""

from __future__ import annotations


def counted(number: int, noun: str, shown: str = "") -> str:
    """'1 scenario', '2 scenarios'; `shown` is the number as it is to be written."""
    return f"{shown or number} {noun}{'' if number == 1 else 's'}"
