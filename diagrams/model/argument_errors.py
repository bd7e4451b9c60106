"""What a run cannot be given: exceptions that name the argument, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import BlockdynError
from ...base.gathered import told_together
from ...base.location import Location
from ...base.short import short


class RunArgumentError(BlockdynError):
    """An argument of a run that no run can have."""

    def __init__(self, argument: str, actual: object, expected: str) -> None:
        self.argument, self.actual, self.expected = argument, actual, expected
        super().__init__(f"{argument} is {short(actual)}\nexpected: {expected}")


class InputNotGiven(RunArgumentError):
    """An input of the diagram that a run says nothing of, without a default."""

    def __init__(self, name: str, location: Location | None) -> None:
        self.name, self.location = name, location
        self.argument, self.actual = f"inputs[{name!r}]", None
        self.expected = (
            f"simulate(inputs={{{name!r}: 1.0}}), linearize(at={{{name!r}: 1.0}}), --set {name}=1.0,"
            f" in YAML `simulate: {{inputs: {{{name}: 1.0}}}}`, or a `default` of the Inport;"
            " a subsystem's Inport is wired in the diagram around it"
        )
        at = f"{location}: " if location is not None else ""
        BlockdynError.__init__(
            self, f"{at}nothing is given for input `{name}` of the diagram\nexpected: {self.expected}"
        )


class SeveralArgumentErrors(RunArgumentError):
    """Several arguments that no run can have, and names that `log` does not find; `errors` holds each.

    The first argument gives the facts.
    """

    def __init__(self, errors: Sequence[BlockdynError]) -> None:
        self.errors = tuple(errors)
        first = next(error for error in errors if isinstance(error, RunArgumentError))
        super().__init__(first.argument, first.actual, first.expected)
        self.args = (told_together(errors),)
