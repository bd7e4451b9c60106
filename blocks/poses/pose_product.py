"""PoseProduct: products of poses and of their inverses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...robots.lie.kernels.pose import between, compose, last_row
from ..contract.block import Block
from ..contract.parameter import Array, option
from ..contract.port import Port
from .sizes import POSE


class PoseProduct(Block):
    """The product of two poses, either of which may be inverted.

        T = T0 T1       signs `**`:  T1 is given as seen from T0
            T0^-1 T1    signs `/*`:  T1 as seen from T0
            T0 T1^-1    signs `*/`

    Inverses are of rigid motions, [R^T, -R^T p; 0, 1]. Both inputs feed through to T directly.

    Example:
        {type: PoseProduct, signs: "/*"}
    """

    icon = "T_1 T_2"
    inputs: ClassVar = (Port("T0", POSE, "m"), Port("T1", POSE, "m"))
    outputs: ClassVar = (Port("T", POSE, "m"),)

    signs: str = option(default="**", doc="one * or / per input", choices=("**", "/*", "*/"))

    def functions(self) -> Mapping[str, Callable[..., Any]]:
        return {"output": {"**": product, "/*": from_first, "*/": from_second}[self.signs]}


def product(T0: Array, T1: Array, T: Array) -> None:
    compose(T0, T1, T)


def from_first(T0: Array, T1: Array, T: Array) -> None:
    between(T0, T1, T)


def from_second(T0: Array, T1: Array, T: Array) -> None:
    # R = R0 R1^T first: the origin p0 - R p1 uses the rows just written.
    for i in range(3):
        for j in range(3):
            T[i, j] = T0[i, 0] * T1[j, 0] + T0[i, 1] * T1[j, 1] + T0[i, 2] * T1[j, 2]
        T[i, 3] = T0[i, 3] - (T[i, 0] * T1[0, 3] + T[i, 1] * T1[1, 3] + T[i, 2] * T1[2, 3])
    last_row(T)
