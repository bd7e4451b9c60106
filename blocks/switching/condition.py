"""Conditions: blocks that say when the blocks of the subsystem around them work."""

from __future__ import annotations

from typing import ClassVar

from ..contract.block import Block


class Condition(Block):
    """Base of Enable and Trigger: the block's name is an input of its subsystem, and `u` what drives it.

    What it means for the blocks of its subsystem is the compiler's: `diagrams/compiler/plan/conditions.py`.
    """

    abstract: ClassVar = True
