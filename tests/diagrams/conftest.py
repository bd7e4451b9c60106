"""What tests of algebraic loops share: a circle of two blocks, an equation y = f(y)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.formula import parse


@pytest.fixture(scope="session")
def feedback() -> Callable[..., bd.Diagram]:
    """e = u - back(forward(e)): a source, a difference, two blocks in a circle."""

    def make(source: bd.Block, forward: bd.Block, back: bd.Block) -> bd.Diagram:
        d = bd.Diagram()
        d.add("u", source)
        d.add("e", bd.Sum("+-"))
        d.add("forward", forward)
        d.add("back", back)
        d.connect("u", "e[0]")
        d.connect("e", "forward", "back", "e[1]")
        return d

    return make


@pytest.fixture(scope="session")
def equation() -> Callable[..., bd.Diagram]:
    """y = formula(y), and its input u = t where it has one."""

    def make(formula: str, **coefficients: float) -> bd.Diagram:
        d = bd.Diagram()
        d.add("f", bd.Expression(formula, coefficients=coefficients or None))
        d.connect("f", "f.y_")
        if "u" in parse(formula).names:
            d.connect(d.add("u", bd.Clock()), "f.u")
        return d

    return make
