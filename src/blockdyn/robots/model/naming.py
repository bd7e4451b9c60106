"""Naming: constructors of robots' parts, whose errors know what the Robotics Toolbox calls their numbers."""

from __future__ import annotations

import functools
from dataclasses import fields
from typing import Any, TypeVar

from ..errors import nearest

Part = TypeVar("Part", bound=type)


def naming(part: Part) -> Part:
    """A dataclass whose TypeError for an argument that it has not names the one that is meant."""
    init = part.__init__  # type: ignore[misc]

    @functools.wraps(init)
    def construct(self: Any, *values: Any, **named: Any) -> None:
        try:
            init(self, *values, **named)
        except TypeError as error:
            field_names = [field.name for field in fields(self) if field.init]
            unknown = [name for name in named if name not in field_names]
            if not unknown:
                raise
            text = f"a {part.__name__} has no `{unknown[0]}`{nearest(unknown[0], field_names)}"
            raise TypeError(f"{text}\nit takes: {', '.join(field_names)}") from error

    part.__init__ = construct  # type: ignore[misc]
    return part
