"""Rows: one mapping a joint, divided into what the joint and what its link takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.hints import nearest_word
from ..errors import InvalidRobot

JOINT = ("offset", "lower", "upper", "speed", "effort", "viscous", "coulomb", "gear", "motor_inertia")
LINK = ("name", "mass", "com", "inertia", "accepted")


def split(
    row: Mapping[str, Any], place: str, more: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of the joint and those of the link; `more` are known to the caller. Raises InvalidRobot."""
    keys = (*LINK, *JOINT, *more)
    for key in row:
        if key not in keys:
            raise InvalidRobot(
                place, f"the key `{key}`{nearest_word(str(key), keys)}", f"one of {', '.join(keys)}"
            )
    return {key: row[key] for key in JOINT if key in row}, {key: row[key] for key in LINK if key in row}
