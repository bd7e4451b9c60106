"""Choices: blocks whose logical outputs, of which one is true, enable subsystems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.conditions import joint_roles
from ..contract.errors import FormulaError, ParameterError
from ..contract.formula import TIME, parse
from ..contract.port import Crossing, Port

OTHERWISE = "otherwise"


class Choice(Block):
    """Base of If and SwitchCase: outputs by name, each true if its formula is the first true one."""

    abstract: ClassVar = True
    elementwise: ClassVar = True

    option_name: ClassVar[str]  # the parameter that gives the names

    def tests(self) -> Mapping[str, str]:
        """A formula for every output but the last one, `otherwise`."""
        raise NotImplementedError

    def equations(self) -> tuple[tuple[str, str], ...]:
        """The formula of each output, by its role."""
        tests = self.tests()
        earlier: list[str] = []
        roles = []
        for name, test in tests.items():
            roles.append((f"output_{name}", " and ".join([f"(where({test}, 1, 0) != 0)", *earlier])))
            earlier.append(f"not (where({test}, 1, 0) != 0)")
        return (*roles, (f"output_{OTHERWISE}", " and ".join(earlier)))

    def check(self) -> None:
        value = getattr(self, self.option_name)

        def wrong(expected: str, reason: FormulaError | None = None) -> ParameterError:
            return ParameterError(self.kind(), self.option_name, value, expected, reason=reason)

        if not value:
            raise wrong("at least one, by name")
        if not all(isinstance(test, str) for test in self.tests().values()):
            raise wrong("a formula for each name, as text")
        try:
            for test in self.tests().values():
                parse(test)
            names = self._names()
            joint_roles(self.equations())
        except FormulaError as error:
            raise wrong("", error) from None
        for name in value:
            if not isinstance(name, str) or not name.isidentifier() or name in (OTHERWISE, *names):
                taken = ", ".join([OTHERWISE, *names])
                raise wrong(f"names for outputs of letters, digits and _, other than {taken}; not `{name}`")

    def _names(self) -> tuple[str, ...]:
        """The names in the formulas, except the time."""
        names = dict.fromkeys(name for test in self.tests().values() for name in parse(test).names)
        return tuple(name for name in names if name != TIME)

    def input_ports(self) -> tuple[Port, ...]:
        return tuple(Port(name, 1) for name in self._names())

    def output_ports(self) -> tuple[Port, ...]:
        return tuple(Port(name, 1) for name in (*getattr(self, self.option_name), OTHERWISE))

    def functions(self) -> Mapping[str, Any]:
        return joint_roles(self.equations())

    def zero_crossings(self) -> tuple[Crossing, ...]:
        levels: Any = self.functions().get("crossing", ())
        return tuple(Crossing(f"condition{i}") for i in range(len(levels)))
