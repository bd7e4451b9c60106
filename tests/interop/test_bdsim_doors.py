"""What runs of bdsim's diagrams take here, and what can be watched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blockdyn.interop.bdsim import from_bdsim


def test_a_run_takes_our_arguments(sim: Any) -> None:
    bd = sim.blockdiagram()
    start, x = bd.STEP(1.0), bd.INTEGRATOR(name="x")
    bd.connect(start, x)
    run = from_bdsim(bd).simulate(stop=3.0, watch=[x], log=["x"], every=0.5, rtol=1e-8)
    assert run.t[-1] == 3.0
    assert run.y[-1] == pytest.approx(2.0)


def test_an_output_that_nothing_reads_can_be_watched(sim: Any) -> None:
    """The condition number of diag(2, 4)."""
    bd = sim.blockdiagram()
    inverse = bd.INVERSE(inputs=[bd.CONSTANT(np.diag([2.0, 4.0]))], name="inverse")
    run = from_bdsim(bd).simulate(1.0, watch=[inverse, "inverse[1]"])
    assert run.y[-1].tolist() == pytest.approx([0.5, 0.0, 0.0, 0.25, 2.0])


@pytest.mark.parametrize("mode", ["rc", "cr", "cc", "Cc"])
def test_a_sum_of_matrices_has_a_mode_for_each_row(sim: Any, mode: str) -> None:
    bd = sim.blockdiagram()
    one = np.array([[0.5, 1.0, 2.0], [3.0, 4.0, 5.0]])
    total = bd.SUM("++", mode=mode, inputs=[bd.CONSTANT(one), bd.CONSTANT(2.0 * one)], name="total")
    run = from_bdsim(bd).simulate(1.0, watch=[total])
    expected = total.output(0.0, [one, 2.0 * one], None)[0]
    assert run.y[-1] == pytest.approx(np.ravel(expected))
