"""Reaches: whether an input of a block reaches an output of it in the same instant."""

from __future__ import annotations

from ...blocks.contract.block import Block
from ...blocks.contract.equations import role_arguments
from ...blocks.contract.formula import Formula


def reaches(block: Block) -> bool:
    """Whether an output asks for an input."""
    inputs = {port.name for port in block.input_ports()}
    shown = (function for role, function in block.functions().items() if role.startswith("output"))
    names = (f.names if isinstance(f, Formula) else role_arguments(f) for f in shown)
    return any(inputs & set(asked) for asked in names)
