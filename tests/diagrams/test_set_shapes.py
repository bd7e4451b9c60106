"""Numbers are data: another one compiles nothing, another shape compiles as if it had been declared so."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import blockdyn as bd
from blockdyn.blocks.contract.block import Block
from blockdyn.diagrams.compiler import code
from blockdyn.diagrams.model.diagram import Diagram

CASES: list[tuple[Block, dict[str, Any], dict[str, Any]]] = [
    (bd.Gain(2.0), {"k": 3.0}, {"k": [1.0, 2.0]}),
    (bd.Gain([1.0, 2.0]), {"k[1]": 5.0}, {"k": 4.0}),
    (bd.Saturation(-1.0, 0.4), {"upper": 0.3}, {"upper": [0.2, 0.3, 0.4]}),
    (bd.Integrator(1.0), {"initial": 2.0}, {"initial": [1.0, 2.0]}),
    (bd.TransferFunction([1.0], [1.0, 2.0]), {"den[1]": 3.0}, {"den": [1.0, 2.0, 3.0]}),
    (bd.TransferFunction([1.0], [1.0, 2.0]), {"num": [4.0]}, {"num": [1.0], "den": [1.0, 3.0, 2.0, 4.0]}),
    (
        bd.StateSpace([[-1.0]], [[1.0]], [[1.0]]), {"A": [[-2.0]]},
        {"A": [[-1.0, 0.0], [0.0, -2.0]], "B": [[1.0], [1.0]], "C": [[1.0, 1.0]]},
    ),
    (
        bd.DiscreteTransferFunction(0.1, [1.0], [1.0, 0.5]), {"den": [1.0, 0.25]},
        {"den": [1.0, 0.5, 0.25]},
    ),
]  # fmt: skip
SOURCES: list[tuple[Block, dict[str, Any], dict[str, Any]]] = [
    (bd.Constant(2.0), {"value": 3.0}, {"value": [[1.0, 2.0], [3.0, 4.0]]}),
    (
        bd.PiecewiseLinear([0.0, 1.0], [0.0, 1.0]), {"values": [0.0, 2.0]},
        {"times": [0.0, 0.5, 1.0], "values": [0.0, 1.0, 4.0]},
    ),
]  # fmt: skip


def diagram(block: Block, *, driven: bool) -> Diagram:
    made = bd.Diagram()
    b = made.add("b", block)
    if driven:
        made.connect(made.add("u", bd.Ramp()), b)
    made.settings(stop=1.0)
    return made


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for every machine code that is compiled, or taken from the store."""
    made: list[None] = []
    load = code.load_object

    def counting(*arguments: Any, **named: Any) -> Any:
        made.append(None)
        return load(*arguments, **named)

    monkeypatch.setattr(code, "_codes", OrderedDict())
    monkeypatch.setattr(code, "load_object", counting)
    return made


@pytest.mark.parametrize(
    ("block", "numbers", "shapes", "driven"),
    [*((*case, True) for case in CASES), *((*case, False) for case in SOURCES)],
    ids=lambda value: value.kind() if isinstance(value, Block) else "",
)
def test_numbers_and_shapes(
    block: Block, numbers: dict[str, Any], shapes: dict[str, Any], driven: bool, loaded: list[None]
) -> None:
    d = diagram(block, driven=driven)
    d.simulate()
    assert len(loaded) == 1
    d.simulate(set={f"b.{name}": value for name, value in numbers.items()})
    assert len(loaded) == 1
    other = d.simulate(set={f"b.{name}": value for name, value in shapes.items()})
    assert len(loaded) == 2
    declared = diagram(block.with_parameters(**shapes), driven=driven).simulate()
    assert len(loaded) == 2
    np.testing.assert_array_equal(other.trace("b").values, declared.trace("b").values)
