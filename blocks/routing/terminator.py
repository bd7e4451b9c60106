"""Terminator: the end of a signal that nobody needs."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block
from ..contract.port import Port


class Terminator(Block):
    """Takes any signal and does nothing; it says that an output is unused on purpose.

    Example:
        {type: Terminator}
    """

    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = ()
