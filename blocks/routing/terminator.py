"""Terminator: the end of a signal that nothing reads."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Port


class Terminator(Block):
    """Takes any signal and does nothing: it shows that an output is left unused on purpose.

    Example:
        {type: Terminator}
    """

    icon = "terminator"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = ()
