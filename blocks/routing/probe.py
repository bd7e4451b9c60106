"""Probe: the size of a signal, as a signal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.parameter import Array
from ..contract.port import Port, Size, State


class Probe(Block):
    """The size of a signal, as numbers that other blocks can use.

        width = rows columns

    A scalar has one row and one column, a vector of n elements n rows and one column, a bus the rows of all
    its fields. The outputs are fixed when the diagram is compiled: they do not depend on the values of u, and
    no algebraic loop goes through the block. `blockdyn check` shows the unit and the sample time of every
    signal.

    Source: Simulink's Probe block (The MathWorks, Simulink Reference).

    Example:
        {type: Probe}
    """

    icon = "Probe"
    inputs: ClassVar = (Port("u", buses=True),)
    outputs: ClassVar = (Port("width", 1), Port("rows", 1), Port("columns", 1))
    states: ClassVar = (  # their lengths are the size; their values are not used
        State("down", "none", held=True, fixed=True), State("across", "none", held=True, fixed=True),
    )  # fmt: skip

    def constants(self) -> Mapping[str, Any]:
        return {"none": (0.0,)}

    def state_shapes(self, inputs: Mapping[str, Size]) -> Mapping[str, tuple[int, ...]]:
        rows, columns = (*inputs["u"].shape, 1, 1)[:2]
        return {"down": (rows,), "across": (columns,)}

    @staticmethod
    def output(down: Array, across: Array) -> tuple[float, float, float]:
        rows, columns = float(down.shape[0]), float(across.shape[0])
        return rows * columns, rows, columns
