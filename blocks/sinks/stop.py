"""Stop: ends the run."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Crossing, Port


class Stop(Block):
    """Ends the run, without an error, at the instant when its input becomes true: when it rises above 0.5.

    An input that is true at the start ends the run there.

    Example:
        {type: Stop}
    """

    icon = "stop"
    inputs: ClassVar = (Port("u", 1),)
    outputs: ClassVar = ()
    crossings: ClassVar = (Crossing("stop", 1),)
    ends_run: ClassVar = True

    @staticmethod
    def crossing(u: float) -> float:
        return u - 0.5

    @staticmethod
    def mode(u: float) -> int:
        return 1 if u > 0.5 else 0
