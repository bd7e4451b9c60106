"""SwitchCase: the list of whole numbers that contains the input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..contract.errors import ParameterError
from ..contract.parameter import option
from .choice import Choice


class SwitchCase(Choice):
    """Logical outputs of which exactly one is 1: the output of the case with the number u, or `otherwise`.

        name_i = 1 where k - 0.5 <= u < k + 0.5 for a number k of cases[name_i]

    u is rounded, so that it may be a measured or computed number; the change is an event. Each output enables
    a subsystem with an Enable block, and Merge combines their outputs. Raises ParameterError for numbers that
    occur in two cases, and for more than 30 edges between numbers in total.

    Source: Simulink's Switch Case block (The MathWorks, Simulink Reference), which truncates.

    Example:
        {type: SwitchCase, cases: {low: [1, 2], high: 3}}
    """

    icon = "case"
    option_name: ClassVar = "cases"

    cases: Mapping[str, int | Sequence[int]] = option(doc="a whole number, or a list, for each output")

    def check(self) -> None:
        taken: dict[int, str] = {}
        for name, numbers in self._numbers().items():
            for number in numbers:
                if isinstance(number, bool) or not isinstance(number, int):
                    raise ParameterError("SwitchCase", "cases", self.cases, f"whole numbers in `{name}`")
                if taken.setdefault(number, name) != name:
                    expected = f"each number in one case; {number} is in `{taken[number]}` and `{name}`"
                    raise ParameterError("SwitchCase", "cases", self.cases, expected)
        super().check()

    def _numbers(self) -> dict[str, tuple[int, ...]]:
        return {
            name: tuple(numbers) if isinstance(numbers, Sequence) else (numbers,)
            for name, numbers in self.cases.items()
        }

    def tests(self) -> Mapping[str, str]:
        # each edge is compared in one form, so that it is one condition for all cases
        return {
            name: " or ".join(f"(u >= {k} - 0.5 and not u >= {k + 1} - 0.5)" for k in numbers)
            for name, numbers in self._numbers().items()
        }
