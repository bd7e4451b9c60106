"""ForEach: repeats the subsystem that contains it for each element of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..contract.block import Block
from ..contract.errors import ParameterError
from ..contract.parameter import option
from ..contract.port import Port

MOST = 1000  # maximum number of copies of a subsystem


class ForEach(Block):
    """The subsystem exists `count` times. Each copy has its own states and gets one element of the inputs.

        inside: u_i = u[i], y = i, from 0;  outside: y = [y_0, y_1, ...]

    An input is a vector of `count` elements, or a matrix with as many rows, and each copy gets one element or
    row; inputs named in `shared`, and inputs of Enable and Trigger blocks, go to every copy unchanged.
    Outputs are combined in the same way. Parameters of the diagram named in `split` are vectors, or matrices
    split by rows, with one element for each copy. The blocks of element i have the path
    `subsystem/each_i/block`.

    Raises SizeError for an input that does not have `count` elements, ParameterError for unknown names.

    Source: Simulink's For Each block (The MathWorks, Simulink Reference).

    Example:
        {type: ForEach, count: 3, shared: [gravity]}
    """

    icon = "copies"
    outputs: ClassVar = (Port("y", 1),)

    count: int = option(doc="number of copies")
    shared: Sequence[str] = option(default=(), doc="inputs that are not split")
    split: Sequence[str] = option(default=(), doc="parameters of the diagram with a value for each")
    index: int = option(default=0, doc="the index of the element, set by the diagram")

    def check(self) -> None:
        if not 1 <= self.count <= MOST:
            raise ParameterError("ForEach", "count", self.count, f"a whole number from 1 to {MOST}")

    def constants(self) -> dict[str, Any]:
        return {"number": float(self.index)}

    @staticmethod
    def output(number: float) -> float:
        return number
