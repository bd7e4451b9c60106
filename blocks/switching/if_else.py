"""If: the first of several conditions that holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..contract.parameter import option
from .choice import Choice


class If(Choice):
    """Logical outputs of which exactly one is 1: the output of the first true condition, or `otherwise`.

        name_i = 1 where conditions[name_i] holds and none before it,  otherwise = 1 where none holds

    Conditions are formulas as in Expression of the time t and of scalar inputs, which are the other names;
    they change at located events. Each output enables a subsystem with an Enable block, and Merge combines
    their outputs. Raises ParameterError for formulas that cannot be read, and for more than 30 comparisons in
    all.

    Source: Simulink's If block with If Action Subsystems (The MathWorks, Simulink Reference, If).

    Example:
        {type: If, conditions: {fast: "v > 10", slow: "v > 3 and not uphill"}}
    """

    icon = "if, else"
    option_name: ClassVar = "conditions"

    conditions: Mapping[str, str] = option(doc="a formula for each output, by its name")

    def tests(self) -> Mapping[str, str]:
        return self.conditions
