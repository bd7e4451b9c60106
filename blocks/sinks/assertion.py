"""Assert: a condition that must hold."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Crossing, Port


class Assert(Block):
    """Ends the run with AssertionFailed at the instant when its input becomes false, 0.5 or less.

    An input that is false at the start ends the run there.

    Example:
        {type: Assert, message: the arm has hit the table}
    """

    icon = "check"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = ()
    crossings: ClassVar = (Crossing("failure", -1),)
    ends_run: ClassVar = True

    message: str = option(default="the condition does not hold", doc="the text of the error")

    def check(self) -> None:
        if not isinstance(self.message, str) or not self.message:
            raise ParameterError("Assert", "message", self.message, "a sentence for the error")

    def failure(self) -> str:
        return self.message

    @staticmethod
    def crossing(u: float) -> float:
        return u - 0.5

    @staticmethod
    def mode(u: float) -> int:
        return 0 if u > 0.5 else 1
