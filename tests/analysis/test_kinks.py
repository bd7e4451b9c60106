"""Linear models at points where a block changes branch."""

from __future__ import annotations

import pytest

import blockdyn as bd


def chain(block: bd.Block, u: float) -> bd.Diagram:
    d = bd.Diagram()
    d.connect(d.add("u", bd.Inport(default=u)), d.add("b", block), d.add("x", bd.Integrator()))
    d.connect("x", d.add("y", bd.Outport()))
    return d


@pytest.mark.parametrize(
    ("block", "kink"),
    [
        (bd.Saturation(lower=-1.0, upper=1.0), 1.0),
        (bd.Saturation(lower=-1.0, upper=1.0), -1.0),
        (bd.DeadZone(lower=-2.0, upper=1.0), -2.0),
        (bd.Abs(), 0.0),
    ],
)
def test_a_kink_is_named_there_and_nowhere_else(block: bd.Block, kink: float) -> None:
    model = chain(block, kink).linearize()
    (named,) = model.kinks
    assert named.startswith("b: mode ")
    assert named in str(model)
    slopes = {float(chain(block, kink + by).linearize().B[0, 0]) for by in (-1e-3, 1e-3)}
    assert len(slopes) == 2
    assert model.B[0, 0] in slopes
    for by in (-1e-3, 1e-3):
        assert chain(block, kink + by).linearize().kinks == ()


def test_a_kink_between_states() -> None:
    """A stop that touches, of an element of a vector."""
    d = bd.Diagram()
    x = d.add("x", bd.Integrator(initial=[0.5, 1.0, 3.0]))
    d.connect(x, d.add("b", bd.Saturation(lower=-1.0, upper=1.0)), d.add("y", bd.Outport()))
    d.connect("b", d.add("minus", bd.Gain(-1.0)), x)
    assert [text.partition(":")[0] for text in d.linearize().kinks] == ["b"]
    assert d.linearize(at={"x.x": [0.5, 0.9, 3.0]}).kinks == ()
