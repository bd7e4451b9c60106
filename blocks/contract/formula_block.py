"""Formula blocks: one formula, whose conditions become zero crossings automatically."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .block import Block
from .conditions import roles
from .port import Crossing


class FormulaBlock(Block):
    """Base of blocks whose output is one formula of inputs, parameters and t, element by element."""

    elementwise: ClassVar = True

    def equation(self) -> str:
        """The formula of the output, as text."""
        raise NotImplementedError

    def functions(self) -> Mapping[str, Any]:
        return roles(self.equation())

    def zero_crossings(self) -> tuple[Crossing, ...]:
        count = len(self.functions().get("crossing", ()))
        return tuple(Crossing(f"condition{i}" if count > 1 else "condition") for i in range(count))
