"""Systems of SciPy and python-control in the place of numbers: what the error suggests makes the block."""

from __future__ import annotations

import re

import control
import numpy as np
import pytest
from scipy import signal

import blockdyn as bd

MATRICES = ([[-1.0]], [[2.0]], [[3.0]], [[0.0]])


@pytest.mark.parametrize(
    ("block", "system"),
    [
        ("StateSpace", signal.StateSpace(*MATRICES)),
        ("StateSpace", control.ss(*MATRICES)),
        ("StateSpace", control.tf([6.0], [1.0, 1.0])),
        ("StateSpace", signal.TransferFunction([6.0], [1.0, 1.0])),
        ("TransferFunction", signal.TransferFunction([6.0], [1.0, 1.0])),
        ("TransferFunction", control.tf([6.0], [1.0, 1.0])),
        ("TransferFunction", control.ss(*MATRICES)),
        ("ZeroPoleGain", signal.ZerosPolesGain([], [-1.0], 6.0)),
        ("ZeroPoleGain", control.zpk([], [-1.0], 6.0)),
        ("DiscreteStateSpace", signal.StateSpace(*MATRICES, dt=0.1)),
        ("DiscreteTransferFunction", signal.TransferFunction([6.0], [1.0, 0.5], dt=0.1)),
    ],
)
def test_what_the_error_suggests_makes_the_block(block, system):
    with pytest.raises(bd.BlockdynError) as caught:
        getattr(bd, block)(system)
    code = re.search(r"expected: ([^\n]*?)(?:, with sys = (.*))?$", str(caught.value))
    assert code is not None
    names = {"sys": system, "control": control}
    if code[2]:
        names["sys"] = eval(code[2], names)
    made = eval(f"bd.{code[1]}", {**names, "bd": bd})
    assert made.kind() == block.replace("ZeroPoleGain", "TransferFunction")
    if not block.startswith("Discrete"):
        d = bd.Diagram("step")
        d.connect(d.add("one", bd.Constant(value=1.0)), d.add("plant", made))
        final = np.ravel(d.simulate(stop=2.0, rtol=1e-9).final("plant"))[0]
        assert final == pytest.approx(6.0 * (1.0 - np.exp(-2.0)), rel=1e-6)
