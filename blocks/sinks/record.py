"""Record: a signal kept in the result under a name."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Port


class Record(Block):
    """Keeps its input in the result under `name`, or by default under the block's path.

    Example:
        {type: Record, name: thrust}
    """

    icon = "record"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = ()
    logs: ClassVar[bool] = True

    name: str = option(default="", doc="the signal's name in the result")

    def check(self) -> None:
        if not isinstance(self.name, str):
            raise ParameterError("Record", "name", self.name, "text")

    def log_name(self, path: str) -> str:
        return self.name or path
