"""Conditions: blocks that control when the subsystem that contains them is active."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block


class Condition(Block):
    """Base of Enable and Trigger: the block's name is an input of its subsystem, and `u` the driving signal.

    The compiler applies it to the blocks of its subsystem: `diagrams/compiler/plan/conditions.py`.
    """

    abstract: ClassVar = True
